"""The test problems as the authors' program posed them.

A problem lives on X = [-1, 1]^n and depends on d_e effective coordinates. They are drawn *with
replacement*: a coordinate may be drawn twice, and then two arguments of the function read the same
row of the random matrix A. Rows of A are independent, so only the rows that are read are ever
drawn here; the law of every run is that of the full matrix, whatever n.

Four functions, each with optimal value 0, of z = 5 x (FletcherPowell: z = pi x):

- Ellipsoid: 1e5 (z_1 - 2.317)^2 + sum_{i>1} (z_i - 2.317)^2;
- FletcherPowell: random alpha, a, b (see `fletcher_powell_instances`);
- Rosenbrock: unshifted, optimum at z = 1;
- Ackley: shifted, optimum at z = 2.317.

An objective takes an array of shape (k, d_e), k points already clipped to [-1, 1]^d_e, and gives a
list of k floats. It is written for small k: a tree asks for two or three values at a time.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Objective: TypeAlias = Callable[[FloatArray], list[float]]

PROBLEM_NAMES = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley")
SHIFT = 2.317


@dataclass(frozen=True, slots=True)
class FletcherPowellInstance:
    """alpha (d_e,), a and b (d_e, d_e) of one random FletcherPowell function."""

    alpha: FloatArray
    a: FloatArray
    b: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedProblem:
    """A test problem: its function and the rows of A that the function reads.

    Attributes
    ----------
    name
        One of `PROBLEM_NAMES`.
    objective
        The function of the effective coordinates, (k, d_e) in [-1, 1] to k floats.
    rows
        Shape (d_e,): which of the rows drawn feeds each effective coordinate. Two equal entries
        are one ambient coordinate drawn twice.
    row_count
        How many rows of A are drawn: the distinct effective coordinates, or all n.
    """

    name: str
    objective: Objective
    rows: NDArray[np.intp]
    row_count: int

    @property
    def d_e(self) -> int:
        """The number of effective coordinates, duplicates counted."""
        return len(self.rows)

    def values(self, x: FloatArray) -> list[float]:
        """f(P_X(x)) of k points in effective coordinates, shape (k, d_e); x is left as it is."""
        clipped = np.minimum(x, 1.0)
        return self.objective(np.maximum(clipped, -1.0, out=clipped))


def fletcher_powell_instances(
    dimensions: Iterable[int], *, seed: int = 123
) -> Iterator[FletcherPowellInstance]:
    """The FletcherPowell instances of one experiment, in the order of its sweep.

    Python's `random`, seeded once per experiment, gives for each value of the x axis a new
    instance: alpha uniform on [-pi, pi], then a, then b, row by row, integers of [-100, 100].
    The `randint` of that time used the stream as lo + int(random() * (hi - lo + 1)), which is
    spelled out here because today's `randint` uses it otherwise.
    """
    stream = random.Random(seed)

    def integers(d_e: int) -> FloatArray:
        draws = [[int(stream.random() * 201) - 100 for _ in range(d_e)] for _ in range(d_e)]
        return np.array(draws, dtype=np.float64)

    for d_e in dimensions:
        alpha = np.array([stream.uniform(-math.pi, math.pi) for _ in range(d_e)])
        yield FletcherPowellInstance(alpha, integers(d_e), integers(d_e))


def draw_effective_coordinates(n: int, d_e: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """d_e coordinates of 0, .., n-1, with replacement (the program's way, not the paper's)."""
    return rng.integers(n, size=d_e).astype(np.intp)


def released_problem(
    name: str,
    coordinates: NDArray[np.intp],
    *,
    n: int,
    instance: FletcherPowellInstance | None = None,
    full: bool = False,
) -> ReleasedProblem:
    """Build a problem from its effective coordinates.

    Parameters
    ----------
    name
        One of `PROBLEM_NAMES`.
    coordinates
        Shape (d_e,), from `draw_effective_coordinates`; equal entries share a row of A.
    n
        The ambient dimension; every coordinate is below it.
    instance
        The random instance; needed by FletcherPowell and by no other.
    full
        Draw all n rows of A instead of those that the function reads. Same law, more work.

    Raises
    ------
    ValueError
        For an unknown name, a coordinate outside 0..n-1, or a FletcherPowell instance that is
        missing, superfluous or of another dimension.
    """
    d_e = len(coordinates)
    if coordinates.min() < 0 or coordinates.max() >= n:
        raise ValueError(f"effective coordinates must lie in 0..{n - 1}")
    if (name == "fletcher_powell") != (instance is not None):
        raise ValueError("FletcherPowell, and it alone, needs an instance")
    if instance is not None:
        if len(instance.alpha) != d_e:
            raise ValueError(f"the instance has dimension {len(instance.alpha)}, not {d_e}")
        objective = _fletcher_powell(instance)
    elif name in _SIMPLE:
        objective = _SIMPLE[name](d_e)
    else:
        raise ValueError(f"unknown problem {name!r}; known: {', '.join(PROBLEM_NAMES)}")
    if full:
        return ReleasedProblem(name, objective, coordinates, n)
    distinct, rows = np.unique(coordinates, return_inverse=True)
    return ReleasedProblem(name, objective, rows, len(distinct))


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
        order, since one stream feeds them all; so the curve along x mixes instance and setting.
        The convergence experiment has one entry only: all budgets are read off the same runs.
    rngs
        One generator per x value, for the effective coordinates; runs and algorithms share them.
    full
        As in `released_problem`.
    """
    instances: Iterator[FletcherPowellInstance | None] = iter([None] * len(sweep))
    if name == "fletcher_powell":
        instances = fletcher_powell_instances(d_e for _, d_e in sweep)
    return [
        released_problem(
            name, draw_effective_coordinates(n, d_e, rng), n=n, instance=instance, full=full
        )
        for (n, d_e), rng, instance in zip(sweep, rngs, instances, strict=True)
    ]


def _ellipsoid(d_e: int) -> Objective:
    weights = np.ones(d_e)
    weights[0] = 1e5

    def objective(x: FloatArray) -> list[float]:
        z = x * 5.0
        z -= SHIFT
        z *= z
        values: list[float] = (z @ weights).tolist()
        return values

    return objective


def _rosenbrock(d_e: int) -> Objective:
    ones = np.ones(d_e - 1)
    hundreds = np.full(d_e - 1, 100.0)

    def objective(x: FloatArray) -> list[float]:
        z = x * 5.0
        head = z[:, :-1]
        bend = z[:, 1:] - head * head
        bend *= bend
        head -= 1.0
        head *= head
        values: list[float] = (bend @ hundreds + head @ ones).tolist()
        return values

    return objective


def _ackley(d_e: int) -> Objective:
    ones = np.ones(d_e)
    sqrt, exp = math.sqrt, math.exp

    def objective(x: FloatArray) -> list[float]:
        z = x * 5.0
        z -= SHIFT
        waves = (np.cos(z * (2.0 * math.pi)) @ ones).tolist()
        z *= z
        squares = (z @ ones).tolist()
        return [
            20.0 - 20.0 * exp(-0.2 * sqrt(s / d_e)) + math.e - exp(c / d_e)
            for s, c in zip(squares, waves, strict=True)
        ]

    return objective


def _fletcher_powell(instance: FletcherPowellInstance) -> Objective:
    mixed = np.hstack([instance.a, instance.b]).T.copy()
    d_e = len(instance.alpha)
    target = np.concatenate([np.sin(instance.alpha), np.cos(instance.alpha)]) @ mixed
    ones = np.ones(d_e)

    def objective(x: FloatArray) -> list[float]:
        z = x * math.pi
        waves = np.empty((len(x), 2 * d_e))
        np.sin(z, out=waves[:, :d_e])
        np.cos(z, out=waves[:, d_e:])
        gap = waves @ mixed
        gap -= target
        gap *= gap
        values: list[float] = (gap @ ones).tolist()
        return values

    return objective


_SIMPLE: dict[str, Callable[[int], Objective]] = {
    "ellipsoid": _ellipsoid,
    "rosenbrock": _rosenbrock,
    "ackley": _ackley,
}
