"""Simple regret and b-values (`theory/simple.py`)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.theory.simple import b_value, regret_curve, simple_regret

VALUES = st.lists(st.floats(0, 1e6) | st.just(math.inf), min_size=1, max_size=30)


@pytest.mark.claim("eq-2")
@given(VALUES, st.floats(-1e3, 0))
def test_the_curve_is_the_regret_of_each_prefix(values: list[float], f_star: float) -> None:
    curve = regret_curve(values, f_star)
    expected = [min(values[: k + 1]) - f_star for k in range(len(values))]
    assert curve.tolist() == expected
    assert simple_regret(min(values), f_star) == expected[-1]


@pytest.mark.claim("b-value")
def test_the_b_value_of_an_optimal_cell_is_at_most_the_minimum() -> None:
    """f(x) = |x - 0.3| with A = 1, R = 1, K = 3: tau = 0, delta(h) = 3^-h is the cell radius."""
    for h in range(8):
        width = 2 / 3**h
        centers = -1 + width * (np.arange(3**h) + 0.5)
        holds = np.abs(centers - 0.3) <= width / 2
        values = np.abs(centers - 0.3)
        bounds = [b_value(v, 0.0, 3.0**-h) for v in values]
        assert holds.sum() == 1
        assert bounds[int(np.argmax(holds))] <= 0.0
        # and every cell's b-value is a lower bound on f within the cell
        for center, bound in zip(centers, bounds, strict=True):
            inside = np.linspace(center - width / 2, center + width / 2, 101)
            assert bound <= np.abs(inside - 0.3).min() + 1e-12


def test_no_values_have_no_regret_and_the_minimum_itself_has_none() -> None:
    assert regret_curve([], 0.0).tolist() == []
    assert regret_curve([[Fraction(3, 2), 2], [1, 4]], 1).tolist() == [0.5, 0.5, 0.0, 0.0]  # type: ignore[arg-type]
    assert (b_value(2.0, 0.5, 0.25), b_value(math.inf, 1.0, 2.0)) == (1.25, math.inf)
