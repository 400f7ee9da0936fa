"""Whoever ends a run: the exception has the result so far and goes on, and no value is lost."""

import asyncio
import contextlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import ForestSettings, Search, minimize
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import Fresh, Indexed
from embedded_hunter.run.probe import probe
from embedded_hunter.run.status import Status
from regression.baselines import Spy
from tool.checkpoints import logged
from tool.front_door import BOUNDS, fun, fun_of_columns, outcome

RUN: dict[str, Any] = {"maxfun": 80, "rng": 3}


class Ends(BaseException):
    """No `Exception`, as that of a debugger or of another framework."""


class Once:
    """Calls a function, but for the call of this number, which raises."""

    def __init__(self, call: Callable[..., Any], at: int, error: BaseException) -> None:
        self.call, self.at, self.error, self.calls = call, at, error, 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls == self.at:
            raise self.error
        return self.call(*given, **named)


class Pipe(io.StringIO):
    """A pipe whose reader goes away after some lines, and comes back."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.write_once = Once(super().write, 7, error)

    def write(self, text: str) -> int:
        return int(self.write_once(text))


ERRORS = [
    OSError("the plot server is gone"), BrokenPipeError("reader"), asyncio.CancelledError(), Ends(),
    MemoryError(), GeneratorExit(), SystemExit(3), KeyboardInterrupt(),
]  # fmt: skip
CASES = [
    pytest.param(who, error, id=f"{who}: {type(error).__name__}")
    for who in ("callback", "disp", "projection", "map", "objective")
    for error in ERRORS
    # Of the objective and of a map the others become an EvaluationError.
    if not (who == "objective" and isinstance(error, Exception | SystemExit))
    and not (who == "map" and isinstance(error, Exception))
]


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("with_file", [False, True])
@pytest.mark.parametrize(("who", "error"), CASES)
def test_every_exception_has_the_result_and_goes_on(
    who: str, error: BaseException, with_file: bool, tmp_path: Path, monkeypatch: Any
) -> None:
    """Each point is evaluated once, by the call and by `resume` together."""
    expected = outcome(minimize(fun, BOUNDS, **RUN))
    spy, how = Spy(fun), dict(RUN)
    if with_file:
        how["checkpoint"] = tmp_path / "run.jsonl"
    objective: Callable[..., Any] = spy
    printed: Any = contextlib.nullcontext()
    if who == "callback":
        how["callback"] = Once(lambda result: None, 5, error)
    elif who == "disp":
        how["disp"], printed = True, contextlib.redirect_stdout(Pipe(error))
    elif who == "map":
        how["workers"] = Once(map, 5, error)
    elif who == "projection":
        probe("forest")  # projects points, once in a process that writes a file
        project = ForestPoints.project
        once = Once(project, 5, error)
        monkeypatch.setattr(ForestPoints, "project", lambda *given: once(*given))
    else:
        objective = Once(spy, 30, error)
    with printed:
        with pytest.raises(type(error)) as caught:
            minimize(objective, BOUNDS, **how)
        assert caught.value is error
        if who == "callback" and isinstance(error, Exception):
            assert error.__notes__[-1] == "The callback of minimize has raised this exception."
        found, resume = (vars(error)[name] for name in ("result", "resume"))
        assert found.nfev == len(found.history) == len(spy.values)
        assert not found.success
        interrupted = isinstance(error, KeyboardInterrupt)
        assert found.status == (Status.INTERRUPTED if interrupted else Status.BROKEN)
        if with_file:
            assert len(logged(tmp_path / "run.jsonl")) == found.nfev
        assert outcome(resume()) == expected
    assert len(spy.values) == 80


@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_a_run_goes_on_when_there_is_memory_again(policy: Any, monkeypatch: Any) -> None:
    """Also if there was none to make the best point of the result again."""
    run = {**RUN, "policy": policy, "d": 2}
    expected, spy = outcome(minimize(fun, BOUNDS, **run)), Spy(fun)
    kind = Fresh if policy == "fresh" else Indexed
    project, full = kind.project, False

    def limited(self: Any, evaluations: Any) -> Floats:
        if full:
            raise MemoryError
        return project(self, evaluations)

    def fills(x: Floats) -> float:
        nonlocal full
        full = full or len(spy.values) == 40
        return spy(x)

    monkeypatch.setattr(kind, "project", limited)
    with pytest.raises(MemoryError) as caught:
        minimize(fills, BOUNDS, **run)
    found = vars(caught.value)["result"]
    assert found is None if policy == "fresh" else found.nfev == len(spy.values) >= 41
    full = False
    assert outcome(vars(caught.value)["resume"]()) == expected
    assert len(spy.values) == 80


def never_empty(f: Any, points: Iterable[Any]) -> Any:
    """A map that must not be called without a point."""
    assert list(points)
    return map(f, points)


@pytest.mark.parametrize("how", [{"vectorized": True}, {"workers": never_empty}, {}])
def test_a_time_limit_may_pass_at_any_moment(how: dict[str, Any], monkeypatch: Any) -> None:
    """Also while points are made, so that none is evaluated in the call that follows."""
    expected = dict(minimize(fun, BOUNDS, **RUN).history.tolist())
    objective: Any = fun_of_columns if "vectorized" in how else fun
    for moment in range(1, 40, 3):
        ticks = iter(range(10**6))

        class Clock:
            @staticmethod
            def monotonic(ticks: Any = ticks) -> float:
                return float(next(ticks))

        monkeypatch.setattr("embedded_hunter.run.minimization.time", Clock)
        result = minimize(objective, BOUNDS, **RUN, timeout=moment, **how)
        assert result.nfev < 80
        assert dict(result.history.tolist()).items() <= expected.items()
        if result.nfev == 0:
            assert (result.status, result.success, result.x) == (Status.TIMEOUT, False, None)
            assert "Nothing was evaluated." in result.message


def test_a_search_goes_on_after_any_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ask and tell: the call that it ended is made again."""
    whole, broken = (Search(ForestSettings(10, 80), 3, bounds=BOUNDS) for _ in range(2))
    project = ForestPoints.project
    once = Once(project, 5, Ends())
    while queries := whole.ask():
        whole.tell(queries, [fun(query.x) for query in queries])
    monkeypatch.setattr(ForestPoints, "project", lambda *given: once(*given))
    while not broken.finished:
        try:
            queries = broken.ask()
        except Ends:
            continue
        broken.tell(queries, [fun(query.x) for query in queries])
    assert broken.run.known.tolist() == whole.run.known.tolist()
    assert np.array_equal(broken.x, whole.x)  # type: ignore[arg-type]
