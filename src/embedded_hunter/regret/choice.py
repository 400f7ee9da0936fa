r"""How many trees, how many variables and what scale for a budget: what the theory and a study say.

The theory gives two conditions on the policy ``forest``. Its trees should cover an optimiser: with
P matrices and d variables this is a condition on the scale ``sigma R`` (`coverage`). And its budget
should reach each tree: to split each of d coordinates once, along one branch, a tree needs d
expansions of ``K - 1`` evaluations each. The regret bound is proportional to the scale (`forest`),
so the scale should be no greater than coverage asks.

Neither condition says how to weigh d against the rest. A stored study has runs at ``d_e = 10`` and
``v = 10,000`` only (docs/results/forest/study.md): without local search ``d = 2 d_e`` is better
than ``d_e``. With local search no difference is shown for ``d_e`` to ``3 d_e``, for 1 to 50 trees
and for scales from 0.15 to 0.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from embedded_hunter.regret.coverage import (
    box_for_coverage,
    coverage_of_matrices,
    minimum_norm_coverage,
)
from embedded_hunter.regret.estimate import fraction_of_one, positive, whole

MOST_TREES = 20
"""Largest P that is proposed: the default of the policy, from the study."""
SCALES = (0.15, 0.5)
"""Least and largest scale that is proposed: those that the study tried."""


@dataclass(frozen=True)
class Choice:
    """Parameters of the policy ``forest``.

    Attributes
    ----------
    P : int
        Number of trees (``n_embeddings``).
    d : int
        Dimension of Y.
    scale : float
        ``sigma R``.
    coverage : float
        Lower bound on the probability that one of the P matrices covers the optimiser, if the
        effective subspace is axis-aligned.
    """

    P: int
    d: int
    scale: float
    coverage: float


def evaluations_to_split_once(P: int, d: int, K: int) -> int:
    """Least number of evaluations after which a branch of each tree was split in each coordinate.

    The roots share one evaluation; d expansions of ``K - 1`` evaluations follow in each tree.
    """
    return 1 + whole("P", P) * whole("d", d) * (whole("K", K, 3) - 1)


def choose(
    v: int,
    d_e: int,
    *,
    norm: float | None = None,
    probability: float = 0.95,
    d: int | None = None,
    K: int = 3,
    refine: bool = True,
) -> Choice:
    """Choose P, d and the scale of the policy ``forest`` for a budget.

    1. ``d = 2 d_e``, by the law of the coverage and the study of the forest without local search.
    2. P is the greatest number of trees, at most `MOST_TREES`, for which the forest's share of the
       budget reaches `evaluations_to_split_once`; at least 1.
    3. The scale is the least at which the P matrices cover the optimiser with the given
       probability, by the law of the minimum-norm solution (claim forest-coverage), but within
       `SCALES`.

    Parameters
    ----------
    v : int
        Budget of evaluations.
    d_e : int
        Number of effective variables, or a guess.
    norm : float, optional
        ``||x*||`` in the effective coordinates, with the cube ``[-1, 1]^{d_e}``. Default
        ``sqrt(d_e / 3)``, the root mean square for an optimiser that is uniform in the cube.
    probability : float, optional
        Coverage that is asked for. Where the scale ends at `SCALES`, the coverage may be less.
    d : int, optional
        Another dimension of Y, at least d_e.
    K : int, optional
        Partition factor.
    refine : bool, optional
        Whether half of the budget goes to local searches.

    Raises
    ------
    ValueError
        If ``d < d_e``, or an argument is out of its range.
    """
    v, d_e = whole("v", v), whole("d_e", d_e)
    d = 2 * d_e if d is None else whole("d", d, d_e)
    size = math.sqrt(d_e / 3) if norm is None else positive("norm", norm)
    share = v // 2 if refine else v
    P = min(MOST_TREES, max(1, (share - 1) // (evaluations_to_split_once(1, d, K) - 1)))
    one = -math.expm1(math.log1p(-fraction_of_one("probability", probability)) / P)
    least = box_for_coverage(one, size, d, 1.0, d_e)
    scale = min(max(least, SCALES[0]), SCALES[1])
    pi = minimum_norm_coverage(size, d, 1.0, scale, d_e)
    return Choice(P, d, scale, coverage_of_matrices(pi, P))
