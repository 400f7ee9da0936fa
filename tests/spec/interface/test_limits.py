"""What ends a run before its budget is used: a target, a time limit, patience, the callback."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.forest.policy import ForestPolicy
from embedded_hunter.matrices import Floats
from embedded_hunter.run import minimization
from embedded_hunter.run.status import (
    AT_EDGE,
    FLAT,
    INFINITE,
    PATIENCE,
    STOPPED,
    TARGET,
    TIMEOUT,
    UNBOUNDED,
    message_of,
    verdict,
)  # fmt: skip
from spec.algorithm.instances import INF
from spec.interface.front_door import (
    BOUNDS,
    KINDS,
    POLICIES,
    Fragile,
    fun,
    fun_of_columns,
    never,
    outcome,
)


def ends_of_visits(**run: Any) -> list[tuple[int, float, int]]:
    """Return, after each visit of the whole run: evaluations, least value, how long it stands."""
    seen: list[tuple[int, float, int]] = []
    found = [INF, 0]

    def note(result: OptimizeResult) -> None:
        seen.append((result.nfev, result.fun, 0))

    values = minimize(fun, BOUNDS, callback=note, **run).history["value"]
    for k, (nfev, least, _) in enumerate(seen):
        found = [least, int(np.argmin(values[:nfev])) + 1]
        seen[k] = (nfev, least, nfev - int(found[1]))
    return seen


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_target_ends_the_run_at_the_first_visit_that_reaches_it(policy: str, kind: str) -> None:
    run: dict[str, Any] = {"maxfun": 200, "rng": 3, **POLICIES[policy]}
    visits = ends_of_visits(**run)
    target = visits[len(visits) // 2][1]
    expected = next(nfev for nfev, least, _ in visits if least <= target)
    assert 1 < expected < 200
    objective = fun_of_columns if kind == "vectorized" else fun
    result = minimize(objective, BOUNDS, f_target=target, **run, **KINDS[kind])
    assert (result.status, result.success, result.nfev) == (TARGET, True, expected)
    assert result.message == message_of(TARGET, policy)
    assert result.policy == policy
    last = minimize(fun, BOUNDS, f_target=target, **{**run, "maxfun": expected})
    assert (last.status, last.nfev) == (TARGET, expected)  # though the budget is used
    beyond = minimize(fun, BOUNDS, f_target=visits[-1][1] - 1, **run)
    assert outcome(beyond) == outcome(minimize(fun, BOUNDS, **run))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("patience", [1, 20, 60])
def test_patience_ends_the_run_when_the_best_value_stood_as_long(
    policy: str, patience: int
) -> None:
    run: dict[str, Any] = {"maxfun": 300, "rng": 3, **POLICIES[policy]}
    expected = [nfev for nfev, _, stands in ends_of_visits(**run) if stands >= patience]
    result = minimize(fun, BOUNDS, patience=patience, **run)
    assert result.nfev == expected[0] < 300
    assert result.status in (PATIENCE, AT_EDGE)
    assert result.success is (result.status == PATIENCE)


class Clock:
    """Stands for the module `time`: a second passes in every evaluation."""

    def __init__(self) -> None:
        self.now = 5.0

    def monotonic(self) -> float:
        return self.now

    def of(self, f: Callable[[Floats], float]) -> Callable[[Floats], float]:
        def slow(x: Floats) -> float:
            self.now += 1
            return f(x)

        return slow


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seconds", [1, 7.5, 50])
def test_no_evaluation_begins_after_the_time_limit(
    policy: str, seconds: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the run goes on from its checkpoint as if nothing had been; `timeout` counts anew."""
    clock = Clock()
    monkeypatch.setattr(minimization, "time", clock)
    run: dict[str, Any] = {"maxfun": 120, "rng": 3, **POLICIES[policy]}
    whole = minimize(fun, BOUNDS, **run)
    run["checkpoint"] = tmp_path / "run.jsonl"
    made = []
    while (result := minimize(clock.of(fun), BOUNDS, timeout=seconds, **run)).nfev < 120:
        assert result.status in (TIMEOUT, AT_EDGE, FLAT)
        assert result.success is (result.status == TIMEOUT)
        assert len(result.history) == result.nfev
        made.append(result.nfev)
    assert np.diff([0, *made]).tolist() == [np.ceil(seconds)] * len(made)
    assert len(made) == np.ceil(120 / np.ceil(seconds)) - 1
    assert outcome(result) == outcome(whole)


def test_the_clock_counts_anew_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(minimization, "time", clock)
    run: dict[str, Any] = {"maxfun": 120, "rng": 3, **POLICIES["forest"]}
    with pytest.raises(EvaluationError) as caught:
        minimize(clock.of(Fragile({3})), BOUNDS, timeout=5, **run)
    clock.now += 100
    assert caught.value.resume().nfev == 2 + 5


def next_of(values: Iterator[float], x: Floats) -> float:
    return next(values)


def test_a_better_value_of_a_visit_that_is_cut_off_is_not_judged_by_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every value is below all before it. At the edge are those of complete visits."""
    clock = Clock()
    monkeypatch.setattr(minimization, "time", clock)
    monkeypatch.setattr(ForestPolicy, "at_edge", lambda *_: True)
    run: dict[str, Any] = {"maxfun": 120, "rng": 3, **POLICIES["forest"]}
    ends = []
    falling = partial(next_of, iter(range(0, -120, -1)))
    minimize(falling, BOUNDS, callback=lambda r: ends.append(r.nfev), **run)
    for cut in (ends[10], ends[10] + 1):
        falling = partial(next_of, iter(range(0, -120, -1)))
        result = minimize(clock.of(falling), BOUNDS, timeout=cut, **run)
        assert result.nfev == cut
        assert result.status == (AT_EDGE if cut in ends else TIMEOUT)


def test_a_real_clock_ends_a_run_too() -> None:
    def slow(x: Floats) -> float:
        time.sleep(0.02)
        return fun(x)

    for how in ("serial", "threads"):
        result = minimize(
            slow, BOUNDS, maxfun=10**6, timeout=0.3, policy="fresh", d=2, **KINDS[how]
        )
        assert 1 <= result.nfev < 10**6
        assert result.status == TIMEOUT


@pytest.mark.claim("alg1-line-17")
@pytest.mark.parametrize("answer", [True, np.True_, 1, np.int64(1)])
def test_a_callback_that_returns_true_ends_the_run(answer: Any) -> None:
    result = minimize(
        fun, BOUNDS, policy="fresh", d=2, maxfun=100, rng=0,
        callback=lambda result: answer if result.nfev >= 30 else None,
    )  # fmt: skip
    assert (result.status, result.success) == (STOPPED, True)
    assert 30 <= result.nfev < 100
    assert len(result.history) == result.nfev


def test_other_answers_of_a_callback_do_not() -> None:
    others = iter([False, 0, 1.5, "yes", np.ones(3)] * 40)
    result = minimize(
        fun, BOUNDS, policy="fresh", d=2, maxfun=40, rng=0, callback=lambda _: next(others)
    )
    assert result.nfev == 40


@pytest.mark.parametrize("stops", [{"f_target": -1.0}, {"patience": 30}, {}])
def test_limits_are_no_part_of_the_run_that_a_checkpoint_keeps(
    stops: dict[str, Any], tmp_path: Path
) -> None:
    """A run that has ended by a limit goes on without it; with it, it ends at once."""
    run: dict[str, Any] = {"maxfun": 150, "rng": 3, **POLICIES["forest"]}
    whole = minimize(fun, BOUNDS, **run)
    stops = stops or {"f_target": whole.fun + 0.5}
    run |= {"checkpoint": tmp_path / "run.jsonl", "objective": "fun"}
    first = minimize(fun, BOUNDS, **run, **stops)

    assert outcome(minimize(never, BOUNDS, **run, **stops)) == outcome(first)
    assert outcome(minimize(fun, BOUNDS, **run)) == outcome(whole)
    assert outcome(minimize(never, BOUNDS, **run, **stops)) == outcome(whole)  # it is complete


@pytest.mark.parametrize("policy", POLICIES)
def test_a_target_that_a_part_of_a_visit_reaches_ends_the_run_after_the_visit(
    policy: str, tmp_path: Path
) -> None:
    """So the run is that without an interruption, wherever it was interrupted."""
    run: dict[str, Any] = {"maxfun": 200, "rng": 3, **POLICIES[policy]}
    path = tmp_path / "run.jsonl"
    visits = ends_of_visits(**run)
    target = visits[len(visits) // 2][1]
    expected = outcome(minimize(fun, BOUNDS, f_target=target, checkpoint=path, **run))
    lines = [
        line
        for line in path.read_bytes().splitlines(keepends=True)
        if not line.startswith(b'{"points"')
    ]
    for known in range(expected["nfev"] - 8, expected["nfev"] + 1):
        path.write_bytes(b"".join(lines[: 1 + known]))
        result = minimize(fun, BOUNDS, f_target=target, checkpoint=path, **run)
        assert outcome(result) == expected


# --- what is no success --------------------------------------------------------------------------


def test_the_verdict_on_a_run() -> None:
    for reason in range(15):
        ended = reason in (0, 1, 2, 9, 10, 11, 12)
        assert verdict(reason, INF, flat=False, at_edge=False) == (INFINITE if ended else reason)
        for flat in (True, False):
            found = verdict(reason, -INF, flat=flat, at_edge=True)
            assert found == (UNBOUNDED if ended else reason)
        judged = reason in (0, 1, 11, 12)  # the user asked for the other ends
        at_edge = verdict(reason, 1.0, flat=False, at_edge=True)
        assert at_edge == (AT_EDGE if judged else reason)
        equal = verdict(reason, 1.0, flat=True, at_edge=True)
        assert equal == (FLAT if judged else reason)
        assert verdict(reason, 1.0, flat=False, at_edge=False) == reason


def test_a_resumed_run_knows_that_its_values_were_not_equal(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    values = iter([3.0, 4.0, *[3.0] * 40])
    run: dict[str, Any] = {"maxfun": 40, "rng": 0, "checkpoint": path, **POLICIES["forest"]}
    whole = minimize(lambda x: next(values), BOUNDS, **run)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:10]))
    result = minimize(lambda x: 3.0, BOUNDS, **run)
    assert (result.nfev, result.status) == (40, whole.status)
    assert result.status != FLAT
