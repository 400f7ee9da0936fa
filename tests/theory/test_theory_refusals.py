"""What `reproduction.theory` refuses, because a number would come out that means nothing."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from reproduction.theory import (
    ceiling,
    cone,
    coverage,
    finite_time,
    geometry,
    indexed,
    simple,
)
from reproduction.theory.sphere import expectation
from theory.test_ceiling import radial

NO_LIST = "sweeps must list depths 0..h at most h_max"
FLAT = finite_time.RegretBound((3.0, 2.0, 1.0), (1, 2), 1, 1, 3)


def too_few() -> Any:
    return indexed.indexed_node_values(np.sum, np.ones((1, 4, 1)), 2, 3, Fraction(3), Fraction(5))


REFUSED: list[tuple[Callable[[], object], str]] = [
    # ceiling and cone
    (lambda: radial(lambda x: x), "f must return one value for each row"),
    (lambda: ceiling.scale_grid(2.0, 1.0, 3.0), "a grid requires ratio > 1 and s_min <= s_max"),
    (lambda: ceiling.ceiling([0.5, 1.1], 3), "pbar must lie in [0, 1]"),
    (lambda: cone.fresh_regret_floor([0.0, 0.0], 5), "x_star must lie strictly inside the cube"),
    # coverage
    (lambda: coverage.coverage_probability([-1, 0], 1.0, 1.0), "the law needs |x*_i| < 1"),
    (lambda: coverage.coverage_probability([], 1.0, 1.0), "x_star must be a non-empty point"),
    (lambda: coverage.coverage_probability([1.5], 1.0, 1.0), "x_star must be a non-empty point"),
    (lambda: expectation(101, np.zeros_like), "d must lie between 1 and 100, got 101"),
    # bounds on sweeps
    (lambda: finite_time.sweeps_to_expand([[0.0], [0.0]], 0.0, [1.0]), "eps must list every depth"),
    (lambda: finite_time.multiples_of_delta([0.0], [0.0]), "m_h needs tau >= 0 and delta > 0"),
    (lambda: finite_time.multiples_of_delta([0.0], [1.0, 1.0]), "m_h needs tau >= 0 and delta > 0"),
    (lambda: finite_time.RegretBound((1.0,), (), 1, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 3, (1, 2), 0, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 2, (1, 2), 2, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 3, (2, 1), 1, 1, 3), "S_h is positive and never"),
    (lambda: finite_time.RegretBound((1.0,) * 2, (0,), 1, 1, 3), "S_h is positive and never"),
    (lambda: geometry.base_point_numerators(1, 1, 4), "K must be odd, got 4"),
    (lambda: geometry.base_point_numerators(20, 1, 3), "depth 20 has 3**20 nodes, too many"),
    (lambda: indexed.indexed_eps(1, 1, 3, 1, 1, [[1]], gap=-1), "gap must be >= 0, got -1"),
    (too_few, "depth 2 needs 2 matrices, got 1"),
    (lambda: indexed.optimal_branch([0.0, 1.5], 2, 3, 1.0), "y must lie in [-R, R]^d with R = 1.0"),
    # regrets
    (lambda: simple.simple_regret(1.0, 2.0), "the value 1.0 lies below f* = 2.0"),
    (lambda: simple.regret_curve([3.0, 1.0, 4.0], 2.0), "the value 1.0 lies below f* = 2.0"),
    (lambda: simple.simple_regret(math.nan, 0.0), "values must not be NaN and f_star must be fin"),
    (lambda: simple.simple_regret(1.0, -math.inf), "values must not be NaN and f_star must be fin"),
    (lambda: simple.b_value(1.0, -0.5, 0.25), "tau_h and delta_h must be finite and not negative"),
    (lambda: simple.b_value(1.0, 0.0, math.nan), "tau_h and delta_h must be finite and not"),
]  # fmt: skip
"""Calls, each with the beginning of the message of its ValueError."""


@pytest.mark.parametrize(
    ("call", "message"), [pytest.param(*refused, id=refused[1]) for refused in REFUSED]
)
def test_each_refusal_says_what_is_allowed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
