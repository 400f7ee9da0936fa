"""`x0` of `minimize`, the run of its result, and its seed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import CheckpointError, minimize
from regression.baselines import Spy
from tool.front_door import BOUNDS, POLICIES, fun, outcome

X0 = [3.5, -5, 5, 0.25, 1, -1, 0, 1, 0.5, 0.75]


@pytest.mark.parametrize("policy", POLICIES)
def test_x0_is_evaluated_first(policy: str) -> None:
    run: dict[str, Any] = {"maxfun": 60, "rng": 3, **POLICIES[policy]}
    spy = Spy(fun)
    result = minimize(spy, BOUNDS, x0=X0, **run)
    assert spy.points[0].tolist() == X0
    plain = outcome(minimize(fun, BOUNDS, **run))
    assert outcome(result)["x"] != plain["x"]
    middle = [(low + high) / 2 for low, high in BOUNDS]
    again = outcome(minimize(fun, BOUNDS, x0=np.array(middle), **run))
    # The forest takes a given x0 as good: its evolution strategy begins with a smaller step.
    assert (again["history"] == plain["history"]) == (policy != "forest")


def test_a_checkpoint_knows_x0(tmp_path: Path) -> None:
    run: dict[str, Any] = {"maxfun": 40, "rng": 3, **POLICIES["forest"]}
    run["checkpoint"] = tmp_path / "run.jsonl"
    whole = minimize(fun, BOUNDS, **run, x0=[1.0] * 10)
    for x0 in (None, X0[:1] + [1.0] * 9):
        with pytest.raises(CheckpointError, match="belongs to another run: its x0 is "):
            minimize(fun, BOUNDS, **run, x0=x0)
    assert outcome(minimize(fun, BOUNDS, **run, x0=[1.0] * 10)) == outcome(whole)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rng", [None, 7, np.random.default_rng])
def test_the_seed_of_a_result_makes_the_run_again(policy: str, rng: Any, tmp_path: Path) -> None:
    run: dict[str, Any] = {"maxfun": 60, **POLICIES[policy]}
    given = rng() if callable(rng) else rng
    first = minimize(fun, BOUNDS, **run, rng=given, checkpoint=tmp_path / "run.jsonl")
    assert first.seed is not None
    assert outcome(minimize(fun, BOUNDS, **run, rng=first.seed)) == outcome(first)
    assert minimize(fun, BOUNDS, **run, checkpoint=tmp_path / "run.jsonl").seed == first.seed
    used = np.random.default_rng(7)
    used.random()
    assert minimize(fun, BOUNDS, **run, rng=used).seed is None


@pytest.mark.parametrize("bits", ["PCG64", "MT19937", "PCG64DXSM", "Philox", "SFC64"])
def test_a_seed_that_would_make_another_run_is_none(bits: str) -> None:
    """That of a bit generator other than NumPy's default."""
    rng = np.random.Generator(getattr(np.random, bits)(5))
    result = minimize(fun, BOUNDS, maxfun=60, rng=rng)
    assert result.seed == (5 if bits == "PCG64" else None)
    if result.seed is not None:
        assert outcome(minimize(fun, BOUNDS, maxfun=60, rng=result.seed)) == outcome(result)


def test_the_message_says_if_no_point_was_better_than_the_first() -> None:
    run: dict[str, Any] = {"maxfun": 50, "rng": 1}
    said = "The best point is the first one, {}: no later point was better."
    middle = minimize(lambda x: float(x @ x), [(-1, 1)] * 9, **run)
    assert said.format("the middle of the bounds") in middle.message
    x0 = [0.5] * 9
    start = minimize(lambda x: float(abs(x - x0).sum()), [(-1, 1)] * 9, x0=x0, **run)
    assert said.format("x0") in start.message
    assert "first one" not in minimize(fun, BOUNDS, **run).message
