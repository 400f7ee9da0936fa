"""A run is its settings, its key and its values: its points and its visits follow from them."""

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import Run, Search, Settings, minimize
from embedded_hunter.run.box import Box
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.policies import settings_of
from tool.checkpoints import value_at

N = 50
BOUNDS = [(-2.0, 3.0)] * N
POLICIES: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh", "d": 2, "M": 2},
    "matrix": {"policy": "fresh", "d": 2, "sampler": "matrix"},
    "indexed": {"policy": "indexed", "d": 2},
    "forest": {"policy": "forest"},
}


@pytest.mark.parametrize("box", [None, Box(BOUNDS), Box(BOUNDS, np.full(N, 0.5))])
@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.claim("determinism")
def test_the_points_of_a_run_are_those_that_were_evaluated(kind: str, box: Box | None) -> None:
    settings = settings_of(n=N, v=90, **{"d": None, **POLICIES[kind]})
    search = Search(settings, 7, bounds=box)
    asked, values = [], []
    while queries := search.ask():
        asked += [query.x for query in queries]
        values += [value_at(query.x) for query in queries]
        search.tell(queries, values[-len(queries) :])
    run = search.run
    assert (run.settings, run.seed, run.box) == (settings, 7, box)
    assert pickle.loads(pickle.dumps(run)).points().tobytes() == np.array(asked).tobytes()
    assert run.points().tobytes() == np.array(asked).tobytes()
    assert [value for _, told in run.visits() for value in told] == values
    assert repr(run) == f"Run({settings.policy}, n={N}, v=90, seed=7, 90 values)"


@pytest.mark.parametrize("kind", POLICIES)
def test_a_run_is_read_from_its_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    points: list[bytes] = []

    def fun(x: Any) -> float:
        points.append(x.tobytes())
        return value_at(x)

    cube = [(-1.0, 1.0)] * N
    result = minimize(fun, cube, maxfun=60, rng=7, checkpoint=path, **POLICIES[kind])
    run = Run.read(path)
    assert run.known.tolist() == result.history["value"].tolist()
    assert [x.tobytes() for x in run.points()] == points
    assert (run.seed, run.settings.v) == (7, 60)
    minimize(fun, cube, maxfun=70, rng=7, checkpoint=path, **POLICIES[kind])
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


def test_points_need_a_key() -> None:
    with pytest.raises(ValueError, match="without a key"):
        Run(Settings(4, 2, 30), values=np.ones(1)).points()


def test_a_run_has_no_more_values_than_evaluations() -> None:
    full = Run(Settings(4, 1, 30, M=0, h_max=0), values=np.ones(20))
    with pytest.raises(ValueError, match="the run has 3 evaluations, got 20 values"):
        list(full.visits())


def test_settings_of_no_policy_are_refused() -> None:
    with pytest.raises(TypeError, match="settings must be Settings or ForestSettings"):
        Run({"n": 4})  # type: ignore[arg-type]
