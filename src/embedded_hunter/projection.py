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
"""

from collections.abc import Sequence
from typing import Any, Protocol, assert_never

import numpy as np
import numpy.typing as npt

from embedded_hunter.node import Node, base_point, norm
from embedded_hunter.settings import Settings

Floats = npt.NDArray[np.float64]

CACHE_BYTES = 256 * 2**20
"""Memory for the matrices A_1, A_2, ... of `Indexed`. A matrix that does not fit is made each time
it is used."""


class Projection(Protocol):
    """What turns evaluations (node, p) into points of X."""

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points, shape (len(evaluations), rows), all in [-1, 1]."""


class Fresh:
    """Policy ``fresh``: independent matrices, drawn in the order of the evaluations."""

    def __init__(self, settings: Settings, rng: np.random.Generator, rows: int) -> None:
        self._settings, self.rng, self._rows = settings, rng, rows

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
        x = np.empty((len(evaluations), self._rows))
        for k, (node, _) in enumerate(evaluations):
            A = self.rng.standard_normal((self._rows, self._settings.d))
            x[k] = A @ np.array(base_point(node, self._settings))
        x *= self._settings.sigma
        return clip(x)


class Indexed:
    """Policy ``indexed``: the p-th evaluation of every base point uses A_p.

    A_p is drawn from (a key drawn once from `rng`, p), so that it can be made again at any time.
    The first matrices, which most evaluations use, are kept while they fit into `cache_bytes`.
    """

    def __init__(
        self,
        settings: Settings,
        rng: np.random.Generator,
        rows: int,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self._settings, self._rows, self._cache_bytes = settings, rows, cache_bytes
        self._key = rng.integers(2**32, size=8, dtype=np.uint32).tolist()
        self._cache: dict[int, Floats] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave the matrices out of a copy or a pickle: they are made again."""
        return {**vars(self), "_cache": {}}

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d), p >= 1."""
        A = self._cache.get(p)
        if A is None:
            A = self._draw(p)
            if (len(self._cache) + 1) * A.nbytes <= self._cache_bytes:
                self._cache[p] = A
        return A

    def _generator(self, p: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self._key, spawn_key=(p,)))

    def _draw(self, p: int) -> Floats:
        A = np.empty((self._rows, self._settings.d), order="F")  # A y reads columns fastest
        self._fill(p, A)
        return A

    def _fill(self, p: int, A: Floats) -> None:
        np.multiply(self._generator(p).standard_normal(A.shape), self._settings.sigma, out=A)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for k, (node, p) in enumerate(evaluations):
            np.matmul(self.matrix(p), np.array(base_point(node, self._settings)), out=x[k])
        return clip(x)


def projection_of(
    settings: Settings, rng: np.random.Generator, rows: int | None = None
) -> Projection:
    """Return the projection that `settings.policy` names, making `rows` rows (n unless given)."""
    rows = settings.n if rows is None else rows
    if settings.policy == "fresh":
        return Fresh(settings, rng, rows)
    if settings.policy == "indexed":
        return Indexed(settings, rng, rows)
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
