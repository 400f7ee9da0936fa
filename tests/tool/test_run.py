"""A run is its settings, its key and its values: its points, its seed and its way on follow."""

import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import CheckpointError, EvaluationError, Run, Search, Settings, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.policies import POLICIES as REGISTRY
from embedded_hunter.run.policies import settings_of
from embedded_hunter.run.policy import Points
from regression.baselines import Spy
from tool.front_door import BOUNDS, POLICIES, Fragile, fun, never, outcome

N = len(BOUNDS)
X0 = [3.5, -5, 5, 0.25, 1, -1, 0, 1, 0.5, 0.75]
every_policy = pytest.mark.parametrize("policy", POLICIES)


# --- points and values ---------------------------------------------------------------------------


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("box", [None, Box(BOUNDS), Box(BOUNDS, np.array(X0))])
@every_policy
def test_the_points_of_a_run_are_those_that_were_evaluated(policy: str, box: Box | None) -> None:
    settings = settings_of(n=N, v=90, **{"d": None, **POLICIES[policy]})
    search = Search(settings, 7, bounds=box)
    asked, values = [], []
    while queries := search.ask():
        asked += [query.x for query in queries]
        values += [fun(query.x) for query in queries]
        search.tell(queries, values[-len(queries) :])
    run = search.run
    assert (run.settings, run.seed, run.box) == (settings, 7, box)
    assert pickle.loads(pickle.dumps(run)).points().tobytes() == np.array(asked).tobytes()
    assert run.points().tobytes() == np.array(asked).tobytes()
    assert [value for _, told in run.visits() for value in told] == values
    assert repr(run) == f"Run({settings.policy}, n={N}, v=90, seed=7, 90 values)"


@every_policy
def test_a_run_is_read_from_its_file(policy: str, tmp_path: Path) -> None:
    path, spy = tmp_path / "run.jsonl", Spy(fun)
    given: dict[str, Any] = {"bounds": [(-1.0, 1.0)] * N, "rng": 7, "checkpoint": path}
    result = minimize(spy, maxfun=60, **given, **POLICIES[policy])
    run = Run.read(path)
    assert run.known.tolist() == result.history["value"].tolist()
    assert run.points().tolist() == [x.tolist() for x in spy.points]
    assert (run.seed, run.settings.v) == (7, 60)
    minimize(fun, maxfun=70, **given, **POLICIES[policy])
    assert (Run.read(path).settings.v, len(Run.read(path).known)) == (70, 70)
    path.write_text('{"format": "another"}\n')
    with pytest.raises(FormatError, match="line 1"):
        Run.read(path)


def test_values_without_a_gap_are_known() -> None:
    run = Run(Settings(4, 2, 30), values=np.array([1.0, 2.0, math.nan, 3.0]))
    assert run.known.tolist() == [1.0, 2.0]
    assert len(run.values) == 4
    with pytest.raises(ValueError, match="read-only"):
        run.values[0] = 5.0
    visits = list(run.visits())
    assert [list(told) for _, told in visits if told] == [[1.0], [2.0]]
    assert len(visits[-1].visit.evaluations) > 1


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(ValueError, match="without a key"):
        Run(Settings(4, 2, 30), values=np.ones(1)).points()
    full = Run(Settings(4, 1, 30, M=0, h_max=0), values=np.ones(20))
    with pytest.raises(ValueError, match="the run has 3 evaluations, got 20 values"):
        list(full.visits())
    with pytest.raises(TypeError, match="settings must be Settings or ForestSettings"):
        Run({"n": 4})  # type: ignore[arg-type]


# --- x0 ------------------------------------------------------------------------------------------


@every_policy
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
        with pytest.raises(CheckpointError, match=r"another run: its x0 differs from this run's$"):
            minimize(fun, BOUNDS, **run, x0=x0)
    with pytest.raises(CheckpointError, match=r"another run: its bounds differ from this run's$"):
        minimize(fun, [(-9.0, 9.0)] * 10, **run, x0=[1.0] * 10)
    assert outcome(minimize(fun, BOUNDS, **run, x0=[1.0] * 10)) == outcome(whole)


def test_the_message_says_if_no_point_was_better_than_the_first() -> None:
    run: dict[str, Any] = {"maxfun": 50, "rng": 1}
    said = "The best point is the first one, {}: no later point was better."
    middle = minimize(lambda x: float(x @ x), [(-1, 1)] * 9, **run)
    assert said.format("the middle of the bounds") in middle.message
    x0 = [0.5] * 9
    start = minimize(lambda x: float(abs(x - x0).sum()), [(-1, 1)] * 9, x0=x0, **run)
    assert said.format("x0") in start.message
    assert "first one" not in minimize(fun, BOUNDS, **run).message


# --- the seed ------------------------------------------------------------------------------------


@every_policy
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
    assert minimize(fun, BOUNDS, maxfun=60, rng=rng).seed == (5 if bits == "PCG64" else None)


# --- resumed -------------------------------------------------------------------------------------


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

            monkeypatch.setattr(made, "project", noting)
            return made

        return counting

    for policy in REGISTRY.values():
        monkeypatch.setattr(policy, "points", counted(policy.points))
    return sizes


@pytest.mark.claim("determinism")
@every_policy
@pytest.mark.parametrize("stop", [0, 1, 60])
def test_few_points_are_made_again(tmp_path: Path, made: list[int], policy: str, stop: int) -> None:
    """When a run is resumed: the best one, and with policy fresh all. None is evaluated again."""
    run: dict[str, Any] = {"maxfun": 90, **POLICIES[policy]}
    expected = minimize(fun, BOUNDS, rng=5, **run)
    run |= {"checkpoint": tmp_path / "run.jsonl", "objective": "fun"}
    with pytest.raises(EvaluationError):
        minimize(Fragile({stop + 1}), BOUNDS, rng=5, **run)
    made.clear()
    assert outcome(minimize(fun, BOUNDS, rng=5, **run)) == outcome(expected)
    again = sum(made) - (90 - stop)
    assert again == (min(stop, 1) if policy in ("indexed", "forest") else stop)
    for rng in (5, None):
        made.clear()
        assert outcome(minimize(never, BOUNDS, rng=rng, **run)) == outcome(expected)
        assert sum(made) == (1 if policy in ("indexed", "forest") else 90)
