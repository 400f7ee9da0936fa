"""Specification of `asktell` from outside: `minimize` is ask and tell, and errors take nothing."""

import copy
import itertools
import math
import pickle
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import minimize
from embedded_hunter import testing as strategies
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import hunt
from embedded_hunter.node import Node
from embedded_hunter.projection import Floats, projection_of
from embedded_hunter.run.asktell import EmbeddedHunter, Query
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.policies import Parameters, Search, search_of
from embedded_hunter.run.status import MESSAGES
from embedded_hunter.settings import Settings
from embedded_hunter.testing import Cones
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import traced, traced_search
from spec.algorithm.instances import Instance, instances, listed
from spec.interface.front_door import PALETTE, outcome


def driven(
    hunter: EmbeddedHunter, f: Any, order: random.Random, points: dict[int, list[float]]
) -> None:
    """Ask in random portions, tell in random portions and any order, sometimes wrongly."""
    waiting: list[Query] = []
    while not hunter.stop():
        waiting += hunter.ask(order.choice([None, 0, 1, 2, 5]))
        order.shuffle(waiting)
        count = order.randint(0, len(waiting))
        told, waiting = waiting[:count], waiting[count:]
        points.update((query.number, query.x.tolist()) for query in told)
        hunter.tell(told, [f(query.x) for query in told])
        if told and order.random() < 0.2:
            with pytest.raises(ValueError, match="already told"):
                hunter.tell([told[0]], [-math.inf])


@pytest.mark.claim("batch-equivalence", "determinism")
@given(
    strategies.settings(max_v=80),
    strategies.low_dimensional(),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_minimize_is_ask_and_tell_bit_for_bit(s: Settings, f: Cones, tied: bool, seed: int) -> None:
    """Whatever the portions and the order, wrong answers in between included."""
    f = Cones(s.n, (0,), tuple((center[0],) for center in f.centers), f.heights, f.lipschitz)

    def value(x: Floats) -> float:
        return float(np.round(f(x))) if tied else f(x)

    asked: list[list[float]] = []

    def noting(x: Floats) -> float:
        asked.append(x.tolist())
        return value(x)

    sampler: dict[str, Any] = {"sampler": s.sampler} if s.policy == "fresh" else {}
    whole = minimize(
        noting, [(-1, 1)] * s.n, d=s.d, maxfun=s.v, eta=s.eta, K=s.K, M=s.M, h_max=s.h_max,
        policy=s.policy, rng=seed, **sampler,
    )  # fmt: skip
    hunter = EmbeddedHunter(s, seed)
    points: dict[int, list[float]] = {}
    driven(hunter, value, random.Random(seed), points)
    assert outcome(hunter.result) == outcome(whole)
    assert [points[number] for number in range(1, len(points) + 1)] == asked


@pytest.mark.claim("alg1-line-17", "batch-equivalence")
@given(instances(max_v=80), st.lists(st.sampled_from(PALETTE), min_size=1, max_size=9))
def test_nit_counts_the_visits_that_are_finished(instance: Instance, values: list[float]) -> None:
    """Against the brute force, after each single answer: visits without an evaluation included.

    A visit is finished when its last evaluation is told; so are those after it that expand nothing.
    The evaluation of the root, t = 0, is none.
    """
    visits = instance.brute_force(listed(values)).visits
    finished_after: list[int] = []  # visits that are finished, after so many evaluations
    for k, visit in enumerate(visits):
        if visit.evaluations:
            idle = itertools.takewhile(lambda later: not later.evaluations, visits[k + 1 :])
            before, last = max(visit.t - 1, 0), visit.t + len(list(idle))
            finished_after += [before] * (len(visit.evaluations) - 1) + [last]
    hunter = EmbeddedHunter(instance.settings, 0)
    assert hunter.result.nit == 0
    found = []
    while not hunter.stop():
        for query in hunter.ask():
            hunter.tell([query], [values[(query.number - 1) % len(values)]])
            found.append(hunter.result.nit)
    assert found == finished_after


# --- what is told wrongly ----------------------------------------------------------------------


def snapshot(hunter: EmbeddedHunter) -> Any:
    """Everything that a run consists of, copied."""
    tree = hunter.visit.tree
    leaves = [(leaf.h, leaf.i, leaf.c, leaf.f_star, leaf.evaluations) for leaf in tree.leaves()]
    asked = [(node.h, node.i, p) for node, p in hunter.visit.evaluations]
    open_points = {number: x.tolist() for number, x in hunter.unanswered}
    parts = (hunter.waiting, hunter.nfev, open_points, pickle.dumps(hunter))
    return copy.deepcopy((outcome(hunter.result), leaves, asked, parts))


def halfway() -> tuple[EmbeddedHunter, list[Query], list[Query]]:
    """Return a run, what it has been told, and what it still waits for."""
    hunter = EmbeddedHunter(Settings(6, 2, 40, K=5, M=1), 3)
    told: list[Query] = []
    while hunter.nfev < 14:
        queries = hunter.ask()
        hunter.tell(queries, [float(abs(query.x[0] - 0.5)) for query in queries])
        told += queries
    asked = hunter.ask(3)
    hunter.tell(asked[:1], [0.25])
    return hunter, told + asked[:1], asked[1:]


class NoArray:
    def __array__(self, *args: object, **kwargs: object) -> object:
        raise RuntimeError("not even an array")


NO_VALUES: list[Any] = [
    math.nan, np.float64(math.nan), None, 1j, "1.0", b"1", True, [], [1.0, 2.0], {}, object(),
    Fraction(1, 2), 10**400, np.ones(3), np.array([1j]), np.ma.masked, NoArray(),
]  # fmt: skip


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("value", NO_VALUES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("first", [False, True])
def test_a_value_that_is_none_is_refused_with_all_that_came_with_it(
    value: object, first: bool
) -> None:
    hunter, _, (one, other) = halfway()
    before = snapshot(hunter)
    values: Any = [value, 1.0] if first else [1.0, value]
    wrong = one if first else other
    with pytest.raises(ValueError, match=f"^the value of evaluation {wrong.number}: the objective"):
        hunter.tell([one, other], values)
    assert snapshot(hunter) == before
    hunter.tell([other, one], [0.5, 0.75])
    assert hunter.nfev == before[0]["nfev"] + 2


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize(
    "what",
    [
        "told",
        "root",
        "twice",
        "never asked",
        "beyond",
        "no number",
        "text",
        "float",
        "list",
        "bare",
    ],
)
def test_a_point_that_was_not_asked_for_is_refused(what: str) -> None:
    hunter, told, (one, other) = halfway()
    x = one.x
    wrong: Any = {
        "told": told[-1],
        "root": told[0],
        "twice": one,
        "never asked": Query(other.number + 1, x),
        "beyond": Query(41, x),
        "no number": Query(None, x),  # type: ignore[arg-type]
        "text": Query(str(one.number), x),  # type: ignore[arg-type]
        "float": Query(float(other.number), x),  # type: ignore[arg-type]
        "list": Query([other.number], x),  # type: ignore[arg-type]
        "bare": "a point",
    }[what]
    before = snapshot(hunter)
    name = re.escape(repr(getattr(wrong, "number", wrong)))
    with pytest.raises(ValueError, match=f"^evaluation {name} was not asked for, or was already"):
        hunter.tell([one, wrong], [1.0, 2.0])
    assert snapshot(hunter) == before
    hunter.tell([one, other], [1.0, 2.0])
    assert hunter.nfev == before[0]["nfev"] + 2


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0, 3.0]])
def test_as_many_values_as_points(values: list[float]) -> None:
    hunter, _, waiting = halfway()
    before = snapshot(hunter)
    with pytest.raises(ValueError, match=f"got 2 queries and {len(values)} values$"):
        hunter.tell(waiting, values)
    assert snapshot(hunter) == before


# --- reasons, result, points -------------------------------------------------------------------


@pytest.mark.claim("termination", "budget-exact")
@pytest.mark.parametrize(
    ("maxfun", "h_max", "reasons", "status"),
    [(7, 5, {"maxfun": 7}, 0), (1, 0, {"maxfun": 1}, 0), (50, 0, {"h_max": 0}, 1),
     (50, 1, {"h_max": 1}, 1), (9, 1, {"maxfun": 9}, 0), (10, 1, {"h_max": 1}, 1)],
)  # fmt: skip
def test_stop_says_why(maxfun: int, h_max: int, reasons: dict[str, int], status: int) -> None:
    """A full tree of d = 1, M = 0, h_max = 1 takes 1 + 2 + 3 * 2 evaluations; 9 use the budget."""
    hunter = EmbeddedHunter(Settings(4, 1, maxfun, M=0, h_max=h_max), 0)
    while not hunter.finished:
        assert hunter.stop() == {}
        result = hunter.result
        assert (result.status, result.success, result.message) == (5, False, MESSAGES[5])
        (query,) = hunter.ask(1)
        hunter.tell([query], [float(query.number)])
    assert hunter.stop() == reasons
    result = hunter.result
    assert (result.status, result.success, result.message) == (status, True, MESSAGES[status])
    assert result.fun == 1.0
    assert result.nfev == hunter.nfev <= maxfun


@pytest.mark.claim("alg1-line-17")
def test_the_result_is_a_copy_and_the_points_are_read_only() -> None:
    hunter = EmbeddedHunter(Settings(4, 2, 30), 0)
    assert hunter.result["x"] is None
    assert hunter.result.fun == math.inf
    while queries := hunter.ask():
        for query in queries:
            assert query.x.shape == (4,)
            with pytest.raises(ValueError, match="read-only"):
                query.x[:] = 9.0
        hunter.tell(queries, [float(query.x[0]) for query in queries])
        result = hunter.result
        best = result.x.copy()
        result.x[:] = 7.0
        assert np.array_equal(hunter.result.x, best)
        assert result.fun == best[0]


@pytest.mark.claim("alg1-line-17")
def test_any_generator_and_any_projection_can_be_driven() -> None:
    settings, written = Settings(4, 2, 30), []

    class Mirrored:
        def __init__(self) -> None:
            self.inner = projection_of(settings, np.random.default_rng(0))

        def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
            return -self.inner.project(evaluations)

    run = traced(hunt(settings), settings, lambda event: written.append(dump(event)))
    hunter = EmbeddedHunter(settings, search=Search(run, Mirrored()))
    plain = EmbeddedHunter(settings, 0)
    while queries := hunter.ask():
        others = plain.ask()
        for query, other in zip(queries, others, strict=True):
            assert query.number == other.number
            assert np.array_equal(query.x, -other.x)
        values = [float(query.x[0]) for query in queries]
        hunter.tell(queries, values)
        plain.tell(others, values)
    assert check(written).conforms
    assert f'"evaluations": {hunter.nfev}' in written[-1]


@pytest.mark.claim("alg1-line-17", "nan-and-inf")
@pytest.mark.parametrize("order", [1, -1])
def test_of_infinite_values_too_the_first_evaluation_counts(order: int) -> None:
    hunter = EmbeddedHunter(Settings(4, 1, 30, K=5, M=0), 0)
    (first,) = hunter.ask()
    hunter.tell([first], [math.inf])
    assert hunter.x is not None
    assert np.array_equal(hunter.x, first.x)
    queries = hunter.ask()
    hunter.tell(queries[::order], [math.inf] * 4)
    assert np.array_equal(hunter.x, first.x)
    later = hunter.ask()
    hunter.tell(later[::order], [1.0] * len(later))
    assert np.array_equal(hunter.x, later[0].x)


def drive(hunter: EmbeddedHunter) -> list[list[float]]:
    """Run to the end on the first coordinate; return the points."""
    points = []
    while queries := hunter.ask():
        points += [query.x.tolist() for query in queries]
        hunter.tell(queries, [float(abs(query.x[0] - 0.3)) for query in queries])
    return points


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    "settings",
    [
        Settings(6, 2, 120, K=5, M=1),
        Settings(6, 2, 120, K=5, M=1, policy="indexed"),
        ForestSettings(6, 2, 120, n_embeddings=3),
    ],
)
def test_a_search_that_is_given_is_the_one_that_is_made(settings: Parameters) -> None:
    written: list[str] = []
    for rows, width in ((None, 6), (4, 4)):
        points = drive(EmbeddedHunter(settings, 3, rows=rows))
        assert (len(points), {len(x) for x in points}) == (120, {width})
        search = search_of(settings, 3, rows)
        assert points == drive(EmbeddedHunter(settings, search=search))
        traced_one = traced_search(
            search_of(settings, 3, rows), settings, lambda event: written.append(dump(event))
        )
        assert points == drive(EmbeddedHunter(settings, search=traced_one))
        assert check(written).conforms
        written.clear()
        assert points != drive(EmbeddedHunter(settings, 4, rows=rows))
    for more in ({"rng": 3}, {"rows": 4}):
        with pytest.raises(ValueError, match=r"^rng and rows must be None if search is given, got"):
            EmbeddedHunter(settings, search=search_of(settings, 3), **more)  # type: ignore[arg-type]
