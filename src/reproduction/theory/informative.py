r"""From which v on a bound says something: is less than what is known without it.

- Lemma 2 says something where its bound is less than the number ``K^h`` of all nodes of a depth.
- Theorem 1 says something where its bound is less than ``2 L sqrt(d_e)``, which no difference of
  two values of an L-Lipschitz f exceeds on the cube.
- The corrected Theorem 2 says something if its bound is less than ``f(0) - f*``, the regret of the
  first evaluation. Under the policy fresh it says nothing about a convex f
  (`chance_that_fresh_matrices_tell`); under the policy indexed it does from some v on
  (`first_budgets`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reproduction.theory.finite_time import near_optimal_bound, sweeps_to_expand
from reproduction.theory.geometry import base_points, norm_class_bound
from reproduction.theory.indexed import indexed_eps


def theorem_1_says_something_within(constant: float, d_e: int) -> float:
    """Return the norm of y below which ``constant L ||y||`` is less than ``2 L sqrt(d_e)``."""
    return 2 * math.sqrt(d_e) / constant


def lemma_2_says_something_from(
    C: float, m_hat_delta: Sequence[float], d_hat: float, K: int
) -> int | None:
    """Return the least depth from which Lemma 2 bounds every depth listed by less than ``K^h``.

    None if it does not at the last depth listed.
    """
    bounds = near_optimal_bound(C, m_hat_delta, d_hat)
    first = None
    for h in reversed(range(len(bounds))):
        if bounds[h] >= K**h:
            break
        first = h
    return first


def chance_that_fresh_matrices_tell(v: int, h_max: int) -> float:
    """Bound the probability that Theorem 2 says something about a convex f after v evaluations.

    Under the policy fresh the family has v matrices, independent and with symmetric laws. The
    theorem asks for ``g_q(o_l) <= f* + tau(l) + delta(l)`` for each of them and each node of the
    branch. Of f(x) and f(-x) one is at least f(0), because f is convex. So each matrix but p* has
    ``g_q(o_l) >= f(0)`` with probability at least 1/2, whatever p* and l are, and the bound is less
    than ``f(0) - f*`` with probability at most ``v (h_max + 2) 2^(1 - v)``.
    """
    return min(1.0, math.ldexp(v * (h_max + 2), 1 - v)) if v < 1000 else 0.0


def budget_for_sweeps(sweeps: int, h: int, d: int, K: int) -> int:
    """Return the least v with which a run is sure to complete `sweeps` sweeps, and ``h <= h_max``.

    h_max is the default ``floor(sqrt(v))``, and the evaluations of a sweep are bounded by the
    numbers of norm classes, as in `finite_time.evaluations_of_sweeps`.
    """
    classes = expansions = 0  # of the depths up to h_max; of the first h_max + 1 sweeps
    for h_max in range(sweeps):
        classes += norm_class_bound(h_max, d, K)
        expansions += classes
        enough = 1 + K * (expansions + (sweeps - h_max - 1) * classes)
        v = max(enough, h**2, h_max**2)
        if h_max >= h and v < (h_max + 1) ** 2:
            return v
    return max(enough, h**2)  # a deeper tree costs no more: these sweeps do not reach it


@dataclass(frozen=True)
class FirstBudgets:
    """The budgets from which the corrected Theorem 2 says something."""

    depth: int
    """The least h with ``eps_{h+1} < f(0) - f*``."""
    sweeps: int
    """A lower bound on ``S_h``, exact if all depths up to h were enumerated."""
    least: int
    """With no lesser v are so many sweeps complete: each makes K - 1 evaluations or more."""
    sure: int
    """`budget_for_sweeps`: with no lesser v is this known beforehand."""


def first_budgets(
    x_star: npt.ArrayLike, B: npt.ArrayLike, *, K: int, R: float, enumerated: int, most: int = 100
) -> FirstBudgets:
    """Return from which v Theorem 2 says something under the policy indexed.

    f is the distance to x*, the most favourable of all 1-Lipschitz functions with this optimiser,
    and the first matrix, of effective rows B, is supposed to cover x*. Nodes are enumerated down to
    the depth `enumerated`; of each deeper level the branch alone is counted.

    Raises
    ------
    ValueError
        If ``eps_h`` is not less than ``||x*||`` at the depth `most`.
    """
    x, rows = np.asarray(x_star, dtype=float), np.asarray(B, dtype=float)
    d, known = rows.shape[1], float(np.linalg.norm(x))
    eps = indexed_eps(most, d, K, R, 1.0, rows)
    h = next((h for h in range(most) if eps[h + 1] < known), None)
    if h is None:
        raise ValueError(f"eps is at least {known} down to the depth {most}")
    last = min(h, enumerated)
    values = [
        np.linalg.norm(np.clip(base_points(k, d, K, R) @ rows.T, -1, 1) - x, axis=1)
        for k in range(last + 1)
    ]
    sweeps = sweeps_to_expand(values, 0.0, eps)[last] + h - last
    return FirstBudgets(h, sweeps, 1 + (K - 1) * sweeps, budget_for_sweeps(sweeps, h, d, K))
