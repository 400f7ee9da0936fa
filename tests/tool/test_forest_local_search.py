"""One local search: its samples, its model, and what they reach."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.local_search import LocalSearch, product
from embedded_hunter.matrices import Floats
from tool.explicit_local_search import ExplicitSearch

Function = Callable[[Floats], Floats]
"""Of points, shape (m, d)."""


def search_of(value: float, d: int, seed: int = 1) -> LocalSearch:
    return LocalSearch(value, d, np.random.default_rng(seed))


def run(f: Function, d: int, evaluations: int, seed: int = 1) -> LocalSearch:
    search = search_of(float(f(np.zeros((1, d)))[0]), d, seed)
    while search.made < evaluations:
        search.tell(f(search.ask()))
    return search


def bowl(at: Floats, H: Floats) -> Function:
    return lambda w: np.asarray(np.einsum("ij,jk,ik->i", w - at, H, w - at) / 2)


def stiff(w: Floats) -> Floats:
    """Of condition 10^6, rotated, its minimum at distance 1/2."""
    d = w.shape[1]
    Q, _ = np.linalg.qr(np.random.default_rng(d).standard_normal((d, d)))
    return bowl(np.full(d, 0.5 / d**0.5), (Q * np.geomspace(1.0, 1e6, d)) @ Q.T)(w)


def slope(w: Floats) -> Floats:
    return w @ np.arange(1.0, w.shape[1] + 1)


def noise(w: Floats) -> Floats:
    """Sines of the coordinates, so high that nothing is like a quadratic function."""
    return np.asarray(np.sin(1e5 * w).sum(axis=1))


def steps(w: Floats) -> Floats:
    """A tenth, rounded down: most values of a generation are the same, and some are infinite."""
    value = np.floor(10 * np.abs(w - 0.3)).sum(axis=1) / 10
    return np.where(w[:, 0] > 0.6, math.inf, value)


@pytest.mark.parametrize(
    ("f", "d", "generations", "comes_across"),
    [
        (stiff, 2, 20, {"short step"}),
        (stiff, 10, 40, {"contraction", "short step"}),
        (slope, 1, 30, {"fast growth"}),
        (slope, 5, 30, set()),
        (noise, 3, 40, set()),
        (slope, 18, 3, set()),  # after one generation d // 2 values are known: a model is fitted
        (slope, 20, 3, set()),  # not yet
        (noise, 41, 8, {"long step"}),
        (steps, 4, 30, {"no model"}),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_search_is_that_of_its_rules(
    f: Function, d: int, generations: int, comes_across: set[str], seed: int
) -> None:
    """Point by point. The runs come across what the rules treat on its own."""
    value = float(f(np.zeros((1, d)))[0])
    search, expected = search_of(value, d, seed), ExplicitSearch(value, d, seed)
    for _ in range(generations):
        asked = asked_by_both(search, expected)
        told_to_both(search, expected, f(asked))
    assert comes_across <= expected.seen


@pytest.mark.parametrize("step", [0.01, 0.3, 0.9])
def test_a_search_may_begin_with_a_shorter_step(step: float) -> None:
    """But not with a longer one than that of the constants."""
    search = LocalSearch(9.0, 3, np.random.default_rng(1), step=step)
    expected = ExplicitSearch(9.0, 3, 1, step)
    for _ in range(5):
        told_to_both(search, expected, slope(asked_by_both(search, expected)))


def asked_by_both(search: LocalSearch, expected: ExplicitSearch) -> Floats:
    """Up to rounding errors of 10^-9 of the greatest coordinate."""
    asked, wanted = search.ask(), np.array(expected.ask())
    np.testing.assert_allclose(asked, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())
    return asked


def told_to_both(search: LocalSearch, expected: ExplicitSearch, values: Floats) -> None:
    search.tell(values)
    expected.tell(values.tolist())


class WithOneFar(np.random.Generator):
    """Its first sample, and no other, is 10^90 times as long."""

    length = 1e90

    def standard_normal(self, *args: Any, **kwargs: Any) -> Any:
        samples = super().standard_normal(*args, **kwargs)
        samples[0] *= self.length
        self.length = 1.0
        return samples


def test_the_model_leaves_out_points_that_are_far_away() -> None:
    """The search goes on as it does if the value there is infinite, and nothing overflows."""
    one, other = (LocalSearch(9.0, 3, WithOneFar(np.random.PCG64(1))) for _ in range(2))
    for k in range(5):
        asked = one.ask()
        assert (np.abs(asked).max() > 1e80) == (k == 0)
        assert asked.tobytes() == other.ask().tobytes()
        values = np.minimum(np.abs(asked - 0.4), 1.0).sum(axis=1)
        one.tell(values)
        other.tell(np.where(np.abs(asked).max(axis=1) > 1e80, math.inf, values))
    assert one.value < 0.9


@pytest.mark.parametrize("values", [math.inf, -math.inf, 1e308, -1e308, 0.0])
def test_extreme_values_are_values(values: float) -> None:
    """All the same, or one of the first generation different: the points stay finite."""
    for first in (values, 0.0, math.inf):
        search = search_of(first, 3)
        for k in range(30):
            assert np.isfinite(search.ask()).all()
            told = np.full(8, values)
            told[k % 8] = first
            search.tell(told)


@pytest.mark.parametrize("shape", [(1, 1, 1), (8, 20, 20), (3, 2, 5)])
def test_products_are_sums_from_the_first_term_on(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(m)
    A, B = rng.standard_normal((m, n)), rng.standard_normal((n, k))
    expected = np.zeros((m, k))
    for row in range(m):
        for column in range(k):
            total = 0.0
            for j in range(n):
                total += float(A[row, j]) * float(B[j, column])
            expected[row, column] = total
    np.testing.assert_array_equal(product(A, B), expected)
