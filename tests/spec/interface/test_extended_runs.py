"""A run is extended: the same checkpoint, and a greater budget."""

import math
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import CheckpointError, EvaluationError, minimize
from embedded_hunter.matrices import Floats
from spec.interface.checkpoints import BOUNDS, value_at
from spec.interface.front_door import Fragile, never, outcome

FIRST, SECOND, THIRD = 60, 150, 151
POLICIES: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh", "d": 2},
    "matrix": {"policy": "fresh", "d": 2, "sampler": "matrix"},
    "indexed": {"policy": "indexed", "d": 2},
    "forest": {"policy": "forest", "effective_dimension": 2},
    "forest, K = 7": {"policy": "forest", "effective_dimension": 2, "K": 7},
}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("first", [1, 2, 5, FIRST])
def test_an_extended_run_is_that_of_the_greater_budget_with_the_first_h_max(
    policy: str, first: int, tmp_path: Path
) -> None:
    """Bit for bit, extended twice; no evaluation is made again, and the last file is whole."""
    run: dict[str, Any] = {"rng": 5, **POLICIES[policy]}
    kept = {**run, "checkpoint": tmp_path / "run.jsonl", "objective": "value_at"}
    calls = []

    def counted(x: Floats) -> float:
        calls.append(x.tobytes())
        return value_at(x)

    expected = outcome(minimize(value_at, BOUNDS, maxfun=first, **run))
    assert outcome(minimize(counted, BOUNDS, maxfun=first, **kept)) == expected
    for budget in (SECOND, THIRD):
        alone = {**run, "h_max": math.isqrt(first)}
        expected = outcome(minimize(value_at, BOUNDS, maxfun=budget, **alone))
        assert outcome(minimize(counted, BOUNDS, maxfun=budget, **kept)) == expected
        assert outcome(minimize(never, BOUNDS, maxfun=budget, **kept)) == expected
        assert len(calls) == expected["nfev"]  # the tree can be full


@pytest.mark.parametrize("policy", ["fresh", "forest"])
def test_an_extension_can_be_interrupted_and_resumed(policy: str, tmp_path: Path) -> None:
    run: dict[str, Any] = {"rng": 5, **POLICIES[policy]}
    kept = {**run, "checkpoint": tmp_path / "run.jsonl", "objective": "value_at"}
    minimize(value_at, BOUNDS, maxfun=FIRST, **kept)
    with pytest.raises(EvaluationError) as caught:
        minimize(Fragile({20}, f=value_at), BOUNDS, maxfun=SECOND, **kept)
    result = caught.value.resume()
    expected = minimize(value_at, BOUNDS, maxfun=SECOND, h_max=math.isqrt(FIRST), **run)
    assert outcome(result) == outcome(expected)
    assert outcome(minimize(never, BOUNDS, maxfun=SECOND, **kept)) == outcome(expected)


def test_h_max_may_be_given_and_must_then_be_that_of_the_file(tmp_path: Path) -> None:
    run: dict[str, Any] = {"rng": 5, **POLICIES["forest"], "checkpoint": tmp_path / "run.jsonl"}
    minimize(value_at, BOUNDS, maxfun=FIRST, **run)
    with pytest.raises(CheckpointError, match=r"belongs to another run: its v is 60, this run's"):
        minimize(value_at, BOUNDS, maxfun=SECOND, h_max=12, **run)
    assert minimize(value_at, BOUNDS, maxfun=SECOND, h_max=7, **run).nfev == SECOND


def test_what_is_no_extension_is_refused_and_the_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run: dict[str, Any] = {"rng": 5, **POLICIES["forest"], "checkpoint": path}
    minimize(value_at, BOUNDS, maxfun=FIRST, **run)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"another run: its v is 60, this run's is 150$"):
        minimize(never, BOUNDS, **{**run, "maxfun": SECOND, "eta": 0.2})
    assert path.read_bytes() == before
    minimize(value_at, BOUNDS, maxfun=SECOND, **run)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match="was extended to a budget of 150, this run's is 60"):
        minimize(never, BOUNDS, maxfun=FIRST, **run)
    assert path.read_bytes() == before
    with pytest.raises(CheckpointError, match="was extended to a budget of 150, this run's is 149"):
        minimize(never, BOUNDS, maxfun=SECOND - 1, **run)
    assert path.read_bytes() == before
