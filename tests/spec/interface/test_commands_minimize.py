"""`minimize` as a command: every option arrives, every word of the output; the runs are given."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter.cli import main
from embedded_hunter.commands import minimize as command
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.checkpoint import CheckpointWriteError
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.status import MESSAGES
from spec.interface.minimize_spy import GIVEN, Spy, minimize_spy, result_of


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spy]:
    with minimize_spy(tmp_path, monkeypatch) as spy:
        yield spy


# --- what is run ---------------------------------------------------------------------------------

DEFAULTS: dict[str, Any] = {
    "d": 2, "args": (), "maxfun": 1000, "policy": "fresh", "rng": 1, "workers": 1,
    "vectorized": False, "checkpoint": None,
    "objective": None, "fsync": False, "check_machine": True,
    "memory": 536870912,
}  # fmt: skip
OTHERS: dict[str, Any] = {
    "d": 3, "maxfun": 7, "eta": 0.5, "K": 5, "M": 2.5, "h_max": 4, "sigma": 0.25,
    "policy": "forest", "sampler": "matrix", "effective_dimension": 6, "scale": 0.125,
    "n_embeddings": 9, "rng": 8, "workers": -1, "checkpoint": "kept.jsonl", "objective": "mine",
    "memory": 1000,
}  # fmt: skip


def test_every_option_arrives(spy: Spy) -> None:
    """Also those that `minimize` itself would refuse together; of a policy those that are given."""
    assert main(["minimize", *GIVEN, "--seed", "1"]) == 0
    function, bounds, options = spy.calls.pop()
    assert function is sys.modules["objectives_of_mine"].f
    assert np.asarray(bounds).tolist() == [[-1.0, 1.0]] * 3
    options.pop("callback")
    assert options == DEFAULTS
    words = [
        word
        for name, value in OTHERS.items()
        for word in (f"--{'seed' if name == 'rng' else name.replace('_', '-')}", str(value))
    ]
    words += ["--args", '[1, {"a": "b"}]', "--bounds", "-2", "3.5"]
    words += ["--vectorized", "--fsync", "--anyway"]
    assert main(["minimize", "objectives_of_mine:Holder.Inner.method", "--n", "2", *words]) == 0
    function, bounds, options = spy.calls.pop()
    assert function is sys.modules["objectives_of_mine"].f
    assert np.asarray(bounds).tolist() == [[-2.0, 3.5]] * 2
    options.pop("callback")
    switched = {"vectorized": True, "fsync": True, "check_machine": False}
    assert options == OTHERS | switched | {"args": (1, {"a": "b"})}


def test_the_progress_is_that_of_the_run(spy: Spy, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    @contextmanager
    def progress(total: int, label: str) -> Iterator[Callable[[int], None]]:
        told.append((total, label))
        yield told.append

    monkeypatch.setattr(command, "progress", progress)
    assert main(["minimize", *GIVEN, "--maxfun", "60"]) == 0
    spy.calls[0][2]["callback"](intermediate_result=OptimizeResult(nfev=17))
    assert told == [(60, "minimize"), 17]


def test_a_seed_is_drawn_unless_one_is_given_or_kept(
    spy: Spy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run with a checkpoint has its own, in the first line of the file."""

    class Sequence:
        def generate_state(self, words: int) -> Any:
            assert words == 1
            return np.array([4_000_000_000], dtype=np.uint32)

    monkeypatch.setattr(np.random, "SeedSequence", Sequence)
    for arguments, seed in (
        ([], 4_000_000_000), (["--seed", "0"], 0), (["--checkpoint", "kept.jsonl"], None),
        (["--checkpoint", "kept.jsonl", "--seed", "3"], 3),
    ):  # fmt: skip
        assert main(["minimize", *GIVEN, *arguments, "--json"]) == 0
        found = spy.calls.pop()[2]["rng"]
        assert (found, type(found)) == (seed, type(seed))
        assert json.loads(capsys.readouterr().out)["seed"] == seed


def test_modules_of_the_current_directory_are_found_first(spy: Spy) -> None:
    """And the directory is entered once."""
    path = [*sys.path]
    for _ in range(2):
        assert main(["minimize", *GIVEN]) == 0
        assert sys.path == [str(Path.cwd()), *path]


# --- what is said --------------------------------------------------------------------------------


def test_the_result_as_text(spy: Spy, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minimize", *GIVEN, "--seed", "4"]) == 0
    assert capsys.readouterr().out == (
        "message  The evaluation budget is used.\n"
        "fun      0.123456789\n"
        "nfev     50\n"
        "nit      9 visits of a depth in 4 sweeps\n"
        "depth    3, 21 leaves\n"
        "seed     4\n"
        "x        0 0.142857 0.285714\n"
    )


@pytest.mark.parametrize(("size", "more"), [(8, None), (9, 1), (11, 3)])
def test_of_a_long_x_the_first_numbers_are_shown(
    size: int, more: int | None, spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a checkpoint the seed is not ours to tell."""
    spy.answer = result_of(1, size=size)
    assert main(["minimize", *GIVEN, "--checkpoint", "a"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = "0 0.142857 0.285714 0.428571 0.571429 0.714286 0.857143 1"
    rest = "" if more is None else f" ... ({more} more; --json or --save-x)"
    assert lines[-1] == f"x        {first}{rest}"
    assert [line.split()[0] for line in lines] == ["message", "fun", "nfev", "nit", "depth", "x"]
    assert lines[0] == f"message  {MESSAGES[1]}"


def test_a_problem_of_ours_tells_its_regret(
    spy: Spy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The value less the least one, of Ackley's function 0, here another."""
    monkeypatch.setattr("embedded_hunter.problems.hidden.Problem.f_star", 0.1)
    given = ["--problem", "ackley", "--n", "30", "--d-e", "4", "--problem-seed", "3", "--rotated"]
    assert main(["minimize", *given, "--d", "2", "--seed", "4"]) == 0
    problem, bounds, options = spy.calls[0]
    x = np.linspace(-1, 1, 30)
    assert problem(x) == PROBLEMS["ackley"](30, 4, 3, True)(x)
    assert (bounds.lb.tolist(), bounds.ub.tolist()) == ([-1.0] * 30, [1.0] * 30)
    assert options["args"] == ()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["fun      0.123456789", "regret   0.02345678901"]
    assert main(["minimize", *given, "--d", "2", "--seed", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["regret"] == 0.123456789012 - 0.1


def test_the_result_as_json(spy: Spy, capsys: pytest.CaptureFixture[str]) -> None:
    for value, written in ((0.5, 0.5), (np.inf, "inf"), (np.float32(0.25), 0.25)):
        spy.answer = result_of(fun=value, size=12)
        assert main(["minimize", *GIVEN, "--seed", "4", "--json"]) == 0
        expected = {
            "status": 0, "success": True, "message": MESSAGES[0], "nfev": 50, "nit": 9, "nsweep": 4,
            "depth": 3, "nleaves": 21, "fun": written, "seed": 4,
            "x": (np.arange(12) / 7).tolist(),
        }  # fmt: skip
        text = capsys.readouterr().out
        assert text == json.dumps(expected) + "\n"
    spy.answer = result_of(fun=np.inf)
    assert main(["minimize", "--problem", "ackley", "--n", "30", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["regret"] == "inf"


def test_a_number_that_json_has_not_is_not_written(spy: Spy) -> None:
    spy.answer = result_of()
    spy.answer["of another"] = np.nan
    with pytest.raises(ValueError, match="not JSON compliant"):
        main(["minimize", *GIVEN, "--json"])


@pytest.mark.parametrize(
    ("status", "code"), [(0, 0), (1, 0), (2, 0), (3, 130), (4, 1), (6, 1), (7, 0), (8, 1), (9, 0)]
)
def test_the_exit_code_says_how_it_ended(status: int, code: int, spy: Spy) -> None:
    spy.answer = result_of(status)
    assert main(["minimize", *GIVEN]) == code


def failure(cause: BaseException | None) -> EvaluationError:
    """What `minimize` raises when an evaluation fails; the result so far has no x."""
    result = result_of(4)
    result.x = None
    error = EvaluationError(1, np.zeros(3), "no", result, result_of)
    error.__cause__ = cause
    return error


def test_an_evaluation_that_fails_is_told_and_the_result_so_far(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    spy.answer = failure(None)
    assert main(["minimize", *GIVEN, "--seed", "4", "--save-x", "x.npy"]) == 1
    printed = capsys.readouterr()
    assert printed.err == "embedded-hunter minimize: evaluation 1 failed: no\n"
    assert printed.out.splitlines()[0] == f"message  {MESSAGES[4]}"
    assert printed.out.splitlines()[-1] == "seed     4"  # there is no x
    assert not Path("x.npy").exists()
    assert main(["minimize", *GIVEN, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["x"] is None


def test_the_place_is_the_innermost_one(spy: Spy, capsys: pytest.CaptureFixture[str]) -> None:
    Path("failing_of_mine.py").write_text("def f():\n    g()\n\n\ndef g():\n    raise KeyError\n")
    sys.path.insert(0, str(Path.cwd()))
    import failing_of_mine  # type: ignore[import-not-found]

    with pytest.raises(KeyError) as caught:
        failing_of_mine.f()
    sys.modules.pop("failing_of_mine")
    spy.answer = failure(caught.value)
    assert main(["minimize", *GIVEN]) == 1
    place = f"({Path.cwd() / 'failing_of_mine.py'}, line 6, in g)"
    said = capsys.readouterr().err
    assert said == f"embedded-hunter minimize: evaluation 1 failed: no {place}\n"


def test_the_best_x_is_kept_in_the_file_that_was_named(spy: Spy) -> None:
    """With no ending added to its name."""
    assert main(["minimize", *GIVEN, "--save-x", "best"]) == 0
    assert np.load("best").tolist() == (np.arange(3) / 7).tolist()
    Path("folder").mkdir()
    assert main(["minimize", *GIVEN, "--save-x", "folder/best.npy"]) == 0
    assert np.load("folder/best.npy").shape == (3,)


def test_the_result_is_printed_before_x_is_kept(
    spy: Spy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And if it cannot be kept, that is said behind it."""

    def full(file: Any, x: Any) -> None:
        assert "fun      0.123456789" in capsys.readouterr().out
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    assert main(["minimize", *GIVEN, "--save-x", "best.npy"]) == 1
    printed = capsys.readouterr()
    said = "embedded-hunter minimize: --save-x best.npy: [Errno 28] No space left on device\n"
    assert (printed.out, printed.err) == ("", said)


def test_whether_x_can_be_kept_is_tried_before_the_run(spy: Spy) -> None:
    """The trial changes nothing: no new file is left, and an old one is as it was."""
    Path("old.npy").write_bytes(b"kept so far")

    def looks(*_: Any, **__: Any) -> OptimizeResult:
        assert Path("old.npy").read_bytes() == b"kept so far"
        assert not Path("new.npy").exists()
        result = result_of(4)
        result.x = None
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "minimize", looks)
        for name in ("old.npy", "new.npy"):
            assert main(["minimize", *GIVEN, "--save-x", name]) == 1
    assert not Path("new.npy").exists()


def test_a_checkpoint_on_a_full_disk_is_told_and_the_result_so_far(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    error = CheckpointWriteError(Path("run.log"), OSError(28, "No space left on device"))
    error.result = result_of(6)
    spy.answer = error
    assert main(["minimize", *GIVEN, "--checkpoint", "run.log"]) == 1
    printed = capsys.readouterr()
    said = "run.log cannot be written: No space left on device\n"
    assert printed.err == f"embedded-hunter minimize: {said}"
    assert printed.out.startswith("message  The checkpoint could not be written.\nfun      0.1234")
    error.result = None
    assert main(["minimize", *GIVEN, "--checkpoint", "run.log"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (
        "", f"embedded-hunter minimize: error: --checkpoint {said}"
    )  # fmt: skip


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
