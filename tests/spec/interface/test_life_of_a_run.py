"""The life of a run: whatever happens to it, it is the run that nothing disturbs.

Points are asked for and told in any order; the hunter is copied, pickled or interrupted at any
line; the process is killed while it writes, the disk is full, the budget is extended. Two things
hold throughout: the points and values are those of the undisturbed run, and a file that is refused
is left as it is.
"""

import copy
import pickle
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings as how_often
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scipy.optimize import OptimizeResult

from embedded_hunter import CheckpointError, CheckpointWriteError, EmbeddedHunter
from embedded_hunter.matrices import Floats
from embedded_hunter.policy import Parameters
from embedded_hunter.run.box import Box
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.policies import settings_of
from embedded_hunter.run.records import evaluation_line
from spec.interface.checkpoints import logged, no_file_longer_than
from spec.interface.front_door import outcome
from spec.interface.interrupts import interrupted_at

N, FIRST, SECOND, SEED = 12, 40, 70, 7
BOX = Box([(-2.0, 3.0)] * N)
POLICIES: dict[str, dict[str, Any]] = {
    "fresh": {"d": 2, "M": 2},
    "indexed": {"d": 2, "K": 5},
    "forest": {"d": None, "dimensions": [2, 4], "n_embeddings": 3},
}


def value_at(x: Floats) -> float:
    return float(abs(x[3] - 0.7) + abs(x[11] + 0.2) + 0.1 * x[5])


def settings(policy: Any, v: int, **given: Any) -> Parameters:
    return settings_of(policy, N, v=v, **{**POLICIES[policy], **given})


@cache
def undisturbed(policy: str, v: int) -> tuple[dict[int, bytes], OptimizeResult]:
    """The points of a run that goes to its end at once, and its result."""
    h_max = settings(policy, FIRST).h_max
    hunter = EmbeddedHunter(settings(policy, v, h_max=h_max), SEED, bounds=BOX)
    points: dict[int, bytes] = {}
    while queries := hunter.ask():
        points |= {query.number: query.x.tobytes() for query in queries}
        hunter.tell(queries, [value_at(query.x) for query in queries])
    return points, hunter.result


class LifeOfARun(RuleBasedStateMachine):
    """A run with a file; `known` are the values that the process has come to know."""

    @initialize(policy=st.sampled_from(sorted(POLICIES)))
    def begin(self, policy: str) -> None:
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name, "run.jsonl")
        self.policy, self.v = policy, FIRST
        self.known: dict[int, float] = {}
        self.start()

    def checkpoint(self, **changed: Any) -> Checkpoint:
        given: dict[str, Any] = {"v": self.v, "rng": SEED, "box": BOX, "objective": "f", **changed}
        policy, v, rng, box = self.policy, given.pop("v"), given.pop("rng"), given.pop("box")
        more = given.pop("more", {})

        def at(budget: int) -> Parameters:
            return settings(policy, budget, **more)

        return Checkpoint(self.path, at(v), box, rng, settings_at=at, **given)

    def start(self, rng: int | None = SEED) -> None:
        """Begin or resume the run, as another process would."""
        self.log = self.checkpoint(rng=rng)
        self.log.__enter__()
        self.hunter = self.log.hunter()

    def end(self) -> None:
        self.log.__exit__(None)

    def tell(self, numbers: list[int]) -> None:
        points = {query.number: query.x for query in self.hunter.unanswered}
        for number in numbers:
            if number not in self.log.values:
                self.log.append(number, value_at(points[number]))
                self.known[number] = self.log.values[number]
        self.hunter.tell(numbers, [self.log.values[number] for number in numbers])

    def some(self, data: st.DataObject) -> list[int]:
        numbers = [query.number for query in self.hunter.unanswered]
        chosen = data.draw(st.permutations(numbers)) if numbers else []
        return list(chosen[: data.draw(st.integers(0, len(chosen)))])

    @rule(at_most=st.none() | st.integers(0, 6))
    def ask(self, at_most: int | None) -> None:
        self.hunter.ask(at_most)

    @rule(data=st.data())
    def tell_some(self, data: st.DataObject) -> None:
        self.tell(self.some(data))

    @rule()
    def go_on(self) -> None:
        self.hunter.ask()
        self.tell([query.number for query in self.hunter.unanswered])

    @rule(data=st.data())
    def log_without_telling(self, data: st.DataObject) -> None:
        points = {query.number: query.x for query in self.hunter.unanswered}
        for number in self.some(data):
            if number not in self.log.values:
                self.log.append(number, value_at(points[number]))
                self.known[number] = self.log.values[number]

    @rule(how=st.sampled_from([copy.copy, copy.deepcopy, lambda h: pickle.loads(pickle.dumps(h))]))
    def copy(self, how: Any) -> None:
        before = self.hunter
        before.ask(0)  # completes a call that was interrupted
        self.hunter = how(before)
        assert (self.hunter.nfev, self.hunter.fun) == (before.nfev, before.fun)
        assert (self.hunter.waiting, self.hunter.finished) == (before.waiting, before.finished)
        before.ask(1)  # the copy does not move

    @rule(line=st.integers(1, 120), data=st.data())
    def interrupt(self, line: int, data: st.DataObject) -> None:
        """Ctrl-C within a call of `ask` or `tell`, which can then be made again."""
        numbers = [k for k in self.some(data) if k in self.log.values]
        told = [self.log.values[k] for k in numbers]
        before = self.hunter.nfev
        try:
            with interrupted_at(line):
                if numbers:
                    self.hunter.tell(numbers, told)
                else:
                    self.hunter.ask(3)
        except KeyboardInterrupt:
            assert self.hunter.nfev in (before, before + len(numbers))

    @rule(torn=st.integers(0, 200), data=st.data(), rng=st.sampled_from([SEED, None]))
    def kill(self, torn: int, data: st.DataObject, rng: int | None) -> None:
        """While a line was being written; complete lines are never lost."""
        waiting = {q.number: q.x for q in self.hunter.unanswered if q.number not in self.known}
        self.end()
        if waiting:
            number = data.draw(st.sampled_from(sorted(waiting)))
            line = evaluation_line(number, value_at(waiting[number])).encode()
            with self.path.open("ab") as file:
                file.write(line[: min(torn, len(line) - 1)])
        self.start(rng)
        assert self.log.values == self.known

    @rule(spare=st.integers(0, 60))
    def fill_the_disk(self, spare: int) -> None:
        self.hunter.ask(2)
        waiting = [q.number for q in self.hunter.unanswered if q.number not in self.known]
        size = self.path.stat().st_size
        try:
            with no_file_longer_than(size + spare):
                self.tell(waiting)
        except CheckpointWriteError:
            assert self.path.stat().st_size >= size  # not a part of a line
            self.known = dict(self.log.values)
            self.end()
            self.log.__enter__()  # there is room again

    @precondition(lambda self: self.v == FIRST)
    @rule()
    def extend(self) -> None:
        self.end()
        self.v = SECOND
        self.start()

    @rule(
        changed=st.sampled_from(
            [
                {"rng": 8},
                {"box": Box([(-2.0, 3.5)] * N)},
                {"objective": "g"},
                {"objective": None},
                {"more": {"eta": 0.31}},
                {"v": FIRST - 1},
                {},
            ]
        )
    )
    def refuse(self, changed: dict[str, Any]) -> None:
        """Another run is; this one too while it is open."""
        content = self.path.read_bytes()
        if changed:
            self.end()
        with pytest.raises(CheckpointError):
            self.checkpoint(**changed).__enter__()
        assert self.path.read_bytes() == content
        if changed:
            self.log.__enter__()

    @invariant()
    def nothing_is_lost_and_nothing_is_different(self) -> None:
        points, _ = undisturbed(self.policy, SECOND)
        for query in self.hunter.unanswered:
            assert query.x.tobytes() == points[query.number]
            assert not query.x.flags.writeable
        told = dict(self.hunter.history.tolist())
        assert told.items() <= self.known.items()
        assert self.known == logged(self.path) == self.log.values
        if told:
            best = min(told, key=lambda k: (told[k], k))
            assert self.hunter.x is not None
            assert (self.hunter.fun, self.hunter.x.tobytes()) == (told[best], points[best])

    def teardown(self) -> None:
        while not self.hunter.finished:
            self.go_on()
        assert outcome(self.hunter.result) == outcome(undisturbed(self.policy, self.v)[1])
        self.end()
        self.folder.cleanup()


TestLifeOfARun = LifeOfARun.TestCase
TestLifeOfARun.settings = how_often(max_examples=60, stateful_step_count=30, deadline=None)
