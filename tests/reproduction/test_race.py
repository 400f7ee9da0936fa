"""A race: functions of a file, some methods, one table, ranks; with functions of COCO and SciPy."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from reproduction.benchmark.plan import Start, make_runs, perform
from reproduction.benchmark.race import PART, OwnFunction, available, results_of, starts
from reproduction.benchmark.results import Condition
from reproduction.cli import main
from reproduction.kept_runs import COLUMNS, RunFile
from reproduction.methods import METHODS
from spec.interface.command_spies import complaint

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
COCO = """
import cocoex

problem = cocoex.Suite("bbob", "instances: 1", "function_indices: 8 dimensions: 2")[0]


def hidden(x):
    return problem(x[3:5])


hidden.bounds = (-5, 5)
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
        ("forest", 10, ()), ("cma", 10, ()),
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
    untold = available()
    assert "forest" in untold
    assert not any(METHODS[name].told_d_e for name in untold)
    assert {"fresh", "indexed", "resoo", *untold} <= set(available(3))
    # One must know the function, the other is a variant of the benchmark's set "settings".
    assert not {"radial_random_search_best", "resoo_20_0.25"} & set(available(3))
    (line,) = perform(starts([own("shifted", n=5, told=3)], ["resoo"], [10], 1)[0])
    assert (line["told"], line["d_e"]) == ("d_e", 3)
    assert "d_e" not in perform(starts([own("shifted", n=5, told=3)], ["cma"], [10], 1)[0])[0]


@pytest.mark.parametrize(
    ("name", "said", "options", "match"),
    [
        ("shifted", {}, {}, "how many variables"),
        ("rosen", {"n": 6}, {}, "bounds for 7 variables, and n is 6"),
        ("rosin", {}, {}, "AttributeError.*rosin"),
        ("rosen", {}, {"methods": ["resoo"]}, "resoo must be told how many"),
        ("rosen", {"told": 8}, {}, "1 .. n = 7, got 8"),
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
    with pytest.raises(ValueError, match="nan"):
        perform(start)


@pytest.mark.skipif(find_spec("cocoex") is None, reason="the extra coco is not installed")
def test_the_command_races_functions_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of COCO and one of SciPy, from the command line."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    Path("coco.py").write_text(COCO)
    options = ["--n", "7", "--budgets", "20", "40", "--runs", "2"]
    named = ["--methods", *METHODS_HERE, "--out", "there"]
    functions = ["--function", "coco.py:hidden", "own.py:rosen"]
    assert main(["race", *functions, *options, *named]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        str(Path("there", name))
        for name in ("runs.csv", "tables.md", "comparison.svg", "comparison.png")
    ]
    # Of uniform random search two runs of 40 evaluations, of the others runs of 20 and of 40.
    assert said[0].startswith("there: 640 evaluations in ")
    text = Path("there/tables.md").read_text()
    svg = Path("there/comparison.svg").read_text()
    assert "| median at v = 40 | coco.py:hidden | own.py:rosen |" in text
    for label in ("coco.py:hidden", "own.py:rosen"):
        assert f"<!-- {label} -->" in svg
    few = ["--budgets", "5", "--runs", "1", "--no-figure", "--out", "few"]
    assert main(["race", "--function", "own.py:rosen", *few]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "left out, without --told D: fresh, indexed, resoo, sresoo, " in said[-1]
    assert complaint(capsys, "race", "--function", "own.py:broken", "--n", "2", *few).endswith(
        "line 22)"
    )
