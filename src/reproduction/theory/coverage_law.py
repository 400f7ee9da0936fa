r"""Coverage for any dimension d of Y, more than the d_e variables that matter (beyond the paper).

`reproduction.theory.coverage` has the law: the coverage is ``P(D >= c)`` with
``c = ||x*|| / (sigma R)`` and ``D = min_mu ||b - W mu||_1``. There d is d_e. Here:

- Up to ``d = 100``, and up to 400 if ``d < 2 d_e``: ``E[P(chi_{d-d_e+1} >= c / H)]``
  with sampled H (`least_deviations`): an estimate, always from the same samples, with a standard
  error of at most 0.0022 (4,000 samples) to 0.016 (64 samples, d = 400), measured on grids of c.
- Greater d: the law of D at d = 60, moved to the mean ``d psi((d_e - 1) / d)``
  (`coverage_threshold`) and stretched by ``sqrt(d / 60)``. For d from 100 to 1,000 with ``d >= 2
  d_e`` its error was at most 0.026 on eleven pairs (standard error 0.01); with d = 100 it was 0.023
  for ``d_e = 80`` and 0.031 for ``d_e = 95``. It says nothing about far tails.
- ``d < d_e``: 0, because ``B y = x*`` has no solution almost surely.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from embedded_hunter.matrices import Floats
from reproduction.theory import sphere
from reproduction.theory.coverage import coverage_of_norm, point_of_the_cube
from reproduction.theory.least_deviations import LARGEST_DIMENSION, sample_reach

REFERENCE = 60
"""Dimension whose law of D stands for that of greater dimensions."""
SAMPLED = 100
"""Greatest d for which D is sampled if d >= 2 d_e."""


def law_of_coverage(norm: float, d: int, sigma: float, R: float, d_e: int) -> float:
    """Coverage of an optimiser inside the cube, which depends on its norm alone (coverage-law).

    Exact up to quadrature if ``d < d_e`` or ``d = d_e <= 100``; otherwise an estimate (module
    docstring).
    """
    c = norm / (sigma * R)
    if d == d_e <= sphere.LARGEST_DIMENSION:
        return coverage_of_norm(norm, d, sigma, R)
    return float(np.mean(_survival(c, d, d_e)))


def coverage_at_least(x_star: npt.ArrayLike, d: int, sigma: float, R: float) -> float:
    """Lower bound on the coverage for any optimiser of the cube and any d (claim coverage).

    Inside the cube it is the law. On a face it is the law at ``||x*||``, because clipping only adds
    preimages.
    """
    x = point_of_the_cube(x_star)
    return law_of_coverage(float(np.linalg.norm(x)), d, sigma, R, x.size)


def forest_coverage(x_star: npt.ArrayLike, trees: Sequence[tuple[int, float]]) -> float:
    """Probability that one of several independent embeddings covers `x_star`.

    1 minus the product of the probabilities to miss it; for P alike ``1 - (1 - pi)^P`` (claim
    forest-coverage). pi is `coverage_at_least`: the law inside the cube.

    `x_star` is the effective part of the optimiser, in the cube; `trees` has d and ``sigma R`` of
    each tree.
    """
    pi = np.array([coverage_at_least(x_star, d, 1.0, scale) for d, scale in trees])
    with np.errstate(divide="ignore"):
        return float(-np.expm1(np.log1p(-pi).sum()))


def _survival(c: float, d: int, d_e: int) -> Floats | float:
    """``P(D >= c)``, or ``P(D >= c | H)`` for each sampled H."""
    if c == 0 or d < d_e:
        return float(c == 0)
    if d_e < d and (d > LARGEST_DIMENSION or (d > SAMPLED and d >= 2 * d_e)):
        from_the_mean = (c - d * coverage_threshold((d_e - 1) / d)) * math.sqrt(REFERENCE / d)
        d, d_e = REFERENCE, max(1, 1 + round(REFERENCE * (d_e - 1) / d))
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
