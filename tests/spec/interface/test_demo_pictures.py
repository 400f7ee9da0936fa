"""The pictures of the demo, artist by artist: data, words and looks.

How they look is a matter of taste; what is written here is what was decided, so that a change of it
is one too.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.node import Node
from embedded_hunter.plots import pictures
from embedded_hunter.plots.pictures import COLORS, STYLE, Panel, convergence, partition

pytest.importorskip("matplotlib")
from matplotlib import colors
from matplotlib import pyplot as plt

GREY = "#555555"


def style_now() -> dict[str, Any]:
    settings: Any = plt.rcParams
    return {name: settings[name] for name in STYLE}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The figures that would be saved, with the path of each and the style of that moment."""
    saved: list[Any] = []

    def save(figure: Any, path: Path) -> list[Path]:
        figure.canvas.draw()
        saved.append((figure, path, style_now()))
        return [path]

    monkeypatch.setattr(pictures, "_save", save)
    yield saved
    plt.close("all")


def hexed(color: Any) -> str:
    return str(colors.to_hex(color))


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


def test_the_marks_are_where_some_run_improved() -> None:
    assert pictures._where_it_changes(A).tolist() == [0, 1, 2, 5]
    assert pictures._where_it_changes(A[2:]).tolist() == [0, 5]
    assert pictures._where_it_changes(A[:1, :3]).tolist() == [0, 2]
    assert pictures._where_it_changes(A[:, :1]).tolist() == [0]


def test_a_panel_has_a_line_and_a_band_for_each_method(drawn: list[Any]) -> None:
    """Medians over the runs, and from the best to the worst of them."""
    assert convergence(PANELS, "how it was made", Path("there")) == [Path("there")]
    ((figure, path, _),) = drawn
    assert path == Path("there")
    assert figure.get_size_inches().tolist() == [10, 3.8]
    assert len(figure.axes) == 2
    for ax, panel in zip(figure.axes, PANELS, strict=True):
        lines = ax.lines[: len(panel.curves)]
        for line, band, (label, best), color in zip(
            lines, ax.collections, panel.curves.items(), COLORS, strict=False
        ):
            assert line.get_label() == label
            assert line.get_xdata().tolist() == [1, 2, 3, 6]
            assert line.get_ydata().tolist() == np.median(best, axis=0)[[0, 1, 2, 5]].tolist()
            assert line.get_drawstyle() == "steps-post"
            assert hexed(line.get_color()) == color
            assert hexed(band.get_facecolor()[0]) == color
            assert band.get_alpha() == 0.15
            assert band.get_linewidth().tolist() == [0]
            corners = band.get_paths()[0].vertices
            for evaluation, column in ((1, 0), (2, 1), (3, 2), (6, 5)):
                heights = corners[corners[:, 0] == evaluation][:, 1]
                assert best[:, column].min() in heights
                assert best[:, column].max() in heights
            # Steps: at the second mark the band still reaches as far as at the first.
            assert best[:, 0].max() in corners[corners[:, 0] == 2][:, 1]
            assert best[:, 1].max() not in corners[corners[:, 0] == 1][:, 1]
        assert len(ax.collections) == len(panel.curves)
        assert ax.get_xscale() == "log"
        assert ax.get_yscale() == "linear"
        assert (ax.get_title(), ax.get_ylabel()) == (panel.title, panel.ylabel)
        assert ax.get_xlabel() == "evaluations"
        assert ax.get_xlim() == pytest.approx((1, 6))
        words = [text.get_text() for text in ax.get_legend().get_texts()]
        assert words == [*panel.curves, *(["reference"] if panel.reference else [])]
    # Beside the colours, the fourth method is dashed.
    assert [line.is_dashed() for line in figure.axes[0].lines] == [False, False, False, True, True]
    offset, dashes = figure.axes[0].lines[3]._unscaled_dash_pattern
    assert (offset, list(dashes)) == (0, [4, 1.5])
    below = figure._supxlabel
    assert (below.get_text(), below.get_fontsize()) == ("how it was made", 7)
    assert hexed(below.get_color()) == GREY


def test_the_reference_is_a_dotted_line_at_its_value(drawn: list[Any]) -> None:
    convergence(PANELS, "caption", Path("there"))
    first, second = drawn[0][0].axes
    assert len(second.lines) == 1
    line = first.lines[4]
    assert line.get_label() == "reference"
    assert list(line.get_ydata()) == [0.5, 0.5]
    assert (line.get_linestyle(), line.get_linewidth()) == (":", 1)
    assert hexed(line.get_color()) == "#000000"


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


def test_each_cell_is_where_its_leaf_says_with_the_count_in_it(
    drawn: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count stands in cells that are large enough, and is smaller in smaller ones.

    Whatever map of colours matplotlib's own settings name.
    """
    monkeypatch.setitem(plt.rcParams, "image.cmap", "tab10")
    few, many = some_leaves(Settings(30, 2, 31)), some_leaves(SETTINGS)
    assert partition(
        {"few": few, "many": many}, SETTINGS, "what it is", "how it was made", Path("there")
    ) == [Path("there")]
    ((figure, path, _),) = drawn
    assert path == Path("there")
    assert figure.get_size_inches() == pytest.approx([4.6 * 2 + 0.6, 4.9])
    most = max(leaf.evaluations for leaf in few + many)
    assert most > 2
    for ax, title, shown in zip(figure.axes, ("few", "many"), (few, many), strict=False):
        assert ax.get_title() == title
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("$y_1$", "$y_2$")
        assert ax.get_xlim() == ax.get_ylim() == (-R, R)
        assert ax.get_aspect() == 1
        assert [ax.spines[side].get_visible() for side in ("left", "bottom")] == [False, False]
        (cells,) = ax.collections
        assert cells.get_array().tolist() == [leaf.evaluations for leaf in shown]
        assert cells.get_array().dtype == float
        assert hexed(cells.get_edgecolor()[0]) == "#8a8a8a"
        assert cells.get_linewidth().tolist() == [0.3]
        assert cells.get_cmap().name == "YlGnBu"
        assert cells.norm.boundaries.tolist() == [k + 0.5 for k in range(most + 1)]
        assert cells.norm.Ncmap == cells.get_cmap().N == 256
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
                assert text.get_fontsize() == pytest.approx(min(8, 60 * min(width, height) / R))
                dark = leaf.evaluations > 0.6 * most
                assert hexed(text.get_color()) == ("#ffffff" if dark else "#000000")
                assert text.get_horizontalalignment() == text.get_verticalalignment() == "center"
        assert labelled == len(texts)
        assert labelled < len(shown) or title == "few"
    assert figure._suptitle.get_text() == "what it is"
    assert figure._suptitle.get_fontsize() == 10
    below = figure._supxlabel
    assert (below.get_text(), below.get_fontsize()) == ("how it was made", 7)
    assert hexed(below.get_color()) == GREY


def counted(*counts: int) -> list[Node]:
    """The leaves of a tree whose root was expanded, with such counts."""
    leaves = some_leaves(Settings(30, 2, 3, M=0))
    assert len(leaves) == 3
    return [replace(leaf, evaluations=count) for leaf, count in zip(leaves, counts, strict=True)]


@pytest.mark.parametrize(("K", "counts"), [(27, 27), (29, 29), (31, 0), (33, 0)])
def test_a_cell_has_a_count_if_its_side_is_more_than_a_fifteenth_of_the_radius(
    K: int, counts: int, drawn: list[Any]
) -> None:
    """The sides are 2 R / K."""
    settings = Settings(30, 2, K, K=K, M=0)
    partition({"a": some_leaves(settings)}, settings, "title", "caption", Path("there"))
    ax = drawn[0][0].axes[0]
    assert len(ax.collections[0].get_paths()) == K
    assert len(ax.texts) == counts


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (1, [1]),
        (5, [1, 2, 3, 4, 5]),
        (12, list(range(1, 13))),
        (13, [1, 3, 5, 7, 9, 11, 13]),
        (24, list(range(1, 25, 2))),
        (25, list(range(1, 26, 3))),
    ],
)
def test_the_bar_has_at_most_twelve_or_thirteen_ticks(
    most: int, ticks: list[int], drawn: list[Any]
) -> None:
    partition({"a": counted(1, most, 1)}, SETTINGS, "title", "caption", Path("there"))
    figure = drawn[0][0]
    ax, bar = figure.axes
    assert figure.get_size_inches() == pytest.approx([5.2, 4.9])
    assert bar.get_ylabel() == "evaluations of the base point"
    assert bar.get_yticks().tolist() == ticks
    assert ax.collections[0].colorbar.ax is bar


def test_the_bar_stands_beside_all_panels_and_is_smaller(drawn: list[Any]) -> None:
    partition({"a": counted(1, 2, 1), "b": counted(1, 1, 3)}, SETTINGS, "t", "c", Path("there"))
    figure = drawn[0][0]
    first, second, bar = (ax.get_position() for ax in figure.axes)
    assert bar.x0 > second.x1 > first.x1
    assert 0.8 <= bar.height / second.height < 0.95
    assert first.height == pytest.approx(second.height)
    assert first.width == pytest.approx(second.width)


def test_the_colour_of_a_count_is_white_where_it_stands_on_a_dark_cell(drawn: list[Any]) -> None:
    """From six tenths of the greatest count on, exclusive."""
    partition({"a": counted(6, 10, 7)}, SETTINGS, "title", "caption", Path("there"))
    found = {text.get_text(): hexed(text.get_color()) for text in drawn[0][0].axes[0].texts}
    assert found == {"6": "#000000", "10": "#ffffff", "7": "#ffffff"}


# --- style and files -----------------------------------------------------------------------------


def test_the_style_holds_while_a_picture_is_drawn_and_no_longer(
    drawn: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No window is opened, and nothing that was drawn stays."""
    before = style_now()
    backends: list[str] = []
    monkeypatch.setattr(plt, "switch_backend", backends.append)
    kept = plt.figure()
    monkeypatch.setattr(plt, "close", lambda *given: backends.append(*given))
    convergence(PANELS, "caption", Path("there"))
    assert backends == ["Agg", "all"]
    style = drawn[0][2]
    assert style == STYLE | {"axes.titlesize": 10.0, "font.size": 9.0, "savefig.dpi": 160.0}
    assert style_now() == before
    monkeypatch.undo()
    plt.close(kept)


def test_a_picture_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = style_now()

    def failing(figure: Any, path: Path) -> list[Path]:
        raise OSError("no space left")

    monkeypatch.setattr(pictures, "_save", failing)
    with pytest.raises(OSError, match=r"^no space left$"):
        convergence(PANELS, "caption", Path("there"))
    assert style_now() == before
    assert plt.get_fignums() == []


def test_a_picture_is_written_twice_without_a_date(tmp_path: Path) -> None:
    asked: list[Any] = []

    class Figure:
        def savefig(self, path: Path, **options: Any) -> None:
            asked.append((path, options))

    files = pictures._save(Figure(), tmp_path / "picture.v1")
    assert files == [tmp_path / "picture.svg", tmp_path / "picture.png"]
    assert asked == [(files[0], {"metadata": {"Date": None}}), (files[1], {})]


def test_an_svg_has_the_ids_of_our_salt_and_no_date(tmp_path: Path) -> None:
    for path in convergence(PANELS, "caption", tmp_path / "picture"):
        content = path.read_bytes()
        assert content.startswith((b"<?xml", b"\x89PNG"))
        assert b"<dc:date>" not in content
