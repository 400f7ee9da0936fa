"""The strategies generate what they promise, and reach what they aim at."""

import math
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from differential import strategies
from differential.forest_instances import ForestInstance, forest_instances
from differential.strategies import Instance, exact_base_point
from embedded_hunter.node import children, root
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.policies import run_of
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from embedded_hunter.traces.writing import trace_of
from paper.instances import visits_of

LIMITS = settings(max_examples=3000, database=None, phases=[Phase.generate])


def traced(instance: Instance | ForestInstance) -> list[str]:
    """Run an instance; return its trace."""
    values: list[float] = []

    def told(visit: AnyVisit) -> list[float]:
        g: Any = instance.g
        asked = visit.evaluations
        found = [g(*r) if isinstance(instance, Instance) else g(r) for r in asked]
        values.extend(found)
        return found

    for _ in visits_of(run_of(instance.settings), told):
        pass
    return list(map(dump, trace_of(Run(instance.settings, values=values))))


@given(forest_instances(max_P=3, max_v=60))
def test_forests_run_and_conform(instance: ForestInstance) -> None:
    assert 1 <= instance.settings.n_embeddings <= 3
    assert check(traced(instance)).conforms


@given(strategies.settings(max_d=3, max_v=40, max_h=4))
def test_settings_stay_within_what_was_asked_for(s: Settings) -> None:
    assert s.K in (3, 5, 7)
    assert 1 <= s.d <= min(s.n, 3)
    assert 1 <= s.v <= 40
    assert 0 <= s.h_max <= 4
    again = Settings.from_json(s.as_json())
    assert (again.cap, again.radius, again.v) == (s.cap, s.radius, s.v)


@pytest.mark.claim("evaluation-cap")
def test_settings_reach_the_cap_with_equality() -> None:
    """Of a child of the root: M ||y|| is an integer for the K - 1 that are not the center."""

    def meets(s: Settings) -> bool:
        y = exact_base_point(children(root(s.d), s.K)[0], s)
        value = s.cap / s.side**2 * sum(part**2 for part in y)
        return value > 0 and math.isqrt(int(value)) ** 2 == value

    assert meets(find(strategies.settings(), meets, settings=LIMITS))


@given(strategies.instances(max_d=3), st.integers(1, 9))
def test_a_center_child_has_the_values_of_its_parent(instance: Instance, p: int) -> None:
    s, g = instance
    node = children(root(s.d), s.K)[0]
    center = children(node, s.K)[s.K // 2]
    assert exact_base_point(center, s) == exact_base_point(node, s)
    value = g(node, p)
    assert type(value) is float
    assert not math.isnan(value)
    assert g(node, p) == g(center, p) == value


def reaches(wanted: str) -> bool:
    """Whether a run is found whose trace shows something."""

    def shows(instance: Instance) -> bool:
        events = traced(instance)
        if wanted == "full":
            return '"reason": "h_max"' in events[-1] and len(events) > 20
        if wanted == "cut":
            last = max((k for k, event in enumerate(events) if '"expand"' in event), default=0)
            return last > 0 and 0 < len(events) - 2 - last < instance.settings.K - 1
        return any('"p": 3' in event for event in events)

    return shows(find(strategies.instances(max_v=60), shows, settings=LIMITS))


@pytest.mark.claim("termination", "budget-exact", "evaluation-cap")
@pytest.mark.parametrize("wanted", ["full", "cut", "third evaluation"])
def test_instances_reach_the_corners(wanted: str) -> None:
    assert reaches(wanted)
