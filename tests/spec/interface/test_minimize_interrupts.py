"""Specification of `minimize`: Ctrl-C ends the program, loses nothing, and says how to go on."""

import math
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.records import evaluation_line
from spec.algorithm.baselines import Spy
from spec.interface.front_door import BOUNDS, KINDS, Fragile, fun, outcome
from spec.interface.interrupts import interrupted_at


def ctrl_c() -> object:
    raise KeyboardInterrupt


@pytest.mark.claim("alg1-line-17", "determinism")
@pytest.mark.parametrize("at", [1, 2, 30])
@pytest.mark.parametrize("kind", ["serial", "map"])
def test_the_keyboard_is_passed_on_with_the_best_so_far_and_how_to_resume(
    at: int, kind: str
) -> None:
    run: dict[str, Any] = {"policy": "fresh", "d": 2, "maxfun": 100, "rng": 0}
    spy = Spy(fun)
    with pytest.raises(KeyboardInterrupt) as caught:
        minimize(Fragile({at}, ctrl_c, spy), BOUNDS, **run, **KINDS[kind])
    # With a subclass, Python would not end by the signal: a loop of the shell would go on.
    assert type(caught.value) is KeyboardInterrupt
    result = vars(caught.value)["result"]
    assert (result.status, result.success, result.message) == (3, False, "Interrupted.")
    assert result.nfev == len(spy.values) == at - 1
    assert result.fun == min(spy.values, default=math.inf)
    assert result.x is None if at == 1 else fun(result.x) == result.fun
    best = "" if at == 1 else f", the best value is {result.fun:.10g}"
    assert str(caught.value) == (
        f"{at - 1} of 100 evaluations were made{best}. To go on, call resume() of this exception."
    )
    assert outcome(vars(caught.value)["resume"]()) == outcome(minimize(fun, BOUNDS, **run))
    assert len(spy.values) == 100


# After Ctrl-C between the run and the closing of its file, the last reference to it closes it.
@pytest.mark.filterwarnings(
    "ignore:.*FileIO name=.*run.jsonl:pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.claim("determinism")
@pytest.mark.parametrize("with_checkpoint", [False, True])
@pytest.mark.parametrize("policy", ["fresh", "indexed", "forest"])
def test_interrupted_at_any_line_a_resumed_run_is_the_undisturbed_one(
    policy: str, with_checkpoint: bool, tmp_path: Path
) -> None:
    """At each 29th line that the package executes. At most one evaluation is made again."""
    calls: list[int] = []
    seen: list[int] = []

    def counted(x: Floats) -> float:
        calls.append(len(calls))
        return fun(x)

    run: dict[str, Any] = {"d": 2, "maxfun": 25, "rng": 5, "policy": policy}
    run["callback"] = lambda result: seen.append(result.nfev)
    if with_checkpoint:
        run["checkpoint"] = tmp_path / "run.jsonl"
    whole = minimize(fun, BOUNDS, **run)
    visits = seen.copy()
    resumed = 0
    for line in count(1, 29):
        calls.clear()
        seen.clear()
        if with_checkpoint:
            run["checkpoint"].unlink(missing_ok=True)
        try:
            with interrupted_at(line):
                minimize(counted, BOUNDS, **run)
        except KeyboardInterrupt as error:
            if not hasattr(error, "resume"):  # before the run, or behind it
                continue
            result = error.resume()
        else:
            break
        resumed += 1
        assert outcome(result) == outcome(whole)
        assert len(calls) in (25, 26)
        assert sorted({*seen}) == visits
    assert resumed > 10


@pytest.mark.claim("determinism")
def test_an_interrupt_before_a_value_is_written_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def interrupted(number: int, value: float, failed: bool) -> str:
        if number == 3:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return evaluation_line(number, value, failed)

    monkeypatch.setattr("embedded_hunter.run.checkpoint.evaluation_line", interrupted)
    path = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt) as caught:
        minimize(fun, BOUNDS, policy="fresh", d=2, maxfun=10, rng=5, checkpoint=path)
    assert vars(caught.value)["result"].nfev == 3
    assert path.read_text().count('{"evaluation"') == 3
