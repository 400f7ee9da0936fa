r"""The indexed policy, under which the regret bound is a number (claim indexed-regret-bound).

The p-th evaluation of every base point uses the same matrix ``A_p``; B_p is its block of effective
rows, ``g_p(y) = f(clip(B_p y))``. Then the value that a node will record is a function of the node
alone, computable without a run, and for the branch ``o_h`` of any reference point y of Y

    ``f* <= v(o_h) <= g_1(o_h) <= g_1(y) + delta_1(h)``, ``delta_1(h) = L ||B_1||_op r_h``:

tau = 0. The reference is best a minimiser of g_1, but need not be: any point gives a true bound
``eps_h = (g_1(y) - f*) + delta_1(h)``, the better the lower its value. On the coverage event
``g_1(y) = f*`` is possible.

The parameters of geometry are those of `geometry`. `lipschitz` is the constant L of f in its
effective coordinates, `matrices` holds the blocks ``B_1, ..., B_P``, shape (P, d_e, d), `gap` is
``g_1(y) - f*`` at the reference point (0 on the coverage event), and `f_star` is f*. The objective
f takes effective coordinates, shape (k, d_e), and returns k values.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from embedded_hunter.node import splits
from reproduction.theory.finite_time import RegretBound, sweeps_to_expand
from reproduction.theory.geometry import (
    base_points,
    circumscribed_radius,
    evaluations_of_nodes,
    largest_norm,
)

Vectorized = Callable[[Floats], Any]
"""A function of many points at once, shape (k, d_e), which returns k values."""


def operator_norm(B: npt.ArrayLike) -> float:
    """``||B||_op``, the greatest singular value (at most the Frobenius norm)."""
    return float(np.linalg.norm(np.atleast_2d(np.asarray(B, dtype=float)), 2))


def operator_norm_bound(rows: int, d: int, sigma: float, confidence: float) -> float:
    """Upper confidence limit of ``||B||_op`` for a rows x d Gaussian block (claim jl-sentence).

    ``sigma (sqrt(rows) + sqrt(d) + t)`` with ``t = sqrt(2 ln(1/(1 - confidence)))`` (Davidson and
    Szarek 2001). It bounds ``||A y - A y'||`` for all y, y' at once, which the paper's sentence on
    finitely many points does not.
    """
    t = math.sqrt(-2 * math.log1p(-confidence))
    size = math.sqrt(rows) + math.sqrt(d) + t
    return sigma * size


def indexed_delta(h: int, d: int, K: int, R: float, lipschitz: float, norm_B: float) -> float:
    """``delta_p(h) = L ||B_p||_op r_h`` (claims assumption-2, indexed-regret-bound).

    Bounds ``|g_p(y_{h,i}) - g_p(y)|`` over the whole cell, for every cell of depth h.
    """
    return lipschitz * norm_B * circumscribed_radius(h, d, K, R)


def indexed_tau(h: int, d: int, K: int, R: float, lipschitz: float, difference: float) -> float:
    """``tau_p(h) = L ||B_1 - B_p||_op max ||y_{h,i}||`` (claim assumption-4).

    Bounds ``|g_1 - g_p|`` at every base point of depth h; not decreasing in h; 0 for p = 1.
    """
    return lipschitz * difference * largest_norm(h, d, K, R)


def indexed_eps(
    h_top: int,
    d: int,
    K: int,
    R: float,
    lipschitz: float,
    B: npt.ArrayLike,
    *,
    gap: float = 0.0,
    f_star: float = 0.0,
) -> tuple[float, ...]:
    """``eps_h = gap + L ||B||_op r_h`` for h = 0..h_top, rounded up.

    B, shape (d_e, d), is the block of the matrix that evaluates the nodes; `f_star` gives the size
    of the values that are compared.
    """
    if not gap >= 0:
        raise ValueError(f"gap must be >= 0, got {gap}")
    norm_B = operator_norm(B)
    # One unit in the last place per operation: rounding must not shrink a count.
    slack = 1e-12 * max(1.0, abs(f_star))
    return tuple(
        (gap + indexed_delta(h, d, K, R, lipschitz, norm_B)) * (1 + 1e-12) + slack
        for h in range(h_top + 1)
    )


def indexed_node_values(
    f: Vectorized, matrices: npt.ArrayLike, h: int, K: int, R: Fraction, M: Fraction
) -> Floats:
    """The values ``f*_{h,i}`` that all nodes of depth h have in any indexed run, by index i.

    ``min_{p < P_i} g_p(y_{h,i})``, P_i the number of evaluations of the base point so far
    (:func:`~reproduction.theory.geometry.evaluations_of_nodes`). ValueError is raised if P is
    less than one of these numbers.
    """
    blocks = np.asarray(matrices, dtype=float)
    d = blocks.shape[2]
    counts = evaluations_of_nodes(h, d, K, R, M)
    if counts.max() > blocks.shape[0]:
        raise ValueError(f"depth {h} needs {counts.max()} matrices, got {blocks.shape[0]}")
    points = base_points(h, d, K, float(R))
    values = np.full(counts.size, math.inf)
    for p in range(int(counts.max())):
        use = counts > p
        x = np.clip(points[use] @ blocks[p].T, -1, 1)
        values[use] = np.minimum(values[use], np.asarray(f(x), dtype=float))
    return values


def optimal_branch(y: npt.ArrayLike, h_top: int, K: int, R: float | Fraction) -> tuple[int, ...]:
    """Indices of the nodes of depth 0..h_top whose cells contain y (claim definition-1).

    Cells are half-open and partition ``[-R, R)^d``. Here the last cell of each coordinate is
    closed, so that every y of the closed cube Y, shape (d,), has one branch. The regret bounds hold
    for it as for any other: they use only that y is within the circumscribed radius of each base
    point. The Rocq theorems on the policies indexed and forest ask for ``in_closed_space``, the
    closed cube; those in the paper's words and ``Theorem2Paper`` for ``in_space``, that is ``-R <=
    y_j < R``. ValueError if y lies outside Y.
    """
    point = np.asarray(y, dtype=float).ravel()
    if not np.all(np.abs(point) <= float(R)):
        raise ValueError(f"y must lie in [-R, R]^d with R = {float(R)}, got {point.tolist()}")
    unit = [(Fraction(float(t)) / Fraction(R) + 1) / 2 for t in point]
    index, branch = 0, [0]
    for h in range(h_top):
        j = h % point.size
        s = splits(h + 1, point.size)[j]
        digit = max(0, min(K**s - 1, math.floor(unit[j] * K**s))) % K
        index = K * index + digit
        branch.append(index)
    return tuple(branch)


def indexed_regret_bound(
    f: Vectorized,
    f_star: float,
    lipschitz: float,
    matrices: npt.ArrayLike,
    *,
    K: int,
    R: Fraction,
    M: Fraction,
    h_max: int,
    gap: float = 0.0,
    depth: int | None = None,
) -> RegretBound:
    """The regret bound of an indexed run, computed from f and its matrices (theorem-2).

    All nodes down to `depth` (default h_max) are enumerated to find ``N_k`` and ``S_h`` exactly.
    The bound is valid for every depth.
    """
    blocks = np.asarray(matrices, dtype=float)
    d = blocks.shape[2]
    last = h_max if depth is None else min(depth, h_max)
    eps = indexed_eps(last + 1, d, K, float(R), lipschitz, blocks[0], gap=gap, f_star=f_star)
    values = [indexed_node_values(f, blocks, h, K, R, M) for h in range(last + 1)]
    return RegretBound(eps, sweeps_to_expand(values, f_star, eps), h_max, d, K)
