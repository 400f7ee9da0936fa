"""Specification of `box`: the user's bounds and the affine map of [-1, 1]^n onto them."""

import tracemalloc
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import Bounds

from embedded_hunter.run.box import Box

ends = st.floats(-1e308, 1e308)
pairs = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))
units = st.one_of(st.floats(-1, 1), st.sampled_from([-1.0, 1.0, 0.0]))


@pytest.mark.claim("eq-1")
@given(st.lists(st.tuples(pairs, units, st.floats(0, 1)), min_size=1, max_size=6), st.booleans())
@example([((0.1, 0.7), 1.0, 0.5), ((0.1, 0.7), -1.0, 0.5)], False)
@example([((1e-320, 1e-320), 0.5, 0.5)], False)
@example([((-1e308, 1e308), 1.0, 0.25), ((1e308, 1e308), -1.0, 0.5)], False)
@example([((-1.0, 0.3), -1.0, 0.5), ((-1.0, 0.3), 1.0, 0.5)], False)
@example([((-1e308, 1e308), 1.0, 0.25)], True)
def test_points_are_mapped_affinely_and_never_leave_the_bounds(
    drawn: list[tuple[tuple[float, float], float, float]], started: bool
) -> None:
    """Against Fractions, to three roundings at the scale of the bounds, with an x0 to four.

    Zero is mapped to x0, the corners to the corners; in between the map is affine on each side.
    """
    low, high = (np.array([pair[k] for pair, _, _ in drawn]) for k in (0, 1))
    x0 = np.array([a * (1 - share) + b * share for (a, b), _, share in drawn]).clip(low, high)
    box = Box(Bounds(low, high), x0 if started else None)
    assert box.n == len(drawn)
    if started:
        assert np.array_equal(box.from_cube(-np.ones(box.n)), low)
        assert np.array_equal(box.from_cube(np.ones(box.n)), high)
        assert np.array_equal(box.from_cube(np.zeros(box.n)), x0)
    x = np.array([unit for _, unit, _ in drawn])
    for k, value in enumerate(box.from_cube(x).tolist()):
        assert low[k] <= value <= high[k]
        a, b = Fraction(float(low[k])), Fraction(float(high[k]))
        middle = Fraction(float(x0[k])) if started else (a + b) / 2
        far = Fraction(float(x[k]))
        exact = middle + (b - middle if far > 0 else middle - a) * far
        slack = max(abs(a), abs(b)) * Fraction(4 + started, 2**53) + Fraction(3 + started, 2**1074)
        assert abs(Fraction(value) - exact) <= slack


@pytest.mark.claim("eq-1")
@given(st.integers(-99, 99), st.integers(0, 99))
def test_the_corners_and_the_center_are_met_exactly(low: int, width: int) -> None:
    x = np.array([[-1.0], [1.0], [0.0]])
    expected = [[low], [low + width], [low + width / 2]]
    assert Box([(low, low + width)]).from_cube(x).tolist() == expected


@pytest.mark.claim("eq-1")
def test_large_batches_are_not_copied_more_often_than_needed() -> None:
    """One new array for any box, and none to clip it if the corners are met exactly."""
    x = np.random.default_rng(0).uniform(-1, 1, (100, 10_000))
    high = np.full(10_000, 0.7)
    high[0] = 0.8
    for bounds in ([(-5, 5)] * 10_000, [(0.1, 0.7)] * 10_000, Bounds(np.full(10_000, 0.1), high)):
        box = Box(bounds)
        tracemalloc.start()
        box.from_cube(x)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert x.nbytes <= peak < 1.1 * x.nbytes


@pytest.mark.claim("eq-1")
def test_bounds_may_be_given_in_all_the_ways_of_scipy() -> None:
    x = np.array([0.5, -0.5])
    expected = [2.5, -0.5]
    for bounds in (
        [(-5, 5), (-1, 1)],
        ((-5.0, 5.0), (-1.0, 1.0)),
        np.array([[-5, 5], [-1, 1]]),
        Bounds([-5, -1], [5, 1]),
        Bounds(np.array([-5, -1]), np.array([5, 1])),
    ):
        assert Box(bounds).from_cube(x).tolist() == expected
    assert Box(Bounds(-5, [5, 5, 5])).from_cube(np.ones(3)).tolist() == [5, 5, 5]  # type: ignore[arg-type,unused-ignore]
    assert Box(Bounds(2, 3)).n == 1
    many = Box([(-5, 5), (-1, 1)]).from_cube(np.array([x, -x]))
    assert many.tolist() == [expected, [-2.5, 0.5]]


@pytest.mark.claim("eq-1")
def test_real_numbers_of_any_type_are_bounds() -> None:
    for pair in (
        (Fraction(1, 4), Decimal("0.5")),
        (np.float32(0.25), np.float64(0.5)),
        np.array([0.25, 0.5], dtype=object),
        np.array([0.25, 0.5], dtype=np.longdouble),
    ):
        for bounds in ([pair], np.array([pair], dtype=object)):
            assert Box(bounds).from_cube(np.array([1.0])).tolist() == [0.5]


def test_bounds_may_be_an_iterator() -> None:
    assert np.array_equal(Box(zip([0, 1], [2, 3], strict=True)).low, [0, 1])
