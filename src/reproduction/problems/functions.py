"""The four test functions of the paper's experiments, on ``[-1, 1]^d_e``.

These functions take only the *effective* variables; :mod:`reproduction.problems.hidden` hides them
in ``n`` coordinates. Each function scales the cube to the domain of the published experiments:
``u = 5 x`` or, for Fletcher-Powell, ``u = pi x``. All are non-negative everywhere. They are
computed so that the value at ``x_star`` is exactly 0.

Every landscape is callable on an array of shape ``(d_e,)`` (one value) or ``(d_e, S)`` (``S``
points as columns, ``S`` values: SciPy's ``vectorized`` convention). It is defined on all of
``R^d_e`` and has a Lipschitz constant for the Euclidean norm on any box ``|x_i| <= r_i`` around the
origin (Assumption 1). On a convex set a constant is valid iff it bounds the norm of the gradient
wherever the function is differentiable. Each docstring proves such a bound.
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

    name: ClassVar[str]
    """Its name in the registry ``PROBLEMS``."""

    @property
    def d_e(self) -> int:
        """Number of variables."""

    @property
    def x_star(self) -> Floats:
        """A minimiser in ``[-1, 1]^d_e``, shape (d_e,)."""

    def __call__(self, x: Floats) -> Values:
        """Return the value at ``x``, shape ``(d_e,)``, or the values at ``(d_e, S)``."""

    def lipschitz(self, radii: ArrayLike = 1.0) -> float:
        """Return a Lipschitz constant (Euclidean norm) on the box ``|x_i| <= radii_i``."""


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

    def lipschitz(self, radii: ArrayLike = 1.0) -> float:
        """Smallest Lipschitz constant on the box ``|x_i| <= radii_i``.

        ``df/dx_i = 2 W_i (x_i - s)`` with ``W = 25 (1e5, 1, .., 1)`` and ``s = 0.4634 > 0``, so
        ``|df/dx_i|`` is largest at ``x_i = -r_i``, for all ``i`` at once: the constant
        ``2 sqrt(sum_i W_i^2 (r_i + s)^2)`` is the norm of the gradient at the corner ``-r``, hence
        attained. On the unit cube it is 7.3170e6 whatever ``d_e`` (five digits).
        """
        gradient = 2.0 * self._weights * (_radii(radii, self.d_e) + self.x_star)
        return math.hypot(*gradient)


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

    def lipschitz(self, radii: ArrayLike = 1.0) -> float:
        """Smallest Lipschitz constant on the box ``|x_i| <= radii_i``.

        With ``u = 5 x``, ``df/du_i = 200 (u_i - u_{i-1}^2) - 400 u_i (u_{i+1} - u_i^2)
        - 2 (1 - u_i)``; the first term is absent for ``i = 1``, the other two for ``i = d_e``.
        Write ``p_i = 5 r_i``. By the triangle inequality ``|df/du_i| <= 200 (p_i + p_{i-1}^2)
        + 400 p_i (p_{i+1} + p_i^2) + 2 (1 + p_i)``, and at the corner ``u = -p`` all terms are
        negative, so that equality holds there for every ``i`` at once. The constant, 5 times the
        norm of these bounds, is thus the norm of the gradient at ``x = -r``: attained. On the unit
        cube with ``d_e = 10`` it is 9.8105e5.
        """
        p = HALF_WIDTH * _radii(radii, self.d_e)
        gradient = np.zeros(self.d_e)
        gradient[1:] += 200.0 * (p[1:] + p[:-1] ** 2)
        gradient[:-1] += 400.0 * p[:-1] * (p[1:] + p[:-1] ** 2) + 2.0 * (1.0 + p[:-1])
        return HALF_WIDTH * math.hypot(*gradient)


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

    def lipschitz(self, radii: ArrayLike = 1.0) -> float:
        """Lipschitz constant ``5 (4 + 2 pi sqrt(m) e^m) / sqrt(d_e)``, ``m = (sqrt(5) - 1) / 2``.

        Valid on all of ``R^d_e``, whatever ``radii``. In ``t = 5 x - 2.317``: the gradient of the
        first part has norm ``(4 / sqrt(d_e)) exp(-0.2 sqrt(mean t^2)) <= 4 / sqrt(d_e)``. That of
        the second is ``(2 pi / d_e) e^c sin(2 pi t_j)`` with ``c = mean cos(2 pi t)``; its norm is
        ``(2 pi / sqrt(d_e)) e^c sqrt(mean sin^2) <= (2 pi / sqrt(d_e)) e^c sqrt(1 - c^2)``, because
        ``mean cos^2 >= c^2``. The derivative of ``log(e^c sqrt(1 - c^2))`` vanishes where
        ``c^2 + c = 1``, at ``c = m`` (the other root is below -1), where ``1 - m^2 = m``. Add the
        two parts; the factor 5 is ``dt/dx``. The constant, 65.821 / sqrt(d_e), exceeds the least
        valid one on the unit cube by less than 1 %: near the diagonal point ``t = 0.144`` both
        parts are almost extreme and parallel.
        """
        _radii(radii, self.d_e)
        m = (math.sqrt(5.0) - 1.0) / 2.0
        slope = 4.0 + 2.0 * math.pi * math.sqrt(m) * math.exp(m)
        return HALF_WIDTH * slope / math.sqrt(self.d_e)


class FletcherPowell:
    """``||e - a sin(u) - b cos(u)||^2`` with ``u = pi x`` and ``e = a sin(alpha) + b cos(alpha)``.

    It has many valleys. The optimiser is ``alpha / pi`` (periodic outside the cube), with ``alpha``
    of shape (d_e,) in ``[-pi, pi]``. The amplitudes ``a, b`` have the shape (d_e, d_e); in the
    experiments they are integers in ``[-100, 100]``. ValueError if a shape is wrong, an entry is
    not finite, or ``alpha`` lies outside.
    """

    name: ClassVar[str] = "fletcher_powell"

    def __init__(self, alpha: ArrayLike, a: ArrayLike, b: ArrayLike) -> None:
        angles = np.array(alpha, dtype=np.float64)
        if angles.ndim != 1 or angles.size < 1 or not np.all(np.abs(angles) <= math.pi):
            raise ValueError(f"alpha = {angles!r}: must be a vector with entries in [-pi, pi]")
        self.d_e = angles.size
        self.a = self._amplitudes("a", a)
        self.b = self._amplitudes("b", b)
        self.x_star = _frozen(angles / math.pi)
        self._e = _frozen(self._waves(self.x_star))

    def _amplitudes(self, name: str, value: ArrayLike) -> Floats:
        matrix = np.array(value, dtype=np.float64)
        if matrix.shape != (self.d_e, self.d_e) or not np.all(np.isfinite(matrix)):
            raise ValueError(
                f"{name} = {value!r}: must be a finite matrix of shape ({self.d_e}, {self.d_e})"
            )
        return _frozen(matrix)

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

    def lipschitz(self, radii: ArrayLike = 1.0) -> float:
        """Lipschitz constant ``4 pi sqrt(d_e) s^2``, ``s`` the largest singular value of ``[a b]``.

        Valid on all of ``R^d_e``, whatever ``radii``; an upper bound, not the least constant. With
        ``S = diag(sin u)``, ``C = diag(cos u)``: the Jacobian of ``a sin u + b cos u`` is
        ``J = [a b] [C; -S]``, and ``[C; -S]`` has orthonormal columns because ``C^2 + S^2 = I``, so
        ``||J|| <= s``. The residual is ``[a b]`` times the difference of the vectors ``(sin; cos)``
        at ``alpha`` and at ``u``, of squared norm ``sum_j 4 sin^2((u_j - alpha_j) / 2) <= 4 d_e``,
        so its norm is at most ``2 s sqrt(d_e)``. The gradient in ``x`` is ``-2 pi J^T`` times the
        residual.
        """
        _radii(radii, self.d_e)
        s = float(np.linalg.norm(np.hstack((self.a, self.b)), 2))
        return 4.0 * math.pi * math.sqrt(self.d_e) * s * s


def _squared_norm(t: Floats) -> Values:
    """``sum_i t_i^2`` over the first axis of a vector or of a matrix of columns."""
    if t.ndim == 1:
        return t.dot(t)  # type: ignore[no-any-return]
    return np.einsum("is,is->s", t, t)  # type: ignore[no-any-return]


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def _radii(radii: ArrayLike, d_e: int) -> Floats:
    """Check the half-widths of a box and return them, shape (d_e,)."""
    r = np.asarray(radii, dtype=np.float64)
    if r.shape not in ((), (d_e,)) or not np.all(np.isfinite(r)) or not np.all(r >= 0):
        raise ValueError(
            f"radii = {radii!r}: must be one finite number >= 0, or {d_e} of them (shape ({d_e},))"
        )
    return np.broadcast_to(r, (d_e,))
