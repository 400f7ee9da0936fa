"""The golden traces: what is committed is what the package and another implementation do."""

import re

import pytest

from differential import bugs, goldens, oracle, package
from differential.brute_force_forest import Point
from differential.goldens import FORESTS, PAPER, PATHS, README
from differential.test_forest_search import Case, check_against_the_brute_force
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check

INDEX = README.parent / "golden" / "INDEX.md"
ROWS = re.findall(r"^\| `(\S+)\.jsonl` \| (\S+) \| .+ \|$", INDEX.read_text(encoding="utf-8"), re.M)


def test_the_index_says_of_each_file_what_it_shows() -> None:
    there = {path.relative_to(INDEX.parent) for path in PATHS.values()}
    assert sorted(name for name, _ in ROWS) == sorted(str(p.with_suffix("")) for p in there)
    assert len(PAPER) > 30
    assert len(FORESTS) > 10


@pytest.mark.parametrize(("name", "line"), [row for row in ROWS if "/" not in row[0]])
def test_a_trace_catches_a_bug_in_the_line_that_the_index_names(name: str, line: str) -> None:
    trace = goldens.events(name)
    of_line = [bug for bug in bugs.BUGS if bug.line == line]
    assert any(bugs.first_difference(bug, trace) is not None for bug in of_line)


@pytest.mark.long
def test_the_readme_has_the_table_of_bugs() -> None:
    assert README.read_text(encoding="utf-8") == goldens.readme()


@pytest.mark.long
def test_at_least_two_traces_catch_each_bug() -> None:
    found = goldens.caught()
    assert len(found) >= 100
    assert {name: traces for name, traces in found.items() if len(traces) < 2} == {}


@pytest.mark.parametrize("name", PATHS)
def test_the_package_writes_this_trace_and_it_conforms(name: str) -> None:
    committed = PATHS[name].read_text(encoding="utf-8")
    assert committed == goldens.text(goldens.settings(name), goldens.values(name))
    statement = "the policy forest" if name in FORESTS else "Algorithm 1"
    events = len(committed.splitlines()) - 1
    said = f"The trace conforms to {statement}: {events} events."
    assert str(check(committed.splitlines())) == said


@pytest.mark.parametrize("name", PAPER)
def test_the_rocq_model_does_the_same(name: str) -> None:
    settings, g = goldens.settings(name), goldens.objective(name)
    assert isinstance(settings, Settings)
    assert package.run(settings, g) == oracle.run(settings, g)


@pytest.mark.claim("constant-share")  # with the turns of rule F9, written a second time
@pytest.mark.parametrize("name", FORESTS)
def test_the_brute_force_does_the_same(name: str) -> None:
    settings, values = goldens.settings(name), goldens.values(name)
    assert isinstance(settings, ForestSettings)

    def g(k: int, y: Point, p: int) -> float:
        return values[k - 1]

    check_against_the_brute_force(Case(settings, g))
