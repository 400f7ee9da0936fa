"""A run that is resumed makes few points again, complete or not, and evaluates none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.policies import POLICIES as REGISTRY
from embedded_hunter.run.policy import Points
from tool.checkpoints import value_at
from tool.front_door import Fragile, never, outcome

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

    def counted(points: Callable[..., Points]) -> Callable[..., Points]:
        def counting(*given: Any) -> Points:
            made = points(*given)
            project = made.project

            def noting(evaluations: Any) -> Floats:
                sizes.append(len(evaluations))
                return project(evaluations)

            made.project = noting  # type: ignore[method-assign]
            return made

        return counting

    for policy in REGISTRY.values():
        monkeypatch.setattr(policy, "points", counted(policy.points))
    return sizes


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stop", [0, 1, 2, 60, 89])
def test_few_points_are_made_again(tmp_path: Path, made: list[int], policy: str, stop: int) -> None:
    """The best one, and with policy fresh all."""
    run: dict[str, Any] = {"d": 3, "maxfun": V, **POLICIES[policy]}
    expected = minimize(value_at, BOUNDS, rng=5, **run)
    run |= {"checkpoint": tmp_path / "run.jsonl", "objective": "value_at"}
    with pytest.raises(EvaluationError):
        minimize(Fragile({stop + 1}, f=value_at), BOUNDS, rng=5, **run)
    made.clear()
    assert outcome(minimize(value_at, BOUNDS, rng=5, **run)) == outcome(expected)
    again = sum(made) - (V - stop)
    assert again == (min(stop, 1) if policy in ("indexed", "forest") else stop)
    for rng in (5, None):
        made.clear()
        assert outcome(minimize(never, BOUNDS, rng=rng, **run)) == outcome(expected)
        assert sum(made) == (1 if policy in ("indexed", "forest") else V)
