"""Specification of `asktell`, beside `test_life_of_a_run`: reasons, results, and other searches."""

import copy
import itertools
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.policy import AnyHunt, Parameters
from embedded_hunter.projection import drive as run_drive
from embedded_hunter.run import header
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.drive import one_by_one
from embedded_hunter.run.policies import Search, search_of
from embedded_hunter.run.queries import Query
from embedded_hunter.run.status import MESSAGES, message_of
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__
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


SETTINGS: list[Parameters] = [
    Settings(6, 2, 120, K=5, M=1),
    Settings(6, 2, 120, K=5, M=1, sampler="matrix"),
    Settings(6, 2, 120, K=5, M=1, policy="indexed"),
    ForestSettings(6, 120, dimensions=(2,), evolve=False, n_embeddings=3),
]


def distance(x: Floats) -> float:
    return float(abs(x[0] - 0.3))


def drive(hunter: EmbeddedHunter) -> list[list[float]]:
    """Run to the end; return the points."""
    points = []
    while queries := hunter.ask():
        points += [query.x.tolist() for query in queries]
        hunter.tell(queries, [distance(query.x) for query in queries])
    return points


def passed_on(run: AnyHunt) -> AnyHunt:
    return (yield from run)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_search_that_is_given_is_the_one_that_is_made(settings: Parameters) -> None:
    """And `projection.drive` makes its points, visit by visit."""
    for rows, width in ((None, 6), (4, 4)):
        points = drive(EmbeddedHunter(settings, 3, rows=rows))
        assert (len(points), {len(x) for x in points}) == (120, {width})
        search = search_of(settings, 3, rows)
        assert points == drive(EmbeddedHunter(settings, search=search))
        run, projection, *_ = search_of(settings, 3, rows)
        by_hand = Search(passed_on(run), projection)
        assert points == drive(EmbeddedHunter(settings, search=by_hand))
        assert points != drive(EmbeddedHunter(settings, 4, rows=rows))
        seen: list[list[float]] = []

        def noting(x: Floats, seen: list[list[float]] = seen) -> float:
            seen.append(x.tolist())
            return distance(x)

        made, again = 0, search_of(settings, 3, rows)
        for visit, values in run_drive(again.run, again.projection.project, one_by_one(noting)):
            made += len(visit.evaluations)
            assert values == [distance(np.array(x)) for x in seen[made - len(values) :]]
            nodes = [getattr(request, "node", None) for request in visit.evaluations]
            assert all(node is None or node.f_star < math.inf for node in nodes)
        assert seen == points
    for more in ({"rng": 3}, {"rows": 4}):
        with pytest.raises(ValueError, match=r"^rng and rows must be None if search is given, got"):
            EmbeddedHunter(settings, search=search_of(settings, 3), **more)  # type: ignore[arg-type]


# --- what cannot go on, or cannot be copied ------------------------------------------------------


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("settings", SETTINGS)
def test_without_memory_for_the_points_ask_can_be_called_again(
    settings: Parameters, monkeypatch: pytest.MonkeyPatch
) -> None:
    hunter = EmbeddedHunter(settings, 4)
    hunter.tell(hunter.ask(), [1.0])
    expected = [query.x.tobytes() for query in copy.deepcopy(hunter).ask()]
    projection = type(search_of(settings, 4).projection)
    project = projection.project

    def fails(self: Any, evaluations: Any) -> Floats:
        project(self, evaluations)
        raise MemoryError

    monkeypatch.setattr(projection, "project", fails)
    for _ in range(2):
        with pytest.raises(MemoryError):
            hunter.ask(1)
    assert hunter.unanswered == []
    monkeypatch.setattr(projection, "project", project)
    assert [query.x.tobytes() for query in hunter.ask()] == expected


def test_a_run_that_was_given_and_raised_is_not_taken_for_finished() -> None:
    def raising(run: AnyHunt) -> AnyHunt:
        yield next(run)
        raise OSError("no space left")

    run, projection, *_ = search_of(SETTINGS[0], 1)
    hunter = EmbeddedHunter(SETTINGS[0], search=Search(raising(run), projection))
    with pytest.raises(OSError, match="no space left"):
        hunter.tell(hunter.ask(), [1.0])
    assert (hunter.finished, hunter.stop()) == (False, {})
    with pytest.raises(RuntimeError, match=r"^an exception ended the given run; it cannot"):
        hunter.ask()


@pytest.mark.parametrize("how", [pickle.dumps, copy.deepcopy, copy.copy])
def test_a_run_of_ones_own_cannot_be_copied(how: Callable[[EmbeddedHunter], object]) -> None:
    run, projection, *_ = search_of(SETTINGS[0], 1)
    hunter = EmbeddedHunter(SETTINGS[0], search=Search(run, projection))
    with pytest.raises(TypeError, match=r"^a hunter whose search was put together by hand cannot"):
        how(hunter)
    assert len(drive(hunter)) == 120


@pytest.mark.parametrize(
    ("name", "other", "says"),
    [
        (
            "__version__",
            "0.0.1",
            f"^the hunter was pickled by version 0.0.1 .* version {__version__}$",
        ),
        ("probe", lambda: {"fresh": "0"}, "machine that computes other points.*: fresh, "),
    ],
)
def test_the_pickle_of_another_version_or_machine_is_refused(
    name: str, other: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hunter = EmbeddedHunter(SETTINGS[0], 1)
    monkeypatch.setattr(header, name, other)
    pickled = pickle.dumps(hunter)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=says):
        pickle.loads(pickled)
