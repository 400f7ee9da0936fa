"""The visits of a run, made again from its values; and small helpers of loops over visits."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar

from embedded_hunter.matrices import Floats
from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.policies import run_of

V = TypeVar("V")


def replay(
    settings: Parameters, values: Sequence[float]
) -> Iterator[tuple[AnyVisit, Sequence[float]]]:
    """Yield each visit of the run whose evaluations 1, 2, ... have these values, with its values.

    A visit is yielded before the run receives its values. If some are missing, the visit is the
    last one.
    """
    run, made = run_of(settings), 0
    visit: AnyVisit | None = next(run)
    while visit is not None:
        known = values[made : made + len(visit.evaluations)]
        yield visit, known
        made += len(known)
        visit = next_visit(run, known) if len(known) == len(visit.evaluations) else None


def one_by_one(f: Callable[[Floats], Any]) -> Callable[[Floats], list[float]]:
    """Return the function of points of shape (k, rows) that calls f for one point at a time."""
    return lambda points: [float(f(x)) for x in points]


def next_visit(run: Generator[V, Sequence[float], object], values: Sequence[float]) -> V | None:
    """Send the values of a visit; return the next visit, or None at the end of the run."""
    try:
        return run.send(values)
    except StopIteration:
        return None
