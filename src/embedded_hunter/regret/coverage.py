r"""Coverage: the probability that some y in ``Y = [-R, R]^d`` is projected onto an optimiser.

The paper claims the coverage ``1 - eta`` for ``R = d/eta`` (claim coverage). That value belongs to
entries of variance 1. This module computes the coverage for the paper's variance 1/n and for any
other. The effective coordinates are axis-aligned, so only the ``d_e x d`` block B of effective rows
matters, with entries ``N(0, sigma^2)``. ``x_star`` is the effective part of the optimiser, and y
covers it when ``clip(B y) = x_star``.

*Law of the minimum-norm solution.* Let no ``|x*_i|`` be 1 and ``d >= d_e``. The minimum-norm
solution of ``B y = x*`` has the norm ``||x*|| / (sigma chi)``, chi distributed like
``chi_{d - d_e + 1}``, and an independent uniform direction u (``B Q`` and ``Q B`` are
distributed like B for orthogonal Q). Hence it lies in Y with probability

    ``E_u[ P(chi_{d-d_e+1} >= c ||u||_inf) ]``,  ``c = ||x*|| / (sigma R)``.

For ``d = d_e`` the solution is unique: this is the coverage. For ``d > d_e`` it is a lower
bound, and ``P(chi_{d-d_e+1} >= c / sqrt(d))`` an upper one, because every solution in Y has a
norm of at most ``sqrt(d) R``. Everything depends on sigma and R through ``sigma R`` alone.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import optimize, special, stats

from embedded_hunter.regret.estimate import (
    Estimate,
    FloatArray,
    estimate_probability,
    fraction_of_one,
    not_negative,
    positive,
    whole,
)
from embedded_hunter.regret.sphere import (
    expectation_of_largest_coordinate,
    sum_of_squares_rule,
)


def printed_coverage(eta: float) -> float:
    """Coverage that the paper claims, ``1 - eta`` (claim coverage)."""
    return 1 - fraction_of_one("eta", eta)


def coverage_of_matrices(probability: float, matrices: int) -> float:
    """Coverage by at least one of P independent matrices, ``1 - (1 - probability)^P``."""
    if not 0 <= probability <= 1:
        raise ValueError(f"probability must lie in [0, 1], got {probability}")
    return (
        -math.expm1(whole("matrices", matrices) * math.log1p(-probability))
        if (probability < 1)
        else 1.0
    )


def minimum_norm_coverage(norm: float, d: int, sigma: float, R: float, d_e: int) -> float:
    """Probability that the minimum-norm solution of ``B y = x*`` lies in Y.

    Computed by Gauss quadrature with positive weights, so that tiny probabilities keep their
    relative accuracy (module docstring; claim coverage).

    Parameters
    ----------
    norm : float
        ``||x*||`` over the effective coordinates.
    d : int
        Dimension of Y.
    sigma : float
        Standard deviation of the entries.
    R : float
        Half-width of Y.
    d_e : int
        Number of effective coordinates, at most `d`.

    Raises
    ------
    ValueError
        If ``d < d_e``: the system then has no solution almost surely.
    """
    d, d_e = whole("d", d), whole("d_e", d_e)
    if d < d_e:
        raise ValueError(f"d = {d} < d_e = {d_e}: B y = x* has no solution almost surely")
    c = not_negative("norm", norm) / (positive("sigma", sigma) * positive("R", R))
    if c == 0:
        return 1.0
    return expectation_of_largest_coordinate(d, c, d - d_e + 1)


def coverage_probability(x_star: npt.ArrayLike, d: int, sigma: float, R: float) -> float:
    """Exact probability that some y in Y is projected onto `x_star` (claim coverage).

    Parameters
    ----------
    x_star : array_like of float, shape (d_e,)
        Effective part of the optimiser, strictly inside the cube.
    d : int
        Dimension of Y, equal to d_e.
    sigma : float
        Standard deviation of the entries; ``1/sqrt(n)`` in the paper.
    R : float
        Half-width of Y; ``d/eta`` in the paper.

    Raises
    ------
    ValueError
        If ``d != d_e`` or a coordinate is clipped: no closed law is known, see
        :func:`coverage_bounds` and :func:`estimate_coverage`.
    """
    x = _point(x_star)
    if x.size != d or np.any(np.abs(x) == 1):
        raise ValueError(
            "the exact law needs d = d_e and |x*_i| < 1; see coverage_bounds, estimate_coverage"
        )
    return minimum_norm_coverage(float(np.linalg.norm(x)), d, sigma, R, d)


def mean_coverage(d: int, sigma: float, R: float) -> float:
    """Coverage of an optimiser that is uniform in the cube, ``d = d_e`` (claim coverage).

    For d = 1 in closed form. For greater d, ``||x*||^2`` is a sum of d squares, for whose law there
    is a Gauss rule, tilted towards the small ``||x*||`` that dominate when ``s = sigma R`` is small
    (plain Monte Carlo over optimisers needs very many of them). The coverage has a kink at ``x* =
    0``: the relative error is about 1e-4 for d = 2, and falls with d. For
    ``s <= 1/(d + 4 sqrt(d))`` the faces of the cube no longer matter: without them the mean is
    ``s^d E|z|^d``, z standard normal.

    Parameters
    ----------
    d : int
        Dimension of Y and number of effective coordinates.
    sigma : float
        Standard deviation of the entries.
    R : float
        Half-width of Y.
    """
    d, s = whole("d", d), positive("sigma", sigma) * positive("R", R)
    if d == 1:
        small = -math.expm1(-0.5 / s / s) * s * math.sqrt(2 / math.pi)
        return 2 * float(special.ndtr(-1 / s)) + small
    if s <= 1 / (d + 4 * math.sqrt(d)):
        log_moment = 0.5 * d * math.log(2) + math.lgamma((d + 1) / 2) - 0.5 * math.log(math.pi)
        return math.exp(d * math.log(s) + log_moment)
    theta = 1.5 / (d * s * s)  # where all faces are far, x* is s |z| times a point of the cube
    squares, weights, log_mass = sum_of_squares_rule(d, theta)
    sure = weights > 1e-20
    laws = [minimum_norm_coverage(math.sqrt(q), d, sigma, R, d) for q in squares[sure]]
    return float((weights[sure] * np.exp(log_mass + theta * squares[sure])) @ np.array(laws))


def coverage_bounds(x_star: npt.ArrayLike, d: int, sigma: float, R: float) -> tuple[float, float]:
    """Bounds on the coverage for any optimiser and any d (claim coverage).

    The lower bound is the law of the minimum-norm solution, which also covers a clipped
    optimiser (0 if ``d < d_e``). The upper bound multiplies two independent necessary
    conditions: the unclipped rows have a solution of norm at most ``sqrt(d) R``, and each
    clipped row satisfies ``||B_i|| sqrt(d) R >= 1``. They coincide when ``d = d_e`` and nothing
    is clipped.

    Returns
    -------
    low, high : float
        The bounds.
    """
    x = _point(x_star)
    d, scale = whole("d", d), positive("sigma", sigma) * positive("R", R)
    clipped = np.abs(x) == 1
    inner = float(np.linalg.norm(x[~clipped]))
    low = (
        minimum_norm_coverage(float(np.linalg.norm(x)), d, sigma, R, x.size)
        if x.size <= d
        else float(not x.any())
    )
    if not clipped.any() and x.size == d:
        return low, low
    high = stats.chi2.sf(1 / (d * scale**2), d) ** int(clipped.sum())
    free = int((~clipped).sum())
    if inner > 0:
        high *= stats.chi2.sf((inner / scale) ** 2 / d, d - free + 1) if free <= d else 0.0
    return low, max(low, float(high))


def covering_radius(B: npt.ArrayLike, x_star: npt.ArrayLike) -> float:
    """Half-width of the smallest box that covers `x_star` under the matrix B (claim coverage).

    ``min { ||y||_inf : clip(B y) = x* }``, a linear program: an unclipped row is an equation,
    a clipped one an inequality. The coverage of Y is the probability that this is at most R,
    and the radius of ``sigma G`` is that of G divided by sigma.

    Parameters
    ----------
    B : array_like of float, shape (d_e, d)
        Effective rows.
    x_star : array_like of float, shape (d_e,)
        Effective part of the optimiser, in the cube.

    Returns
    -------
    float
        The half-width; infinity if no y is projected onto `x_star`.

    Raises
    ------
    RuntimeError
        If the solver fails for another reason than infeasibility.
    """
    x = _point(x_star)
    rows = np.asarray(B, dtype=float).reshape(x.size, -1)
    d = rows.shape[1]
    clipped = np.abs(x) == 1
    if d == x.size and not clipped.any():
        try:
            return float(np.max(np.abs(np.linalg.solve(rows, x)), initial=0.0))
        except np.linalg.LinAlgError:
            pass  # B is singular: the linear program decides whether there is a solution
    cost = np.zeros(d + 1)
    cost[-1] = 1.0
    box = np.hstack([np.vstack([np.eye(d), -np.eye(d)]), -np.ones((2 * d, 1))])
    beyond = -x[clipped, None] * rows[clipped]
    limits = np.vstack([box, np.hstack([beyond, np.zeros((beyond.shape[0], 1))])])
    right = np.concatenate([np.zeros(2 * d), -np.ones(beyond.shape[0])])
    equal = np.hstack([rows[~clipped], np.zeros((int((~clipped).sum()), 1))])
    answer = optimize.linprog(
        cost,
        A_ub=limits,
        b_ub=right,
        A_eq=equal if equal.size else None,
        b_eq=x[~clipped] if equal.size else None,
        bounds=[(None, None)] * d + [(0, None)],
        method="highs",
    )
    if answer.status == 2:
        return math.inf
    if answer.status != 0:
        raise RuntimeError(f"the linear program of the covering radius failed: {answer.message}")
    return float(answer.fun)


def sample_covering_radii(
    x_star: npt.ArrayLike, d: int, matrices: int, rng: np.random.Generator
) -> FloatArray:
    """Covering radii of independent matrices with entries N(0, 1) (claims coverage, n-invariance).

    One sample serves every sigma and R: the coverage is the share of radii ``<= sigma R``.

    Parameters
    ----------
    x_star : array_like of float, shape (d_e,)
        Effective part of the optimiser.
    d : int
        Dimension of Y.
    matrices : int
        Number of matrices.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of float, shape (matrices,)
        The radii, infinite where nothing covers.
    """
    x = _point(x_star)
    return np.array(
        [
            covering_radius(rng.standard_normal((x.size, whole("d", d))), x)
            for _ in range(whole("matrices", matrices))
        ]
    )


def estimate_coverage(
    x_star: npt.ArrayLike,
    d: int,
    sigma: float,
    R: float,
    matrices: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> Estimate:
    """Coverage by Monte Carlo over matrices, with the exact binomial interval (claim coverage).

    It does not use the law above. It works for clipped optimisers and for any d.

    Parameters
    ----------
    x_star, d, sigma, R
        As in :func:`coverage_probability`; here `d` may differ from d_e.
    matrices : int
        Number of matrices to draw.
    rng : numpy.random.Generator
        Source of randomness.
    confidence : float
        Confidence level of the interval.
    """
    radii = sample_covering_radii(x_star, d, matrices, rng)
    hits = int(np.count_nonzero(radii <= positive("sigma", sigma) * positive("R", R)))
    return estimate_probability(hits, radii.size, confidence)


def box_for_coverage(
    probability: float, norm: float, d: int, sigma: float, d_e: int | None = None
) -> float:
    """Half-width R for which the minimum-norm solution lies in Y with a given probability.

    Parameters
    ----------
    probability : float
        The required coverage, in (0, 1).
    norm : float
        ``||x*||`` over the effective coordinates, greater than 0.
    d : int
        Dimension of Y.
    sigma : float
        Standard deviation of the entries.
    d_e : int, optional
        Number of effective coordinates, at most d; default d.
    """
    probability, norm = fraction_of_one("probability", probability), positive("norm", norm)
    d_e = d if d_e is None else d_e

    def excess(log_c: float) -> float:
        return minimum_norm_coverage(math.exp(log_c), d, 1.0, 1.0, d_e) - probability

    low = -1.0
    while excess(low) < 0:
        low -= 2.0
    high = 1.0
    while excess(high) > 0:
        high += 1.0
    c = math.exp(optimize.brentq(excess, low, high, xtol=1e-12))
    return norm / (c * positive("sigma", sigma))


def box_that_keeps_the_promise(eta: float, d: int, sigma: float) -> float:
    """Least R whose coverage is at least ``1 - eta`` for every optimiser, d = d_e (claim coverage).

    The coverage decreases in ``||x*||``, which is at most ``sqrt(d)``, and clipping only helps;
    so R solves the exact law at ``||x*|| = sqrt(d)``, approached by optimisers near a corner.
    The paper's ``R = d/eta`` repaired in the obvious way, ``R = d / (eta sigma)``, is larger.
    """
    eta = fraction_of_one("eta", eta)
    return box_for_coverage(1 - eta, math.sqrt(whole("d", d)), d, sigma)


def _point(x_star: npt.ArrayLike) -> FloatArray:
    x = np.asarray(x_star, dtype=float).ravel()
    if x.size == 0 or not np.all(np.abs(x) <= 1):
        raise ValueError("x_star must be a non-empty point of the cube [-1, 1]^d_e")
    return x
