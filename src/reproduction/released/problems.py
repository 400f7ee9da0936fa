"""The test problems as the authors' program defines them.

A problem is defined on X = [-1, 1]^n and depends on d_e effective coordinates. The functions are
those of `reproduction.problems.functions`. The problems differ from the paper's in two ways:

- The effective coordinates are drawn *with replacement*. A coordinate may be drawn twice; then two
  arguments of the function read the same row of the random matrix A.
- FletcherPowell has a new random instance for each value of the x axis, all from one stream
  (`fletcher_powell_instances`). So along a curve both the setting and the instance change.

Rows of A are independent, so only the rows that the function reads are drawn. The law of every run
is that of the full matrix, whatever n is.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embedded_hunter.matrices import Floats
from reproduction.problems.functions import FletcherPowell, Landscape
from reproduction.problems.registry import OF_PAPER, PROBLEMS


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedProblem:
    """A test problem: its function and the rows of A that the function reads.

    Attributes
    ----------
    landscape
        The function of the effective coordinates. It maps an array of shape (d_e, k), with values
        in [-1, 1], to k floats.
    rows
        Shape (d_e,): for each effective coordinate, which of the drawn rows it reads. Two entries
        are equal if one coordinate of X was drawn twice.
    row_count
        The number of rows of A that are drawn: that of the distinct effective coordinates, or n.
    """

    landscape: Callable[[Floats], np.float64 | Floats]
    rows: NDArray[np.intp]
    row_count: int

    @property
    def d_e(self) -> int:
        """The number of effective coordinates, duplicates counted."""
        return len(self.rows)

    def values(self, x: Floats) -> list[float]:
        """Return f(P_X(x)) of k points in effective coordinates, shape (k, d_e), not changing x."""
        clipped = np.minimum(x, 1.0)
        np.maximum(clipped, -1.0, out=clipped)
        values: list[float] = np.asarray(self.landscape(clipped.T)).tolist()
        return values


def fletcher_powell_instances(
    dimensions: Iterable[int], *, seed: int = 123
) -> Iterator[FletcherPowell]:
    """Yield the FletcherPowell instances of one experiment, in the order of the values of x.

    Python's `random` is seeded once per experiment and gives a new instance for each value of the
    x axis: alpha uniform on [-pi, pi], then a, then b, row by row, integers in [-100, 100]. The
    `randint` of that time computed lo + int(random() * (hi - lo + 1)). This is written out here,
    because today's `randint` uses the stream in another way.
    """
    stream = random.Random(seed)

    def integers(d_e: int) -> list[list[int]]:
        return [[int(stream.random() * 201) - 100 for _ in range(d_e)] for _ in range(d_e)]

    for d_e in dimensions:
        alpha = [stream.uniform(-math.pi, math.pi) for _ in range(d_e)]
        yield FletcherPowell(alpha, integers(d_e), integers(d_e))


def draw_effective_coordinates(n: int, d_e: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw d_e coordinates of 0, .., n-1 with replacement, as the program does, not the paper."""
    return rng.integers(n, size=d_e).astype(np.intp)


def released_problem(
    landscape: Landscape, coordinates: NDArray[np.intp], *, n: int
) -> ReleasedProblem:
    """Hide a function in n coordinates as the program does.

    Parameters
    ----------
    landscape
        The function of d_e variables.
    coordinates
        Shape (d_e,), from `draw_effective_coordinates`; equal entries share a row of A.
    n
        The dimension of X; every coordinate is below it.

    Raises
    ------
    ValueError
        If the number of coordinates is wrong, or a coordinate is outside 0..n-1.
    """
    if len(coordinates) != landscape.d_e:
        raise ValueError(f"{len(coordinates)} coordinates for a function of {landscape.d_e}")
    if coordinates.min() < 0 or coordinates.max() >= n:
        raise ValueError(f"effective coordinates must lie in 0..{n - 1}")
    distinct, rows = np.unique(coordinates, return_inverse=True)
    return ReleasedProblem(landscape, rows, len(distinct))


def released_problems(
    name: str,
    sweep: Sequence[tuple[int, int]],
    rngs: Sequence[np.random.Generator],
) -> list[ReleasedProblem]:
    """Return the problems of one experiment, one for each value of its x axis, in the same order.

    Parameters
    ----------
    name
        One of `problems.registry.OF_PAPER`.
    sweep
        (n, d_e) for each value of x. The FletcherPowell instances depend on all values and their
        order. The convergence experiment has only one entry, because all budgets are read off the
        same runs.
    rngs
        One generator for each value of x, for the effective coordinates. Runs and algorithms share
        these coordinates.

    Raises
    ------
    ValueError
        If the name is unknown, or if `sweep` and `rngs` have different lengths.
    """
    landscapes: Iterable[Landscape]
    if name == "fletcher_powell":
        landscapes = fletcher_powell_instances(d_e for _, d_e in sweep)
    elif name in OF_PAPER:  # the others have no random numbers
        landscapes = [
            PROBLEMS[name].draw(d_e, rng) for (_, d_e), rng in zip(sweep, rngs, strict=True)
        ]
    else:
        raise ValueError(f"unknown problem {name!r}; known: {', '.join(OF_PAPER)}")
    return [
        released_problem(landscape, draw_effective_coordinates(n, d_e, rng), n=n)
        for (n, d_e), rng, landscape in zip(sweep, rngs, landscapes, strict=True)
    ]
