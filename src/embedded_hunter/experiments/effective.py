"""A run of a search on effective rows alone: the same law, whatever the ambient dimension.

A function of d_e known coordinates sees only d_e rows of each matrix. The rows are independent, so
leaving the others out changes nothing in the law of the run (claim n-invariance).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from embedded_hunter.run.drive import Values, drive
from embedded_hunter.run.search import search_of
from embedded_hunter.settings import Settings

FloatArray: TypeAlias = npt.NDArray[np.float64]


def values_of_run(
    f: Callable[[FloatArray], Values],
    settings: Settings,
    rng: np.random.Generator,
    rows: int,
) -> FloatArray:
    """Run EmbeddedHunter on a function of a few coordinates; return all values in order.

    Parameters
    ----------
    f : callable
        Vectorised function of the effective coordinates: (k, rows) -> (k,).
    settings : Settings
        Parameters; ``settings.n`` counts through sigma only.
    rng : numpy.random.Generator
        Source of the matrices.
    rows : int
        Number of effective coordinates.

    Returns
    -------
    ndarray of float, shape (number of evaluations,)
    """
    visits = drive(search_of(settings, rng, rows), f)
    return np.array([value for _, values in visits for value in values])
