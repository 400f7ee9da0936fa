r"""Coverage: the probability that some y in ``Y = [-R, R]^d`` is projected onto an optimiser.

The paper claims the coverage ``1 - eta`` for ``R = d/eta`` (claim coverage). That value belongs to
entries of variance 1. This module computes the coverage for the paper's variance 1/n and for any
other. The effective coordinates are axis-aligned, so only the ``d_e x d`` block B of effective rows
matters, with entries ``N(0, sigma^2)``. ``x_star`` is the effective part of the optimiser, and y
covers it when ``clip(B y) = x_star``.

*The law* (claim coverage). Let no ``|x*_i|`` be 1. The least half-width R that covers x* is
``||x*|| / (sigma D)``, ``D = min_mu ||b - W mu||_1``, ``b ~ N(0, I_d)`` and W of shape
``(d, d_e - 1)``, standard normal: rotate the rows of B so that x* becomes ``||x*|| e_1``; b and the
columns of W are then the rows of ``B / sigma``, and D is the largest ``b . y`` over the y of the
unit cube with ``W^T y = 0``, by duality of linear programs. So

    the coverage is ``P(D >= c)``,  ``c = ||x*|| / (sigma R)``.

- ``d = d_e``: ``D = |z| / ||u||_inf``, z normal and u uniform on the sphere; by quadrature for
  ``d <= 100`` (`sphere`).
- ``d_e = 1``: ``D = ||b||_1``, by a contour integral.
- Other cases up to ``d = 100``, and up to 400 if ``d < 2 d_e``: ``E[P(chi_{d-d_e+1} >= c / H)]``
  with sampled H (`least_deviations`): an estimate, always from the same samples, with a standard
  error of at most 0.0022 (4,000 samples) to 0.016 (64 samples, d = 400), measured on grids of c.
- Greater d: the law of D at d = 60, moved to the mean ``d psi((d_e - 1) / d)``
  (`coverage_threshold`) and stretched by ``sqrt(d / 60)``. For d from 100 to 1,000 with ``d >= 2
  d_e`` its error was at most 0.026 on eleven pairs (standard error 0.01); with d = 100 it was 0.023
  for ``d_e = 80`` and 0.031 for ``d_e = 95``. It says nothing about far tails.
- ``d < d_e``: 0, because ``B y = x*`` has no solution almost surely.

The parameters are ``x*`` over the effective coordinates (`x_star`, shape (d_e,), in the cube) or
its norm, the dimension d of Y, the standard deviation `sigma` of the entries (``1/sqrt(n)`` in the
paper), and the half-width R of Y (``d/eta`` in the paper). ValueError is raised for numbers that
none of these can be.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy import integrate, optimize, special, stats

from embedded_hunter.common.arguments import fraction_of_one, integer, not_negative, positive
from embedded_hunter.matrices import Floats
from embedded_hunter.regret import sphere
from embedded_hunter.regret.least_deviations import LARGEST_DIMENSION, sample_reach

REFERENCE = 60
"""Dimension whose law of D stands for that of greater dimensions."""
SAMPLED = 100
"""Greatest d for which D is sampled if d >= 2 d_e."""


def printed_coverage(eta: float) -> float:
    """Coverage that the paper claims, ``1 - eta`` (claim coverage)."""
    return 1 - fraction_of_one("eta", eta)


def coverage_of_matrices(probability: float, matrices: int) -> float:
    """Coverage by at least one of P independent matrices, ``1 - (1 - probability)^P``."""
    if not 0 <= probability <= 1:
        raise ValueError(f"probability must lie in [0, 1], got {probability}")
    P = integer("matrices", matrices, 1)
    return 1.0 if probability == 1 else -math.expm1(P * math.log1p(-probability))


def count_sketch_coverage(d: int, d_e: int) -> float:
    """Coverage of a count sketch with Y = [-1, 1]^d, ``d! / ((d - d_e)! d^d_e)``.

    A count sketch sets each x_i to plus or minus one coordinate of y, drawn uniformly. If the
    ``|x*_i|`` are all different, it covers x* iff the effective coordinates have different ones.
    """
    d, d_e = integer("d", d, 1), integer("d_e", d_e, 1)
    return float(math.perm(d, d_e) / d**d_e)


def coverage_of_norm(norm: float, d: int, sigma: float, R: float, d_e: int) -> float:
    """Coverage of an optimiser inside the cube, which depends on its norm alone (claim coverage).

    Exact up to quadrature if ``d_e = 1``, ``d < d_e`` or ``d = d_e <= 100``; otherwise an estimate
    (module docstring).
    """
    c = not_negative("norm", norm) / (positive("sigma", sigma) * positive("R", R))
    return float(np.mean(_survival(c, integer("d", d, 1), integer("d_e", d_e, 1))))


def coverage_probability(x_star: npt.ArrayLike, d: int, sigma: float, R: float) -> float:
    """`coverage_of_norm` of `x_star`; if some ``|x*_i|`` is 1, see `coverage_at_least`."""
    x = _point(x_star)
    if np.any(np.abs(x) == 1):
        raise ValueError("the law needs |x*_i| < 1 for all i; see coverage_at_least")
    return coverage_of_norm(float(np.linalg.norm(x)), d, sigma, R, x.size)


def _survival(c: float, d: int, d_e: int) -> Floats | float:
    """``P(D >= c)``, or ``P(D >= c | H)`` for each sampled H."""
    if c == 0 or d < d_e:
        return float(c == 0)
    if d_e == 1:
        return _sum_exceeds(c, d)
    if d == d_e <= sphere.LARGEST_DIMENSION:
        law = sphere.expectation(d, lambda m: math.log(2) + special.log_ndtr(-c * m))
        return min(1.0, law)
    if d_e < d and (d > LARGEST_DIMENSION or (d > SAMPLED and d >= 2 * d_e)):
        from_the_mean = (c - d * coverage_threshold((d_e - 1) / d)) * math.sqrt(REFERENCE / d)
        d, d_e = REFERENCE, max(2, 1 + round(REFERENCE * (d_e - 1) / d))
        c = stats.chi.mean(d - d_e + 1) * float(sample_reach(d, d_e).mean()) + from_the_mean
    return np.asarray(stats.chi.sf(c / sample_reach(d, d_e), d - d_e + 1))


def coverage_threshold(share: float) -> float:
    r"""``psi``, the limit of ``D / d`` if ``d_e / d`` tends to `share` (claim coverage-threshold).

    ``psi^2 = share (2 phi(t) / t - 1 + share)``, where phi is the normal density and t the number
    with ``P(|z| <= t) = share``. One matrix covers x* about when ``sigma R d psi >= ||x*||``.

    For finite d the share ``(d_e - 1) / d`` of the columns of W is closer to the mean of ``D / d``
    than ``d_e / d``.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must lie in [0, 1], got {share}")
    if share < 1e-9:
        return math.sqrt(2 / math.pi)
    if share > 1 - 1e-9:
        return 0.0
    t = float(special.ndtri((1 + share) / 2))
    density = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    return math.sqrt(share * (2 * density / t - 1 + share))


def _sum_exceeds(c: float, d: int) -> float:
    """``P(|z_1| + ... + |z_d| >= c)``: the inverse Laplace transform on a line.

    It goes through the saddle point, so that nothing cancels. ``E[exp(s |z|)]`` is
    ``2 exp(s^2/2) Phi(s)``. The relative error is below 1e-7.
    """
    if d == 1:
        return 2 * float(special.ndtr(-c))

    def log_integrand(s: complex) -> complex:
        return complex(d * (math.log(2) + s * s / 2 + special.log_ndtr(s)) - s * c - np.log(s))

    saddle = optimize.minimize_scalar(
        lambda log_s: log_integrand(math.exp(log_s)).real, bounds=(-20, 20), method="bounded"
    )
    if saddle.fun < -700:
        return 0.0
    s_0, width = math.exp(saddle.x), min(math.exp(saddle.x), 1 / math.sqrt(d))
    area, _ = integrate.quad(
        lambda t: np.exp(log_integrand(s_0 + 1j * width * t) - saddle.fun).real,
        0,
        math.inf,
        epsabs=1e-10,
        limit=500,
    )
    return min(1.0, math.exp(saddle.fun) * width * float(area) / math.pi)


def mean_coverage(d: int, sigma: float, R: float) -> float:
    """Coverage of an optimiser that is uniform in the cube, ``d = d_e`` (claim coverage).

    For d = 1 in closed form. For greater d, ``||x*||^2`` is a sum of d squares, for whose law there
    is a Gauss rule, tilted towards the small ``||x*||`` that dominate when ``s = sigma R`` is
    small. The coverage has a kink at ``x* = 0``: the relative error is about 1e-4 for d = 2, and
    falls with d. For ``s <= 1/(d + 4 sqrt(d))`` the faces of the cube no longer matter: without
    them the mean is ``s^d E|z|^d``, z standard normal.
    """
    d, s = integer("d", d, 1), positive("sigma", sigma) * positive("R", R)
    if d == 1:
        small = -math.expm1(-0.5 / s / s) * s * math.sqrt(2 / math.pi)
        return 2 * float(special.ndtr(-1 / s)) + small
    if s <= 1 / (d + 4 * math.sqrt(d)):
        log_moment = 0.5 * d * math.log(2) + math.lgamma((d + 1) / 2) - 0.5 * math.log(math.pi)
        return math.exp(d * math.log(s) + log_moment)
    theta = 1.5 / (d * s * s)  # where all faces are far, x* is s |z| times a point of the cube
    squares, weights, log_mass = sphere.sum_of_squares_rule(d, theta)
    sure = weights > 1e-20
    laws = [coverage_of_norm(math.sqrt(q), d, sigma, R, d) for q in squares[sure]]
    return float((weights[sure] * np.exp(log_mass + theta * squares[sure])) @ np.array(laws))


def coverage_at_least(x_star: npt.ArrayLike, d: int, sigma: float, R: float) -> float:
    """Lower bound on the coverage for any optimiser of the cube and any d (claim coverage).

    Inside the cube it is the law. On a face it is the law at ``||x*||``, because clipping only adds
    preimages.
    """
    x = _point(x_star)
    return coverage_of_norm(float(np.linalg.norm(x)), d, sigma, R, x.size)


def covering_radius(B: npt.ArrayLike, x_star: npt.ArrayLike) -> float:
    """Half-width of the smallest box that covers `x_star` under the matrix B (claim coverage).

    ``min { ||y||_inf : clip(B y) = x* }``, a linear program for B of shape (d_e, d): an unclipped
    row is an equation, a clipped one an inequality. The coverage of Y is the probability that this
    is at most R, and the radius of ``sigma G`` is that of G divided by sigma. It is infinite if no
    y is projected onto `x_star`. RuntimeError if the solver fails for another reason.
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
    x = _point(x_star)
    return np.array(
        [
            covering_radius(rng.standard_normal((x.size, integer("d", d, 1))), x)
            for _ in range(integer("matrices", matrices, 1))
        ]
    )


def box_for_coverage(
    probability: float, norm: float, d: int, sigma: float, d_e: int | None = None
) -> float:
    """Least half-width R that covers an optimiser inside the cube with a probability in (0, 1).

    `norm` is greater than 0. The default of d_e is d, and d is at least d_e.
    """
    probability, norm = fraction_of_one("probability", probability), positive("norm", norm)
    d_e = integer("d", d, 1) if d_e is None else integer("d_e", d_e, 1)
    d = integer("d", d, d_e)

    def excess(log_c: float) -> float:
        return float(np.mean(_survival(math.exp(log_c), d, d_e))) - probability

    most = math.sqrt(d) * (math.sqrt(d) + 40)  # D exceeds it with probability 0 in floats
    c = math.exp(optimize.brentq(excess, -60, math.log(most), xtol=1e-12))
    return norm / (c * positive("sigma", sigma))


def box_that_keeps_the_promise(eta: float, d: int, sigma: float) -> float:
    """Least R whose coverage is at least ``1 - eta`` for every optimiser, d = d_e (claim coverage).

    The coverage decreases in ``||x*||``, which is at most ``sqrt(d)``, and clipping only helps;
    so R solves the exact law at ``||x*|| = sqrt(d)``, approached by optimisers near a corner.
    The paper's ``R = d/eta`` repaired in the obvious way, ``R = d / (eta sigma)``, is larger.
    """
    eta = fraction_of_one("eta", eta)
    return box_for_coverage(1 - eta, math.sqrt(integer("d", d, 1)), d, sigma)


def _point(x_star: npt.ArrayLike) -> Floats:
    x = np.asarray(x_star, dtype=float).ravel()
    if x.size == 0 or not np.all(np.abs(x) <= 1):
        raise ValueError("x_star must be a non-empty point of the cube [-1, 1]^d_e")
    return x
