"""The pictures of the demo: what they show, read from matplotlib's objects, and the files."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.node import Node
from embedded_hunter.plots.pictures import STYLE, Panel, convergence, partition

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

# --- convergence ---------------------------------------------------------------------------------

A = np.array([[8.0, 8, 5, 5, 5, 1], [9, 6, 6, 6, 6, 6], [7, 7, 7, 7, 7, 7]])
PANELS = [
    Panel(
        "the first",
        "its values",
        {"a": A, "b": A / 2, "c": A / 4, "e": A / 8},
        ("reference", 0.5),
    ),
    Panel("the second", "other values", {"d": A + 1}),
]


@pytest.mark.parametrize(
    ("best", "evaluations"),
    [(A, [1, 2, 3, 6]), (A[2:], [1, 6]), (A[:1, :3], [1, 3]), (A[:, :1], [1])],
)
def test_a_line_has_the_first_and_the_last_evaluation_and_those_that_improved_some_run(
    best: Any, evaluations: list[int], drawn: list[Any]
) -> None:
    convergence([Panel("title", "label", {"a": best})], "caption", Path("there"))
    (line,) = drawn[0].axes[0].lines
    assert line.get_xdata().tolist() == evaluations


def test_a_panel_has_a_line_and_a_band_for_each_method(drawn: list[Any]) -> None:
    """Medians over the runs, and from the best to the worst of them."""
    assert convergence(PANELS, "how it was made", Path("there")) == FILES
    (figure,) = drawn
    assert figure.get_supxlabel() == "how it was made"
    assert len(figure.axes) == 2
    for ax, panel in zip(figure.axes, PANELS, strict=True):
        lines = ax.lines[: len(panel.curves)]
        for line, band, (label, best) in zip(
            lines, ax.collections, panel.curves.items(), strict=True
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
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")
        assert (ax.get_title(), ax.get_ylabel()) == (panel.title, panel.ylabel)
        assert ax.get_xlabel() == "evaluations"
        words = [text.get_text() for text in ax.get_legend().get_texts()]
        assert words == [*panel.curves, *(["reference"] if panel.reference else [])]


def test_the_reference_is_a_line_at_its_value(drawn: list[Any]) -> None:
    convergence(PANELS, "caption", Path("there"))
    first, second = drawn[0].axes
    assert len(second.lines) == 1
    assert first.lines[4].get_label() == "reference"
    assert list(first.lines[4].get_ydata()) == [0.5, 0.5]


# --- partition -----------------------------------------------------------------------------------


def some_leaves(settings: Settings) -> list[Node]:
    hunter = EmbeddedHunter(settings, 4, rows=2)
    while queries := hunter.ask():
        hunter.tell(queries, [float(np.sum((query.x - 0.4) ** 2)) for query in queries])
    return list(hunter.visit.tree.leaves())


def by_hand(leaf: Node, settings: Settings) -> tuple[float, float, float, float]:
    """Return the middle and the sides of a leaf's cell: the digits of i say where it lies."""
    place, side = [0.0, 0.0], [2 * float(settings.radius)] * 2
    digits = []
    i = leaf.i
    for _ in range(leaf.h):
        i, c = divmod(i, settings.K)
        digits.append(c)
    for h, c in enumerate(reversed(digits)):
        side[h % 2] /= settings.K
        place[h % 2] += (c - (settings.K - 1) // 2) * side[h % 2]
    return place[0], place[1], side[0], side[1]


SETTINGS = Settings(30, 2, 300, K=3)
R = float(SETTINGS.radius)


def test_each_cell_is_where_its_leaf_says_with_the_count_in_it(drawn: list[Any]) -> None:
    """The count stands in cells that are large enough."""
    few, many = some_leaves(Settings(30, 2, 31)), some_leaves(SETTINGS)
    trees = {"few": few, "many": many}
    assert partition(trees, SETTINGS, "what it is", "how it was made", Path("there")) == FILES
    (figure,) = drawn
    assert (figure.get_suptitle(), figure.get_supxlabel()) == ("what it is", "how it was made")
    for ax, (title, shown) in zip(figure.axes, trees.items(), strict=False):
        assert ax.get_title() == title
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("$y_1$", "$y_2$")
        assert ax.get_xlim() == ax.get_ylim() == (-R, R)
        (cells,) = ax.collections
        assert cells.get_array().tolist() == [leaf.evaluations for leaf in shown]
        texts = {text.get_position(): text for text in ax.texts}
        labelled = 0
        for leaf, outline in zip(shown, cells.get_paths(), strict=True):
            x, y, width, height = by_hand(leaf, SETTINGS)
            box = outline.get_extents()
            corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
            assert [box.x0, box.y0, box.x1, box.y1] == pytest.approx(corners, abs=1e-9 * R)
            if min(width, height) > R / 15:
                (text,) = [
                    text for at, text in texts.items() if at == pytest.approx((x, y), abs=1e-9 * R)
                ]
                labelled += 1
                assert text.get_text() == str(leaf.evaluations)
        assert labelled == len(texts)
        assert labelled < len(shown) or title == "few"


def counted(*counts: int) -> list[Node]:
    """The leaves of a tree whose root was expanded, with such counts."""
    leaves = some_leaves(Settings(30, 2, 3, M=0))
    assert len(leaves) == 3
    return [replace(leaf, evaluations=count) for leaf, count in zip(leaves, counts, strict=True)]


@pytest.mark.parametrize(("K", "counts"), [(29, 29), (31, 0)])
def test_a_cell_has_a_count_if_its_side_is_more_than_a_fifteenth_of_the_radius(
    K: int, counts: int, drawn: list[Any]
) -> None:
    """The sides are 2 R / K."""
    settings = Settings(30, 2, K, K=K, M=0)
    partition({"a": some_leaves(settings)}, settings, "title", "caption", Path("there"))
    ax = drawn[0].axes[0]
    assert len(ax.collections[0].get_paths()) == K
    assert len(ax.texts) == counts


@pytest.mark.parametrize(
    ("most", "ticks"),
    [(1, [1]), (12, list(range(1, 13))), (13, list(range(1, 14, 2))), (25, list(range(1, 26, 3)))],
)
def test_the_bar_tells_counts_apart_and_names_at_most_twelve_or_thirteen(
    most: int, ticks: list[int], drawn: list[Any]
) -> None:
    partition({"a": counted(1, most, 1)}, SETTINGS, "title", "caption", Path("there"))
    ax, bar = drawn[0].axes
    assert bar.get_ylabel() == "evaluations of the base point"
    assert bar.get_yticks().tolist() == ticks
    assert ax.collections[0].norm.boundaries.tolist() == [k + 0.5 for k in range(most + 1)]
    assert ax.collections[0].colorbar.ax is bar


# --- style and files -----------------------------------------------------------------------------


def test_a_picture_changes_no_style_and_leaves_no_figure(drawn: list[Any]) -> None:
    before = style_now()
    convergence(PANELS, "caption", Path("there"))
    assert before != STYLE
    assert style_now() == before
    assert plt.get_fignums() == []


def test_a_picture_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = style_now()

    def failing(figure: Any, path: Path, **options: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Figure, "savefig", failing)
    with pytest.raises(OSError, match=r"^no space left$"):
        convergence(PANELS, "caption", Path("there"))
    assert style_now() == before
    assert plt.get_fignums() == []


@pytest.mark.long
def test_the_same_data_give_the_same_files_without_a_date(tmp_path: Path) -> None:
    first = convergence(PANELS[1:], "caption", tmp_path / "picture.v1")
    assert first == [tmp_path / "picture.svg", tmp_path / "picture.png"]
    again = convergence(PANELS[1:], "caption", tmp_path / "again")
    for one, other in zip(first, again, strict=True):
        content = one.read_bytes()
        assert content.startswith((b"<?xml", b"\x89PNG"))
        assert content == other.read_bytes()
        assert b"<dc:date>" not in content
