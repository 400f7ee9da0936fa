"""What is kept beside a measurement is what was the case when it was made."""

import os
import platform
import subprocess
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reproduction.provenance import provenance


@pytest.mark.parametrize(("changed", "commit"), [("", "abc1234"), (" M cli.py", "abc1234-dirty")])
def test_everything_is_told(changed: str, commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"describe": "abc1234\n", "status": changed}
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 0, said[command[1]]),
    )
    monkeypatch.setattr(os, "getloadavg", lambda: (1.04, 2.0, 0.25))
    found = provenance("python -m reproduction bench")
    assert (found["command"], found["commit"]) == ("python -m reproduction bench", commit)
    assert found["load"] == "1.0 2.0 0.2"
    assert (found["python"], found["numpy"]) == (platform.python_version(), np.__version__)
    then = datetime.strptime(found["date"], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    assert timedelta() <= datetime.now(UTC) - then < timedelta(minutes=2)


@pytest.mark.parametrize("failing", [["false"], ["there-is-no-such-program"]])
def test_a_commit_that_git_does_not_tell_is_unknown(
    failing: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **options: run(failing, **options))
    assert provenance("x")["commit"] == "unknown"
    assert capfd.readouterr() == ("", "")
