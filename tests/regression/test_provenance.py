"""What is kept beside a measurement is what was the case when it was made."""

import platform
import subprocess
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from reproduction.arithmetic import arithmetic
from reproduction.provenance import commit_of_source, provenance


@pytest.mark.parametrize(("changed", "commit"), [("", "abc1234"), (" M cli.py", "abc1234-dirty")])
def test_everything_is_told(changed: str, commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"rev-parse": "abc1234\n", "status": changed}
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 0, said[command[1]]),
    )
    found = provenance("python -m reproduction results")
    assert (found.command, found.commit) == ("python -m reproduction results", commit)
    assert found.machine.endswith(f" processors, arithmetic {arithmetic()}")
    assert found.versions.startswith(
        f"Python {platform.python_version()}, numpy {np.__version__}, scipy "
    )
    assert abs(datetime.now(UTC).date() - date.fromisoformat(found.date)) <= timedelta(days=1)
    if changed:
        with pytest.raises(ValueError, match="commit them first"):
            commit_of_source()
    else:
        assert commit_of_source() == commit


@pytest.mark.parametrize("failing", [["false"], ["there-is-no-such-program"]])
def test_a_commit_that_git_does_not_tell_is_unknown(
    failing: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **options: run(failing, **options))
    assert provenance("x").commit == "unknown"
    assert capfd.readouterr() == ("", "")
