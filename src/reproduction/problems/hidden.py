"""Test problems on ``X = [-1, 1]^n`` that depend on ``d_e`` directions only.

A problem hides a function of ``d_e`` variables, such as those of `reproduction.problems.functions`,
in ``n`` coordinates, in one of two ways:

- ``rotated=False``: ``f(x) = F(x_{i_1}, .., x_{i_{d_e}})``, with ``d_e`` *different* coordinates
  drawn at random. (The published experiments drew with replacement, so that some problems had
  fewer than ``d_e`` effective coordinates.)
- ``rotated=True``: ``f(x) = F(Q^T x)``, ``Q`` a random ``n x d_e`` matrix with orthonormal columns.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import Bounds

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats, generator
from reproduction.problems.functions import Landscape, Values

RNGLike = int | np.random.Generator | None

#: Largest number of draws of ``Q`` to find one that keeps the optimiser in the cube.
ROTATION_DRAWS: Final = 1000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Problem:
    """A function of ``d_e`` variables hidden in ``[-1, 1]^n``, with the least value 0.

    Call it with the full ``x``, shape ``(n,)`` for one value or ``(n, S)`` for ``S`` values
    (SciPy's ``vectorized`` convention). Points outside the cube are allowed, but the attributes
    below describe the function on the cube.

    Parameters
    ----------
    landscape : Landscape
        The function ``F`` of the ``d_e`` effective variables.
    coordinates : array_like of int, shape (d_e,), optional
        The effective coordinates, all different, in the order of the variables of ``F``. None if
        the problem is rotated.
    rotation : array_like of shape (n, d_e), optional
        Orthonormal basis ``Q`` of the effective subspace. None if the problem is not rotated.
    """

    n: int
    landscape: Landscape
    coordinates: NDArray[np.intp] | None = None
    rotation: Floats | None = None

    @property
    def name(self) -> str:
        """The key of the problem in ``PROBLEMS``."""
        return self.landscape.name

    @property
    def d_e(self) -> int:
        """Effective dimension."""
        return self.landscape.d_e

    @property
    def x_star_eff(self) -> Floats:
        """The effective variables of the optimiser, shape ``(d_e,)``."""
        return self.landscape.x_star

    @property
    def x_star(self) -> Floats:
        """An optimiser in ``[-1, 1]^n``: 0 in the other coordinates, or ``Q z*`` if rotated."""
        if self.rotation is not None:
            return self.rotation @ self.x_star_eff
        x = np.zeros(self.n)
        x[self.coordinates] = self.x_star_eff
        return x

    @property
    def f_star(self) -> float:
        """The least value, on the cube and on all of ``R^n``."""
        return 0.0

    @property
    def bounds(self) -> Bounds:
        """``[-1, 1]^n``."""
        return Bounds(np.full(self.n, -1.0), np.full(self.n, 1.0))

    def __call__(self, x: ArrayLike) -> Values:
        """Return the value at the full ``x``, shape ``(n,)``, or ``S`` values for ``(n, S)``."""
        x = np.asarray(x, dtype=np.float64)
        if self.rotation is None:
            return self.landscape(x[self.coordinates])
        return self.landscape(self.rotation.T @ x)

    def effective(self, z: ArrayLike) -> Values:
        """Return the value at any ``x`` with the effective variables ``z``, or ``S`` values.

        They are ``x[coordinates]``, or ``Q^T x`` if rotated, and have the shape (d_e,) or (d_e, S).
        """
        z = np.asarray(z, dtype=np.float64)
        return self.landscape(z)


def embed(landscape: Landscape, n: int, rng: RNGLike = None, rotated: bool = False) -> Problem:
    """Hide a function of ``d_e`` variables in ``n >= d_e`` coordinates, at random.

    If ``rotated``, the effective subspace is random, instead of spanned by coordinates. The known
    optimiser is then ``Q z*``, the only point of the subspace with effective variables ``z*``. A
    random ``Q`` may put it outside the cube when ``n`` is not much larger than ``d_e``; then ``Q``
    is drawn again, up to ``ROTATION_DRAWS`` times (the law of ``Q`` is Haar's, conditioned on ``Q
    z*`` lying in the cube). ValueError if no such ``Q`` is found.
    """
    n, d_e = integer("n", n, 1), landscape.d_e
    if n < d_e:
        raise ValueError(f"n must be at least the effective dimension d_e = {d_e}, got {n}")
    source = generator(rng)
    if not rotated:
        coordinates = source.choice(n, d_e, replace=False)
        return Problem(n=n, landscape=landscape, coordinates=coordinates)
    for _ in range(ROTATION_DRAWS):
        q, r = np.linalg.qr(source.standard_normal((n, d_e)))
        rotation = q * np.where(np.diag(r) < 0.0, -1.0, 1.0)  # the signs that make Q Haar
        if _inside(rotation, landscape.x_star):
            return Problem(n=n, landscape=landscape, rotation=rotation)
    raise ValueError(
        f"n = {n}: in {ROTATION_DRAWS} draws no rotation kept the optimiser of {landscape.name} "
        f"(d_e = {d_e}) in [-1, 1]^n; n must be larger"
    )


def _inside(rotation: Floats, z_star: Floats) -> bool:
    """Whether ``Q z*`` lies in ``[-1, 1]^n``."""
    return bool(np.max(np.abs(rotation @ z_star)) <= 1.0)
