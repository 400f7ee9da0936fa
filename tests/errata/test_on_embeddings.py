"""Attacks on the projection, the random embeddings and what follows for the method."""

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
from hypothesis import assume
from scipy import special

from errata.search import Draw, attack

Array = npt.NDArray[np.float64]


def tail(x: float) -> float:
    """Return P(|z| >= x) of a standard normal z, twice the upper tail Q."""
    return float(special.erfc(x / math.sqrt(2)))


WALSH = np.array([[(-1) ** (k & j).bit_count() for j in range(8)] for k in range(1, 8)], float)


def drawn_function(draw: Draw, d_e: int) -> tuple[Any, float]:
    """Draw a Lipschitz function of d_e coordinates, on rows of an array, and its constant."""
    kind = draw.choice("f", ["linear", "cones", "absolute"])
    L = draw.choice("L", [1.0, 3.0, 0.5])
    if kind == "linear":
        a = np.array(draw.reals("direction", d_e, -1, 1))
        assume(np.any(a))
        a *= L / np.linalg.norm(a)
        return (lambda x: x @ a), L
    if kind == "absolute":
        c = np.array(draw.reals("center", d_e, -1, 1))
        return (lambda x: L / math.sqrt(d_e) * np.abs(x - c).sum(axis=-1)), L
    centers = np.array([draw.reals(f"center {k}", d_e, -1, 1) for k in range(2)])
    heights = np.array(draw.reals("heights", 2, 0, 1))
    return (
        lambda x: (heights + L * np.linalg.norm(x[..., None, :] - centers, axis=-1)).min(axis=-1)
    ), L


def drawn_pair(draw: Draw, n: int, d: int, *, uncorrelated: bool) -> tuple[Array, Array]:
    """Draw the laws of A_p and A_q on eight outcomes, shapes (8, n, d), of variance 1/n.

    Entries of a row have mean 0 and are uncorrelated; with `uncorrelated` also those of the same
    row of both.
    """
    A_p, A_q = np.empty((8, n, d)), np.empty((8, n, d))
    for i in range(n):
        basis = WALSH
        if draw.flag(f"rotated {i}"):
            Q, _ = np.linalg.qr(draw.rng(f"rotation {i}").standard_normal((7, 7)))
            basis = Q @ WALSH
        order = draw(f"functions of row {i}", st.permutations(range(7)))
        outcomes = draw(f"outcomes of row {i}", st.permutations(range(8)))
        p = basis[order[:d]][:, outcomes]
        if uncorrelated:
            q = basis[order[d : 2 * d]][:, outcomes]
        else:
            other = draw(f"functions of row {i} of A_q", st.permutations(range(7)))
            q = basis[other[:d]][:, draw(f"outcomes of row {i} of A_q", st.permutations(range(8)))]
            q = q if draw.flag(f"sign {i}") else -p
        A_p[:, i], A_q[:, i] = p.T / math.sqrt(n), q.T / math.sqrt(n)
    return A_p, A_q


@attack("theorem-1", "conclusion-proportional")
def test_theorem_1_whatever_the_joint_law(draw: Draw) -> bool:
    """E|g_p(y) - g_q(y)| <= 2 L ||y|| <= sqrt(8) L ||y||, for entries of mean 0 and variance 1/n,
    uncorrelated within each row, whatever the joint law: exact means over eight outcomes."""
    n, d = draw.integer("n", 1, 3), draw.integer("d", 1, 3)
    A_p, A_q = drawn_pair(draw, n, d, uncorrelated=False)
    f, L = drawn_function(draw, n)
    y = np.array(draw.reals("y", d, -1, 1)) * draw.choice("scale of y", [1.0, 0.1, 4.0])
    mean = float(np.mean(abs(f(np.clip(A_p @ y, -1, 1)) - f(np.clip(A_q @ y, -1, 1)))))
    bound = 2 * L * float(np.linalg.norm(y))
    draw.target(mean / (bound + 1e-300))
    return mean <= bound * (1 + 1e-12)


@attack("theorem-1")
def test_theorem_1_with_rows_uncorrelated_between_the_matrices(draw: Draw) -> bool:
    """It holds with sqrt(2) if the rows of A_p and A_q are uncorrelated as well, and with sqrt(2
    d_e / n) if f depends on d_e coordinates: exact means over eight outcomes."""
    n, d = draw.integer("n", 1, 4), draw.integer("d", 1, 3)
    d_e = draw.integer("d_e", 1, n)
    A_p, A_q = drawn_pair(draw, n, d, uncorrelated=True)
    f, L = drawn_function(draw, d_e)
    y = np.array(draw.reals("y", d, -1, 1)) * draw.choice("scale of y", [1.0, 0.1, 4.0])
    a, b = (f(np.clip(A @ y, -1, 1)[:, :d_e]) for A in (A_p, A_q))
    mean, norm = float(np.mean(abs(a - b))), float(np.linalg.norm(y))
    bound = math.sqrt(2 * d_e / n) * L * norm
    draw.target(mean / (bound + 1e-300))
    return mean <= bound * (1 + 1e-12) and bound <= math.sqrt(2) * L * norm * (1 + 1e-12)


@attack("larger-improvement")
def test_the_mean_improvement_is_at_most_a_multiple_of_the_norm(draw: Draw) -> bool:
    """E(f(0) - g(y)) <= sqrt(d_e) sigma L ||y||, for entries of mean 0 and variance sigma^2,
    uncorrelated within each row: exact means over eight outcomes."""
    d_e, d = draw.integer("d_e", 1, 3), draw.integer("d", 1, 3)
    sigma = draw.real("sigma", 0.01, 2)
    A = drawn_pair(draw, d_e, d, uncorrelated=True)[0] * math.sqrt(d_e) * sigma
    f, L = drawn_function(draw, d_e)
    y = np.array(draw.reals("y", d, -1, 1))
    gain = f(np.zeros(d_e)) - f(np.clip(A @ y, -1, 1))
    bound = math.sqrt(d_e) * sigma * L * float(np.linalg.norm(y))
    draw.target(float(np.mean(np.maximum(gain, 0))) / (bound + 1e-300))
    return float(np.mean(np.maximum(gain, 0))) <= bound * (1 + 1e-12)


@attack("end-to-end")
def test_the_probability_of_the_end_to_end_bound_for_one_coordinate(draw: Draw) -> bool:
    """For d = 1, where all laws are known: P(some matrix covers x* and is at most sigma (2 + t),
    and all exceed a sigma) is at least 1 - (1 - (pi - e^(-t^2/2)))^P - P sqrt(2/pi) a."""
    P, t, a = draw.integer("P", 1, 20), draw.real("t", 0, 4), draw.real("a", 0, 1)
    threshold = draw.real("|x*| / (sigma R)", 0.0, 3)  # |z| from here on covers x*
    pi = tail(threshold)
    good = max(0.0, tail(max(threshold, a)) - tail(2 + t))  # covers, not large, not small
    large = tail(a)  # not small
    exact = large**P - (large - good) ** P
    promised = 1 - (1 - max(0.0, pi - math.exp(-t * t / 2))) ** P - P * math.sqrt(2 / math.pi) * a
    draw.target(promised - exact)
    return exact >= promised - 1e-12
