"""The rules of expansion of the default forest (`studies/forest_rule.py`)."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.baselines.sequool import expansions, hunt_sequool
from embedded_hunter.forest.search import Forest, ForestVisit, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt
from embedded_hunter.node import Node
from embedded_hunter.run.drive import drive
from reproduction.kept_runs import Values, read
from reproduction.studies.forest_rule import (
    BUDGETS,
    COLUMNS,
    POLICY,
    RULES,
    RUNS,
    RootsFirst,
    Run,
    SoosTest,
    SoosTestBesideZero,
    SoosTestRootsFirst,
    Sweeps,
    pairs_of,
    plan,
    search_of,
    sequools_rule,
    table_of,
    won_and_lost,
)
from reproduction.studies.sequool import FUNCTIONS, objective

DOCS = Path(__file__).parents[2] / "docs"
VALUES = read(DOCS / "results" / "forest-rule" / "runs.csv", COLUMNS)


def expanded(run: Hunt, levels: int = 1000) -> Iterator[tuple[int, Node]]:
    """Yield (sweep, leaf) of each expansion; values are random and have ties."""
    rng, visit = np.random.default_rng(7), next(run)
    while True:
        yield from ((visit.sweep, leaf) for leaf, _ in visit.expansions)
        values = rng.integers(1, levels, len(visit.evaluations)) / levels
        try:
            visit = run.send(values.tolist())
        except StopIteration:
            return


def settings_of(refine: bool) -> ForestSettings:
    return ForestSettings(100, 900, dimensions=(3, 4), n_embeddings=5, refine=refine, evolve=False)


@pytest.mark.parametrize("refine", [False, True])
def test_sweeps_stated_in_this_way_are_those_of_the_policy(refine: bool) -> None:
    settings = settings_of(refine)
    runs = [expanded(hunt_forest(settings, forest=leaves)) for leaves in (Forest, Sweeps)]
    ours, theirs = ([(s, leaf.h, leaf.i) for s, leaf in run] for run in runs)
    assert ours == theirs
    assert len(ours) > 100


@pytest.mark.parametrize(("leaves", "zero_too"), [(SoosTest, True), (SoosTestBesideZero, False)])
def test_soos_test_expands_leaves_with_equal_values(leaves: type[Forest], zero_too: bool) -> None:
    """In a queue, values do not increase from depth to depth of a sweep; which ones stay equal."""
    last: dict[tuple[int, bool], float] = {}
    equal = {True: 0, False: 0}
    for sweep, leaf in expanded(hunt_forest(settings_of(refine=False), forest=leaves), levels=6):
        queue = sweep, leaf.nrm == 0
        before = last.get(queue)
        assert before is None or leaf.f_star <= before
        equal[leaf.nrm == 0] += leaf.f_star == before
        last[queue] = leaf.f_star
    assert equal[False] > 0
    assert (equal[True] > 0) is zero_too


@pytest.mark.parametrize("leaves", [RootsFirst, SoosTestRootsFirst])
def test_roots_first(leaves: type[Forest]) -> None:
    found = list(expanded(hunt_forest(settings_of(refine=False), forest=leaves)))
    assert [(s, leaf.h, leaf.i) for s, leaf in found[:5]] == [(1, 0, q) for q in range(5)]
    assert found[5][1].h == 1


def test_sequools_rule_is_that_of_the_baseline_as_long_as_it_goes() -> None:
    """Then depth 2 is next: no leaf of depth 1 is left."""
    H, P = 12, 5
    settings = settings_of(refine=False)
    theirs = [(leaf.h, leaf.i) for _, leaf in expanded(hunt_sequool_to(H, P))]
    ours = [
        (s, leaf.h, leaf.i)
        for s, leaf in expanded(hunt_forest(settings, forest=sequools_rule(H, P)))
    ]
    assert [leaf for _, *leaf in ours[: len(theirs)]] == [[*leaf] for leaf in theirs]
    assert max(h for h, _ in theirs) == H
    assert sum(h == 1 for h, _ in theirs) == 3 * P
    assert ours[len(theirs)][1] == 2


def hunt_sequool_to(H: int, P: int) -> Hunt:
    """Return SequOOL's run with a budget that gives this H."""
    v = 1 + 2 * expansions(H, P, separate_origin=True)
    settings = ForestSettings(100, v, dimensions=(3, 4), n_embeddings=P, refine=False, evolve=False)
    return hunt_sequool(settings, P=P, separate_origin=True)


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_uses_the_whole_budget(rule: str) -> None:
    f = objective("ackley", np.random.default_rng(1))
    assert sum(len(values) for _, values in drive(search_of(Run(rule, "ackley", 500, 0)), f)) == 500


def test_the_rules_differ() -> None:
    f = objective("rosenbrock", np.random.default_rng(1))
    found = {
        rule: [
            value
            for _, values in drive(search_of(Run(rule, "rosenbrock", 2000, 0)), f)
            for value in values
        ]
        for rule in RULES
    }
    assert len({tuple(values) for values in found.values()}) == len(RULES)
    assert POLICY in found


@pytest.mark.parametrize(
    ("rule", "made"),
    [
        ("sweeps with SOO's test", 801),
        ("SOO's test but for the zero vector", 421),
        ("sweeps, roots first", 41),
        ("SOO's test but for the zero vector, roots first", 41),
        ("SequOOL's rule, H for v/8", 41),
        ("SequOOL's rule, H for v/4", 41),
    ],
)
def test_local_searches_begin_when_the_page_says(rule: str, made: int) -> None:
    """Where the values have no ties, the number of evaluations does not depend on them."""
    f, forest = objective("rosenbrock", np.random.default_rng(1)), 0
    for visit, values in drive(search_of(Run(rule, "rosenbrock", 3000, 0)), f):
        assert isinstance(visit, ForestVisit)
        if visit.local is None:
            forest += len(values)
        elif visit.local.mode != "evolve":
            break
    assert forest == made


def test_the_numbers_that_the_page_states() -> None:
    rule, medians = "SOO's test but for the zero vector, roots first", []
    others = [won_and_lost(pairs_of(VALUES, rule, v, range(20, RUNS)).values()) for v in BUDGETS]
    assert others == [(58, 44), (64, 35)]
    for v in BUDGETS:
        ratios = np.concatenate([a / b for a, b in pairs_of(VALUES, rule, v).values()])
        medians.append(round(float(np.median(ratios[ratios != 1])), 3))
    assert medians == [0.985, 0.98]
    page = (DOCS / "paper" / "forest.md").read_text(encoding="utf-8")
    assert "better in 58 runs and worse in 44" in page
    assert "better in 64 and worse in 35" in page
    assert "is 0.985 at $v = 1{,}000$ and 0.98 at $v = 3{,}000$" in page


def test_the_table_of_small_data() -> None:
    """One rule is better on one function and worse on another one; values of 0 count as equal."""
    rule = "SequOOL's rule, H for v/4"
    values: Values = {
        tuple(map(str, run)): {"ackley": 1.0 + run.run, "distance": 0.0}.get(run.function, 1.0)
        for run in plan()
    }
    for run in range(RUNS):
        values[rule, "ackley", "3000", str(run)] = 0.5
        values[rule, "ellipsoid", "3000", str(run)] = 2.0 + run
        values[rule, "rosenbrock", "3000", str(run)] = 2.0 if run == 7 else 1.0
        values[rule, "distance", "3000", str(run)] = 1e-13
    header, _, *lines = table_of(values).split("\n")
    assert len(lines) == len(BUDGETS) * (len(RULES) - 1)
    (found,) = (line for line in lines if line.startswith(f"| {rule} | 3,000 |"))
    assert found == f"| {rule} | 3,000 | 40:41 | p = 1 | Ackley (40:0) | Ellipsoid (0:40) |"
    same = [line for line in lines if line != found]
    assert all("| 0:0 | p = 1 | none | none |" in line for line in same)
    assert header.count("|") == 7
    assert len(FUNCTIONS) == 10
