"""COCO's functions: the 24 of its suite bbob, of 2 to 40 variables, and of bbob-largescale beyond.

The values are those of the package ``cocoex``, less the least value. A number is that of COCO's
instance.
"""

from functools import cached_property
from typing import Any

import numpy as np

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from reproduction.problems.functions import HALF_WIDTH, Values

NUMBERS = range(1, 25)
INSTANCES = 1000
"""The number of instances of which one is drawn."""
LARGE = (80, 160, 320, 640)
"""Dimensions of the suite bbob-largescale."""


class Bbob:
    """A function of COCO on ``[-1, 1]^d_e``.

    Raises
    ------
    ValueError
        If COCO has no function of `d_e` variables.
    """

    def __init__(self, number: int, d_e: int, instance: int) -> None:
        if not (2 <= d_e <= 40 or d_e in LARGE):
            raise ValueError(f"COCO has functions of 2 to 40, 80, 160, 320 or 640 variables: {d_e}")
        self.name, self.d_e = f"f{number}", d_e
        coco = extra("cocoex", "coco")
        self._small = coco.BareProblem("bbob", number, min(d_e, 40), instance)
        self._least = self._small.best_value()  # a function of number and instance alone
        self._function: Any = self._small
        if d_e in LARGE:
            coco.log_level("error")
            chosen = f"function_indices: {number} dimensions: {d_e}"
            self._suite = coco.Suite("bbob-largescale", f"instances: {instance}", chosen)
            self._function = self._suite[0]  # valid as long as there is the suite

    @cached_property
    def x_star(self) -> Floats:
        """The minimiser. COCO does not tell those of bbob-largescale."""
        if self.d_e in LARGE:
            raise ValueError(f"the minimiser of {self.name} of {self.d_e} variables is not known")
        return np.asarray(self._small.best_parameter()) / HALF_WIDTH

    def __call__(self, x: Floats) -> Values:
        """Return the value at ``x``, shape ``(d_e,)``, or the values at ``(d_e, S)``."""
        if x.ndim == 2:
            return np.array([self(column) for column in x.T])
        # A value may be rounded to less than the least one.
        return np.float64(max(self._function(HALF_WIDTH * x) - self._least, 0.0))
