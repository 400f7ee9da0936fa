"""Definitions 1-2, Assumptions 2 and 4, and the Johnson-Lindenstrauss sentence, as printed.

"There exists a random matrix" is read as: a realisation in the support of the Gaussian, which is
all matrices. For y != 0 the matrix x y^T / ||y||^2 maps y to any x.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from embedded_hunter.projection import clip
from reproduction.theory.finite_time import near_optimal_nodes
from reproduction.theory.geometry import base_points
from reproduction.theory.indexed import operator_norm_bound

Vector = NDArray[np.float64]
D, K, R, N = 2, 3, 20 / 3, 5  # d = 2, eta = 0.3
X_STAR = np.array([0.4, -0.2, 0.1, 0.9, -0.7])
X_WORST = np.where(X_STAR > 0, -1.0, 1.0)


def f(x: Vector) -> float:
    return float(np.linalg.norm(x - X_STAR))


OSCILLATION = f(X_WORST)


def maps(y: Vector, x: Vector) -> Vector:
    return np.outer(x, y) / (y @ y)


def maps_both(y: Vector, x: Vector, y_: Vector, x_: Vector) -> Vector:
    """Return a matrix that maps y to x and y' to x', y and y' not being parallel."""
    A: Vector = np.column_stack([x, x_]) @ np.linalg.inv(np.column_stack([y, y_]))
    return A


def g(A: Vector, y: Vector) -> float:
    return f(clip(A @ y))


def a_point_of_the_cell(y: Vector, h: int) -> Vector:
    """Return a point of the cell about y that is neither y nor parallel to it, nor 0."""
    half_widths = R / K ** np.array([h - h // 2, h // 2])
    point: Vector = y + half_widths * np.array([0.9, 0.31])
    return point


@pytest.mark.claim("definition-1")
@pytest.mark.parametrize("h", range(5))
def test_every_cell_is_optimal_as_printed(h: int) -> None:
    """Each cell, the root's included, holds a y that some matrix maps to the optimiser."""
    for y in base_points(h, D, K, R):
        inside = a_point_of_the_cell(y, h)
        assert g(maps(inside, X_STAR), inside) == pytest.approx(0, abs=1e-12)


@pytest.mark.claim("assumption-2")
@pytest.mark.parametrize("h", range(5))
def test_delta_does_not_tend_to_0_as_printed(h: int) -> None:
    """d = 2: in a cell about y != 0 the supremum is max f - min f, about 0 it is max |f - f(0)|.

    One matrix maps the base point to the optimiser and its neighbour to the worst corner; the zero
    vector stays where it is, and no matrix gives more. Neither number depends on the depth.
    """
    at_zero = f(np.zeros(N))
    for y in base_points(h, D, K, R):
        inside = a_point_of_the_cell(y, h)
        if y.any():
            A = maps_both(y, X_STAR, inside, X_WORST)
            assert abs(g(A, y) - g(A, inside)) == pytest.approx(OSCILLATION)
        else:
            differences = [
                abs(g(A, y) - g(A, inside)) for A in (maps(inside, X_WORST), maps(inside, X_STAR))
            ]
            assert max(differences) == pytest.approx(max(OSCILLATION - at_zero, at_zero))
            assert max(differences) < OSCILLATION - 0.5


@pytest.mark.claim("assumption-4")
@pytest.mark.parametrize("h", range(1, 5))
def test_tau_is_the_oscillation_of_f_from_depth_1_as_printed(h: int) -> None:
    for y in base_points(h, D, K, R):
        if y.any():
            spread = abs(g(maps(y, X_STAR), y) - g(maps(y, X_WORST), y))
            assert spread == pytest.approx(OSCILLATION)


@pytest.mark.claim("near-optimal-points")
def test_the_values_of_near_optimal_points_need_not_fill_the_interval() -> None:
    """A constant f has one value, not [f*, f* + eps]; without coverage there can be none at all."""
    points = np.linspace(-1, 1, 41)
    for eps in (0.1, 0.4):
        constant = {3.0 for _ in points}
        print(f"promised: [3, {3 + eps}]; happened: {constant}")
        assert {value for value in constant if value <= 3 + eps} == {3.0}
        # f(x) = |x - 1| with A = (eta/2): g(y) = 1 - eta y/2 is at least 1/2, and f* = 0.
        assert not [value for value in abs(points / 2 - 1) if value <= eps]


@pytest.mark.claim("definition-2")
def test_every_node_but_the_center_is_near_optimal_as_printed() -> None:
    """min_p g_p(y) = f* for all y but 0: expanding near-optimal nodes alone is exhaustive."""
    for h in range(5):
        best = [
            g(maps(y, X_STAR), y) if y.any() else f(np.zeros(N)) for y in base_points(h, D, K, R)
        ]
        assert near_optimal_nodes(best, 1e-9) >= K**h - 1


@pytest.mark.claim("jl-sentence")
def test_the_same_matrix_can_stretch_without_bound() -> None:
    """Without a probability the sentence is false: a matrix of the support stretches at will.

    Two points (m = 1, ln m = 0: every n > 0 will do), eps = 1/2, n = 4.
    """
    y, y_ = np.array([0.0, 0.0]), np.array([0.01, 0.0])
    A = maps(y_, np.full(4, 0.9))
    stretched = np.linalg.norm(clip(A @ y_) - clip(A @ y)) / np.linalg.norm(y_ - y)
    assert stretched == pytest.approx(180)
    assert stretched > math.sqrt(1 + 1 / 2)


@pytest.mark.claim("jl-sentence")
def test_for_gaussian_matrices_the_sentence_holds_for_all_points_with_confidence() -> None:
    """d = 10, n = d_e = 1e4, eps = 1/2: 1 + sqrt(d/n) + t/sqrt(n) <= sqrt(1 + eps) for t = 19.3.

    Then exp(-t^2/2) < 1e-70, for all pairs of points of Y at once, not m of them.
    """
    n, d, eps = 10_000, 10, 0.5
    t = math.sqrt(n) * (math.sqrt(1 + eps) - 1) - math.sqrt(d)
    assert t > 19
    assert math.exp(-(t**2) / 2) < 1e-70
    assert operator_norm_bound(n, d, 1 / math.sqrt(n), 1 - 1e-9) < math.sqrt(1 + eps)
