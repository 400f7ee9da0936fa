"""Specification of `forest.settings`, and of what bounds the memory of any run."""

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.policies import Policy, settings_from_json, settings_of
from embedded_hunter.settings import Settings

FOREST: dict[str, Any] = {"n": 10, "d": 2, "v": 50}
OWN: dict[str, Any] = {
    "n_embeddings": 20,
    "refine": True,
}


def test_the_defaults() -> None:
    forest = ForestSettings(**FOREST)
    assert {name: getattr(forest, name) for name in OWN} == OWN
    assert ForestSettings(**FOREST, **OWN) == forest
    assert forest.policy == "forest"
    assert not issubclass(ForestSettings, Settings)


HAS: dict[Policy, str] = {
    "fresh": "d, eta, h_max, K, M, sampler, sigma",
    "indexed": "d, eta, h_max, K, M, sigma",
    "forest": "d, effective_dimension, eta, h_max, K, n_embeddings, refine, scale, sigma",
}


@pytest.mark.parametrize("policy", HAS)
@pytest.mark.parametrize("name", [*OWN, "M", "sampler", "scale", "effective_dimension", "m"])
def test_a_policy_refuses_what_it_does_not_have(policy: Policy, name: str) -> None:
    """A value of None too: the name itself is wrong."""
    if name in HAS[policy].split(", "):
        return
    for value in (1, "norm", None):
        with pytest.raises(TypeError) as caught:
            settings_of(policy, 10, 2, 50, **{name: value})
        expected = f"policy {policy!r} has no parameter {name}; it has {HAS[policy]}"
        assert str(caught.value) == expected


def test_settings_of_the_policy_forest() -> None:
    given = {"scale": None, "n_embeddings": 3}
    assert settings_of("forest", 10, 2, 50, **given) == ForestSettings(**FOREST, n_embeddings=3)
    with pytest.raises(ValueError, match=r"^policy must be one of 'fresh', 'indexed', 'forest', "):
        settings_of("family", 10, 2, 50)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_embeddings", 1), ("n_embeddings", 500_000), ("refine", False)],
)  # fmt: skip
def test_given_values_are_kept(name: str, value: Any) -> None:
    settings = ForestSettings(**FOREST, **{name: value})
    assert getattr(settings, name) == value
    assert settings != ForestSettings(**FOREST)
    again = settings_from_json(settings.as_json())
    assert again.as_json() == settings.as_json()
    assert getattr(again, name) == value


def test_the_forest_as_json() -> None:
    written = ForestSettings(**FOREST, refine=False).as_json()
    assert list(written)[-2:] == list(OWN)
    assert written == {
        "n": 10, "d": 2, "v": 50, "eta": "3/10", "K": 3, "h_max": 7, "sigma": 0.0375,
        "policy": "forest",
        "n_embeddings": 20, "refine": False,
    }  # fmt: skip
    for name in (*OWN, "n"):
        with pytest.raises(ValueError, match=r"^the names must be \['K', 'd', "):
            settings_from_json({key: value for key, value in written.items() if key != name})
    with pytest.raises(ValueError, match=r"^the names must be \['K', 'M', 'd', "):
        settings_from_json(written | {"policy": "fresh"})
    with pytest.raises(ValueError, match=r"^policy must be one of 'forest', got 'fresh'$"):
        ForestSettings.from_json(written | {"policy": "fresh"})


@pytest.mark.parametrize(
    ("scale", "eta", "sigma"),
    [(None, 0.3, 0.0375), (0.25, 0.3, 0.0375), (1, 0.5, 0.25), (Fraction(1, 3), 0.9, 0.15),
     (0.3, 0.3, 0.045)],
)  # fmt: skip
def test_scale_is_sigma_R_exactly(scale: Any, eta: float, sigma: float) -> None:
    """sigma is the float nearest to scale/R, scale and eta taken as decimals: R = d/eta."""
    given = {} if scale is None else {"scale": scale}
    settings = ForestSettings(**FOREST, eta=eta, **given)
    assert settings.sigma == sigma
    assert ForestSettings(**FOREST, eta=eta, sigma=sigma) == settings


EXTREME = sys.float_info.max
WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"scale": 1, "sigma": 1}, ValueError, "give either sigma or scale (sigma R), not both"),
    ({"scale": 0}, ValueError, "scale must be a finite number > 0, got 0"),
    ({"scale": -0.5}, ValueError, "scale must be a finite number > 0, got -0.5"),
    ({"scale": math.inf}, ValueError, "scale must be a finite number > 0, got inf"),
    ({"scale": "1"}, TypeError, "scale must be a finite number > 0, got '1' of type str"),
    ({"scale": Fraction(1, 10**400)}, ValueError,
     f"scale must be a finite number > 0, got {Fraction(1, 10**400)!r}"),
    ({"scale": EXTREME}, ValueError,
     f"sigma must keep sigma d/eta within the floats, got sigma = {EXTREME / 20 * 3}"),
    ({"n_embeddings": 0}, ValueError, "n_embeddings must be an integer >= 1, got 0"),
    ({"n_embeddings": True}, TypeError, "n_embeddings must be an integer >= 1, got True"),
    ({"n_embeddings": 2.0}, TypeError,
     "n_embeddings must be an integer >= 1, got 2.0 of type float"),
    ({"n_embeddings": 500_001}, ValueError,
     "n_embeddings must be at most 500000 if d = 2: a run begins with as many nodes of d numbers "
     "each, got 500001"),
    ({"n_embeddings": 21, "d": 10**6, "n": 10**6}, ValueError,
     "n_embeddings must be at most 20 if d = 1000000: a run begins with as many nodes of d "
     "numbers each, got 21"),
    ({"refine": "yes"}, TypeError, "refine must be True or False, got 'yes'"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "message"), WRONG)
def test_what_is_wrong_is_named(
    change: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        ForestSettings(**(FOREST | change))
    assert str(caught.value) == message


def test_numpy_integers_and_the_least_scale_are_taken() -> None:
    settings = ForestSettings(**FOREST, n_embeddings=np.int64(3))  # type: ignore[arg-type]
    assert (settings.n_embeddings, type(settings.n_embeddings)) == (3, int)
    assert not [name for name in vars(settings) if name.lower() != name and name not in "KM"]
    least = math.ulp(0.0)
    assert ForestSettings(5, 1, 9, eta=0.9, scale=least).sigma == least
