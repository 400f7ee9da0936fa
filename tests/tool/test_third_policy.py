"""A third policy, registered here, goes through everything that runs, writes and shows a run."""

import copy
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from embedded_hunter import Search, minimize
from embedded_hunter.cli import main
from embedded_hunter.matrices import Floats, Key, stream
from embedded_hunter.run.events import Evaluate, Event, Iteration
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.policies import POLICIES
from embedded_hunter.run.policy import AnyHunt, Origin, Points, Policy
from embedded_hunter.run.probe import probe
from embedded_hunter.settings import Space
from embedded_hunter.traces.check import check
from embedded_hunter.tree import Tree


@dataclass(frozen=True)
class StepSettings:
    """The parameters of a walk: steps of this length from the best point so far."""

    n: int
    v: int
    step: float = 0.5
    d: int = 1
    K: int = 3
    h_max: int = 0
    policy: str = "walk"

    def as_json(self) -> dict[str, object]:
        return asdict(self)


class Walk(NamedTuple):
    """A request: step number k from the point of step number `origin`."""

    k: int
    origin: int


@dataclass
class Pair:
    """A visit: two steps."""

    tree: Tree
    t: int
    evaluations: list[Walk]
    sweep: int = 0
    l: int = 0
    expansions: tuple[()] = ()


def walk(settings: StepSettings) -> AnyHunt:
    best, where, made, t = np.inf, 0, 0, 0
    while made < settings.v:
        asked = [Walk(k + 1, where) for k in range(made, min(made + 2, settings.v))]
        for request, value in zip(asked, (yield Pair(Tree(), t, asked)), strict=True):
            if value < best:
                best, where = value, request.k
        made, t = made + len(asked), t + 1
    return float(best)


class WalkPoints:
    """The point of a step: the sum of a step for each request since the last better one."""

    def __init__(self, settings: StepSettings, key: Key, rows: int) -> None:
        self._settings, self._key, self._rows = settings, key, rows

    def project(self, evaluations: Sequence[Walk], /) -> Floats:
        x = [stream(self._key, k).standard_normal(self._rows) for k, _ in evaluations]
        return np.clip(self._settings.step * np.array(x), -1, 1)


class WalkPolicy(Policy[StepSettings]):
    name = "walk"
    says = "Policy: walk, which is a test's."
    settings = StepSettings
    reaches_farther = "step"

    def make(self, n: int, d: int | None, v: int, **given: Any) -> StepSettings:
        return StepSettings(n, v, **given)

    def from_json(self, written: Mapping[str, Any]) -> StepSettings:
        return StepSettings(**written)

    def run(self, settings: StepSettings, key: Key, rows: int) -> AnyHunt:
        return walk(settings)

    def points(self, settings: StepSettings, key: Key, rows: int, memory: int) -> Points:
        return WalkPoints(settings, key, rows)

    def trees(self, settings: StepSettings) -> tuple[Space, ...]:
        return ()

    def narrate(self, settings: StepSettings, visit: Pair) -> Iterator[Event]:
        if visit.t > 0:
            yield Iteration(visit.t, 0, ())
        for request in visit.evaluations:
            yield Evaluate(request, None, 0, request.k, (), request.origin + 1)

    def origin(self, settings: StepSettings, request: Walk) -> Origin:
        return Origin("step", request.origin, f"from {request.origin}", f"step {request.k}")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One line of the registry; the probe of a process is computed with it."""
    monkeypatch.setitem(POLICIES, "walk", WalkPolicy())
    probe.cache_clear()
    yield
    probe.cache_clear()


BOUNDS = [(-2.0, 3.0)] * 6


def fun(x: Floats) -> float:
    return float(np.sum((x - 0.4) ** 2))


def run(**options: Any) -> Any:
    return minimize(fun, BOUNDS, policy="walk", maxfun=31, rng=3, **options)  # type: ignore[arg-type]


def test_minimize_and_ask_and_tell_make_the_same_run(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(step=0.3, disp=True)
    assert (result.policy, result.nfev, result.success) == ("walk", 31, True)
    assert result.message.endswith("Policy: walk, which is a test's.")
    assert "  step " in capsys.readouterr().out
    search = Search(StepSettings(6, 31, 0.3), 3, bounds=BOUNDS)
    while queries := search.ask(1):
        search.tell(queries, [fun(query.x) for query in queries])
        search = pickle.loads(pickle.dumps(copy.deepcopy(search)))
    assert (search.fun, search.x.tolist()) == (result.fun, result.x.tolist())  # type: ignore[union-attr]


def test_a_parameter_that_it_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="policy 'walk' has no parameter eta; it has d, h_max, K, "):
        run(eta=0.3)


def test_a_run_is_resumed_from_its_checkpoint(tmp_path: Path) -> None:
    whole, path = run(checkpoint=tmp_path / "run"), tmp_path / "run"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    again = run(checkpoint=path)
    assert (again.fun, again.x.tolist(), again.nfev) == (whole.fun, whole.x.tolist(), 31)
    assert path.read_bytes() == b"".join(lines)


def test_its_trace_is_written_checked_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, trace = str(tmp_path / "run"), str(tmp_path / "trace")
    values = run(checkpoint=path).history["value"]
    assert main(["trace", path, "--out", trace]) == 0
    for file in (path, trace):
        assert main(["check", file]) == 0
        assert capsys.readouterr().out == "The trace conforms to the policy walk: 47 events.\n"
    lines = Path(trace).read_text(encoding="utf-8").splitlines()
    assert dump({"event": "visit", "t": 1, "l": 0}).strip() in lines
    report = str(check([*lines[:5], *lines[6:]]))
    assert report.startswith("Line 6 of the trace breaks the rules of the policy walk: the next ")
    page = str(tmp_path / "play.html")
    assert main(["play", path, "--out", page]) == 0
    assert capsys.readouterr().out == f"{page}: 18 steps, the whole run\n"
    pytest.importorskip("matplotlib")
    assert main(["plot", path, "--out", str(tmp_path / "picture")]) == 0
    table = capsys.readouterr().out
    assert "\nfrom 0 " in table
    assert f"by step {int(np.argmin(values)) + 1}." in table
