"""The best rule with fresh matrices (`dynamic_programme.py`)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.dynamic_programme import OptimalRule, fixed_law_means, optimal_rule

Law = dict[int, Fraction]
"""A finite law: the number of each level with its probability."""


@st.composite
def finite_laws(draw: st.DrawFn, most: int = 2) -> tuple[list[Fraction], list[Law]]:
    """Draw two or three increasing levels, and laws on them."""
    size = draw(st.integers(2, 3))
    steps = draw(st.lists(st.integers(1, 5), min_size=size, max_size=size))
    levels = [Fraction(sum(steps[: i + 1])) for i in range(size)]
    laws: list[Law] = []
    for _ in range(draw(st.integers(1, most))):
        weights = draw(
            st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(lambda w: sum(w) > 0)
        )
        laws.append({i: Fraction(w, sum(weights)) for i, w in enumerate(weights) if w})
    return levels, laws


def distribution(laws: list[Law], size: int) -> np.ndarray:
    return np.array([[float(sum(p for i, p in law.items() if i <= j)) for j in range(size)]
                     for law in laws])  # fmt: skip


def mean_of(choose: Callable[[tuple[int, ...]], int], laws: list[Law], levels: list[Fraction],
            v: int) -> Fraction:  # fmt: skip
    """Mean of the best of v values of a rule: the exact sum over all its histories."""
    total = Fraction(0)
    for history in product(range(len(levels)), repeat=v):
        p = Fraction(1)
        for k in range(v):
            p *= laws[choose(history[:k])].get(history[k], Fraction(0))
        total += p * levels[min(history)]
    return total


def mean_when_followed(
    found: OptimalRule, laws: list[Law], levels: list[Fraction], v: int
) -> Fraction:
    """Mean of the best of v values if each law is the one that the rule names."""

    def follow(past: tuple[int, ...]) -> int:
        return found.law(v - len(past), float(levels[min(past, default=len(levels) - 1)]))

    return mean_of(follow, laws, levels, v)


@pytest.mark.claim("optimal-rule")
@given(finite_laws(), st.integers(1, 2))
def test_no_rule_has_a_smaller_mean_and_the_rule_found_attains_it(
    drawn: tuple[list[Fraction], list[Law]], v: int
) -> None:
    """Every rule that maps the values seen so far to a law is tried, in exact arithmetic."""
    levels, laws = drawn
    size = len(levels)
    pasts = [past for k in range(v) for past in product(range(size), repeat=k)]
    means = []
    for numbers in product(range(len(laws)), repeat=len(pasts)):
        rule = dict(zip(pasts, numbers, strict=True))
        means.append(mean_of(rule.__getitem__, laws, levels, v))
    at = np.array(levels, dtype=float)
    cdf = distribution(laws, size)
    found = optimal_rule(at, cdf, v)
    assert found.means[-1] == pytest.approx(float(min(means)), rel=1e-12)
    assert mean_when_followed(found, laws, levels, v) == pytest.approx(min(means), rel=1e-12)


@pytest.mark.claim("optimal-rule")
@given(finite_laws(most=3), st.integers(1, 4))
def test_the_best_rule_lies_between_the_ceiling_and_the_best_constant_rule(
    drawn: tuple[list[Fraction], list[Law]], v: int
) -> None:
    levels, laws = drawn
    at, cdf = np.array(levels, dtype=float), distribution(laws, len(levels))
    constant = fixed_law_means(at, cdf, v)
    exact = [float(mean_of(lambda past, k=k: k, laws, levels, v)) for k in range(len(laws))]  # type: ignore[misc]
    assert constant == pytest.approx(exact, rel=1e-12)
    pbar = cdf.max(axis=0)
    bound = at[0] + (1 - pbar[:-1]) ** v @ np.diff(at)
    best = optimal_rule(at, cdf, v).means[-1]
    assert bound - 1e-12 <= best <= constant.min() + 1e-12


@pytest.mark.claim("optimal-rule")
def test_the_law_that_a_rule_names_depends_on_the_evaluations_that_are_left() -> None:
    """A sure 2 is best with one evaluation left, and a law that may give 0 or 4 before."""
    levels = [Fraction(x) for x in (0, 1, 2, 4)]
    laws = [{2: Fraction(1)}, {0: Fraction(3, 10), 2: Fraction(2, 5), 3: Fraction(3, 10)}]
    laws.append({1: Fraction(2, 5), 2: Fraction(2, 5), 3: Fraction(1, 5)})
    found = optimal_rule(np.array(levels, dtype=float), distribution(laws, 4), 3)
    assert [found.law(left, 4.0) for left in (1, 2, 3)] == [0, 1, 1]
    assert found.means == pytest.approx([2, 1.16, 0.74], rel=1e-12)
    assert mean_when_followed(found, laws, levels, 3) == pytest.approx(0.74, rel=1e-12)


@pytest.mark.claim("optimal-rule")
def test_a_rule_that_looks_at_its_best_value_can_beat_all_constant_rules() -> None:
    """The example of the errata: a sure 1, or 0 and 10 with equal chances, three times.

    The best rule takes the sure 1 once and gambles twice: 1/4. A constant rule has 1 or 10/8, and
    the bound from the ceiling is 1/8.
    """
    levels, cdf = [0.0, 1.0, 10.0], [[0.0, 1.0, 1.0], [0.5, 0.5, 1.0]]
    found = optimal_rule(levels, cdf, 3)
    assert found.means.tolist() == [1.0, 0.5, 0.25]
    assert fixed_law_means(levels, cdf, 3).tolist() == [1.0, 1.25]
    assert (found.law(1, 10.0), found.law(1, 1.0)) == (0, 1)
    assert found.law(1, 0.5) == found.law(1, 1.0)  # a value between two levels is rounded up


@pytest.mark.claim("optimal-rule")
def test_values_between_the_levels_are_bracketed() -> None:
    """Laws on 64 levels, of which eight are kept: the optimum lies between least and mean."""
    rng = np.random.default_rng(8)
    fine = np.linspace(0, 1, 64)
    laws = np.sort(rng.uniform(size=(3, 64)), axis=1)
    laws[:, -1] = 1
    true = optimal_rule(fine, laws, 6).means
    coarse = np.r_[0:63:8, 63]
    found = optimal_rule(fine[coarse], laws[:, coarse], 6)
    assert np.all(found.least <= true)
    assert np.all(true <= found.means)
    assert np.all(found.means - found.least < 0.2)
    # The rule found is used with the true values: its mean is between the optimum and its own.
    values = fine.copy()
    masses = np.diff(laws, axis=1, prepend=0)
    for left in range(1, 7):
        used = np.array([found.law(left, b) for b in fine])
        values = np.array(
            [masses[s] @ values[np.minimum(np.arange(64), j)] for j, s in enumerate(used)]
        )
    assert true[-1] <= values[-1] <= found.means[-1]
