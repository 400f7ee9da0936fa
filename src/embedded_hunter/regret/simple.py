"""Simple regret of a run, and the b-value of a node."""

import math

import numpy as np
import numpy.typing as npt

from embedded_hunter.regret.arguments import FloatArray


def simple_regret(f_best: float, f_star: float) -> float:
    """Simple regret ``r(v) = f*_v - f*`` (equation (2); claim eq-2).

    Parameters
    ----------
    f_best : float
        Best value that a run has evaluated, ``f*_v``. +inf is allowed.
    f_star : float
        Global minimum ``f*`` of the objective.

    Returns
    -------
    float
        The regret, at least 0.

    Raises
    ------
    ValueError
        If a number is NaN, if `f_star` is infinite, or if `f_best` lies below `f_star`, which then
        is not the minimum.
    """
    return float(regret_curve([f_best], f_star)[0])


def regret_curve(values: npt.ArrayLike, f_star: float) -> FloatArray:
    """Simple regret after each evaluation of a run (equation (2); claim eq-2).

    Parameters
    ----------
    values : array_like of float, shape (v,)
        The values in the order in which they were evaluated.
    f_star : float
        Global minimum of the objective.

    Returns
    -------
    ndarray of float, shape (v,)
        ``r(1), ..., r(v)``: never increasing, never negative.

    Raises
    ------
    ValueError
        If a value is nan or lies below `f_star`.
    """
    best = np.minimum.accumulate(np.asarray(values, dtype=float).ravel())
    if np.isnan(best).any() or not np.isfinite(f_star):
        raise ValueError(
            f"values must not be NaN and f_star must be finite, got f_star = {f_star} and a least "
            f"value of {best[-1] if best.size else math.inf}"
        )
    regret = best - f_star
    if best.size and regret[-1] < 0:
        raise ValueError(f"the value {best[-1]} lies below f* = {f_star}")
    return np.asarray(regret, dtype=float)


def b_value(f_star_hi: float, tau_h: float, delta_h: float) -> float:
    """Lower confidence bound ``b_{h,i} = f*_{h,i} - tau(h) - delta(h)`` (claim b-value).

    Parameters
    ----------
    f_star_hi : float
        ``f*_{h,i}``, best value among the evaluations of the node's base point.
    tau_h : float
        Bound on the inter-variation at depth h (Assumption 4), not negative.
    delta_h : float
        Bound on the intra-variation at depth h (Assumption 2), not negative.

    Returns
    -------
    float
        The b-value. At an optimal node it is at most ``g* = g_{p*}(y*)``, the least value of the
        family of matrices on Y, since ``f*_{h,i} <= g* + tau(h) + delta(h)`` there. It is at most
        ``f*`` if the forest covers an optimiser, ``g* = f*``.

    Raises
    ------
    ValueError
        If a variation is negative, infinite or nan.
    """
    if not (0 <= tau_h < math.inf and 0 <= delta_h < math.inf):
        raise ValueError(
            f"tau_h and delta_h must be finite and not negative, got {tau_h} and {delta_h}"
        )
    return f_star_hi - tau_h - delta_h
