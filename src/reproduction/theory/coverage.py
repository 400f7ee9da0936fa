r"""Coverage: the probability that some y in ``Y = [-R, R]^d`` is projected onto an optimiser.

The paper claims the coverage ``1 - eta`` for ``R = d/eta`` (claim coverage). That value belongs to
entries of variance 1. This module computes the coverage for the paper's variance 1/n and for any
other. As many variables matter as Y has: ``d = d_e``, and the effective coordinates are
axis-aligned. So only the d x d block B of effective rows matters, with entries ``N(0, sigma^2)``.
``x_star`` is the effective part of the optimiser, and y covers it when ``clip(B y) = x_star``.

*The law* (claim coverage). Let no ``|x*_i|`` be 1. The least half-width R that covers x* is
``||x*|| / (sigma D)``, ``D = min_mu ||b - W mu||_1``, ``b ~ N(0, I_d)`` and W of shape
``(d, d - 1)``, standard normal: rotate the rows of B so that x* becomes ``||x*|| e_1``; b and the
columns of W are then the rows of ``B / sigma``, and D is the largest ``b . y`` over the y of the
unit cube with ``W^T y = 0``, by duality of linear programs. So

    the coverage is ``P(D >= c)``,  ``c = ||x*|| / (sigma R)``,

and ``D = |z| / ||u||_inf``, z normal and u uniform on the sphere, is computed by quadrature for
``d <= 100`` (`sphere`).

The parameters are ``x*`` over the effective coordinates (`x_star`, shape (d,), in the cube) or its
norm, the dimension d of Y, the standard deviation `sigma` of the entries (``1/sqrt(n)`` in the
paper), and the half-width R of Y (``d/eta`` in the paper).
"""

import math

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from embedded_hunter.matrices import Floats
from reproduction.theory import sphere


def coverage_of_matrices(probability: float, matrices: int) -> float:
    """Coverage by at least one of P independent matrices, ``1 - (1 - probability)^P``."""
    return 1.0 if probability == 1 else -math.expm1(matrices * math.log1p(-probability))


def coverage_of_norm(norm: float, d: int, sigma: float, R: float) -> float:
    """Coverage of an optimiser inside the cube, which depends on its norm alone (claim coverage).

    d <= 100.
    """
    c = norm / (sigma * R)
    return _survival(c, d)


def coverage_probability(x_star: npt.ArrayLike, sigma: float, R: float) -> float:
    """`coverage_of_norm` of `x_star`, inside the cube: no ``|x*_i|`` is 1."""
    x = point_of_the_cube(x_star)
    if np.any(np.abs(x) == 1):
        raise ValueError("the law needs |x*_i| < 1 for all i")
    return coverage_of_norm(float(np.linalg.norm(x)), x.size, sigma, R)


def _survival(c: float, d: int) -> float:
    """``P(D >= c)``."""
    if c == 0:
        return 1.0
    law = sphere.expectation(d, lambda m: math.log(2) + special.log_ndtr(-c * m))
    return min(1.0, law)


def covering_radius(B: npt.ArrayLike, x_star: npt.ArrayLike) -> float:
    """Half-width of the smallest box that covers `x_star` under the matrix B (claim coverage).

    ``min { ||y||_inf : clip(B y) = x* }``, a linear program for B of shape (d_e, d): an unclipped
    row is an equation, a clipped one an inequality. The coverage of Y is the probability that this
    is at most R, and the radius of ``sigma G`` is that of G divided by sigma. It is infinite if no
    y is projected onto `x_star`. RuntimeError if the solver fails for another reason.
    """
    x = point_of_the_cube(x_star)
    rows = np.asarray(B, dtype=float).reshape(x.size, -1)
    d = rows.shape[1]
    clipped = np.abs(x) == 1
    if d == x.size and not clipped.any():
        try:
            return float(np.max(np.abs(np.linalg.solve(rows, x)), initial=0.0))
        except np.linalg.LinAlgError:
            pass  # B is singular: the linear program decides whether there is a solution
    eye, ones, beyond = np.eye(d), np.ones((d, 1)), -x[clipped, None] * rows[clipped]
    answer = optimize.linprog(
        np.append(np.zeros(d), 1.0),
        A_ub=np.block([[eye, -ones], [-eye, -ones], [beyond, np.zeros((len(beyond), 1))]]),
        b_ub=np.append(np.zeros(2 * d), -np.ones(len(beyond))),
        A_eq=np.pad(rows[~clipped], ((0, 0), (0, 1))),
        b_eq=x[~clipped],
        bounds=(None, None),
    )
    if answer.status == 2:
        return math.inf
    if answer.status != 0:
        raise RuntimeError(f"the linear program of the covering radius failed: {answer.message}")
    return float(answer.fun)


def sample_covering_radii(
    x_star: npt.ArrayLike, d: int, matrices: int, rng: np.random.Generator
) -> Floats:
    """Covering radii of independent matrices with entries N(0, 1), shape (matrices,).

    One sample serves every sigma and R: the coverage of `x_star` is the share of radii ``<= sigma
    R`` (claims coverage, n-invariance). The radius is infinite where nothing covers.
    """
    x = point_of_the_cube(x_star)
    return np.array([covering_radius(rng.standard_normal((x.size, d)), x) for _ in range(matrices)])


def box_that_keeps_the_promise(eta: float, d: int, sigma: float) -> float:
    """Least R whose coverage is at least ``1 - eta`` for every optimiser, d = d_e (claim coverage).

    The coverage decreases in ``||x*||``, which is at most ``sqrt(d)``, and clipping only helps;
    so R solves the exact law at ``||x*|| = sqrt(d)``, approached by optimisers near a corner.
    The paper's ``R = d/eta`` repaired in the obvious way, ``R = d / (eta sigma)``, is larger.
    """
    promised = 1 - eta
    most = math.sqrt(d) * (math.sqrt(d) + 40)  # D exceeds it with probability 0 in floats
    log_c = optimize.brentq(
        lambda log_c: _survival(math.exp(log_c), d) - promised, -60, math.log(most), xtol=1e-12
    )
    return math.sqrt(d) / (math.exp(log_c) * sigma)


def point_of_the_cube(x_star: npt.ArrayLike) -> Floats:
    """Return a non-empty point of ``[-1, 1]^d_e``, shape (d_e,)."""
    x = np.asarray(x_star, dtype=float).ravel()
    if x.size == 0 or not np.all(np.abs(x) <= 1):
        raise ValueError("x_star must be a non-empty point of the cube [-1, 1]^d_e")
    return x
