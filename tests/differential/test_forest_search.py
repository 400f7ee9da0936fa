"""The policy forest against the brute force, event by event.

`conformance` compares it with the Rocq model, and with Algorithm 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from differential.brute_force_forest import Event, Forest, Oracle, Point, local_point
from differential.forest_instances import forest_instances
from embedded_hunter import minimize
from embedded_hunter.forest.requests import Request, TreePoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.trees import tree_of
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, splits
from embedded_hunter.run.events import Evaluate
from embedded_hunter.run.jsonlines import Fields, value_from_json
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.run.run import Run
from embedded_hunter.traces.writing import trace_of
from paper.instances import oracles, visits_of


class Case(NamedTuple):
    """Settings of a run and its values."""

    settings: ForestSettings
    g: Oracle


def distances(targets: Sequence[float]) -> Oracle:
    """Each tree has a target of its own: the search goes deep, and refinement improves."""
    return lambda k, y, p: sum(abs(float(c) - targets[p % len(targets)]) for c in y) + 0.1 * (p % 3)


def low_at_zero(g: Oracle) -> Oracle:
    """Zero has a lower value than nearly all other points: what rule F5 is for."""
    return lambda k, y, p: g(k, y, p) if any(y) else -2.0


@st.composite
def cases(draw: st.DrawFn) -> Case:
    settings = draw(forest_instances(max_v=250)).settings
    batch = draw(st.just(1) | st.integers(2, 40))
    n = draw(st.sampled_from([settings.n, 44])) if settings.d < settings.n else settings.n
    settings = replace(settings, batch=batch, n=n)
    targets = st.lists(st.floats(-1, 1), min_size=1, max_size=4)
    g = draw(oracles() | st.builds(distances, targets))
    return Case(settings, low_at_zero(g) if draw(st.booleans()) else g)


def point_of(h: int, c: Sequence[int], settings: ForestSettings) -> Point:
    """y/R exactly, from the numerators."""
    return tuple(Fraction(2 * x, settings.K**s) for x, s in zip(c, splits(h, len(c)), strict=True))


def point(k: int, request: Request, settings: ForestSettings) -> Point:
    """What the oracle gets for evaluation k."""
    if isinstance(request, TreePoint):
        return point_of(request.node.h, request.node.c, settings)
    return local_point(k, 3)


def events_of(case: Case) -> list[Fields]:
    """The events of a run that is answered from the oracle."""
    values: list[float] = []
    narrate = policy_of(case.settings).narrate

    def values_of(visit: AnyVisit) -> list[float]:
        asked = [e for e in narrate(case.settings, visit) if isinstance(e, Evaluate)]
        told = [
            case.g(k, point(k, each.request, case.settings), each.p)
            for k, each in enumerate(asked, len(values) + 1)
        ]
        values.extend(told)
        return told

    for _ in visits_of(hunt_forest(case.settings), values_of):
        pass
    return list(trace_of(Run(case.settings, values=values)))[1:]


def in_words_of_the_brute_force(event: Fields, settings: ForestSettings) -> Event:
    """An event of the trace as the brute force writes it."""
    kind = event["event"]
    match kind:
        case "evaluate":
            h, i, c, p = (event[name] for name in ("h", "i", "c", "p"))
            value = value_from_json(event["value"], "value", 0)
            return (kind, h, i, point_of(h, c, settings) if c else (), p, value)
        case "expand":
            return (kind, event["h"], event["i"], value_from_json(event["nu_min"], "nu_min", 0))
        case "refine":
            h, i = event["center"]
            return (kind, event["q"], (h, i), event["mode"], event["age"])
        case "end":
            answer = value_from_json(event["answer"], "answer", 0)
            names = ("evaluations", "t", "sweeps", "depth", "leaves", "reason")
            return (kind, answer, *(event[name] for name in names))
    return tuple(event.values())


def brute_force(case: Case) -> list[Event]:
    s = case.settings
    d = [tree.d for tree in s.trees]
    takes_part = {"refine": s.refine, "evolve": s.evolve, "sample": s.sample}
    return Forest(
        case.g, d=d, K=s.K, h_max=s.h_max, v=s.v, n=s.n, batch=s.batch, **takes_part
    ).events


def check_against_the_brute_force(case: Case) -> None:
    found = [in_words_of_the_brute_force(event, case.settings) for event in events_of(case)]
    assert found == brute_force(case)


@given(cases())
def test_every_event_is_that_of_the_brute_force(case: Case) -> None:
    check_against_the_brute_force(case)


@pytest.mark.parametrize(("d", "K", "P"), [(1, 3, 1), (1, 3, 2), (2, 5, 1), (4, 3, 3)])
def test_a_budget_may_end_anywhere(d: int, K: int, P: int) -> None:
    """Also between two classes that a visit expands, and within and after a local search."""
    for v in (*range(1, 60), 150, 300):
        settings = ForestSettings(9, v, dimensions=[d], evolve=False, K=K, n_embeddings=P)
        check_against_the_brute_force(Case(settings, lambda k, y, p: float(37 * k % 101)))


@pytest.mark.parametrize("batch", [16, 32, 48, 64])
def test_a_further_visit_need_not_fit_if_more_than_a_quarter_is_free(batch: int) -> None:
    """A quarter of these batches is free now and then, exactly. The values rise and fall."""
    for n in (9, 44):
        settings = ForestSettings(n, 1500, dimensions=[1, 2], n_embeddings=3, batch=batch)
        check_against_the_brute_force(Case(settings, lambda k, y, p: float(37 * k % 101 - k % 7)))


@pytest.mark.parametrize("h", [0, 1, 40, 400])
def test_the_tree_of_a_node_whatever_its_depth(h: int) -> None:
    for p in (0, 1, 19):
        for i in (0, 3**h - 1):
            assert tree_of(Node(h, p * 3**h + i, (0,), 0), 3) == p


def test_every_root_has_been_evaluated_once() -> None:
    settings = ForestSettings(9, 9, dimensions=[2], evolve=False, sample=False, n_embeddings=4)
    run = visits_of(hunt_forest(settings), lambda visit: [7.0] * len(visit.evaluations))
    next(run)
    leaves = next(run)[0].tree.leaves()
    assert [(leaf.h, leaf.i, leaf.f_star, leaf.evaluations) for leaf in sorted(leaves)] == [
        (0, q, 7.0, 1) for q in range(4)
    ]


@given(
    guess=st.integers(1, 4),
    P=st.integers(1, 3),
    maxfun=st.integers(1, 250),
    seed=st.integers(0, 99),
    steps=st.sampled_from([1, 8, 2**20, 2**40]),
    a=st.sampled_from([0.25, 2.0, 8.0, 2.0**-9, 2.0**30]),
    b=st.integers(-(2**9), 2**9),
)
def test_a_run_asks_the_same_points_for_a_f_plus_b(
    guess: int, P: int, maxfun: int, seed: int, steps: int, a: float, b: int
) -> None:
    """The values are multiples of 1 / steps below 2^9, so a f + a b has no rounding error.

    With few steps the function has plateaus.
    """

    def f(x: Floats) -> float:
        t = x[:4] - np.array([0.7, -0.4, 1.1, 0.2])
        return float(np.rint((t @ t + 3 * np.abs(t[0] - t[1])) * steps) / steps)

    def points(g: Callable[[float], float]) -> list[bytes]:
        asked: list[bytes] = []

        def noted(x: Floats) -> float:
            asked.append(x.tobytes())
            return g(f(x))

        minimize(
            noted, [(-2.0, 3.0)] * 12, policy="forest", effective_dimension=guess, n_embeddings=P,
            maxfun=maxfun, rng=seed,
        )  # fmt: skip
        return asked

    assert points(lambda y: y) == points(lambda y: a * (y + b))
