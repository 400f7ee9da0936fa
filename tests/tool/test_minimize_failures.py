"""Specification of `minimize`: callbacks, evaluations that fail, and Ctrl-C."""

import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.records import evaluation_line
from embedded_hunter.run.status import Status
from regression.baselines import Spy
from tool.front_door import (
    BOUNDS,
    KINDS,
    POLICIES,
    Fragile,
    fun,
    fun_of_columns,
    outcome,
)


@pytest.mark.claim("alg1-line-17")
def test_a_callback_may_take_the_result_by_the_name_that_SciPy_uses() -> None:
    seen: list[int] = []

    def by_name(*, intermediate_result: OptimizeResult) -> None:
        seen.append(intermediate_result.nfev)

    run: dict[str, Any] = {"policy": "fresh", "d": 2, "maxfun": 30, "rng": 0}
    minimize(fun, BOUNDS, **run, callback=by_name)
    named = seen.copy()
    seen.clear()
    minimize(fun, BOUNDS, **run, callback=lambda result: seen.append(result.nfev))
    assert named == seen
    minimize(fun, BOUNDS, **run, callback={}.update)  # it has no signature


# --- failures --------------------------------------------------------------------------------


@pytest.mark.claim("nan-and-inf")
def test_a_function_of_one_point_is_told_what_a_vectorized_one_gets() -> None:
    hint = r"\(vectorized: x has shape \(10, 1\), one point in each column\)$"
    with pytest.raises(EvaluationError, match=hint):
        minimize(
            lambda x: math.sin(x[0]), BOUNDS, policy="fresh", d=2, maxfun=20, rng=1, vectorized=True
        )


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("visit", [1, -1])
def test_a_map_that_returns_an_answer_twice_is_noticed_and_the_run_can_go_on(visit: int) -> None:
    """Every point has its value then: the last visit is complete, and the callback sees it once."""
    visits: list[int] = []
    expected = minimize(
        fun, BOUNDS, policy="fresh", d=2, maxfun=60, rng=5, callback=lambda r: visits.append(r.nit)
    )
    last = visits[visit - 1] if visit > 0 else visits[-1]
    calls = 0
    seen: list[int] = []

    def generous(f: Callable[[Any], Any], points: Iterable[Any]) -> list[Any]:
        nonlocal calls
        calls += 1
        answers = [f(x) for x in points]
        return answers + answers[:1] * (calls == (visit if visit > 0 else len(visits)))

    with pytest.raises(EvaluationError, match="failed: the map returned an answer that") as caught:
        minimize(
            fun, BOUNDS, policy="fresh", d=2, maxfun=60, rng=5, workers=generous,
            callback=lambda r: seen.append(r.nit),
        )  # fmt: skip
    assert caught.value.result.nit in (last - 1, last)
    assert seen == visits[: visits.index(last)]
    assert outcome(caught.value.resume()) == outcome(expected)
    assert seen == visits


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("failing", [[0], [2, 5], list(range(6))])
def test_what_was_evaluated_together_with_a_failure_is_kept(failing: list[int]) -> None:
    """The second visit has six points; the error names the first of those that failed."""

    def columns(x: Floats) -> Floats:
        values = fun_of_columns(x)
        if x.shape[1] == 6:
            values[failing] = math.nan
        return values

    with pytest.raises(EvaluationError) as caught:
        minimize(columns, BOUNDS, policy="fresh", d=1, K=7, M=0, maxfun=60, rng=7, vectorized=True)
    assert caught.value.evaluation == 2 + failing[0]
    assert caught.value.result.nfev == 7 - len(failing)


class Fails(ValueError):
    pass


def fails_often(x: Floats) -> float:
    """Raise, return NaN, or return a value, by the point."""
    kind = int(np.abs(x).sum() * 1e6) % 3
    if kind == 0:
        raise Fails("no value here")
    return math.nan if kind == 1 else fun(x)


def infinite_where_it_fails(x: Floats) -> float:
    try:
        value = fails_often(x)
    except Fails:
        return math.inf
    return math.inf if math.isnan(value) else value


@pytest.mark.parametrize(
    ("policy", "kind"),
    [("fresh", "map"), ("indexed", "serial")]
    + [("forest", kind) for kind in KINDS if kind != "vectorized"],
)
def test_failures_count_as_inf_if_asked(policy: str, kind: str, tmp_path: Path) -> None:
    """The run is that of an objective that is +inf there, resumed from a file as well."""
    run: dict[str, Any] = {"maxfun": 60, "rng": 3, "x0": [0.3] * 10, **POLICIES[policy]}
    expected = minimize(infinite_where_it_fails, BOUNDS, **run)
    failed = int(np.isinf(expected.history["value"]).sum())
    assert 10 < failed < 50
    run |= {"on_error": "inf", "checkpoint": tmp_path / "run.jsonl", **KINDS[kind]}
    for _ in range(2):
        result = minimize(fails_often, BOUNDS, **run)
        assert np.array_equal(result.history, expected.history)
        assert result.nfailed == failed
    lines = run["checkpoint"].read_bytes().splitlines(keepends=True)
    run["checkpoint"].write_bytes(b"".join(lines[:40]))
    resumed = minimize(fails_often, BOUNDS, **run)
    assert (resumed.nfailed, resumed.fun) == (failed, expected.fun)
    assert f"Evaluations that failed and count as +inf: {failed}" in resumed.message


def test_a_fault_of_the_caller_is_no_value_of_a_point() -> None:
    """Nor is the end of the program: `on_error` concerns what another point may do better."""
    for fault in (lambda x: "text", lambda x: [x], lambda x: sys.exit(3)):
        with pytest.raises(EvaluationError):
            minimize(fault, BOUNDS, maxfun=20, on_error="inf")


# --- Ctrl-C ----------------------------------------------------------------------------------


def ctrl_c() -> object:
    raise KeyboardInterrupt


@pytest.mark.claim("alg1-line-17", "determinism")
@pytest.mark.parametrize("at", [1, 30])
def test_the_keyboard_is_passed_on_with_the_best_so_far_and_how_to_resume(at: int) -> None:
    spy = Spy(fun)
    with pytest.raises(KeyboardInterrupt) as caught:
        minimize(Fragile({at}, ctrl_c, spy), BOUNDS, policy="fresh", d=2, maxfun=100, rng=0)
    # With a subclass, Python would not end by the signal: a loop of the shell would go on.
    assert type(caught.value) is KeyboardInterrupt
    result = vars(caught.value)["result"]
    assert (result.status, result.success, result.nfev) == (Status.INTERRUPTED, False, at - 1)
    best = "" if at == 1 else f", the best value is {min(spy.values):.10g}"
    assert str(caught.value) == (
        f"{at - 1} of 100 evaluations were made{best}. To go on, call resume() of this exception."
    )
    assert vars(caught.value)["resume"]().nfev == len(spy.values) == 100


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
