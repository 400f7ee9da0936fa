r"""Lemma 1 and Theorem 2 as numbers: the printed forms and the corrected ones.

The analysis uses one branch of nodes ``o_0, o_1, ...``, each a child of the previous one, with
recorded values ``f* <= v(o_h) <= f* + eps_h``, and the values of the other nodes.
``eps_h = tau(h) + delta(h)`` is allowed only if the matrices cover an optimiser. Otherwise the gap
between their least value on Y and f* must be added. With
``E_{k,h} = max_{k<=l<=h} eps_l`` and N_k(e) the number of nodes at depth k whose value is at most
``f* + e``, node o_h is expanded within ``S_h = sum_{k<=h} N_k(E_{k,h})`` sweeps (corrected
Lemma 1), after which the regret is at most ``min_{l<=h+1} eps_l`` (corrected Theorem 2).

A sweep visits at most ``h_max + 1`` depths, and sweep s at most ``min(s, h_max + 1)``. So the
printed factor ``h_max`` of ``t_h`` is too small.

Sequences have one number for each depth 0, 1, ...; `f_star` is f*, `sweeps` a number of sweeps, and
`h_max` the greatest depth at which nodes are expanded.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from numbers import Rational

import numpy as np
import numpy.typing as npt

from reproduction.theory.geometry import norm_class_bound


def near_optimal_nodes(values: npt.ArrayLike, threshold: float) -> int:
    """Number of nodes of one depth with a value of at most `threshold` (claim definition-2)."""
    return int(np.count_nonzero(np.asarray(values, dtype=float) <= threshold))


def sweeps_to_expand(
    values_by_depth: Sequence[npt.ArrayLike],
    f_star: float,
    eps: Sequence[float],
    zero_depth: int | None = None,
) -> tuple[int, ...]:
    """``S_h`` of the corrected Lemma 1 for each depth h (claims lemma-1, forest-lemma-1).

    `values_by_depth` has for each depth k the values of all its nodes, or lower bounds on them; for
    a forest those of its P trees, shape (P, K^k). `eps` are upper bounds on the excess of the
    optimal nodes' values. If the zero vector of a forest has a queue of its own, `zero_depth` is
    the greatest depth at which the branch's node has base point 0.
    """
    if len(eps) < len(values_by_depth):
        raise ValueError("eps must list every depth of values_by_depth")
    depths = [np.atleast_2d(np.asarray(v, dtype=float)) for v in values_by_depth]
    first = 0 if zero_depth is None else zero_depth + 1
    # Sorted values, without that of the zero vector if it has its own queue.
    others = [
        np.sort((d if zero_depth is None else np.delete(d, d.shape[1] // 2, axis=1)).ravel())
        for d in depths
    ]
    totals = []
    for h in range(len(depths)):
        total = 0
        for k in range(h + 1):
            if k < first:  # o_k has base point 0: in each tree one node of depth k counts
                total += len(depths[k])
            if (start := max(k, first)) <= h:
                limit = f_star + float(max(eps[start : h + 1]))
                total += int(np.searchsorted(others[k], limit, side="right"))
        totals.append(total)
    return tuple(totals)


def printed_iterations_to_expand(counts: Sequence[int], h_max: int) -> tuple[int, ...]:
    """``t_h`` of Lemma 1 as printed, ``h_max sum_{k<=h} |I_k|`` (claim lemma-1; refuted).

    `counts` are ``|I_k^{m_hat delta(k)}|``.
    """
    # Python's integers: those of numpy overflow at 3^40 nodes.
    return tuple(h_max * total for total in accumulate(map(int, counts)))


def iterations_of_sweeps(sweeps: int, h_max: int) -> int:
    """Most iterations that the first `sweeps` sweeps take, ``sum_s min(s, h_max + 1)``.

    At most ``(h_max + 1) sweeps``, the corrected factor of Lemma 1 (claims lemma-1,
    loop-bound-static).
    """
    reach = h_max + 1
    short = min(sweeps, reach)
    return short * (short + 1) // 2 + (sweeps - short) * reach


def iterations_to_expand(sweeps: int, h: int, h_max: int) -> int:
    """Iterations within which a node of depth h is expanded that some sweep <= `sweeps` expands.

    ``sum_{s < S} min(s, h_max + 1) + min(S, h + 1)``: the last of the S sweeps counts only up to
    its visit of depth h (claim lemma-1-sharper). With ``S = S_h`` of `sweeps_to_expand` this
    is the sharper form of the corrected Lemma 1; it equals `iterations_of_sweeps` for h = h_max.
    """
    if h > h_max:
        raise ValueError(f"nodes of depth {h} > h_max = {h_max} are never expanded")
    return iterations_of_sweeps(sweeps - 1, h_max) + min(sweeps, h + 1)


def evaluations_of_sweeps(sweeps: int, d: int, K: int, h_max: int) -> int:
    """Most evaluations of the root and the first `sweeps` sweeps (claim theorem-2).

    Sweep s expands at most one node for each norm at each of the depths up to
    ``min(s - 1, h_max)``: ``1 + K sum_s sum_{l < min(s, h_max + 1)} gamma_l``.
    """
    per_depth = np.array([norm_class_bound(h, d, K) for h in range(h_max + 1)], dtype=object)
    reach = np.cumsum(per_depth)
    short = min(sweeps, h_max + 1)
    return 1 + K * int(sum(reach[:short]) + (sweeps - short) * reach[-1])


def multiples_of_delta(
    tau: Sequence[float | Fraction], delta: Sequence[float | Fraction]
) -> tuple[int, ...]:
    """``m_h`` of equation (7): least non-decreasing integers with ``tau + delta <= m_h delta``.

    (Claim eq-7.) The last one is ``m_hat``. The integers have any size: for ``tau = 1`` and
    ``delta(h) = 3^-h`` they are ``1 + 3^h``. They are exact if all numbers are fractions or
    integers. A float is taken as a rounded number: a quotient of floats that exceeds an integer by
    less than one part in 2^50 counts as that integer. If some ``delta(h)`` is 0, no m_h exists.
    """
    if len(tau) != len(delta) or not all(
        0 <= t < math.inf and 0 < e < math.inf for t, e in zip(tau, delta, strict=True)
    ):
        raise ValueError("m_h needs tau >= 0 and delta > 0 at every depth")
    return tuple(accumulate((1 + _ceiling(t, e) for t, e in zip(tau, delta, strict=True)), max))


def _ceiling(t: float | Fraction, e: float | Fraction) -> int:
    exact = all(isinstance(number, Rational) for number in (t, e))
    rounding = Fraction(0 if exact else 1, 2**50)  # 3.0**-10 is not quite 3^-10
    return math.ceil(Fraction(t) / Fraction(e) * (1 - rounding))


def near_optimal_bound(C: float, m_hat_delta: Sequence[float], d_hat: float) -> tuple[float, ...]:
    """Lemma 2, ``|I_h| <= C (m_hat delta(h))^{-d_hat}``, for each depth (claim lemma-2).

    Infinite where the power exceeds every float, as it does for a `m_hat_delta` that underflows.
    """
    with np.errstate(divide="ignore", over="ignore"):
        return tuple(float(C * np.float64(e) ** -d_hat) for e in m_hat_delta)


def theorem_2_depth(
    t: int, C: float, m_hat_delta: Sequence[float], d_hat: float, factor: int
) -> int:
    """``h(t)`` of Theorem 2: least h with ``factor C sum_{l<=h} (m_hat delta(l))^{-d_hat} >= t``.

    `factor` is ``h_max`` in equation (9) as printed (claim theorem-2; refuted), ``h_max + 1``
    corrected. If the listed depths do not reach t iterations, their number is returned.
    """
    total = 0.0
    for h, term in enumerate(near_optimal_bound(C, m_hat_delta, d_hat)):
        total += factor * term
        if total >= t:
            return h
    return len(m_hat_delta)


@dataclass(frozen=True)
class RegretBound:
    """The computable regret bound of the corrected Theorem 2.

    (Claims theorem-2 and indexed-regret-bound.) `eps` has ``eps_l`` for l = 0, 1, ..., one more at
    least than `sweeps`, which has ``S_h`` for h = 0, 1, ..., at most up to ``h_max``.
    """

    eps: tuple[float, ...]
    sweeps: tuple[int, ...]
    h_max: int
    d: int
    K: int

    def __post_init__(self) -> None:
        """Raise ValueError if no run can have these bounds."""
        if not 1 <= len(self.sweeps) <= self.h_max + 1 or len(self.eps) <= len(self.sweeps):
            raise ValueError("sweeps must list depths 0..h at most h_max, eps depths 0..h+1")
        if list(self.sweeps) != sorted(self.sweeps) or self.sweeps[0] < 1:
            raise ValueError("S_h is positive and never decreases")

    def after_sweeps(self, s: int) -> float:
        """Bound on the regret after s complete sweeps, ``min_{l <= h+1} eps_l``.

        h is the greatest depth with ``S_h <= s``, or -1.
        """
        return min(self.eps[: bisect_right(self.sweeps, s) + 1])

    @property
    def iterations(self) -> tuple[int, ...]:
        """Corrected ``t_h`` of Lemma 1: iterations within which the node of depth h is expanded.

        In the sharper form of `iterations_to_expand` (claim lemma-1-sharper).
        """
        return tuple(iterations_to_expand(s, h, self.h_max) for h, s in enumerate(self.sweeps))

    @property
    def evaluations(self) -> tuple[int, ...]:
        """Evaluations, the root's included, within which the node of depth h is expanded."""
        return tuple(evaluations_of_sweeps(s, self.d, self.K, self.h_max) for s in self.sweeps)

    def after_iterations(self, t: int) -> float:
        """Bound on the regret after t complete iterations (visits of a depth).

        The visit in which the budget ends is not complete, because the expansion that the bound
        requires may be missing.
        """
        return min(self.eps[: bisect_right(self.iterations, t) + 1])

    def after_evaluations(self, v: int) -> float:
        """Bound on the regret after v evaluations, the root's included."""
        return min(self.eps[: bisect_right(self.evaluations, v) + 1])
