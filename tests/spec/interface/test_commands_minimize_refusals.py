"""What `minimize` as a command refuses, in one line that names the option; nothing is evaluated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter.cli import main
from embedded_hunter.commands.objectives import available_memory
from spec.interface.users_module import users_module


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with users_module(tmp_path, monkeypatch) as module:
        yield module


F = ["objectives:f", "--n", "6", "--d", "2"]
ACKLEY = ["--problem", "ackley", "--d", "2"]
WRONG: list[tuple[list[str], str]] = [
    ([], "give either MODULE:FUNCTION or --problem NAME"),
    ([*F, "--problem", "ackley"], "give either MODULE:FUNCTION or --problem NAME"),
    (ACKLEY, "--problem requires --n"),
    ([*ACKLEY, "--n", "6", "--bounds", "0", "1"], "does not allow --bounds, --bounds-file or --ar"),
    ([*ACKLEY, "--n", "6"], "--problem ackley: d_e must be at most n = 6, got 10"),
    (["--problem", "sphere", "--n", "6", "--d", "2"], "invalid choice: 'sphere'"),
    ([*F, "--d-e", "10"], "--d-e is for --problem"),
    ([*F, "--problem-seed", "0"], "--problem-seed is for --problem"),
    ([*F, "--rotated"], "--rotated is for --problem"),
    (["objectives", *F[1:]], "the function must be given as MODULE:FUNCTION, got objectives"),
    ([":f", *F[1:]], "the function must be given as MODULE:FUNCTION, got :f"),
    (["nowhere:f", *F[1:]], "ModuleNotFoundError: No module named 'nowhere'\n"),
    (["broken:f", *F[1:]], "broken.py, line 2, in <module>)"),
    (["exiting:f", *F[1:]], "cannot import exiting: SystemExit: 7"),
    (["objectives:column", *F[1:]], "objectives has no column; did you mean columns?"),
    (["objectives:Holder.g", *F[1:]], "objectives has no Holder.g"),
    (["objectives:number", *F[1:]], "must be callable, got an object of type int"),
    (["objectives:f", "--d", "2"], "--n, the number of variables, or --bounds-file must be given"),
    (["objectives:f", "--n", "0", "--d", "2"], "--n must be an integer >= 1, got 0"),
    ([*F, "--bounds-file", "none.txt"], "--bounds-file none.txt: "),
    ([*F, "--bounds-file", "objectives.py"], "--bounds-file objectives.py: "),
    ([*F, "--bounds-file", "two.txt"], "got 6, but two.txt contains 2 pairs"),
    ([*F, "--bounds-file", "two.txt", "--bounds", "0", "1"], "either --bounds or --bounds-file"),
    ([*F, "--args", "{}"], "--args must be a JSON array such as"),
    ([*F, "--args", "[" * 100_000], "--args must be a JSON array such as"),
    ([*F, "--dimensions", "2,"], "argument --dimensions: an integer is required, such as 10000"),
    ([*F, "--K", "4"], "K must be an odd integer >= 3, got 4"),
    ([*F, "--K", "three"], "an integer is required, such as 10000 or 1e4, got three"),
    ([*F, "--maxfun", "1e999999"], "an integer is required, such as 10000 or 1e4, got 1e999999"),
    ([*F, "--seed", "-1"], "argument --seed: a seed must be an integer >= 0, got -1"),
    ([*F, "--save-x", "nowhere/x.npy"], "--save-x must be in an existing folder, got nowhere/"),
    ([*F, "--save-x", "."], "--save-x must be a file, got ., which is not a file"),
    ([*F, "--save-x", "x" * 300], "File name too long"),
    ([*F, "--save-x", "./a", "--checkpoint", "a"], "must be different files, got ./a for both"),
    ([*F, "--save-x", "a", "--save-history", "./a"], "--save-x and --save-history must be differ"),
    ([*F, "--save-history", "."], "--save-history must be a file, got ., which is not a file"),
    ([*F, "--x0", "none.txt"], "--x0 none.txt: "),
    ([*F, "--x0", "two.txt"], "x0 must have shape (6,), got (2, 2)"),
    ([*F, "--checkpoint", "nowhere/run.log"], "nowhere/run.log"),
    ([*F, "--checkpoint", "objectives.py"], "objectives.py is damaged: line 1"),
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


@pytest.mark.parametrize("what", [["objectives:f"], ["--problem", "ackley"]])
@pytest.mark.parametrize("known", [True, False])
def test_without_memory_one_line_says_so(
    what: list[str],
    known: bool,
    user: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before the run, if the machine tells how much there is."""
    place = "embedded_hunter.commands.objectives.available_memory"
    monkeypatch.setattr(place, lambda: 3 * 2**30 if known else None)
    options = [*what, "--n", str(10**12), "--d", "2", "--maxfun", "3"]
    assert main(["minimize", *options]) == (2 if known or what[0] == "objectives:f" else 1)
    said = capsys.readouterr().err
    assert said.startswith(
        "embedded-hunter minimize: error: --n 1000000000000 needs at least 67,055.2 GiB of memory "
        "(72 bytes for each variable), but 3.0 GiB are available\n"
        if known
        else "embedded-hunter minimize: error: --n 1000000000000: the bounds do not fit into memory"
        if what[0] == "objectives:f"
        else "embedded-hunter minimize: error: not enough memory: "
    )
    assert said.count("\n") == 1
    monkeypatch.setattr(place, lambda: 72 * 30)
    options[options.index("--n") + 1] = "30"
    assert main(["minimize", *options]) == 0
    options[options.index("--n") + 1] = "31"
    assert main(["minimize", *options]) == 2


def test_the_memory_that_is_available_is_known_on_this_system() -> None:
    available = available_memory()
    assert (available is not None) == Path("/proc/meminfo").exists()
    assert available is None or 2**20 < available < 2**50
