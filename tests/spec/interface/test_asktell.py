"""Specification of `asktell`: `minimize` is ask and tell, and errors take nothing."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.policy import AnyHunt, Parameters
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.policies import Search, search_of
from embedded_hunter.run.queries import Query
from embedded_hunter.run.status import MESSAGES, message_of
from embedded_hunter.settings import Settings
from spec.algorithm.instances import Instance, instances, listed
from spec.interface.front_door import PALETTE


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
    result = hunter.result
    assert (result.nit, result.depth, result.nleaves) == (0, 0, 0)
    found = []
    while not hunter.stop():
        for query in hunter.ask():
            hunter.tell([query], [values[(query.number - 1) % len(values)]])
            found.append(hunter.result.nit)
    assert found == finished_after


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize("at_most", [-1, -7, True, 2.5, "3"])
def test_ask_rejects_what_is_no_number_of_points(at_most: Any) -> None:
    hunter = EmbeddedHunter(Settings(6, 1, 10), 0)
    with pytest.raises((TypeError, ValueError), match=r"^at_most must be an integer >= 0, got "):
        hunter.ask(at_most)
    assert hunter.waiting == 1
    assert len(hunter.ask(np.int64(1))) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("as_number", [int, np.int64, np.uint8, np.array])
def test_numbers_of_any_integer_type_are_told(as_number: Callable[[int], Any]) -> None:
    hunter = EmbeddedHunter(Settings(6, 1, 10, K=5, M=0), 0)
    hunter.tell(hunter.ask(), [5.0])
    one, other = hunter.ask(2)
    hunter.tell([Query(as_number(one.number), one.x), as_number(other.number)], [-4.0, -5.0])
    assert np.array_equal(hunter.x, other.x)  # type: ignore[arg-type]


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
    assert (result.status, result.success, result.message) == (
        status,
        True,
        message_of(status, "fresh", None if maxfun == 1 else "the middle of the bounds"),
    )
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


def drive(hunter: EmbeddedHunter) -> list[list[float]]:
    """Run to the end on the first coordinate; return the points."""
    points = []
    while queries := hunter.ask():
        points += [query.x.tolist() for query in queries]
        hunter.tell(queries, [float(abs(query.x[0] - 0.3)) for query in queries])
    return points


def passed_on(run: AnyHunt) -> AnyHunt:
    return (yield from run)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    "settings",
    [
        Settings(6, 2, 120, K=5, M=1),
        Settings(6, 2, 120, K=5, M=1, policy="indexed"),
        ForestSettings(6, 120, dimensions=(2,), evolve=False, n_embeddings=3),
    ],
)
def test_a_search_that_is_given_is_the_one_that_is_made(settings: Parameters) -> None:
    for rows, width in ((None, 6), (4, 4)):
        points = drive(EmbeddedHunter(settings, 3, rows=rows))
        assert (len(points), {len(x) for x in points}) == (120, {width})
        search = search_of(settings, 3, rows)
        assert points == drive(EmbeddedHunter(settings, search=search))
        run, projection, *_ = search_of(settings, 3, rows)
        by_hand = Search(passed_on(run), projection)
        assert points == drive(EmbeddedHunter(settings, search=by_hand))
        assert points != drive(EmbeddedHunter(settings, 4, rows=rows))
    for more in ({"rng": 3}, {"rows": 4}):
        with pytest.raises(ValueError, match=r"^rng and rows must be None if search is given, got"):
            EmbeddedHunter(settings, search=search_of(settings, 3), **more)  # type: ignore[arg-type]
