r"""Coverage of an effective subspace that is not axis-aligned, by simulation.

The objective depends on ``Q^T x``, Q of shape (n, d_e) with orthonormal columns, and its optimisers
are the x with ``Q^T x = z*``. A matrix A covers them when ``Q^T clip(A y) = z*`` for some y in
``Y = [-R, R]^d``. No closed law is known: clipping moves ``A y`` in all n coordinates, and so moves
its effective part. With ``y = R u`` and ``A = sigma G`` only ``sigma R`` and n matter, besides z*;
for Q uniform (Haar) only the norm of z* does.

The search for such a point is the method of Levenberg and Marquardt with the bounds of Y in each
step. A point that it finds shows that the matrix covers, up to the tolerance; that it finds none
shows nothing. So the share of matrices for which it finds one estimates a lower bound on the
coverage.
"""

import numpy as np
import numpy.typing as npt
from scipy import optimize

from embedded_hunter.common.arguments import integer, not_negative, positive
from embedded_hunter.matrices import Floats

TOLERANCE = 1e-8
"""Largest ``||Q^T clip(A y) - z*||`` at a point that counts as found."""
STEPS = 40
"""Largest number of steps of the search."""
DAMPING = 1e-3
"""Weight of the length of a step, in units of the norm of the derivative."""
DRAWS = 1000
"""Largest number of subspaces drawn for one sample."""


def covering_point(
    A: npt.ArrayLike, Q: npt.ArrayLike, z_star: npt.ArrayLike, R: float
) -> Floats | None:
    """Look for a y in ``[-R, R]^d`` with ``Q^T clip(A y) = z*`` (claim coverage).

    The matrix A of the embedding has the shape (n, d), the orthonormal basis Q of the effective
    subspace (n, d_e). Return a point at which the equation holds up to `TOLERANCE`; None if none
    was found, which does not mean that there is none.
    """
    basis, target = np.asarray(Q, dtype=float), np.asarray(z_star, dtype=float).ravel()
    G = np.asarray(A, dtype=float) * positive("R", R)

    u = np.zeros(G.shape[1])
    for _ in range(STEPS):
        x = G @ u
        miss = target - basis.T @ np.clip(x, -1, 1)
        if np.linalg.norm(miss) <= TOLERANCE:
            return u * R
        free = np.abs(x) < 1
        slope = basis[free].T @ G[free]
        damped = np.vstack([slope, DAMPING * np.linalg.norm(slope) * np.eye(u.size)])
        right = np.concatenate([miss, np.zeros(u.size)])
        step = optimize.lsq_linear(damped, right, (-1 - u, 1 - u), method="bvls").x
        u = np.clip(u + step, -1, 1)
    return None


def count_rotated_coverage(
    norm: float,
    d_e: int,
    d: int,
    scale: float,
    n: int,
    matrices: int,
    rng: np.random.Generator,
) -> int:
    """Count for how many matrices a covering point is found (claim coverage).

    Each sample draws a subspace (Haar measure, conditioned on an optimiser ``Q z*`` in the cube)
    and a matrix, and looks for a covering point. The number is binomial; the probability that the
    search succeeds is at most the coverage.

    Parameters
    ----------
    norm : float
        ``||z*||``.
    d_e, d, n : int
        Dimensions of the effective subspace, of Y and of the large space.
    scale : float
        ``sigma R``.
    matrices : int
        Number of samples.

    Raises
    ------
    ValueError
        If ``d_e > n``, or if the optimiser lies in the cube for none of the first 1,000 subspaces
        that are drawn for a sample: for large norms, at the latest from ``sqrt(n)`` on.
    """
    d_e, d, n = integer("d_e", d_e, 1), integer("d", d, 1), integer("n", n, 1)
    norm, scale = not_negative("norm", norm), positive("scale", scale)
    if d_e > n:
        raise ValueError(f"d_e must be at most n = {n}, got {d_e}")
    z_star = np.zeros(d_e)
    z_star[0] = norm
    hits = 0
    for _ in range(integer("matrices", matrices, 1)):
        for _ in range(DRAWS):  # the first column alone decides whether Q z* is in the cube
            first = rng.standard_normal(n)
            if norm * np.abs(first).max() <= np.linalg.norm(first):
                break
        else:
            raise ValueError(f"norm {norm}: for n = {n} none of {DRAWS} optimisers is in the cube")
        Q = np.linalg.qr(np.column_stack([first, rng.standard_normal((n, d_e - 1))]))[0]
        hits += covering_point(scale * rng.standard_normal((n, d)), Q, z_star, 1.0) is not None
    return hits
