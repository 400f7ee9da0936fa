"""What is kept beside a measurement is what was the case when it was made."""

import os
import platform
import re
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reproduction.commands import provenance as module
from reproduction.commands.provenance import load, provenance


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


def test_a_machine_that_knows_no_load_has_an_unknown_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "getloadavg")
    assert load() == "unknown"


def test_the_commit_is_that_of_the_package_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``-dirty`` where files differ from it; no word of git's goes to the terminal."""
    asked: list[Any] = []
    run = subprocess.run

    def noted(command: list[str], **options: Any) -> Any:
        asked.append((command, options))
        return run(["printf", "v1-dirty\n"], **options)

    monkeypatch.setattr(subprocess, "run", noted)
    monkeypatch.chdir(tmp_path)
    assert provenance("x")["commit"] == "v1-dirty"
    ((command, options),) = asked
    assert command == ["git", "describe", "--always", "--dirty"]
    assert options["cwd"] == Path(module.__file__).parent


@pytest.mark.parametrize("failing", [["false"], ["there-is-no-such-program"]])
def test_a_commit_that_git_does_not_tell_is_unknown(
    failing: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **options: run(failing, **options))
    assert provenance("x")["commit"] == "unknown"
    assert capfd.readouterr() == ("", "")
