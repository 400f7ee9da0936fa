"""The functions beside the paper's, and which methods use the effective dimension."""

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from reproduction.methods import COMPARING, METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.problems.bbob import Bbob
from reproduction.problems.registry import OF_COCO, PROBLEMS, SPREAD, WIDER


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


# COCO's functions

with_coco = pytest.mark.skipif(
    find_spec("cocoex") is None, reason="the extra coco is not installed"
)


@with_coco
@pytest.mark.parametrize("number", range(1, 25))
@pytest.mark.parametrize(("suite", "d_e"), [("bbob", 5), ("bbob-largescale", 80)])
def test_a_function_has_the_values_of_cocos_suite(
    number: int, suite: str, d_e: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its least value is 0; COCO's suite tells the minimiser in a file."""
    import cocoex

    cocoex.log_level("error")
    monkeypatch.chdir(tmp_path)
    chosen = f"function_indices: {number} dimensions: {d_e}"
    whole = cocoex.Suite(suite, "instances: 3", chosen)  # without it its problem is invalid
    theirs, ours = whole[0], Bbob(number, d_e, 3)
    theirs._best_parameter("print")
    best = np.loadtxt("._bbob_problem_best_parameter.txt")
    least = theirs(best)
    assert float(ours(best / 5)) == pytest.approx(0, abs=1e-6)
    points = np.random.default_rng(number).uniform(-1, 1, (d_e, 5))
    values = np.asarray(ours(points))
    for x, value in zip(points.T, values, strict=True):
        assert value + least == pytest.approx(theirs(5 * x), rel=1e-9, abs=1e-6)
        assert float(ours(x)) == value > 0
    if suite == "bbob":
        assert 5 * ours.x_star == pytest.approx(best, abs=1e-6)
        assert float(ours(ours.x_star)) == pytest.approx(0, abs=1e-8)
    else:
        with pytest.raises(ValueError, match="of 80 variables is not known"):
            _ = ours.x_star


@with_coco
@pytest.mark.parametrize(("n", "d_e"), [(100, 2), (200, 40), (10_000, 40)])
@pytest.mark.parametrize("rotated", [False, True])
def test_a_function_of_coco_is_hidden_like_any_other(n: int, d_e: int, rotated: bool) -> None:
    problem = PROBLEMS["f8"](n, d_e, 2, rotated)
    assert np.abs(problem.x_star).max() <= 1
    assert float(problem(problem.x_star)) == pytest.approx(0, abs=1e-7)
    assert float(problem(np.zeros(n))) > 1
    assert (problem.coordinates is None) is rotated
    instances = {float(PROBLEMS["f1"](n, d_e, k, rotated)(np.zeros(n))) for k in range(5)}
    assert len(instances) == 5


@with_coco
def test_a_number_of_variables_that_coco_has_not_is_refused() -> None:
    for d_e in (1, 41, 81):
        with pytest.raises(ValueError, match=f"640 variables: {d_e}$"):
            PROBLEMS["f1"](100, d_e, 0)
    assert tuple(f"f{number}" for number in range(1, 25)) == OF_COCO


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
