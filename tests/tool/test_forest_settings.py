"""Specification of `forest.settings`, and of what bounds the memory of any run."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.policies import PolicyName, settings_from_json, settings_of
from embedded_hunter.settings import Settings

FOREST: dict[str, Any] = {"n": 100, "v": 50}
OWN: dict[str, Any] = {
    "dimensions": (5, 10, 20, 40),
    "scale": None,
    "n_embeddings": 20,
    "refine": True,
    "evolve": True,
    "sample": True,
    "batch": 1,
}


def test_the_defaults() -> None:
    forest = ForestSettings(**FOREST)
    assert {name: getattr(forest, name) for name in OWN} == OWN
    assert ForestSettings(**FOREST, **OWN) == forest
    assert forest.policy == "forest"
    assert not issubclass(ForestSettings, Settings)
    assert [tree.d for tree in forest.trees] == [5, 10, 20, 40] * 5
    assert not any(tree.identity for tree in forest.trees)


@pytest.mark.parametrize("n", [1, 2, 40, 41])
def test_few_coordinates_have_one_tree(n: int) -> None:
    """Its cube Y is X in another scale."""
    forest = ForestSettings(n, 50)
    assert forest == ForestSettings(n, 50, dimensions=forest.dimensions)
    assert (forest.dimensions == (n,)) == (n <= 40)
    if n <= 40:
        (tree,) = forest.trees
        assert tree.identity
        assert tree.sigma == float(1 / tree.radius)


@pytest.mark.parametrize(("n", "guess", "d"), [(100, 10, 20), (100, 50, 100), (3, 1, 2), (1, 1, 1)])
def test_a_guess_is_one_dimension(n: int, guess: int, d: int) -> None:
    told = ForestSettings(n, 50, effective_dimension=guess)
    assert told == ForestSettings(n, 50, dimensions=[d])


HAS: dict[PolicyName, str] = {
    "fresh": "d, eta, h_max, K, M, sampler, sigma",
    "indexed": "d, eta, h_max, K, M, sigma",
    "forest": "batch, dimensions, effective_dimension, eta, evolve, first_step, h_max, K, "
    "n_embeddings, refine, sample, scale",
}


@pytest.mark.parametrize("policy", HAS)
@pytest.mark.parametrize("name", [*OWN, "M", "sampler", "scale", "effective_dimension", "m"])
def test_a_policy_refuses_what_it_does_not_have(policy: PolicyName, name: str) -> None:
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
    expected = ForestSettings(**FOREST, dimensions=[2], n_embeddings=3)
    assert settings_of("forest", 100, 2, 50, **given) == expected
    assert settings_of("forest", 100, None, 50) == ForestSettings(**FOREST)


def test_the_forest_as_json() -> None:
    written = ForestSettings(**FOREST, refine=False, scale=0.25).as_json()
    assert list(written)[-7:] == list(OWN)
    assert written == {
        "n": 100, "v": 50, "eta": "3/10", "K": 3, "h_max": 7, "policy": "forest",
        "dimensions": [5, 10, 20, 40], "scale": "1/4", "n_embeddings": 20, "refine": False,
        "evolve": True, "sample": True, "batch": 1,
    }  # fmt: skip
    for name in (*OWN, "n"):
        with pytest.raises(ValueError, match=r"^the names must be \['K', 'batch', "):
            settings_from_json({key: value for key, value in written.items() if key != name})
    with pytest.raises(ValueError, match=r"^the names must be \['K', 'M', 'd', "):
        settings_from_json(written | {"policy": "fresh"})
    with pytest.raises(ValueError, match=r"^policy must be one of 'forest', got 'fresh'$"):
        ForestSettings.from_json(written | {"policy": "fresh"})


@pytest.mark.parametrize(
    ("d", "scale", "eta", "sigma"),
    [(20, None, 0.3, 0.00375), (2, None, 0.3, 0.375), (2, 0.25, 0.3, 0.0375), (2, 1, 0.5, 0.25),
     (2, Fraction(1, 3), 0.9, 0.15), (2, 0.3, 0.3, 0.045)],
)  # fmt: skip
def test_scale_is_sigma_R_exactly(d: int, scale: Any, eta: float, sigma: float) -> None:
    """sigma is the float nearest to scale/R, scale and eta taken as decimals: R = d/eta.

    The scale is 5/d unless given.
    """
    settings = ForestSettings(**FOREST, dimensions=[d], eta=eta, scale=scale)
    assert {tree.sigma for tree in settings.trees} == {sigma}


def test_numpy_integers_and_the_least_scale_are_taken() -> None:
    settings = ForestSettings(**FOREST, n_embeddings=np.int64(3))  # type: ignore[arg-type]
    assert (settings.n_embeddings, type(settings.n_embeddings)) == (3, int)
    assert not [name for name in vars(settings) if name.lower() != name and name not in "KM"]
    least = math.ulp(0.0)
    (tree,) = ForestSettings(5, 9, dimensions=[1], n_embeddings=1, eta=0.9, scale=least).trees
    assert tree.sigma == least
