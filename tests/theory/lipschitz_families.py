"""Families of Lipschitz functions with a known minimum, minimiser and constant.

Each family is a factory ``(rng, x_star) -> LipschitzFunction``. It draws everything except the
minimiser at random. The minimum is attained at `x_star` and is exact in floating point (each value
is the minimum plus a number that is not negative), so regrets are exact too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from embedded_hunter.matrices import Floats


@dataclass(frozen=True)
class LipschitzFunction:
    """A function on ``[-1, 1]^{d_e}`` whose regret and Lipschitz constant are known.

    Attributes
    ----------
    f_star : float
        The minimum.
    lipschitz : float
        A Lipschitz constant for the Euclidean norm on the cube.
    excess : callable
        ``f - f_star``, vectorised: (k, d_e) -> (k,).
    """

    f_star: float
    lipschitz: float
    excess: Callable[[Floats], Floats]

    def __call__(self, x: Floats) -> Floats:
        """Return the values at the rows of x, shape (k, d_e)."""
        return self.f_star + self.excess(x)


Family = Callable[[np.random.Generator, Floats], LipschitzFunction]


def distance(rng: np.random.Generator, x_star: Floats) -> LipschitzFunction:
    """``f* + L ||x - x*||``: a single cone."""
    slope = _slope(rng)

    def excess(x: Floats) -> Floats:
        return slope * _norms(x - x_star)

    return LipschitzFunction(_level(rng), slope, excess)


def piecewise_linear(rng: np.random.Generator, x_star: Floats) -> LipschitzFunction:
    """``f* + max(0, a_1 (x - x*), ..., a_m (x - x*))``: flat where all slopes point down."""
    a = rng.standard_normal((int(rng.integers(2, 7)), x_star.size))

    def excess(x: Floats) -> Floats:
        return np.asarray(np.maximum(0.0, ((x - x_star) @ a.T).max(axis=1)))

    L = float(_norms(a).max())
    return LipschitzFunction(_level(rng), L, excess)


def cones(rng: np.random.Generator, x_star: Floats) -> LipschitzFunction:
    """``f* + min_j (b_j + L_j ||x - x_j||)``: one global and several local minima."""
    m = int(rng.integers(2, 6))
    apexes = np.vstack([x_star, rng.uniform(-1, 1, (m, x_star.size))])
    depths = np.concatenate([[0.0], rng.uniform(0, 0.3, m)])
    slopes = np.exp(rng.uniform(-1, 1.5, m + 1))

    def excess(x: Floats) -> Floats:
        gaps = np.linalg.norm(x[:, None, :] - apexes, axis=2)
        return np.asarray((depths + slopes * gaps).min(axis=1))

    return LipschitzFunction(_level(rng), float(slopes.max()), excess)


def smooth(rng: np.random.Generator, x_star: Floats) -> LipschitzFunction:
    """``f* + (q/2) ||x - x*||^2 + a (1 - cos(w (x - x*)))``: a rippled bowl."""
    q, a = np.exp(rng.uniform(-2, 1, 2))
    w = rng.standard_normal(x_star.size) * rng.uniform(0, 8)

    def excess(x: Floats) -> Floats:
        return np.asarray(
            0.5 * q * ((x - x_star) ** 2).sum(axis=1) + a * (1 - np.cos((x - x_star) @ w))
        )

    farthest = float(np.linalg.norm(1 + np.abs(x_star)))
    L = float(q * farthest + a * np.linalg.norm(w))
    return LipschitzFunction(_level(rng), L, excess)


FAMILIES: tuple[Family, ...] = (
    distance,
    piecewise_linear,
    cones,
    smooth,
)


def _slope(rng: np.random.Generator) -> float:
    return math.exp(float(rng.uniform(-2, 2)))


def _level(rng: np.random.Generator) -> float:
    return float(rng.choice([0.0, 0.0, -3.5, 10.0]))


def _norms(x: Floats) -> Floats:
    return np.asarray(np.linalg.norm(x, axis=1))
