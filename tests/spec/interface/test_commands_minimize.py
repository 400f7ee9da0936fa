"""`minimize` as a command: what it passes to the function, what it prints, and its exit code."""

import importlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

import embedded_hunter
from embedded_hunter.cli import main
from embedded_hunter.run.errors import CheckpointWriteError
from embedded_hunter.run.status import SUCCESS, Status

OBJECTIVES = """
calls = []

def f(x):
    calls.append(x.copy())
    return float(((x[:3] - 0.2) ** 2).sum())

def fails(x):
    if len(calls) == 7:
        raise ZeroDivisionError("seven")
    return f(x)
"""
F = ["objectives.py:f", "--n", "6"]


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The user's module, in the current directory."""
    Path(tmp_path, "objectives.py").write_text(OBJECTIVES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "objectives", raising=False)
    importlib.invalidate_caches()
    yield importlib.import_module("objectives")
    sys.modules.pop("objectives", None)


def ended(status: Status, **fields: Any) -> OptimizeResult:
    given = {
        "x": np.arange(12) / 7, "fun": 0.5, "status": status, "success": status in SUCCESS,
        "message": status.message, "nfev": 50, "seed": 8,
    }  # fmt: skip
    return OptimizeResult(given | fields)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Stands for the function `minimize`."""
    spy = Mock(return_value=ended(Status(0)))
    monkeypatch.setattr("embedded_hunter.commands.minimize.minimize", spy)
    return spy


# --- what is run ---------------------------------------------------------------------------------


def test_every_option_arrives(spy: Mock, user: Any) -> None:
    """Each option of the command line, and with --set any other argument of `minimize`."""
    assert main(["minimize", *F]) == 0
    (function, bounds), options = spy.call_args
    assert function is user.f
    assert bounds.tolist() == [[-1.0, 1.0]] * 6
    assert options == {"maxfun": 1000, "rng": None, "checkpoint": None}
    words = ["--bounds", "-2", "3.5", "--maxfun", "7", "--seed", "8", "--checkpoint", "a.jsonl"]
    others = ["policy=forest", "scale=0.125", "dimensions=[5, 10]", "evolve=false", "objective=a=b"]
    words += [word for other in others for word in ("--set", other)]
    assert main(["minimize", "objectives.py:f", "--n", "2", *words]) == 0
    (_, bounds), options = spy.call_args
    assert bounds.tolist() == [[-2.0, 3.5]] * 2
    assert options == {
        "maxfun": 7, "rng": 8, "checkpoint": "a.jsonl", "policy": "forest", "scale": 0.125,
        "dimensions": [5, 10], "evolve": False, "objective": "a=b",
    }  # fmt: skip
    pairs = [[0.0, 1.0], [-3.0, 3.0], [5.0, 6.0]]
    np.savetxt("bounds.txt", pairs)
    assert main(["minimize", "objectives.py:f", "--bounds-file", "bounds.txt"]) == 0
    assert spy.call_args.args[1].tolist() == pairs


def test_a_program_reads_x_and_prints_the_value(capfd: pytest.CaptureFixture[str]) -> None:
    """Every digit of x arrives: the run is that of the same function in Python."""
    Path("program.py").write_text(
        "import sys\nfrom objectives import f\nimport numpy as np\n"
        "print(repr(f(np.array([float(line) for line in sys.stdin]))))\n"
    )
    given = ["--n", "6", "--maxfun", "3", "--seed", "1", "--json"]
    assert main(["minimize", "--exec", f"{sys.executable} program.py", *given]) == 0
    found = json.loads(capfd.readouterr().out)
    assert main(["minimize", "objectives.py:f", *given]) == 0
    assert found == json.loads(capfd.readouterr().out)
    assert main(["minimize", "--exec", "true", *given]) == 1
    assert "the program printed '', not one number" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["json", "random", "numpy", "optuna", "a.b", "two words"])
def test_a_file_may_have_the_name_of_another_module(name: str, tmp_path: Path) -> None:
    """Both are imported, and a file finds those beside it."""
    Path("beside.py").write_text("LEAST = 0.5\n")
    Path(f"{name}.py").write_text(
        "import json, random, numpy\nfrom beside import LEAST\n"
        "def f(x): return LEAST + float(numpy.abs(x).sum())\n"
    )
    command = [sys.executable, "-P", "-m", "embedded_hunter"]  # as the installed program does
    command += ["minimize", f"{name}.py:f", "--n", "2"]
    env = {**os.environ, "PYTHONPATH": str(Path(embedded_hunter.__file__).parents[1])}
    words = ["--maxfun", "9", "--json", "--set", "workers=2"]
    done = subprocess.run([*command, *words], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["fun"] == 0.5


@pytest.mark.parametrize("low", ["-1e3", "-1E+3", "-1000", "-1000.", "-.5e-3", "-1e-3"])
def test_a_negative_number_may_have_any_notation(low: str, spy: Mock, user: Any) -> None:
    assert main(["minimize", "objectives.py:f", "--n", "2", "--bounds", low, "1e3"]) == 0
    assert spy.call_args.args[1].tolist() == [[float(low), 1000.0]] * 2


# --- what is said --------------------------------------------------------------------------------


def test_the_text_and_the_json_have_the_fields_of_the_result(
    spy: Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    result = spy.return_value
    assert main(["minimize", *F]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    for name in ("message", "fun", "nfev", "seed"):
        assert lines[name] == str(result[name])
    numbers = [float(word) for word in lines["x"].split()[:8]]
    assert numbers == pytest.approx(result.x[:8], rel=1e-5)
    assert main(["minimize", *F, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {**result, "x": result.x.tolist()}


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("status", "code"), [(0, 0), (1, 0), (2, 0), (3, 130), (4, 1), (6, 1), (7, 0), (8, 1), (10, 0)]
)
def test_the_exit_code_says_how_it_ended(
    status: int, code: int, spy: Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    """An infinite value, and a point that is missing, are written as JSON has them."""
    spy.return_value = ended(Status(status), x=None, fun=math.inf)
    assert main(["minimize", *F, "--json"]) == code
    fields = json.loads(capsys.readouterr().out)
    assert (fields["fun"], fields["x"]) == ("inf", None)


def test_what_the_objective_prints_does_not_disturb_the_json(tmp_path: Path) -> None:
    """Also when its module is imported, by a worker, and by a program that it starts."""
    Path("talking.py").write_text(
        "import os, sys\nprint('imported')\n"
        "def f(x):\n"
        "    print('called')\n    os.system('echo started')\n    return float(x[0] ** 2)\n"
    )
    source = str(Path(embedded_hunter.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "embedded_hunter", "minimize", "talking.py:f", "--n", "3",
         "--maxfun", "4", "--seed", "1", "--set", "workers=2", "--json"],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert json.loads(done.stdout)["nfev"] == 4
    for word in ("imported", "called", "started"):
        assert word in done.stderr


# --- failures, Ctrl-C ----------------------------------------------------------------------------


def test_an_objective_that_fails_is_told_with_the_result_so_far(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--maxfun", "30", "--seed", "1", "--json"]
    assert main(["minimize", "objectives.py:fails", *given]) == 1
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["status"], so_far["success"]) == (7, 4, False)
    assert "evaluation 8 failed: the objective raised ZeroDivisionError: seven" in printed.err
    assert "objectives.py, line 10)" in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("error", "status", "code", "says"),
    [
        (KeyboardInterrupt("how to go on"), Status.INTERRUPTED, 130, "interrupted"),
        (CheckpointWriteError(Path("a"), OSError(28, "No space left")), Status.UNWRITTEN, 1,
         "a cannot be written: No space left"),
    ],
)  # fmt: skip
def test_what_stops_a_run_is_told_and_the_result_so_far(
    error: Any, status: Status, code: int, says: str, spy: Mock, capsys: pytest.CaptureFixture[str]
) -> None:
    error.result = ended(status)
    spy.side_effect = error
    assert main(["minimize", *F]) == code
    printed = capsys.readouterr()
    assert printed.err == f"embedded-hunter minimize: {says}\n"
    assert printed.out.startswith(f"message  {status.message}\nfun      0.5")
    error.result = None
    assert main(["minimize", *F]) == (130 if code == 130 else 2)
    assert capsys.readouterr().out == ""


# --- what is refused, in one line that names the option; nothing is evaluated --------------------

WRONG: list[tuple[list[str], str]] = [
    (["--n", "6"], "one of the arguments FILE.py:FUNCTION --exec is required"),
    ([*F, "--exec", "true"], "--exec: not allowed with argument FILE.py:FUNCTION"),
    (["objectives.py:f"], "one of the arguments --n --bounds-file is required"),
    ([*F, "--bounds-file", "two.txt"], "--bounds-file: not allowed with argument --n"),
    (
        ["objectives.py", *F[1:]],
        "the function must be given as FILE.py:FUNCTION, got objectives.py",
    ),
    (["objectives.py:", *F[1:]], "must be given as FILE.py:FUNCTION, got objectives.py:\n"),
    (["nowhere.py:f", *F[1:]], "nowhere.py:f: FileNotFoundError: "),
    (["objectives:f", *F[1:]], "objectives:f: ImportError: it must be a file FILE.py\n"),
    (["--exec", "", *F[1:]], "--exec must name a program\n"),
    (["--exec", "'", *F[1:]], "--exec ': No closing quotation\n"),
    (["exiting.py:f", *F[1:]], "exiting.py:f: SystemExit: 7"),
    (["objectives.py:g", *F[1:]], "module 'objectives' has no attribute 'g'\n"),
    ([*F[:2], "0"], "--n must be an integer >= 1, got 0\n"),
    ([*F[:2], "-1"], "--n must be an integer >= 1, got -1\n"),
    ([*F, "--bounds", "-inf", "1"], "bounds must be finite, got (-inf, 1.0) for variable 0"),
    ([*F, "--bounds", "-1e3", "x"], "argument --bounds: invalid float value: 'x'"),
    ([*F, "--set", "maxfun=30"], "--set maxfun=30: give --maxfun instead\n"),
    ([*F, "--set", "rng=3"], "--set rng=3: give --seed instead\n"),
    ([*F, "--set", "policy"], "--set must be NAME=VALUE, got policy\n"),
    (["objectives.py:f", "--bounds-file", "empty.txt"], "--bounds-file empty.txt must have n >= 1"),
    (["objectives.py:f", "--bounds-file", "one.txt"], "--bounds-file one.txt must have n >= 1"),
    (["objectives.py:f", "--bounds-file", "none.txt"], "none.txt not found"),
    (["objectives.py:f", "--bounds-file", "objectives.py"], "could not convert string"),
    ([*F, "--maxfun", "1e999999"], "an integer is required, such as 10000 or 1e4, got 1e999999"),
    ([*F, "--seed", "-1"], "argument --seed: a seed must be an integer >= 0, got -1"),
    ([*F, "--set", "K=4"], "K must be an odd integer >= 3, got 4"),
    ([*F, "--checkpoint", "nowhere/run.log"], "nowhere/run.log"),
    ([*F, "--checkpoint", "objectives.py"], "objectives.py is not the file of a run"),
]


@pytest.mark.parametrize(("arguments", "fragment"), WRONG)
def test_what_is_wrong_is_said_in_one_line(
    arguments: list[str], fragment: str, user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("exiting.py").write_text("import sys\nsys.exit(7)\n")
    Path("two.txt").write_text("0 1\n0 2\n")
    Path("one.txt").write_text("0\n1\n")
    Path("empty.txt").write_text("")
    try:
        code = main(["minimize", *arguments])
    except SystemExit as end:  # the way of argparse
        code = end.code if isinstance(end.code, int) else -1
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("embedded-hunter minimize: error: ")
    assert fragment in printed.err
    assert not user.calls  # nothing was evaluated


def test_without_memory_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minimize", "objectives.py:f", "--n", str(10**15)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("embedded-hunter minimize: error: not enough memory: ")
    assert said.count("\n") == 1
