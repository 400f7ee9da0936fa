"""From base points of Y to points of X: random matrices (equation 3), and which is used when.

The p-th evaluation of a base point y is made at x = P_X(A y), the entries of the n x d matrix A
being independent N(0, sigma^2).

- ``fresh`` (the paper's text): a new A for every evaluation. The rows of A are independent, so
  A y has exactly the law of sigma ||y|| z with z ~ N(0, I_n) (claim ``radial-collapse``), and n
  numbers serve in the place of n d. Both samplers are here.
- ``indexed``: the p-th evaluation of every base point uses the same A_p, a function of the seed
  and of p alone.

A problem that is known to depend on a few coordinates of x alone needs only those rows of A:
`rows` says how many are made. The law of every run is unchanged, whatever n.

Products A y are sums of multiples of columns, computed by elementwise multiplications and additions
in a fixed order. Their bits are the same on all processors, unlike those of a BLAS.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, assert_never

import numpy as np
import numpy.typing as npt

from embedded_hunter.node import Node, base_point, norm
from embedded_hunter.settings import Settings, Space

Floats = npt.NDArray[np.float64]

MEMORY = 512 * 2**20
"""Bytes for the columns and products that `Indexed` keeps. What does not fit is made again."""
PRODUCTS, STEPS = 4000, 64
"""At most so many products A y and steps are kept. Steps use at most 1/32 of the memory. Products
use what columns and steps leave: at least 1/8 of the memory, or PRODUCTS if that is less."""
BLOCK, TOGETHER = 2**14, 8
"""`Indexed.add` adds so many columns at a time, in blocks of so many rows that a cache holds."""


class Projection(Protocol):
    """What turns evaluations (node, p) into points of X."""

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points, shape (len(evaluations), rows), all in [-1, 1]."""


class Fresh:
    """Policy ``fresh``: independent matrices, drawn in the order of the evaluations.

    They come from one stream, `rng`, whose key is drawn once from the given generator.
    """

    def __init__(self, settings: Settings, rng: np.random.Generator, rows: int) -> None:
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
        x = self.rng.standard_normal((len(evaluations), self._rows))
        sigma = self._settings.sigma
        scales = [sigma * norm(node, self._settings) for node, _ in evaluations]
        x *= np.array(scales)[:, np.newaxis]
        return clip(x)

    def _by_matrix(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        x = np.zeros((len(evaluations), self._rows))
        for row, (node, _) in zip(x, evaluations, strict=True):
            for y_j in base_point(node, self._settings):
                row += y_j * self.rng.standard_normal(self._rows)
        x *= self._settings.sigma
        return clip(x)


class Indexed:
    """Policy ``indexed``: the p-th evaluation of every base point uses A_p.

    A child differs from its parent in one coordinate, and the center child in none. So the product
    A_p y of a child is that of its parent plus a *step*, a multiple of one column; opposite
    children share the step. The product of the parent is computed in the same way, from the nearest
    ancestor whose product is kept.

    Column j of A_p is drawn from a stream of its own, a function of p, j and a key that is drawn
    once from `rng`. So it can be drawn again at any time. Columns, products and steps that were
    used last are kept, in `memory` bytes. The points depend neither on what is kept nor on how the
    evaluations are grouped into calls.

    Attributes
    ----------
    key
        The key of the streams.
    """

    def __init__(
        self, settings: Space, rng: np.random.Generator, rows: int, memory: int = MEMORY
    ) -> None:
        self._settings, self.key, self._rows = settings, key_from(rng), rows
        self._K, self._side = settings.K, settings.side.as_integer_ratio()
        most = memory // (8 * rows)
        steps = min(STEPS, most // 32)
        self._most = most - steps  # of columns and products together
        self._steps, self._products = Recent(steps), Recent(min(PRODUCTS, self._most))
        self._columns = Recent(self._most - min(PRODUCTS, most // 8))

    def column(self, p: int, j: int) -> Floats:
        """Return column j of A_p, shape (rows,), p >= 1, 0 <= j < d. It must not be changed."""
        column = self._columns.get((p, j))
        if column is None:
            column = stream(self.key, p, j).standard_normal(self._rows)
            column *= self._settings.sigma
            self._columns.keep((p, j), column)
            self._products.limit(self._most - len(self._columns))
        return column

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d), p >= 1."""
        return np.array([self.column(p, j) for j in range(self._settings.d)]).T

    def add(self, p: int, ways: npt.ArrayLike, x: Floats) -> None:
        """Add A_p w_k to row k of x, in place, column by column.

        Shapes: (S, d) of ways, the w_k; (S, rows) of x.
        """
        used = [(j, w_j) for j, w_j in enumerate(np.array(ways).T[:, :, np.newaxis]) if w_j.any()]
        for k in range(0, len(used), TOGETHER):
            columns = [(self.column(p, j), w_j) for j, w_j in used[k : k + TOGETHER]]
            for first in range(0, self._rows, BLOCK):
                rows = slice(first, first + BLOCK)
                block = x[:, rows]
                for column, w_j in columns:
                    block += w_j * column[rows]

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for row, (node, p) in zip(x, evaluations, strict=True):
            above, digit = self._parent(node.i)
            if digit == 0 or node.h == 0:
                np.copyto(row, self.product(p, node.h, node.i))
            else:
                self._child(self.product(p, node.h - 1, above), p, node.h, digit, out=row)
        return clip(x)

    def product(self, p: int, h: int, i: int) -> Floats:
        """Return A_p y of node (h, i)."""
        missing = []
        for name in self._path(p, h, i):
            product = self._products.get(name)
            if product is not None:
                break
            missing.append(name)
        else:
            product = self.root(p)
        if missing:
            total = np.empty(self._rows)
            for _, h, i in reversed(missing):
                product = self._child(product, p, h, self._parent(i)[1], out=total)
            self._products.keep(missing[0], product)
        return product

    def _path(self, p: int, h: int, i: int) -> Iterator[tuple[int, int, int]]:
        """Yield (p, h, i) for the nodes up to the root, except center children and the root."""
        K, center = self._K, self._K // 2
        while h > 0:
            above, child = divmod(i, K)
            if child != center:
                yield p, h, i
            h, i = h - 1, above

    def _parent(self, i: int) -> tuple[int, int]:
        """Return the i of the parent, and which child it is: 0 for the center child."""
        above, child = divmod(i, self._K)
        return above, child - self._K // 2

    def _child(self, parent: Floats, p: int, h: int, digit: int, out: Floats) -> Floats:
        """Make the product of a child at depth h in `out`: that of its parent and a step."""
        name = (p, h, abs(digit))
        step = self._steps.get(name)
        if step is None:
            step = self.step(*name)
            self._steps.keep(name, step)
        return np.add(parent, step, out=out) if digit > 0 else np.subtract(parent, step, out=out)

    def root(self, p: int) -> Floats:
        """Return the product of a root: its y is the zero vector."""
        return np.zeros(self._rows)

    def step(self, p: int, h: int, digit: int) -> Floats:
        """Return what child `digit` at depth h adds: a multiple of the column that is next."""
        return self.column(p, (h - 1) % self._settings.d) * self.distance(h, digit)

    def distance(self, h: int, digit: int) -> float:
        """Return the distance 2R digit / K^s_j of child `digit` at depth h from its parent."""
        numerator, denominator = self._side
        splits = -(-h // self._settings.d)
        return float(numerator * digit / (denominator * self._settings.K**splits))


class Recent:
    """The arrays that were used last, at most `most`. A copy or a pickle of it is empty."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._arrays: OrderedDict[tuple[int, ...], Floats] = OrderedDict()

    def get(self, name: tuple[int, ...]) -> Floats | None:
        """Return the array of this name if it is kept."""
        array = self._arrays.get(name)
        if array is not None:
            self._arrays.move_to_end(name)
        return array

    def keep(self, name: tuple[int, ...], array: Floats) -> None:
        """Keep an array, in the place of the one that has not been used for longest."""
        self._arrays[name] = array
        if len(self._arrays) > self._most:
            self._arrays.popitem(last=False)

    def limit(self, most: int) -> None:
        """Keep at most `most` arrays from now on, or as many as before if that is less."""
        self._most = min(self._most, most)
        while len(self._arrays) > self._most:
            self._arrays.popitem(last=False)

    def __len__(self) -> int:
        """Return the number of arrays that are kept."""
        return len(self._arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return Recent, (self._most,)


def key_from(rng: np.random.Generator) -> list[int]:
    """Draw the key of a run's streams from a generator: 256 bits."""
    key: list[int] = rng.integers(2**32, size=8, dtype=np.uint32).tolist()
    return key


def stream(key: list[int], *name: int) -> np.random.Generator:
    """Return the stream of this key and name, by SFC64, the fastest generator of NumPy."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key, spawn_key=name)))


def projection_of(
    settings: Settings, rng: np.random.Generator, rows: int | None = None, memory: int = MEMORY
) -> Fresh | Indexed:
    """Return the projection that `settings.policy` names, making `rows` rows (n unless given)."""
    rows = settings.n if rows is None else rows
    if settings.policy == "fresh":
        return Fresh(settings, rng, rows)
    if settings.policy == "indexed":
        return Indexed(settings, rng, rows, memory)
    assert_never(settings.policy)


def generator(rng: object) -> np.random.Generator:
    """Return the generator that `rng` names, as `numpy.random.default_rng` does.

    Raises
    ------
    TypeError, ValueError
        For a bool, a negative number, or anything that `default_rng` does not take.
    """
    wrong = (
        "rng must be None, an integer >= 0, or another seed or generator that "
        f"numpy.random.default_rng takes, got {rng!r:.80}"
    )
    if isinstance(rng, bool | np.bool_):
        raise TypeError(wrong)
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except ValueError:
        raise ValueError(wrong) from None
    except TypeError:
        raise TypeError(wrong) from None


def clip(x: Floats) -> Floats:
    """P_X of eq. (3), in place: the Euclidean projection onto [-1, 1]^n (claim ``eq-3``).

    The printed equation tests [y]_i where it means [A y]_i.
    """
    return x.clip(-1.0, 1.0, out=x)
