"""Sparse BBOB: the 24 functions of COCO's suite bbob, of d_e variables, hidden in many more.

The function is COCO's own, of the package ``cocoex``, in any dimension d_e. Its domain is
[-5, 5]^{d_e}; a point x of [-1, 1]^n is mapped to it in one of two ways:

- axis-aligned: the point is ``5 x[coordinates]``, of d_e different coordinates drawn at random;
- rotated: the point is ``5 s Q^T x``, Q a random n x d_e matrix with orthonormal columns. The
  scale s is 1 where n is so large that each point of the domain is the image of a point of the
  cube, and otherwise the least number with which this holds. So the optimum can always be reached.
  Points outside the domain are images, too; the functions are defined there and not lower.

Values are differences from the least value. An instance is a number: of COCO's instance, and with
the other names the seed of the coordinates or of Q. COCO's largest suite, bbob-largescale, ends at
640 variables, and all of them matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from reproduction.seeds import seed_of

FUNCTIONS = range(1, 25)
HALF = 5.0
"""Half-width of the domain of a BBOB function."""
PLACE = re.compile(r"bbob:f(\d+),d_e=(\d+)(,rotated)?")


class Hiding(NamedTuple):
    """How the variables of the function follow from x; one of the first two is None."""

    coordinates: NDArray[np.intp] | None
    rotation: Floats | None
    scale: float


@dataclass(frozen=True)
class SparseBbob:
    """A function on [-1, 1]^n of which few variables, or directions, matter.

    Raises
    ------
    ValueError
        If there is no such function.
    """

    function: int
    """The number of the function, 1 to 24."""
    n: int
    effective_dimension: int
    """At least 2, as in COCO, and at most n."""
    number: int = 1
    """The number of the instance, from 1."""
    rotated: bool = False

    bounds = (-1.0, 1.0)
    optimum = 0.0

    def __post_init__(self) -> None:
        if self.function not in FUNCTIONS or self.number < 1:
            raise ValueError(f"functions are f1 to f24, instances 1, 2, ..; got {self}")
        if not 2 <= self.effective_dimension <= self.n:
            raise ValueError(f"d_e must be an integer of 2 .. n = {self.n}, got {self}")

    @classmethod
    def of(cls, place: str, n: int | None) -> SparseBbob:
        """Return the function that ``bbob:f8,d_e=5`` or ``bbob:f8,d_e=5,rotated`` names.

        Raises
        ------
        ValueError
            If the name is none of these, or n is not given.
        """
        if (found := PLACE.fullmatch(place)) is None:
            raise ValueError(f"{place}: the form is bbob:f8,d_e=5 or bbob:f8,d_e=5,rotated")
        if n is None:
            raise ValueError(f"{place}: how many variables? Give n")
        return cls(int(found[1]), n, int(found[2]), rotated=found[3] is not None)

    def instance(self, run: int) -> SparseBbob:
        """Return the instance of a run, which is numbered from 0."""
        return replace(self, number=run + 1)

    @cached_property
    def coco(self) -> Any:
        """The function of d_e variables, without any observer."""
        return extra("cocoex", "coco").BareProblem(
            "bbob", self.function, self.effective_dimension, self.number
        )

    @cached_property
    def hiding(self) -> Hiding:
        """Where the function is hidden."""
        d_e, way = self.effective_dimension, "rotated" if self.rotated else "axis-aligned"
        seed = seed_of("sparse bbob", self.function, self.n, d_e, way, self.number)
        rng = np.random.default_rng(seed)
        if not self.rotated:
            return Hiding(rng.choice(self.n, d_e, replace=False), None, 1.0)
        q, r = np.linalg.qr(rng.standard_normal((self.n, d_e)))
        q *= np.where(np.diag(r) < 0.0, -1.0, 1.0)  # the signs that make Q Haar
        return Hiding(None, q, max(1.0, float(np.abs(q).sum(axis=1).max())))

    def inner(self, x: Floats) -> Floats:
        """Return the variables of COCO's function at x, shape (n,)."""
        coordinates, rotation, scale = self.hiding
        if rotation is None:
            z: Floats = HALF * x[coordinates]
            return z
        return HALF * scale * (rotation.T @ x)

    def outer(self, z: Floats) -> Floats:
        """Return a point of the cube whose variables are z, a point of the domain."""
        coordinates, rotation, scale = self.hiding
        if rotation is not None:
            return rotation @ (z / (HALF * scale))
        x = np.zeros(self.n)
        x[coordinates] = z / HALF
        return x

    def __call__(self, x: Floats) -> float:
        """Return how far the value at x, shape (n,), is from the least."""
        value: float = self.coco(self.inner(x)) - self.coco.best_value()
        return max(value, 0.0)  # it may be rounded below
