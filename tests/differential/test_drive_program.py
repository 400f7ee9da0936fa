"""Programs that `embedded-hunter check --exec` drives: right ones, wrong ones, and hostile ones."""

import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from differential import bugs, instances
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER
from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.run import Run
from embedded_hunter.traces.drive_program import GivenRun, Outcome, check_program, golden_runs

pytestmark = pytest.mark.long  # starts programs

PYTHON = [sys.executable, "-S", "-E"]


def write_bug(bug: bugs.Bug, path: Path) -> list[str]:
    """Write the program with a bug; return the command that runs it."""
    text = bugs.source()
    for old, new in bug.changes:
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return [*PYTHON, str(path)]


def at_random(number: int) -> list[GivenRun]:
    """Random runs."""
    drawn = instances.of_algorithm_1()[:number]
    runs = [instances.by_the_package(each) for each in drawn]
    values = [[event[-1] for event in run.events if event[0] == "evaluate"] for run in runs]
    return [
        GivenRun("random", Run(each.settings, values=told))
        for each, told in zip(drawn, values, strict=True)
    ]


def program_of(text: str, path: Path) -> list[str]:
    """Write a program that begins with the import of what the tests need."""
    path.write_text(f"import json, os, subprocess, sys, time\n{text}", encoding="utf-8")
    return [*PYTHON, str(path)]


def tool(name: str) -> str:
    """The path of an interpreter. Without it the test is skipped, or fails in CI."""
    path = shutil.which(name)
    if path is None:
        assert "EMBEDDED_HUNTER_REQUIRE_LANGUAGES" not in os.environ, f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    return path


@pytest.fixture(params=["hunter.py", "hunter.js"])
def example(request: pytest.FixtureRequest) -> list[str]:
    """The command that runs a program of the kit."""
    source = FOLDER / str(request.param)
    assert len(source.read_text(encoding="utf-8").splitlines()) < 100
    return [*PYTHON, str(source)] if source.suffix == ".py" else [tool("node"), str(source)]


def test_the_programs_of_the_kit_conform(example: list[str]) -> None:
    runs = [*golden_runs(), *at_random(40)]
    assert check_program(example, runs) == Outcome(len(runs))


@pytest.mark.parametrize(
    "name",
    [
        "ties go to the first base point in lexicographic order",
        "the cap is compared in floating-point squares",
        "a run with a full tree does not end",
        "the answer is the least f* of the leaves",
    ],
)
def test_the_golden_runs_find_a_bug(name: str, tmp_path: Path) -> None:
    (bug,) = (bug for bug in bugs.BUGS if bug.name == name)
    found = check_program(write_bug(bug, tmp_path / "mine.py"), golden_runs())
    assert f"line {bug.line} of Algorithm 1" in found.verdict


ROOT = '{"event": "evaluate", "h": 0, "i": 0, "c": [0], "p": 1}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("time.sleep(60)", "took more than 3 seconds"),
        ("os.close(1); time.sleep(60)", "closed its output"),
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.stdin.readline(); 1 / 0", "ended with exit code 1 (error: ZeroDivisionError"),
        ("os.kill(os.getpid(), 9)", "was killed by signal 9"),
        ("print('hello', flush=True); time.sleep(60)", "line 2 is not JSON"),
        ("os.write(1, b'\\xff\\n'); time.sleep(60)", "line 2 is not JSON"),
        ("print('[1]', flush=True); time.sleep(60)", "line 2 is not a JSON object"),
        ("print('{}', flush=True); time.sleep(60)", "event must be one of"),
        ("while True: print()", "took more than 3 seconds"),
        ("while True: os.write(1, b'x' * 10**6)", "has more than"),
        (f"while True: print('{ROOT}', flush=True)", "line 1 of Algorithm 1"),
        ('while True: print(\'{"event": "sweep"}\')', "has no field 'sweep'"),
    ],
)
def test_a_hostile_program_gets_a_verdict(text: str, says: str, tmp_path: Path) -> None:
    command = program_of(text, tmp_path / "mine.py")
    found = check_program(command, golden_runs()[:1], seconds=3)
    assert says in found.verdict


def test_no_process_is_left(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)"
    )
    found = check_program(program_of(text, tmp_path / "mine.py"), golden_runs(), 3)
    assert "took more than 3 seconds" in found.verdict
    program, child = map(int, pids.read_text().split())
    assert gone(lambda: os.kill(program, 0))
    assert gone(lambda: os.kill(child, 0))


def gone(signal: Callable[[], None]) -> bool:
    """Whether a process does not exist, or will not in a moment: its new parent collects it."""
    for _ in range(100):
        try:
            signal()
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_a_program_that_remembers_earlier_runs_does_not_conform(tmp_path: Path) -> None:
    text = bugs.source().replace(
        "    best, made = math.inf, 0\n",
        "    hunt.runs = getattr(hunt, 'runs', -1) + 1\n"
        "    best, made = math.inf, hunt.runs // 2\n",
    )
    found = check_program(program_of(text, tmp_path / "mine.py"), golden_runs()[:10])
    assert found.runs == 3
    assert "line" in found.verdict


def test_a_program_that_does_not_exist_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no-such-program cannot be started"):
        check_program(["no-such-program"], golden_runs())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "failing.jsonl"
    right = shlex.join([*PYTHON, str(FOLDER / "hunter.py")])
    assert main(["check", "--exec", right]) == 0
    assert capsys.readouterr().out == f"All runs conform to Algorithm 1: {len(golden_runs())}.\n"
    wrong = shlex.join(write_bug(bugs.BUGS[0], tmp_path / "mine.py"))
    assert main(["check", "--exec", wrong, "--out", str(out)]) == 1
    printed = capsys.readouterr().out
    assert main(["check", str(out)]) == 1
    assert printed.splitlines()[-1] == capsys.readouterr().out.splitlines()[-1]
    assert main(["check", "--exec", wrong]) == 1
    assert out.read_text() in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--exec", "no-such-program"],
        ["--exec", ""],
        ["--exec", "'"],
        ["--exec", "true", "--timeout", "0"],
        ["--exec", "true", "--out", "/no/such/folder/file"],
        ["--exec", "true", "trace.jsonl"],
        [],
    ],
)
def test_wrong_options_end_with_2(arguments: list[str]) -> None:
    try:
        code = main(["check", *arguments])
    except SystemExit as stop:
        code = int(str(stop.code))
    assert code == 2
