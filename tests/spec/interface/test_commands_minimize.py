"""`minimize` as a command is `minimize` as a function; what ends it costs no value."""

import inspect
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
from embedded_hunter.cli import main, parser
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.locked_file import CheckpointWriteError
from embedded_hunter.run.policies import DEFAULT, HAS
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
        message=MESSAGES[status], nfev=50, nit=9, nsweep=4, depth=3, nleaves=21,
    )  # fmt: skip


@pytest.fixture
def spy(user: Any, monkeypatch: pytest.MonkeyPatch) -> Spy:
    spy = Spy()
    monkeypatch.setattr("embedded_hunter.commands.minimize.minimize", spy)
    return spy


F = ["objectives:f", "--n", "6", "--d", "2"]


# --- what is run ---------------------------------------------------------------------------------


DEFAULTS: dict[str, Any] = {
    "d": 2, "args": (), "maxfun": 1000, "policy": DEFAULT, "rng": 1, "workers": 1,
    "x0": None, "integrality": None, "f_target": None, "timeout": None, "patience": None,
    "vectorized": False, "checkpoint": None,
    "objective": None, "fsync": False, "check_machine": True,
    "memory": 536870912, "disp": False,
}  # fmt: skip


OTHERS: dict[str, Any] = {
    "d": 3, "maxfun": 7, "eta": 0.5, "K": 5, "M": 2.5, "h_max": 4, "sigma": 0.25,
    "policy": "forest", "sampler": "matrix", "effective_dimension": 6, "scale": 0.125,
    "n_embeddings": 9, "rng": 8, "workers": -1, "checkpoint": "kept.jsonl", "objective": "mine",
    "memory": 1000, "f_target": 0.25, "timeout": 2.5, "patience": 17,
}  # fmt: skip


def test_every_option_arrives(spy: Spy) -> None:
    """Also those that `minimize` itself would refuse together; of a policy those that are given."""
    assert main(["minimize", *F, "--seed", "1"]) == 0
    function, bounds, options = spy.calls.pop()
    assert function is sys.modules["objectives"].f
    assert np.asarray(bounds).tolist() == [[-1.0, 1.0]] * 6
    assert options == DEFAULTS
    words = [
        word
        for name, value in OTHERS.items()
        for word in (f"--{'seed' if name == 'rng' else name.replace('_', '-')}", str(value))
    ]
    Path("x0.txt").write_text("0.5\n-2\n")
    np.save("integers.npy", [True, False])
    words += ["--x0", "x0.txt", "--integrality", "integers.npy"]
    words += ["--args", '[1, {"a": "b"}]', "--bounds", "-2", "3.5"]
    words += ["--vectorized", "--fsync", "--anyway", "--disp"]
    words += ["--dimensions", "5,10,2e1", "--no-evolve"]
    assert main(["minimize", "objectives:Holder.method", "--n", "2", *words]) == 0
    function, bounds, options = spy.calls.pop()
    assert function is sys.modules["objectives"].f
    assert np.asarray(bounds).tolist() == [[-2.0, 3.5]] * 2
    switched: dict[str, Any] = {
        "vectorized": True, "fsync": True, "check_machine": False, "disp": True,
        "dimensions": (5, 10, 20), "evolve": False,
    }  # fmt: skip
    assert options.pop("x0").tolist() == [0.5, -2.0]
    assert options.pop("integrality").tolist() == [True, False]
    assert options == OTHERS | switched | {"args": (1, {"a": "b"})}


def test_every_parameter_of_minimize_has_an_option() -> None:
    """Those without one of the same name are named here."""
    sub = next(a for a in parser("minimize")._actions if a.dest == "command")
    assert sub.choices is not None
    chosen = dict(sub.choices)["minimize"]
    options = {action.dest for action in chosen._actions}
    other = {"fun": "function", "rng": "seed", "callback": "help", "check_machine": "anyway"}
    of_python = {"parameters", "refine", "on_error", "keep_points", "first_step"}
    for name in {*inspect.signature(minimize).parameters}.union(*HAS.values()) - of_python:
        assert other.get(name, name) in options, name


def test_a_run_without_a_seed_tells_the_one_it_drew(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives:f", "--n", "6", "--d", "2", "--maxfun", "30"]
    first = result_of(capsys, *given)
    assert result_of(capsys, *given, "--seed", str(first["seed"])) == first
    assert result_of(capsys, *given)["seed"] != first["seed"]


def test_bounds_come_from_a_file_too(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = np.array([[0.0, 1.0], [-3.0, 3.0], [5.0, 6.0], [0.0, 9.0]])
    np.savetxt("bounds.txt", pairs)
    np.save("bounds.npy", pairs)
    given = ["--maxfun", "50", "--seed", "1"]
    text = result_of(capsys, "objectives:f", "--bounds-file", "bounds.txt", *given)
    assert result_of(capsys, "objectives:f", "--bounds-file", "bounds.npy", *given) == text
    assert text["x"] == minimize(user.f, pairs, maxfun=50, rng=1).x.tolist()


def test_a_problem_is_one_of_ours_and_tells_its_regret(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--problem", "ackley", "--n", "30", "--d-e", "4", "--problem-seed", "3"]
    search = ["--policy", "fresh", "--d", "4", "--maxfun", "60", "--seed", "2"]
    fields = result_of(capsys, *given, "--rotated", *search)
    problem = PROBLEMS["ackley"](30, 4, 3, True)
    expected = minimize(problem, problem.bounds, policy="fresh", d=4, maxfun=60, rng=2)
    assert expected.fun < problem(np.zeros(30))  # which is the same for every rotation
    assert fields["x"] == expected.x.tolist()
    assert fields["regret"] == expected.fun - problem.f_star


def test_a_checkpoint_knows_the_test_problem(spy: Spy) -> None:
    """All that determines it; a name that is given comes first, and there is none without one."""
    given = ["minimize", "--problem", "ackley", "--n", "30", "--d", "2"]
    for arguments, name in (
        ([], None),
        (["--checkpoint", "a"], "ackley, d_e 10, problem seed 0"),
        (
            ["--checkpoint", "a", "--rotated", "--problem-seed", "3", "--d-e", "4"],
            "ackley, d_e 4, problem seed 3, rotated",
        ),
        (["--checkpoint", "a", "--objective", "mine"], "mine"),
    ):
        assert main([*given, *arguments]) == 0
        assert spy.calls.pop()[2]["objective"] == name


# --- what is said --------------------------------------------------------------------------------


def test_the_text_says_what_the_json_says(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["objectives:f", "--n", "12", "--d", "2", "--maxfun", "50", "--seed", "1"]
    fields = result_of(capsys, *given)
    assert main(["minimize", *given]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["message"] == fields["message"]
    assert float(lines["fun"]) == pytest.approx(fields["fun"], rel=1e-9)
    assert lines["nfev"] == "50"
    assert lines["depth"] == f"{fields['depth']}, {fields['nleaves']} leaves"
    assert [float(word) for word in lines["x"].split()[:8]] == pytest.approx(
        fields["x"][:8], rel=1e-5
    )
    assert "4 more" in lines["x"]


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
    given = ["minimize", "objectives:infinite", "--n", "6", "--maxfun", "5", "--json"]
    assert main(given) == 1
    printed = capsys.readouterr()
    fields = json.loads(printed.out)
    assert (fields["fun"], fields["nfev"], fields["success"]) == ("inf", 5, False)
    assert printed.err == (
        "embedded-hunter minimize: warning: The run has ended, but every value was +inf. "
        "Policy: forest, which extends the paper.\n"
    )


def test_what_the_objective_prints_does_not_disturb_the_json(user: Any, tmp_path: Path) -> None:
    """Also when its module is imported, by a worker, and by a program that it starts."""
    (tmp_path / "talking.py").write_text(
        "import os, sys\nprint('imported')\n"
        "def f(x):\n"
        "    print('called')\n    os.system('echo started')\n    return float(x[0] ** 2)\n"
    )
    source = str(Path(embedded_hunter.__file__).parents[1])
    command = [sys.executable, "-m", "embedded_hunter", "minimize", "talking:f", "--n", "3", "--d",
               "2", "--maxfun", "4", "--seed", "1"]  # fmt: skip
    for workers in ("1", "2"):
        done = subprocess.run(
            [*command, "--workers", workers, "--json"], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": source}, cwd=tmp_path,
        )  # fmt: skip
        assert json.loads(done.stdout)["nfev"] == 4
        for word in ("imported", "called", "started"):
            assert word in done.stderr


# --- failures, Ctrl-C ----------------------------------------------------------------------------


def test_an_objective_that_fails_costs_nothing_but_its_value(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--d", "2", "--maxfun", "30", "--seed", "1"]
    whole = result_of(capsys, "objectives:f", *given)
    user.calls.clear()
    code = main(["minimize", "objectives:fails_once", *given, "--checkpoint", "run.log", "--json"])
    assert code == 1
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["status"], so_far["success"]) == (7, 4, False)
    assert so_far["fun"] == min(user.f(x) for x in user.calls[:7])
    assert "evaluation 8 failed: the objective raised ZeroDivisionError: seven" in printed.err
    assert "objectives.py, line" in printed.err
    assert "fails_once" in printed.err
    assert len(printed.err.splitlines()) == 1
    again = result_of(capsys, "objectives:fails_once", *given, "--checkpoint", "run.log")
    assert again == whole


def test_an_interruption_gives_the_best_so_far(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--d", "2", "--maxfun", "30", "--seed", "1"]
    assert main(["minimize", "objectives:interrupted", *given, "--json"]) == 130
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["message"]) == (7, "Interrupted.")
    assert so_far["fun"] == min(user.f(x) for x in user.calls[:7])
    assert printed.err == (
        "embedded-hunter minimize: interrupted after 7 of 30 evaluations, best value "
        f"{so_far['fun']:.10g}; a run without --checkpoint cannot be resumed\n"
    )


def test_arguments_that_do_not_fit_are_not_blamed_on_this_package(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["minimize", *F, "--args", "[1, 2, 3]"]) == 1
    printed = capsys.readouterr()
    assert printed.err == (
        "embedded-hunter minimize: evaluation 1 failed: the objective raised TypeError: f() takes "
        "from 1 to 3 positional arguments but 4 were given (in the call of the function with x "
        "and the values of --args)\n"
    )


def test_without_any_value_there_is_no_result_to_print(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["minimize", "objectives:exits", "--n", "6", "--d", "2"]) == 1
    assert capsys.readouterr().out == ""
    assert main(["minimize", "objectives:exits", "--n", "6", "--d", "2", "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert (fields["fun"], fields["x"], fields["nfev"]) == (None, None, 0)


def test_the_best_x_is_kept_after_the_result_is_printed(
    spy: Spy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the file that was named, with no ending added. If it cannot be kept, that is said."""
    assert main(["minimize", *F, "--save-x", "best"]) == 0
    assert np.load("best").tolist() == spy.answer.x.tolist()
    capsys.readouterr()

    def full(file: Any, x: Any) -> None:
        assert "fun      0.5" in capsys.readouterr().out
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    assert main(["minimize", *F, "--save-x", "best"]) == 1
    assert "--save-x best: [Errno 28] No space left" in capsys.readouterr().err


def test_the_history_goes_to_a_csv_file(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["minimize", *F, "--maxfun", "30", "--seed", "1", "--save-history", "h.csv"]
    assert main(given) == 0
    head, *lines = Path("h.csv").read_text().splitlines()
    run: dict[str, Any] = {"policy": DEFAULT, "d": 2, "maxfun": 30, "rng": 1}
    expected = minimize(user.f, [(-1, 1)] * 6, **run).history
    assert head == "evaluation,value"
    found = [(int(k), float(value)) for k, value in (line.split(",") for line in lines)]
    assert found == expected.tolist()


def test_whether_x_can_be_kept_is_tried_before_the_run(user: Any) -> None:
    """The trial changes nothing: no new file is left, and an old one is as it was."""
    Path("old.npy").write_bytes(b"kept so far")
    for name in ("old.npy", "new.npy"):
        assert main(["minimize", "objectives:exits", *F[1:], "--save-x", name]) == 1
    assert Path("old.npy").read_bytes() == b"kept so far"
    assert not Path("new.npy").exists()


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
        "", f"embedded-hunter minimize: error: --checkpoint {said}"
    )  # fmt: skip
