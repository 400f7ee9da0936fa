r"""How many trees, how many variables and what scale for a budget (docs/choosing.md).

The trees should cover an optimiser, which is a condition on d, P and the scale (`coverage`). The
budget should split each of d coordinates of each tree once. The regret bound is proportional to the
scale, which should be no greater than coverage asks. What the theory does not weigh is from a
stored study at ``d_e = 10``, ``v = 10,000`` (docs/results/forest/study.md).
"""

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from embedded_hunter.common.arguments import fraction_of_one, integer, positive
from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.regret.coverage import (
    box_for_coverage,
    coverage_at_least,
    coverage_of_matrices,
)

MOST_TREES = 20
"""Largest P that is proposed: the default of the policy, from the study."""
SCALES = (0.15, 0.5)
"""Least and largest scale that is proposed: those that the study tried."""


@dataclass(frozen=True)
class Choice:
    """Parameters of the policy ``forest``: P trees of dimension d, and ``scale``, which is sigma R.

    `coverage` is the probability that one of the P matrices covers the optimiser, if the effective
    subspace is axis-aligned, by `coverage_at_least`.
    """

    P: int
    d: int
    scale: float
    coverage: float


def choose(
    v: int,
    d_e: int,
    *,
    norm: float | None = None,
    probability: float = 0.95,
    d: int | None = None,
    scale: float | None = None,
    K: int = 3,
    refine: bool = True,
    evolve: bool = True,
) -> Choice:
    """Choose P, d and the scale of the policy ``forest`` for a budget.

    1. ``d = 2 d_e``, by the law of the coverage and the study of the forest without local search.
       With a given scale, the least d up to ``4 d_e`` for which the P matrices cover the optimiser
       with the given probability.
    2. P is the greatest number of trees, at most `MOST_TREES`, for which the trees' share of the
       budget reaches to split each coordinate of a branch of each tree once, ``1 + P d (K - 1)``
       evaluations (the roots share one); 1 if it does not reach even for one tree.
    3. The scale is the least at which the P matrices cover the optimiser with the given
       probability, by `coverage_at_least` (claim forest-coverage), but within `SCALES`.

    Parameters
    ----------
    v : int
        Budget of evaluations.
    d_e : int
        Number of effective variables, or a guess.
    norm : float, optional
        ``||x*||`` in the effective coordinates, with the cube ``[-1, 1]^{d_e}``; at most
        ``sqrt(d_e)``. Default ``sqrt(d_e / 3)``, the root mean square for an optimiser that is
        uniform in the cube.
    probability : float, optional
        Coverage that is asked for. Where the scale ends at `SCALES`, the coverage may be less.
    d : int, optional
        Another dimension of Y, at least d_e.
    scale : float, optional
        Another scale. It is not kept within `SCALES`.
    K : int, optional
        Partition factor.
    refine, evolve : bool, optional
        Whether local searches and the evolution strategy take part, as in the policy. The trees are
        sure of a quarter of the evaluations beside the evolution strategy (rule F9), and of half of
        what the forest gets beside local searches (rule F6): of an eighth by default.

    Raises
    ------
    ValueError
        If ``d < d_e``, if an argument is out of its range, or if no ``d <= 4 d_e`` covers enough at
        a given scale.
    """
    v, d_e, K = integer("v", v, 1), integer("d_e", d_e, 1), integer("K", K, 3)
    size = math.sqrt(d_e / 3) if norm is None else positive("norm", norm)
    fraction_of_one("probability", probability)
    if size > math.sqrt(d_e) * (1 + 1e-12):
        raise ValueError(f"norm must be at most sqrt(d_e), as in the cube, got {size}")
    x_star = np.full(d_e, min(1.0, size / math.sqrt(d_e)))
    share = v // ((2 if refine else 1) * (EVOLUTION.share if evolve else 1))

    def trees(d: int) -> int:
        return min(MOST_TREES, max(1, (share - 1) // (d * (K - 1))))

    def covered(d: int, scale: float) -> float:
        return coverage_of_matrices(coverage_at_least(x_star, d, 1.0, scale), trees(d))

    if scale is None:
        d = 2 * d_e if d is None else integer("d", d, d_e)
        one = -math.expm1(math.log1p(-probability) / trees(d))
        scale = min(max(box_for_coverage(one, size, d, 1.0, d_e), SCALES[0]), SCALES[1])
    elif d is None:
        at, most = positive("scale", scale), 4 * d_e
        d = bisect_left(range(most + 1), probability, d_e, key=lambda d: covered(d, at))
        if d > most:
            raise ValueError(f"no d <= 4 d_e covers with probability {probability} at this scale")
    else:
        d, scale = integer("d", d, d_e), positive("scale", scale)
    return Choice(trees(d), d, scale, covered(d, scale))
