"""Driving a search with a function, visit by visit."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from embedded_hunter.hunter import Hunt, Visit
from embedded_hunter.projection import Floats
from embedded_hunter.run.search import Search

Values = Sequence[float] | npt.NDArray[np.float64]


def drive(
    search: Search, f: Callable[[Floats], Values], at_most: int | None = None
) -> Iterator[tuple[Visit, list[float]]]:
    """Run a search to its end; yield each visit that evaluates something, with its values.

    A visit is yielded when the search has taken its values: its nodes have their f*, and the tree
    has its children.

    Parameters
    ----------
    search
        What asks, and what makes the points.
    f
        The function of some points, shape (k, rows), which returns k values.
    at_most
        Number of points made at a time; all of a visit unless given.
    """
    run, projection = search
    visit: Visit | None = next(run)
    while visit is not None:
        values: list[float] = []
        size = at_most or max(1, len(visit.evaluations))
        for first in range(0, len(visit.evaluations), size):
            points = projection.project(visit.evaluations[first : first + size])
            values += np.asarray(f(points), dtype=float).tolist()
        done, visit = visit, _advance(run, values)
        if values:
            yield done, values


def _advance(run: Hunt, values: Sequence[float]) -> Visit | None:
    """Send the values of a visit; return the next one, None at the end of the run."""
    try:
        return run.send(values)
    except StopIteration:
        return None
