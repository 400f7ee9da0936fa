"""Specification of `matrices.product`: exact products with parts, so the same bits everywhere."""

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.matrices import BLOCK, Floats, Matrices, on_grid, product

pytestmark = pytest.mark.claim("exact-products")
STEP = Fraction(1, 2**18)  # the entries of Z are multiples of it, and at most 16


class Case(NamedTuple):
    """A matrix Z, transposed, and vectors w."""

    Z: Floats  # shape (d, rows)
    ways: Floats  # shape (S, d)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any d and scale; the greatest entries are frequent, and so are zeros."""
    d = draw(st.sampled_from([1, 2, 3, 4, 10, 20, 32, 33, 64, 65, 600]))
    rows, S = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    bound = 2**22
    Z = rng.integers(-bound, bound, (d, rows), endpoint=True) / 2.0**18
    ways = rng.uniform(-1, 1, (S, d)) * 2.0 ** rng.integers(-70, 1, (S, d))
    if draw(st.booleans()):
        Z = np.where(rng.random(Z.shape) < 0.9, np.copysign(16.0, Z), 0.0)
    if draw(st.booleans()):
        ways = np.where(rng.random(ways.shape) < 0.9, np.copysign(np.nextafter(1, 0), ways), 0.0)
    return Case(Z, np.ldexp(ways, draw(st.integers(-1080, 1023))))


def parts_of(w: Sequence[float]) -> list[list[Fraction]]:
    """Split w as the docstring says, in rational numbers: each part is what remains, rounded."""
    d = len(w)
    b = max(b for b in range(32) if d * 2 ** (22 + b) <= 2**53)
    _, e = np.frexp(max(map(abs, w)))
    e = max(int(e), -900)
    rest = [Fraction(a) * Fraction(2) ** (min(e, 900) - e) for a in w]
    parts = []
    for k in range(1, 1 + math.ceil(52 / b)):
        unit = Fraction(2) ** (min(e, 900) - k * b)
        parts.append([round(a / unit) * unit for a in rest])
        rest = [a - part for a, part in zip(rest, parts[-1], strict=True)]
    return parts


def binary64(exact: Fraction) -> float:
    """The number itself, which must be one of the format."""
    found = float(exact)
    assert Fraction(found) == exact
    return found


@given(cases(), st.randoms(use_true_random=False))
def test_products_with_parts_are_exact_in_any_order(case: Case, random: Random) -> None:
    """Every product and every partial sum, in a random order, is a binary64 number.

    The result is these sums, added from the last part to the first one, to the last bit.
    """
    x = product([case.Z], case.ways, case.Z.shape[1])
    for point, w in zip(x.tolist(), case.ways.tolist(), strict=True):
        parts = parts_of(w)
        for i, entry in enumerate(point):
            expected = 0.0
            for part in reversed(parts):
                order = list(range(len(w)))
                random.shuffle(order)
                total = Fraction(0)
                for j in order:
                    term = part[j] * Fraction(case.Z[j, i])
                    binary64(term)
                    total += term
                    binary64(total)
                expected += float(total)
            assert entry == expected
            assert np.signbit(entry) == np.signbit(expected)


def test_vectors_near_the_ends_of_the_range_neither_overflow_nor_vanish() -> None:
    Z = np.array([[16.0, 1.0], [16.0, 0.0]])
    huge, tiny = np.full((1, 2), 1.7e308), np.full((1, 2), 1e-270)
    assert product([Z], huge, 2).min() > 1
    assert product([Z], -huge, 2).max() < -1
    assert product([Z], tiny, 2)[0] == pytest.approx([3.2e-269, 1e-270], rel=1e-12, abs=0)
    assert product([Z], np.array([[1.7e308, -1.7e308]]), 2)[0, 0] == 0


class NegativeZeros(np.ndarray):
    """A matrix whose products are made by a BLAS that has negative zeros."""

    def __rmatmul__(self, other: Any) -> Any:
        return np.full((len(other), self.shape[1]), -0.0)


@pytest.mark.parametrize("w", [[0.0, 0.0], [-1.0, 0.0], [-1e-300, -0.0]])
@pytest.mark.parametrize("kind", [np.ndarray, NegativeZeros])
def test_a_zero_is_a_positive_zero(w: list[float], kind: type[Floats]) -> None:
    Z = np.array([[0.0, -0.0], [-0.0, 0.0]]).view(kind)
    x = product([Z], np.array([w]), 2)
    assert not x.any()
    assert not np.signbit(x).any()


@given(st.lists(st.floats(-16, 16), min_size=1, max_size=9))
def test_entries_are_rounded_to_the_nearest_multiple_ties_to_even(z: list[float]) -> None:
    array = np.array(z)
    assert [on_grid(a) for a in z] == [round(Fraction(a) / STEP) * STEP for a in z]
    assert on_grid(array) is array
    assert [Fraction(a) for a in array.tolist()] == [round(Fraction(a) / STEP) * STEP for a in z]
    assert not np.signbit(array[array == 0]).any()


@pytest.mark.parametrize("rows", [1, BLOCK - 1, BLOCK, 5 * BLOCK // 2])
def test_blocks_of_rows_make_no_difference(rows: int) -> None:
    """Kept or drawn again; each block alone is the product of its rows."""
    ways = np.sin([np.arange(1.0, 5.0), np.arange(0.0, 8.0, 2.0)])
    kept, drawn = Matrices([1, 2], rows), Matrices([1, 2], rows, 0)
    x = kept.product(3, ways)
    assert x.shape == (2, rows)
    assert x.tobytes() == drawn.product(3, ways).tobytes() == kept.product(3, ways).tobytes()
    Z = np.array([kept.product(3, np.eye(4)[[j]])[0] for j in range(4)])
    for i in {0, rows // 2, rows - 1}:
        assert product([Z[:, [i]]], ways, 1).tolist() == x[:, [i]].tolist()
