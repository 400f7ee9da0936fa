"""A run with known values goes on as the first would, and makes few points again."""

import importlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import EmbeddedHunter, EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.policies import Search, search_of, settings_of
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


def value_at(x: Floats) -> float:
    return float(abs(x[3] - 0.3) + abs(x[11] + 0.2))


def settings(name: str, v: int = V) -> Any:
    return settings_of(n=N, d=3, v=v, **POLICIES[name])


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


@pytest.fixture(scope="module", params=POLICIES)
def whole(request: pytest.FixtureRequest) -> tuple[str, list[Floats], list[float]]:
    """A run that is not interrupted: its policy, points and values."""
    hunter = EmbeddedHunter(settings(request.param), 5)
    points, values = [], []
    while queries := hunter.ask():
        points += [query.x for query in queries]
        values += [value_at(query.x) for query in queries]
        hunter.tell(queries, values[-len(queries) :])
    return request.param, points, values


@pytest.mark.claim("determinism")
@given(data=st.data())
def test_a_hunter_with_known_values_goes_on_as_the_first_would(
    whole: tuple[str, list[Floats], list[float]], data: st.DataObject
) -> None:
    """Whatever is known: values with gaps."""
    policy, points, values = whole
    missing = data.draw(st.sets(st.integers(1, V), max_size=3))
    told = {k: value for k, value in enumerate(values, 1) if k not in missing}
    hunter = EmbeddedHunter(settings(policy), 5, values=told)
    known = min(missing, default=V + 1) - 1
    assert hunter.nfev == known
    if known:
        best = int(np.argmin(values[:known]))
        assert hunter.x is not None
        assert (hunter.fun, hunter.x.tobytes()) == (values[best], points[best].tobytes())
    hunter = pickle.loads(pickle.dumps(hunter))
    while queries := hunter.ask():
        for query in queries:
            assert query.x.tobytes() == points[query.number - 1].tobytes()
        hunter.tell(queries, [values[query.number - 1] for query in queries])
    assert hunter.finished
    assert hunter.nfev == V


def interrupted(stop: int, **run: Any) -> None:
    """Begin a run that stops after so many evaluations."""
    with pytest.raises(EvaluationError):
        minimize(Fragile({stop + 1}, f=value_at), BOUNDS, **run)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stop", [0, 1, 2, 33, 60, 89])
def test_few_points_are_made_again(tmp_path: Path, made: list[int], policy: str, stop: int) -> None:
    """The best one, and with policy fresh all."""
    run: dict[str, Any] = {"d": 3, "maxfun": V, "rng": 5, **POLICIES[policy]}
    expected = minimize(value_at, BOUNDS, **run)
    run["checkpoint"] = tmp_path / "run.jsonl"
    interrupted(stop, **run)
    made.clear()
    result = minimize(value_at, BOUNDS, **run)
    assert outcome(result) == outcome(expected)
    again = sum(made) - (V - stop)
    assert again == (min(stop, 1) if policy in ("indexed", "forest") else stop)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_complete_run_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    path = tmp_path / "run.jsonl"
    run: dict[str, Any] = {"d": 3, "maxfun": V, "checkpoint": path, **POLICIES[policy]}
    run["objective"] = "value_at"
    expected = minimize(value_at, BOUNDS, rng=5, **run)
    whole = path.read_bytes()
    without_answer = b"".join(whole.splitlines(keepends=True)[:-1])
    path.write_bytes(without_answer)
    again = minimize(never, BOUNDS, **run)  # the values suffice
    assert path.read_bytes() == whole
    for module in MODULES:
        monkeypatch.setattr(module, "search_of", None)
    for rng in (5, None):
        result = minimize(never, BOUNDS, rng=rng, **run)
        assert list(result) == list(expected)
        assert outcome(result) == outcome(again) == outcome(expected)
    assert path.read_bytes() == whole
