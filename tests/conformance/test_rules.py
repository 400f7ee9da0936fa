"""The rule sets make the runs of the generators that they describe, event by event.

The brute force of `spec.algorithm` is not made from a rule set: it is evidence for the generators
because it shares no code with them.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import forest_instances
import instances
import package
import pytest

from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.rules import ALGORITHM_1, Rules, forest, run

RUNS = 150


def events(hunter: Callable[[Settings], Hunt], seed: int) -> list[Fields]:
    instance, eta, M, g = instances.instance(seed)
    settings = package.settings_of(instance, eta, M)
    written: list[Fields] = []
    package.run(settings, g, traced(hunter(settings), settings, written.append))
    return written


def test_the_rules_of_algorithm_1_make_its_run() -> None:
    for seed in range(RUNS):
        assert events(lambda s: run(ALGORITHM_1, s), seed) == events(hunt, seed), f"seed {seed}"


def forest_events(hunter: Callable[[ForestSettings], Hunt], seed: int) -> list[Fields]:
    instance, g = forest_instances.instance(seed)
    settings = forest_instances.settings_of(instance)
    written: list[Fields] = []
    package.run(settings, g, traced(hunter(settings), settings, written.append))
    return written


@pytest.mark.claim("forest-queues", "forest-zero-vector-once", "forest-evaluated-once")
def test_the_rules_of_a_forest_make_its_run() -> None:
    for seed in range(RUNS):
        made = forest_events(lambda s: run(forest(s), s), seed)
        assert made == forest_events(hunt_forest, seed), f"seed {seed}"


@pytest.mark.parametrize("rule", ["number", "group", "start", "accepts", "threshold", "evaluates"])
def test_no_rule_of_a_forest_is_that_of_algorithm_1(rule: str) -> None:
    """Else the test above would not see it."""

    def changed(settings: ForestSettings) -> Rules:
        return replace(forest(settings), **{rule: getattr(SIMPLE, rule)})

    assert any(
        forest_events(lambda s: run(changed(s), s), seed) != forest_events(hunt_forest, seed)
        for seed in range(RUNS)
    )


SIMPLE = replace(
    ALGORITHM_1,
    start=lambda now: {False: math.inf},
    accepts=lambda leaf, now: True,
    threshold=lambda leaf, now: {True: leaf.f_star, False: leaf.f_star},
    evaluates=lambda node, settings: True,
)
"""Rules with the types of those of a forest, which differ from them."""
