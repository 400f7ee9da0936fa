r"""The ceiling of the fresh policy for a distance to a point, in closed form (claim fresh-ceiling).

The function is ``f(x) = ||x_eff - x*||``. It is easy for a search with one fixed matrix, but
exponentially hard in d_e for every rule that draws a new matrix for each evaluation. After v
evaluations the regret of such a rule is of order ``v^{-1/d_e}`` (claim sharp-fresh-floor):

- :func:`distance_regret_floor`: no rule falls below it with probability more than 1/2;
- :func:`distance_regret_within_reach`: random search at one radius reaches it with probability at
  least 1/2.

Both hold for more than distances. If ``f(x) - f* >= c ||x_eff - x*||`` on the cube, the floor is c
times that of the distance (:func:`fresh_regret_floor`); if ``f(x) - f* <= C ||x_eff - x*||``, C
times the other number is within reach.

Parameters of all: `norm` is ``||x*||``, greater than 0; `d_e` the number of effective coordinates;
`v` the budget of evaluations.
"""

import math

import numpy as np
import numpy.typing as npt


def distance_regret_floor(norm: float, d_e: int, v: int) -> float:
    """Regret that every adaptive fresh rule exceeds with probability at least 1/2.

    The function is ``f(x) = ||x_eff - x*||``. The floor must be less than ``1 - ||x*||_inf``, which
    :func:`fresh_regret_floor` ensures. With ``u = eps/||x*|| < 1`` the ball of radius eps about
    ``x*`` lies in a cone of half-angle ``arcsin u``, and its Gaussian measure is at most its volume
    times the greatest density at its distance from 0. So at every scale one evaluation succeeds
    with a probability of at most ``I_{u^2}((d_e-1)/2, 1/2) / 2`` and
    ``(u/(1-u))^{d_e} / sqrt(pi d_e)``. These two bounds are at most ``1/(2v)`` at
    ``||x*|| v^{-1/(d_e-1)}`` and at ``||x*|| w/(1 + w)``, ``w = (sqrt(pi d_e)/(2v))^{1/d_e}``: the
    greater one is returned (claim sharp-fresh-floor). It is of order ``v^{-1/d_e}``: exponentially
    many evaluations in d_e.

    The first bound requires ``d_e >= 2`` and ``v >= 2``, because it must be less than ``||x*||``,
    the regret of the zero vector. For ``v = 1`` the floor for v = 2 is returned.
    """
    v = max(2, v)
    w = math.pow(math.sqrt(math.pi * d_e) / (2 * v), 1 / d_e)
    cone = math.pow(v, -1 / (d_e - 1)) if d_e > 1 else 0.0
    return norm * max(cone, w / (1 + w))


def fresh_regret_floor(x_star: npt.ArrayLike, v: int, growth: float = 1.0) -> float:
    """Regret that every adaptive fresh rule exceeds with probability at least 1/2.

    For every f with ``f(x) - f* >= c ||x_eff - x*||`` on the cube (claim sharp-fresh-floor). Then
    ``f <= f* + eps`` only within ``eps/c`` of ``x*``, so that the floor is c times that of the
    distance, capped so that the ball lies strictly inside the cube.

    Parameters
    ----------
    x_star : array_like of float, shape (d_e,)
        Effective part of the optimiser: strictly inside the cube and not 0.
    growth : float
        The constant c, greater than 0.

    Raises
    ------
    ValueError
        If `x_star` is 0 (then the first evaluation can find it) or not strictly inside the cube.
    """
    x = np.asarray(x_star, dtype=float).ravel()
    if not (x.any() and np.all(np.abs(x) < 1)):
        raise ValueError("x_star must lie strictly inside the cube and not be 0")
    room = math.nextafter(1 - float(np.abs(x).max()), 0)
    floor = distance_regret_floor(float(np.linalg.norm(x)), x.size, v)
    return growth * min(floor, room)


def distance_regret_within_reach(norm: float, d_e: int, v: int) -> tuple[float, float]:
    """Regret that v evaluations at one radius reach with probability at least 1/2, and its scale.

    For ``f(x) = ||x_eff - x*||``, x* anywhere in the cube (claim sharp-fresh-floor). At the scale
    ``s = (||x*|| + eps)/sqrt(d_e)`` one fresh evaluation is within eps of x* with probability at
    least ``kappa (u/(1 + u))^{d_e}``, ``u = eps/||x*||``: the volume of the ball times its least
    density, where ``kappa = (d_e/(2e))^{d_e/2} / Gamma(d_e/2 + 1)``. With ``w = (ln 2 / (kappa
    v))^{1/d_e} < 1/2`` and ``u = w/(1 - w)`` the chance of v failures is at most 1/2. For lesser v
    the zero vector, at the scale 0 and the distance ``||x*||``, is as good.

    Return the regret eps and the scale s = ``sigma ||y||``. The rule needs a y of this scale, so
    ``s <= sigma R sqrt(d)``.
    """
    log_kappa = 0.5 * d_e * (math.log(d_e / 2) - 1) - math.lgamma(d_e / 2 + 1)
    w = math.exp((math.log(math.log(2) / v) - log_kappa) / d_e)
    if w >= 0.5:
        return norm, 0.0
    eps = norm * w / (1 - w)
    return eps, (norm + eps) / math.sqrt(d_e)
