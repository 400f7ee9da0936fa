"""`minimize` as a command: what it passes to the function, what it prints, and its exit code."""

import importlib
import inspect
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands.minimize import HINTS, SPECIAL, _about
from embedded_hunter.run.errors import CheckpointWriteError
from embedded_hunter.run.policies import Given
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
    known = {*sys.modules}
    importlib.invalidate_caches()
    yield importlib.import_module("objectives")
    for name in {*sys.modules} - known:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


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


def test_every_argument_has_an_option_and_arrives(spy: Mock, user: Any) -> None:
    """Only what is given is passed on: the defaults are those of `minimize`."""
    assert main(["minimize", *F]) == 0
    (function, bounds), options = spy.call_args
    assert function is user.f
    assert bounds.tolist() == [[-1.0, 1.0]] * 6
    assert options == {"maxfun": 1000, "disp": False}
    Path("x0.txt").write_text("0.5\n-1e-3\n")
    expected: dict[str, Any] = {
        "args": (2, [0.5], "b"), "maxfun": 7, "policy": "forest", "rng": 8, "x0": [0.5, -1e-3],
        "f_target": -1e-3, "timeout": 60.0, "patience": 9, "callback": user.fails,
        "on_error": "inf", "workers": -1, "vectorized": True, "checkpoint": "a.run",
        "objective": "a=b", "fsync": True, "check_machine": False, "memory": 10**6, "disp": True,
        "d": 3, "effective_dimension": 4, "eta": 0.25, "K": 5, "M": 2.5, "h_max": 6,
        "sigma": 0.125, "sampler": "matrix", "scale": 0.5, "dimensions": [5, 10],
        "n_embeddings": 3, "refine": False, "evolve": False, "first_step": 0.01, "sample": False,
        "batch": 4,
    }  # fmt: skip
    words = ["--bounds", "-2", "3.5"]
    for name, value in expected.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif isinstance(value, list) and name != "x0":
            words += [f"--{option}", *map(str, value)]
        else:
            given = {"args": json.dumps(expected["args"]), "x0": "x0.txt"}
            given["callback"] = "objectives.py:fails"
            words += [f"--{option}", given.get(name, str(value))]
    assert main(["minimize", "objectives.py:f", "--n", "2", *words]) == 0
    (_, bounds), options = spy.call_args
    assert bounds.tolist() == [[-2.0, 3.5]] * 2
    assert options.pop("x0").tolist() == expected.pop("x0")
    assert options == expected
    of_minimize = {*inspect.signature(minimize).parameters, *Given.__annotations__}
    assert {*expected, "x0"} == of_minimize - {"fun", "bounds", "parameters"}
    assert main(["minimize", *F, "--seed", "9"]) == 0
    assert spy.call_args.kwargs["rng"] == 9
    pairs = [[0.0, 1.0], [-3.0, 3.0], [5.0, 6.0]]
    np.savetxt("bounds.txt", pairs)
    assert main(["minimize", "objectives.py:f", "--bounds-file", "bounds.txt"]) == 0
    assert spy.call_args.args[1].tolist() == pairs


def test_every_option_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["minimize", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "--patience N The run ends after the first visit with which this many" in said
    assert "(policies: fresh, indexed)" in said
    for name in HINTS:
        assert SPECIAL.get(name, {}).get("help") or len(_about(name)) > 20


def test_the_progress_is_on_stderr_if_it_is_a_terminal(
    spy: Mock, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr", Mock(wraps=sys.stderr, isatty=lambda: True))
    for words, disp in (([], True), (["--no-disp"], False)):
        assert main(["minimize", *F, *words]) == 0
        assert spy.call_args.kwargs["disp"] is disp
    monkeypatch.undo()
    capfd.readouterr()


def test_the_point_is_written_and_read_again(user: Any) -> None:
    """Every digit."""
    assert main(["minimize", *F, "--maxfun", "30", "--seed", "1", "--out", "x.txt"]) == 0
    x = np.loadtxt("x.txt")
    assert any(np.array_equal(x, point) for point in user.calls)
    user.calls.clear()
    assert main(["minimize", *F, "--maxfun", "1", "--x0", "x.txt"]) == 0
    assert np.array_equal(user.calls[0], x)


def test_a_program_reads_x_and_prints_the_value(capfd: pytest.CaptureFixture[str]) -> None:
    """Every digit of x arrives: the run is that of the same function in Python."""
    Path("program.py").write_text(
        "import sys\n"
        "def f(x): return sum((float(number) - 0.2) ** 2 for number in x)\n"
        "if __name__ == '__main__': print(repr(f(sys.stdin)))\n"
    )
    given = ["--n", "6", "--maxfun", "3", "--seed", "1", "--json"]
    assert main(["minimize", "--exec", f"{sys.executable} program.py", *given]) == 0
    found = json.loads(capfd.readouterr().out)
    assert main(["minimize", "program.py:f", *given]) == 0
    assert found == json.loads(capfd.readouterr().out)


LOGGING = """
import sys
print("cost: 1.5 (of 7)")
print("cost: 2.5 (of 7)")
print(sys.argv[1:], file=sys.stderr)
print("out of", "licences", sep="\\n", file=sys.stderr)
print("last line" if "words" in sys.argv else 0.25, end="\\n\\n")
sys.exit(3 if "fail" in sys.argv else 0)
"""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], 0.25),
        (["--value", r"cost: (\S+)"], 2.5),
        (["--value", r"[\d.]+(?= \(of)"], 2.5),
        (
            ["--args", '["words"]'],
            "the last line must be a number, the program printed 'last line'",
        ),
        (["--value", "cost: (.*)"], "printed '2.5 (of 7)'; stderr: [] | out of | licences"),
        (["--value", "price"], "the last match of 'price' must be a number, the program printed "),
        (["--args", '["fail"]'], "ended with code 3; stderr: ['fail'] | out of | licences"),
    ],
)
def test_a_program_may_log_and_its_failure_is_told(
    words: list[str], found: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("logging.py").write_text(LOGGING)
    given = ["--n", "6", "--maxfun", "2", "--json", *words]
    code = main(["minimize", "--exec", f"{sys.executable} -P logging.py", *given])
    printed = capfd.readouterr()
    if code == 0:
        assert json.loads(printed.out)["fun"] == found
    else:
        assert code == 1
        assert found in printed.err


@pytest.mark.parametrize("name", ["json", "random", "numpy", "optuna", "a.b", "two words"])
def test_a_file_may_have_the_name_of_another_module(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are imported, and a file finds those beside it."""
    Path("beside.py").write_text("LEAST = 0.5\n")
    Path(f"{name}.py").write_text(
        "import json, random, numpy\nfrom beside import LEAST\n"
        "def f(x): return LEAST + float(numpy.abs(x).sum())\n"
    )
    assert main(["minimize", f"{name}.py:f", "--n", "2", "--maxfun", "9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fun"] == 0.5


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
    ("objective", "says"),
    [
        (["objectives.py:f", "--args", "[1, 2]"], "f() takes 1 positional argument but 3 were"),
        (["--exec", "./nowhere"], "cannot be started: [Errno 2] No such file or directory: "),
    ],
)
def test_no_place_is_named_if_no_line_of_the_user_has_failed(
    objective: list[str], says: str, user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["minimize", *objective, "--n", "6"]) == 1
    said = capsys.readouterr().err
    assert says in said
    assert ", line " not in said


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
    (["objectives.py:f"], "one of the arguments --n --bounds-file is required"),
    ([*F, "--bounds-file", "two.txt"], "--bounds-file: not allowed with argument --n"),
    (
        ["objectives.py", *F[1:]],
        "the function must be given as FILE.py:FUNCTION, got objectives.py",
    ),
    (["nowhere.py:f", *F[1:]], "nowhere.py:f: there is no file nowhere.py\n"),
    (["two.txt:f", *F[1:]], "two.txt:f: ImportError: it must be a file FILE.py\n"),
    ([*F, "--callback", "nowhere.py:f"], "nowhere.py:f: there is no file nowhere.py\n"),
    (["--exec", "", *F[1:]], "--exec must name a program\n"),
    (["--exec", "'", *F[1:]], "--exec ': No closing quotation\n"),
    (["wrong.py:f", *F[1:]], "wrong.py:f: SyntaxError: '(' was never closed (wrong.py, line 1)\n"),
    (["exiting.py:f", *F[1:]], "exiting.py:f: SystemExit: 7"),
    (["objectives.py:fail", *F[1:]], "has no function fail; did you mean fails?\n"),
    ([*F[:2], "0"], "--n must be an integer >= 1, got 0\n"),
    ([*F, "--bounds", "-1e3", "x"], "argument --bounds: invalid float value: 'x'"),
    ([*F, "--workerz", "2"], "there is no option --workerz; did you mean --workers? (see "),
    ([*F, "--f_targt=2"], "there is no option --f_targt=2; did you mean --f-target? (see "),
    ([*F, "--x0", "nowhere.txt"], "argument --x0: nowhere.txt not found"),
    ([*F, "--args", "2"], "argument --args: a list such as [2, 0.5] is required, got 2"),
    ([*F, "--value", "x"], "--value is allowed only with --exec\n"),
    (["--exec", "true", *F[1:], "--value", "("], "argument --value: (: missing )"),
    ([*F, "--out", "nowhere/x.txt"], "--out nowhere/x.txt: No such file or directory\n"),
    (["objectives.py:f", "--bounds-file", "empty.txt"], "--bounds-file empty.txt must have n >= 1"),
    (["objectives.py:f", "--bounds-file", "objectives.py"], "could not convert string"),
    ([*F, "--maxfun", "1e999999"], "an integer is required, such as 10000 or 1e4, got 1e999999"),
    ([*F, "--seed", "-1"], "argument --seed/--rng: a seed must be an integer >= 0, got -1"),
    ([*F, "--K", "4"], "K must be an odd integer >= 3, got 4"),
    ([*F, "--checkpoint", "nowhere/run.log"], "nowhere/run.log"),
    ([*F, "--checkpoint", "objectives.py"], "objectives.py is not the file of a run"),
]


@pytest.mark.parametrize(("arguments", "fragment"), WRONG)
def test_what_is_wrong_is_said_in_one_line(
    arguments: list[str], fragment: str, user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("exiting.py").write_text("import sys\nsys.exit(7)\n")
    Path("two.txt").write_text("0 1\n0 2\n")
    Path("wrong.py").write_text("f(\n")
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
