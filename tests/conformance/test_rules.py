"""The rule sets make the runs of the generators that they describe, event by event."""

import math
from collections.abc import Callable
from dataclasses import replace

import instances
import package
import pytest

from embedded_hunter.baselines.resoo import hunt_resoo, shares
from embedded_hunter.baselines.soo import consecutive, hunt_soo
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.rules import ALGORITHM_1, SOO, Rules, run

RUNS = 150


def run_resoo(settings: Settings, P: int = 3) -> Hunt:
    """RESOO by rule sets: that of SOO for each tree, with the number of its matrix."""
    runs: list[Hunt] = []
    for p, v in enumerate(shares(settings.v, P), 1):
        tree = Settings(settings.n, settings.d, v, K=settings.K, h_max=math.isqrt(v))
        runs.append(run(with_matrix(p), tree))
    return consecutive(runs)


def with_matrix(p: int) -> Rules:
    """The rule set of SOO, with the number of a matrix."""
    return replace(SOO, number=lambda node: p)


def events(hunter: Callable[[Settings], Hunt], seed: int) -> list[Fields]:
    instance, eta, M, g = instances.instance(seed)
    settings = package.settings_of(instance, eta, M)
    written: list[Fields] = []
    package.run(settings, g, traced(hunter(settings), settings, written.append))
    return written


@pytest.mark.parametrize(
    ("rules", "generator"),
    [
        (lambda settings: run(ALGORITHM_1, settings), hunt),
        (lambda settings: run(SOO, settings), hunt_soo),
        pytest.param(run_resoo, lambda settings: hunt_resoo(settings, 3), marks=pytest.mark.long),
    ],
    ids=["Algorithm 1", "SOO", "RESOO"],
)
def test_a_rule_set_makes_the_run_of_the_generator(
    rules: Callable[[Settings], Hunt], generator: Callable[[Settings], Hunt]
) -> None:
    for seed in range(RUNS):
        assert events(rules, seed) == events(generator, seed), f"seed {seed}"


def test_the_rule_sets_differ() -> None:
    """Else the tests above would not tell them apart."""
    differ = [
        seed
        for seed in range(RUNS)
        if events(lambda s: run(ALGORITHM_1, s), seed) != events(lambda s: run(SOO, s), seed)
    ]
    assert len(differ) > RUNS // 2
