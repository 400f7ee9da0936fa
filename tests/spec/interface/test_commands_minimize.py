"""`minimize` as a command is `minimize` as a function; what ends it costs no value."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

import embedded_hunter
from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.run.locked_file import CheckpointWriteError
from embedded_hunter.run.status import MESSAGES, SUCCESS
from spec.interface.users_module import result_of, users_module


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with users_module(tmp_path, monkeypatch) as module:
        yield module


class Spy:
    """Stands for the function `minimize`: keeps what it is called with, returns what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, Any, dict[str, Any]]] = []
        self.answer: Any = ended(0)

    def __call__(self, function: Any, bounds: Any, **options: Any) -> Any:
        self.calls.append((function, bounds, options))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def ended(status: int) -> OptimizeResult:
    return OptimizeResult(
        x=np.arange(3) / 7, fun=0.5, status=status, success=status in SUCCESS,
        message=MESSAGES[status], nfev=50, seed=8,
    )  # fmt: skip


@pytest.fixture
def spy(user: Any, monkeypatch: pytest.MonkeyPatch) -> Spy:
    spy = Spy()
    monkeypatch.setattr("embedded_hunter.commands.minimize.minimize", spy)
    return spy


F = ["objectives.py:f", "--n", "6"]


# --- what is run ---------------------------------------------------------------------------------


def test_every_option_arrives(spy: Spy) -> None:
    """Each option of the command line, and with --set any other argument of `minimize`."""
    assert main(["minimize", *F, "--seed", "1"]) == 0
    function, bounds, options = spy.calls.pop()
    assert function is sys.modules["objectives"].f
    assert np.asarray(bounds).tolist() == [[-1.0, 1.0]] * 6
    assert options == {"maxfun": 1000, "rng": 1, "checkpoint": None}
    words = ["--bounds", "-2", "3.5", "--maxfun", "7", "--seed", "8", "--checkpoint", "a.jsonl"]
    others = ["policy=forest", "scale=0.125", "dimensions=[5, 10]", "evolve=false", "objective=a=b"]
    words += [word for other in others for word in ("--set", other)]
    assert main(["minimize", "objectives.py:f", "--n", "2", *words]) == 0
    _, bounds, options = spy.calls.pop()
    assert np.asarray(bounds).tolist() == [[-2.0, 3.5]] * 2
    assert options == {
        "maxfun": 7, "rng": 8, "checkpoint": "a.jsonl", "policy": "forest", "scale": 0.125,
        "dimensions": [5, 10], "evolve": False, "objective": "a=b",
    }  # fmt: skip


def test_a_run_without_a_seed_tells_the_one_it_drew(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives.py:f", "--n", "6", "--maxfun", "30"]
    first = result_of(capsys, *given)
    assert result_of(capsys, *given, "--seed", str(first["seed"])) == first
    assert result_of(capsys, *given)["seed"] != first["seed"]


def test_bounds_come_from_a_file_too(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = np.array([[0.0, 1.0], [-3.0, 3.0], [5.0, 6.0], [0.0, 9.0]])
    np.savetxt("bounds.txt", pairs)
    given = ["--bounds-file", "bounds.txt", "--maxfun", "50", "--seed", "1"]
    expected = minimize(user.f, pairs, maxfun=50, rng=1).x.tolist()
    assert result_of(capsys, "objectives.py:f", *given)["x"] == expected


def test_a_program_reads_x_and_prints_the_value(
    user: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every digit of x arrives: the run is that of the same function in Python."""
    Path("program.py").write_text(
        "import sys\nfrom objectives import f\nimport numpy as np\n"
        "print(repr(f(np.array([float(line) for line in sys.stdin]))))\n"
    )
    given = ["--n", "6", "--maxfun", "6", "--seed", "1", "--json"]
    assert main(["minimize", "--exec", f"{sys.executable} program.py", *given]) == 0
    found = json.loads(capfd.readouterr().out)
    assert main(["minimize", "objectives.py:f", *given]) == 0
    assert found == json.loads(capfd.readouterr().out)
    assert main(["minimize", "--exec", f"{sys.executable} -c pass", *given]) == 1
    assert "could not convert string to float" in capfd.readouterr().err


# --- what is said --------------------------------------------------------------------------------


def test_the_text_says_what_the_json_says(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["objectives.py:f", "--n", "12", "--maxfun", "50", "--seed", "1"]
    fields = result_of(capsys, *given)
    assert main(["minimize", *given]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    for name in ("message", "fun", "nfev", "seed"):
        assert lines[name] == str(fields[name])
    numbers = [float(word) for word in lines["x"].split()[:8]]
    assert numbers == pytest.approx(fields["x"][:8], rel=1e-5)


@pytest.mark.parametrize(
    ("status", "code"), [(0, 0), (1, 0), (2, 0), (3, 130), (4, 1), (6, 1), (7, 0), (8, 1), (9, 0)]
)
def test_the_exit_code_says_how_it_ended(status: int, code: int, spy: Spy) -> None:
    spy.answer = ended(status)
    assert main(["minimize", *F]) == code


@pytest.mark.claim("nan-and-inf")
def test_an_infinite_value_is_written_as_json_has_it(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["minimize", "objectives.py:infinite", "--n", "6", "--maxfun", "5", "--json"]
    assert main(given) == 1
    printed = capsys.readouterr()
    fields = json.loads(printed.out)
    assert (fields["fun"], fields["nfev"], fields["success"]) == ("inf", 5, False)
    assert fields["message"].startswith("The run has ended, but every value was +inf.")


def test_what_the_objective_prints_does_not_disturb_the_json(user: Any, tmp_path: Path) -> None:
    """Also when its module is imported, by a worker, and by a program that it starts."""
    (tmp_path / "talking.py").write_text(
        "import os, sys\nprint('imported')\n"
        "def f(x):\n"
        "    print('called')\n    os.system('echo started')\n    return float(x[0] ** 2)\n"
    )
    source = str(Path(embedded_hunter.__file__).parents[1])
    command = [sys.executable, "-m", "embedded_hunter", "minimize", "talking.py:f", "--n", "3",
               "--maxfun", "4", "--seed", "1"]  # fmt: skip
    for workers in ("1", "2"):
        done = subprocess.run(
            [*command, "--set", f"workers={workers}", "--json"],
            capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": source}, cwd=tmp_path,
        )  # fmt: skip
        assert json.loads(done.stdout)["nfev"] == 4
        for word in ("imported", "called", "started"):
            assert word in done.stderr


# --- failures, Ctrl-C ----------------------------------------------------------------------------


def test_an_objective_that_fails_costs_nothing_but_its_value(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--maxfun", "30", "--seed", "1"]
    whole = result_of(capsys, "objectives.py:f", *given)
    user.calls.clear()
    code = main(
        ["minimize", "objectives.py:fails_once", *given, "--checkpoint", "run.log", "--json"]
    )
    assert code == 1
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["status"], so_far["success"]) == (7, 4, False)
    assert so_far["fun"] == min(user.f(x) for x in user.calls[:7])
    assert "evaluation 8 failed: the objective raised ZeroDivisionError: seven" in printed.err
    assert "objectives.py, line" in printed.err
    assert len(printed.err.splitlines()) == 1
    again = result_of(capsys, "objectives.py:fails_once", *given, "--checkpoint", "run.log")
    assert again == whole


def test_an_interruption_gives_the_best_so_far(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--maxfun", "30", "--seed", "1"]
    assert main(["minimize", "objectives.py:interrupted", *given, "--json"]) == 130
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["message"]) == (7, "Interrupted.")
    assert so_far["fun"] == min(user.f(x) for x in user.calls[:7])
    assert printed.err == ("embedded-hunter minimize: interrupted\n")


def test_a_checkpoint_on_a_full_disk_is_told_and_the_result_so_far(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    error = CheckpointWriteError(Path("run.log"), OSError(28, "No space left on device"))
    error.result = ended(6)
    spy.answer = error
    assert main(["minimize", *F, "--checkpoint", "run.log"]) == 1
    printed = capsys.readouterr()
    said = "run.log cannot be written: No space left on device\n"
    assert printed.err == f"embedded-hunter minimize: {said}"
    assert printed.out.startswith("message  The checkpoint could not be written.\nfun      0.5")
    error.result = None
    assert main(["minimize", *F, "--checkpoint", "run.log"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (
        "", f"embedded-hunter minimize: error: {said}"
    )  # fmt: skip
