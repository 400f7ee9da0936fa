"""The test problems as the authors' program posed them.

A problem lives on X = [-1, 1]^n and depends on d_e effective coordinates; the functions are those
of `embedded_hunter.problems.functions`. Two things are the program's own:

- the effective coordinates are drawn *with replacement*: a coordinate may be drawn twice, and then
  two arguments of the function read the same row of the random matrix A;
- FletcherPowell has a new random instance for each value of the x axis, all from one stream
  (`fletcher_powell_instances`), so that curves along x mix instance and setting.

Rows of A are independent, so only the rows that are read need be drawn; the law of every run is
that of the full matrix, whatever n.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from embedded_hunter.problems.functions import (
    Ackley,
    Ellipsoid,
    FletcherPowell,
    Landscape,
    Rosenbrock,
)

FloatArray: TypeAlias = NDArray[np.float64]

PROBLEM_NAMES = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley")
_FIXED: dict[str, Callable[[int], Landscape]] = {
    "ellipsoid": Ellipsoid,
    "rosenbrock": Rosenbrock,
    "ackley": Ackley,
}


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedProblem:
    """A test problem: its function and the rows of A that the function reads.

    Attributes
    ----------
    landscape
        The function of the effective coordinates, (d_e, k) in [-1, 1] to k floats.
    rows
        Shape (d_e,): which of the rows drawn feeds each effective coordinate. Two equal entries
        are one ambient coordinate drawn twice.
    row_count
        How many rows of A are drawn: the distinct effective coordinates, or all n.
    """

    landscape: Callable[[FloatArray], np.float64 | FloatArray]
    rows: NDArray[np.intp]
    row_count: int

    @property
    def d_e(self) -> int:
        """The number of effective coordinates, duplicates counted."""
        return len(self.rows)

    def values(self, x: FloatArray) -> list[float]:
        """f(P_X(x)) of k points in effective coordinates, shape (k, d_e); x is left as it is."""
        clipped = np.minimum(x, 1.0)
        np.maximum(clipped, -1.0, out=clipped)
        values: list[float] = np.asarray(self.landscape(clipped.T)).tolist()
        return values


def fletcher_powell_instances(
    dimensions: Iterable[int], *, seed: int = 123
) -> Iterator[FletcherPowell]:
    """The FletcherPowell instances of one experiment, in the order of its sweep.

    Python's `random`, seeded once per experiment, gives for each value of the x axis a new
    instance: alpha uniform on [-pi, pi], then a, then b, row by row, integers of [-100, 100].
    The `randint` of that time used the stream as lo + int(random() * (hi - lo + 1)), which is
    spelled out here because today's `randint` uses it otherwise.
    """
    stream = random.Random(seed)

    def integers(d_e: int) -> list[list[int]]:
        return [[int(stream.random() * 201) - 100 for _ in range(d_e)] for _ in range(d_e)]

    for d_e in dimensions:
        alpha = [stream.uniform(-math.pi, math.pi) for _ in range(d_e)]
        yield FletcherPowell(alpha, integers(d_e), integers(d_e))


def draw_effective_coordinates(n: int, d_e: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """d_e coordinates of 0, .., n-1, with replacement (the program's way, not the paper's)."""
    return rng.integers(n, size=d_e).astype(np.intp)


def released_problem(
    landscape: Landscape, coordinates: NDArray[np.intp], *, n: int, full: bool = False
) -> ReleasedProblem:
    """Hide a function in n coordinates as the program does.

    Parameters
    ----------
    landscape
        The function of d_e variables.
    coordinates
        Shape (d_e,), from `draw_effective_coordinates`; equal entries share a row of A.
    n
        The ambient dimension; every coordinate is below it.
    full
        Draw all n rows of A instead of those that the function reads. Same law, more work.

    Raises
    ------
    ValueError
        For a wrong number of coordinates or one outside 0..n-1.
    """
    if len(coordinates) != landscape.d_e:
        raise ValueError(f"{len(coordinates)} coordinates for a function of {landscape.d_e}")
    if coordinates.min() < 0 or coordinates.max() >= n:
        raise ValueError(f"effective coordinates must lie in 0..{n - 1}")
    if full:
        return ReleasedProblem(landscape, coordinates, n)
    distinct, rows = np.unique(coordinates, return_inverse=True)
    return ReleasedProblem(landscape, rows, len(distinct))


def released_problems(
    name: str,
    sweep: Sequence[tuple[int, int]],
    rngs: Sequence[np.random.Generator],
    *,
    full: bool = False,
) -> list[ReleasedProblem]:
    """The problems of one experiment, one per value of its x axis, in the order of the sweep.

    Parameters
    ----------
    name
        One of `PROBLEM_NAMES`.
    sweep
        (n, d_e) for each x value. The FletcherPowell instances depend on the whole sweep and its
        order. The convergence experiment has one entry only: all budgets are read off the same
        runs.
    rngs
        One generator per x value, for the effective coordinates; runs and algorithms share them.
    full
        As in `released_problem`.

    Raises
    ------
    ValueError
        For an unknown name, or not as many generators as entries of the sweep.
    """
    landscapes: Iterable[Landscape]
    if name == "fletcher_powell":
        landscapes = fletcher_powell_instances(d_e for _, d_e in sweep)
    elif name in _FIXED:
        landscapes = [_FIXED[name](d_e) for _, d_e in sweep]
    else:
        raise ValueError(f"unknown problem {name!r}; known: {', '.join(PROBLEM_NAMES)}")
    return [
        released_problem(landscape, draw_effective_coordinates(n, d_e, rng), n=n, full=full)
        for (n, d_e), rng, landscape in zip(sweep, rngs, landscapes, strict=True)
    ]
