"""The rule set of Algorithm 1 makes the runs of `hunt`, event by event.

The brute force of `spec.algorithm` is not made from a rule set: it is evidence for `hunt` because
it shares no code with it.
"""

from collections.abc import Callable

import instances
import package

from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.rules import ALGORITHM_1, run

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
