"""The ceiling of the fresh policy for a distance to a point, in closed form (claim fresh-ceiling).

``f(x) = ||x_eff - x*||``: the easiest function there is for a search with one fixed matrix, and
exponentially hard in d_e for every rule that draws a new matrix for each evaluation.
"""

from __future__ import annotations

import math

from scipy import special, stats

from embedded_hunter.regret.estimate import not_negative, positive, whole


def distance_success_probability(eps: float, norm: float, d_e: int, s: float) -> float:
    """``p_s(eps)`` of ``f(x) = ||x_eff - x*||``, exactly, by the noncentral chi-square law.

    Valid while the ball of radius `eps` about ``x*`` lies inside the cube, so that clipping does
    not touch it.

    Parameters
    ----------
    eps : float
        Regret, not negative.
    norm : float
        ``||x*||``.
    d_e : int
        Number of effective coordinates.
    s : float
        Scale ``sigma ||y||``, greater than 0.
    """
    s = positive("s", s)
    return float(
        stats.ncx2.cdf((not_negative("eps", eps) / s) ** 2, whole("d_e", d_e), (norm / s) ** 2)
    )


def distance_pbar_bound(eps: float, norm: float, d_e: int) -> float:
    """Bound on ``pbar(eps)`` for ``f(x) = ||x_eff - x*||``, all scales (claim fresh-ceiling).

    With ``u = eps/||x*|| < 1`` and the ball of radius eps about ``x*`` inside the cube: the ball
    lies in a cone of half-angle ``arcsin u``, and its Gaussian measure is at most its volume times
    the greatest density at its distance from 0. Hence
    ``min { I_{u^2}((d_e-1)/2, 1/2) / 2, (u/(1-u))^{d_e} / sqrt(pi d_e) }``.

    Parameters
    ----------
    eps : float
        Regret, less than ``||x*||``.
    norm : float
        ``||x*||``, greater than 0.
    d_e : int
        Number of effective coordinates.
    """
    u, d_e = not_negative("eps", eps) / positive("norm", norm), whole("d_e", d_e)
    if u >= 1:
        return 1.0
    cone = 0.5 * float(special.betainc((d_e - 1) / 2, 0.5, u * u)) if d_e > 1 else 0.5
    return min(cone, (u / (1 - u)) ** d_e / math.sqrt(math.pi * d_e))


def distance_regret_floor(norm: float, d_e: int, v: int) -> float:
    """Regret that every adaptive fresh rule exceeds with probability at least 1/2.

    ``||x*|| v^{-1/(d_e-1)}`` for ``f(x) = ||x_eff - x*||``, provided that this is less than
    ``1 - ||x*||_inf`` (claim fresh-ceiling): exponentially many evaluations in d_e.
    """
    if whole("d_e", d_e) < 2:
        raise ValueError("the cone bound needs at least two effective coordinates")
    return positive("norm", norm) * math.pow(whole("v", v), -1 / (d_e - 1))
