"""What `minimize` as a command refuses, word for word; nothing is run."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.cli import main
from spec.interface import command_spies
from spec.interface.minimize_spy import GIVEN, Spy, minimize_spy


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spy]:
    with minimize_spy(tmp_path, monkeypatch) as spy:
        yield spy


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_spies.complaint(capsys, "minimize", *arguments)


EITHER = "give either MODULE:FUNCTION or --problem NAME"
OWN = "--problem requires --n and does not allow --bounds, --bounds-file or --args"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], EITHER),
        ([*GIVEN, "--problem", "ackley"], EITHER),
        (["--problem", "ackley"], OWN),
        (["--problem", "ackley", "--n", "9", "--bounds", "0", "1"], OWN),
        (["--problem", "ackley", "--n", "9", "--bounds-file", "a"], OWN),
        (["--problem", "ackley", "--n", "9", "--args", "[]"], OWN),
        (["f"], "the function must be given as MODULE:FUNCTION, got f"),
        ([":f"], "the function must be given as MODULE:FUNCTION, got :f"),
        (["m:"], "the function must be given as MODULE:FUNCTION, got m:"),
        (
            ["nowhere_at_all:f"],
            "cannot import nowhere_at_all: ModuleNotFoundError: No module named 'nowhere_at_all'",
        ),
        (["objectives_of_mine:g"], "objectives_of_mine has no g"),
        (["objectives_of_mine:f:g"], "objectives_of_mine has no f:g"),
        (["objectives_of_mine:Holder.other.f"], "objectives_of_mine has no Holder.other.f"),
        (
            ["objectives_of_mine:text"],
            "objectives_of_mine:text must be callable, got an object of type str",
        ),
        (["objectives_of_mine:f"], "--n, the number of variables, or --bounds-file must be given"),
        *[
            ([*GIVEN, *words], f"{words[0]} is for --problem, it must not be given with a function")
            for words in (["--d-e", "10"], ["--problem-seed", "0"], ["--rotated"])
        ],
        (["objectives_of_mine:f", "--n", "0"], "--n must be an integer >= 1, got 0"),
        (
            [*GIVEN, "--bounds", "0", "1", "--bounds-file", "a"],
            "give either --bounds or --bounds-file, not both",
        ),
        (
            ["objectives_of_mine:f", "--bounds-file", "two.txt", "--n", "3"],
            "--n must be the number of lines of --bounds-file, got 3, but two.txt contains "
            "2 pairs of bounds",
        ),
        (
            [*GIVEN, "--args", '{"a": 1}'],
            '--args must be a JSON array such as \'[1, "a"]\', got {"a": 1}',
        ),
        ([*GIVEN, "--args", "[1"], "--args must be a JSON array such as '[1, \"a\"]', got [1"),
        (
            [*GIVEN, "--save-x", "nowhere/x.npy"],
            "--save-x must be in an existing folder, got nowhere/x.npy",
        ),
        ([*GIVEN, "--save-x", "."], "--save-x must be a file, got ., which is not a file"),
        (
            [*GIVEN, "--save-x", "/dev/null"],
            "--save-x must be a file, got /dev/null, which is not a file",
        ),
        (
            [*GIVEN, "--save-x", "./two.txt", "--checkpoint", "two.txt"],
            "--save-x and --checkpoint must be different files, got ./two.txt for both",
        ),
        (
            [*GIVEN, "--save-x", "x" * 300],
            f"--save-x {'x' * 300}: [Errno 36] File name too long: '{'x' * 300}'",
        ),
    ],
)
def test_the_words_of_a_refusal(
    arguments: list[str], said: str, spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("two.txt").write_text("0 1\n0 2\n")
    assert complaint(capsys, *arguments) == said
    assert not spy.calls


def test_a_problem_of_ours_is_refused_with_its_name(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, "--problem", "ackley", "--n", "6")
    assert said.startswith("--problem ackley: d_e = 10")


def test_a_module_that_fails_is_named_with_the_place(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless it is one that is not there: then no line of a file says more."""
    Path("broken_of_mine.py").write_text("def g():\n    return 1 / 0\n\n\ng()\n")
    assert complaint(capsys, "broken_of_mine:f") == (
        "cannot import broken_of_mine: ZeroDivisionError: division by zero "
        f"({Path.cwd() / 'broken_of_mine.py'}, line 2, in g)"
    )
    Path("needing_of_mine.py").write_text("import nowhere_at_all\n")
    assert complaint(capsys, "needing_of_mine:f") == (
        "cannot import needing_of_mine: ModuleNotFoundError: No module named 'nowhere_at_all'"
    )


def test_a_file_of_bounds_that_cannot_be_read_is_named(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives_of_mine:f", "--bounds-file"]
    assert complaint(capsys, *given, "none.npy") == (
        "--bounds-file none.npy: [Errno 2] No such file or directory: 'none.npy'"
    )
    Path("words.txt").write_text("zero one\n")
    assert complaint(capsys, *given, "words.txt").startswith("--bounds-file words.txt: could not ")


def test_bounds_of_a_single_variable_come_from_a_file(spy: Spy) -> None:
    """The number of variables is that of its lines, or of its rows."""
    Path("one.txt").write_text("0 2\n")
    np.save("two.npy", [[0.0, 1.0], [2.0, 4.0]])
    for name, pairs in (("one.txt", [[0.0, 2.0]]), ("two.npy", [[0.0, 1.0], [2.0, 4.0]])):
        for n in ([], ["--n", str(len(pairs))]):
            assert main(["minimize", "objectives_of_mine:f", "--bounds-file", name, *n]) == 0
            bounds = spy.calls.pop()[1]
            assert isinstance(bounds, np.ndarray)
            assert bounds.tolist() == pairs


def test_a_function_may_have_one_variable(spy: Spy) -> None:
    assert main(["minimize", "objectives_of_mine:f", "--n", "1", "--bounds", "0", "2"]) == 0
    assert np.asarray(spy.calls[0][1]).tolist() == [[0.0, 2.0]]


@pytest.mark.parametrize("error", [TypeError("d must be an integer"), ValueError("no such K")])
def test_what_minimize_refuses_is_told(
    error: Exception, spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    spy.answer = error
    assert complaint(capsys, *GIVEN) == str(error)


def test_a_checkpoint_that_cannot_be_written_is_named(
    spy: Spy, capsys: pytest.CaptureFixture[str]
) -> None:
    spy.answer = OSError("no space left")
    assert complaint(capsys, *GIVEN, "--log", "run.log") == "--checkpoint run.log: no space left"
