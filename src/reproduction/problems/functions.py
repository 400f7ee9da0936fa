"""The four test functions of the paper's experiments, on ``[-1, 1]^d_e``.

These functions take only the *effective* variables; :mod:`reproduction.problems.hidden` hides them
in ``n`` coordinates. Each function scales the cube to the domain of the published experiments:
``u = 5 x`` or, for Fletcher-Powell, ``u = pi x``. All are non-negative everywhere. They are
computed so that the value at ``x_star`` is exactly 0.

Every landscape is callable on an array of shape ``(d_e,)`` (one value) or ``(d_e, S)`` (``S``
points as columns, ``S`` values: SciPy's ``vectorized`` convention).
"""

import math
from typing import ClassVar, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats

#: The result of an objective: one value, or ``S`` values for ``S`` columns.
Values = np.float64 | Floats

#: Half-width of the domain of Ellipsoid, Rosenbrock and Ackley before scaling.
HALF_WIDTH: Final = 5.0
#: Every coordinate of the optimiser of Ellipsoid and Ackley before scaling.
SHIFT: Final = 2.317


class Landscape(Protocol):
    """A function of ``d_e`` variables whose least value is 0."""

    @property
    def name(self) -> str:
        """Its name in the registry ``PROBLEMS``."""

    @property
    def d_e(self) -> int:
        """Number of variables."""

    @property
    def x_star(self) -> Floats:
        """A minimiser in ``[-1, 1]^d_e``, shape (d_e,)."""

    def __call__(self, x: Floats) -> Values:
        """Return the value at ``x``, shape ``(d_e,)``, or the values at ``(d_e, S)``."""


class Ellipsoid:
    """``1e5 (u_1 - 2.317)^2 + sum_{i > 1} (u_i - 2.317)^2`` with ``u = 5 x``.

    The first coordinate is badly scaled. Every coordinate of the optimiser is
    ``2.317 / 5 = 0.4634``.
    """

    name: ClassVar[str] = "ellipsoid"

    def __init__(self, d_e: int) -> None:
        self.d_e = d_e = integer("d_e", d_e, 1)
        self.x_star = _frozen(np.full(d_e, SHIFT / HALF_WIDTH))
        weights = np.full(d_e, HALF_WIDTH**2)
        weights[0] *= 1e5
        self._weights = _frozen(weights)

    def __call__(self, x: Floats) -> Values:
        """Value at ``x``, shape ``(d_e,)`` or ``(d_e, S)``."""
        t = (x.T - self.x_star).T
        return self._weights.dot(t * t)  # type: ignore[no-any-return]


class Rosenbrock:
    """``sum_{i < d_e} 100 (u_{i+1} - u_i^2)^2 + (1 - u_i)^2`` with ``u = 5 x``, ``d_e >= 2``.

    It is not shifted. Every coordinate of the optimiser is 0.2, and the value at 0 is ``d_e - 1``.
    """

    name: ClassVar[str] = "rosenbrock"

    def __init__(self, d_e: int) -> None:
        self.d_e = d_e = integer("d_e", d_e, 2)
        self.x_star = _frozen(np.full(d_e, 1.0 / HALF_WIDTH))

    def __call__(self, x: Floats) -> Values:
        """Value at ``x``, shape ``(d_e,)`` or ``(d_e, S)``."""
        u = HALF_WIDTH * x
        head = u[:-1]
        return 100.0 * _squared_norm(u[1:] - head * head) + _squared_norm(head - 1.0)


class Ackley:
    """Ackley's function (20, 0.2, 2 pi) of ``u - 2.317`` with ``u = 5 x``.

    ``20 (1 - exp(-0.2 sqrt(mean t^2))) + e - exp(mean cos(2 pi t))`` with ``t = u - 2.317``.
    It is computed through ``expm1`` and ``cos a = 1 - 2 sin^2(a / 2)``, which avoids cancellation
    near the optimiser and values below 0. Every coordinate of the optimiser is 0.4634.
    """

    name: ClassVar[str] = "ackley"

    def __init__(self, d_e: int) -> None:
        self.d_e = d_e = integer("d_e", d_e, 1)
        self.x_star = _frozen(np.full(d_e, SHIFT / HALF_WIDTH))
        self._root_scale = 0.2 * HALF_WIDTH / math.sqrt(d_e)
        self._gap_scale = 2.0 / d_e

    def __call__(self, x: Floats) -> Values:
        """Value at ``x``, shape ``(d_e,)`` or ``(d_e, S)``."""
        t = (x.T - self.x_star).T
        gap = self._gap_scale * _squared_norm(np.sin(math.pi * HALF_WIDTH * t))
        root = self._root_scale * np.sqrt(_squared_norm(t))
        return -20.0 * np.expm1(-root) - math.e * np.expm1(-gap)


class FletcherPowell:
    """``||e - a sin(u) - b cos(u)||^2`` with ``u = pi x`` and ``e = a sin(alpha) + b cos(alpha)``.

    It has many valleys. The optimiser is ``alpha / pi`` (periodic outside the cube), with ``alpha``
    of shape (d_e,) in ``[-pi, pi]``. The amplitudes ``a, b`` have the shape (d_e, d_e); in the
    experiments they are integers in ``[-100, 100]``.
    """

    name: ClassVar[str] = "fletcher_powell"

    def __init__(self, alpha: ArrayLike, a: ArrayLike, b: ArrayLike) -> None:
        angles = np.array(alpha, dtype=np.float64)
        self.d_e = angles.size
        self.a, self.b = _frozen(np.array(a, np.float64)), _frozen(np.array(b, np.float64))
        self.x_star = _frozen(angles / math.pi)
        self._e = _frozen(self._waves(self.x_star))

    @classmethod
    def random(cls, d_e: int, rng: np.random.Generator) -> "FletcherPowell":
        """Draw an instance: ``alpha`` uniform in ``[-pi, pi]``, then ``a``, then ``b``.

        The entries of ``a`` and ``b`` are uniform integers in ``[-100, 100]``, row by row.
        """
        alpha = rng.uniform(-math.pi, math.pi, d_e)
        a = rng.integers(-100, 100, (d_e, d_e), endpoint=True)
        b = rng.integers(-100, 100, (d_e, d_e), endpoint=True)
        return cls(alpha, a, b)

    def _waves(self, x: Floats) -> Floats:
        u = math.pi * x
        return self.a.dot(np.sin(u)) + self.b.dot(np.cos(u))  # type: ignore[no-any-return]

    def __call__(self, x: Floats) -> Values:
        """Value at ``x``, shape ``(d_e,)`` or ``(d_e, S)``."""
        return _squared_norm((self._waves(x).T - self._e).T)


def _squared_norm(t: Floats) -> Values:
    """``sum_i t_i^2`` over the first axis of a vector or of a matrix of columns."""
    if t.ndim == 1:
        return t.dot(t)  # type: ignore[no-any-return]
    return np.einsum("is,is->s", t, t)  # type: ignore[no-any-return]


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
