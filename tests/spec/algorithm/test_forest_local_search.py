"""One local search: its samples, its model, and what they reach."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.forest import local_search
from embedded_hunter.forest.local_search import LocalSearch, product, rounded
from embedded_hunter.projection import Floats

Function = Callable[[Floats], Floats]
"""Of points, shape (m, d)."""


def search_of(value: float, d: int, seed: int = 1) -> LocalSearch:
    return LocalSearch(value, d, np.random.default_rng(seed))


def run(f: Function, d: int, evaluations: int, seed: int = 1) -> LocalSearch:
    search = search_of(float(f(np.zeros((1, d)))[0]), d, seed)
    while search.made < evaluations:
        search.tell(f(search.ask()))
    return search


def explicit(d: int, seed: int, generations: list[Floats]) -> list[Floats]:
    """The MA-ES with the usual weights and rates, in the words of its authors; no model."""
    rng = np.random.default_rng(seed)
    w = np.array([math.log(4.5) - math.log(i) for i in (1, 2, 3, 4)])
    w /= sum(w)
    mu_eff = 1 / sum(w**2)
    c_s = (mu_eff + 2) / (d + mu_eff + 5)
    c_1 = 2 / ((d + 1.3) ** 2 + mu_eff)
    c_w = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((d + 2) ** 2 + mu_eff))
    damping = 1 + c_s + 2 * max(0, math.sqrt((mu_eff - 1) / (d + 1)) - 1)
    chi = math.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d**2))
    y, sigma, M, s = np.zeros(d), 0.3 / math.sqrt(d), np.eye(d), np.zeros(d)
    asked = []
    for values in [*generations, None]:
        z = rng.standard_normal((8, d))
        asked.append(np.array([y + sigma * M @ z_l for z_l in z]))
        if values is None:
            return asked
        best = z[np.argsort(values)[:4]]
        z_w = w @ best
        y = y + sigma * M @ z_w
        s = (1 - c_s) * s + math.sqrt(mu_eff * c_s * (2 - c_s)) * z_w
        spread = sum(w_m * np.outer(z_m, z_m) for w_m, z_m in zip(w, best, strict=True))
        M = M @ (
            np.eye(d) + c_1 / 2 * (np.outer(s, s) - np.eye(d)) + c_w / 2 * (spread - np.eye(d))
        )
        sigma *= math.exp(c_s / damping * (np.linalg.norm(s) / chi - 1))
    raise AssertionError


@pytest.mark.parametrize("d", [60, 61])
def test_without_a_model_it_is_the_ma_es(d: int) -> None:
    """With fewer than d / 2 evaluations there is no model: the first generations have none."""
    rng = np.random.default_rng(d)
    generations = [rng.standard_normal(8) for _ in range(3)]
    search, asked = search_of(9.0, d), []
    for values in generations:
        asked.append(search.ask())
        search.tell(values)
    asked.append(search.ask())
    expected = explicit(d, 1, generations)
    for found, wanted in zip(asked, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def test_the_model_begins_with_half_as_many_values_as_coordinates() -> None:
    """It replaces the first sample of the fourth generation for d = 40, when 25 are known."""
    rng = np.random.default_rng(40)
    generations = [rng.standard_normal(8) for _ in range(3)]
    search = search_of(-9.0, 40)
    for values, wanted in zip(generations, explicit(40, 1, generations)[:3], strict=True):
        np.testing.assert_allclose(search.ask(), wanted, rtol=0, atol=1e-12)
        search.tell(values)
    found, samples = search.ask(), explicit(40, 1, generations)[3]
    np.testing.assert_allclose(found[1:], samples[1:], rtol=0, atol=1e-12)
    assert np.abs(found[0] - samples[0]).max() > 1e-3


def bowl(at: Floats, H: Floats) -> Function:
    return lambda w: np.asarray(np.einsum("ij,jk,ik->i", w - at, H, w - at) / 2)


def test_the_first_point_leads_to_the_minimiser_of_a_bowl() -> None:
    """Four generations in two dimensions tell a bowl whose minimum is near: then it is asked."""
    at = np.array([0.03, -0.05])
    search = run(bowl(at, np.array([[2.0, 0.5], [0.5, 1.0]])), 2, 32)
    found = search.ask()[0]
    assert np.linalg.norm(found - at) < 0.1 * np.linalg.norm(at)
    assert search.value < 1e-4


@pytest.mark.parametrize("d", [1, 2, 5, 10])
@pytest.mark.parametrize("condition", [1.0, 1e6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_strictly_convex_quadratic_function_is_minimised(
    d: int, condition: float, seed: int
) -> None:
    """Rotated at random: to 10^-12 of its first value after 120 d evaluations, and 200."""
    rng = np.random.default_rng([seed, d])
    Q, _ = np.linalg.qr(rng.standard_normal((d, d)))
    H = (Q * np.geomspace(1.0, condition, d)) @ Q.T
    f = bowl(0.3 * rng.standard_normal(d), H)
    search = run(f, d, 200 + 120 * d, seed)
    assert search.value < 1e-12 * f(np.zeros((1, d)))[0]


def test_the_metric_of_the_model_is_what_makes_a_stiff_function_easy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = np.diag(np.geomspace(1.0, 1e6, 10))
    f = bowl(np.full(10, 0.3), H)
    reached = run(f, 10, 800).value
    monkeypatch.setattr(local_search, "CONTRACTION", 0.0)
    assert reached < 1e-3 * run(f, 10, 800).value


def test_a_staircase_is_gone_down() -> None:
    reached = run(lambda w: np.floor(20 * np.abs(w - 0.4)).sum(axis=1), 5, 600)
    assert reached.value == 0.0


def test_values_and_their_count() -> None:
    search = search_of(1.0, 3)
    assert (search.value, search.made, search.unimproved) == (1.0, 0, 0)
    search.ask()
    search.tell(np.array([1.0, 2, 3, 4, 5, 6, 7, 8]))
    assert (search.value, search.made, search.unimproved) == (1.0, 8, 8)
    search.ask()
    search.tell(np.array([9.0, 2, 0.5, 4, 5, 6, 7, 8]))
    assert (search.value, search.made, search.unimproved) == (0.5, 16, 0)
    search.ask()
    search.tell(np.array([0.5, 0.7]))
    assert (search.value, search.made, search.unimproved) == (0.5, 18, 2)


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


@pytest.mark.parametrize(("a", "b"), [(1.0, 8.0), (4.0, 0.0), (2.0**-9, -3.0), (1024.0, 64.0)])
def test_only_order_and_ratios_of_differences_count(a: float, b: float) -> None:
    """The values are multiples of 2^-30 below 2^6, so a f + b has no rounding error."""

    def f(w: Floats) -> Floats:
        return np.asarray(np.rint(((w - 0.1) ** 2 + np.abs(w)).sum(axis=1) * 2**30) / 2**30)

    one, other = search_of(float(f(np.zeros((1, 6)))[0]), 6), None
    other = search_of(a * one.value + b, 6)
    for _ in range(60):
        asked = one.ask()
        assert asked.tobytes() == other.ask().tobytes()
        values = f(asked)
        assert values.max() < 2**6
        one.tell(values)
        other.tell(a * values + b)


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


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_steps_are_rounded_to_ten_bits_of_the_greatest_entry(scale: float) -> None:
    step = np.array([0.3, -0.7, 0.0001, 0.0, 0.9999]) * scale
    found = rounded(step)
    assert (np.abs(found - step) <= 2.0**-11 * np.abs(step).max() * 2).all()
    _, exponent = np.frexp(np.abs(step).max())
    units = np.ldexp(found, 10 - exponent)
    np.testing.assert_array_equal(units, np.rint(units))
    np.testing.assert_array_equal(rounded(step * (1 + 1e-12)), found)
