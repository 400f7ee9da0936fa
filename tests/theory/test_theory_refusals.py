"""The refusals of `reproduction.theory`: the message names the argument and what is allowed."""

import inspect
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from reproduction.theory import (
    ceiling,
    cone,
    coverage,
    coverage_law,
    evaluations,
    finite_time,
    forest_bounds,
    geometry,
    indexed,
    simple,
    variation,
)
from reproduction.theory.sphere import expectation
from theory.test_ceiling import certified, radial
from theory.test_forest_bounds import steep

MODULES = (
    coverage, finite_time, geometry, indexed, simple, variation,
    ceiling, cone, coverage_law, evaluations, forest_bounds,
)  # fmt: skip
RNG = np.random.default_rng(1)
GOOD: dict[str, Any] = {
    "B": [[1.0, 1.0]], "H": 3, "K": 3, "P": 1, "R": 1.0, "confidence": 0.5, "counts": [1],
    "coverage": 0.5, "d": 2, "d_e": 1, "difference": 1.0, "eta": 0.5, "f_star": 0.0, "gap": 0.0,
    "growth": 1.0, "h": 1, "h_max": 3, "h_top": 1, "k": 1, "least": 0.1, "least_stretch": 0.5,
    "lipschitz": 1.0, "local_search": 0, "m": 1, "matrices": 2, "n": 10, "near_optimal": [1],
    "norm": 0.5, "norm_B": 1.0, "operator_norm": 1.0, "pbar": 0.5, "probability": 0.5, "ratio": 1.5,
    "reach": 0.5, "rng": RNG, "room": 0.5, "rows": 3, "s_max": 1.0, "s_min": 0.5, "scale": 1.0,
    "sigma": 1.0, "stretch": 1.0, "sweeps": 2, "t": 1.0, "v": 5, "x_star": [0.5, 0.1],
}  # fmt: skip
"""A value that is allowed for each parameter of these functions."""
LEAST = {
    **dict.fromkeys(("K",), 3),
    **dict.fromkeys(("P", "d", "d_e", "m", "matrices", "n", "rows", "v"), 1),
    **dict.fromkeys(("H", "h", "h_max", "h_top", "k", "local_search", "sweeps"), 0),
}
"""Integers, each with the least that is allowed."""
POSITIVE = ("R", "growth", "lipschitz", "operator_norm", "room", "s_max", "s_min", "scale", "sigma")
NOT_NEGATIVE = ("least", "norm", "reach", "stretch", "t")
INSIDE = ("confidence", "eta", "probability")
WRONG: dict[str, list[tuple[object, str]]] = {
    **{
        name: [(x, f"an integer >= {least}, got {x}") for x in (least - 1, 2.5, True)]
        for name, least in LEAST.items()
    },
    **{
        name: [(x, f"a finite number > 0, got {x}") for x in (0.0, -1.0, math.nan, math.inf)]
        for name in POSITIVE
    },
    **{
        name: [(x, f"a finite number >=? 0, got {x}") for x in (-1.0, math.nan, math.inf)]
        for name in NOT_NEGATIVE
    },
    **{
        name: [
            (x, rf"a number in the open interval \(0, 1\), got {x}") for x in (0.0, 1.0, math.nan)
        ]
        for name in INSIDE
    },
}
"""Parameters that mean the same everywhere: wrong values, and what is said of them."""
OTHERWISE = {
    ("coverage_of_matrices", "probability"): "0 and 1 are allowed",
    ("forest_evaluations_of_sweeps", "P"): "only a local search depends on it",
    ("forest_sweeps_within", "P"): "only a local search depends on it",
    ("iterations_to_expand", "sweeps"): "1 is the least",
    ("soo_evaluations_to_expand", "sweeps"): "1 is the least",
    ("near_optimal_nodes_bound", "R"): "another function has checked it",
    ("near_optimal_nodes_of_depth", "k"): "the message names it h",
}


def functions() -> Iterator[Callable[..., object]]:
    """The functions of the modules whose parameters all have a good value here."""
    for module in MODULES:
        for function in vars(module).values():
            if not inspect.isfunction(function) or function.__name__.startswith("_"):
                continue
            if function.__module__ == module.__name__:
                names = inspect.signature(function).parameters
                required = {name for name, p in names.items() if p.default is p.empty}
                if required <= GOOD.keys():
                    yield function


CHECKED = list(functions())
assert len(CHECKED) > 45


@pytest.mark.parametrize("function", CHECKED, ids=lambda function: function.__name__)
def test_a_parameter_that_means_the_same_everywhere_is_checked_everywhere(
    function: Callable[..., object],
) -> None:
    good = {name: GOOD[name] for name in inspect.signature(function).parameters if name in GOOD}
    function(**good)
    for name in good.keys() & WRONG.keys():
        if (function.__name__, name) not in OTHERWISE:
            for wrong, allowed in WRONG[name]:
                with pytest.raises((TypeError, ValueError), match=rf"^{name} must be {allowed}"):
                    function(**good | {name: wrong})


NO_LIST = "sweeps must list depths 0..h at most h_max"
FLAT = finite_time.RegretBound((3.0, 2.0, 1.0), (1, 2), 1, 1, 3)


def too_few() -> Any:
    return indexed.indexed_node_values(np.sum, np.ones((1, 4, 1)), 2, 3, Fraction(3), Fraction(5))


REFUSED: list[tuple[Callable[[], object], str]] = [
    # ceiling and cone
    (lambda: radial(samples=0), "samples must be"),
    (lambda: radial(lambda x: x), "f must return one value for each row"),
    (lambda: ceiling.scale_grid(2.0, 1.0, 3.0), "a grid requires ratio > 1 and s_min <= s_max"),
    (lambda: ceiling.ceiling([0.5, 1.1], 3), "pbar must lie in [0, 1]"),
    (lambda: certified(f_star=2.0, f_zero=1.5), "f_zero - f_star must be a finite number >= 0"),
    (lambda: cone.fresh_regret_floor([0.0, 0.0], 5), "x_star must lie strictly inside the cube"),
    (lambda: cone.distance_regret_floor(0, 2, 5), "norm must be a finite number > 0"),
    # coverage
    (lambda: coverage.coverage_of_matrices(1.5, 1), "probability must lie in [0, 1], got 1.5"),
    (lambda: coverage.coverage_probability([-1, 0], 1.0, 1.0), "the law needs |x*_i| < 1"),
    (lambda: coverage.coverage_probability([], 1.0, 1.0), "x_star must be a non-empty point"),
    (lambda: coverage.coverage_probability([1.5], 1.0, 1.0), "x_star must be a non-empty point"),
    (lambda: expectation(101, np.zeros_like), "d must lie between 1 and 100, got 101"),
    # bounds on sweeps
    (lambda: finite_time.sweeps_to_expand([[0.0], [0.0]], 0.0, [1.0]), "eps must list every depth"),
    (lambda: finite_time.sweeps_to_expand([[[0.0]]], 0.0, [1.0], -1), "zero_depth must be"),
    (lambda: finite_time.multiples_of_delta([0.0], [0.0]), "m_h needs tau >= 0 and delta > 0"),
    (lambda: finite_time.multiples_of_delta([0.0], [1.0, 1.0]), "m_h needs tau >= 0 and delta > 0"),
    (lambda: finite_time.RegretBound((1.0,), (), 1, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 3, (1, 2), 0, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 2, (1, 2), 2, 1, 3), NO_LIST),
    (lambda: finite_time.RegretBound((1.0,) * 3, (2, 1), 1, 1, 3), "S_h is positive and never"),
    (lambda: finite_time.RegretBound((1.0,) * 2, (0,), 1, 1, 3), "S_h is positive and never"),
    *((call, f"{name} must be an integer >= {least}, got {least - 1}")
      for bound in (FLAT, steep())
      for call, name, least in (
          (lambda bound=bound: bound.after_sweeps(-1), "s", 0),
          (lambda bound=bound: bound.after_iterations(-1), "t", 0),
          (lambda bound=bound: bound.after_evaluations(0), "v", 1),
      )),
    (lambda: steep(references=[[0]]), "references must have the shapes [(1,), (1,)]"),
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
def test_each_other_refusal_says_what_is_allowed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
