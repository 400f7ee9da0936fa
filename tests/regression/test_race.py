"""A race: functions of a file or of the registry, some methods, one table, ranks."""

import re
import shlex
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from reproduction.benchmark.own_method import object_of, text_of
from reproduction.benchmark.plan import Start, make_runs, perform
from reproduction.benchmark.race import PART, OwnFunction, available, results_of, starts
from reproduction.benchmark.results import Condition
from reproduction.benchmark.setup import latex, too_few
from reproduction.cli import main
from reproduction.kept_runs import COLUMNS, RunFile
from reproduction.methods import METHODS
from reproduction.tables import apart
from tool.command_spies import complaint

OWN = """
import numpy as np
from scipy.optimize import rosen as all_of_rosen

seen = []


def rosen(x):
    seen.append(x.copy())
    return all_of_rosen(x[1:4])


rosen.bounds = [(-2, 2)] * 6 + [(0, 3)]
rosen.optimum = 0


def shifted(x):
    return float(np.abs(x - 0.3).sum()) - 7


def broken(x):
    return 1 / 0 if x[0] > 0 else 1.0


def unknown(x):
    return float("nan")
"""
Make = Callable[..., OwnFunction]
METHODS_HERE = ("uniform_random_search", "forest", "cma")


@pytest.fixture
def own(tmp_path: Path) -> Make:
    """A function of a file of its own."""

    def make(name: str, text: str = OWN, file: str = "own.py", **said: Any) -> OwnFunction:
        (tmp_path / file).write_text(text)
        return OwnFunction(f"{tmp_path / file}:{name}", **said)

    return make


def race(wanted: list[Start], folder: Path, jobs: int = 1) -> RunFile:
    return make_runs(wanted, folder, part=PART, jobs=jobs)


def test_what_is_stored_is_what_the_function_returned(own: Make, tmp_path: Path) -> None:
    rosen = own("rosen")
    wanted = starts([rosen], METHODS_HERE, (30, 10), runs=2)
    assert [(s.method, s.v, s.read_at) for s in wanted[:2]] == [
        ("forest", 10, ()), ("forest", 10, ()),
    ]  # fmt: skip
    seen: list[Any] = rosen.opened.f.__globals__["seen"]
    for start in wanted:
        seen.clear()
        lines = perform(start)
        points = np.array(seen)
        assert points.shape == (start.v, 7)
        assert np.abs(points[:, :6]).max() <= 2
        assert points[:, 6].min() >= 0
        assert points[:, 6].max() <= 3
        values = [rosen.opened.f(x) for x in points]
        assert [line["value"] for line in lines] == [
            min(values[:v]) for v in (*start.read_at, start.v)
        ]
        assert lines[-1]["evaluations"] == start.v
    file = race(wanted, tmp_path / "out")
    again = pandas.read_csv(file.path)
    assert tuple(again.columns) == COLUMNS
    assert len(again) == 2 * 2 * 3  # two budgets, two runs, three methods
    assert set(again["function"]) == {"own.py:rosen"}
    assert set(again["n"]) == {7}


def test_no_run_is_made_twice_unless_the_file_changes(own: Make, tmp_path: Path) -> None:
    rosen = own("rosen")
    wanted = starts([rosen], METHODS_HERE, (10,), runs=2)
    race(wanted, tmp_path / "out")
    seen: list[Any] = rosen.opened.f.__globals__["seen"]
    seen.clear()
    file = race(wanted, tmp_path / "out")
    assert seen == []
    before = results_of(file, [rosen], wanted)
    own("rosen", OWN.replace("x[1:4]", "x[2:5]"))
    file = race(wanted[:3], tmp_path / "out")
    assert len(file.lines()) == 9
    changed = results_of(file, [rosen], wanted)
    assert {len(runs) for runs in changed.values()} == {1}
    cell = Condition(PART, "own.py:rosen", "uniform_random_search", 10)
    assert changed[cell][0] != before[cell][0]
    own("rosen")
    assert results_of(file, [rosen], wanted) == before


def test_values_count_from_the_optimum_or_from_the_least_value(own: Make, tmp_path: Path) -> None:
    rosen, shifted = own("rosen"), own("shifted", n=5)
    wanted = starts([rosen, shifted], METHODS_HERE, (20, 40), runs=2)
    file = race(wanted, tmp_path)
    found, lines = results_of(file, [rosen, shifted], wanted), file.lines()
    assert len(found) == 2 * 3 * 2
    least = {"own.py:rosen": 0.0}
    of_shifted = lines["value"][lines["function"] == "own.py:shifted"]
    least["own.py:shifted"] = of_shifted.min()
    assert least["own.py:shifted"] < 0
    for (_, name, method, v), runs in found.items():
        cell = lines[(lines["function"] == name) & (lines["method"] == method) & (lines["v"] == v)]
        assert runs == tuple(cell.sort_values("run")["value"] - least[name])


def test_who_must_be_told_takes_part_only_if_told(own: Make) -> None:
    untold = available(told=False)
    assert "forest" in untold
    assert not any(METHODS[name].told_d_e for name in untold)
    assert {"fresh", "indexed", "resoo", *untold} <= set(available(told=True))
    # One must know the function, the other is a variant of the benchmark's set "settings".
    assert not {"radial_random_search_best", "forest_20"} & set(available(told=True))
    (line,) = perform(starts([own("shifted", n=5, guess=3)], ["resoo"], [10], 1)[0])
    assert (line["told"], line["d_e"]) == ("d_e", 3)
    assert "d_e" not in perform(starts([own("shifted", n=5, guess=3)], ["cma"], [10], 1)[0])[0]


@pytest.mark.parametrize(
    ("name", "said", "options", "match"),
    [
        ("shifted", {}, {}, "how many variables"),
        ("rosen", {"n": 6}, {}, "bounds for 7 variables, and n is 6"),
        ("rosin", {}, {}, "AttributeError.*rosin"),
        ("rosen", {}, {"methods": ["resoo"]}, "resoo must be told how many"),
        ("rosen", {"guess": 8}, {}, "1 .. n = 7, got 8"),
        ("rosen", {}, {"budgets": [0, 10]}, "budgets must be"),
        ("shifted", {"n": 3, "bounds": (1.0, -1.0)}, {}, "low <= high"),
    ],
)
def test_what_makes_no_sense_is_refused(
    own: Make, name: str, said: dict[str, Any], options: dict[str, Any], match: str
) -> None:
    with pytest.raises(ValueError, match=match):
        starts([own(name, **said)], **options)


def test_two_functions_of_one_name_are_refused(own: Make) -> None:
    with pytest.raises(ValueError, match="two functions have one name"):
        starts([own("rosen"), own("rosen")])


def test_a_function_that_fails_is_named_with_its_line(own: Make) -> None:
    (start,) = starts([own("broken", n=2)], ["uniform_random_search"], [50], 1)
    line = OWN.splitlines().index("    return 1 / 0 if x[0] > 0 else 1.0") + 1
    with pytest.raises(ValueError, match=rf"ZeroDivisionError.*own\.py, line {line}\)"):
        perform(start)
    (start,) = starts([own("unknown", n=2)], ["uniform_random_search"], [50], 1)
    with pytest.raises(ValueError, match=r"^own\.py:unknown has returned nan$"):
        perform(start)


@pytest.mark.skipif(find_spec("cocoex") is None, reason="the extra coco is not installed")
def test_the_command_races_functions_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of COCO and one of SciPy, from the command line."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    options = ["--n", "7", "--budgets", "20", "40", "--runs", "2"]
    named = ["--methods", *METHODS_HERE, "--out", "there"]
    functions = ["--function", "f8,d_e=2", "own.py:rosen", "--told", "2"]
    assert main(["race", *functions, *options, *named]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        str(Path("there", name))
        for name in (
            "runs.csv",
            "tables.md",
            "tables.tex",
            "comparison.svg",
            "comparison.png",
            "comparison.pdf",
        )
    ] + [said[-1]]
    assert said[-1].startswith("Warning: 2 runs can show no difference")
    # Of each function two runs of 40 evaluations, of the forest also of 20.
    assert said[0].startswith("there: 560 evaluations in ")
    text = Path("there/tables.md").read_text()
    svg = Path("there/comparison.svg").read_text()
    assert "| median at v = 40 | f8,d_e=2 | own.py:rosen |" in text
    for label in ("f8,d_e=2", "own.py:rosen"):
        assert f"<!-- {label} -->" in svg
    few = ["--budgets", "5", "--runs", "1", "--no-figure", "--out", "few"]
    assert main(["race", "--function", "own.py:rosen", *few]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "left out, without --told D: fresh, indexed, resoo, sresoo, " in said[-2]
    assert complaint(capsys, "race", "--function", "own.py:broken", "--n", "2", *few).endswith(
        "line 22)"
    )


@pytest.mark.parametrize("rotated", [False, True])
def test_a_function_of_the_registry_has_an_instance_for_each_run(rotated: bool) -> None:
    """The methods that must be told it are told the effective dimension."""
    function = OwnFunction("zakharov,d_e=3" + rotated * ",rotated", 40)
    assert function.told == 3
    values = [perform(start)[0]["value"] for start in starts([function], ["resoo"], [60], 3)]
    assert len(set(values)) == 3
    box, info = function.box(METHODS["resoo"], 1, 9, ())
    assert (info.n, info.d_e) == (40, 3)
    # The file's function has this attribute, which a callable need not have.
    problem = function.opened.f.instance(1)  # type: ignore[attr-defined]
    assert (problem.rotation is not None) is rotated
    x = np.random.default_rng(1).uniform(-1, 1, 40)
    assert box(x) == float(problem(x))
    assert box(problem.x_star) == pytest.approx(0, abs=1e-12)


def test_a_problem_of_practice_has_bounds_and_an_instance_for_each_run(tmp_path: Path) -> None:
    """Its values are what is compared: the least one is not known."""
    function = OwnFunction("truss", guess=5)
    wanted = starts([function], ["resoo"], [5], 3)
    file = make_runs(wanted, tmp_path, part="race")
    (values,) = results_of(file, [function], wanted).values()
    assert list(values) == [perform(start)[0]["value"] for start in wanted]
    assert len(set(values)) == 3
    assert function.opened.box.n == 126
    instance = function.opened.f.instance(1)  # type: ignore[attr-defined]
    x = np.random.default_rng(1).uniform(-1, 1, 126)
    assert function.box(METHODS["resoo"], 1, 9, ())[0](x) == instance(x)


@pytest.mark.parametrize(
    ("place", "n", "match"),
    [
        ("zakharov,d=5", 10, "or NAME,d_e=5,rotated with a NAME of ellipsoid, "),
        ("f25,d_e=5", 10, "f25,d_e=5: a function is "),
        ("zakharov,d_e=5", None, "how many variables"),
        ("zakharov,d_e=11", 10, "at most n = 10, got 11"),
    ],
)
def test_what_is_no_function_of_the_registry_is_refused(
    place: str, n: int | None, match: str
) -> None:
    with pytest.raises(ValueError, match=match):
        starts([OwnFunction(place, n)])


# --- a method of one's own ------------------------------------------------------------------------

MINE = """
given = []


def search(problem, rng):
    given.append((problem.n, problem.maxfun, problem.effective_dimension, problem.bounds[0]))
    while True:
        problem(rng.uniform(-1, 1, problem.n))


def halves(problem, rng):
    problem([0.5] * problem.n)
    assert problem.left == problem.maxfun - 1


def guided(problem, rng):
    given.append(problem.effective_dimension)
    problem([0.0] * problem.n)


guided.told = True
guided.label = "my search"
"""


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """The place of a method of a file of its own; after the test the registry is as before."""
    before = dict(METHODS)

    def place(name: str, text: str = MINE) -> str:
        (tmp_path / "mine.py").write_text(text)
        return f"{tmp_path / 'mine.py'}:{name}"

    yield place
    METHODS.clear()
    METHODS.update(before)


def given(place: str) -> list[Any]:
    """What the methods of a file were given."""
    found: list[Any] = object_of(place, text_of(place)).__globals__["given"]
    return found


def test_a_method_is_given_a_problem_until_its_budget_is_used(own: Make, mine: Any) -> None:
    rosen, place = own("rosen", guess=3), mine("search")
    wanted = starts([rosen], [], [7], 2, own=[place])
    assert [(s.method, s.place, s.run) for s in wanted] == [
        ("mine.py:search", place, 0), ("mine.py:search", place, 1),
    ]  # fmt: skip
    seen: list[Any] = rosen.opened.f.__globals__["seen"]
    seen.clear()
    lines = [perform(start)[0] for start in wanted]
    assert [line["evaluations"] for line in lines] == [7, 7]
    assert {line["method"] for line in lines} == {"mine.py:search"}
    first, second = np.array(seen[:7]), np.array(seen[7:])
    assert not np.array_equal(first, second)  # each run has a generator of its own
    assert first[:, 6].min() >= 0  # the cube is mapped to the function's bounds
    assert given(place)[-2:] == [(7, 7, None, (-1.0, 1.0))] * 2
    (start,) = starts([rosen], [], [7], 1, own=[mine("halves")])
    assert perform(start)[0]["evaluations"] == 1
    assert np.array_equal(seen[-1], [1.0] * 6 + [2.25])


def test_a_method_is_told_what_it_asks_for(own: Make, mine: Any) -> None:
    """The function's effective dimension, or the guess in its place."""
    place, text = mine("guided"), OWN + "rosen.effective_dimension = 3\n"
    for said, told in (({}, 3), ({"guess": 5}, 5)):
        (start,) = starts([own("rosen", text, **said)], [], [4], 1, own=[place])
        assert perform(start)[0]["d_e"] == told
        assert given(place)[-1] == told
    assert METHODS["mine.py:guided"].label == "my search"
    with pytest.raises(ValueError, match="guided must be told how many"):
        starts([own("shifted", n=5)], [], [4], 1, own=[place])


def test_runs_of_another_text_of_a_method_do_not_count(
    own: Make, mine: Any, tmp_path: Path
) -> None:
    rosen = own("rosen")
    wanted = starts([rosen], ["forest"], [10], 2, own=[mine("search")])
    before = results_of(race(wanted, tmp_path / "out"), [rosen], wanted)
    changed = MINE.replace("rng.uniform(-1, 1,", "rng.uniform(0, 1,")
    wanted = starts([rosen], ["forest"], [10], 2, own=[mine("search", changed)])
    file = race(wanted, tmp_path / "out", jobs=2)
    assert len(file.lines()) == 6  # those of the forest were not made again
    after = results_of(file, [rosen], wanted)
    mine_now = Condition(PART, "own.py:rosen", "mine.py:search", 10)
    assert {cell for cell in after if after[cell] != before[cell]} == {mine_now}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("problem(rng.uniform(2, 3, problem.n))", r"ValueError: a point lies outside .*line 2\)$"),
        ("problem([0.0])", r"ValueError: a point has 7 coordinates; .*line 2\)$"),
        ("problem([0.0] * problem.n); 1 / 0", r"ZeroDivisionError: .*mine\.py, line 2\)$"),
        ("rng.choice(2, 3, False)", r"ValueError: Cannot take a larger sample .*line 2\)$"),
        ("pass", "has evaluated nothing$"),
    ],
)
def test_a_method_that_fails_is_named_with_its_line(
    own: Make, mine: Any, body: str, says: str
) -> None:
    text = f"def search(problem, rng):\n    {body}\n"
    (start,) = starts([own("rosen")], [], [9], 1, own=[mine("search", text)])
    with pytest.raises(ValueError, match=rf"^mine\.py:search:? {says}"):
        perform(start)


def test_a_method_is_not_blamed_for_a_function_that_fails(own: Make, mine: Any) -> None:
    (start,) = starts([own("broken", n=2)], [], [50], 1, own=[mine("search")])
    with pytest.raises(ValueError, match=r"^own\.py:broken: ZeroDivisionError: "):
        perform(start)
    (start,) = starts([own("shifted", n=2)], [], [9], 1, own=[mine("search", "def search(): pass")])
    with pytest.raises(
        ValueError, match=r"^mine\.py:search: TypeError: search\(\) takes 0 .* given$"
    ):
        perform(start)


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("none", MINE, "AttributeError.*none"),
        ("search", "1 / 0", "ZeroDivisionError"),
        ("given", MINE, "mine.py:given must be a function of a problem and a generator, got"),
    ],
)
def test_a_method_that_cannot_be_read_is_refused(
    own: Make, mine: Any, name: str, text: str, match: str
) -> None:
    with pytest.raises(ValueError, match=match):
        starts([own("rosen")], [], own=[mine(name, text)])


# --- what is said of a race -----------------------------------------------------------------------


def test_too_few_runs_to_show_anything_are_warned_of() -> None:
    """With five runs and three comparisons the least p-value is 3 / 16."""
    assert too_few(5, 0) == too_few(7, 3) == too_few(6, 1) == ""
    assert too_few(5, 3) == (
        "Warning: 5 runs can show no difference, even if one method wins all of them: the least "
        "p-value after Holm's correction for 3 comparisons is 0.19. At least 7 runs can."
    )
    assert too_few(5, 1).endswith("is 0.062. At least 6 runs can.")


def test_numbers_have_the_digits_that_tell_them_apart() -> None:
    assert apart([4.0, 4.0]) == ["4", "4"]
    assert apart([3.9991, 3.9992, 3.9991]) == ["3.9991", "3.9992", "3.9991"]
    assert apart([1.0, 1.0 + 1e-12]) == ["1", "1"]
    assert apart([]) == []


def test_a_latex_table_has_medians_quartiles_and_no_bare_underscore() -> None:
    names = ("forest", "uniform_random_search")
    results = {
        Condition(PART, "a_b.py:f", names[0], 100): (1.0, 2.0, 3.0, 4.0, 5.0),
        Condition(PART, "a_b.py:f", names[1], 100): (7.0,),
    }
    assert (
        latex(results, ["50 % of a_b.", "More."])
        == r"""50 \% of a\_b. More.

\begin{tabular}{lr}
\hline
median (quartiles) at v = 100 & a\_b.py:f \\
\hline
forest & \textbf{3} (2, 4) \\
random search, uniform & 7 (7, 7) \\
\hline
\end{tabular}
"""
    )


def test_the_head_of_a_race_has_what_a_comparison_states(
    own: Make, mine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """And another method than the default one is compared with the others."""
    own("rosen")
    mine("search")
    monkeypatch.chdir(tmp_path)
    command = ["race", "--function", "own.py:rosen", "--told", "3", "--method", "mine.py:search",
               "--methods", "forest", "resoo", "--budgets", "9", "--runs", "2", "--no-figure",
               "--out", "out"]  # fmt: skip
    assert main(command) == 0
    assert "Warning: 2 runs can show no difference" in capsys.readouterr().out
    text = Path("out/tables.md").read_text()
    head = text.partition("## Functions")[0]
    for part in (
        "own.py:rosen has 7 variables, bounds within [-2, 3], of which 3 matter, as told.",
        "Told how many variables matter: RESOO; the other methods are told nothing.",
        "Each method made 2 runs on each function with each budget of 9 evaluations.",
        "| own.py:rosen | 7 | within [-2, 3] | 3 | 0 |",
        "| RESOO | resoo | the number that matters | eta = 0.3, K = 3, ",
        "version ", "numpy ", "processors", "column seed", "Warning: 2 runs",
    ):  # fmt: skip
        assert part in head
    assert "| mine.py:search against | own.py:rosen |" in text
    assert main([*command, "--reference", "resoo"]) == 0
    assert "| RESOO against | own.py:rosen |" in Path("out/tables.md").read_text()
    capsys.readouterr()
    expected = "--reference cma is none of the methods: mine.py:search, forest, resoo"
    assert complaint(capsys, *command, "--reference", "cma") == expected


@pytest.mark.long
def test_the_example_of_the_page_tells_the_methods_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file and its command, as printed: the medians at the last budget all differ."""
    page = (Path(__file__).parents[2] / "docs" / "baseline.md").read_text(encoding="utf-8")
    section = page.partition("## Your method, your functions")[2].partition("\n## ")[0]
    program = "".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
    (command,) = re.findall(r"python -m reproduction (race .*?)```", section, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(program)
    before = dict(METHODS)
    try:
        assert main([*shlex.split(command.replace("\\\n", " ")), "--no-figure"]) == 0
    finally:
        METHODS.clear()
        METHODS.update(before)
    text = Path("results-race/tables.md").read_text().partition("| median at v = 1,000 |")[2]
    medians = re.findall(r"\| ([0-9][0-9.e+-]*) \|$", text.partition("\n\n")[0], re.MULTILINE)
    assert len(set(medians)) == len(medians) == 6
