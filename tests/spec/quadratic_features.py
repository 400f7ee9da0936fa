"""The model of `quadratic` once more: explicit features, least squares, a scan of the shifts."""

import math

import numpy as np

from embedded_hunter.projection import Floats


def coefficients(u: Floats, r: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Return g and H of g u + u H u / 2, of least sum of g_i^2 + H_ij^2 / 2 and misfits.

    A misfit e of the value r counts e^2 / (ridge (1 + r)^2): one problem of least squares.
    """
    d = u.shape[1]
    squares = np.array([np.outer(point, point).ravel() for point in u]) / math.sqrt(2)
    features = np.hstack([u, squares])
    weight = 1 / (math.sqrt(ridge) * (1 + r))
    rows = np.vstack([features * weight[:, np.newaxis], np.eye(d + d * d)])
    theta = np.linalg.lstsq(rows, np.concatenate([r * weight, np.zeros(d + d * d)]), rcond=None)[0]
    return theta[:d], theta[d:].reshape(d, d) * math.sqrt(2)


def quadratic_minimiser(u: Floats, rises: Floats, reach: float, ridge: float) -> Floats:
    """Where the model is least within reach; rises in units of their median, cut at 1000."""
    d = u.shape[1]
    ordered = sorted(rises.tolist())
    usual = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    if usual == 0:
        return np.zeros(d)
    g, H = coefficients(u, np.minimum(rises / usual, 1000.0), ridge)
    curvatures = np.linalg.eigvalsh(H)
    most = max(abs(curvatures[0]), abs(curvatures[-1]))
    convex = max(0.0, -curvatures[0]) + 1e-9 * most
    for shift in (0.0, *(10 ** (-6 + k / 4) for k in range(41))):
        step = np.linalg.solve(H + (convex + shift * most) * np.eye(d), -g)
        if np.linalg.norm(step) <= reach:
            return np.asarray(step)
    return np.asarray(-g * reach / np.linalg.norm(g))
