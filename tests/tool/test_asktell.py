"""Specification of `asktell`, beside `test_life_of_a_run`: reasons, results, and other runs."""

import copy
import itertools
import math
import pickle
import sys
import threading
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats, Seed
from embedded_hunter.projection import drive as run_drive
from embedded_hunter.run import asktell, header
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import parts_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.position import Query
from embedded_hunter.run.run import Run
from embedded_hunter.run.status import Status, message_of
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree
from embedded_hunter.version import __version__
from paper.instances import Instance, Listed, instances
from tool.front_door import PALETTE


@pytest.mark.claim("alg1-line-17", "batch-equivalence")
@given(instances(max_v=80), st.lists(st.sampled_from(PALETTE), min_size=1, max_size=9))
def test_nit_counts_the_visits_that_are_finished(instance: Instance, values: list[float]) -> None:
    """Against the brute force, after each single answer: visits without an evaluation included.

    A visit is finished when its last evaluation is told; so are those after it that expand nothing.
    The evaluation of the root, t = 0, is none.
    """
    visits = instance.literal(Listed(values)).visits
    finished_after: list[int] = []  # visits that are finished, after so many evaluations
    for k, visit in enumerate(visits):
        if visit.evaluations:
            idle = itertools.takewhile(lambda later: not later.evaluations, visits[k + 1 :])
            before, last = max(visit.t - 1, 0), visit.t + len(list(idle))
            finished_after += [before] * (len(visit.evaluations) - 1) + [last]
    search = Search(instance.settings, 0)
    result = search.result
    assert (result.nit, result.depth, result.nleaves) == (0, 0, 0)
    found = []
    while not search.finished:
        for query in search.ask():
            search.tell([query], [values[(query.number - 1) % len(values)]])
            found.append(search.result.nit)
    assert found == finished_after


@pytest.mark.parametrize("as_number", [int, np.int64, np.uint8, np.array])
def test_numbers_of_any_integer_type_are_told(as_number: Callable[[int], Any]) -> None:
    search = Search(Settings(6, 1, 10, K=5, M=0), 0)
    search.tell(search.ask(), [5.0])
    one, other = search.ask(2)
    search.tell([Query(as_number(one.number), one.x), as_number(other.number)], [-4.0, -5.0])
    assert np.array_equal(search.x, other.x)  # type: ignore[arg-type]


# --- reasons, result, points -------------------------------------------------------------------


@pytest.mark.claim("termination", "budget-exact")
@pytest.mark.parametrize(
    ("maxfun", "h_max", "status"),
    [(7, 5, 0), (1, 0, 0), (50, 0, 1), (50, 1, 1), (9, 1, 0), (10, 1, 1)],
)
def test_the_status_says_why_a_run_ended(maxfun: int, h_max: int, status: int) -> None:
    """A full tree of d = 1, M = 0, h_max = 1 takes 1 + 2 + 3 * 2 evaluations; 9 use the budget."""
    search = Search(Settings(4, 1, maxfun, M=0, h_max=h_max), 0)
    while not search.finished:
        result = search.result
        assert (result.status, result.success, result.message) == (
            5,
            False,
            Status.RUNNING.message,
        )
        (query,) = search.ask(1)
        search.tell([query], [float(query.number)])
    result = search.result
    assert (result.status, result.success, result.message) == (
        status,
        True,
        message_of(Status(status), "fresh", None, result.nfev, 1),
    )
    assert result.fun == 1.0
    assert result.nfev == search.nfev <= maxfun


@pytest.mark.claim("alg1-line-17")
def test_the_result_is_a_copy_and_the_points_are_read_only() -> None:
    search = Search(Settings(4, 2, 30), 0)
    assert search.result["x"] is None
    assert search.result.fun == math.inf
    while queries := search.ask():
        for query in queries:
            assert query.x.shape == (4,)
            with pytest.raises(ValueError, match="read-only"):
                query.x[:] = 9.0
        search.tell(queries, [float(query.x[0]) for query in queries])
        result = search.result
        best = result.x.copy()
        result.x[:] = 7.0
        assert np.array_equal(search.result.x, best)
        assert result.fun == best[0]


SETTINGS: list[Parameters] = [
    Settings(6, 2, 120, K=5, M=1),
    Settings(6, 2, 120, K=5, M=1, sampler="matrix"),
    Settings(6, 2, 120, K=5, M=1, policy="indexed"),
    ForestSettings(6, 120, dimensions=(2,), evolve=False, n_embeddings=3),
]


def distance(x: Floats) -> float:
    return float(abs(x[0] - 0.3))


def drive(search: Search) -> list[list[float]]:
    """Run to the end; return the points."""
    points = []
    while queries := search.ask():
        points += [query.x.tolist() for query in queries]
        search.tell(queries, [distance(query.x) for query in queries])
    return points


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_loop_over_visits_asks_for_the_same_points(settings: Parameters) -> None:
    """`projection.drive` makes the points of a search, visit by visit."""
    for rows, width in ((None, 6), (4, 4)):
        points = drive(Search(settings, 3, rows=rows))
        assert (len(points), {len(x) for x in points}) == (120, {width})
        assert points != drive(Search(settings, 4, rows=rows))
        seen: list[list[float]] = []

        def noting(x: Floats, seen: list[list[float]] = seen) -> float:
            seen.append(x.tolist())
            return distance(x)

        made, again = 0, parts_of(settings, 3, rows)
        for visit, values in run_drive(
            again.run, again.projection.project, lambda x: list(map(noting, x))
        ):
            made += len(visit.evaluations)
            assert values == [distance(np.array(x)) for x in seen[made - len(values) :]]
            nodes = [getattr(request, "node", None) for request in visit.evaluations]
            assert all(node is None or node.f_star < math.inf for node in nodes)
        assert seen == points


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("told", [0, 1, 50, 120])
def test_a_search_continues_a_run(settings: Parameters, told: int) -> None:
    """Also one of a greater budget, and within other bounds."""
    whole = Search(settings, 3)
    points = drive(whole)
    run = replace(whole.run, values=whole.run.values[:told])
    search = Search(run)
    assert (search.nfev, search.run.known.tolist()) == (told, run.known.tolist())
    assert drive(search) == points[told:]
    scaled = Search(run, bounds=[(-2.0, 2.0)] * 6)
    queries = scaled.ask() if told < 120 else []
    assert [query.x.tolist() for query in queries] == [
        [2 * x for x in point] for point in points[told : told + len(queries)]
    ]


def test_a_run_that_cannot_be_continued_is_refused() -> None:
    begun = Run.begin(SETTINGS[0], 3)
    for more in ({"rng": 3}, {"rows": 4}):
        with pytest.raises(ValueError, match=r"^rng and rows must be None if a run is given, got"):
            Search(begun, **more)
    with pytest.raises(ValueError, match=r"^a run without a key cannot be continued"):
        Search(Run(SETTINGS[0], values=np.ones(1)))
    beyond = replace(begun, values=np.array([1.0, math.nan, *[2.0] * 30]))
    with pytest.raises(ValueError, match=r"^values must be at most \d+ floats, got 32$"):
        Search(beyond)
    with pytest.raises(ValueError, match=r"^values must be at most 3 floats, got 9$"):
        Search(replace(Run.begin(Settings(4, 1, 30, M=0, h_max=0)), values=np.ones(9)))


# --- what cannot go on, or cannot be copied ------------------------------------------------------


def test_a_run_that_raised_is_not_taken_for_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator of the policy has ended then; it is made again, with the values told."""
    search = Search(SETTINGS[0], 1)
    search.tell(search.ask(), [1.0])
    expected = drive(copy.deepcopy(search))
    queries = search.ask()

    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Tree, "replace", full)
        with pytest.raises(OSError, match="no space left"):
            search.tell(queries, [distance(query.x) for query in queries])
    assert (search.nfev, search.finished) == (1 + len(queries), False)
    assert drive(search) == expected[len(queries) :]


def test_a_visit_whose_values_are_all_kept_is_followed_by_the_next_one() -> None:
    """As after an interrupt between the last value of a visit and its end."""
    search = Search(SETTINGS[0], 1)
    for query in search.ask():
        search.note(query.number, 1.0)
    assert len(search.ask()) > 0
    assert search.nfev == 1


def test_any_seed_of_numpy_and_an_array_of_values_are_taken() -> None:
    """By the types too: mypy checks this file."""
    generator = np.random.default_rng
    seeds: list[Seed] = [
        3,
        np.int64(3),
        np.random.SeedSequence(3),
        np.random.PCG64(3),
        generator(3),
    ]
    runs = set()
    for seed in (*seeds, [3, 4]):
        search = Search(ForestSettings(50, 40), seed)
        while queries := search.ask():
            search.tell(queries, np.array([distance(query.x) for query in queries]))
        runs.add(search.run.values.tobytes())
    assert len(runs) == 2


def test_the_points_of_another_search_are_refused() -> None:
    one, other = (Search(ForestSettings(50, 100), rng=seed) for seed in (1, 2))
    for search in (one, other):
        search.tell(search.ask(), [1.0])
    mine, foreign = one.ask(), other.ask()
    with pytest.raises(ValueError, match=r"^the point of evaluation 2 is that of another search"):
        one.tell(foreign, [-1.0] * len(foreign))
    one.tell(pickle.loads(pickle.dumps(mine)), [2.0] * len(mine))
    assert one.nfev == 1 + len(mine)


def test_threads_share_a_search() -> None:
    """Each point is given once, and every value is taken."""
    given: list[int] = []
    errors: list[Exception] = []

    def work(search: Search) -> None:
        idle = 0
        while not search.finished and idle < 1000:
            queries = search.ask(1)
            idle = 0 if queries else idle + 1
            time.sleep(0.0002)
            for query in queries:
                given.append(query.number)
                try:
                    search.tell([query], [distance(query.x)])
                except ValueError as error:
                    errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for seed in range(3):
            given.clear()
            search = Search(ForestSettings(20, 300), rng=seed)
            threads = [threading.Thread(target=work, args=(search,)) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(given) == list(range(1, 301))
            assert (search.nfev, errors) == (300, [])
    finally:
        sys.setswitchinterval(before)


def test_what_a_thread_reads_while_others_ask_and_tell_belongs_to_one_moment() -> None:
    """A thread that reads `result` or pickles the search disturbs none that asks."""
    search = Search(ForestSettings(50, 3000), rng=1)
    errors: list[Exception] = []

    def guarded(step: Callable[[], None]) -> None:
        try:
            while not (search.finished or errors):
                step()
        except Exception as error:
            errors.append(error)

    def work() -> None:
        queries = search.ask(3)
        search.tell(queries, [distance(query.x) for query in queries])

    def read() -> None:
        before = search.nfev
        result, run = search.result, pickle.loads(pickle.dumps(search.run))
        assert before <= result.nfev <= len(search.run.values)
        assert result.x is None or distance(result.x) == result.fun
        assert len(run.known) <= len(search.history) + len(search.unanswered)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        steps = (work, work, read)
        threads = [threading.Thread(target=guarded, args=(step,)) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert errors == []
    assert search.finished


@pytest.mark.parametrize(
    ("name", "other", "says"),
    [
        (
            "__version__",
            "0.0.1",
            f"version 0.0.1 of embedded-hunter has written it, this is version {__version__}$",
        ),
        ("probe", lambda policy: "0", "the pickle of the run was written by a machine that"),
    ],
)
def test_the_pickle_of_another_version_or_machine_is_refused(
    name: str, other: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Search(SETTINGS[0], 1)
    monkeypatch.setattr(header, name, other)
    pickled = pickle.dumps(search)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=says):
        pickle.loads(pickled)


class OfVersion110:
    """Pickles as a search of version 1.1.0: the same function, with its header in front."""

    def __reduce__(self) -> tuple[Any, ...]:
        header = {"format": "embedded-hunter run", "version": 5, "package": "1.1.0"}
        return asktell.made_again, (header, array("d", [1.0]), Box([(0, 1)] * 6), None, 6)


def test_a_pickle_of_version_1_1_0_says_so() -> None:
    with pytest.raises(
        ValueError, match=r"^version 1\.1\.0 of embedded-hunter has written it, this"
    ):
        pickle.loads(pickle.dumps(OfVersion110()))
