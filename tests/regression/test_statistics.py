"""The tests behind all verdicts: exact on small samples, error rates by simulation, edge cases."""

import itertools

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.matrices import Floats
from reproduction.statistics import (
    FLOOR,
    RATE,
    contrast,
    factor_interval,
    log_ratios,
    paired_tests,
    ranking,
    smaller,
)

# The floor


def test_no_test_rank_or_ratio_tells_values_below_the_floor_apart() -> None:
    """All of ten values below, with any order of them, against all of them at 0 or at the floor."""
    assert FLOOR == 1e-8
    below = np.random.default_rng(7).uniform(0, FLOOR, 10)
    for other in (np.zeros(10), np.full(10, FLOOR), below[::-1]):
        assert contrast([below], [other]) == (0.0, 1.0, 1.0)
        assert smaller(below, other) > 0.5
        assert set(
            ranking({"a": [*below], "b": [*other], "c": [*other + 1]}).mean_rank.values()
        ) == {1.5, 3}
        (test,) = paired_tests(below.tolist(), {"b": other.tolist()})
        assert (test.wins, test.losses, test.p, test.factor) == (0, 0, 1.0, (1.0, 1.0))
    above = np.full(10, 2 * FLOOR)
    (test,) = paired_tests(above.tolist(), {"b": below.tolist()})
    assert test.losses == 10
    assert test.factor == pytest.approx((2.0, 2.0))


# Sums of means of logarithms


def test_a_contrast_is_welchs_test_of_the_logarithms() -> None:
    rng = np.random.default_rng(3)
    a, b = np.exp(rng.normal(0.0, 1.0, 20)), np.exp(rng.normal(0.4, 0.3, 12))
    for alternative, p in zip(("greater", "less"), contrast([a], [b])[1:], strict=True):
        test = stats.ttest_ind(np.log(a), np.log(b), equal_var=False, alternative=alternative)
        assert p == pytest.approx(test.pvalue, rel=1e-12)
    assert contrast([a], [b], 0.3).value == pytest.approx(np.log(a).mean() - np.log(b).mean() - 0.3)
    assert contrast([a[:5] * 0 + 2.0], [a[:5] * 0 + 1.0])[1:] == (0.0, 1.0)
    with pytest.raises(ValueError, match="none below 0"):
        contrast([-a], [b])
    with pytest.raises(ValueError, match="two values"):
        contrast([a[:1]], [b])


# The power of the tests of ranks, and their error rates


def laws(shift: float) -> Floats:
    """500 tables of five methods on 20 blocks; the values of the first are less by a shift."""
    tables = np.random.default_rng(4).normal(size=(500, 5, 20))
    tables[:, 0] -= shift
    return np.exp(tables)


@pytest.mark.long
def test_the_ranking_shows_a_method_that_is_better_and_none_among_equals() -> None:
    """By one and a half standard deviations. Fixed seed; a false alarm has a probability below
    1e-3: each rate among equals is at most `RATE`."""
    names = "abcde"
    better = [ranking(dict(zip(names, map(list, table), strict=True))) for table in laws(1.5)]
    assert np.mean([found.p <= RATE for found in better]) > 0.95
    assert np.mean([found.leading() == ["a"] for found in better]) > 0.5
    assert np.mean([found.leading()[0] == "a" for found in better]) > 0.98
    equal = [ranking(dict(zip(names, map(list, table), strict=True))) for table in laws(0)]
    most = stats.binom.ppf(0.999, len(equal), RATE) / len(equal)
    assert 0.02 < np.mean([found.p <= RATE for found in equal]) <= most
    shown = [np.ptp([*found.mean_rank.values()]) >= found.difference for found in equal]
    assert 0.02 < np.mean(shown) <= most


# Methods of the benchmark, run by run


def test_a_verdict_begins_at_the_rate_by_holm() -> None:
    """Two comparisons with p = 2 / 2^k: adjusted, 4 / 2^k; a verdict from k = 7 on."""
    for runs, verdict in ((6, "not shown"), (7, "better")):
        mine = np.ones(runs)
        others = {name: np.arange(2.0, runs + 2) + shift for name, shift in (("a", 0), ("b", 0.5))}
        found = paired_tests(mine.tolist(), {name: o.tolist() for name, o in others.items()})
        assert [test.p for test in found] == pytest.approx([2 / 2**runs] * 2)
        assert [test.adjusted for test in found] == pytest.approx([4 / 2**runs] * 2)
        assert [test.verdict for test in found] == [verdict] * 2
    assert 4 / 2**7 <= RATE < 4 / 2**6


@pytest.mark.parametrize("n", [5, 6, 9])
def test_an_interval_of_factors_leaves_out_what_the_signed_rank_test_rejects(n: int) -> None:
    """All sets of ranks have the same probability. If a sum of ranks is at most c with probability
    at most 2.5 %, the interval begins at the (c + 1)-th least mean of two exponents."""
    rng = np.random.default_rng(n)
    exponents = rng.normal(0.3, 1, n)
    means = sorted((x + y) / 2 for x, y in itertools.combinations_with_replacement(exponents, 2))
    sums = [
        sum(choice) for k in range(n + 1) for choice in itertools.combinations(range(1, n + 1), k)
    ]
    rejected = [c for c in range(len(means)) if np.mean(np.array(sums) <= c) <= RATE / 2]
    found = factor_interval(log_ratios((10.0**exponents).tolist(), [1.0] * n))
    if n < 6:
        assert rejected == []
        assert found is None
    else:
        least, greatest = means[rejected[-1]], means[-1 - rejected[-1]]
        assert found == pytest.approx((10**least, 10**greatest))
