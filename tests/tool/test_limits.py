"""What ends a run before its budget is used: a target, a time limit, patience, the callback."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run import minimization
from embedded_hunter.run.forest import ForestPolicy
from embedded_hunter.run.status import Status, verdict
from paper.instances import INF
from tool.front_door import (
    BOUNDS,
    POLICIES,
    Clock,
    Fragile,
    fun,
    never,
)


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
        assert result.status == (Status.AT_EDGE if cut in ends else Status.TIMEOUT)


@pytest.mark.claim("alg1-line-17")
@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        *[(answer, True) for answer in (True, np.True_)],
        *[(answer, False) for answer in (False, np.False_, 0, 1, 27, 1.5, "yes", np.ones(3))],
    ],
)
def test_a_callback_that_returns_true_ends_the_run(answer: Any, ends: bool) -> None:
    """Not a number, such as `file.write` returns."""
    result = minimize(
        fun, BOUNDS, policy="fresh", d=2, maxfun=100, rng=0,
        callback=lambda result: answer if result.nfev >= 30 else None,
    )  # fmt: skip
    assert (result.status == Status.STOPPED, 30 <= result.nfev < 100) == (ends, ends)
    assert len(result.history) == result.nfev


@pytest.mark.parametrize(
    ("limit", "missing", "ends"),
    [({"f_target": 5.0}, 2, 1), ({"f_target": 5.0}, 4, 3), ({"patience": 1}, 4, 3)],
)
def test_values_of_a_visit_that_was_stopped_do_not_hide_a_limit_before_it(
    limit: dict[str, Any], missing: int, ends: int, tmp_path: Path
) -> None:
    """Visits end after evaluations 1, 3, 5; the file lacks one, and has the next one."""
    path = tmp_path / "run.jsonl"
    run: dict[str, Any] = {"policy": "fresh", "d": 1, "maxfun": 40, "rng": 0, "objective": "f"}
    values = iter([5.0, 6.0, 7.0, *[8.0] * 37])
    minimize(lambda x: next(values), BOUNDS, **run, checkpoint=path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:missing], lines[missing + 1]]))
    result = minimize(never, BOUNDS, **run, checkpoint=path, **limit)
    assert result.nfev == len(result.history) == ends
    assert (result.fun, result.success) == (5.0, True)


# --- what is no success --------------------------------------------------------------------------


def test_the_verdict_on_a_run() -> None:
    for reason in Status:
        ended = reason in (0, 1, 2, 10, 11, 12)
        assert verdict(reason, INF, flat=False, at_edge=False) == (
            Status.INFINITE if ended else reason
        )
        for flat in (True, False):
            found = verdict(reason, -INF, flat=flat, at_edge=True)
            assert found == (Status.UNBOUNDED if ended else reason)
        judged = reason in (0, 1, 11, 12)  # the user asked for the other ends
        at_edge = verdict(reason, 1.0, flat=False, at_edge=True)
        assert at_edge == (Status.AT_EDGE if judged else reason)
        equal = verdict(reason, 1.0, flat=True, at_edge=True)
        assert equal == (Status.FLAT if judged else reason)
        assert verdict(reason, 1.0, flat=False, at_edge=False) == reason


def test_a_resumed_run_knows_that_its_values_were_not_equal(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    values = iter([3.0, 4.0, *[3.0] * 40])
    run: dict[str, Any] = {"maxfun": 40, "rng": 0, "checkpoint": path, **POLICIES["forest"]}
    whole = minimize(lambda x: next(values), BOUNDS, **run)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:10]))
    result = minimize(lambda x: 3.0, BOUNDS, **run)
    assert (result.nfev, result.status) == (40, whole.status)
    assert result.status != Status.FLAT
