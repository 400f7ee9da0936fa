"""Where the evaluations of a run went, as a table and as a picture.

Where an evaluation was made is what its policy says: in a run of the policy ``forest`` a tree, a
local search, or the evolution strategy; in a run of Algorithm 1 the depth of the node.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from embedded_hunter.plots.pictures import saved, style
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import Origin
from embedded_hunter.run.run import Run

COLORS = {"tree": "#0072b2", "intensify": "#d55e00", "diversify": "#009e73", "evolve": "#cc79a7"}
"""Of the kinds of evaluations. Any further kind has the colour `OTHER`."""
OTHER = "#56b4e9"
NAMED_ROWS = 14
"""A picture names about as many rows."""


@dataclass
class Evaluations:
    """The evaluations of a run, in their order: their values, and where they were made."""

    values: Floats
    origins: list[Origin]

    @cached_property
    def kinds(self) -> dict[str, tuple[str, npt.NDArray[np.bool_]]]:
        """The kinds that occur, each with its colour and the evaluations that are of it."""
        kinds = np.array([origin.kind for origin in self.origins])
        names = sorted(set(kinds.tolist()), key=[*COLORS, *kinds].index)
        return {kind: (COLORS.get(kind, OTHER), kinds == kind) for kind in names}

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """The row of each evaluation in a picture."""
        return np.array([origin.row for origin in self.origins])

    def best(self) -> Floats:
        """Return the least value so far after each evaluation."""
        return np.minimum.accumulate(self.values)

    def improving(self) -> npt.NDArray[np.intp]:
        """Return the evaluations, counted from 0, whose value is below all before them."""
        best = self.best()
        return np.flatnonzero(np.concatenate(([True], best[1:] < best[:-1])))

    def table(self) -> str:
        """Return one line for each kind, and one for the best value.

        If all are of one kind, there is one line for each row of the picture. The columns are the
        number of the evaluations, their least value, and how many of them were below all values
        before them.
        """
        groups: dict[str, list[int]] = {}
        for k, origin in enumerate(self.origins):
            groups.setdefault(origin.kind if len(self.kinds) > 1 else origin.label, []).append(k)
        improving = set(self.improving().tolist())
        lines = [f"{'':<14}{'evaluations':>12}{'best value':>14}{'improvements':>14}"]
        for name, at in groups.items():
            lines.append(
                f"{name:<14}{len(at):>12}{self.values[at].min():>14.6g}"
                f"{len(improving.intersection(at)):>14}"
            )
        last = int(self.improving()[-1])
        lines.append(
            f"The best value is {self.values[last]:.6g}, at evaluation {last + 1} of "
            f"{self.values.size}, by {self.origins[last].phrase}."
        )
        return "\n".join(lines)


def evaluations_of(run: Run) -> Evaluations:
    """Return the evaluations of a run that has one at least."""
    origin = policy_of(run.settings).origin
    origins = [
        origin(run.settings, request)
        for visit, told in run.visits()
        for request in visit.evaluations[: len(told)]
    ]
    return Evaluations(run.known, origins)


def picture(run: Evaluations, caption: str, path: Path) -> list[Path]:
    """Draw the values, and below them where each evaluation was made.

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
    for kind, (color, mask) in run.kinds.items():
        shown = mask & finite & (run.values > zero)
        ax.plot(
            at[shown], run.values[shown] - zero, ".", ms=2.5, color=color,
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

    With many rows, not every row has its name.
    """
    at = np.arange(1, run.values.size + 1)
    for color, mask in run.kinds.values():
        ax.plot(at[mask], run.rows[mask], ".", ms=2.5, color=color)
    better = run.improving()
    ax.plot(at[better], run.rows[better], "o", ms=4.5, mfc="none", mec="black", mew=0.7)
    names = dict(sorted({origin.row: origin.label for origin in run.origins}.items()))
    named = list(names)[:: -(-len(names) // NAMED_ROWS)]
    ax.set_yticks(named, [names[row] for row in named])
    ax.invert_yaxis()
    ax.set_xlabel("evaluation (black rings: a new best value)")
