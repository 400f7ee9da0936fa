"""Five problems of practice. Their optima are not known: results are the values reached.

A problem is a positive function of ``[-1, 1]^n``, from which it computes what its docstring says. A
generator draws an instance: obstacles, loads, or which data are used to train. All sizes, bounds
and constants were fixed before a method was run. scikit-learn has the data of two problems.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from scipy.interpolate import BSpline
from scipy.linalg import solve

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats

#: A function of ``[-1, 1]^n``.
Objective = Callable[[Floats], float]

POINTS: Final = 30
"""Of the rover's path."""
SIDE: Final = 0.1
"""Of an obstacle."""
ENDS: Final = np.array([[0.05, 0.05], [0.95, 0.95]])
"""The start and the goal of the rover."""
KNOTS: Final = np.concatenate([np.zeros(3), np.linspace(0.0, 1.0, POINTS - 2), np.ones(3)])
SPLINE: Final = BSpline(KNOTS, np.eye(POINTS), 3)(np.linspace(0.0, 1.0, 201))
"""Takes the points of a path to 201 places along it."""


def rover_cost(obstacles: Floats, x: Floats) -> float:
    """Return the cost of the path that 30 points of the unit square make, ``(x + 1) / 2``.

    The path is the cubic B-spline with these control points, from the first to the last. A unit of
    its length costs 0.05, and 20 more in an obstacle, a square whose center is a row of
    `obstacles`. An end that is not where it should be costs ten times the sum of its two
    distances. After the problem of Wang, Gehring, Kohli and Jegelka (2018), which has one map.
    """
    points = (x.reshape(POINTS, 2) + 1) / 2
    path = SPLINE @ points
    middles = (path[1:] + path[:-1]) / 2
    away = np.abs(middles.T[:, :, np.newaxis] - obstacles.T[:, np.newaxis]).max(axis=0)
    price = 0.05 + 20.0 * (away < SIDE / 2).any(axis=1)
    lengths = np.hypot(*(path[1:] - path[:-1]).T)
    return float(price @ lengths + 10.0 * np.abs(points[[0, -1]] - ENDS).sum())


def _rover(rng: np.random.Generator) -> Objective:
    """Draw thirty obstacles; the rover starts and arrives outside them."""
    centers = rng.uniform(0.0, 1.0, (100, 2))
    free = np.abs(centers[:, np.newaxis] - ENDS).max(axis=2).min(axis=1) > SIDE / 2
    return partial(rover_cost, centers[free][:30])


class Truss(NamedTuple):
    """A bridge of square bays, each with two diagonals, that stands on its lower corners."""

    bars: Floats
    """The elongation of each bar (column) by a displacement of each free coordinate (row)."""
    lengths: Floats
    forces: Floats
    """In each free coordinate."""


def bridge(loads: Floats) -> Truss:
    """Return the bridge whose upper nodes bear some loads: of one bay less than there are loads."""
    bays = len(loads) - 1
    place = np.array([(k, level) for k in range(bays + 1) for level in (0, 1)], dtype=float)
    ends = [(2 * k, 2 * k + 1) for k in range(bays + 1)]
    for k in range(0, 2 * bays, 2):
        ends += [(k, k + 2), (k + 1, k + 3), (k, k + 3), (k + 1, k + 2)]
    bars, lengths = np.zeros((2 * len(place), len(ends))), np.empty(len(ends))
    for bar, (a, b) in enumerate(ends):
        lengths[bar] = np.hypot(*(place[b] - place[a]))
        direction = (place[b] - place[a]) / lengths[bar]
        bars[2 * a : 2 * a + 2, bar], bars[2 * b : 2 * b + 2, bar] = -direction, direction
    forces = np.zeros(2 * len(place))
    forces[3::4] = -loads
    free = np.setdiff1d(np.arange(len(forces)), [0, 1, len(forces) - 3])
    return Truss(bars[free], lengths, forces[free])


def compliance(truss: Truss, x: Floats) -> float:
    """Return the work of the loads of a truss whose bars have the areas ``10^x``, to a factor.

    The factor makes the volume of all bars 1. Young's modulus is 1. The least compliance for a
    given volume is a standard problem of the design of trusses (Bendsoe and Sigmund 2004).
    """
    areas = 10.0**x
    areas /= areas @ truss.lengths
    stiffness = (truss.bars * (areas / truss.lengths)) @ truss.bars.T
    return float(truss.forces @ solve(stiffness, truss.forces, assume_a="pos"))


def _truss(rng: np.random.Generator) -> Objective:
    """Draw loads on the 26 upper nodes of a bridge, of the sum 1."""
    return partial(compliance, bridge(rng.dirichlet(np.ones(26))))


HIDDEN: Final = 16
"""Units of the network's hidden layer."""


def cross_entropy(pixels: Floats, digits: Floats, x: Floats) -> float:
    """Return the mean cross-entropy of a network of one hidden layer, ``tanh``, with the weights x.

    They are those of the pixels and the threshold of each hidden unit, then those of the hidden
    units and the threshold of each of the ten digits. Montana and Davis (1989) trained networks
    without derivatives.
    """
    first, second = np.split(x, [HIDDEN * (pixels.shape[1] + 1)])
    inner, outer = first.reshape(-1, HIDDEN), second.reshape(-1, 10)
    scores = np.tanh(pixels @ inner[:-1] + inner[-1]) @ outer[:-1] + outer[-1]
    chosen = scores[np.arange(len(digits)), digits]
    return float((np.log(np.exp(scores).sum(axis=1)) - chosen).mean())


def _digits(rng: np.random.Generator) -> Objective:
    """Draw 300 of the 1,797 pictures of scikit-learn's digits, of 64 pixels."""
    pixels, digits = extra("sklearn.datasets", "compare").load_digits(return_X_y=True)
    chosen = rng.permutation(len(pixels))[:300]
    return partial(cross_entropy, pixels[chosen] / 16.0, digits[chosen])


class Split(NamedTuple):
    """Data to fit, and others to measure the error."""

    fitted: Floats
    fitted_y: Floats
    held: Floats
    held_y: Floats


def kernel_error(data: Split, x: Floats) -> float:
    """Return the mean squared error of kernel ridge regression, a length-scale for each feature.

    The kernel is ``exp(-|z - z'|^2 / 2)`` of the features divided by ``10^(1 - x)``, that is, by 1
    to 100, and the ridge is 1/2. To fit such length-scales is what Gaussian processes with
    automatic relevance determination do (Rasmussen and Williams 2006).
    """
    weights = 10.0 ** (x - 1.0)
    fitted, held = data.fitted * weights, data.held * weights
    norms = (fitted * fitted).sum(axis=1)
    inner = np.exp(fitted @ fitted.T - (norms[:, np.newaxis] + norms) / 2)
    norms_held = (held * held).sum(axis=1)
    outer = np.exp(held @ fitted.T - (norms_held[:, np.newaxis] + norms) / 2)
    inner[np.diag_indices_from(inner)] += 0.5
    predicted = outer @ solve(inner, data.fitted_y, assume_a="pos")
    return float(((data.held_y - predicted) ** 2).mean())


def _kernel(rng: np.random.Generator) -> Objective:
    """Draw 120 patients of scikit-learn's diabetes data, and 90 features that say nothing.

    The ten features that there are, the others and what is to be predicted have mean 0 and variance
    1. Half of the patients are fitted.
    """
    features, y = extra("sklearn.datasets", "compare").load_diabetes(return_X_y=True)
    chosen = rng.permutation(len(y))[:120]
    z = np.hstack([features[chosen], rng.standard_normal((120, 90))])
    z, y = (z - z.mean(axis=0)) / z.std(axis=0), (y[chosen] - y[chosen].mean()) / y[chosen].std()
    return partial(kernel_error, Split(z[:60], y[:60], z[60:], y[60:]))


STEPS: Final = 50
"""Of FISTA, which fits the lasso."""


def lasso_error(data: Split, steepest: float, x: Floats) -> float:
    """Return the mean squared error of the lasso with a penalty for each feature.

    It minimises ``|y - Z b|^2 / (2 m) + sum_j penalty_j |b_j|`` over b, with fifty steps of FISTA
    from 0; `steepest` is the greatest eigenvalue of ``Z'Z / m``. A penalty is ``10^(x - 1)`` times
    the least one that, for all features, makes b 0. Sehic, Gramfort, Salmon and Nardi (2022) posed
    such problems, with cross-validation.
    """
    z, y = data.fitted, data.fitted_y
    rate = 1.0 / (len(y) * steepest)
    limit = rate * np.abs(y @ z).max() * 10.0 ** (x - 1.0)
    b = ahead = np.zeros(len(x))
    momentum = 1.0
    for _ in range(STEPS):
        moved = ahead - rate * ((z @ ahead - y) @ z)
        before, b = b, moved - np.maximum(np.minimum(moved, limit), -limit)
        following = (1.0 + math.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = b + (momentum - 1.0) / following * (b - before)
        momentum = following
    return float(((data.held_y - data.held @ b) ** 2).mean())


def _lasso(rng: np.random.Generator) -> Objective:
    """Draw 100 rows of 200 normal features, of which eight matter; half of the rows are fitted."""
    z, b = rng.standard_normal((100, 200)), np.zeros(200)
    b[rng.permutation(200)[:8]] = rng.choice([-1.0, 1.0], 8)
    y = z @ b + 0.5 * rng.standard_normal(100)
    steepest = float(np.linalg.norm(z[:50], 2)) ** 2 / 50
    return partial(lasso_error, Split(z[:50], y[:50], z[50:], y[50:]), steepest)


class RealProblem(NamedTuple):
    """A problem of n variables."""

    n: int
    draw: Callable[[np.random.Generator], Objective]
    """Makes an instance."""


REAL: Final = {
    "rover": RealProblem(2 * POINTS, _rover),
    "kernel": RealProblem(100, _kernel),
    "truss": RealProblem(126, _truss),
    "lasso": RealProblem(200, _lasso),
    "digits": RealProblem(HIDDEN * 65 + 10 * (HIDDEN + 1), _digits),
}
"""The problems by name."""
