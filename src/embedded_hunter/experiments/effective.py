"""A run of a search on effective rows alone: the same law, whatever the ambient dimension.

A function of d_e known coordinates sees only d_e rows of each matrix. The rows are independent, so
leaving the others out changes nothing in the law of the run (claim n-invariance).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.projection import Projection, projection_of
from embedded_hunter.settings import Settings

FloatArray: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = FloatArray | Sequence[float]


def drive(
    run: Hunt, projection: Projection, f: Callable[[FloatArray], Values]
) -> tuple[float, FloatArray]:
    """Run a generator to its end.

    Parameters
    ----------
    run : Hunt
        Algorithm 1, or a baseline.
    projection : Projection
        What makes its points.
    f : callable
        The function, of all points of a visit: (k, rows) -> (k,).

    Returns
    -------
    float
        The answer of the run.
    ndarray of float, shape (number of evaluations,)
        All values in order.
    """
    visit = next(run)
    values: list[float] = []
    while True:
        answers: list[float] = []
        if visit.evaluations:
            answers = np.asarray(f(projection.project(visit.evaluations)), dtype=float).tolist()
        values += answers
        try:
            visit = run.send(answers)
        except StopIteration as end:
            return float(end.value), np.array(values)


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
    return drive(hunt(settings), projection_of(settings, rng, rows), f)[1]
