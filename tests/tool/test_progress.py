"""Specification of `minimize(..., disp=True)`: what it prints, and that it changes nothing."""

import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.policies import PolicyName
from embedded_hunter.run.status import Status, message_of

BOUNDS = [(-1.0, 1.0)] * 20


def fun(x: Floats) -> float:
    return float(np.sum((x[:3] - 0.3) ** 2))


@pytest.mark.parametrize("policy", ["fresh", "indexed", "forest"])
def test_the_lines_tell_the_run(policy: PolicyName, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line is what the callback sees after as many evaluations; the last is the result."""
    seen = {}
    silent = minimize(
        fun, BOUNDS, d=3, maxfun=990, policy=policy, rng=4,
        callback=lambda r: seen.update({r.nfev: (f"{r.fun:.6e}", r.nsweep, r.depth)}),
    )  # fmt: skip
    assert capsys.readouterr().out == ""
    result = minimize(fun, BOUNDS, d=3, maxfun=990, policy=policy, rng=4, disp=True)
    assert np.array_equal(result.x, silent.x)
    head, *lines, last = capsys.readouterr().out.splitlines()
    names = "evaluations  best value  sweep  depth  time  left  best found in"
    assert head.split() == names.split()
    assert last == result.message
    made = []
    for line in lines:
        found = re.fullmatch(
            r" *(\d+) +(\S+) +(\d+) +(\d+) +\d:\d\d:\d\d +\d:\d\d:\d\d  (\S.*)", line
        )
        assert found is not None
        nfev, value, sweep, depth, _ = found.groups()
        assert seen[int(nfev)] == (value, int(sweep), int(depth))
        made.append(int(nfev))
    assert made[-1] == result.nfev == 990
    most = max(np.diff([0, *seen]))  # evaluations of a visit
    assert 20 * 50 / (50 + most) - 1 <= len(made) <= 20
    for k, n in enumerate(made[:-1]):  # the first visit to reach another multiple of 50
        before = max([count for count in seen if count < n], default=0)
        assert n // 50 > before // 50
        assert made[k + 1] // 50 > n // 50 or made[k + 1] == 990


def test_what_a_checkpoint_knows_is_not_told_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A resumed run begins with the evaluations that it has; a complete one says how it ended."""
    run: dict[str, Any] = {"policy": "fresh", "d": 3, "maxfun": 100, "rng": 4, "disp": True}
    run["checkpoint"] = tmp_path / "run"
    minimize(fun, BOUNDS, **run, callback=lambda result: result.nfev >= 50)
    assert capsys.readouterr().out.splitlines()[-1] == message_of(Status.STOPPED, "fresh")
    minimize(fun, BOUNDS, **run)
    _, *lines, last = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) > 50 for line in lines] == [True] * len(lines)
    assert last == message_of(Status.USED, "fresh")
    minimize(fun, BOUNDS, **run)
    assert capsys.readouterr().out == f"{message_of(Status.USED, 'fresh')}\n"


def test_each_minute_has_a_line_with_the_time_that_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation takes 10 seconds of this clock, and 600 are to be made."""
    clock = 0.0

    def slow(x: Floats) -> float:
        nonlocal clock
        clock += 10.0
        return fun(x)

    monkeypatch.setattr(time, "monotonic", lambda: clock)
    minimize(slow, BOUNDS, d=3, maxfun=600, policy="fresh", rng=4, disp=True)
    _, *lines, _ = capsys.readouterr().out.splitlines()
    assert len(lines) > 600 / 12
    for line in lines:
        nfev, spent, left = (line.split()[k] for k in (0, 4, 5))
        assert spent == str(timedelta(seconds=10 * int(nfev)))
        assert left == str(timedelta(seconds=6000 - 10 * int(nfev)))
