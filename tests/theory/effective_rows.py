"""A run on the rows of the matrices that a function of d_e known coordinates sees, and no others.

The rows are independent, so leaving the others out changes nothing in the law of the run (claim
n-invariance).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from embedded_hunter.projection import drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import Settings

Array = np.ndarray[Any, np.dtype[np.float64]]


def values_of_run(
    f: Callable[[Array], ArrayLike], settings: Settings, rng: np.random.Generator, rows: int
) -> Array:
    """All values of a run in their order; `settings.n` counts through sigma only."""
    parts = parts_of(settings, rng, rows)
    visits = drive(parts.run, parts.projection.project, f)
    return np.array([value for _, values in visits for value in values])
