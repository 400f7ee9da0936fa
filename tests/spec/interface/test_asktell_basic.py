"""Specification of `asktell`, as far as `minimize` rests on it: ask and tell are the same run."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.hunter import Visit
from embedded_hunter.run.asktell import EmbeddedHunter, Query
from embedded_hunter.settings import Settings
from spec.algorithm.brute_force import Oracle, Run
from spec.algorithm.instances import (
    Instance,
    exact_base_point,
    in_words_of_the_brute_force,
    instances,
    listed,
    oracles,
)


class Asked:
    """A run through ask and tell; with `order`, in random portions told in a random order."""

    def __init__(self, instance: Instance, g: Oracle, seed: int = 0) -> None:
        self.instance, self.g = instance, g
        self.hunter = EmbeddedHunter(instance.settings, seed)
        self.points: dict[int, list[float]] = {}
        self.values: dict[int, float] = {}

    def value(self, query: Query, visit: Visit, first: int) -> float:
        node, p = visit.evaluations[query.number - first]
        y = exact_base_point(node, self.instance.d, self.instance.K, self.instance.R)
        return self.g(query.number, y, p)

    def run(self, order: random.Random | None, at_most: int | None = None) -> Run:
        """Return what happened, in the words of the brute force."""
        hunter, visits = self.hunter, []
        while not hunter.finished:
            visit, first = hunter.visit, hunter.nfev + 1
            waiting: list[Query] = []
            told: dict[int, float] = {}
            while len(told) < len(visit.evaluations):
                if order is not None:
                    at_most = order.randint(1, 3)
                asked = hunter.ask(at_most)
                waiting += asked
                self.points |= {query.number: query.x.tolist() for query in asked}
                if order is not None:
                    order.shuffle(waiting)
                    count = order.randint(0, len(waiting))
                else:
                    count = len(waiting)
                batch, waiting = waiting[:count], waiting[count:]
                values = [self.value(query, visit, first) for query in batch]
                told |= dict(zip((query.number for query in batch), values, strict=True))
                hunter.tell(batch, values)
            assert sorted(told) == list(range(first, first + len(told)))
            self.values |= told
            in_order = [told[number] for number in sorted(told)]
            visits.append(in_words_of_the_brute_force(visit, in_order, self.instance))
        tree, last = hunter.visit.tree, hunter.visit
        leaves = {(leaf.h, leaf.i): leaf.f_star for leaf in tree.leaves()}
        return Run(tuple(visits), hunter.fun, last.t, last.sweep, tree.depth, leaves)


@pytest.mark.claim("batch-equivalence", "determinism")
@given(instances(max_v=40), oracles(), st.integers(0, 2**32))
def test_any_portions_told_in_any_order_give_the_trace_of_the_definitions(
    instance: Instance, g: Oracle, seed: int
) -> None:
    """Visits that evaluate nothing are passed over by ask; all else is equal."""
    run = Asked(instance, g).run(random.Random(seed))
    expected = instance.brute_force(g)
    evaluating = tuple(visit for visit in expected.visits if visit.evaluations)
    assert run == expected._replace(visits=evaluating)


@pytest.mark.claim("batch-equivalence", "determinism")
@given(instances(max_v=40), oracles(), st.integers(0, 2**32))
def test_one_by_one_or_all_at_once_the_points_are_the_same(
    instance: Instance, g: Oracle, seed: int
) -> None:
    """And so are the best point and its value: the first of the best, in the order of the run."""
    runs = [Asked(instance, g), Asked(instance, g), Asked(instance, g)]
    assert runs[0].run(None) == runs[1].run(None, 1) == runs[2].run(random.Random(seed))
    for run in runs:
        assert run.points == runs[0].points
        assert sorted(run.points) == list(range(1, run.hunter.nfev + 1))
        best = min(run.values.values())
        first = min(number for number, value in run.values.items() if value == best)
        assert run.hunter.fun == best
        assert run.hunter.x is not None
        assert run.hunter.x.tolist() == run.points[first]


@pytest.mark.claim("determinism")
def test_the_seed_makes_the_points() -> None:
    instance, g = Instance(2, 3, 0.3, 5, 4, 30), listed([3.0, 1.0, 2.0])
    runs = {seed: Asked(instance, g, seed) for seed in (1, 2)}
    again = Asked(instance, g, 1)
    for run in (*runs.values(), again):
        run.run(None)
    assert runs[1].points == again.points != runs[2].points


@pytest.mark.claim("batch-equivalence")
def test_ask_gives_the_points_of_one_visit_and_waits() -> None:
    hunter = EmbeddedHunter(Settings(6, 1, 10, K=5, M=0), 0)
    assert (hunter.nfev, hunter.fun, hunter.x, hunter.finished) == (0, math.inf, None, False)
    assert hunter.waiting == 1
    (root,) = hunter.ask()
    assert (root.number, root.x.tolist(), hunter.waiting) == (1, [0.0] * 6, 0)
    assert hunter.ask() == []
    hunter.tell([root], [5.0])
    assert (hunter.nfev, hunter.fun, hunter.waiting) == (1, 5.0, 4)
    two, rest = hunter.ask(2), hunter.ask(9)
    assert [query.number for query in two + rest] == [2, 3, 4, 5]
    assert (hunter.waiting, hunter.ask(0), hunter.ask()) == (0, [], [])
    hunter.tell(rest, [7.0, 4.0])
    assert (hunter.nfev, hunter.fun) == (3, 4.0)
    assert hunter.ask() == []
    assert hunter.visit.t == 1
    hunter.tell(two, [6.0, 6.0])
    assert (hunter.visit.l, hunter.visit.sweep) == (1, 2)
    assert [query.number for query in hunter.ask(1)] == [6]
    with pytest.raises(ValueError, match="read-only"):
        root.x[0] = 1.0


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize("at_most", [-1, -7, True, 2.5, "3"])
def test_ask_rejects_what_is_no_number_of_points(at_most: Any) -> None:
    hunter = EmbeddedHunter(Settings(6, 1, 10), 0)
    with pytest.raises((TypeError, ValueError), match=r"^at_most must be an integer >= 0, got "):
        hunter.ask(at_most)
    assert hunter.waiting == 1
    assert len(hunter.ask(np.int64(1))) == 1  # type: ignore[arg-type]


@pytest.mark.claim("n-invariance")
def test_rows_says_how_many_coordinates_are_made() -> None:
    hunter = EmbeddedHunter(Settings(10**9, 2, 10), 0, rows=3)
    (query,) = hunter.ask()
    assert query.x.shape == (3,)


@pytest.mark.claim("nan-and-inf")
def test_what_is_told_wrongly_is_not_taken_at_all() -> None:
    hunter = EmbeddedHunter(Settings(6, 1, 4), 0)
    (root,) = hunter.ask()
    hunter.tell([root], [5.0])
    one, other = hunter.ask()
    wrong: list[tuple[list[Query], list[Any], str]] = [
        (
            [one],
            [1.0, 2.0],
            "queries and values must have .*, got 1 queries and 2 values",
        ),
        ([one, root], [1.0, 2.0], "evaluation 1 was not asked for, or was already told"),
        ([one, one], [1.0, 2.0], "evaluation 2 was not asked for, or was already told"),
        ([Query(9, one.x)], [1.0], "evaluation 9 was not asked for, or was already told"),
        ([one, other], [1.0, math.nan], "the value of evaluation 3: the objective returned nan"),
    ]
    for queries, values, message in wrong:
        with pytest.raises(ValueError, match=f"^{message}$"):
            hunter.tell(queries, values)
        assert (hunter.nfev, hunter.fun) == (1, 5.0)
    hunter.tell([], [])
    hunter.tell([other, one], [math.inf, 4.0])
    assert (hunter.nfev, hunter.fun) == (3, 4.0)
    assert np.array_equal(hunter.x, one.x)  # type: ignore[arg-type]
    (last,) = hunter.ask()
    hunter.tell([last], [9.0])
    assert hunter.finished
    assert hunter.ask() == []
    with pytest.raises(ValueError, match="already told"):
        hunter.tell([last], [9.0])
