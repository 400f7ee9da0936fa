"""The guarantees, on synthetic Lipschitz functions: Lemma 1, Theorem 2, and a bound as a number.

The functions of the first two are distances on Y, exact and without a projection. Where x is made
by kept matrices (policy `indexed`), `theory.bounded_runs` draws functions, matrices and settings.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paper.definitions import Node, Point, Run, cell, center
from paper.instances import Instance, package_run
from theory.bounded_runs import Trial, follow, random_trial, steps


@dataclass(frozen=True)
class Distance:
    """g(y) = slope (|y_1 - a_1| + ... + |y_d - a_d|), whose least value over Y is 0, at a."""

    a: Point
    slope: int

    def __call__(self, k: int, y: Point, p: int) -> float:
        value = self.slope * sum(abs(one - other) for one, other in zip(y, self.a, strict=True))
        return value  # type: ignore[return-value]  # exact; the search only compares values


@st.composite
def distances(draw: st.DrawFn) -> tuple[Instance, Distance]:
    """Return a run that fills its tree, and a distance to a point of Y = [-R, R]^d."""
    d, h_max = draw(st.integers(1, 2)), draw(st.integers(0, 3))
    instance = Instance(d, 3, Fraction(1, 2), 0, h_max, 3 ** (h_max + 1))
    a = draw(st.lists(st.fractions(-1, 1, max_denominator=99), min_size=d, max_size=d))
    return instance, Distance(tuple(x * instance.R for x in a), draw(st.integers(1, 3)))


def optimal(instance: Instance, g: Distance, h: int) -> Node:
    """Return the node of depth h whose cell holds the optimum."""
    boxes = {(h, i): cell((h, i), instance.d, instance.K, instance.R) for i in range(3**h)}
    return next(
        node
        for node, box in boxes.items()
        if all(low <= x <= high for (low, high), x in zip(box, g.a, strict=True))
    )


def delta(instance: Instance, g: Distance, h: int) -> Fraction:
    """Return the greatest distance of g at a base point of depth h from g in its cell."""
    box = cell((h, 0), instance.d, instance.K, instance.R)
    return g.slope * sum(((high - low) / 2 for low, high in box), Fraction(0))


def sweeps_until(instance: Instance, g: Distance, h: int) -> int:
    """Return S_h: the nodes down to depth h that are as good as delta allows the optimal one."""

    def value(node: Node) -> float:
        return g(0, center(cell(node, instance.d, instance.K, instance.R)), 1)

    near = (value((k, i)) <= delta(instance, g, k) for k in range(h + 1) for i in range(3**k))
    return sum(near)


def best_after(run: Run, sweep: int) -> float:
    """Return the least value that the first sweeps have evaluated."""
    return min(e.value for visit in run.visits if visit.sweep <= sweep for e in visit.evaluations)


@pytest.mark.claim("lemma-1", "eq-7")
@given(distances())
def test_the_optimal_node_of_depth_h_is_expanded_within_S_h_sweeps(
    drawn: tuple[Instance, Distance],
) -> None:
    """And within (h_max + 1) S_h iterations, as the corrected Lemma 1 says."""
    instance, g = drawn
    run = package_run(instance, g)
    for h in range(instance.h_max + 1):
        o, S = optimal(instance, g, h), sweeps_until(instance, g, h)
        visit = next(visit for visit in run.visits if o in dict(visit.expansions))
        assert visit.sweep <= S
        assert visit.t <= (instance.h_max + 1) * S


@pytest.mark.claim("theorem-2", "lemma-1")
@given(distances())
def test_after_S_h_sweeps_the_regret_is_at_most_the_variation_in_a_cell_of_the_next_depth(
    drawn: tuple[Instance, Distance],
) -> None:
    instance, g = drawn
    run = package_run(instance, g)
    for h in range(instance.h_max + 1):
        assert best_after(run, sweeps_until(instance, g, h)) <= delta(instance, g, h + 1)


TRIALS = st.integers(0, 2**32 - 1).map(
    lambda seed: random_trial(np.random.default_rng(seed), range(1, 250))
)
"""Trials of small budgets, which are anywhere in a sweep when they end."""


@pytest.mark.claim(
    "indexed-regret-bound", "regret-without-probability", "theorem-2", "lemma-1", "evaluation-cap"
)
@given(TRIALS)
def test_no_run_with_kept_matrices_exceeds_its_regret_bound(trial: Trial) -> None:
    """Regret after each evaluation, iteration, sweep; sweeps of the optimal branch; values."""
    report, seen = follow(trial), list(steps(trial))
    assert not report.violations
    made = sum(len(values) for _, values, _ in seen)
    complete = len(seen) - (made == trial.settings.v)  # not the iteration that the budget ends
    sweeps = seen[-1][0].sweep - (made == trial.settings.v)
    assert report.comparisons == made + complete + max(0, sweeps)
