"""What is kept beside a measurement is what was the case when it was made."""

import os
import platform
import re
import subprocess
import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reproduction.provenance import provenance


def test_everything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "abc1234\n")
    )
    monkeypatch.setattr(os, "getloadavg", lambda: (1.04, 2.0, 0.25))
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    found = provenance("python -m reproduction bench")
    date = found.pop("date")
    monkeypatch.undo()
    time.tzset()
    assert found == {
        "command": "python -m reproduction bench",
        "commit": "abc1234",
        "machine": f"{platform.machine()}, 3 processors",
        "load": "1.0 2.0 0.2",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", date)
    then = datetime.strptime(date, "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    assert timedelta() <= datetime.now(UTC) - then < timedelta(minutes=2)


@pytest.mark.parametrize("failing", [["false"], ["there-is-no-such-program"]])
def test_a_commit_that_git_does_not_tell_is_unknown(
    failing: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **options: run(failing, **options))
    assert provenance("x")["commit"] == "unknown"
    assert capfd.readouterr() == ("", "")
