r"""The guarantee of the policy family as numbers (claims family-theorem-2, family-regret-bound).

Tree p has the matrix ``A_{p+1}``, B_p its block of effective rows, ``g_p(y) = f(clip(B_p y))``.
A node of tree p has the value ``g_p(y_{h,i})``. For the branch of any reference point y of tree p

    ``f* <= v(o_h) <= eps_h^p + f*``,  ``eps_h^p = (g_p(y) - f*) + L ||B_p||_op r_h``,

and o_h is expanded within S_h^p sweeps of the forest, S_h^p the number of nodes of *all* P trees of
depth k <= h whose value is at most ``f* + max_{k<=l<=h} eps_l^p``: whatever the classes and the
queues. So the regret is at most the least of P bounds. That one of the trees covers the optimum has
the probability :func:`~embedded_hunter.regret.coverage.coverage_of_matrices`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from embedded_hunter.regret.estimate import FloatArray, whole
from embedded_hunter.regret.finite_time import (
    RegretBound,
    iterations_of_sweeps,
    sweeps_to_expand,
)
from embedded_hunter.regret.geometry import base_points
from embedded_hunter.regret.indexed import indexed_eps

Objective = Callable[[FloatArray], npt.ArrayLike]


def family_node_values(
    f: Objective, matrices: npt.ArrayLike, h: int, K: int, R: float
) -> FloatArray:
    """The values of all nodes of depth h, by index i: tree after tree.

    Parameters
    ----------
    f : callable
        Vectorised objective of the effective coordinates: (k, d_e) -> (k,).
    matrices : array_like of float, shape (P, d_e, d)
        Effective blocks of the P trees.
    h, K : int
        Depth and partition factor.
    R : float
        Half-width of Y.
    """
    blocks = np.asarray(matrices, dtype=float)
    points = base_points(h, blocks.shape[2], K, R)
    return np.concatenate(
        [np.asarray(f(np.clip(points @ B.T, -1, 1)), dtype=float) for B in blocks]
    )


def family_evaluations_of_sweeps(
    sweeps: int, K: int, h_max: int, *, classes: int = 2, refine: bool = True
) -> int:
    """Most evaluations within which so many sweeps of the forest are complete.

    Each visit expands at most one leaf of each of the `classes` of a depth, K - 1 evaluations
    each; refinement at most doubles the evaluations of the forest, and (K - 1)(h_max + 1) more
    (rule F6; claim family-regret-bound).
    """
    alone = 1 + classes * (whole("K", K, 3) - 1) * iterations_of_sweeps(sweeps, h_max)
    return 2 * alone + (K - 1) * (h_max + 1) if refine else alone


@dataclass(frozen=True)
class FamilyBound:
    """The P bounds, one for each tree; the regret is below all of them."""

    of_trees: tuple[RegretBound, ...]
    classes: int
    refine: bool

    def after_sweeps(self, s: int) -> float:
        """Bound on the regret after s complete sweeps of the forest."""
        return min(bound.after_sweeps(s) for bound in self.of_trees)

    def after_evaluations(self, v: int) -> float:
        """Bound on the regret after v evaluations, those of refinement included."""
        one = self.of_trees[0]
        needed = [
            family_evaluations_of_sweeps(
                s, one.K, one.h_max, classes=self.classes, refine=self.refine
            )
            for s in range(1, max(bound.sweeps[-1] for bound in self.of_trees) + 1)
        ]
        return self.after_sweeps(int(np.searchsorted(needed, whole("v", v), side="right")))


def family_regret_bound(
    f: Objective,
    f_star: float,
    lipschitz: float,
    matrices: npt.ArrayLike,
    *,
    K: int,
    R: float,
    h_max: int,
    gaps: Sequence[float],
    depth: int | None = None,
    classes: int = 2,
    refine: bool = True,
) -> FamilyBound:
    """The regret bound of a run of the policy family, from f and its P matrices.

    All nodes of all trees down to `depth` are enumerated to find the S_h exactly.

    Parameters
    ----------
    f : callable
        Vectorised objective of the effective coordinates.
    f_star : float
        Its minimum over the cube.
    lipschitz : float
        Its Lipschitz constant there.
    matrices : array_like of float, shape (P, d_e, d)
        Effective blocks.
    K, R, h_max
        Parameters of the run.
    gaps : sequence of float
        ``g_p(y) - f*`` for a reference point y of each tree; 0 where the tree covers the optimum.
    depth : int, optional
        Enumerate down to this depth only (default h_max): a shallower bound, no less true.
    classes : int
        Classes of a depth: 2 with the zero vector apart, 1 in one queue.
    refine : bool
        Whether the run refines; both matter to :meth:`FamilyBound.after_evaluations` alone.

    Raises
    ------
    ValueError
        If there is not one gap for each tree, or one is negative.
    """
    blocks = np.asarray(matrices, dtype=float)
    if len(gaps) != len(blocks):
        raise ValueError(f"there are {len(blocks)} trees, but {len(gaps)} gaps")
    d = blocks.shape[2]
    last = h_max if depth is None else min(depth, h_max)
    values = [family_node_values(f, blocks, h, K, R) for h in range(last + 1)]
    slack = 1e-12 * max(1.0, abs(f_star))  # rounding must not shrink a count
    bounds = []
    for B, gap in zip(blocks, gaps, strict=True):
        eps = tuple(
            e * (1 + 1e-12) + slack for e in indexed_eps(last + 1, d, K, R, lipschitz, [B], gap=gap)
        )
        bounds.append(RegretBound(eps, sweeps_to_expand(values, f_star, eps), h_max, d, K))
    return FamilyBound(tuple(bounds), classes, refine)
