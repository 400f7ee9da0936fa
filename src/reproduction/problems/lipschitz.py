"""A Lipschitz function of few variables with a known minimum and constant.

Such functions are the effective part of problems of any ambient dimension.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
