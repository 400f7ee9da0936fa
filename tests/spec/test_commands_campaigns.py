"""The commands over the experiments pass on what they are told, and say what was done.

What the experiments compute is specified in tests/experiments; here they are replaced by spies.
"""

import codecs
import io
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from embedded_hunter.cli import main
from embedded_hunter.commands import coco, compare, figure, reproduce
from embedded_hunter.commands.provenance import provenance
from embedded_hunter.experiments.coco import ALGORITHMS, Setting
from embedded_hunter.experiments.compare import plan
from embedded_hunter.experiments.plan import EXPERIMENTS, PROBLEM_NAMES

Calls = list[tuple[str, tuple[Any, ...], dict[str, Any]]]
Spies = Callable[..., Calls]


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> Spies:
    """Replace functions of a module: what each is to return, or to raise; get their calls."""

    def replace(module: ModuleType, **answers: Any) -> Calls:
        calls: Calls = []

        def spy(name: str, answer: Any) -> Callable[..., Any]:
            def called(*args: Any, **kwargs: Any) -> Any:
                calls.append((name, args, kwargs))
                if isinstance(answer, Exception):
                    raise answer
                return answer(*args, **kwargs) if callable(answer) else answer

            return called

        for name, answer in answers.items():
            monkeypatch.setattr(module, name, spy(name, answer))
        return calls

    return replace


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run what makes no sense; return the one line that is said."""
    assert main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert not printed.out
    start = f"embedded-hunter {arguments[0]}: error: "
    assert printed.err.startswith(start)
    return printed.err.removeprefix(start).removesuffix("\n")


# --- figure --------------------------------------------------------------------------------------


def test_figure_writes_the_report_beside_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    files = [tmp_path / "figure-1.svg", tmp_path / "figure-1.png"]
    calls = spies(figure, extra=None, report="Größe\n", figure=files)
    given = (str(tmp_path), "there", "by hand")
    assert main(["figure", given[0], "--published", "there", "--note", "by hand"]) == 0
    assert calls == [
        ("extra", ("matplotlib",), {}),
        ("report", given, {}),
        ("figure", given, {}),
    ]
    assert (tmp_path / "report.md").read_bytes() == "Größe\n".encode()
    said = capsys.readouterr().out
    assert said == "".join(f"{path}\n" for path in [*files, tmp_path / "report.md"])
    calls.clear()
    assert main(["figure", str(tmp_path)]) == 0
    assert calls[1:] == [(name, (given[0], None, ""), {}) for name in ("report", "figure")]


def test_the_report_is_utf_8_wherever_it_is_written(
    tmp_path: Path, spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    encodings: list[Any] = []
    monkeypatch.setattr(Path, "write_text", lambda path, text, encoding: encodings.append(encoding))
    spies(figure, extra=None, report="Größe", figure=[])
    assert main(["figure", str(tmp_path)]) == 0
    assert [codecs.lookup(name).name for name in encodings] == ["utf-8"]


def test_figure_says_what_is_wrong(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    spies(figure, report=ValueError("no experiment in there"))
    assert complaint(capsys, "figure", "there") == "no experiment in there"


def test_figure_needs_matplotlib(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert complaint(capsys, "figure", "there") == (
        "matplotlib is not installed; it comes with: pip install 'embedded-hunter[experiments]'"
    )


# --- reproduce -----------------------------------------------------------------------------------


class _Store:
    closed = False

    def cost(self) -> tuple[int, float]:
        assert not self.closed
        return 4_000_000, 1234.4

    def close(self) -> None:
        self.closed = True


DEFAULTS: dict[str, Any] = {
    "profile": "paper", "runs": 20, "problems": PROBLEM_NAMES, "algorithms": None, "jobs": 1,
    "backend": "loky", "full": False,
}  # fmt: skip


def test_reproduce_runs_everything_unless_told(
    capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    stores = [_Store(), _Store()]
    left = iter(stores)
    calls = spies(reproduce, reproduce=lambda *args, **options: next(left))
    assert main(["reproduce"]) == 0
    assert calls == [("reproduce", (list(EXPERIMENTS), "results-paper"), DEFAULTS)]
    assert stores[0].closed
    assert capsys.readouterr().out == (
        "results-paper: 4,000,000 evaluations in 1,234 seconds of processor time, "
        "308.6 microseconds each (effective rows only)\n"
        "embedded-hunter figure results-paper draws and compares them\n"
    )
    calls.clear()
    stores[1].cost = lambda: (7, 1234.5)  # type: ignore[method-assign]
    assert main(["reproduce", "scalability", "all"]) == 0
    assert (
        "7 evaluations in 1,234 seconds of processor time, 176357142.9 mic"
        in capsys.readouterr().out
    )
    assert calls == [("reproduce", (list(EXPERIMENTS), "results-paper"), DEFAULTS)]


def test_reproduce_passes_on_every_option(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    calls = spies(reproduce, reproduce=lambda *args, **options: _Store())
    assert main(["reproduce", "convergence", "scalability", "--profile", "released"]) == 0
    names = ["convergence", "scalability"]
    assert calls.pop() == (
        "reproduce", (names, "results-released"), DEFAULTS | {"profile": "released"}
    )  # fmt: skip
    capsys.readouterr()
    options = ["--profile", "released", "--runs", "1", "--jobs", "-1", "--out", "there", "--full"]
    options += ["--problems", "ackley", "--algorithms", "resoo", "sresoo"]
    assert main(["reproduce", "convergence", *options]) == 0
    expected = {
        "profile": "released", "runs": 1, "problems": ["ackley"], "algorithms": ["resoo", "sresoo"],
        "jobs": -1, "backend": "loky", "full": True,
    }  # fmt: skip
    assert calls == [("reproduce", (["convergence"], "there"), expected)]
    said = capsys.readouterr().out
    assert said.startswith("there: 4,000,000 evaluations")
    assert "308.6 microseconds each (all rows)\n" in said
    assert said.endswith("embedded-hunter figure there draws and compares them\n")


@pytest.mark.parametrize(
    "options", [["--runs", "0"], ["--jobs", "0"], ["--jobs", "-2"], ["--runs", "-3", "--jobs", "2"]]
)
def test_reproduce_refuses_numbers_that_mean_nothing(
    options: list[str], capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = spies(reproduce, reproduce=_Store(), study=None)
    for what in ("all", "family"):
        said = complaint(capsys, "reproduce", what, *options)
        assert said == "--runs must be at least 1, --jobs at least 1 or -1"
    assert not calls


def test_reproduce_says_what_is_wrong(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    spies(reproduce, reproduce=ValueError("no experiment 'x'"))
    assert complaint(capsys, "reproduce", "x") == "no experiment 'x'"


def test_a_study_of_the_family_is_passed_on(
    capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = spies(reproduce, study=lambda folder, runs, say, commit: say("half of it"))
    assert main(["reproduce", "family", "--runs", "3"]) == 0
    folder, commit = Path("results-family"), provenance("reproduce family")["commit"]
    assert calls == [("study", (folder, 3, print, commit), {})]
    assert capsys.readouterr().out == "half of it\nresults-family/study.md has the tables\n"
    calls.clear()
    assert main(["reproduce", "family", "--out", "there"]) == 0
    assert calls[0][1][:2] == (Path("there"), 20)
    assert capsys.readouterr().out.endswith("\nthere/study.md has the tables\n")


@pytest.mark.parametrize("error", [OSError("it is read-only"), ValueError("it is something else")])
def test_a_study_that_cannot_be_kept_is_told(
    error: Exception, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    spies(reproduce, study=error)
    said = complaint(capsys, "reproduce", "family", "--out", "there")
    assert said == f"--out there: {error}"


@pytest.mark.parametrize("address", [None, "tcp://there:8786"])
def test_a_cluster_is_there_while_the_runs_are_made(
    address: str | None, spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Any] = []

    @contextmanager
    def client(scheduler: str | None) -> Any:
        events.append(("begin", scheduler))
        yield
        events.append("end")

    def run(*args: Any, **options: Any) -> _Store:
        events.append(options["backend"])
        return _Store()

    distributed = ModuleType("distributed")
    monkeypatch.setattr(distributed, "Client", client, raising=False)
    monkeypatch.setitem(sys.modules, "distributed", distributed)
    spies(reproduce, reproduce=run)
    scheduler = [] if address is None else ["--scheduler", address]
    assert main(["reproduce", "convergence", "--backend", "dask", *scheduler]) == 0
    assert events == [("begin", address), "dask", "end"]
    events.clear()
    assert main(["reproduce", "convergence", *scheduler]) == 0
    assert events == ["loky"]


def test_dask_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = spies(reproduce, reproduce=_Store())
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert complaint(capsys, "reproduce", "--backend", "dask") == (
        "dask's distributed is not installed; it comes with: pip install 'embedded-hunter[dask]'"
    )
    assert not calls


# --- compare -------------------------------------------------------------------------------------


def compare_spies(spies: Spies, **answers: Any) -> Calls:
    """Spies on all that `compare` uses; of the methods two are installed."""
    usual: dict[str, Any] = {
        "extra": None, "compare": (12_345, 6789.4), "measure_overhead": None,
        "present": [Path("there/tables.md"), Path("there/comparison.svg")],
    }  # fmt: skip
    return spies(compare, **{**usual, **answers})


@pytest.fixture
def two_methods(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two methods are installed, sep_cma among the others; what is said of those that are not."""
    monkeypatch.setattr(plan, "available", lambda: ("fresh", "resoo"))
    return [name for name in plan.METHODS if name not in ("fresh", "resoo")]


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
        ("compare", (wanted, "results-compare"), {"jobs": 1}),
        ("present", ("results-compare", "", True, []), {}),
    ]
    assert capsys.readouterr().out == (
        "results-compare: 12,345 evaluations in 6,789 seconds of processor time\n"
        "not installed (pip install 'embedded-hunter[compare]'): "
        f"{', '.join(two_methods)}\n"
        "there/tables.md\nthere/comparison.svg\n"
    )


def test_compare_passes_on_every_option(
    capsys: pytest.CaptureFixture[str], spies: Spies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "available", lambda: tuple(plan.METHODS))
    calls = compare_spies(spies)
    options = ["--sets", "axis-aligned", "--budgets", "100", "300", "1000", "--methods", "sep_cma"]
    options += ["fresh", "--problems", "ackley", "--runs", "4", "--dear-runs", "2"]
    options += ["--dear-budget", "300", "--jobs", "-1", "--out", "there", "--overhead"]
    options += ["--no-figure", "--note", "by hand", "--pages", "a.md", "b.md"]
    assert main(["compare", *options]) == 0
    methods = ("sep_cma", "fresh")
    wanted = plan.tasks(["axis-aligned"], [100, 300, 1000], 4, methods, ["ackley"], 2, 300)
    dear = {(task.x, task.run) for task in wanted if task.algorithm == "sep_cma"}
    assert dear == {(300, 0), (300, 1)}  # so that both limits are seen below
    assert calls == [
        ("extra", ("cma", "compare"), {}),
        ("compare", (wanted, "there"), {"jobs": -1}),
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


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_compare_refuses_numbers_that_mean_nothing(
    jobs: str, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = compare_spies(spies)
    said = complaint(capsys, "compare", "--no-runs", "--jobs", jobs)
    assert said == "--jobs must be at least 1 or -1"
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
    monkeypatch.setattr(coco, "available", lambda: tuple(ALGORITHMS))
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
    assert f"argument --functions: {text!r} is no list such as 1,3,8-14 (" in said


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("7", [7]), ("0-2", [0, 1, 2]), (" 4 , 6-6 ", [4, 6]), ("1234", [1234]), ("9,8", [9, 8]),
     ("9998-9999", [9998, 9999])],
)  # fmt: skip
def test_numbers_and_ranges_are_read(text: str, numbers: list[int]) -> None:
    assert coco._numbers(text) == numbers


def test_a_range_that_goes_down_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["coco", "--functions=1,5-4"])
    assert "argument --functions: '5-4' is empty (" in capsys.readouterr().err
