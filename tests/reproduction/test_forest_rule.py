"""The rules of expansion of the default forest (`studies/forest_rule.py`)."""

from collections.abc import Iterator

import numpy as np
import pytest

from embedded_hunter.baselines.sequool import expansions, hunt_sequool
from embedded_hunter.forest.search import Forest, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt
from embedded_hunter.node import Node
from embedded_hunter.run.drive import drive
from reproduction.studies.forest_rule import (
    POLICY,
    RULES,
    Run,
    SoosTest,
    SoosTestBesideZero,
    Sweeps,
    search_of,
    sequools_rule,
)
from reproduction.studies.sequool import objective


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
    f = objective("ackley", np.random.default_rng(1))
    found = {
        rule: [
            value
            for _, values in drive(search_of(Run(rule, "ackley", 500, 0)), f)
            for value in values
        ]
        for rule in RULES
    }
    assert len({tuple(values) for values in found.values()}) == len(RULES)
    assert POLICY in found
