"""What `minimize` as a command refuses, in one line that names the option; nothing is evaluated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter.cli import main
from spec.interface.users_module import users_module


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with users_module(tmp_path, monkeypatch) as module:
        yield module


F = ["objectives.py:f", "--n", "6"]
WRONG: list[tuple[list[str], str]] = [
    (["--n", "6"], "one of the arguments FILE.py:FUNCTION --exec is required"),
    ([*F, "--exec", "true"], "--exec: not allowed with argument FILE.py:FUNCTION"),
    (["objectives.py:f"], "one of the arguments --n --bounds-file is required"),
    ([*F, "--bounds-file", "two.txt"], "--bounds-file: not allowed with argument --n"),
    (["objectives.py", *F[1:]], "objectives.py: ValueError: Empty module name\n"),
    (["nowhere.py:f", *F[1:]], "ModuleNotFoundError: No module named 'nowhere'\n"),
    (["exiting.py:f", *F[1:]], "exiting.py:f: SystemExit: 7"),
    (["objectives.py:g", *F[1:]], "module 'objectives' has no attribute 'g'\n"),
    ([*F[:2], "0"], "bounds"),
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
    Path("two.txt").write_text("0 1\n0 2\n")
    try:
        code = main(["minimize", *arguments])
    except SystemExit as end:  # the way of argparse
        code = end.code if isinstance(end.code, int) else -1
    printed = capsys.readouterr()
    assert code == 2
    assert not printed.out
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("embedded-hunter minimize: error: ")
    assert fragment in printed.err
    assert not user.calls  # nothing was evaluated


def test_without_memory_one_line_says_so(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minimize", "objectives.py:f", "--n", str(10**15)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("embedded-hunter minimize: error: not enough memory: ")
    assert said.count("\n") == 1
