"""The comparison: budgets that end exactly, seeds, maps, statistics, files, missing extras."""

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from reproduction.benchmark.pages import cite, fill, update
from reproduction.benchmark.plan import HiddenFunction, Start, make_runs, perform, starts
from reproduction.benchmark.race import available
from reproduction.benchmark.report import blocks, present
from reproduction.benchmark.results import Condition, kept_results, results_of
from reproduction.cli import main
from reproduction.methods import COMPARING, D_E
from reproduction.methods import METHODS as REGISTRY
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo
from reproduction.problems.registry import OF_PAPER
from reproduction.stored.making import PAGES

DOCS = Path(__file__).parents[2] / "docs"
METHODS = {name: method for name, method in REGISTRY.items() if method.sets}
INSTALLED = [name for name, method in METHODS.items() if method.installed]
COMPARED = [name for name in INSTALLED if set(COMPARING) <= set(METHODS[name].sets)]


def sphere(x: Floats) -> Any:
    return ((x[:5].T - 0.3) ** 2).sum(axis=-1)


# The methods


@pytest.mark.parametrize("name", ["soo", *INSTALLED])
@pytest.mark.parametrize("v", [1, 61])
def test_a_method_uses_its_budget_exactly_inside_the_cube(name: str, v: int) -> None:
    """The box raises for a point outside, and for a method that ends by another error.

    The greatest guess of d_e in the registry is 50, so there are more coordinates than that.
    """
    box = BlackBox(sphere, 60, v, (1,))
    info = ProblemInfo(60, 3)
    with suppress(Exhausted):
        REGISTRY[name].run(box, info, np.random.default_rng(5))
    assert box.evaluations == v
    assert set(box.best_at) == {1, v}


@pytest.mark.parametrize("name", COMPARED)
def test_a_run_is_a_function_of_its_name(name: str) -> None:
    # n = 10,000 if all coordinates are needed
    problem_set, v = ("rotated", 30) if METHODS[name].full else ("axis-aligned", 40)
    start = Start(HiddenFunction(problem_set, "ackley"), name, v, 3, (20,))
    first, again, other = perform(start), perform(start), perform(start._replace(run=4))
    values = [[line["value"] for line in lines] for lines in (first, again, other)]
    assert values[0] == values[1] != values[2]
    assert first[-1]["evaluations"] == v
    assert [line["v"] for line in first] == [20, v]


@pytest.mark.parametrize("name", [name for name in COMPARED if METHODS[name].anytime])
def test_a_longer_run_of_an_anytime_method_only_goes_on(name: str) -> None:
    short = Start(HiddenFunction("rotated", "ellipsoid"), name, 100, 0)
    long = perform(short._replace(v=300, read_at=(100,)))
    # Products of other sizes may be rounded otherwise.
    assert perform(short)[0]["value"] == pytest.approx(long[0]["value"], rel=1e-9)
    assert long[1]["value"] <= long[0]["value"]


def test_instances_belong_to_runs_not_to_methods_or_budgets() -> None:
    hidden = HiddenFunction("rotated", "fletcher_powell")
    z = np.full(D_E, 0.1)
    value = hidden.instance(2).effective(z)
    for name, v in (("fresh", 100), ("resoo", 300)):
        box, _ = hidden.box(METHODS[name], 2, v, ())
        assert box(hidden.instance(2).rotation @ z) == pytest.approx(value)
    assert hidden.instance(3).effective(z) != value
    aligned = HiddenFunction("axis-aligned", "fletcher_powell")
    assert aligned.instance(2).effective(z) == aligned.instance(2, n=D_E).effective(z)


# The files, the command


CHEAP = ("fresh", "resoo", "uniform_random_search", "radial_random_search")


@pytest.mark.long
def test_tables_and_pages_are_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    cell = "<!-- mean: rotated ackley fresh 100 -->"
    page.write_text(f"é ?{cell}\n<!-- table: ranks -->\n<!-- end -->\n", encoding="utf-8")
    functions = [HiddenFunction("rotated", name) for name in OF_PAPER]
    file = make_runs(starts(functions, CHEAP, [100], 2), tmp_path)
    found = results_of(file.lines())
    assert present(found, tmp_path, picture=False) == [tmp_path / "tables.md"]
    text = (tmp_path / "tables.md").read_text(encoding="utf-8")
    runs = found[Condition("rotated", "ackley", "fresh", 100)]
    assert f" {np.median(runs):.2g} |" in text
    assert "| blocks (function, run) |  | 8 |\n" in text
    update(page, blocks(found), found)
    table = blocks(found)["ranks"]
    assert page.read_text(encoding="utf-8") == (
        f"é {np.mean(runs):.2g}{cell}\n<!-- table: ranks -->\n\n{table}\n<!-- end -->\n"
    )


@pytest.mark.long
def test_the_pages_say_what_the_files_say() -> None:
    """Every table, and every number that the text gives of the results."""
    found = kept_results()
    tables = blocks(found)
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        assert cite(fill(text, tables), found) == text
        assert text.count("<!-- table: ") >= 1
        for named in re.findall(r"\]\(([^):#]+)", text):
            # A picture of the gallery is made with the site; its program is stored.
            kept = re.sub(r"^auto_gallery/images/sphx_glr_(\w+)_\d+\.png$", r"gallery/\1.py", named)
            assert ((DOCS / page).parent / kept).exists(), named


@pytest.mark.parametrize(("method", "module"), [("sep_cma", "cma"), ("direct_l", "nlopt")])
def test_a_missing_extra_is_named(
    method: str,
    module: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ackley = ["--function", "ackley,d_e=3", "--n", "9"]
    assert main(["race", *ackley, "--methods", method, "--out", str(tmp_path / "out")]) == 2
    assert "pip install -e '.[compare]' in a checkout" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_without_extras_the_others_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reproduction.optimizers.method.find_spec", lambda name: None)
    assert not any(METHODS[name].needs for name in available(told=True))
    assert {"fresh", "differential_evolution"} <= set(available(told=True))


def test_a_method_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for given, question in (("fressh", "; did you mean fresh?"), ("12345", "")):
        with pytest.raises(SystemExit):
            main(["race", "--function", "ackley,d_e=3", "--methods", "resoo", given])
        said = capsys.readouterr().err
        assert f"there is no method '{given}'{question} (see" in said
        assert said.count("\n") == 1
