"""The registry of test functions: the paper's four, five more with their optimum at random, COCO's.

In the paper's four functions all coordinates of the optimum are equal, except in Fletcher-Powell.
In the others the optimum is drawn uniformly from ``[-0.8, 0.8]^d_e``; its mean squared norm is then
that of the point ``(0.46, .., 0.46)``. With ``t = 5 (x - x_star)``, as in the paper's functions:

- `zakharov`: smooth, one minimum, a long bent valley,
- `rastrigin`: smooth, about ``11^d_e`` local minima in the cube,
- `sharp_ridge`: not differentiable on a line, along which it must be followed,
- `staircase`: constant on boxes, so that small steps change nothing,
- `absolute_values`: convex and separable, not differentiable on ``d_e`` hyperplanes.

The functions ``f1`` to ``f24`` are COCO's (`bbob`), each with an instance drawn at random. To add a
function, write it here and add an entry to `PROBLEMS`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats, generator
from reproduction.problems.bbob import INSTANCES, NUMBERS, Bbob
from reproduction.problems.functions import (
    HALF_WIDTH,
    Ackley,
    Ellipsoid,
    FletcherPowell,
    Landscape,
    Rosenbrock,
    Values,
)
from reproduction.problems.hidden import Problem, RNGLike, embed

#: The optimum is uniform on ``[-SPREAD, SPREAD]^d_e``.
SPREAD: Final = 0.8
#: Values of a function of ``t``, shape (d_e, S), for each column.
OfColumns = Callable[[Floats], Floats]
Draw = Callable[[int, np.random.Generator], Landscape]


class Shifted:
    """A function of ``t = 5 (x - x_star)`` whose least value is 0, at ``t = 0``.

    Parameters
    ----------
    x_star : array_like of shape (d_e,)
        The optimum.
    """

    name: ClassVar[str]
    #: The function of ``t``, shape ``(d_e, S)``, to ``S`` values.
    of_columns: ClassVar[OfColumns]

    def __init__(self, x_star: ArrayLike) -> None:
        self.x_star = np.array(x_star, dtype=np.float64)
        self.x_star.flags.writeable = False
        self.d_e = self.x_star.size

    def __call__(self, x: Floats) -> Values:
        """Value at ``x``, shape ``(d_e,)`` or ``(d_e, S)``."""
        t = HALF_WIDTH * (x.T - self.x_star).T
        values = type(self).of_columns(t.reshape(self.d_e, -1))
        return np.float64(values[0]) if t.ndim == 1 else values


def zakharov(t: Floats) -> Floats:
    """``sum t_i^2 + s^2 + s^4`` with ``s = sum i t_i / 2``."""
    s = 0.5 * np.arange(1, len(t) + 1) @ t
    return np.asarray((t * t).sum(axis=0) + s**2 + s**4)


def rastrigin(t: Floats) -> Floats:
    """``sum t_i^2 + 20 sin^2(pi t_i)``, equal to ``10 d_e + sum t_i^2 - 10 cos(2 pi t_i)``."""
    return np.asarray((t * t + 20.0 * np.sin(math.pi * t) ** 2).sum(axis=0))


def sharp_ridge(t: Floats) -> Floats:
    """``t_1^2 + 100 sqrt(t_2^2 + .. + t_{d_e}^2)``."""
    return np.asarray(t[0] ** 2 + 100.0 * np.sqrt((t[1:] ** 2).sum(axis=0)))


def staircase(t: Floats) -> Floats:
    """``sum r_i^2`` with ``r_i`` the integer nearest to ``t_i``: constant on boxes of width 1."""
    return np.asarray((np.rint(t) ** 2).sum(axis=0))


def absolute_values(t: Floats) -> Floats:
    """``sum |t_i|``."""
    return np.asarray(np.abs(t).sum(axis=0))


def _shifted(of_columns: OfColumns) -> Draw:
    """Return what draws an instance of a function of t."""
    name = of_columns.__name__
    landscape = type(name, (Shifted,), {"name": name, "of_columns": staticmethod(of_columns)})
    return lambda d_e, rng: landscape(rng.uniform(-SPREAD, SPREAD, integer("d_e", d_e, 2)))


def _of_coco(number: int) -> Draw:
    """Return what draws an instance of a function of COCO."""
    return lambda d_e, rng: Bbob(number, d_e, int(rng.integers(1, INSTANCES, endpoint=True)))


@dataclass(frozen=True)
class Entry:
    """A test function of the experiments."""

    title: str
    """Its name in tables and figures."""
    draw: Draw
    """Makes an instance of d_e variables; a generator gives its random numbers, if it has any."""

    def __call__(self, n: int, d_e: int, rng: RNGLike = None, rotated: bool = False) -> Problem:
        """Make a problem with ``d_e`` effective variables in ``n`` coordinates; see `hidden.embed`.

        The random numbers of the function itself are drawn before its place in x. So the same seed
        and ``d_e`` give the same function for every ``n``.
        """
        if integer("d_e", d_e, 1) > integer("n", n, 1):
            raise ValueError(f"d_e must be at most n = {n}, got {d_e}")
        source = generator(rng)
        return embed(self.draw(d_e, source), n, source, rotated)


PROBLEMS: Final = {
    "ellipsoid": Entry("Ellipsoid", lambda d_e, rng: Ellipsoid(d_e)),
    "fletcher_powell": Entry("FletcherPowell", FletcherPowell.random),
    "rosenbrock": Entry("Rosenbrock", lambda d_e, rng: Rosenbrock(d_e)),
    "ackley": Entry("Ackley", lambda d_e, rng: Ackley(d_e)),
    "zakharov": Entry("Zakharov", _shifted(zakharov)),
    "rastrigin": Entry("Rastrigin", _shifted(rastrigin)),
    "sharp_ridge": Entry("sharp ridge", _shifted(sharp_ridge)),
    "staircase": Entry("staircase", _shifted(staircase)),
    "absolute_values": Entry("absolute values", _shifted(absolute_values)),
    **{f"f{number}": Entry(f"f{number}", _of_coco(number)) for number in NUMBERS},
}
"""The functions by name, those of the paper in the order of its figure."""
OF_PAPER, WIDER, OF_COCO = (tuple(PROBLEMS)[part] for part in (slice(4), slice(4, 9), slice(9, 33)))
