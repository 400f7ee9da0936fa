"""The picture of the demo: what they show, read from matplotlib's objects, and the files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import Settings
from embedded_hunter.plots.growth import grow
from embedded_hunter.plots.pictures import STYLE, Curves, Plane, picture

pytest.importorskip("matplotlib")
from matplotlib import pyplot as plt
from matplotlib.figure import Figure


def style_now() -> dict[str, Any]:
    settings: Any = plt.rcParams
    return {name: settings[name] for name in STYLE}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The figures that would be saved."""
    saved: list[Any] = []

    def savefig(figure: Any, path: Path, **options: Any) -> None:
        if figure not in saved:
            saved.append(figure)

    monkeypatch.setattr(Figure, "savefig", savefig)
    yield saved
    plt.close("all")


FILES = [Path("there.svg"), Path("there.png")]

SETTINGS = Settings(30, 2, 120, policy="indexed")
ROOT = grow(SETTINGS, lambda x: float(np.sum((x - 0.1) ** 2)), 4, rows=2)
R = float(SETTINGS.radius)
PLANE = Plane("the cells", ROOT, np.arange(9.0).reshape(3, 3))
A = np.array([[8.0, 8, 5, 5, 5, 1], [9, 6, 6, 6, 6, 6], [7, 7, 7, 7, 7, 7]])
CURVES = Curves("the runs", {"a": A, "b": A / 2, "c": A / 4, "e": A / 8})


def axes_of(drawn: list[Any]) -> tuple[Any, Any, Any]:
    (figure,) = drawn
    return tuple(figure.axes)


@pytest.mark.parametrize(
    ("best", "evaluations"),
    [(A, [1, 2, 3, 6]), (A[2:], [1, 6]), (A[:1, :3], [1, 3]), (A[:, :1], [1])],
)
def test_a_line_has_the_first_and_the_last_evaluation_and_those_that_improved_some_run(
    best: Any, evaluations: list[int], drawn: list[Any]
) -> None:
    picture(PLANE, Curves("title", {"a": best}), "caption", Path("there"))
    (line,) = axes_of(drawn)[1].lines
    assert line.get_xdata().tolist() == evaluations


def test_each_method_has_a_line_and_a_band(drawn: list[Any]) -> None:
    """Medians over the runs, and from the best to the worst of them."""
    assert picture(PLANE, CURVES, "how it was made", Path("there")) == FILES
    ax = axes_of(drawn)[1]
    assert drawn[0].get_supxlabel() == "how it was made"
    for line, band, (label, best) in zip(
        ax.lines, ax.collections, CURVES.best.items(), strict=True
    ):
        assert line.get_label() == label
        assert line.get_ydata().tolist() == np.median(best, axis=0)[[0, 1, 2, 5]].tolist()
        assert line.get_drawstyle() == "steps-post"
        corners = band.get_paths()[0].vertices
        for evaluation, column in ((1, 0), (2, 1), (3, 2), (6, 5)):
            heights = corners[corners[:, 0] == evaluation][:, 1]
            assert best[:, column].min() in heights
            assert best[:, column].max() in heights
        # Steps: at the second mark the band still reaches as far as at the first.
        assert best[:, 0].max() in corners[corners[:, 0] == 2][:, 1]
        assert best[:, 1].max() not in corners[corners[:, 0] == 1][:, 1]
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylim()[0]) == ("log", "linear", 0)
    assert (ax.get_title(), ax.get_xlabel()) == ("the runs", "evaluations")
    assert ax.get_ylabel() == "best value so far"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(CURVES.best)


def test_each_leaf_has_its_cell_and_a_dot_and_the_best_one_a_greater_dot(drawn: list[Any]) -> None:
    picture(PLANE, CURVES, "caption", Path("there"))
    ax = axes_of(drawn)[0]
    leaves = [cell for cell in ROOT.below() if not cell.children]
    (cells,) = ax.collections
    boxes = [path.get_extents().extents for path in cells.get_paths()]
    corners = [[leaf.x, leaf.y, leaf.x + leaf.width, leaf.y + leaf.height] for leaf in leaves]
    np.testing.assert_allclose(boxes, corners, atol=1e-9 * R)
    dots, best = ax.lines
    middles = [(leaf.x + leaf.width / 2, leaf.y + leaf.height / 2) for leaf in leaves]
    np.testing.assert_allclose(dots.get_xydata(), middles)
    least = int(np.argmin([leaf.node.f_star for leaf in leaves]))
    assert best.get_xydata().tolist() == [list(middles[least])]
    assert ax.get_title() == "the cells"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$y_1$", "$y_2$")
    assert ax.get_xlim() == ax.get_ylim() == (-R, R)


def test_the_function_lies_under_the_cells_and_low_values_are_dark(drawn: list[Any]) -> None:
    picture(PLANE, CURVES, "caption", Path("there"))
    ax, _, bar = axes_of(drawn)
    (shown,) = ax.images
    np.testing.assert_array_equal(shown.get_array(), PLANE.values)
    assert (shown.get_extent(), shown.origin) == ([-R, R, -R, R], "lower")
    low, high = shown.to_rgba([0.0, 8.0])[:, :3].sum(axis=1)
    assert low < high
    assert bar.get_ylabel() == "value (dark: low)"


# --- style and files -----------------------------------------------------------------------------


def test_a_picture_changes_no_style_and_leaves_no_figure(drawn: list[Any]) -> None:
    before = style_now()
    picture(PLANE, CURVES, "caption", Path("there"))
    assert before != STYLE
    assert style_now() == before
    assert plt.get_fignums() == []


def test_a_picture_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = style_now()

    def failing(figure: Any, path: Path, **options: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Figure, "savefig", failing)
    with pytest.raises(OSError, match=r"^no space left$"):
        picture(PLANE, CURVES, "caption", Path("there"))
    assert style_now() == before
    assert plt.get_fignums() == []


@pytest.mark.long
def test_the_same_data_give_the_same_files_without_a_date(tmp_path: Path) -> None:
    first = picture(PLANE, CURVES, "caption", tmp_path / "picture.v1")
    assert first == [tmp_path / "picture.svg", tmp_path / "picture.png"]
    again = picture(PLANE, CURVES, "caption", tmp_path / "again")
    for one, other in zip(first, again, strict=True):
        content = one.read_bytes()
        assert content.startswith((b"<?xml", b"\x89PNG"))
        assert content == other.read_bytes()
        assert b"<dc:date>" not in content
