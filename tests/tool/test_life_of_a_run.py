"""The life of a run: whatever happens to it, it is the run that nothing disturbs.

Points are asked for and told in any order, some of them wrongly; the search is copied, pickled or
interrupted at any line; the process is killed while it writes, the file is cut at any byte, the
disk is full, the budget is extended; `minimize` goes on with the run until a limit or a failure
ends the call. Three things hold throughout:

- the points and values are those of the undisturbed run;
- what is refused, a file or a value, is left as it is;
- a limited run is the part of it that ends with the first visit that satisfies the limit.
"""

import copy
import gc
import math
import pickle
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

import hypothesis.strategies as st
import pytest
from hypothesis import settings as how_often
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from scipy.optimize import OptimizeResult

from embedded_hunter import (
    CheckpointError,
    CheckpointWriteError,
    EvaluationError,
    Run,
    Search,
    minimize,
)
from embedded_hunter.matrices import Floats
from embedded_hunter.run import minimization
from embedded_hunter.run.box import Box
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.policies import settings_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.position import Query
from embedded_hunter.run.records import evaluation_line
from embedded_hunter.run.status import Status
from tool.checkpoints import logged, no_file_longer_than
from tool.front_door import Clock, backwards, never, outcome
from tool.interrupts import interrupted_at

N, SECOND, SEED = 12, 70, 7
BOUNDS = [(-2.0, 3.0)] * N
BOX = Box(BOUNDS)
KINDS: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh", "d": 2, "M": 2},
    "matrix": {"policy": "fresh", "d": 2, "sampler": "matrix"},
    "indexed": {"policy": "indexed", "d": 2, "K": 5},
    "forest": {"policy": "forest", "dimensions": [2, 4], "n_embeddings": 3},
    "full tree": {"policy": "fresh", "d": 1, "M": 0, "h_max": 1},
}


def value_at(x: Floats) -> float:
    """Rounded, so that values tie."""
    return round(float(abs(x[3] - 0.7) + abs(x[11] + 0.2) + 0.1 * x[5]), 1)


def settings(kind: str, v: int, **changed: Any) -> Parameters:
    given = {**KINDS[kind], **changed}
    return settings_of(given.pop("policy"), N, given.pop("d", None), v, **given)


class Undisturbed(NamedTuple):
    """A run that goes to its end at once."""

    points: dict[int, bytes]
    values: list[float]
    ends: list[int]
    """Numbers of evaluations at the ends of its visits."""
    result: OptimizeResult

    def stands(self, nfev: int) -> int:
        """Number of evaluations, of the first nfev, since the last that was below all before."""
        return nfev - self.values.index(min(self.values[:nfev])) - 1


@cache
def undisturbed(kind: str, first: int, v: int) -> Undisturbed:
    """Return the run of budget v, with the h_max of the first budget."""
    search = Search(settings(kind, v, h_max=settings(kind, first).h_max), SEED, bounds=BOUNDS)
    points: dict[int, bytes] = {}
    values: list[float] = []
    visits = []
    while queries := search.ask():
        points |= {query.number: query.x.tobytes() for query in queries}
        visits.append(len(queries))
        values += [value_at(query.x) for query in queries]
        search.tell(queries, values[-len(queries) :])
    return Undisturbed(points, values, list(accumulate(visits)), search.result)


WRONG: dict[str, Callable[[Query, Query], tuple[list[Any], list[Any]]]] = {
    "nan": lambda one, other: ([one, other], [1.0, math.nan]),
    "text": lambda one, other: ([one, other], [1.0, "1.0"]),
    "twice": lambda one, other: ([one, one], [1.0, 2.0]),
    "not asked for": lambda one, other: ([one, 10**6], [1.0, 2.0]),
    "a bool": lambda one, other: ([one, True], [1.0, 2.0]),
    "a float": lambda one, other: ([one, float(other.number)], [1.0, 2.0]),
    "no number": lambda one, other: ([one, "a point"], [1.0, 2.0]),
    "too few values": lambda one, other: ([one, other], [1.0]),
}


STATUS = {
    "f_target": {Status.TARGET},
    "callback": {Status.STOPPED},
    "patience": {Status.PATIENCE, Status.AT_EDGE, Status.FLAT},
    "timeout": {Status.TIMEOUT, Status.AT_EDGE, Status.FLAT},
}


class Fault(Exception):
    pass


class Disturbed:
    """The objective; some of its calls, which are counted from 1, fail."""

    def __init__(self, failing: set[int], how: str, clock: Clock) -> None:
        self.failing, self.how, self.clock, self.calls = failing, how, clock, 0
        self.made: list[bytes] = []
        self.failed: list[bytes] = []

    def __call__(self, x: Floats) -> float:
        self.calls += 1
        if self.calls in self.failing:
            self.failed.append(x.tobytes())
            if self.how == "nan":
                return math.nan
            raise KeyboardInterrupt if self.how == "Ctrl-C" else Fault
        self.clock.now += 1
        self.made.append(x.tobytes())
        return value_at(x)


class LifeOfARun(RuleBasedStateMachine):
    """A run with a file; `known` are the values that the process has come to know."""

    @initialize(kind=st.sampled_from(sorted(KINDS)), first=st.sampled_from([1, 5, 40]))
    def begin(self, kind: str, first: int) -> None:
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name, "run.jsonl")
        self.kind, self.first, self.v = kind, first, first
        self.known: dict[int, float] = {}
        self.start()

    @property
    def whole(self) -> Undisturbed:
        return undisturbed(self.kind, self.first, self.v)

    def checkpoint(self, **changed: Any) -> Checkpoint:
        given: dict[str, Any] = {"v": self.v, "rng": SEED, "box": BOX, "objective": "f", **changed}
        v, rng, box = given.pop("v"), given.pop("rng"), given.pop("box")
        more = given.pop("more", {})

        def at(budget: int) -> Parameters:
            return settings(self.kind, budget, **more)

        run = Run.begin(at(v), rng, box)
        return Checkpoint(self.path, run, settings_at=at, any_seed=rng is None, **given)

    def minimize(self, f: Callable[[Floats], float], **how: Any) -> OptimizeResult:
        return minimize(
            f, BOUNDS, maxfun=self.v, rng=SEED, checkpoint=self.path, objective="f",
            **KINDS[self.kind], **how,
        )  # fmt: skip

    def start(self, rng: int | None = SEED) -> None:
        """Begin or resume the run, as another process would."""
        self.log = self.checkpoint(rng=rng)
        self.log.__enter__()
        self.log.write_missing()

    @property
    def search(self) -> Search:
        return self.log.search

    def end(self) -> None:
        self.log.__exit__(None)

    def tell(self, numbers: list[int]) -> None:
        """Evaluate points, tell the search their values, and log them."""
        points = {query.number: query.x for query in self.search.unanswered}
        values = [value_at(points[number]) for number in numbers]
        try:
            self.log.tell(numbers, values)
        finally:  # what was told is known, also if it cannot be written
            self.known = dict(self.search.history.tolist())

    def some(self, data: st.DataObject) -> list[int]:
        numbers = [query.number for query in self.search.unanswered]
        chosen = data.draw(st.permutations(numbers)) if numbers else []
        return list(chosen[: data.draw(st.integers(0, len(chosen)))])

    @rule(at_most=st.none() | st.integers(0, 6))
    def ask(self, at_most: int | None) -> None:
        self.search.ask(at_most)

    @rule(data=st.data())
    def tell_some(self, data: st.DataObject) -> None:
        self.tell(self.some(data))

    @rule()
    def go_on(self) -> None:
        self.search.ask()
        self.tell([query.number for query in self.search.unanswered])

    @rule(data=st.data())
    def keep_without_telling(self, data: st.DataObject) -> None:
        """As `minimize` does with the values of a visit, until it has all of them."""
        points = {query.number: query.x for query in self.search.unanswered}
        for number in self.some(data):
            self.known[number] = value_at(points[number])
            self.search.note(number, self.known[number])
            self.log.log(number, self.known[number])

    @rule(
        data=st.data(),
        how=st.sampled_from([copy.copy, copy.deepcopy, lambda h: pickle.loads(pickle.dumps(h))]),
    )
    def copy(self, how: Any, data: st.DataObject) -> None:
        """While points wait for a value, in between others that have one."""
        before = self.search
        before.ask(3)
        self.tell(self.some(data))
        self.log.search = how(before)
        assert (self.search.nfev, self.search.fun) == (before.nfev, before.fun)
        assert (self.search.waiting, self.search.finished) == (before.waiting, before.finished)
        before.ask(1)  # the copy does not move

    @rule(how=st.sampled_from(sorted(WRONG)))
    def tell_wrongly(self, how: str) -> None:
        """Then no value that came with it is taken."""
        self.search.ask(2)
        if len(waiting := self.search.unanswered) < 2:
            return
        before = pickle.dumps(self.search)
        with pytest.raises(ValueError, match=r"evaluation|was not asked for|values"):
            self.search.tell(*WRONG[how](*waiting[:2]))
        assert pickle.dumps(self.search) == before

    @rule(line=st.integers(1, 30) | st.integers(1, 250), call=st.sampled_from(["ask", "tell"]))
    def interrupt(self, line: int, call: str) -> None:
        """Ctrl-C within a call of `ask` or `tell`, which can then be made again."""
        if call == "tell":
            self.search.ask()
        waiting = self.search.unanswered if call == "tell" else []
        before = len(self.known)
        try:
            with interrupted_at(line):
                if waiting:
                    self.log.tell(waiting, [value_at(query.x) for query in waiting])
                else:
                    self.search.ask(3)
        except KeyboardInterrupt as error:
            self.log.__exit__(type(error))  # writes what is told and not logged
            self.log.__enter__()
            assert len(self.search.history) in (before, before + len(waiting))
        self.known = dict(self.search.history.tolist())

    @rule(torn=st.integers(0, 200), data=st.data(), rng=st.sampled_from([SEED, None]))
    def kill(self, torn: int, data: st.DataObject, rng: int | None) -> None:
        """While a line was being written; complete lines are never lost."""
        waiting = {query.number: query.x for query in self.search.unanswered}
        self.end()
        if waiting:
            number = data.draw(st.sampled_from(sorted(waiting)))
            line = evaluation_line(number, value_at(waiting[number])).encode()
            with self.path.open("ab") as file:
                file.write(line[: min(torn, len(line) - 1)])
        self.start(rng)
        assert dict(self.search.history.tolist()) == self.known

    @rule(data=st.data())
    def cut(self, data: st.DataObject) -> None:
        """The file loses its end, at any byte, the header included.

        Not if the run was extended: without its header it would begin with the greater budget.
        """
        self.end()
        size = self.path.stat().st_size
        if self.v != self.first:
            size -= self.path.read_bytes().index(b"\n") + 1
        lost = data.draw(st.integers(0, min(size, 400)) | st.integers(0, size))
        with self.path.open("r+b") as file:
            file.truncate(self.path.stat().st_size - lost)
        self.known = logged(self.path)
        self.start()

    @rule(spare=st.integers(0, 60))
    def fill_the_disk(self, spare: int) -> None:
        self.search.ask(2)
        waiting = [query.number for query in self.search.unanswered]
        size = self.path.stat().st_size
        try:
            with no_file_longer_than(size + spare):
                self.tell(waiting)
        except CheckpointWriteError:
            assert self.path.read_bytes().endswith(b"\n")  # not a part of a line
            self.end()
            self.log.__enter__()  # there is room again
            self.log.write_missing()

    @rule(
        limit=st.sampled_from(["f_target", "patience", "timeout", "callback"]),
        at=st.integers(1, SECOND),
        disturbed=st.sampled_from(["", "raises", "nan", "Ctrl-C", "line", "disk"]),
        when=st.integers(1, 20),
        workers=st.sampled_from([1, map, backwards]),
        resumed=st.booleans(),
    )
    def minimize_until(
        self, limit: str, at: int, disturbed: str, when: int, workers: Any, resumed: bool
    ) -> None:
        """`minimize` until a limit that holds after evaluation `at`, or until something happens."""
        self.end()
        whole, before = self.whole, self.known
        complete = len(before) == len(whole.points)
        told = next(k for k in range(len(whole.points) + 1) if k + 1 not in before)
        at = min(at, len(whole.points))
        target, patience = min(whole.values[:at]), max(1, whole.stands(at))
        seen: list[int] = []

        def report(result: OptimizeResult) -> bool:
            seen.append(result.nfev)
            return limit == "callback" and result.nfev >= at

        how: dict[str, Any] = {"callback": report, "workers": workers}
        ends = [end for end in whole.ends if end > told or (end == told and limit != "callback")]
        if limit == "f_target":
            how["f_target"] = target
            ends = [end for end in ends if min(whole.values[:end]) <= target]
        elif limit == "patience":
            how["patience"] = patience
            ends = [end for end in ends if whole.stands(end) >= patience]
        elif limit == "timeout":
            how |= {"timeout": at, "workers": 1}
        else:
            ends = [end for end in ends if end >= at]
        clock = Clock()
        failing = {when, when + 1} if disturbed in ("raises", "nan", "Ctrl-C") else set[int]()
        f = Disturbed(failing, disturbed, clock)

        def begin() -> OptimizeResult:
            return self.minimize(f, **how)

        attempt, result, times = begin, None, 0
        with mock.patch.object(minimization, "time", clock):
            while result is None:
                context: Any = nullcontext()
                if times == 0 and disturbed == "line":
                    context = interrupted_at(when * 400 + at)
                elif times == 0 and disturbed == "disk":
                    context = no_file_longer_than(self.path.stat().st_size + 7 * when)
                times += 1
                begun, f.failed = len(f.made), []
                try:
                    with context:
                        result = attempt()
                except (EvaluationError, CheckpointWriteError, KeyboardInterrupt) as error:
                    attempt = never_again
                    if resumed:
                        attempt = self.way_on(error, f) or begin
                if attempt is never_again:
                    break
                if disturbed == "line":
                    close_what_was_left_open()
        if disturbed == "line":
            close_what_was_left_open()
        again = Counter(f.made) - Counter(
            point for number, point in whole.points.items() if number not in before
        )
        assert again.total() <= (disturbed == "line")  # the one that was interrupted
        self.known = logged(self.path)
        assert before.items() <= self.known.items()
        if result is not None:
            until = len(whole.points) if complete or not ends else ends[0]
            if limit == "timeout":
                until = result.nfev
                if not complete and until < len(whole.points):
                    assert len(f.made) - begun == at
            assert dict(result.history.tolist()).items() <= enumerated(whole.values)
            assert result.nfev == len(result.history) == until
            assert result.fun == min(result.history["value"])
            if not complete and disturbed != "line":
                visited = max((end for end in whole.ends if end <= told), default=0)
                assert seen == [end for end in whole.ends if visited < end <= until]
            if not complete and (ends if limit != "timeout" else until < len(whole.points)):
                assert result.status in STATUS[limit]
        self.start()

    def way_on(
        self, error: EvaluationError | CheckpointWriteError | KeyboardInterrupt, f: Disturbed
    ) -> Callable[[], OptimizeResult] | None:
        """Look at the result of what was interrupted, and return how to go on.

        None if the interrupt came before the run, or behind it.
        """
        points, values = self.whole.points, self.whole.values
        if isinstance(error, EvaluationError):
            assert error.x.tobytes() == points[error.evaluation] in f.failed
            assert error.evaluation <= min(
                max(k for k, point in points.items() if point == failed) for failed in f.failed
            )
        found = vars(error).get("result")
        if found is None:
            return None
        assert not found.success
        assert dict(found.history.tolist()).items() <= enumerated(values)
        assert len(found.history) == found.nfev >= len(logged(self.path))
        resume: Callable[[], OptimizeResult] | None = vars(error)["resume"]
        return resume

    @precondition(lambda self: self.v == self.first)
    @rule(complete=st.booleans())
    def extend(self, complete: bool) -> None:
        """By another process, or by `minimize` once the run is complete."""
        self.end()
        for budget in (self.v, SECOND):
            self.v = budget
            if complete:
                expected = outcome(self.whole.result) | {"nfailed": 0}
                assert outcome(self.minimize(value_at)) == expected
        self.known = logged(self.path)
        self.start()

    @rule(
        changed=st.sampled_from(
            [
                {"rng": 8},
                {"box": Box([(-2.0, 3.5)] * N)},
                {"objective": "g"},
                {"objective": None},
                {"more": {"eta": 0.31}},
                {"v": 0},
                {},
            ]
        )
    )
    def refuse(self, changed: dict[str, Any]) -> None:
        """Another run is; this one too while it is open."""
        content = self.path.read_bytes()
        if "v" in changed:
            changed = {"v": max(1, self.v - 1), "objective": "f" if self.v > 1 else "g"}
        if changed:
            self.end()
        with pytest.raises(CheckpointError):
            self.checkpoint(**changed).__enter__()
        assert self.path.read_bytes() == content
        if changed:
            self.log.__enter__()

    @invariant()
    def nothing_is_lost_and_nothing_is_different(self) -> None:
        points = undisturbed(self.kind, self.first, SECOND).points
        for query in self.search.unanswered:
            assert query.x.tobytes() == points[query.number]
            assert not query.x.flags.writeable
        told = dict(self.search.history.tolist())
        assert told == self.known == logged(self.path)
        assert self.search.nfev <= len(told)
        if told and self.search.nfev == len(told):  # not while some values are kept and not told
            best = min(told, key=lambda k: (told[k], k))
            assert self.search.x is not None
            assert (self.search.fun, self.search.x.tobytes()) == (told[best], points[best])

    def teardown(self) -> None:
        with self.folder:
            try:
                for _ in self.whole.ends:
                    self.go_on()
                assert outcome(self.search.result) == outcome(self.whole.result)
            finally:
                self.end()
            expected = outcome(self.whole.result) | {"nfailed": 0}
            for _ in range(2):
                assert outcome(self.minimize(never)) == expected


def never_again() -> OptimizeResult:
    """Stands for a process that has ended."""
    raise AssertionError


def enumerated(values: list[float]) -> Any:
    return dict(enumerate(values, 1)).items()


def close_what_was_left_open() -> None:
    """After Ctrl-C between a run and the closing of its file, its last reference closes it."""
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


@pytest.mark.claim("determinism", "batch-equivalence")
@pytest.mark.parametrize("lives", [8, pytest.param(100, marks=pytest.mark.long)])
def test_a_run_lives_through_every_order_of_its_events(lives: int) -> None:
    settings = how_often(max_examples=lives, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(LifeOfARun, settings=settings)
