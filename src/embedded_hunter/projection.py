"""From base points of Y to points of X: random matrices (equation 3), and which is used when.

The p-th evaluation of a base point y is made at x = P_X(A y), the entries of the n x d matrix A
being independent N(0, sigma^2).

- ``fresh`` (the paper's text): a new A for every evaluation. The rows of A are independent, so
  A y has exactly the law of sigma ||y|| z with z ~ N(0, I_n) (claim ``radial-collapse``), and n
  numbers serve instead of n d. Both samplers are here.
- ``indexed``: the p-th evaluation of every base point uses the same A_p, a function of the seed
  and of p alone.

A problem that is known to depend on a few coordinates of x alone needs only those rows of A:
`rows` says how many are made. The law of every run is unchanged, whatever n.

The normal numbers and the exact products with them are those of `matrices`. `drive` runs
Algorithm 1 with nothing but these files.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Protocol, TypeVar, assert_never

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import (
    MEMORY,
    Floats,
    Key,
    MakeFamily,
    Matrices,
    blocks,
    key_from,
    normals,
    product,
    stream,
)
from embedded_hunter.node import Node, base_point, norm
from embedded_hunter.settings import Settings, Space


class Fresh:
    """Policy ``fresh``: independent matrices, drawn in the order of the evaluations.

    They come from one stream, `rng`, whose key is given, or drawn once from the given generator.
    """

    def __init__(self, settings: Settings, rng: np.random.Generator | Key, rows: int) -> None:
        self._settings, self.key, self._rows = settings, key_from(rng), rows
        self.rng = stream(self.key)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows).

        The same points come out however the evaluations are grouped into calls.
        """
        sampler = self._settings.sampler
        if sampler == "norm":
            return self._by_norm(evaluations)
        if sampler == "matrix":
            return self._by_matrix(evaluations)
        assert_never(sampler)

    def _by_norm(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        x = np.empty((len(evaluations), self._rows))
        for row, (node, _) in zip(x, evaluations, strict=True):  # one at a time fits a cache
            normals(self.rng, row)
            row *= self._settings.sigma * norm(node, self._settings)
            clip(row)
        return x

    def _by_matrix(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        x = np.empty((len(evaluations), self._rows))
        for row, (node, _) in zip(x, evaluations, strict=True):
            way = self._settings.sigma * np.array([base_point(node, self._settings)])
            row[:] = product(self._matrix(), way, self._rows)
        return clip(x)

    def _matrix(self) -> Iterator[Floats]:
        """Draw the next Z: of each block of rows, the first column, the second, and so on."""
        for rows in blocks(self._rows):
            yield normals(self.rng, np.empty((self._settings.d, rows.stop - rows.start)))


class Indexed:
    """Policy ``indexed``: the p-th evaluation of every base point uses A_p.

    A_p is sigma times a matrix of `family`, whose key is `rng`, or is drawn from it. The points
    depend neither on which matrices are kept nor on how the evaluations are grouped into calls.
    """

    def __init__(
        self,
        settings: Space,
        rng: np.random.Generator | Key,
        rows: int,
        memory: int = MEMORY,
        family: MakeFamily = Matrices,
    ) -> None:
        self._settings, self.key, self._rows = settings, key_from(rng), rows
        self._matrices = family(self.key, rows, memory)

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d), p >= 1."""
        return self.product(p, np.eye(self._settings.d)).T

    def product(self, p: int, ways: npt.ArrayLike) -> Floats:
        """Return A_p w for each row w of ways, shapes (S, d) of ways, (S, rows) of the result."""
        return self._matrices.product(p, self._settings.sigma * np.asarray(ways))

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for matrix in dict.fromkeys(p for _, p in evaluations):
            chosen = [k for k, (_, p) in enumerate(evaluations) if p == matrix]
            ways = [base_point(evaluations[k][0], self._settings) for k in chosen]
            x[chosen] = self.product(matrix, ways)
        return clip(x)


def clip(x: Floats) -> Floats:
    """P_X of eq. (3), in place: the Euclidean projection onto [-1, 1]^n (claim ``eq-3``).

    The printed equation tests [y]_i where it means [A y]_i.
    """
    return x.clip(-1.0, 1.0, out=x)


class Asking(Protocol):
    """A visit that requests evaluations, such as `hunter.Visit`."""

    @property
    def evaluations(self) -> Sequence[Any]:
        """The requests."""


V = TypeVar("V", bound=Asking)


def drive(
    run: Generator[V, Sequence[float], object],
    project: Callable[[Any], Floats],
    f: Callable[[Floats], Any],
) -> Iterator[tuple[V, list[float]]]:
    """Run a search to its end and yield each visit that evaluates something, with its values.

    A visit is yielded after the search has received its values: then its nodes have their f*, and
    the tree contains its children. With this function the paper's five files are enough to run
    Algorithm 1.

    Parameters
    ----------
    run
        The generator of the visits, such as ``hunt(settings)``.
    project
        Computes the points of the evaluations of a visit, such as ``Fresh(...).project``.
    f
        The function: points, shape (k, rows), to k values.

    Examples
    --------
    >>> from embedded_hunter.hunter import hunt
    >>> settings = Settings(n=100, d=2, v=60)
    >>> points = Fresh(settings, np.random.default_rng(1), rows=100)
    >>> visits = drive(hunt(settings), points.project, lambda x: abs(x[:, 0] - 0.1))
    >>> sum(len(values) for visit, values in visits)
    60
    """
    visit: V | None = next(run)
    while visit is not None:
        answered = visit
        values: list[float] = []
        if visit.evaluations:
            values = np.asarray(f(project(visit.evaluations)), dtype=float).tolist()
        visit = next_visit(run, values)
        if values:
            yield answered, values


def next_visit(run: Generator[V, Sequence[float], object], values: Sequence[float]) -> V | None:
    """Send the values of a visit; return the next visit, or None at the end of the run."""
    try:
        return run.send(values)
    except StopIteration:
        return None
