"""The command line: its subcommands, its help, and how it starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import embedded_hunter
from embedded_hunter import __version__, traces
from embedded_hunter.cli import COMMANDS, main


@pytest.mark.parametrize(
    ("word", "question"),
    [("minimise", "; did you mean minimize?"), ("xyz", " (see embedded-hunter --help)")],
)  # fmt: skip
def test_a_misspelt_command_is_asked_about(
    word: str, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word, "--n", "3"]) == 2
    said = f"embedded-hunter {word}: error: there is no such command{question}\n"
    assert capsys.readouterr().err == said


def test_the_help_lists_every_command_and_the_version_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def said(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
        return " ".join(capsys.readouterr().out.split())

    assert said("--version") == f"embedded-hunter {__version__}"
    whole = said("--help")
    for name, command in COMMANDS.items():
        assert f" {name} {command.help}" in whole
        assert said(name, "--help").startswith(f"usage: embedded-hunter {name} ")


OBJECTIVE = """
import os, sys

print("imported")
commands = "embedded_hunter.commands."

def f(x):
    assert commands + "minimize" in sys.modules
    assert commands + "demo" not in sys.modules
    assert "matplotlib" not in sys.modules
    print("called")
    os.system("echo started")
    return float(x[0] ** 2)
"""


def test_a_full_disk_behind_the_standard_output_is_told_in_one_line() -> None:
    golden = Path(traces.__file__).parent / "kit" / "golden" / "first-steps.jsonl"
    source = str(Path(embedded_hunter.__file__).parents[1])
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "embedded_hunter", "check", golden],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONPATH": source},
        )  # fmt: skip
    said = "embedded-hunter check: error: [Errno 28] No space left on device\n"
    assert (ended.returncode, ended.stderr) == (1, said)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Run the installed program, which does not look for modules in the current directory."""
    folder = tmp_path_factory.mktemp("started")
    (folder / "mine.py").write_text(OBJECTIVE)
    program = [sys.executable, "-P", "-m", "embedded_hunter", "minimize", "mine.py:f"]
    source = str(Path(embedded_hunter.__file__).parents[1])
    return subprocess.run(
        [*program, "--n", "3", "--maxfun", "4", "--workers", "2", "--json"],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip


def test_the_program_starts_as_a_module_and_imports_one_command_only(
    started: subprocess.CompletedProcess[str],
) -> None:
    assert started.returncode == 0, started.stderr
    assert "best value" not in started.stderr  # no progress: stderr is no terminal


def test_what_the_objective_prints_does_not_disturb_the_json(
    started: subprocess.CompletedProcess[str],
) -> None:
    """Also when its module is imported, by a worker, and by a program that it starts."""
    assert json.loads(started.stdout)["nfev"] == 4
    for word in ("imported", "called", "started"):
        assert word in started.stderr
