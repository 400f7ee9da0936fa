"""The ceiling of the fresh policy for a distance (`regret/cone.py`)."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from embedded_hunter.regret import (
    ceiling,
    distance_pbar_bound,
    distance_regret_floor,
    distance_success_probability,
)

SCALES = np.geomspace(0.02, 20, 400)

WHOLE = "must be an integer of at least"
POSITIVE = "must be finite and greater than 0, got"
NOT_NEGATIVE = "must be finite and not negative, got"
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: distance_success_probability(-1, 1.0, 2, 1.0), f"eps {NOT_NEGATIVE} -1.0"),
    (lambda: distance_success_probability(1.0, 1.0, 0, 1.0), f"d_e {WHOLE} 1, got 0"),
    (lambda: distance_success_probability(1.0, 1.0, 2, 0), f"s {POSITIVE} 0.0"),
    (lambda: distance_pbar_bound(-1, 1.0, 2), f"eps {NOT_NEGATIVE} -1.0"),
    (lambda: distance_pbar_bound(1.0, 0, 2), f"norm {POSITIVE} 0.0"),
    (lambda: distance_pbar_bound(0.5, 1.0, 0), f"d_e {WHOLE} 1, got 0"),
    (lambda: distance_regret_floor(1.0, 0, 5), f"d_e {WHOLE} 1, got 0"),
    (
        lambda: distance_regret_floor(1.0, 1, 5),
        "the cone bound needs at least two effective coordinates",
    ),
    (lambda: distance_regret_floor(0, 2, 5), f"norm {POSITIVE} 0.0"),
    (lambda: distance_regret_floor(1.0, 2, 0), f"v {WHOLE} 1, got 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_each_refusal_names_the_argument_and_what_is_allowed(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.claim("fresh-ceiling")
def test_the_success_probability_of_a_distance_by_integration() -> None:
    one = stats.norm.cdf(0.5 / 0.7) - stats.norm.cdf(0.1 / 0.7)
    assert distance_success_probability(0.2, 0.3, 1, 0.7) == pytest.approx(one, rel=1e-9)
    two, _ = integrate.dblquad(
        lambda y, x: math.exp(-(x * x + y * y) / (2 * 0.49)) / (2 * math.pi * 0.49),
        0.1,
        0.5,
        lambda x: -math.sqrt(max(0.0, 0.04 - (x - 0.3) ** 2)),
        lambda x: math.sqrt(max(0.0, 0.04 - (x - 0.3) ** 2)),
    )
    assert distance_success_probability(0.2, 0.3, 2, 0.7) == pytest.approx(two, rel=1e-6)


@pytest.mark.claim("fresh-ceiling")
@given(st.integers(2, 12), st.floats(0.01, 0.95), st.floats(0.1, 2))
def test_the_bound_on_pbar_covers_every_scale(d_e: int, u: float, norm: float) -> None:
    top = max(distance_success_probability(u * norm, norm, d_e, s) for s in norm * SCALES)
    bound = distance_pbar_bound(u * norm, norm, d_e)
    assert top <= bound * (1 + 1e-9) + 1e-12
    assert bound <= 0.5 * u ** (d_e - 1) * (1 + 1e-9)


@pytest.mark.claim("fresh-ceiling")
@given(st.integers(2, 15), st.integers(1, 10**6))
def test_half_of_all_fresh_runs_stay_above_the_floor(d_e: int, v: int) -> None:
    floor = distance_regret_floor(1.0, d_e, v)
    if floor < 1:
        assert float(ceiling(distance_pbar_bound(floor, 1.0, d_e), v)) <= 0.5 + 1e-9
    assert distance_regret_floor(1.0, 10, 10**4) == pytest.approx(0.359, abs=1e-3)


@pytest.mark.claim("fresh-ceiling")
@pytest.mark.parametrize("d_e", [1, 2, 3, 8])
@pytest.mark.parametrize("u", [0.0, 0.1, 0.6, 0.95])
def test_the_bound_on_pbar_by_the_area_of_a_cap(d_e: int, u: float) -> None:
    """Half-angle arcsin u: the share of the sphere by integrating sin^{d_e - 2}."""

    def area(top: float) -> float:
        return float(integrate.quad(lambda a: math.sin(a) ** (d_e - 2), 0, top)[0])

    cone = area(math.asin(u)) / area(math.pi) if d_e > 1 else 0.5
    ball = (u / (1 - u)) ** d_e / math.sqrt(math.pi * d_e)
    assert distance_pbar_bound(3 * u, 3.0, d_e) == pytest.approx(min(cone, ball), abs=1e-12)
    assert distance_pbar_bound(3.0, 3.0, d_e) == 1.0


@pytest.mark.claim("fresh-ceiling")
def test_the_floor_is_a_root_of_the_budget() -> None:
    for d_e, v in ((2, 1), (2, 7), (5, 1000)):
        assert (distance_regret_floor(3.0, d_e, v) / 3) ** (d_e - 1) * v == pytest.approx(1)
