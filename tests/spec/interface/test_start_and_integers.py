"""`x0` and `integrality` of `minimize`, and the history of a run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import CheckpointError, EmbeddedHunter, minimize
from embedded_hunter.forest.settings import ForestSettings
from spec.algorithm.baselines import Spy
from spec.interface.front_door import BOUNDS, KINDS, POLICIES, fun, fun_of_columns, outcome

X0 = [3.5, -5, 5, 0.25, 1, -1, 0, 1, 0.5, 0.75]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", KINDS)
def test_x0_is_evaluated_first(policy: str, kind: str) -> None:
    objective = fun_of_columns if kind == "vectorized" else fun
    run: dict[str, Any] = {"maxfun": 60, "rng": 3, **POLICIES[policy]}
    one = minimize(objective, BOUNDS, x0=X0, **{**run, "maxfun": 1}, **KINDS[kind])
    assert one.x.tolist() == X0
    assert one.history.tolist() == [(1, fun(np.array(X0)))]
    result = minimize(objective, BOUNDS, x0=np.array(X0), **run, **KINDS[kind])
    assert outcome(result) == outcome(minimize(fun, BOUNDS, x0=X0, **run))
    assert result.x.tolist() != minimize(fun, BOUNDS, **run).x.tolist()
    middle = [(low + high) / 2 for low, high in BOUNDS]
    plain = outcome(minimize(fun, BOUNDS, **run))
    assert outcome(minimize(fun, BOUNDS, x0=middle, **run))["history"] == plain["history"]


@pytest.mark.parametrize("policy", POLICIES)
def test_integers_are_integers_and_within_the_bounds(policy: str) -> None:
    integrality = np.arange(10) % 2 == 0
    bounds = [(-4.5, 3.2)] * 10
    spy = Spy(lambda x: float(abs(x[0] - 2) + abs(x[1] - 0.3)))
    result = minimize(spy, bounds, maxfun=300, rng=1, integrality=integrality, **POLICIES[policy])
    points = np.array(spy.points)
    assert np.array_equal(points[:, integrality], np.rint(points[:, integrality]))
    assert points.min() >= -4.5
    assert points.max() <= 3.2
    assert (points[:, ~integrality] % 1 != 0).any(axis=0).all()
    assert result.x[0] == 2.0
    assert result.fun == spy(result.x)


def test_a_checkpoint_knows_x0_and_the_integers(tmp_path: Path) -> None:
    run: dict[str, Any] = {"maxfun": 40, "rng": 3, **POLICIES["forest"]}
    run["checkpoint"] = tmp_path / "run.jsonl"
    given: dict[str, Any] = {"x0": [1.0] * 10, "integrality": [True] + [False] * 9}
    whole = minimize(fun, BOUNDS, **run, **given)
    for change, name in (
        ({"x0": None}, "x0"),
        ({"x0": X0[:1] + [1.0] * 9, "integrality": None}, "x0"),
        ({"integrality": None}, "integrality"),
        ({"integrality": [False, True] + [False] * 8}, "integrality"),
    ):
        with pytest.raises(CheckpointError, match=f"belongs to another run: its {name} is "):
            minimize(fun, BOUNDS, **run, **{**given, **change})
    assert outcome(minimize(fun, BOUNDS, **run, **given)) == outcome(whole)


# --- the history ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_history_has_every_number_and_value(kind: str, tmp_path: Path) -> None:
    """In the order of the numbers, however the points are evaluated; also from a checkpoint."""
    objective = fun_of_columns if kind == "vectorized" else fun
    run: dict[str, Any] = {"maxfun": 90, "rng": 3, **POLICIES["forest"]}
    spy = Spy(fun)
    minimize(spy, BOUNDS, **run)
    for _ in range(2):
        result = minimize(objective, BOUNDS, checkpoint=tmp_path / "c", **run, **KINDS[kind])
        assert result.history["evaluation"].tolist() == list(range(1, 91))
        assert result.history["value"].tolist() == spy.values


def test_the_history_of_ask_and_tell_has_what_was_told() -> None:
    hunter = EmbeddedHunter(ForestSettings(10, 90, dimensions=[4]), 3)
    hunter.tell(hunter.ask(), [1.0])
    queries = hunter.ask()
    assert len(queries) > 1
    hunter.tell(queries[1:2], [7.0])
    assert hunter.history.tolist() == [(1, 1.0), (3, 7.0)]
    assert "history" not in hunter.result
