"""Small helpers of loops over visits."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from embedded_hunter.matrices import Floats

V = TypeVar("V")


def one_by_one(f: Callable[[Floats], Any]) -> Callable[[Floats], list[float]]:
    """Return the function of points of shape (k, rows) that calls f for one point at a time."""
    return lambda points: [float(f(x)) for x in points]


def next_visit(run: Generator[V, Sequence[float], object], values: Sequence[float]) -> V | None:
    """Send the values of a visit; return the next visit, or None at the end of the run."""
    try:
        return run.send(values)
    except StopIteration:
        return None
