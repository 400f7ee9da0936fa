"""What the constants of Theorem 1 need: mean 0, and for less than sqrt 2 independence and one law.

Where nothing else is said n = 1 and f(x) = x, so that g_p(y) = A_p y while |A_p y| <= 1. All means
are exact averages over finite laws.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from reproduction.theory.variation import (
    coupled_variation_bound,
    gini_variation_bound,
    second_moment_variation_bound,
)

Pair = tuple[Fraction, Fraction]


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.claim("theorem-1")
def test_without_mean_0_uncorrelated_entries_are_not_enough() -> None:
    """d = 2, A_p = (1, 1), A_q = -A_p: constants have covariance 0 and second moment 1 = 1/n."""
    y = (Fraction(1, 5), Fraction(1, 5))
    difference = abs(sum(y) - -sum(y))
    assert difference == Fraction(4, 5)
    norm = sqrt(float(y[0] ** 2 + y[1] ** 2))
    coupled = coupled_variation_bound(1.0, norm, 1, 1.0)
    uncorrelated = second_moment_variation_bound(1.0, norm, 1, 1.0)
    assert coupled == pytest.approx(0.5657, abs=1e-4)
    assert uncorrelated == pytest.approx(0.4)
    assert float(difference) > max(coupled, uncorrelated)


@pytest.mark.claim("theorem-1")
def test_an_independent_pair_with_correlated_entries_exceeds_gini_s_bound() -> None:
    """d = 2, both entries of A_p equal xi, of A_q xi', uniform on k/N: 2/sqrt 3 times sqrt 2.

    With entries that are uncorrelated the same law stays below the bound.
    """
    N = 20
    law = [Fraction(k, N) for k in range(-N, N + 1)]
    variance = mean([x * x for x in law])
    y = Fraction(1, 5)
    norm, sigma = sqrt(2) * float(y), sqrt(variance)
    equal = mean([abs(2 * y * (a - b)) for a, b in product(law, law)])
    bound = gini_variation_bound(1.0, norm, 1, sigma)
    assert float(equal) > 1.4 * bound
    sums = [a + b for a, b in product(law, law)]  # independent entries: one row of A_p
    count = {s: sums.count(s) for s in set(sums)}
    total = sum(m * n * abs(s - t) for (s, m), (t, n) in product(count.items(), repeat=2))
    assert float(y * total / len(sums) ** 2) < bound


SIGNS = (Fraction(-1), Fraction(1))


@pytest.mark.claim("theorem-1")
def test_an_independent_pair_of_two_laws_exceeds_2_over_sqrt_3() -> None:
    """A_p = +-1, A_q = +-2 with probability 1/8 each, else 0: 5/4, between 2/sqrt 3 and sqrt 2.

    So 2/sqrt 3 needs equal laws, as the paper's A_p and A_q have.
    """
    p_law = [(s, Fraction(1, 2)) for s in SIGNS]
    q_law = [(2 * s, Fraction(1, 8)) for s in SIGNS] + [(Fraction(0), Fraction(3, 4))]
    for law in (p_law, q_law):
        assert sum(w for _, w in law) == 1
        assert sum(w * x for x, w in law) == 0
        assert sum(w * x * x for x, w in law) == 1
    found = sum(v * w * abs(x - z) for (x, v), (z, w) in product(p_law, q_law))
    assert found == Fraction(5, 4)
    assert gini_variation_bound(1.0, 1.0, 1, 1.0) < found
    assert found < second_moment_variation_bound(1.0, 1.0, 1, 1.0)


@pytest.mark.claim("theorem-1")
def test_sqrt_2_is_attained_by_an_independent_pair_of_two_laws() -> None:
    """n = 2, d = 1, A_p = +-(a, a), A_q = +-(a, -a), 2 a^2 = 1; f is the distance to +-(a, a).

    A_p and A_q are independent, their entries have mean 0 and variance a^2 = 1/n. f, divided by a,
    is the square root of `squared`; it is 0 at each A_p and 2 at each A_q: the mean difference is
    2 a = sqrt 2. In one effective coordinate no independent pair attains sqrt 2.
    """
    p_law = [(s, s) for s in SIGNS]
    q_law = [(s, -s) for s in SIGNS]
    for law in (p_law, q_law):
        for i in (0, 1):
            assert mean([x[i] for x in law]) == 0
            assert mean([x[i] ** 2 for x in law]) == 1

    def squared(x: Pair) -> Fraction:
        return min((x[0] - s) ** 2 + (x[1] - s) ** 2 for s in SIGNS)

    differences = [
        abs(sqrt(squared(x)) - sqrt(squared(z))) / sqrt(2) for x, z in product(p_law, q_law)
    ]
    assert differences == pytest.approx([sqrt(2)] * 4)
    assert differences[0] == pytest.approx(second_moment_variation_bound(1.0, 1.0, 2, sqrt(0.5)))
    assert differences[0] > gini_variation_bound(1.0, 1.0, 2, sqrt(0.5))
