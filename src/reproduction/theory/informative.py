r"""From which v on the corrected Theorem 2 says something under the policy indexed.

It does if its bound is less than ``f(0) - f*``, the regret of the first evaluation.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reproduction.theory.finite_time import sweeps_to_expand
from reproduction.theory.geometry import base_points, norm_class_bound
from reproduction.theory.indexed import indexed_eps


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
    """A smaller v does not complete `sweeps` sweeps: each takes K - 1 evaluations or more."""
    sure: int
    """`budget_for_sweeps`: for a smaller v this is not known beforehand."""


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
