"""The command `minimize` while it runs: failures, Ctrl-C, memory, and what is printed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import embedded_hunter
from embedded_hunter.cli import main
from embedded_hunter.commands.objectives import available_memory
from spec.interface.users_module import result_of, users_module

F = ["objectives:f", "--n", "6", "--d", "2"]


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with users_module(tmp_path, monkeypatch) as module:
        yield module


def test_the_log_keeps_every_evaluation_at_once(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--d", "2", "--maxfun", "30", "--seed", "1", "--log", "run.log"]
    fields = result_of(capsys, "objectives:logged", *given)  # asserts at each evaluation
    lines = [json.loads(line) for line in Path("run.log").read_text().splitlines()[1:-1]]
    assert [line["evaluation"] for line in lines] == list(range(1, 31))
    assert min(line["value"] for line in lines) == fields["fun"]
    assert [line["value"] for line in lines] == [user.f(x) for x in list(user.calls)]
    user.calls.clear()
    assert result_of(capsys, "objectives:f", *given) == fields
    assert not user.calls  # nothing is evaluated twice


def test_an_objective_that_fails_costs_nothing_but_its_value(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--n", "6", "--d", "2", "--maxfun", "30", "--seed", "1"]
    whole = result_of(capsys, "objectives:f", *given)
    user.calls.clear()
    code = main(["minimize", "objectives:fails_once", *given, "--log", "run.log", "--json"])
    assert code == 1
    printed = capsys.readouterr()
    so_far = json.loads(printed.out)
    assert (so_far["nfev"], so_far["status"], so_far["success"]) == (7, 4, False)
    assert so_far["fun"] == min(user.f(x) for x in user.calls[:7])
    assert "evaluation 8 failed: the objective raised ZeroDivisionError: seven" in printed.err
    assert "objectives.py, line" in printed.err
    assert "fails_once" in printed.err
    assert len(printed.err.splitlines()) == 1
    again = result_of(capsys, "objectives:fails_once", *given, "--log", "run.log")
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


def test_an_interruption_elsewhere_has_the_same_exit_code(
    user: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("embedded_hunter.commands.objectives.named", interrupt)
    assert main(["minimize", "objectives:f", "--n", "6", "--d", "2"]) == 130
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.claim("nan-and-inf")
def test_an_infinite_value_is_written_as_json_has_it(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["minimize", "objectives:infinite", "--n", "6", "--d", "2", "--maxfun", "5", "--json"]
    assert main(given) == 1
    printed = capsys.readouterr()
    fields = json.loads(printed.out)
    assert (fields["fun"], fields["nfev"], fields["success"]) == ("inf", 5, False)
    assert printed.err == (
        "embedded-hunter minimize: warning: The run is complete, but every value was +inf.\n"
    )


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


def test_an_integer_may_be_written_with_an_exponent(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives:f", "--d", "2", "--seed", "1"]
    short = result_of(capsys, *given, "--n", "6e0", "--maxfun", "3.0e1")
    assert short == result_of(capsys, *given, "--n", "6", "--maxfun", "30")


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


def test_a_best_point_at_the_edge_is_a_warning(
    user: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["objectives:first", "--n", "1", "--policy", "forest", "--effective-dimension", "1"]
    assert main(["minimize", *given, "--maxfun", "200", "--seed", "1"]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("embedded-hunter minimize: warning: The run is complete, but its")
    assert printed.err.endswith("Try a greater scale (sigma R).\n")
    assert printed.out.startswith("message  The run is complete, but its best point lies at the")
