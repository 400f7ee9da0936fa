"""What a method of the experiments sees: the black box, the facts it is told, and the seeds."""

import hashlib
import math
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo, black_box
from reproduction.optimizers.embedded import settings_of
from reproduction.problems.functions import Ackley
from reproduction.problems.hidden import embed
from reproduction.seeds import seed_of


def total(x: Floats) -> Any:
    return x.sum(axis=0)


def test_the_box_ends_at_its_budget_and_keeps_the_best_at_its_marks() -> None:
    values = [5.0, 3.0, 4.0, 2.0, 6.0, 1.0]
    for portions in ([1] * 6, [6], [5, 1], [2, 4], [3, 3]):
        box = BlackBox(lambda x: x[0], 2, 4, (1, 3))
        points = np.array([[value / 10, 0.0] for value in values])
        first = 0
        with suppress(Exhausted):
            for count in portions:
                if count == 1:
                    box(points[first])
                else:
                    box.many(points[first : first + count])
                first += count
            pytest.fail("the budget is 4")
        assert (box.evaluations, box.left, box.best) == (4, 0, 0.2)
        assert box.best_at == {1: 0.5, 3: 0.3, 4: 0.2}


def test_a_refusal_says_what_is_wrong() -> None:
    box = BlackBox(lambda x: math.nan, 2, 5)
    for call, said in (
        (lambda: box(np.zeros(3)), "a point has 2 coordinates; got an array of (3,)"),
        (lambda: box(np.zeros((1, 2))), "a point has 2 coordinates; got an array of (1, 2)"),
        (lambda: box.many(np.zeros((3, 1))), "a point has 2 coordinates; got an array of (3, 1)"),
        (lambda: box(np.array([0, -1.1])), "a point lies outside [-1, 1]^n"),
        (lambda: box.many(np.array([[0, 0], [0, math.nan]])), "a point lies outside [-1, 1]^n"),
        (lambda: box(np.zeros(2)), "the function returned nan"),
        (lambda: BlackBox(total, 2, 5, (6, 1)), "read_at must lie in 1 .. v = 5, got [1, 6]"),
        (lambda: BlackBox(total, 2, 5, (0,)), "read_at must lie in 1 .. v = 5, got [0]"),
        (lambda: BlackBox(total, 2, 0), "read_at must lie in 1 .. v = 0, got []"),
    ):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
            call()
        assert str(caught.value) == said
    assert box.evaluations == 0


def test_a_point_may_leave_the_cube_by_rounding() -> None:
    box = BlackBox(total, 2, 5)
    assert box(np.array([1 + 0.9e-9, -1.0])) == pytest.approx(0, abs=1e-8)
    with pytest.raises(ValueError, match="outside"):
        box(np.array([1 + 1.1e-9, -1.0]))
    assert BlackBox(lambda x: 7.0, 0, 1)(np.zeros(0)) == 7


def test_five_points_or_more_are_evaluated_together_if_the_function_can() -> None:
    """As columns; otherwise one by one. The budget cuts the last portion."""
    points = np.linspace(-1, 1, 24).reshape(12, 2)
    for vectorized, at_once in ((True, 5), (False, 1)):
        shapes: list[tuple[int, ...]] = []

        def f(x: Floats, shapes: list[tuple[int, ...]] = shapes) -> Any:
            shapes.append(x.shape)
            return total(x)

        box = BlackBox(f, 2, 11, vectorized=vectorized)
        assert box.many(points[:4]) == points[:4].sum(axis=1).tolist()
        assert shapes == [(2,)] * 4
        assert box.many(points[4:9]) == points[4:9].sum(axis=1).tolist()
        assert shapes[4:] == ([(2, 5)] if at_once == 5 else [(2,)] * 5)
        assert (box.left, box.evaluations) == (2, 9)
        with pytest.raises(Exhausted):
            box.many(points[9:])
        assert (box.left, box.evaluations) == (0, 11)
        assert box.many(points[:0]) == []
    unless_said = BlackBox(total, 2, 5)
    assert unless_said.many(points[:5]) == points[:5].sum(axis=1).tolist()


def test_a_problem_that_has_its_effective_coordinates_alone_is_given_by_them() -> None:
    for n in (3, 8):
        problem = embed(Ackley(3), n, np.random.default_rng(1))
        box = black_box(problem, 20, (7,))
        x = np.linspace(-0.9, 0.8, n)
        expected = problem(x) if n == 8 else problem.effective(x)
        assert box(x) == float(expected)
        assert (box.rows, box.v) == (n, 20)
        box.many(np.zeros((19, n)))
        assert set(box.best_at) == {7, 20}
        assert black_box(problem, 20).v == 20


def test_a_seed_is_a_hash_of_its_names_and_of_nothing_else() -> None:
    """SHA-256 of the names, joined by slashes, as one number with the first byte the highest."""
    digest = hashlib.sha256(b"paper/ackley/10/None").hexdigest()
    assert seed_of("paper", "ackley", 10, None).entropy == int(digest, 16)
    assert seed_of().entropy == int(hashlib.sha256(b"").hexdigest(), 16)


def test_sigma_and_the_cap_are_those_of_the_searched_cube() -> None:
    """Y is the cube of half width R = d/eta times `box_scale`."""
    info = ProblemInfo(500, 4, M=8, sigma_n=400, box_scale=2.5)
    box = BlackBox(total, 500, 640)
    settings = settings_of(box, info)
    assert (settings.d, settings.M, settings.sigma) == (4, 20, 2.5 / 20)
    assert settings_of(box, ProblemInfo(3, 4)).n == 4
