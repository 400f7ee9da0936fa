"""The model of `model` once more: explicit features, least squares, and a scan of bends.

A function g u + u H u / 2 is theta phi(u): phi(u) = (u, vec(u u') / 2^(1/2), 10 q(u)). The last of
them is there after an earlier model of weight 10^2: q(u) = u H0 u / 2, H0 its H over its norm.
So |theta|^2 = |g|^2 + |H - c H0|^2 / 2 + c^2 / 100, c being 10 times the last one of theta.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import Covariance, multivariate_normal

from embedded_hunter.matrices import Floats


def in_medians(rises: Floats) -> Floats | None:
    """Rises in units of their upper median, cut at 10^60; None if that is 0."""
    usual = sorted(rises.tolist())[len(rises) // 2]
    return np.array([min(rise / usual, 1e60) for rise in rises.tolist()]) if usual > 0 else None


def weighted_features(u: Floats, r: Floats, ridge: float, H0: Floats | None) -> Floats:
    """phi(u) of each point over (ridge^(1/2) (1 + r)): a misfit e of r counts e^2 / its square."""
    parts = [u]
    parts.append(np.array([np.outer(point, point).ravel() for point in u]) / math.sqrt(2))
    if H0 is not None:
        unit = H0 / math.sqrt(float(np.sum(H0 * H0)))
        parts.append(np.array([[10 * (point @ unit @ point) / 2] for point in u]))
    return np.hstack(parts) / (math.sqrt(ridge) * (1 + r))[:, np.newaxis]


def coefficients(
    u: Floats, r: Floats, ridge: float, H0: Floats | None = None, bend: float = 0.0
) -> tuple[Floats, Floats]:
    """Return g and H of least |theta|^2 and misfits of r + bend r^2: a problem of least squares."""
    d = u.shape[1]
    features = weighted_features(u, r, ridge, H0)
    n = features.shape[1]
    wanted = (r + bend * r * r) / (math.sqrt(ridge) * (1 + r))
    rows = np.vstack([features, np.eye(n)])
    theta = np.linalg.lstsq(rows, np.concatenate([wanted, np.zeros(n)]), rcond=None)[0]
    H = theta[d : d + d * d].reshape(d, d) * math.sqrt(2)
    if H0 is not None:
        H = H + 10 * theta[-1] * H0 / math.sqrt(float(np.sum(H0 * H0)))
    return theta[:d], H


def likeliest(
    u: Floats, r: Floats, ridge: float, H0: Floats | None, bends: Sequence[float]
) -> float:
    """Return the bend for which r is likeliest, if theta and the misfits are Gaussian.

    With the variance, common to them all, for which it is: the mean of the squares after whitening.
    Beside the density of r + bend r^2 its Jacobian counts, 1 + 2 bend r for each r.
    """
    directions, stretches, _ = np.linalg.svd(weighted_features(u, r, ridge, H0))
    variances = np.ones(len(r))
    variances[: len(stretches)] += stretches**2

    def log_likelihood(bend: float) -> float:
        seen = (r + bend * r * r) / (math.sqrt(ridge) * (1 + r))
        common = np.mean((directions.T @ seen) ** 2 / variances)
        covariance = Covariance.from_eigendecomposition((common * variances, directions))
        density = multivariate_normal.logpdf(seen, np.zeros(len(r)), covariance)
        return float(density) + sum(math.log1p(2 * bend * one) for one in r.tolist())

    return max(bends, key=log_likelihood)


def quadratic_model(
    u: Floats, rises: Floats, ridge: float, H0: Floats | None = None
) -> tuple[Floats, Floats] | None:
    """Return g and H with the likeliest bend; None if most rises are 0."""
    r = in_medians(rises)
    if r is None:
        return None
    bend = likeliest(u, r, ridge, H0, (0.0, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0))
    return coefficients(u, r, ridge, H0, bend)


def quadratic_minimiser(g: Floats, H: Floats, radius: float, damping: float) -> Floats:
    """Where the damped model is least, moved to the radius if it is farther away."""
    curvatures = np.linalg.eigvalsh(H)
    most = max(abs(curvatures[0]), abs(curvatures[-1]))
    convex = max(0.0, -curvatures[0]) + damping * most
    step = np.linalg.solve(H + convex * np.eye(len(g)), -g)
    return np.asarray(step * min(1.0, radius / float(np.linalg.norm(step))))
