"""A run that is resumed makes few points again, and a complete run makes none."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.policies import Search, search_of
from spec.interface.checkpoints import value_at
from spec.interface.front_door import Fragile, never, outcome

MODULES = [
    importlib.import_module(f"embedded_hunter.run.{name}") for name in ("minimize", "checkpoint")
]
N, V = 20, 90
BOUNDS = [(-1.0, 2.0)] * N
POLICIES: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh"},
    "matrix": {"policy": "fresh", "sampler": "matrix"},
    "indexed": {"policy": "indexed"},
    "forest": {"policy": "forest", "n_embeddings": 3},
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of points of each call of `project`, of all hunters of the test."""
    sizes: list[int] = []

    def counting(*given: Any, **others: Any) -> Search:
        search = search_of(*given, **others)
        project = search.projection.project

        def noting(evaluations: Any) -> Floats:
            sizes.append(len(evaluations))
            return project(evaluations)

        search.projection.project = noting  # type: ignore[method-assign]
        return search

    for module in MODULES:
        monkeypatch.setattr(module, "search_of", counting)
    return sizes


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stop", [0, 1, 2, 60, 89])
def test_few_points_are_made_again(
    tmp_path: Path, made: list[int], policy: str, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best one, and with policy fresh all. Of a complete run not even the tree is made."""
    run: dict[str, Any] = {"d": 3, "maxfun": V, **POLICIES[policy]}
    expected = minimize(value_at, BOUNDS, rng=5, **run)
    run |= {"checkpoint": tmp_path / "run.jsonl", "objective": "value_at"}
    with pytest.raises(EvaluationError):
        minimize(Fragile({stop + 1}, f=value_at), BOUNDS, rng=5, **run)
    made.clear()
    assert outcome(minimize(value_at, BOUNDS, rng=5, **run)) == outcome(expected)
    again = sum(made) - (V - stop)
    assert again == (min(stop, 1) if policy in ("indexed", "forest") else stop)
    for module in MODULES:
        monkeypatch.setattr(module, "search_of", None)
    for rng in (5, None):
        assert outcome(minimize(never, BOUNDS, rng=rng, **run)) == outcome(expected)
