"""Simple regret of a run, and the b-value of a node.

`f_star` is the global minimum ``f*`` of the objective. A value of +inf is allowed. ValueError is
raised if a number is NaN, if `f_star` is infinite, or if a value lies below it, which then is not
the minimum.
"""

import math

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats


def simple_regret(f_best: float, f_star: float) -> float:
    """Simple regret ``r(v) = f*_v - f*`` of the best value ``f*_v`` (equation (2); claim eq-2)."""
    return float(regret_curve([f_best], f_star)[0])


def regret_curve(values: npt.ArrayLike, f_star: float) -> Floats:
    """Simple regret ``r(1), ..., r(v)`` after each evaluation, shape (v,) (equation (2)).

    `values`, shape (v,), are in the order in which they were evaluated (claim eq-2).
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

    ``f*_{h,i}`` is the best value among the evaluations of the node's base point; tau and delta
    bound the inter-variation (Assumption 4) and the intra-variation (Assumption 2) at depth h, and
    must be finite and not negative. At an optimal node the b-value is at most ``g* = g_{p*}(y*)``,
    the least value of the family of matrices on Y, since ``f*_{h,i} <= g* + tau(h) + delta(h)``
    there. It is at most ``f*`` if the forest covers an optimiser, ``g* = f*``.
    """
    if not (0 <= tau_h < math.inf and 0 <= delta_h < math.inf):
        raise ValueError(
            f"tau_h and delta_h must be finite and not negative, got {tau_h} and {delta_h}"
        )
    return f_star_hi - tau_h - delta_h
