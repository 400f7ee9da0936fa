"""Which variables mattered: adaptive group testing at the best point, or a run's own values.

With further evaluations: at the best point x, a group of variables is changed at once. If the value
stays, none of them matters there. If it changes, the group is divided into halves, and these are
tested; the group with the greatest change is divided first. So k variables among n are found with
about 2 k log2(n / k) evaluations, where n evaluations would be needed one by one. What is left of
the budget measures the effect of each variable that was found.

What is found holds at x: a variable can matter elsewhere alone, and the changes of two variables
can cancel, with probability 0 for a smooth function, because the changes are random.

Without further evaluations `made_values` uses those of the run.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats, Seed, generator
from embedded_hunter.run.box import BoundsLike, Box, floats
from embedded_hunter.run.made_values import Correlations, Generation, generations_of
from embedded_hunter.run.outcomes import Failure, outcome_of
from embedded_hunter.run.run import Run

REPEATS = 4
"""Evaluations of x itself, which show whether the values have noise; three times as many if so."""
FALSE_ALARM = 0.05
"""Of all tests of a call, if values have Gaussian noise of one variance."""
ROUNDING = 2.0**-40
"""Part of a value up to which a difference may be rounding."""
MANY = 32
"""Groups at the first step. If more than half of them matter, the variables are not told apart."""


Group: TypeAlias = npt.NDArray[np.intp]


SHOWN = 12
"""Variables in the table of an `Influence`."""


@dataclass(frozen=True, repr=False)
class Influence:
    """The variables that were found to matter at a point, or in the samples of a run.

    Attributes
    ----------
    order : ndarray of int, shape (k,)
        The variables, numbered from 0, by effect, greatest first.
    effect : ndarray of float, shape (k,)
        The mean absolute change of the value if this variable alone is drawn uniformly from its
        bounds. Without evaluations: the part of the variance of the ranks within a generation that
        the variable and its square explain, less what chance explains.
    interval : ndarray of float, shape (k, 2)
        95 % intervals of the effects, by Student's law; nan with fewer than two draws. Without
        evaluations: by resampling of the generations.
    undecided : list of ndarray of int
        Groups that matter and were not divided any further.
    nfev : int
        Number of evaluations.
    message : str
        What can be told and what cannot.
    """

    order: Group
    effect: Floats
    interval: Floats
    undecided: list[Group]
    nfev: int
    message: str

    def __repr__(self) -> str:
        """Return the message, and a table of the first variables with their effects."""
        among, count = sum(group.size for group in self.undecided), self.order.size
        lines = [
            self.message,
            f"{self.nfev} evaluations; {count} variables found, {among} in groups not divided",
            f"{'variable':>10}  {'effect':>10}  95 % interval" if count else "no variable is named",
        ]
        for i, effect, (low, high) in zip(self.order, self.effect, self.interval, strict=True):
            lines.append(f"{i:>10}  {effect:>10.4g}  {low:.4g} to {high:.4g}")
        return "\n".join(lines[: 3 + SHOWN] + [f"and {count - SHOWN} more"] * (count > SHOWN))


def influence(
    fun: Callable[[Floats], Any],
    bounds: BoundsLike,
    result: OptimizeResult,
    maxfun: int = 200,
    rng: Seed = None,
) -> Influence:
    """Find which variables matter at the best point of a run.

    Parameters
    ----------
    fun
        The function that was minimised, of points of shape (n,).
    bounds
        Its bounds, as for `minimize`.
    result
        The result of `minimize`: its `x` is used, and with `maxfun` 0 its `run`.
    maxfun
        Greatest number of evaluations of `fun`, at least 10. With 0 the values of the run are used:
        then a variable is found if the values depend on it where the evolution strategy has drawn
        points, not only at the best point.
    rng
        Source of the random changes, as for `minimize`.

    Returns
    -------
    Influence
        With noise, a variable is named only if its change is too great for noise: with a
        probability of at least 95 % no variable is named that does not matter.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed, or if `fun` returns nan or no real number. The message names
        the argument.

    Examples
    --------
    >>> from embedded_hunter import influence, minimize
    >>> def fun(x):
    ...     return (x[3] - 0.2) ** 2 + abs(x[700] + 0.1)
    >>> bounds = [(-1, 1)] * 1000
    >>> found = influence(fun, bounds, minimize(fun, bounds, maxfun=300, rng=1), rng=1)
    >>> found.order.tolist()
    [700, 3]
    """
    if not callable(fun):
        raise TypeError(f"fun must be callable, got {fun!r}")
    box = Box(bounds)
    if isinstance(maxfun, bool) or maxfun != 0:
        maxfun = integer("maxfun (if it is not 0)", maxfun, 10)
    allowed = f"result must have x, {box.n} numbers within the bounds"
    x = floats(getattr(result, "x", None), allowed)
    if x.shape != (box.n,) or not np.all((box.low <= x) & (x <= box.high)):
        raise ValueError(f"{allowed}, got {x!r:.80}")
    if maxfun == 0:
        run = getattr(result, "run", None)
        if not isinstance(run, Run) or run.settings.n != box.n:
            raise ValueError(f"result must have the run of {box.n} variables, as of `minimize`")
        return by_generations(generations_of(run), box.n, generator(rng))
    return _Testing(fun, box, x, maxfun, generator(rng)).influence()


def by_generations(
    generations: Iterable[Generation], n: int, rng: np.random.Generator
) -> Influence:
    """Find which variables mattered, by the values of the generations of a run."""
    made = Correlations(generations, n)
    if len(made.sizes) == 0:
        message = "cannot tell: no generation of independent samples, or its values are equal"
        nothing = np.empty((0, 2))
        return Influence(np.arange(0), nothing[:, 0], nothing, [np.arange(n)], 0, message)
    order = made.named(FALSE_ALARM)
    others = np.setdiff1d(made.free, order)
    undecided = [others] if made.others_matter(order, FALSE_ALARM) else []
    message = f"{order.size} of {made.free.size} variables matter in {len(made.sizes)} generations"
    if undecided:
        more = " others" if order.size else ""
        message += f"; cannot tell which of {others.size}{more} do"
    elif order.size == 0:
        message = f"cannot tell: no variable differs from chance in {len(made.sizes)} generations"
    effect, interval = made.effects(order, rng)
    rank = np.argsort(-effect, kind="stable")
    return Influence(order[rank], effect[rank], interval[rank], undecided, 0, message)


class _Testing:
    """The evaluations of one call, and what was found."""

    def __init__(
        self,
        fun: Callable[[Floats], Any],
        box: Box,
        x: Floats,
        maxfun: int,
        rng: np.random.Generator,
    ) -> None:
        self.fun, self.box, self.x, self.rng = fun, box, x, rng
        self.maxfun = self.left = maxfun
        values = [self.value(x) for _ in range(REPEATS)]
        self.least = ROUNDING * max(map(abs, values))
        """A change of the value up to this is none."""
        if max(values) > min(values) + self.least:
            values += [self.value(x) for _ in range(min(2 * REPEATS, maxfun // 4))]
            quantile = scipy.stats.t.isf(FALSE_ALARM / (2 * maxfun), len(values) - 1)
            self.least = quantile * np.std(values, ddof=1) * math.sqrt(1 + 1 / len(values))
        self.f = float(np.mean(values))
        self.free = np.flatnonzero(box.low < box.high)
        half = rng.uniform(0.1, 0.5, box.n) * (box.high / 2 - box.low / 2)  # of a step
        has_room = x / 2 + half <= box.high / 2  # there is room on one side at least
        self.other = x + 2 * np.where(has_room, half, -half)
        self.found: list[int] = []
        self.undecided: list[Group] = []
        self.waiting: list[tuple[float, int, Group]] = []  # a heap, the greatest change first

    def value(self, x: Floats) -> float:
        """Evaluate a copy of a point."""
        self.left -= 1
        value = outcome_of(self.fun(x.copy()))
        if isinstance(value, Failure):
            kind = ValueError if value.at_point else TypeError
            raise kind(f"fun: {value.why}")
        return value

    def test(self, group: Group) -> bool:
        """Change a group of variables; tell whether the value changes, and keep the group then."""
        y = self.x.copy()
        y[group] = self.other[group]
        change = abs(self.value(y) - self.f)
        if change <= self.least or math.isnan(change):
            return False
        if group.size == 1:
            self.found.append(int(group[0]))
        else:
            heapq.heappush(self.waiting, (-change, int(group[0]), group))
        return True

    def influence(self) -> Influence:
        """Test groups, divide those that matter, and measure the variables that were found."""
        split = np.array_split(self.rng.permutation(self.free), MANY)
        groups = [group for group in split if group.size][: self.left]
        untested = self.free.size - sum(group.size for group in groups)
        matter = sum([self.test(group) for group in groups])
        dense = matter > MANY / 2 and self.free.size >= 2 * MANY
        while self.waiting and not dense and self.left >= 2 + 2 * len(self.found):
            _, _, group = heapq.heappop(self.waiting)
            matter_alone = [self.test(half) for half in np.array_split(group, 2)]
            if not any(matter_alone):
                self.undecided.append(group)  # it matters as a whole alone, or it was noise
        self.undecided += [group for _, _, group in self.waiting]
        if dense:
            message = (
                f"cannot tell: {matter} of {MANY} groups of variables matter at this point. Many "
                "variables matter, or directions that are not along the axes"
            )
        else:
            message = f"{len(self.found)} of {self.free.size} variables matter at this point"
            if among := sum(group.size for group in self.undecided):
                message += f"; cannot tell which of {among} others do: give more evaluations"
        if untested:
            message += f"; {untested} variables were not tested"
        if math.isinf(self.f):
            message = "cannot tell: the value at this point is not finite"
        return self.measured(message)

    def measured(self, message: str) -> Influence:
        """Measure the effect of each variable with what is left of the budget."""
        count = len(self.found)
        draws = min(20, self.left // count) if count else 0
        changes = np.full((count, draws), math.nan)
        for row, i in zip(changes, self.found, strict=True):
            for k in range(draws):
                y = self.x.copy()
                y[i] = 2 * self.rng.uniform(self.box.low[i] / 2, self.box.high[i] / 2)
                row[k] = abs(self.value(y) - self.f)
        effect, half = np.full((2, count), math.nan)
        if draws > 1:
            effect = changes.mean(axis=1)
            with np.errstate(invalid="ignore"):  # an infinite change has no interval
                error = changes.std(axis=1, ddof=1) / math.sqrt(draws)
            half = scipy.stats.t.isf(0.025, draws - 1) * error
        interval = np.column_stack([np.maximum(0, effect - half), effect + half])
        rank = np.argsort(-effect, kind="stable")
        order, nfev = np.array(self.found, dtype=np.intp)[rank], self.maxfun - self.left
        return Influence(order, effect[rank], interval[rank], self.undecided, nfev, message)
