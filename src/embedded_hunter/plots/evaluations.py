"""`plot`: a picture of a run, or of what `influence` has found; a table of the evaluations.

Where an evaluation was made is what its policy says: in a run of the policy ``forest`` a tree, a
local search, or the evolution strategy; in a run of Algorithm 1 the depth of the node.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import real
from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.run.influence import Influence
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import Origin
from embedded_hunter.run.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = {
    "tree": "#0072b2", "local search": "#d55e00", "evolution strategy": "#cc79a7",
    "uniform points": "#e69f00",
}  # fmt: skip
"""Of the kinds of evaluations. Any further kind has the colour `OTHER`."""
OTHER = "#56b4e9"
NAMED_ROWS = 14
"""A picture names about as many rows."""
VARIABLES = 30
"""A picture has at most this many variables."""
HUGE = 1e300
"""Matplotlib cannot draw greater values: they may differ by more than a float."""
MANY = 2000
"""Dots from which an SVG has them as pixels."""


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
        lines = [f"{'':<20}{'evaluations':>12}{'best value':>14}{'improvements':>14}"]
        for name, at in groups.items():
            lines.append(
                f"{name:<20}{len(at):>12}{self.values[at].min():>14.6g}"
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


def plot(
    what: OptimizeResult | Run | Evaluations | Influence, *, optimum: float | None = None
) -> Figure:
    """Draw a run, or the variables that `influence` has found.

    Of a run: each value and the best value so far, and below them what made each evaluation: a tree
    or another search of the policy ``forest``, a depth of Algorithm 1. Of variables: their effects
    with 95 % intervals, those of the first 30.

    Parameters
    ----------
    what
        A result of `minimize` with its `run`, a `Run` with at least one value, or what
        `evaluations_of` has found in one; or the result of `influence`.
    optimum
        The least value of the objective, if it is known: the differences from it are drawn, on a
        logarithmic scale. Not with the result of `influence`.

    Returns
    -------
    matplotlib.figure.Figure
        ``plot(result).savefig("run.png")`` writes it. A notebook shows it. A program shows it in a
        window by ``pyplot.figure(plot(result))`` and ``pyplot.show()``.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    TypeError, ValueError
        If there is nothing to draw.

    Examples
    --------
    >>> from embedded_hunter import minimize, plot
    >>> result = minimize(lambda x: x[3] ** 2, [(-1, 2)] * 50, maxfun=100, rng=1)
    >>> plot(result, optimum=0).savefig("run.png")  # doctest: +SKIP
    """
    with extra("matplotlib").rc_context(STYLE):
        pyplot = extra("matplotlib.pyplot")
        figure: Figure = pyplot.figure(figsize=(7.2, 5.6))  # a notebook shows a Figure of pyplot
        pyplot.close(figure)  # once
        if isinstance(what, Influence):
            figure.set_figheight(1.4 + 0.28 * min(what.order.size, VARIABLES))
            if optimum is not None:
                raise ValueError("optimum must be None if there is no run")
            draw_effects(figure.subplots(), what)
            return figure
        if optimum is not None:
            optimum = float(real("optimum", optimum, "a finite number", math.isfinite))
        evaluations = what if isinstance(what, Evaluations) else _evaluations_in(what)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1, 1.1])
        draw_values(above, evaluations, optimum)
        draw_sources(below, evaluations)
        return figure


def _evaluations_in(what: object) -> Evaluations:
    """Return the evaluations of a run, or of a result; TypeError or ValueError if it has none."""
    run = what if isinstance(what, Run) else getattr(what, "run", None)
    if not isinstance(run, Run):
        raise TypeError(f"plot takes a result of minimize, a Run or an Influence, got {what!r:.80}")
    if not run.known.size:
        raise ValueError("the run has no value")
    return evaluations_of(run)


def draw_values(ax: Any, run: Evaluations, optimum: float | None = None) -> None:
    """Draw a dot for each value, and a line for the best value so far.

    With an optimum, the differences from it. The scale is logarithmic if all that is drawn, apart
    from zeros, is positive: then zeros are left out, as infinite and huge values are always.
    """
    at = np.arange(1, run.values.size + 1)
    with np.errstate(over="ignore"):
        drawn, best = (y - (optimum or 0.0) for y in (run.values, run.best()))
    drawn, best = (np.where(np.abs(y) < HUGE, y, np.nan) for y in (drawn, best))
    is_log = bool(np.any(drawn > 0)) and not np.any(drawn < 0)
    if is_log:
        drawn, best = (np.where(y > 0, y, np.nan) for y in (drawn, best))
    for kind, (color, mask) in run.kinds.items():
        shown = mask & ~np.isnan(drawn)
        ax.plot(
            at[shown], drawn[shown], ".", ms=2.5, color=color, rasterized=at.size > MANY,
            label=f"{kind}: {mask.sum()} evaluations",
        )  # fmt: skip
    ax.plot(at, best, color="black", lw=1, drawstyle="steps-post", label="best value so far")
    ax.set(
        yscale="log" if is_log else "linear",
        ylabel="value" if optimum is None else f"value − optimum ({optimum:.6g})",
    )
    ax.margins(x=0.01)
    ax.figure.legend(loc="outside upper center", ncols=2, markerscale=3)


def draw_effects(ax: Any, found: Influence) -> None:
    """Draw the effects of the variables with their intervals, the greatest effect on top."""
    order, effect = found.order[:VARIABLES], found.effect[:VARIABLES]
    low, high = found.interval[:VARIABLES].T
    places = np.arange(order.size)
    bars = [effect - low, high - effect]
    ax.errorbar(effect, places, xerr=bars, fmt="o", ms=4, color=COLORS["tree"], capsize=2)
    ax.set_yticks(places, [f"variable {i}" for i in order])
    ax.set_ylim(max(order.size, 1) - 0.5, -0.5)
    more = (
        "" if order.size == found.order.size else f" ({VARIABLES} of {found.order.size} variables)"
    )
    ax.set(xlim=(0, None), xlabel=f"effect, with 95 % intervals{more}")
    ax.set_title("\n".join(textwrap.wrap(found.message, 70)))


def draw_sources(ax: Any, run: Evaluations) -> None:
    """Draw what made each evaluation; black rings are those that improved the best value.

    With many rows, not every row has its name.
    """
    at = np.arange(1, run.values.size + 1)
    for color, mask in run.kinds.values():
        ax.plot(at[mask], run.rows[mask], ".", ms=2.5, color=color, rasterized=at.size > MANY)
    better = run.improving()
    ax.plot(at[better], run.rows[better], "o", ms=4.5, mfc="none", mec="black", mew=0.7)
    names = dict(sorted({origin.row: origin.label for origin in run.origins}.items()))
    named = list(names)[:: -(-len(names) // NAMED_ROWS)]
    ax.set_yticks(named, [names[row] for row in named])
    ax.invert_yaxis()
    ax.set_xlabel("evaluation (black rings: a new best value)")
