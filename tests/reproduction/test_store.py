"""What a campaign stores and how it goes on, with runs that take no time."""

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from embedded_hunter.version import __version__
from reproduction.figure_1 import campaign
from reproduction.figure_1.campaign import WorkersDied, outcomes, reproduce
from reproduction.figure_1.plan import Task, tasks
from reproduction.figure_1.runs import BestAt, Outcome
from reproduction.figure_1.store import Store

FACTS = {"profile": "paper", "rows": "effective", "version": "1"}


def task(problem: str, algorithm: str, x: int | None, run: int, profile: str = "paper") -> Task:
    return Task(profile, "scalability", problem, algorithm, x, run)


# The store


def test_runs_are_read_as_they_were_stored(tmp_path: Path) -> None:
    """In the paper's order of problems, then of algorithms, ours last; then by x and run."""
    ordered = [
        task("ellipsoid", "sresoo", 100, 0),
        task("fletcher_powell", "embedded_hunter", 100, 0),
        task("ackley", "resoo", 500, 1),
        task("ackley", "embedded_hunter", 100, 1),
        task("ackley", "embedded_hunter", 500, 0),
        task("ackley", "embedded_hunter", 500, 1),
        task("ackley", "uniform_random_search", 100, 0),
    ]
    folder = tmp_path / "a" / "b"
    kept = Store(folder, FACTS)
    for k, one in reversed([*enumerate(ordered)]):
        assert one.x is not None
        kept.add(Outcome(one, (BestAt(one.x, k + 0.1),), 10 * k, 0.25))
    kept.add(Outcome(ordered[0], (BestAt(100, 7.5),), 70, 0.5))  # again: it replaces
    again = Store(str(folder), {})
    assert again.outcomes == kept.outcomes
    assert again.rows("scalability") == [
        ("scalability", one.problem, one.algorithm, one.x, one.run, k + 0.1 if k else 7.5)
        for k, one in enumerate(ordered)
    ]
    assert again.rows("convergence") == []
    assert again.cost() == (70 + 10 * sum(range(7)), 0.5 + 6 * 0.25)
    assert again.facts == FACTS
    cost = "7 runs, 280 evaluations, 2 seconds of processor time"
    assert again.made() == {**FACTS, "cost": cost}
    assert sum(again.seconds().values()) == again.cost()[1]
    assert set(again.seconds()) == {one.algorithm for one in ordered}


def test_a_kill_loses_nothing_but_the_task_that_is_being_stored(tmp_path: Path) -> None:
    """The file is cut after each byte of its last line; the task is stored whole or not at all."""
    one, other = (
        Outcome(Task("released", "convergence", "ackley", "resoo", None, run),
                (BestAt(10, 2.0), BestAt(50, 1 / 3)), 50, 0.1)
        for run in range(2)
    )  # fmt: skip
    kept = Store(tmp_path, FACTS)
    kept.add(one)
    before = kept.path.read_bytes()
    kept.add(other)
    whole = kept.path.read_bytes()
    for end in range(len(before), len(whole)):
        kept.path.write_bytes(whole[:end])
        again = Store(tmp_path, FACTS)
        assert list(again.outcomes.values()) == ([one, other] if end == len(whole) - 1 else [one])
        again.add(other)
        assert Store(tmp_path, {}).outcomes == kept.outcomes
    kept.path.write_bytes(b"")  # killed before the first line was written
    Store(tmp_path, FACTS).add(one)
    assert kept.path.read_bytes() == before


def test_files_are_written_in_the_published_format(tmp_path: Path) -> None:
    kept = Store(tmp_path, FACTS)
    for name in ("number-of-embeddings", "convergence"):
        for x in (2, 1):
            one = task("ackley", "resoo", x, 0)._replace(experiment=name)
            kept.add(Outcome(one, (BestAt(x, 0.1 + x),), 10, 0.1))
    (tmp_path / "number-of-embeddings.csv").write_text("old\n")
    kept.write_csv(["number-of-embeddings"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "campaign.jsonl", "number-of-embeddings.csv"
    ]  # fmt: skip
    assert (tmp_path / "number-of-embeddings.csv").read_bytes() == (
        b"experiment,problem,algorithm,M,run,best_value\n"
        b"number-of-embeddings,ackley,resoo,1,0,1.1\n"
        b"number-of-embeddings,ackley,resoo,2,0,2.1\n"
    )


def test_a_folder_of_other_facts_or_files_is_refused(tmp_path: Path) -> None:
    kept = Store(tmp_path, FACTS)
    assert list(tmp_path.iterdir()) == []  # whoever only reads writes nothing
    kept.add(Outcome(task("ackley", "resoo", 100, 0), (BestAt(100, 1.5),), 10, 0.1))
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
        Store(tmp_path, {**FACTS, "rows": "full"})
    assert str(caught.value) == (
        f"{tmp_path} holds a campaign whose rows is 'effective', not 'full': choose another folder"
    )
    path = kept.path
    header = path.read_bytes().splitlines(keepends=True)[0]
    for text in (b"no campaign", b"[1]\n", b"\xff", *(header + line for line in (
        b"no line }\n", b'{"task": 1}\n', b'{"a": 2}\n', b"\xff\n"))):  # fmt: skip
        path.write_bytes(text)
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
            Store(tmp_path, FACTS)
        said = f"{path} cannot be used: it is not what a campaign has written"
        assert str(caught.value) == said
        assert path.read_bytes() == text


# The campaign


class Performed:
    """In the place of `perform`."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.full: set[bool] = set()

    def __call__(self, task: Task, full: bool = False) -> Outcome:
        self.tasks.append(task)
        self.full.add(full)
        assert task.x is not None
        return Outcome(task, (BestAt(task.x, task.run + 1 / task.x),), task.x, 0.5)


@pytest.fixture
def performed(monkeypatch: pytest.MonkeyPatch) -> Performed:
    done = Performed()
    monkeypatch.setattr(campaign, "perform", done)
    return done


CHOSEN: dict[str, Any] = {
    "runs": 2, "problems": ("ackley",), "algorithms": ("resoo",), "values": [2, 8, 500]
}  # fmt: skip
BOTH = ("number-of-embeddings", "scalability")


def test_a_campaign_makes_what_is_missing_and_writes_its_files(
    tmp_path: Path, performed: Performed
) -> None:
    wanted = list(tasks(BOTH, "paper", **CHOSEN))
    reproduce(BOTH, tmp_path, **{**CHOSEN, "runs": 1})
    assert performed.tasks == [one for one in wanted if one.run == 0]
    kept = reproduce(BOTH, tmp_path, **CHOSEN)
    assert performed.tasks[3:] == [one for one in wanted if one.run == 1]
    assert performed.full == {False}
    assert kept.facts == {"profile": "paper", "rows": "effective", "version": __version__}
    assert {name: len(kept.rows(name)) for name in BOTH} == {BOTH[0]: 4, BOTH[1]: 2}
    for name in BOTH:
        text = (tmp_path / f"{name}.csv").read_text()
        assert text.count("\n") == 1 + len(kept.rows(name))
    (tmp_path / "scalability.csv").unlink()
    reproduce(BOTH[:1], tmp_path, **{**CHOSEN, "values": [2]})
    assert len(performed.tasks) == 6
    assert not (tmp_path / "scalability.csv").exists()


class Died(Exception):
    """A worker died."""


class Broken(Exception):
    """The pool is broken."""


class Joblib:
    """A pool that does its work here, and dies after so many outcomes; `said` is how it is used."""

    def __init__(self, *lives: int) -> None:
        self.lives = list(lives)
        self.said: list[Any] = []

    def Parallel(self, jobs: int, **given: Any) -> Callable[[Any], Iterator[Any]]:
        self.said.append({"n_jobs": jobs, **given})

        def pool(calls: Any) -> Iterator[Any]:
            left = self.lives.pop(0) if self.lives else 10**9
            for call in calls:
                if left == 0:
                    raise (Died, Broken)[len(self.lives) % 2](len(self.lives))
                left -= 1
                yield call()

        return pool

    def delayed(self, work: Any) -> Any:
        return lambda task: partial(work, task)


def use(monkeypatch: pytest.MonkeyPatch, joblib: Joblib) -> None:
    errors = SimpleNamespace(TerminatedWorkerError=Died, BrokenProcessPool=Broken)
    monkeypatch.setitem(sys.modules, "joblib", joblib)
    monkeypatch.setitem(sys.modules, "joblib.externals.loky.process_executor", errors)


FIVE = [task("ackley", "resoo", x, 0) for x in (1, 2, 3, 4, 5)]


def test_when_workers_die_only_what_is_missing_is_done_again(
    monkeypatch: pytest.MonkeyPatch, performed: Performed
) -> None:
    for jobs, lives in ((2, (2, 0, 1)), (3, (0, 0, 0, 0)), (-1, ())):
        joblib = Joblib(*lives)
        use(monkeypatch, joblib)
        performed.tasks.clear()
        found = list(outcomes(FIVE, performed, jobs))
        assert [outcome.task for outcome in found] == FIVE
        assert performed.tasks == FIVE
        assert joblib.said == (len(lives) + 1) * [
            {"n_jobs": jobs, "return_as": "generator_unordered", "batch_size": 1}
        ]


def test_workers_that_keep_dying_end_the_campaign(
    monkeypatch: pytest.MonkeyPatch, performed: Performed
) -> None:
    use(monkeypatch, Joblib(1, 0, 0, 0, 0))
    made = outcomes(FIVE, performed, 2)
    assert next(made).task == FIVE[0]
    with pytest.raises(WorkersDied) as caught:
        next(made)
    assert str(caught.value) == "workers died 5 times; start again to go on"
    assert isinstance(caught.value.__cause__, Died)


def test_one_job_needs_no_pool(monkeypatch: pytest.MonkeyPatch, performed: Performed) -> None:
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert [outcome.task for outcome in outcomes(FIVE, performed)] == FIVE


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_sees_how_many_runs_are_made(
    tmp_path: Path, performed: Performed, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    reproduce(BOTH, tmp_path, **{**CHOSEN, "runs": 1})
    counted = "\r1 of 3 runs\r2 of 3 runs\r3 of 3 runs\n"
    assert screen.getvalue() == (counted if terminal else "")
