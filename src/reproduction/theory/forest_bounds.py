r"""The policy ``forest``: P trees over P fixed matrices, and the least of P regret bounds.

Tree t < P is evaluated with the matrix of effective rows B_t alone, so the value of its node is
``g_t(y) = f(clip(B_t y))`` at the node's base point. For every tree t and every reference point y
of Y, with ``eps_h = (g_t(y) - f*) + L ||B_t||_op r_h``,

    after ``S_h`` complete sweeps over all trees, or ``S_h(d)`` over those of the dimension d of
    tree t, the regret is at most ``min_{l <= h+1} eps_l``

(claims forest-lemma-1, forest-theorem-2, forest-regret-bound; proved in proofs/forest). ``S_h``
counts nodes of all P trees of depth at most h whose value is within the eps of a depth between
their own and h, in the queue that the branch of y is in at that depth; ``S_h(d)`` counts those of
the trees of dimension d alone. If the trees have one dimension, all sweeps are over all trees. If
they have G > 1, every second one is, and the dimensions share the others, so that the number of
sweeps is at most ``min(2 S_h, 2 G S_h(d))`` (claim dimension-guarantee). If the zero vector has a
queue of its own, the branch is in it down to some depth (its nodes o_0, o_1, ... with base point
0) and then leaves it for good.

The success probability (claim forest-coverage): P independent matrices, each of which covers the
optimiser with probability pi, cover it with probability ``1 - (1 - pi)^P``; pi as in `coverage`.

Parameters of all: f is the vectorised objective of the effective coordinates, (k, d_e) -> (k,);
`blocks` are the effective rows B_1, ..., B_P of the embeddings, of the shapes (d_e, d), where d may
differ; K, R and h_max are those of the run, with one class for each depth and queue; R may be that
of each tree. `local_search` is the most evaluations B that a local search makes each time it is
asked; 0 if there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from embedded_hunter.forest.constants import SHARES
from embedded_hunter.matrices import Floats
from reproduction.theory.coverage_law import coverage_at_least
from reproduction.theory.finite_time import (
    RegretBound,
    iterations_of_sweeps,
    sweeps_to_expand,
)
from reproduction.theory.geometry import base_points
from reproduction.theory.indexed import Vectorized, indexed_eps, optimal_branch


def forest_coverage(x_star: npt.ArrayLike, trees: Sequence[tuple[int, float]]) -> float:
    """Probability that one of several independent embeddings covers `x_star`.

    1 minus the product of the probabilities to miss it; for P alike ``1 - (1 - pi)^P`` (claim
    forest-coverage). pi is `coverage_at_least`: the law inside the cube.

    `x_star` is the effective part of the optimiser, in the cube; `trees` has d and ``sigma R`` of
    each tree.
    """
    pi = np.array([coverage_at_least(x_star, d, 1.0, scale) for d, scale in trees])
    with np.errstate(divide="ignore"):
        return float(-np.expm1(np.log1p(-pi).sum()))


OfTrees = Sequence[npt.ArrayLike] | Floats
"""An array for each tree."""
Radii = Fraction | Sequence[Fraction]
"""R of all trees, or of each tree: trees may have different dimensions."""


def forest_node_values(f: Vectorized, blocks: OfTrees, h: int, K: int, R: Radii) -> Floats:
    """Return the values that the nodes of depth h of P trees have in any run, shape (P, K^h).

    Row t holds ``g_t(y_{h,i})`` by place i in tree t; node (h, t K^h + i) of the forest.
    """
    values = []
    for rows, radius in zip(_matrices(blocks), _radii(R, len(blocks)), strict=True):
        points = base_points(h, rows.shape[1], K, float(radius))
        values.append(np.asarray(f(np.clip(points @ rows.T, -1, 1)), dtype=float))
    return np.array(values)


def _matrices(blocks: OfTrees) -> list[Floats]:
    return [np.asarray(rows, dtype=float) for rows in blocks]


def _radii(R: Radii, P: int) -> Sequence[Fraction]:
    """Return R of each of P trees."""
    return (R,) * P if isinstance(R, Fraction) else R


def forest_evaluations_of_sweeps(
    sweeps: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0
) -> int:
    """Evaluations after which `sweeps` sweeps of the forest are complete, or the forest is full.

    S sweeps of a forest with one class for each depth and queue make at most ``E(S) = 1 + (K - 1)
    sum_{s <= S} min(s, h_max + 1)`` evaluations. Before sweep S ends, a local search that makes at
    most B evaluations each time it is asked has made at most ``3 E(S - 1) + B - 1`` under rule F6,
    and none if ``S <= P``. The result is one more than their sum (claim forest-sweeps).
    With P = 1 it is valid for any number of trees.
    """
    most = 1 + (K - 1) * iterations_of_sweeps(sweeps, h_max)
    if local_search > 0 and sweeps > P:
        before = 1 + (K - 1) * iterations_of_sweeps(sweeps - 1, h_max)
        most += (SHARES.each - 1) * before + local_search - 1
    return 1 + most


def forest_sweeps_within(v: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0) -> int:
    """Return the greatest S whose `forest_evaluations_of_sweeps` is at most v, or 0.

    This many sweeps are complete after v evaluations, unless the forest is full.
    """

    def needed(sweeps: int) -> int:
        return forest_evaluations_of_sweeps(sweeps, K, h_max, P=P, local_search=local_search)

    low, high = 0, v  # `high` sweeps need more than v
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle) <= v else (low, middle)
    return low


@dataclass(frozen=True)
class ForestBound:
    """The regret bounds of P trees in sweeps; the regret is at most the least of them."""

    trees: tuple[RegretBound, ...]

    def after_sweeps(self, s: int) -> float:
        """Bound on the regret after s complete sweeps of the forest."""
        return min(tree.after_sweeps(s) for tree in self.trees)

    def after_iterations(self, t: int) -> float:
        """Bound after t complete iterations of the forest: ``(h_max + 1)`` for each sweep."""
        return self.after_sweeps(t // (self.trees[0].h_max + 1))

    def after_evaluations(self, v: int, *, local_search: int = 0) -> float:
        """Bound after v evaluations."""
        one = self.trees[0]
        return self.after_sweeps(
            forest_sweeps_within(v, one.K, one.h_max, P=len(self.trees), local_search=local_search)
        )


def forest_regret_bound(
    f: Vectorized,
    f_star: float,
    lipschitz: float,
    blocks: OfTrees,
    references: OfTrees,
    *,
    K: int,
    R: Radii,
    h_max: int,
    separate_origin: bool = True,
    depth: int | None = None,
) -> ForestBound:
    """The regret bound of a run of the forest, from f and its matrices alone.

    All nodes of all trees down to `depth` are enumerated to find ``S_h`` exactly (claim
    forest-regret-bound).

    Parameters
    ----------
    f_star, lipschitz : float
        The minimum of f over the cube and its Lipschitz constant there.
    references : P array_likes of float, shapes (d,)
        A point of Y for each tree. Any point gives a valid bound; a minimiser of ``g_t`` gives the
        least gap.
    separate_origin : bool, optional
        Whether the zero vector has a queue of its own.
    depth : int, optional
        Enumerate only down to this depth (default h_max). The bound is valid for every depth.
    """
    B, Y = _matrices(blocks), _matrices(references)
    expected, found = [(rows.shape[1],) for rows in B], [y.shape for y in Y]
    if expected != found:
        raise ValueError(
            f"references must have the shapes {expected}, one point for each tree, got {found}"
        )
    last = h_max if depth is None else min(depth, h_max)
    values = [forest_node_values(f, B, h, K, R) for h in range(last + 1)]
    dimensions = [rows.shape[1] for rows in B]
    G, trees = len(set(dimensions)), []
    for rows, y, radius in zip(B, Y, _radii(R, len(B)), strict=True):
        gap = float(np.asarray(f(np.clip(rows @ y, -1, 1)[None, :]))[0]) - f_star
        d = rows.shape[1]
        eps = indexed_eps(last + 1, d, K, float(radius), lipschitz, rows, gap=gap, f_star=f_star)
        branch = optimal_branch(y, last, K, radius)
        zeros = [h for h, i in enumerate(branch) if i == K**h // 2]
        last_zero = len(zeros) - 1 if separate_origin else None
        sweeps = sweeps_to_expand(values, f_star, eps, last_zero)
        if G > 1:
            mine = [t for t, other in enumerate(dimensions) if other == d]
            own = sweeps_to_expand([level[mine] for level in values], f_star, eps, last_zero)
            sweeps = tuple(min(2 * S, 2 * G * S_d) for S, S_d in zip(sweeps, own, strict=True))
        trees.append(RegretBound(eps, sweeps, h_max, d, K))
    return ForestBound(tuple(trees))
