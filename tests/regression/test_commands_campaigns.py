"""The commands over the experiments pass on what they are told, and say what was done.

What the experiments compute is specified in tests/regression; here they are replaced by spies.
"""

import os
from pathlib import Path

import pytest

from reproduction.campaign import WorkersDied
from reproduction.commands import reproduce
from reproduction.kept_runs import FILE
from tool.command_spies import Spies, complaint, spies_with

COMMANDS = (["reproduce"], ["race", "--function", "ackley,d_e=3", "--n", "9"])


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> Spies:
    return spies_with(monkeypatch)


# --- reproduce -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [["--runs", "0"], ["--jobs", "0"], ["--jobs", "-2"], ["--runs", "-3", "--jobs", "2"]]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_that_mean_nothing_are_refused(
    command: list[str], options: list[str], capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = spies(reproduce, reproduce=None)
    option, value = options[:2]
    allowed = "an integer >= 1" + ("" if option == "--runs" else ", or -1")
    said = complaint(capsys, *command, *options)
    assert said == f"{option} must be {allowed}, got {value}"
    assert not calls


def test_reproduce_says_what_is_wrong(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    spies(reproduce, reproduce=ValueError("no experiment 'x'"))
    assert complaint(capsys, "reproduce", "x") == "no experiment 'x'"
    spies(reproduce, reproduce=WorkersDied("workers died 5 times"))
    assert complaint(capsys, "reproduce") == "workers died 5 times"
    spies(reproduce, reproduce=OSError("it is read-only"))
    assert complaint(capsys, "reproduce", "--out", "x") == "--out x: it is read-only"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_damaged_table_is_named_in_one_line(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\n")
    said = complaint(capsys, *command, "--out", str(tmp_path))
    assert said.startswith(f"{tmp_path / FILE} cannot be used: ")
    assert "\n" not in said


def test_a_folder_that_cannot_be_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    refusal = f"--out must be a folder, got {os.devnull}, which is not a folder"
    for command in COMMANDS:
        assert complaint(capsys, *command, "--out", os.devnull) == refusal
