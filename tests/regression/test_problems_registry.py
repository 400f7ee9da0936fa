"""The five further functions, and which methods use the effective dimension."""

import math

import numpy as np
import pytest

from reproduction.methods import COMPARING, METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.problems.registry import PROBLEMS, SPREAD, WIDER


def by_hand(name: str, t: list[float]) -> float:
    squares = math.fsum(x * x for x in t)
    match name:
        case "zakharov":
            s = math.fsum(0.5 * i * x for i, x in enumerate(t, 1))
            return squares + s**2 + s**4
        case "rastrigin":
            return 10 * len(t) + math.fsum(x * x - 10 * math.cos(2 * math.pi * x) for x in t)
        case "sharp_ridge":
            return t[0] ** 2 + 100 * math.hypot(*t[1:])
        case "staircase":
            return sum(round(x) ** 2 for x in t)
        case _:
            return sum(map(abs, t))


@pytest.mark.parametrize("name", WIDER)
@pytest.mark.parametrize("rotated", [False, True])
def test_a_function_is_its_formula_about_a_random_optimum(name: str, rotated: bool) -> None:
    problem = PROBLEMS[name](300, 6, 3, rotated)
    assert problem.effective(problem.x_star_eff) == 0
    assert problem(problem.x_star) == pytest.approx(0, abs=1e-11)
    assert len(set(problem.x_star_eff)) == 6
    assert np.abs(problem.x_star_eff).max() <= SPREAD
    assert np.abs(problem.x_star).max() <= 1
    points = np.random.default_rng(1).uniform(-1, 1, (6, 20))
    values = problem.effective(points)
    for z, value in zip(points.T, np.asarray(values), strict=True):
        t = (5 * (z - problem.x_star_eff)).tolist()
        assert value == pytest.approx(by_hand(name, t), rel=1e-9)
        assert value >= 0
        assert float(problem.effective(z)) == pytest.approx(value, rel=1e-12)
    assert not np.array_equal(PROBLEMS[name](300, 6, 4).x_star_eff, problem.x_star_eff)


ONES = [name for name, method in METHODS.items() if {*method.sets} & {*COMPARING}]
"""Without the variants of settings."""


@pytest.mark.parametrize("name", [name for name in ONES if METHODS[name].installed])
def test_the_registry_says_which_methods_use_the_effective_dimension(name: str) -> None:
    bests = []
    for d_e in (2, 9):
        box = BlackBox(lambda x: float(((x[:3] - 0.3) ** 2).sum()), 60, 400, vectorized=False)
        METHODS[name].minimize(box, ProblemInfo(60, d_e), np.random.default_rng(5))
        assert box.evaluations == 400
        bests.append(box.best)
    assert (bests[0] != bests[1]) is METHODS[name].told_d_e
