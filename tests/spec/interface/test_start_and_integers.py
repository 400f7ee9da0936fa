"""`x0` and `integrality` of `minimize`, and the history of a run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import CheckpointError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.status import EXHAUSTED
from spec.algorithm.baselines import Spy
from spec.interface.front_door import BOUNDS, KINDS, POLICIES, fun, outcome

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


def of_three(x: Floats) -> float:
    return float(x[0] - x[1] * x[2])


def of_three_columns(x: Floats) -> list[float]:
    return list(map(of_three, x.T))


@pytest.mark.parametrize(
    ("policy", "kind"),
    [*[(policy, "serial") for policy in POLICIES], *[("forest", k) for k in KINDS]],
)
def test_a_point_of_integers_is_evaluated_once(policy: str, kind: str) -> None:
    """Three of ten variables: the points are few, and the values those of the rounded points."""
    bounds = [(-1, 2)] * 3 + [(1.0, 1.0)] * 7
    spy = Spy(of_three)
    run: dict[str, Any] = {"maxfun": 400, "rng": 2, "integrality": [True] * 3 + [False] * 7}
    run |= POLICIES[policy]
    result = minimize(spy, bounds, **run)
    points = [tuple(x) for x in spy.points]
    assert len(set(points)) == len(points) < result.nfev
    assert result.fun == min(spy.values) == of_three(result.x)
    objective = of_three_columns if kind == "vectorized" else of_three
    assert outcome(minimize(objective, bounds, **run, **KINDS[kind])) == outcome(result)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_end_of_a_finite_space_ends_the_run(policy: str, tmp_path: Path) -> None:
    """After every point has a value; a resumed run ends where the undisturbed one does."""
    run: dict[str, Any] = {"maxfun": 500, "rng": 2, "integrality": True, **POLICIES[policy]}
    spy = Spy(lambda x: float(x @ [1, -2, 3]))
    whole = minimize(spy, [(0, 1)] * 3, **run, checkpoint=tmp_path / "run.jsonl")
    assert (whole.status, whole.success, len(spy.points)) == (EXHAUSTED, True, 8)
    assert (whole.fun, whole.x.tolist()) == (-2.0, [0.0, 1.0, 0.0])
    assert 8 <= whole.nfev < 500
    lines = (tmp_path / "run.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(2, len(lines), 3):
        path = tmp_path / f"{kept}.jsonl"
        path.write_bytes(b"".join(lines[:kept]))
        assert outcome(minimize(spy.f, [(0, 1)] * 3, **run, checkpoint=path)) == outcome(whole)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_history_has_the_points_on_request(policy: str, tmp_path: Path) -> None:
    """Of a run, of one that is resumed, and of a file of a complete run."""
    run: dict[str, Any] = {"maxfun": 90, "rng": 2, "keep_points": True, **POLICIES[policy]}
    spy = Spy(fun)
    result = minimize(spy, BOUNDS, **run)
    assert result.history["x"].tolist() == [x.tolist() for x in spy.points]
    assert result.history["value"].tolist() == spy.values
    path = tmp_path / "run.jsonl"
    minimize(fun, BOUNDS, **run, checkpoint=path)
    again = minimize(fun, BOUNDS, **run, checkpoint=path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:40]))
    resumed = minimize(fun, BOUNDS, **run, checkpoint=path)
    for other in (again, resumed):
        assert other.history.tobytes() == result.history.tobytes()
        assert (other.x.tolist(), other.status) == (result.x.tolist(), result.status)


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


def test_the_message_says_if_no_point_was_better_than_the_first() -> None:
    run: dict[str, Any] = {"maxfun": 50, "rng": 1}
    said = "The best point is the first one, {}: no later point was better."
    middle = minimize(lambda x: float(x @ x), [(-1, 1)] * 9, **run)
    assert said.format("the middle of the bounds") in middle.message
    x0 = [0.5] * 9
    start = minimize(lambda x: float(abs(x - x0).sum()), [(-1, 1)] * 9, x0=x0, **run)
    assert said.format("x0") in start.message
    assert "first one" not in minimize(fun, BOUNDS, **run).message
