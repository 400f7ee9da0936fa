"""The command line: `minimize` as a command is `minimize` as a function, and says what is wrong."""

import importlib
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

import embedded_hunter
from embedded_hunter import __version__, minimize
from embedded_hunter.cli import COMMANDS, main, parser
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.policies import HAS
from spec.interface.users_module import result_of, users_module


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with users_module(tmp_path, monkeypatch) as module:
        yield module


ALL = (
    *("--d", "2", "--maxfun", "90", "--eta", "0.4", "--K", "5", "--M", "0.05", "--h-max", "2"),
    *("--sigma", "0.2", "--sampler", "matrix", "--seed", "5"),
)


def test_the_command_does_what_the_function_does(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """With every parameter of the policy away from its default."""
    fields = result_of(
        capsys, "objectives:f", "--n", "6", "--bounds", "-1", "3", "--args", "[0.5, 2]", *ALL
    )
    expected = minimize(
        user.f, [(-1.0, 3.0)] * 6, args=(0.5, 2), d=2, maxfun=90, eta=0.4, K=5, M=0.05, h_max=2,
        sigma=0.2, sampler="matrix", rng=5,
    )  # fmt: skip
    assert fields.pop("x") == expected.pop("x").tolist()
    assert fields.pop("seed") == 5
    assert fields == dict(expected)


@pytest.mark.parametrize("left_out", [*ALL[::2], "--policy"])
def test_no_parameter_is_ignored(
    left_out: str, user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leaving an option out gives another run."""
    options = dict(zip(ALL[::2], ALL[1::2], strict=True))
    if left_out == "--policy":
        options |= {"--policy": "indexed"}
        del options["--sampler"]

    def points() -> list[bytes]:
        user.calls.clear()
        result_of(capsys, "objectives:f", "--n", "6", *[w for o in options.items() for w in o])
        return [x.tobytes() for x in user.calls]

    with_all = points()
    assert points() == with_all
    del options[left_out]
    if left_out == "--d":
        options["--d"] = "3"  # the one that must be given
    assert points() != with_all


def test_every_parameter_of_minimize_has_an_option() -> None:
    """Those without one of the same name are named here."""
    sub = next(a for a in parser("minimize")._actions if a.dest == "command")
    assert sub.choices is not None
    chosen = dict(sub.choices)["minimize"]
    options = {action.dest for action in chosen._actions}
    other = {
        "fun": "function", "rng": "seed", "callback": "help", "check_machine": "anyway",
        "disp": "help",  # the command shows its own progress
    }  # fmt: skip
    policies = frozenset().union(*HAS.values()) - {"refine"}  # of Python alone
    for name in {*inspect.signature(minimize).parameters, *policies} - {"parameters"}:
        assert other.get(name, name) in options, name


def test_a_run_without_a_seed_tells_the_one_it_drew(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives:f", "--n", "6", "--d", "2", "--maxfun", "30"]
    first = result_of(capsys, *given)
    assert result_of(capsys, *given, "--seed", str(first["seed"])) == first
    assert result_of(capsys, *given)["seed"] != first["seed"]


def test_vectorized_workers_and_attributes_are_understood(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--d", "2", "--maxfun", "40", "--seed", "1"]
    plain = result_of(capsys, "objectives:f", *given)
    assert result_of(capsys, "objectives:Holder.method", *given) == plain
    assert result_of(capsys, "objectives:f", *given, "--workers", "2") == plain
    user.calls.clear()
    assert result_of(capsys, "objectives:columns", *given, "--vectorized")["nfev"] == 40
    assert {points.ndim for points in user.calls} == {2}


def test_bounds_come_from_a_file_too(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = np.array([[0.0, 1.0], [-3.0, 3.0], [5.0, 6.0], [0.0, 9.0]])
    np.savetxt("bounds.txt", pairs)
    np.save("bounds.npy", pairs)
    given = ["--d", "2", "--maxfun", "50", "--seed", "1"]
    text = result_of(capsys, "objectives:f", "--bounds-file", "bounds.txt", *given)
    assert result_of(capsys, "objectives:f", "--bounds-file", "bounds.npy", *given) == text
    assert text["x"] == minimize(user.f, pairs, d=2, maxfun=50, rng=1).x.tolist()


def test_a_problem_is_one_of_ours_and_tells_its_regret(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--problem", "rosenbrock", "--n", "30", "--d-e", "4", "--problem-seed", "3"]
    search = ["--d", "4", "--maxfun", "60", "--seed", "2"]
    fields = result_of(capsys, *given, "--rotated", *search)
    problem = PROBLEMS["rosenbrock"](30, 4, 3, True)
    expected = minimize(problem, problem.bounds, d=4, maxfun=60, rng=2)
    assert fields["x"] == expected.x.tolist()
    assert fields["regret"] == expected.fun - problem.f_star


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


def test_the_best_point_can_be_kept(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["objectives:f", "--n", "6", "--d", "2", "--maxfun", "30", "--seed", "1"]
    fields = result_of(capsys, *given, "--save-x", "best.npy")
    assert np.load("best.npy").tolist() == fields["x"]


F = ["objectives:f", "--n", "6", "--d", "2"]
WRONG = [
    ([], "give either MODULE:FUNCTION or --problem"),
    (["--d", "2"], "MODULE:FUNCTION or --problem"),
    ([*F, "--problem", "ackley"], "MODULE:FUNCTION or --problem"),
    (["objectives", "--n", "6", "--d", "2"], "MODULE:FUNCTION, got objectives"),
    (["nowhere:f", "--n", "6", "--d", "2"], "No module named 'nowhere'"),
    (["broken:f", "--n", "6", "--d", "2"], "NameError: name 'undefined' is not defined ("),
    (["objectives:g", "--n", "6", "--d", "2"], "objectives has no g"),
    (["objectives:number", "--n", "6", "--d", "2"], "must be callable, got an object of type int"),
    (["objectives:f", "--n", "0", "--d", "2"], "--n must be an integer >= 1, got 0"),
    ([*F, "--bounds", "1", "0"], "low <= high"),
    ([*F, "--bounds", "0", "inf"], "finite"),
    ([*F, "--bounds-file", "none.txt"], "none.txt"),
    ([*F, "--bounds-file", "objectives.py"], "--bounds-file objectives.py"),
    ([*F, "--bounds-file", "two.txt"], "got 6, but two.txt contains 2 pairs"),
    ([*F, "--bounds-file", "two.txt", "--bounds", "0", "1"], "either --bounds or --bounds-file"),
    ([*F, "--args", "{}"], "JSON array"),
    ([*F, "--args", "[1"], "JSON array"),
    (["objectives:f", "--n", "6", "--d", "7"], "d must be at most n"),
    (["objectives:f", "--n", "6"], "d must be given"),
    ([*F, "--effective-dimension", "2"], "policy 'fresh' has no parameter effective_dimension; it"),
    ([*F, "--policy", "forest", "--sampler", "norm"], "policy 'forest' has no parameter sampler"),
    ([*F, "--K", "4"], "K must be an odd integer >= 3, got 4"),
    ([*F, "--eta", "1"], "eta must be a number in the open interval (0, 1)"),
    ([*F, "--M", "-1"], "M must be"),
    ([*F, "--maxfun", "0"], "maxfun"),
    ([*F, "--h-max", "-1"], "h_max must be"),
    ([*F, "--sigma", "0"], "sigma must be"),
    ([*F, "--policy", "stale"], "invalid choice: 'stale'"),
    ([*F, "--K", "three"], "an integer is required, such as 10000 or 1e4, got three"),
    ([*F, "--workers", "0"], "workers must be"),
    ([*F, "--workers", "2", "--vectorized"], "workers must be 1 if vectorized"),
    ([*F, "--save-x", "nowhere/x.npy"], "--save-x must be in an existing folder, got"),
    ([*F, "--log", "nowhere/run.log"], "nowhere/run.log"),
    ([*F, "--log", "objectives.py"], "objectives.py"),
    ([*F, "--seed", "-1"], "argument --seed: a seed must be an integer >= 0, got -1"),
    ([*F, "--seed", "1.5"], "argument --seed: a seed must be an integer >= 0, got 1.5"),
    ([*F, "--problem-seed", "x"], "argument --problem-seed: a seed must be an integer >= 0, got x"),
    ([*F, "--maxfun", "10.5"], "an integer is required, such as 10000 or 1e4, got 10.5"),
    ([*F, "--maxfun", "nan"], "an integer is required, such as 10000 or 1e4, got nan"),
    ([*F, "--maxfun", "1e999999"], "an integer is required, such as 10000 or 1e4, got 1e999999"),
    ([*F, "--args", "[" * 100_000], "--args must be a JSON array such as"),
    (["exiting:f", "--n", "5", "--d", "2"], "cannot import exiting: SystemExit: 7"),
    (["objectives:g", "--n", "5", "--d", "2"], "objectives has no g"),
    (["objectives:column", "--n", "5", "--d", "2"], "has no column; did you mean columns?"),
    (["--problem", "sphere", "--n", "6", "--d", "2"], "invalid choice: 'sphere'"),
    (["--problem", "ackley", "--d", "2"], "--problem requires --n"),
    (["--problem", "ackley", "--n", "6", "--d", "2", "--bounds", "0", "1"], "bounds"),
    (["--problem", "ackley", "--n", "6", "--d", "2"], "--problem ackley: d_e = 10"),
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


@pytest.mark.parametrize("arguments", [[], ["--frobnicate"]])
def test_a_command_that_is_none_is_refused_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("word", "question"),
    [("minimise", "; did you mean minimize?"), ("chek", "; did you mean check?"),
     ("xyz", " (see embedded-hunter --help)")],
)  # fmt: skip
def test_a_misspelt_command_is_asked_about(
    word: str, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word, "--n", "3"]) == 2
    said = f"embedded-hunter {word}: error: there is no such command{question}\n"
    assert capsys.readouterr().err == said


def test_an_objective_that_exits_is_told_in_one_line(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["minimize", "objectives:exits", "--n", "5", "--d", "2", "--maxfun", "9"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("embedded-hunter minimize: evaluation 1 failed: the objective raised S")
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_module_and_a_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(COMMANDS[command].module)
    assert callable(module.add_arguments)
    assert callable(module.run)
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert f"embedded-hunter {command}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--help"])
    assert COMMANDS[command].help[:30] in capsys.readouterr().out


@pytest.mark.long
def test_the_program_starts_as_a_module_and_imports_one_command_only(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import sys\n"
        "def f(x):\n"
        "    commands = 'embedded_hunter.commands.'\n"
        "    assert commands + 'minimize' in sys.modules\n"
        "    assert commands + 'demo' not in sys.modules\n"
        "    assert 'matplotlib' not in sys.modules\n"
        "    return float(x[0] ** 2)\n"
    )
    # As the installed program, which does not look for modules in the current directory.
    program = [sys.executable, "-P", "-m", "embedded_hunter"]
    source = str(Path(embedded_hunter.__file__).parents[1])
    done = subprocess.run(
        [*program, "minimize", "mine:f", "--n", "3", "--d", "1", "--maxfun", "20", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")  # no bar either: stderr is no terminal
    assert json.loads(done.stdout)["nfev"] == 20


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"embedded-hunter {__version__}\n"


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    flat = " ".join(text.split())
    assert flat.startswith("usage: embedded-hunter [-h] [--version] COMMAND ... EmbeddedHunter: ")
    assert (
        " EmbeddedHunter: black-box minimisation of functions of many variables, few of which "
        "matter. options: " in flat
    )
    assert "\ncommands:\n  COMMAND\n" in text
    for name, command in COMMANDS.items():
        assert f" {name} {command.help}" in flat
        with pytest.raises(SystemExit):
            main([name, "--help"])
        own = " ".join(capsys.readouterr().out.split())
        assert own.startswith(f"usage: embedded-hunter {name} ")
        assert command.help in own or name == "minimize"  # which says more


def test_the_arguments_are_those_of_the_program_unless_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["trace", "--maxfun", "3"]
    assert main(given) == 0
    expected = capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["embedded-hunter", *given])
    assert main() == 0
    assert capsys.readouterr().out == expected


def test_an_output_that_nobody_reads_goes_nowhere(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """So that Python's own last flush of it does not complain."""

    def closed(*_: object) -> None:
        raise BrokenPipeError

    made: list[tuple[int, int]] = []
    monkeypatch.setattr("embedded_hunter.commands.trace.run", closed)
    monkeypatch.setattr(os, "dup2", lambda new, old: made.append((new, old)))
    assert main(["trace"]) == 141
    ((new, old),) = made
    assert old == sys.stdout.fileno()
    assert os.fstat(new).st_rdev == os.stat(os.devnull).st_rdev
    assert os.write(new, b"x") == 1
    os.close(new)
