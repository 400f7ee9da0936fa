"""Settings as a record: which numbers they take, their limits, and what JSON has of them."""

import json
import math
import sys
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.common.arguments import exact
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings

Make = type[Settings] | type[ForestSettings]
every_policy = pytest.mark.parametrize("make", [Settings, ForestSettings])
"""For what a parameter means in every policy that has it."""


def space(make: Make, d: int) -> dict[str, Any]:
    """Return the parameter for one dimension d."""
    return {"d": d} if make is Settings else {"dimensions": [d]}


@pytest.mark.claim("alg1-input")
def test_fractions_and_numpy_numbers_are_accepted() -> None:
    third = Fraction(1, 3)
    settings = Settings(9, 2, 5, eta=third, M=third, sigma=Fraction(1, 4))  # type: ignore[arg-type]
    assert settings.radius == 6
    assert settings.cap == 16
    assert settings.sigma == 0.25
    assert isinstance(settings.sigma, float)
    given: dict[str, Any] = {
        "n": np.int64(9), "d": np.int32(2), "v": np.uint8(5), "eta": np.float64(0.3),
        "K": np.int64(5), "M": np.int64(2), "h_max": np.int8(3), "sigma": np.float32(0.5),
    }  # fmt: skip
    numpy = Settings(**given)
    assert numpy == Settings(9, 2, 5, eta=0.3, K=5, M=2, h_max=3, sigma=0.5)
    for name in ("n", "d", "v", "K", "h_max"):
        assert type(getattr(numpy, name)) is int
    assert type(numpy.eta) is float
    assert type(numpy.M) is Fraction


@pytest.mark.claim("alg1-input")
@every_policy
def test_settings_are_frozen(make: Make) -> None:
    settings = make(n=10, v=5, **space(make, 2))
    with pytest.raises(FrozenInstanceError):
        settings.K = 5  # type: ignore[misc]
    assert replace(settings, K=5) == make(n=10, v=5, K=5, **space(make, 2))
    assert hash(settings) == hash(make(n=10, v=5, **space(make, 2)))


@pytest.mark.claim("alg1-input")
@every_policy
@pytest.mark.parametrize(
    ("d", "widest"),
    [(1, 10**6), (2, 500_000), (199_999, 5), (300_000, 3), (333_333, 3), (10**6, 3)],
)
def test_K_d_is_at_most_a_million(make: Make, d: int, widest: int) -> None:
    """Unless K = 3: an expansion makes K nodes of d numerators."""
    greatest = widest - 1 + widest % 2
    assert greatest == make(n=d, v=5, K=greatest, **space(make, d)).K
    says = f"K must be at most {widest} if d = {d}: an expansion makes K nodes of d numbers each"
    with pytest.raises(ValueError, match=f"^{says}, got {greatest + 2}$"):
        make(n=d, v=5, K=greatest + 2, **space(make, d))


# --- as JSON ---------------------------------------------------------------------------------


@pytest.mark.claim("alg1-input")
def test_as_json_writes_exact_numbers_as_strings() -> None:
    settings = Settings(100, 3, 50, eta=0.3, M=Fraction(9, 7), sampler="matrix")
    assert settings.as_json() == {
        "n": 100, "d": 3, "v": 50, "eta": "3/10", "K": 3, "M": "9/7", "h_max": 7, "sigma": 0.1,
        "policy": "fresh", "sampler": "matrix",
    }  # fmt: skip
    assert Settings(100, 3, 50, policy="indexed").as_json()["sampler"] == "norm"


@pytest.mark.claim("alg1-input")
@given(
    st.integers(1, 9),
    st.integers(1, 999).map(lambda k: k / 1000) | st.floats(1e-300, 1, exclude_max=True),
    st.integers(0, 10**5).map(lambda k: k / 1000) | st.floats(0, sys.float_info.max),
    st.integers(0, 9),
)
@example(2, 1e-300, math.ulp(0.0), 3)
@example(2, math.nextafter(1, 0), sys.float_info.max, 3)
def test_from_json_reads_what_as_json_writes(d: int, eta: float, M: float, h_max: int) -> None:
    settings = Settings(9, d, 10, eta=eta, M=M, K=5, h_max=h_max, policy="indexed")
    written = json.loads(json.dumps(settings.as_json()))
    read = Settings.from_json(written)
    assert read.as_json() == written
    assert (read.radius, read.cap) == (settings.radius, settings.cap)
    assert read == replace(settings, eta=exact(settings.eta), M=exact(settings.M))


GOOD = {
    "n": 10, "d": 2, "v": 5, "eta": "3/10", "K": 3, "M": "5", "h_max": 2, "sigma": 0.5,
    "policy": "fresh", "sampler": "norm",
}  # fmt: skip


@pytest.mark.claim("alg1-input")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/10", Fraction(3, 10)),
        ("0.25", Fraction(1, 4)),
        ("0", Fraction(0)),
        ("12/030", Fraction(2, 5)),
        ("0." + "9" * 98, 1 - Fraction(1, 10**98)),
        (0.3, Fraction(3, 10)),
        (1e-05, Fraction(1, 10**5)),
        (0, Fraction(0)),
    ],
)
def test_from_json_reads_numbers_written_in_several_ways(text: object, value: Fraction) -> None:
    assert exact(Settings.from_json(GOOD | {"M": text}).M) == value


@pytest.mark.claim("alg1-input")
@pytest.mark.parametrize("name", ["eta", "M"])
@pytest.mark.parametrize(
    "value",
    ["", "x", "3/0", "3/00", "-1", "1e9", "1/2/3", ".5", "5.", " 1", "1\n", "0." + "9" * 999, True,
     None, [1], "٣"],
)  # fmt: skip
def test_from_json_names_a_value_that_is_not_a_number(name: str, value: object) -> None:
    with pytest.raises(ValueError, match="must be a number") as caught:
        Settings.from_json(GOOD | {name: value})
    expected = f'{name} must be a number, or a string such as "3/10", got {value!r:.100}'
    assert str(caught.value) == expected


@pytest.mark.claim("alg1-input")
def test_from_json_names_what_is_missing_or_unknown() -> None:
    names = ["K", "M", "d", "eta", "h_max", "n", "policy", "sampler", "sigma", "v"]
    for fields in (GOOD | {"seed": 1}, {name: GOOD[name] for name in names[1:]}):
        with pytest.raises(ValueError, match="names must be") as caught:
            Settings.from_json(fields)
        assert str(caught.value) == f"the names must be {names}, got {sorted(fields)}"


@pytest.mark.claim("alg1-input")
@pytest.mark.parametrize("sigma", [math.ulp(0.0), sys.float_info.min, 6.25e303])
def test_sigma_may_be_any_positive_float_that_keeps_A_times_y_within_the_floats(
    sigma: float,
) -> None:
    """d times the side of Y is 16 here: 10^305 is just met by the last one."""
    assert Settings(10, 2, 5, eta=0.5, sigma=sigma).sigma == sigma
    too_large = math.nextafter(6.25e303, math.inf)
    with pytest.raises(ValueError, match=r"^sigma must keep sigma d/eta within the floats, got"):
        Settings(10, 2, 5, eta=0.5, sigma=too_large)


@pytest.mark.claim("alg1-input")
def test_eta_must_keep_the_radius_within_the_floats() -> None:
    """d times the side of Y is 8/eta here."""
    assert Settings(10, 2, 5, eta=8e-305).eta == 8e-305
    with pytest.raises(ValueError, match=r"^eta must keep d/eta within the floats, got eta = "):
        Settings(10, 2, 5, eta=math.nextafter(8e-305, 0))
    assert Settings(10**400, 2, 5, sigma=1.0).n == 10**400
