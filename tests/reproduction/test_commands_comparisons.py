"""`compare` and `coco` pass on what they are told, and say what was done.

What the experiments compute is specified in tests/reproduction; here they are replaced by spies.
"""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reproduction.benchmark import plan
from reproduction.benchmark.methods import in_benchmark
from reproduction.cli import main
from reproduction.coco import Setting
from reproduction.commands import coco, compare
from reproduction.figure_1.plan import PROBLEM_NAMES
from reproduction.methods import in_coco
from spec.interface.command_spies import Calls, Spies, complaint, spies_with


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> Spies:
    return spies_with(monkeypatch)


# --- compare -------------------------------------------------------------------------------------


def compare_spies(spies: Spies, **answers: Any) -> Calls:
    """Spies on all that `compare` uses; of the methods two are installed."""
    usual: dict[str, Any] = {
        "extra": None, "make_runs": (12_345, 6789.4), "measure_overhead": None,
        "present": [Path("there/tables.md"), Path("there/comparison.svg")],
    }  # fmt: skip
    return spies(compare, **{**usual, **answers})


@pytest.fixture
def two_methods(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two methods are installed, sep_cma among the others; what is said of those that are not."""
    monkeypatch.setattr(plan, "available", lambda: ("fresh", "resoo"))
    return [name for name in in_benchmark() if name not in ("fresh", "resoo")]


def test_compare_makes_all_runs_of_what_is_installed(
    two_methods: list[str], capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = compare_spies(spies)
    assert main(["compare"]) == 0
    wanted = plan.tasks(
        list(plan.MAIN), list(plan.BUDGETS), plan.RUNS, ("fresh", "resoo"), PROBLEM_NAMES,
        plan.RUNS, plan.BUDGETS[-1],
    )  # fmt: skip
    assert calls == [
        ("extra", ("matplotlib",), {}),
        ("make_runs", (wanted, "results-compare"), {"jobs": 1}),
        ("present", ("results-compare", "", True, []), {}),
    ]
    assert capsys.readouterr().out == (
        "results-compare: 12,345 evaluations in 6,789 seconds of processor time\n"
        "not installed (pip install -e '.[compare]' in a checkout): "
        f"{', '.join(two_methods)}\n"
        "there/tables.md\nthere/comparison.svg\n"
    )


def test_compare_passes_on_every_option(
    capsys: pytest.CaptureFixture[str], spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "available", lambda: tuple(in_benchmark()))
    calls = compare_spies(spies)
    options = ["--sets", "axis-aligned", "--budgets", "100", "300", "1000", "--methods", "sep_cma"]
    options += ["fresh", "--problems", "ackley", "--runs", "4", "--slow-runs", "2"]
    options += ["--slow-budget", "300", "--jobs", "-1", "--out", "there", "--overhead"]
    options += ["--no-figure", "--note", "by hand", "--pages", "a.md", "b.md"]
    assert main(["compare", *options]) == 0
    methods = ("sep_cma", "fresh")
    wanted = plan.tasks(["axis-aligned"], [100, 300, 1000], 4, methods, ["ackley"], 2, 300)
    slow = {(task.x, task.run) for task in wanted if task.algorithm == "sep_cma"}
    assert slow == {(300, 0), (300, 1)}  # so that both limits are seen below
    assert calls == [
        ("extra", ("cma", "compare"), {}),
        ("extra", ("joblib", "compare"), {}),
        ("make_runs", (wanted, "there"), {"jobs": -1}),
        ("measure_overhead", ("there", methods), {}),
        ("present", ("there", "by hand", False, ["a.md", "b.md"]), {}),
    ]
    said = capsys.readouterr().out
    assert said.startswith("there: 12,345 evaluations in 6,789 seconds of processor time\nthere/")


def test_compare_can_only_present(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    calls = compare_spies(spies)
    assert main(["compare", "--no-runs", "--overhead"]) == 0
    assert [name for name, _, _ in calls] == ["extra", "present"]
    assert capsys.readouterr().out == "there/tables.md\nthere/comparison.svg\n"


def test_the_names_of_the_methods_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    words = re.findall(r"[\w.]+", capsys.readouterr().out)
    assert {name: words.count(name) for name in in_benchmark()} == dict.fromkeys(in_benchmark(), 1)


def test_a_method_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for given, question in (("fressh", "; did you mean fresh?"), ("12345", "")):
        with pytest.raises(SystemExit):
            main(["compare", "--methods", "resoo", given])
        said = capsys.readouterr().err
        assert f"there is no method '{given}'{question} (see" in said
        assert said.count("\n") == 1


def test_nothing_is_run_if_no_overhead_can_be_measured(
    capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = compare_spies(spies)
    options = ["--methods", "forest_2", "--sets", "settings", "--overhead"]
    said = complaint(capsys, "compare", *options)
    assert said.startswith("there is no overhead to be measured: of forest_2 none takes part in ")
    assert [name for name, _, _ in calls] == ["extra"]


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_compare_refuses_numbers_that_mean_nothing(
    jobs: str, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = compare_spies(spies)
    said = complaint(capsys, "compare", "--no-runs", "--jobs", jobs)
    assert said == f"--jobs must be an integer >= 1, or -1, got {jobs}"
    assert not calls


@pytest.mark.parametrize("error", [OSError("it is read-only"), ValueError("it is something else")])
def test_compare_says_what_is_wrong(
    error: Exception, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    compare_spies(spies, present=error)
    assert complaint(capsys, "compare", "--no-runs") == str(error)


# --- coco ----------------------------------------------------------------------------------------


def coco_spies(spies: Spies, **answers: Any) -> Calls:
    def benchmark(*args: Any, report: Callable[[str], None], **options: Any) -> list[str]:
        report("a line of it")
        return ["a folder"]

    usual = {"extra": None, "benchmark": benchmark, "render": Path("page.html")}
    return spies(coco, **{**usual, **answers})


def test_coco_runs_the_whole_suite_unless_told(
    capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = coco_spies(spies)
    assert main(["coco"]) == 0
    assert callable(calls[2][2].pop("report"))
    assert calls == [
        ("extra", ("cocoex", "coco"), {}),
        ("extra", ("cocopp", "coco"), {}),
        (
            "benchmark",
            ("results-coco", Setting()),
            {
                "functions": list(range(1, 25)), "instances": list(range(1, 16)),
                "dimensions": [2, 5, 10], "algorithms": None,
            },
        ),
        ("render", (["a folder"], Path("results-coco/ppdata")), {}),
    ]  # fmt: skip
    assert capsys.readouterr().out == "a line of it\npage.html\n"


def test_coco_passes_on_every_option(
    capsys: pytest.CaptureFixture[str], spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = coco_spies(spies)
    monkeypatch.setattr(coco, "available", lambda: tuple(in_coco()))
    options = ["--functions", "1,3, 8-10", "--instances", "2", "--dimensions", "3,40", "--n", "50"]
    options += ["--multiplier", "7", "--d", "4", "--M", "2", "--algorithms", "cma", "soo"]
    assert main(["coco", *options, "--out", "there", "--no-figures"]) == 0
    calls[1][2].pop("report")
    numbers = {"functions": [1, 3, 8, 9, 10], "instances": [2], "dimensions": [3, 40]}
    assert calls == [
        ("extra", ("cocoex", "coco"), {}),
        ("benchmark", ("there", Setting(50, 7, 2, 4)), numbers | {"algorithms": ["cma", "soo"]}),
    ]
    assert capsys.readouterr().out == "a line of it\n"


def test_coco_tells_a_line_at_once(spies: Spies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the output is a file: a run of the suite takes hours."""
    flushed: list[str] = []

    class Output(io.StringIO):
        def flush(self) -> None:
            flushed.append(self.getvalue())

    def benchmark(*args: Any, report: Callable[[str], None], **options: Any) -> list[str]:
        report("a line of it")
        assert flushed == ["a line of it\n"]
        return []

    monkeypatch.setattr(sys, "stdout", Output())
    calls = coco_spies(spies, benchmark=benchmark)
    assert main(["coco"]) == 0
    assert calls[-1][0] == "render"


@pytest.mark.parametrize("error", [TypeError("d must be an integer"), ValueError("n is too small")])
def test_coco_says_what_is_wrong(
    error: Exception, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    coco_spies(spies, benchmark=error)
    assert complaint(capsys, "coco") == str(error)


def test_coco_needs_pycma_for_cma_alone(
    capsys: pytest.CaptureFixture[str], spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = coco_spies(spies)
    monkeypatch.setattr(coco, "available", lambda: ("soo",))
    said = complaint(capsys, "coco", "--algorithms", "cma", "soo", "--no-figures")
    assert said == "pycma is not installed: pip install cma"
    assert [name for name, _, _ in calls] == ["extra"]
    for algorithms in ([], ["--algorithms", "soo"]):
        assert main(["coco", *algorithms]) == 0


@pytest.mark.parametrize("text", ["1,,2", "x", "3-", "-3", "1-2-3", "12345", "1-12345", "1x", ""])
def test_what_is_no_list_of_numbers_is_named(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["coco", f"--functions={text}"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert f"must be a list of numbers and ranges such as 1,3,8-14, got {text!r} (" in said


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("7", [7]), ("0-2", [0, 1, 2]), (" 4 , 6-6 ", [4, 6]), ("1234", [1234]), ("9,8", [9, 8]),
     ("9998-9999", [9998, 9999])],
)  # fmt: skip
def test_numbers_and_ranges_are_read(text: str, numbers: list[int]) -> None:
    assert coco.numbers_of(text) == numbers


def test_a_range_that_goes_down_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["coco", "--functions=1,5-4"])
    assert "argument --functions: the range '5-4' must not decrease (" in capsys.readouterr().err
