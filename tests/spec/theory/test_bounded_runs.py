"""Runs against their bounds (`bounded_runs`): what is compared, when, and what is reported.

Here run and bound are written by hand, so each comparison is known.
"""

import math
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.search import Forest, ForestVisit
from embedded_hunter.node import Node
from embedded_hunter.policy import AnyHunt
from spec.theory.bounded_runs import ForestTrial, OptimalNodes, Report, follow

FAR = 1e9
"""A bound that nothing exceeds."""
TINY = 4e-9
"""The rounding that is allowed: sizes are relative to 4, the greatest of 1, |f*| and L."""


class Step(NamedTuple):
    """A visit: its sweep and iteration, the leaves (h, i, value) it expands, and its values."""

    sweep: int
    t: int
    expands: list[tuple[int, int, float]]
    values: list[float]
    local: Any = None


RUN = [
    Step(0, 0, [], [6.0]),
    Step(1, 1, [(0, 0, 0.0)], [9.0, 4.0]),
    Step(1, 2, [(7, 7, 7.0)], [5.0], local=object()),
    Step(2, 3, [(1, 1, 11.0)], [3.5]),
    Step(2, 4, [], []),
    Step(3, 5, [(2, 4, 24.0)], [3.0]),
    Step(3, 6, [(1, 2, 12.0)], [8.0, 2.0]),
]
"""Best values 6 | 6, 4 | 4 | 3.5 | 3.5 | 3 | 3, 2. The generation of a local search, whose leaf is
not one of the forest, ends sweep 1. The run ends in sweep 3, which is complete unless the budget
ends it. Nine evaluations."""


class Bound(NamedTuple):
    """Bounds by hand, FAR unless given; `asked` are the arguments in their order."""

    given: dict[tuple[str, int], float]
    asked: list[tuple[str, int]]

    def at(self, what: str, k: int) -> float:
        self.asked.append((what, k))
        return self.given.get((what, k), FAR)

    def after_sweeps(self, k: int) -> float:
        return self.at("sweep", k)

    def after_iterations(self, k: int) -> float:
        return self.at("iteration", k)


class Scripted:
    """In the place of a trial: node (h, i) has the value 10 h + i; (0, 0), (1, 1), (2, 4) are
    optimal."""

    class f:
        f_star, lipschitz = 1.0, 4.0

        def __new__(cls, points: Any) -> Any:
            return points

    def __init__(
        self, script: list[Step] = RUN, v: int = 12, refine: bool = False,
        sweeps: tuple[int, ...] = (1, 2, 3), iterations: tuple[float, ...] = (1, 4, 9),
    ) -> None:  # fmt: skip
        self.script, self.settings = script, SimpleNamespace(v=v, refine=refine)
        self.limits = zip([(0, 0), (1, 1), (2, 4)], sweeps, iterations, strict=True)

    def run(self) -> AnyHunt:
        for sweep, t, expands, values, local in self.script:
            visit = ForestVisit(Forest(), sweep, t, 0, local=local)
            for h, i, value in expands:
                leaf = Node(h, i, (0,), 0)
                leaf.f_star = value
                visit.expansions.append((leaf, ()))  # type: ignore[arg-type]
            visit.evaluations.extend(values)  # type: ignore[arg-type]
            told = yield visit
            assert list(told) == values
        return 0.0

    def project(self, asked: Any) -> Any:
        return np.array(asked)

    def values_at(self, h: int) -> Any:
        return 10.0 * h + np.arange(3**h)

    def after_evaluations(self, bound: Bound, count: int) -> float:
        return bound.at("evaluation", count)

    def optimal_nodes(self, bound: Bound) -> OptimalNodes:
        yield from self.limits


def followed(trial: Scripted, given: dict[tuple[str, int], float] | None = None) -> Report:
    return follow(trial, Bound(given or {}, []))


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize("v", [12, 8])
def test_every_evaluation_iteration_and_sweep_is_compared_once(v: int, refine: bool) -> None:
    """Without refinement the iterations too, but not one that the budget ends."""
    bound = Bound({}, [])
    report = follow(Scripted(v=v, refine=refine), bound)
    assert report.violations == []
    complete = v == 12
    compared = [("evaluation", k) for k in range(1, 9)]
    compared += [("sweep", s) for s in range(1, 3 + complete)]
    compared += [("iteration", t) for t in range(6 + complete)] if not refine else []
    assert sorted(bound.asked) == sorted(compared)
    assert report.comparisons == len(compared)
    assert report.reached == 2 + complete


@pytest.mark.parametrize(
    ("what", "regrets"),
    [
        ("evaluation", [None, 5, 5, 3, 3, 2.5, 2, 2, 1]),
        ("iteration", [5, 3, 3, 2.5, 2.5, 2, 1]),
        ("sweep", [None, 3, 2.5, 1]),
    ],
)
def test_a_regret_above_its_bound_is_a_violation(what: str, regrets: list[float | None]) -> None:
    """Unless rounding can explain it."""
    for k, regret in enumerate(regrets):
        if regret is not None:
            assert followed(Scripted(), {(what, k): regret - TINY / 2}).violations == []
            limit = regret - 2 * TINY
            assert followed(Scripted(), {(what, k): limit}).violations == [
                f"{what} {k}: regret {regret:.1f} > bound {limit}"
            ]


def test_an_optimal_node_that_is_late_or_missing_is_a_violation() -> None:
    late = followed(Scripted(sweeps=(1, 1, 3)))
    assert late.violations == ["the optimal node (1, 1): (2, 3), S_h = 1"]
    late = followed(Scripted(iterations=(1, 4, 4)))
    assert late.violations == ["the optimal node (2, 4): (3, 5), S_h = 3"]
    without = [step._replace(expands=[]) if step.t == 3 else step for step in RUN]
    missing = followed(Scripted(without, sweeps=(1, 3, 3)))  # there are three complete sweeps
    assert missing.violations == ["the optimal node (1, 1) waits longer than 3 sweeps"]
    waiting = followed(Scripted(without, sweeps=(1, 4, 3)))  # it may still come
    assert (waiting.violations, waiting.reached) == ([], 2)


@pytest.mark.parametrize("wrong", [12.0 + 2 * TINY, 12.0 - 2 * TINY, math.nan])
def test_a_value_that_was_not_predicted_is_a_violation(wrong: float) -> None:
    def run(value: float) -> list[Step]:
        return [*RUN[:6], RUN[6]._replace(expands=[(1, 2, value)])]

    assert followed(Scripted(run(wrong))).violations == [f"value of (1, 2): {wrong}, not 12.0"]
    assert followed(Scripted(run(12.0 + TINY / 2))).violations == []


@pytest.mark.parametrize("refine", [False, True])
def test_the_bound_of_a_forest_counts_one_generation_of_a_local_search(refine: bool) -> None:
    def after_evaluations(count: int, local_search: int) -> tuple[int, int]:
        return count, local_search

    settings, bound = SimpleNamespace(refine=refine), SimpleNamespace()
    bound.after_evaluations = after_evaluations
    trial: Any = ForestTrial(None, [], settings, [], [], None)  # type: ignore[arg-type]
    assert trial.after_evaluations(bound, 7) == (7, CONSTANTS.generation if refine else 0)
