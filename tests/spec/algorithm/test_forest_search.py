"""The policy forest against the brute force, event by event, and against Algorithm 1."""

import math
from collections.abc import Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.refinement import EvolutionPoint, LocalPoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, Visit, hunt
from embedded_hunter.node import Node, splits
from embedded_hunter.run.jsonlines import Fields, value_from_json
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import traced
from reproduction.studies.forest_defaults import ClassesOfAlgorithm1
from spec.algorithm.brute_force_forest import Event, Forest, Oracle, Point, local_point

INF = math.inf


class Case(NamedTuple):
    """Settings of a run and its values."""

    settings: ForestSettings
    g: Oracle


def listed(values: Sequence[float]) -> Oracle:
    return lambda k, p, y: values[(k - 1) % len(values)]


def hashed(salt: int, values: Sequence[float]) -> Oracle:
    def g(k: int, p: int, y: Point) -> float:
        name = f"{salt} {p} " + " ".join(map(str, y))
        return values[int.from_bytes(blake2b(name.encode(), digest_size=4).digest()) % len(values)]

    return g


def distances(targets: Sequence[float]) -> Oracle:
    """Each tree has a target of its own: the search goes deep, and refinement improves."""
    return lambda k, p, y: sum(abs(float(c) - targets[p % len(targets)]) for c in y) + 0.1 * (p % 3)


def low_at_zero(g: Oracle) -> Oracle:
    """Zero has a lower value than nearly all other points: what rule F5 is for."""
    return lambda k, p, y: g(k, p, y) if any(y) else -2.0


@st.composite
def cases(draw: st.DrawFn) -> Case:
    settings = ForestSettings(
        9,
        draw(st.integers(1, 250)),
        dimensions=draw(st.sets(st.integers(1, 4), min_size=1).map(sorted)),
        K=draw(st.sampled_from([3, 3, 5, 7])),
        h_max=draw(st.integers(0, 7)),
        n_embeddings=draw(st.integers(1, 5)),
        refine=draw(st.booleans()),
        evolve=draw(st.booleans()),
    )
    palette = st.lists(
        st.sampled_from([0.0, 1.0, 2.0, -1.0, 0.5, INF, -INF]), min_size=1, max_size=8
    )
    g = draw(
        st.one_of(
            st.builds(listed, palette),
            st.builds(listed, st.lists(st.floats(allow_nan=False), min_size=1, max_size=150)),
            st.builds(hashed, st.integers(0, 2**32), palette),
            st.builds(hashed, st.integers(0, 2**32), st.just(range(1000))),
            st.builds(distances, st.lists(st.floats(-1, 1), min_size=1, max_size=4)),
        )
    )
    return Case(settings, low_at_zero(g) if draw(st.booleans()) else g)


def point_of(h: int, c: Sequence[int], settings: ForestSettings) -> Point:
    """y/R exactly, from the numerators."""
    return tuple(Fraction(2 * x, settings.K**s) for x, s in zip(c, splits(h, len(c)), strict=True))


def point(k: int, node: Node, settings: ForestSettings) -> Point:
    """What the oracle gets for evaluation k."""
    if isinstance(node, LocalPoint | EvolutionPoint):
        return local_point(k, 3)
    return point_of(node.h, node.c, settings)


def drive(run: Hunt, case: Case) -> list[Visit]:
    """Answer a run from the oracle; return its visits."""
    visits, made = [], 0
    visit = next(run)
    while True:
        visits.append(visit)
        values = []
        for node, p in visit.evaluations:
            made += 1
            values.append(case.g(made, p, point(made, node, case.settings)))
        try:
            visit = run.send(values)
        except StopIteration:
            return visits


def events_of(case: Case) -> list[Fields]:
    written: list[Fields] = []
    drive(traced(hunt_forest(case.settings), case.settings, written.append), case)
    return written[1:]


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
    return Forest(case.g, d=d, K=s.K, h_max=s.h_max, v=s.v, refine=s.refine, evolve=s.evolve).events


@given(cases())
def test_every_event_is_that_of_the_brute_force(case: Case) -> None:
    found = [in_words_of_the_brute_force(event, case.settings) for event in events_of(case)]
    assert found == brute_force(case)


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize(
    "salt", [0, *(pytest.param(salt, marks=pytest.mark.long) for salt in (1, 2))]
)
def test_a_low_value_at_zero_holds_back_its_own_queue_only(salt: int, refine: bool) -> None:
    """A leaf that is worse than zero, but better than its own queue so far, is expanded."""
    settings = ForestSettings(
        9, 200, dimensions=[2], h_max=6, n_embeddings=3, refine=refine, evolve=False
    )
    case = Case(settings, low_at_zero(hashed(salt, range(1000))))
    found = [in_words_of_the_brute_force(event, settings) for event in events_of(case)]
    assert found == brute_force(case)
    between = [event for event in found if event[0] == "expand" and event[3] != -2.0]
    assert len(between) > 10


def evaluations(visits: Sequence[Visit]) -> list[tuple[int, int, int]]:
    return [(node.h, node.i, p) for visit in visits for node, p in visit.evaluations]


@given(cases())
def test_one_tree_and_one_queue_are_algorithm_1_without_evaluations_again(case: Case) -> None:
    """P = 1, norm classes in one queue, no refinement: `hunt` with M = 0, visit by visit."""
    s, g = case
    forest = ForestSettings(
        s.n,
        s.v,
        dimensions=(s.d,),
        evolve=False,
        K=s.K,
        h_max=s.h_max,
        n_embeddings=1,
        refine=False,
    )
    indexed = Settings(s.n, s.d, s.v, K=s.K, h_max=s.h_max, policy="indexed", M=0)
    found = drive(hunt_forest(forest, forest=ClassesOfAlgorithm1), Case(forest, g))
    expected = drive(hunt(indexed), Case(forest, g))
    assert evaluations(found) == evaluations(expected)
    assert [[e.leaf.i for e in visit.expansions] for visit in found] == [
        [e.leaf.i for e in visit.expansions] for visit in expected
    ]
    assert [(x.sweep, x.t, x.l) for x in found] == [(x.sweep, x.t, x.l) for x in expected]


def by_sweep(events: Sequence[Fields]) -> list[tuple[Fields, list[Fields]]]:
    """Each sweep of the forest and each generation, with what happens in it."""
    sweeps: list[tuple[Fields, list[Fields]]] = []
    for event in events:
        if event["event"] in ("sweep", "refine"):
            sweeps.append((event, []))
        elif sweeps:
            sweeps[-1][1].append(event)
    return sweeps


def without_t(events: Sequence[Fields]) -> list[Fields]:
    return [{name: x for name, x in event.items() if name != "t"} for event in events]


@given(cases())
def test_refinement_leaves_the_forest_alone(case: Case) -> None:
    """With values that depend on (p, y) alone: the forest is swept as it is without refinement.

    And refinement has, at the beginning of each sweep of the forest, at most the evaluations of
    the forest and less than one generation more.
    """
    s = case.settings
    g = hashed(7, range(50))
    more = ForestSettings.from_json({**s.as_json(), "refine": True, "evolve": False, "v": 300})
    alone = ForestSettings.from_json({**s.as_json(), "refine": False, "evolve": False, "v": 300})
    both = by_sweep(events_of(Case(more, g)))
    forest = [what for begin, what in both if begin["event"] == "sweep"]
    expected = [what for _, what in by_sweep(events_of(Case(alone, g)))]
    complete = forest[:-1]  # the budget may cut the last one
    assert [without_t(what) for what in complete] == list(map(without_t, expected[: len(complete)]))
    searched, refined = 1, 0
    for begin, what in both:
        made = sum(event["event"] == "evaluate" for event in what)
        if begin["event"] == "sweep":
            assert refined <= searched + 7
            searched += made
        else:
            refined += made


@given(cases())
def test_a_sweep_expands_something_at_least_as_good_in_the_same_queue(case: Case) -> None:
    """The key lemma (C.5 of the theory) for each queue: of what the guarantee is made.

    For every leaf o of the forest at the start of a complete sweep, depth(o) <= limit, some node
    x of its queue is expanded with depth(x) <= depth(o) and f*(x) <= f*(o).
    """
    s = case.settings
    run = hunt_forest(s)
    visit, made = next(run), 0
    sweep = 0
    leaves: list[tuple[int, int, float]] = []  # (queue, h, f*) when the sweep began
    expanded: list[tuple[int, int, float]] = []
    limit = 0
    while True:
        if visit.sweep > sweep:  # a sweep of the forest begins, the one before was complete
            check_lemma(leaves, expanded, limit)
            sweep, limit = visit.sweep, min(visit.tree.depth, s.h_max)
            leaves = [(int(x.nrm > 0), x.h, x.f_star) for x in visit.tree.leaves()]
            expanded = []
        if getattr(visit, "local", None) is None:
            expanded += [(int(x.nrm > 0), x.h, x.f_star) for x, _ in visit.expansions]
        values = []
        for node, p in visit.evaluations:
            made += 1
            values.append(case.g(made, p, point(made, node, s)))
        try:
            visit = run.send(values)
        except StopIteration:
            break
    if made < s.v:
        check_lemma(leaves, expanded, limit)


def check_lemma(
    leaves: Sequence[tuple[int, int, float]],
    expanded: Sequence[tuple[int, int, float]],
    limit: int,
) -> None:
    for of, h, f_star in leaves:
        if h <= limit:
            assert any(q == of and depth <= h and f <= f_star for q, depth, f in expanded)
