r"""The best rule with fresh matrices, by dynamic programming.

Claim optimal-rule.

With a fresh Gaussian matrix for each evaluation, a rule chooses scales ``s = sigma ||y||`` and
nothing else (claim radial-collapse). Its past matters through the best value b so far only. Let
``V_k(b)`` be the smallest mean of the final best value that a rule can have with k evaluations
left.
With ``X_s = f(clip(s z))``, z standard normal,

    ``V_0(b) = b``  and  ``V_k(b) = inf_s E[V_{k-1}(min(b, X_s))]``.

:func:`optimal_rule` solves this for finitely many scales, when the distribution functions ``F_s``
are known on a grid of levels ``b_0 < b_1 < .. < b_{L-1}`` that encloses all values. Summation by
parts gives ``E[V(min(b_j, X))] = V(b_j) - sum_{i<j} F(b_i) (V(b_{i+1}) - V(b_i))`` for values X on
the grid.

*Discretisation.* Values rounded up to the next level have the distribution function ``F(b_i)`` at
``b_i``. Values rounded down have at most ``F(b_{i+1})`` there. Larger values never lower a mean, so
the true optimum lies between the two results. The rule found for the values rounded up can be used
with the true values: it rounds its best value up, and its mean is at most the upper result.

*Samples.* The result increases if distribution functions decrease. So upper confidence limits of
all ``F_s(b_i)``, valid together, give a lower confidence bound of the optimum, and lower limits
give an upper one. Limits that hold between the scales too (`upper_limits`) give a lower
bound for rules that may use any scale. Plain empirical distribution functions give an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats


@dataclass(frozen=True, eq=False)
class OptimalRule:
    """The best rule for given laws, and the means that it attains.

    Attributes
    ----------
    levels : ndarray of float, shape (L,)
        The grid of values. The last is the best value before the first evaluation.
    choice : ndarray of int, shape (v, L)
        ``choice[k - 1, j]`` is the number of the law to use with k evaluations left and the best
        value ``levels[j]``.
    means : ndarray of float, shape (v,)
        ``means[k - 1]``: mean of the best value after k evaluations, values rounded up. No rule
        has a smaller one. (The last entry belongs to the whole budget.)
    least : ndarray of float, shape (v,)
        The same with values rounded down: a lower bound for every rule with the true values.
    """

    levels: Floats
    choice: npt.NDArray[np.intp]
    means: Floats
    least: Floats

    def law(self, left: int, best: float) -> int:
        """Return the number of the law to use with `left` evaluations and the value `best`."""
        level = int(np.searchsorted(self.levels, best))
        return int(self.choice[integer("left", left, 1) - 1, min(level, self.levels.size - 1)])


def optimal_rule(levels: npt.ArrayLike, cdf: npt.ArrayLike, v: int) -> OptimalRule:
    """Find the rule with the smallest mean of the best of v values (claim optimal-rule).

    Parameters
    ----------
    levels : array_like of float, shape (L,)
        Increasing. The first is a lower bound on all values; the last is an upper bound, or a
        value that the rule begins with.
    cdf : array_like of float, shape (m, L)
        ``cdf[s, i]``: probability that law s gives a value of at most ``levels[i]``. The last
        column is not used.
    v : int
        Evaluation budget.

    Returns
    -------
    OptimalRule

    Raises
    ------
    ValueError
        If the levels do not increase, or a row of `cdf` has the wrong length, decreases, or leaves
        [0, 1].
    """
    levels = np.asarray(levels, dtype=float)
    laws = _distribution_functions(levels, cdf)
    v = integer("v", v, 1)
    choice = np.empty((v, levels.size), dtype=np.intp)
    means = _solve(levels, laws, v, choice)
    shifted = np.concatenate([laws[:, 1:], np.ones((len(laws), 1))], axis=1)
    least = _solve(levels, shifted, v, np.empty_like(choice))
    return OptimalRule(levels, choice, means, least)


def fixed_law_means(levels: npt.ArrayLike, cdf: npt.ArrayLike, v: int) -> Floats:
    """Mean of the best of v values of one and the same law, values rounded up.

    Parameters
    ----------
    levels, cdf, v
        As for :func:`optimal_rule`.

    Returns
    -------
    ndarray of float, shape (m,)
        ``b_0 + sum_i (1 - F(b_i))^v (b_{i+1} - b_i)`` for each law.
    """
    levels = np.asarray(levels, dtype=float)
    laws = _distribution_functions(levels, cdf)
    survival: Floats = (1 - laws[:, :-1]) ** integer("v", v, 1)
    return np.asarray(levels[0] + survival @ np.diff(levels))


def _solve(levels: Floats, laws: Floats, v: int, choice: npt.NDArray[np.intp]) -> Floats:
    """Solve the programme; fill `choice` and return the means from the last level."""
    value, means, states = levels.copy(), np.empty(v), np.arange(levels.size)
    for k in range(v):
        gains = _gains(laws, value)
        choice[k] = gains.argmax(axis=0)
        value = value - gains[choice[k], states]
        means[k] = value[-1]
    return means


def _gains(laws: Floats, value: Floats) -> Floats:
    """``V(b_j) - E[V(min(b_j, X))]`` for each law and level, shape (m, L)."""
    gains = np.zeros(laws.shape)
    np.cumsum(laws[:, :-1] * np.diff(value), axis=1, out=gains[:, 1:])
    return gains


def _distribution_functions(levels: Floats, cdf: npt.ArrayLike) -> Floats:
    laws = np.asarray(cdf, dtype=float)
    if levels.ndim != 1 or levels.size < 2 or not np.all(np.diff(levels) > 0):
        raise ValueError("levels must be at least two numbers that increase")
    if laws.ndim != 2 or laws.shape[1] != levels.size or not laws.size:
        raise ValueError(f"cdf must have shape (m, {levels.size}), got {laws.shape}")
    if not (np.all(laws >= 0) and np.all(laws <= 1) and np.all(np.diff(laws, axis=1) >= 0)):
        raise ValueError("each row of cdf must increase and lie in [0, 1]")
    return laws
