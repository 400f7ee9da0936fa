"""Where the evaluations of a run went, from its trace: as a table and as a picture.

In a run of the policy ``forest`` each evaluation belongs to a tree, to a local search, or to the
evolution strategy. In a run of Algorithm 1 there is one tree, and evaluations are told apart by the
depth of their node.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from embedded_hunter.plots.pictures import saved, style
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.policies import Parameters, is_forest, trees_of
from embedded_hunter.traces.events import open_trace

COLORS = {
    "tree": "#0072b2", "local search": "#d55e00", "intensify": "#d55e00", "diversify": "#009e73",
    "evolve": "#cc79a7",
}  # fmt: skip
"""The kinds of evaluations: those of trees and of local searches, these by their mode if it is
known."""
NAMED_ROWS = 14
"""A picture names about as many rows of trees and local searches."""


class Center(NamedTuple):
    """The node at which a local search began, and the number of its tree, from 1."""

    h: int
    i: int
    tree: int


@dataclass
class Evaluations:
    """The evaluations of a run, in their order, and the local searches that made some of them."""

    settings: Parameters
    values: Floats
    kinds: list[str]
    """A key of `COLORS` for each evaluation."""
    sources: npt.NDArray[np.intp]
    """Of a forest: p, the number of the tree, P + k for the k-th local search, 0 for the evolution
    strategy. Else the depth."""
    centers: dict[int, Center]
    """Of the local searches, by their numbers p."""

    @property
    def of_a_forest(self) -> bool:
        """Return whether this is a run of the policy ``forest``."""
        return is_forest(self.settings)

    @property
    def trees(self) -> int:
        """Return P, the number of trees; 1 for Algorithm 1."""
        return trees_of(self.settings)

    def best(self) -> Floats:
        """Return the least value so far after each evaluation."""
        return np.minimum.accumulate(self.values)

    def improving(self) -> npt.NDArray[np.intp]:
        """Return the evaluations, counted from 0, whose value is below all before them."""
        best = self.best()
        return np.flatnonzero(np.concatenate(([True], best[1:] < best[:-1])))

    def name(self, k: int) -> str:
        """Return what made evaluation k."""
        source = int(self.sources[k])
        if not self.of_a_forest:
            return f"depth {source}"
        if source == 0:
            return "the evolution strategy"
        if source <= self.trees:
            return f"tree {source}"
        name = f"local search {source - self.trees}"
        center = self.centers.get(source)
        if center is None:
            return name
        if center.h == 0:
            return f"{name}, begun at the zero vector"
        tree = f" of tree {center.tree}" if center.tree <= self.trees else ""
        return f"{name}, begun at node ({center.h}, {center.i}){tree}"

    def table(self) -> str:
        """Return one line for each kind, or for each depth, and one for the best value.

        The columns are the number of the evaluations, their least value, and how many of them
        were below all values before them.
        """
        groups: dict[str, list[int]] = {}
        for k, kind in enumerate(self.kinds):
            groups.setdefault(kind if self.of_a_forest else self.name(k), []).append(k)
        improving = set(self.improving().tolist())
        lines = [f"{'':<14}{'evaluations':>12}{'best value':>14}{'improvements':>14}"]
        for name in sorted(groups, key=lambda name: groups[name][0]):
            at = groups[name]
            lines.append(
                f"{name:<14}{len(at):>12}{self.values[at].min():>14.6g}"
                f"{len(improving.intersection(at)):>14}"
            )
        last = int(self.improving()[-1])
        lines.append(
            f"The best value is {self.values[last]:.6g}, at evaluation {last + 1} of "
            f"{self.values.size}, by {self.name(last)}."
        )
        return "\n".join(lines)


def evaluations_of(lines: Iterable[str | bytes]) -> Evaluations:
    """Return the evaluations that a trace records; whether it conforms is not looked at.

    Raises
    ------
    FormatError
        If the lines are not a trace, or have no evaluation.
    """
    settings, events = open_trace(lines)
    forest, trees = is_forest(settings), trees_of(settings)
    values, kinds, sources = [], [], []
    centers: dict[int, Center] = {}
    mode = "local search"
    for at, event in events:
        if event["event"] == "refine":
            mode, q, (h, i) = event["mode"], event["q"], event["center"]
            if mode not in COLORS:
                raise FormatError(f"line {at}: mode must be intensify, diversify or evolve")
            if min(q, h, i) < 0:
                raise FormatError(f"line {at}: q and center must not be negative")
            if mode != "evolve":
                tree = 1 if h > i.bit_length() else i // settings.K**h + 1
                centers.setdefault(q + 1, Center(h, i, tree))
        elif event["event"] == "evaluate":
            values.append(float(event["value"]))
            source = event["p" if forest else "h"]
            if source < 0:
                raise FormatError(f"line {at}: p and h must not be negative, got {source}")
            evolves = forest and mode == "evolve" and event["c"] == []
            sources.append(0 if evolves else source)
            kinds.append(mode if evolves or (forest and source > trees) else "tree")
    if not values:
        raise FormatError("the trace has no evaluation")
    return Evaluations(settings, np.array(values), kinds, np.array(sources), centers)


def picture(run: Evaluations, caption: str, path: Path) -> list[Path]:
    """Draw the values, and below them the tree, the local search or the depth of each evaluation.

    `path`, `caption` and what is returned are as for `pictures.picture`.
    """
    with style() as plt:
        figure, (above, below) = plt.subplots(
            2, 1, figsize=(7.2, 5.6), sharex=True, height_ratios=[1, 1.1]
        )
        draw_values(above, run)
        draw_sources(below, run)
        return saved(figure, caption, path)


def draw_values(ax: Any, run: Evaluations) -> None:
    """Draw a dot for each value, and a line for the best value so far, on a logarithmic scale.

    If a value is negative, the differences from the least finite value are drawn. What is 0 or
    infinite is left out.
    """
    at, finite = np.arange(1, run.values.size + 1), np.isfinite(run.values)
    least = run.values[finite].min() if finite.any() else 1.0
    zero, label = (0.0, "value") if least >= 0 else (least, f"value − ({least:.6g})")
    for kind, mask in _kinds(run):
        shown = mask & finite & (run.values > zero)
        ax.plot(
            at[shown], run.values[shown] - zero, ".", ms=2.5, color=COLORS[kind],
            label=f"{kind}: {mask.sum()} evaluations",
        )  # fmt: skip
    best = run.best()
    best = np.where(np.isfinite(best) & (best > zero), best - zero, np.nan)
    ax.plot(at, best, color="black", lw=1, drawstyle="steps-post", label="best value so far")
    ax.set(yscale="log", ylabel=label)
    ax.margins(x=0.01)
    ax.figure.legend(loc="outside upper center", ncols=2, markerscale=3)


def draw_sources(ax: Any, run: Evaluations) -> None:
    """Draw what made each evaluation; black rings are those that improved the best value.

    Trees and local searches are counted apart, each from 1; with many, not every row has its name.
    """
    at = np.arange(1, run.values.size + 1)
    for kind, mask in _kinds(run):
        ax.plot(at[mask], run.sources[mask], ".", ms=2.5, color=COLORS[kind])
    better = run.improving()
    ax.plot(at[better], run.sources[better], "o", ms=4.5, mfc="none", mec="black", mew=0.7)
    if run.of_a_forest:
        ax.axhline(run.trees + 0.5, color="#999999", lw=0.7)
        rows = max(run.trees, int(run.sources.max()))
        step = -(-rows // NAMED_ROWS)
        trees = {p: f"tree {p}" for p in range(1, run.trees + 1, step)}
        local = {p: f"local {p - run.trees}" for p in range(run.trees + 1, rows + 1, step)}
        whole = {0: "evolution"} if (run.sources == 0).any() else {}
        names = whole | trees | local
        ax.set_yticks(list(names), list(names.values()))
    else:
        ax.set_ylabel("depth of the node")
        ax.yaxis.get_major_locator().set_params(integer=True)
        ax.invert_yaxis()
    ax.set_xlabel("evaluation (black rings: a new best value)")


def _kinds(run: Evaluations) -> list[tuple[str, npt.NDArray[np.bool_]]]:
    """Return the kinds that occur, each with the evaluations that are of it."""
    kinds = np.array(run.kinds)
    return [(kind, kinds == kind) for kind in COLORS if kind in run.kinds]
