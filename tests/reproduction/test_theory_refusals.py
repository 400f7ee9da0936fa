"""The refusals of `regret` and `theory`: the message names the argument and what is allowed."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
from test_ceiling import certified, limits, radial
from test_forest_bounds import steep

from embedded_hunter.regret import (
    RegretBound,
    b_value,
    base_point_numerators,
    base_points,
    box_for_coverage,
    box_that_keeps_the_promise,
    choose,
    circumscribed_radius,
    count_sketch_coverage,
    coupled_variation_bound,
    coverage_at_least,
    coverage_of_matrices,
    coverage_of_norm,
    coverage_probability,
    evaluations_of_sweeps,
    exhaustive_sweeps,
    gaussian_variation_bound,
    gini_variation_bound,
    indexed_delta,
    indexed_eps,
    indexed_node_values,
    indexed_tau,
    inscribed_radius,
    iterations_of_sweeps,
    largest_norm,
    mean_coverage,
    multiples_of_delta,
    norm_class_bound,
    operator_norm_bound,
    optimal_branch,
    printed_coverage,
    printed_iterations_to_expand,
    printed_variation_bound,
    regret_curve,
    second_moment_variation_bound,
    simple_regret,
    sweeps_to_expand,
    well_shaped_factor,
)
from embedded_hunter.regret.arguments import fraction_of_one, not_negative, positive, whole
from embedded_hunter.regret.sphere import expectation
from reproduction.bounds.dynamic_programme import count_radial_values, fixed_law_means, optimal_rule
from reproduction.bounds.lipschitz import FloatArray
from reproduction.theory.ceiling import (
    ceiling,
    scale_grid,
)
from reproduction.theory.cone import (
    distance_regret_floor,
    distance_regret_within_reach,
    fresh_regret_floor,
)
from reproduction.theory.forest_bounds import forest_evaluations_of_sweeps
from reproduction.theory.rotated import (
    count_rotated_coverage,
)
from reproduction.theory.sequool_bounds import (
    sequool_depth_found,
    sequool_depth_needed,
)

FRACTION = "must lie strictly between 0 and 1, got"
NOT_NEGATIVE = "must be finite and not negative, got"
NO_GRID = "a grid requires ratio > 1 and s_min <= s_max, got"
NO_VALUES = "f must return one value for each row, and no NaN"
POSITIVE = "must be finite and greater than 0, got"
WHOLE = "must be an integer of at least"
INSIDE = "x_star must lie strictly inside the cube and not be 0"
NO_LAW = "the law needs |x*_i| < 1 for all i; see coverage_at_least"
NO_POINT = "x_star must be a non-empty point of the cube [-1, 1]^d_e"
LEVELS = "levels must be at least two numbers that increase"
NO_LIST = "sweeps must list depths 0..h at most h_max, eps depths 0..h+1"
FINITE = "values must not be NaN and f_star must be finite, got"
VARIATIONS = "tau_h and delta_h must be finite and not negative, got"

HALF: Any = 2.5
NAN: Any = math.nan
INCREASING = "each row of cdf must increase and lie in [0, 1]"
NONE_INSIDE = "none of 1000 optimisers is in the cube"
RNG = np.random.default_rng(1)
FLAT = RegretBound((3.0, 2.0, 1.0), (1, 2), 1, 1, 3)


def too_few() -> FloatArray:
    return indexed_node_values(np.sum, np.ones((1, 4, 1)), 2, 3, Fraction(3), Fraction(5))


CHECKED: list[Callable[..., object]] = [
    base_point_numerators, base_points, box_for_coverage, box_that_keeps_the_promise,
    ceiling, circumscribed_radius, count_sketch_coverage, coupled_variation_bound,
    coverage_at_least, coverage_of_matrices, coverage_of_norm, distance_regret_floor,
    distance_regret_within_reach, evaluations_of_sweeps, exhaustive_sweeps,
    forest_evaluations_of_sweeps, fresh_regret_floor, gaussian_variation_bound,
    gini_variation_bound, indexed_delta, indexed_eps, indexed_tau, inscribed_radius,
    iterations_of_sweeps, largest_norm, mean_coverage, norm_class_bound, operator_norm_bound,
    printed_coverage, printed_iterations_to_expand, printed_variation_bound,
    second_moment_variation_bound, sequool_depth_found, well_shaped_factor,
]  # fmt: skip
GOOD: dict[str, Any] = {
    "B": [[1.0, 1.0]], "H": 3, "K": 3, "P": 1, "R": 1.0, "confidence": 0.5, "counts": [1],
    "d": 2, "d_e": 1, "difference": 1.0, "eta": 0.5, "f_star": 0.0, "gap": 0.0, "growth": 1.0,
    "h": 1, "h_max": 3, "h_top": 1, "lipschitz": 1.0, "local_search": 0, "m": 1, "matrices": 2,
    "near_optimal": [1], "norm": 0.5, "norm_B": 1.0, "operator_norm": 1.0, "pbar": 0.5,
    "probability": 0.5, "rows": 3, "sigma": 1.0, "sweeps": 2, "v": 5, "x_star": [0.5, 0.1],
}  # fmt: skip
"""A value that is allowed for each parameter of these functions."""
WRONG: dict[str, tuple[int, str]] = {
    **dict.fromkeys(("d", "d_e", "v", "m", "matrices", "rows"), (0, f"{WHOLE} 1, got 0")),
    **dict.fromkeys(("H", "h", "h_max", "h_top"), (-1, f"{WHOLE} 0, got -1")),
    **dict.fromkeys(("sweeps", "local_search"), (-1, f"{WHOLE} 0, got -1")),
    **dict.fromkeys(("R", "growth", "lipschitz", "operator_norm", "sigma"), (0, f"{POSITIVE} 0.0")),
    "K": (2, f"{WHOLE} 3, got 2"),
    "eta": (0, f"{FRACTION} 0.0"),
}
"""Parameters that mean the same everywhere: a wrong value, and what is said of it."""


@pytest.mark.parametrize("function", CHECKED, ids=lambda function: function.__name__)
def test_a_parameter_that_means_the_same_everywhere_is_checked_everywhere(
    function: Callable[..., object],
) -> None:
    good = {name: GOOD[name] for name in signature(function).parameters}
    function(**good)
    for name in good.keys() & WRONG.keys():
        wrong, says = WRONG[name]
        with pytest.raises(ValueError, match=f"^{re.escape(f'{name} {says}')}$"):
            function(**good | {name: wrong})


REFUSED: dict[str, list[tuple[Callable[[], object], str]]] = {
    "ceiling": [
        (lambda: radial(d_e=0), f"d_e {WHOLE} 1, got 0"),
        (lambda: radial(samples=0), f"samples {WHOLE} 1, got 0"),
        (lambda: radial(lambda x: x), NO_VALUES),
        (lambda: radial(lambda x: x[:, 0] * math.nan), NO_VALUES),
        (lambda: scale_grid(0, 1.0, 2.0), f"s_min {POSITIVE} 0.0"),
        (lambda: scale_grid(1.0, math.inf, 2.0), f"s_max {POSITIVE} inf"),
        (lambda: scale_grid(1.0, 2.0, 1.0), f"{NO_GRID} ratio = 1.0, s_min = 1.0 and s_max = 2.0"),
        (lambda: scale_grid(2.0, 1.0, 3.0), f"{NO_GRID} ratio = 3.0, s_min = 2.0 and s_max = 1.0"),
        (lambda: ceiling(-0.1, 3), "pbar must lie in [0, 1]"),
        (lambda: ceiling([0.5, 1.1], 3), "pbar must lie in [0, 1]"),
        (lambda: limits(confidence=1.0), f"confidence {FRACTION} 1.0"),
        (lambda: limits(d_e=0), f"d_e {WHOLE} 1, got 0"),
        (lambda: certified(f_star=2.0, f_zero=1.5), f"f_zero - f_star {NOT_NEGATIVE} -0.5"),
        (lambda: certified(confidence=0.0), f"confidence {FRACTION} 0.0"),
        (lambda: certified(d_e=0), f"d_e {WHOLE} 1, got 0"),
        (lambda: certified(v=0), f"v {WHOLE} 1, got 0"),
    ],
    "cone": [
        (lambda: fresh_regret_floor([0.0, 0.0], 5), INSIDE),
        (lambda: fresh_regret_floor([0.5, -1.0], 5), INSIDE),
        (lambda: fresh_regret_floor([math.nan], 5), INSIDE),
        (lambda: distance_regret_within_reach(0, 2, 5), f"norm {POSITIVE} 0.0"),
        (lambda: distance_regret_floor(0, 2, 5), f"norm {POSITIVE} 0.0"),
    ],
    "coverage": [
        (lambda: coverage_of_matrices(-0.5, 1), "probability must lie in [0, 1], got -0.5"),
        (lambda: coverage_of_matrices(1.5, 1), "probability must lie in [0, 1], got 1.5"),
        (lambda: coverage_of_norm(-1, 1, 1.0, 1.0, 1), f"norm {NOT_NEGATIVE} -1.0"),
        (lambda: coverage_probability([1.0], 1, 1.0, 1.0), NO_LAW),
        (lambda: coverage_probability([-1, 0], 2, 1.0, 1.0), NO_LAW),
        (lambda: coverage_probability([], 0, 1.0, 1.0), NO_POINT),
        (lambda: coverage_probability([1.5], 1, 1.0, 1.0), NO_POINT),
        (lambda: box_for_coverage(0, 1.0, 1, 1.0), f"probability {FRACTION} 0.0"),
        (lambda: box_for_coverage(0.5, 0, 1, 1.0), f"norm {POSITIVE} 0.0"),
        (lambda: box_for_coverage(0.5, 1.0, 1, 1.0, 2), f"d {WHOLE} 2, got 1"),
    ],
    "arguments": [
        (lambda: positive("x", 0), f"x {POSITIVE} 0.0"),
        (lambda: positive("x", math.nan), f"x {POSITIVE} nan"),
        (lambda: positive("x", math.inf), f"x {POSITIVE} inf"),
        (lambda: not_negative("x", -1), f"x {NOT_NEGATIVE} -1.0"),
        (lambda: not_negative("x", math.inf), f"x {NOT_NEGATIVE} inf"),
        (lambda: whole("x", True), f"x {WHOLE} 1, got True"),
        (lambda: whole("x", HALF), f"x {WHOLE} 1, got 2.5"),
        (lambda: whole("x", 2, 3), f"x {WHOLE} 3, got 2"),
        (lambda: fraction_of_one("x", 0), f"x {FRACTION} 0.0"),
        (lambda: fraction_of_one("x", 1), f"x {FRACTION} 1.0"),
    ],
    "finite_time": [
        (lambda: sweeps_to_expand([[0.0], [0.0]], 0.0, [1.0]),
         "eps must list every depth of values_by_depth"),
        (lambda: multiples_of_delta([0.0], [0.0]),
         "m_h needs tau >= 0 and delta > 0 at every depth"),
        (lambda: multiples_of_delta([-1.0], [1.0]),
         "m_h needs tau >= 0 and delta > 0 at every depth"),
        (lambda: multiples_of_delta([0.0], [1.0, 1.0]),
         "m_h needs tau >= 0 and delta > 0 at every depth"),
        (lambda: RegretBound((1.0,), (), 1, 1, 3), NO_LIST),
        (lambda: RegretBound((1.0,) * 3, (1, 2), 0, 1, 3), NO_LIST),
        (lambda: RegretBound((1.0,) * 2, (1, 2), 2, 1, 3), NO_LIST),
        (lambda: RegretBound((1.0,) * 3, (2, 1), 1, 1, 3), "S_h is positive and never decreases"),
        (lambda: RegretBound((1.0,) * 2, (0,), 1, 1, 3), "S_h is positive and never decreases"),
        (lambda: FLAT.after_sweeps(-1), f"s {WHOLE} 0, got -1"),
        (lambda: FLAT.after_iterations(-1), f"t {WHOLE} 0, got -1"),
        (lambda: FLAT.after_evaluations(0), f"v {WHOLE} 1, got 0"),
    ],
    "forest": [
        (lambda: sweeps_to_expand([[[0.0]]], 0.0, [1.0], -1), f"zero_depth {WHOLE} 0, got -1"),
        (lambda: steep(references=[[0]]),
         "references must have the shapes [(1,), (1,)], one point for each tree, got [(1,)]"),
        (lambda: steep().after_iterations(-1), f"t {WHOLE} 0, got -1"),
        (lambda: steep().after_sweeps(-1), f"s {WHOLE} 0, got -1"),
        (lambda: steep().after_evaluations(0), f"v {WHOLE} 1, got 0"),
    ],
    "geometry": [
        (lambda: base_point_numerators(1, 1, 4), "K must be odd, got 4"),
        (lambda: base_point_numerators(20, 1, 3),
         "depth 20 has 3**20 nodes, too many to enumerate"),
    ],
    "indexed": [
        (lambda: operator_norm_bound(1, 1, 1.0, 1), f"confidence {FRACTION} 1.0"),
        (lambda: indexed_eps(1, 1, 3, 1, 1, [[1]], gap=-1), "gap must be >= 0, got -1"),
        (too_few, "depth 2 needs 2 matrices, got 1"),
        (lambda: optimal_branch([0.0, 1.5], 2, 3, 1.0),
         "y must lie in [-R, R]^d with R = 1.0, got [0.0, 1.5]"),
    ],
    "optimal_rule": [
        (lambda: optimal_rule([0, 0], [[0, 1]], 1), LEVELS),
        (lambda: optimal_rule([0], [[0]], 1), LEVELS),
        (lambda: optimal_rule([0, 1], [[0, 0, 1]], 1), "cdf must have shape (m, 2), got (1, 3)"),
        (lambda: optimal_rule([0, 1], [0, 1], 1), "cdf must have shape (m, 2), got (2,)"),
        (lambda: optimal_rule([0, 1], np.empty((0, 2)), 1),
         "cdf must have shape (m, 2), got (0, 2)"),
        (lambda: optimal_rule([0, 1], [[0.5, 0.25]], 1), INCREASING),
        (lambda: optimal_rule([0, 1], [[0, 1.5]], 1), INCREASING),
        (lambda: optimal_rule([0, 1], [[NAN, 1]], 1), INCREASING),
        (lambda: optimal_rule([0, 1], [[0, 1]], 0), f"v {WHOLE} 1, got 0"),
        (lambda: fixed_law_means([0, 1], [[0, 1]], 0), f"v {WHOLE} 1, got 0"),
        (lambda: optimal_rule([0, 1], [[0, 1]], 2).law(0, 1.0), f"left {WHOLE} 1, got 0"),
        (lambda: count_radial_values(lambda x: x, 2, [1.0], [0.0], 5, RNG), NO_VALUES),
        (lambda: count_radial_values(lambda x: x[:, 0] * NAN, 2, [1.0], [0.0], 5, RNG), NO_VALUES),
    ],
    "parameters": [
        (lambda: choose(1000, 10, d=9), f"d {WHOLE} 10, got 9"),
        (lambda: choose(1000, 10, norm=0.0), f"norm {POSITIVE} 0.0"),
        (lambda: choose(1000, 10, norm=3.17),
         "norm must be at most sqrt(d_e), as in the cube, got 3.17"),
        (lambda: choose(1000, 10, probability=1.0), f"probability {FRACTION} 1.0"),
        (lambda: choose(1000, 10, K=2), f"K {WHOLE} 3, got 2"),
        (lambda: choose(1000, 10, scale=0.0), f"scale {POSITIVE} 0.0"),
        (lambda: choose(1000, 3, scale=0.01),
         "no d <= 4 d_e covers with probability 0.95 at this scale"),
    ],
    "rotated": [
        (lambda: count_rotated_coverage(math.sqrt(2), 1, 4, 0.25, 2, 1, RNG),
         f"norm {math.sqrt(2)}: for n = 2 {NONE_INSIDE}"),
        (lambda: count_rotated_coverage(15.0, 1, 4, 0.25, 1000, 1, RNG),
         f"norm 15.0: for n = 1000 {NONE_INSIDE}"),
        (lambda: count_rotated_coverage(3.0, 2, 4, 0.25, 8, 1, RNG),
         f"norm 3.0: for n = 8 {NONE_INSIDE}"),
        (lambda: count_rotated_coverage(1.0, 4, 4, 0.25, 3, 1, RNG),
         "d_e must be at most n = 3, got 4"),
    ],
    "sequool": [
        (lambda: sequool_depth_found([0], 3), f"near_optimal {WHOLE} 1, got 0"),
        (lambda: sequool_depth_needed([1, 0]), f"near_optimal {WHOLE} 1, got 0"),
    ],
    "simple": [
        (lambda: simple_regret(1.0, 2.0), "the value 1.0 lies below f* = 2.0"),
        (lambda: regret_curve([3.0, 1.0, 4.0], 2.0), "the value 1.0 lies below f* = 2.0"),
        (lambda: simple_regret(math.nan, 0.0), f"{FINITE} f_star = 0.0 and a least value of nan"),
        (lambda: simple_regret(1.0, -math.inf), f"{FINITE} f_star = -inf and a least value of 1.0"),
        (lambda: b_value(1.0, -0.5, 0.25), f"{VARIATIONS} -0.5 and 0.25"),
        (lambda: b_value(1.0, 0.5, -0.25), f"{VARIATIONS} 0.5 and -0.25"),
        (lambda: b_value(math.inf, math.inf, 0.0), f"{VARIATIONS} inf and 0.0"),
        (lambda: b_value(1.0, 0.0, math.nan), f"{VARIATIONS} 0.0 and nan"),
    ],
    "sphere": [
        (lambda: expectation(0, np.zeros_like), "d must lie between 1 and 100, got 0"),
        (lambda: expectation(101, np.zeros_like), "d must lie between 1 and 100, got 101"),
    ],
    "variation": [
        (lambda: coupled_variation_bound(1.0, -1, 2, 1.0), f"norm {NOT_NEGATIVE} -1.0"),
        (lambda: second_moment_variation_bound(1.0, -1, 2, 1.0), f"norm {NOT_NEGATIVE} -1.0"),
        (lambda: gini_variation_bound(1.0, -1, 2, 1.0), f"norm {NOT_NEGATIVE} -1.0"),
        (lambda: gaussian_variation_bound(1.0, -1, 1.0), f"norm {NOT_NEGATIVE} -1.0"),
        (lambda: printed_variation_bound(1.0, math.inf), f"norm {NOT_NEGATIVE} inf"),
    ],
}  # fmt: skip
"""By the module of `regret`: calls, each with the whole message of its ValueError."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(*refused, id=f"{module}: {refused[1]}")
        for module, table in REFUSED.items()
        for refused in table
    ],
)
def test_each_refusal_names_the_argument_and_what_is_allowed(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
