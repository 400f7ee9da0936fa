"""The programs of the kit make the golden runs again, and random ones."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from differential import goldens, instances
from embedded_hunter.commands.kit import FOLDER
from embedded_hunter.traces.check import check

pytestmark = pytest.mark.long  # starts programs


def tool(name: str) -> str:
    """The path of an interpreter. Without it the test is skipped, or fails in CI."""
    path = shutil.which(name)
    if path is None:
        assert "EMBEDDED_HUNTER_REQUIRE_LANGUAGES" not in os.environ, f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    return path


@pytest.fixture(params=["hunter.py", "hunter.js"])
def program(request: pytest.FixtureRequest) -> list[str]:
    """The command that runs a program of the kit."""
    source = FOLDER / str(request.param)
    assert len(source.read_text(encoding="utf-8").splitlines()) <= 130
    if source.suffix == ".js":
        return [tool("node"), str(source)]
    return [sys.executable, "-S", "-E", str(source), "-"]


def answer(program: list[str], trace: str) -> str:
    """What the program writes when it reads a trace."""
    done = subprocess.run(program, input=trace, capture_output=True, text=True, check=True)
    return done.stdout


def test_they_make_the_golden_traces_again(program: list[str]) -> None:
    for name in goldens.PAPER:
        text = goldens.PATHS[name].read_text(encoding="utf-8")
        made = list(map(json.loads, answer(program, text).splitlines()))
        assert made == goldens.events(name), name


def test_they_make_random_runs(program: list[str]) -> None:
    for each in instances.of_algorithm_1()[:40]:
        told = instances.by_the_package(each).events
        values = [event[-1] for event in told if event[0] == "evaluate"]
        made = answer(program, goldens.text(each.settings, values)).splitlines()
        report = check(made)
        assert report.conforms, report
        evaluated = [json.loads(line)["value"] for line in made if '"evaluate"' in line]
        assert list(map(float, evaluated)) == values


def test_a_program_is_checked_by_one_line_of_the_shell(tmp_path: Path) -> None:
    """With a change that breaks line 5 of Algorithm 1."""
    text = (FOLDER / "hunter.py").read_text(encoding="utf-8")
    wrong = tmp_path / "mine.py"
    wrong.write_text(text.replace("(leaf.f_star, leaf.i)", "(leaf.f_star, -leaf.i)"))
    golden = goldens.PATHS["ties"]
    line = f"{sys.executable} {wrong} - < {golden} | {sys.executable} -m embedded_hunter check -"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, "line 5 of Algorithm 1" in done.stdout) == (1, True), done
