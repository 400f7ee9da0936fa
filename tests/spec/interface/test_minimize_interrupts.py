"""Specification of `minimize`: Ctrl-C ends the program, loses nothing, and says how to go on."""

import math
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import minimize
from embedded_hunter.run.records import evaluation_line
from spec.algorithm.baselines import Spy
from spec.interface.front_door import BOUNDS, KINDS, Fragile, fun, outcome


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
