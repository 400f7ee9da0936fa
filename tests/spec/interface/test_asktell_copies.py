"""Specification of `asktell`: a run can be interrupted, copied and pickled wherever it stands."""

import copy
import pickle
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

import embedded_hunter
from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.policy import AnyHunt, Parameters
from embedded_hunter.run import header
from embedded_hunter.run.policies import Search, search_of, settings_of
from embedded_hunter.run.probe import probe as header_probe
from embedded_hunter.run.queries import Query
from spec.interface.interrupts import interrupted_at

SETTINGS: dict[str, Parameters] = {
    "norm": Settings(6, 2, 60, K=5, M=1),
    "matrix": Settings(6, 2, 60, M=1, sampler="matrix"),
    "indexed": Settings(6, 2, 60, M=1, policy="indexed"),
    "forest": ForestSettings(6, 90, dimensions=(2,), evolve=False, n_embeddings=3),
    "full tree": Settings(6, 1, 60, M=0, h_max=1),
}


every_kind = pytest.mark.parametrize("kind", SETTINGS)


def value(x: Floats) -> float:
    return float(abs(x[0] - 0.3) + (x[1] + 0.2) ** 2)


Log = dict[int, tuple[list[float], float]]


def go_on(hunter: EmbeddedHunter, log: Log, until: int | None = None, portion: int = 3) -> None:
    """Drive a run to its end, or until so many points are told, whatever waits for a value."""
    while not hunter.finished and (until is None or hunter.nfev < until):
        hunter.ask(portion)
        for query in hunter.unanswered:
            log[query.number] = (query.x.tolist(), value(query.x))
            hunter.tell([query], [log[query.number][1]])


# --- exceptions --------------------------------------------------------------------------------


@pytest.mark.claim("determinism")
@every_kind
def test_without_memory_for_the_points_ask_can_be_called_again(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hunter = EmbeddedHunter(SETTINGS[kind], 4)
    go_on(hunter, {}, 3)
    if not hunter.waiting:
        hunter.tell(hunter.unanswered, [value(query.x) for query in hunter.unanswered])
    twin = copy.deepcopy(hunter)
    projection = type(search_of(SETTINGS[kind], np.random.default_rng(4)).projection)
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
    assert listed(hunter.ask()) == listed(twin.ask())


@pytest.mark.claim("determinism")
def test_tell_interrupted_at_any_line_has_taken_all_values_or_none() -> None:
    """The next call of `ask` goes on in either case."""
    found = set()
    for line in count(1):
        hunter = EmbeddedHunter(Settings(6, 1, 10, K=5, M=0), 0)
        hunter.tell(hunter.ask(), [5.0])
        waiting = hunter.ask()
        try:
            with interrupted_at(line):
                hunter.tell(waiting, [7.0, 4.0, 6.0, 4.0])
        except KeyboardInterrupt:
            found.add(hunter.nfev)
            assert bool(hunter.ask()) == (hunter.nfev == 5)
        else:
            break
    assert found == {1, 5}


def listed(queries: list[Query]) -> list[tuple[int, list[float]]]:
    return [(query.number, query.x.tolist()) for query in queries]


def test_a_run_that_was_given_and_raised_is_not_taken_for_finished() -> None:
    settings = Settings(6, 2, 30)

    def raising(run: AnyHunt) -> AnyHunt:
        visit = next(run)
        for _ in range(5):
            visit = run.send((yield visit))
        raise OSError("no space left")

    run, projection, *_ = search_of(settings, 1)
    hunter = EmbeddedHunter(settings, search=Search(raising(run), projection))
    with pytest.raises(OSError, match="no space left"):
        go_on(hunter, {})
    assert not hunter.finished
    ended = "^an exception ended the given run; it cannot be continued$"
    with pytest.raises(RuntimeError, match=ended):
        hunter.ask()
    assert hunter.stop() == {}


# --- copies ------------------------------------------------------------------------------------


def pickled(hunter: EmbeddedHunter) -> EmbeddedHunter:
    found = pickle.loads(pickle.dumps(hunter))
    assert isinstance(found, EmbeddedHunter)
    return found


COPIES: dict[str, Callable[[EmbeddedHunter], EmbeddedHunter]] = {
    "pickle": pickled,
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


@every_kind
@pytest.mark.parametrize("how", COPIES)
def test_few_points_are_made_again_for_a_copy(
    kind: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best one and those that wait; with policy fresh all."""
    hunter = EmbeddedHunter(SETTINGS[kind], 4)
    go_on(hunter, {}, 1 if kind == "full tree" else 50)
    hunter.ask(1)
    projection = type(search_of(SETTINGS[kind], 4).projection)
    project, made = projection.project, 0

    def counting(self: Any, evaluations: Any) -> Floats:
        nonlocal made
        made += len(evaluations)
        return project(self, evaluations)

    monkeypatch.setattr(projection, "project", counting)
    twin = COPIES[how](hunter)
    assert made == (2 if kind in ("indexed", "forest") else hunter.nfev + 1)
    assert listed(twin.unanswered) == listed(hunter.unanswered) != []


def test_a_pickle_leaves_the_matrices_out() -> None:
    """Two of 1000 x 2 numbers would take 32 kB; values, settings and open points remain."""
    hunter = EmbeddedHunter(Settings(1000, 2, 40, policy="indexed"), 1)
    go_on(hunter, {}, 20)
    twin = pickled(hunter)
    assert max(leaf.evaluations for leaf in hunter.visit.tree.leaves()) > 1  # a second matrix
    assert len(pickle.dumps(hunter)) < 16_000  # x, open points, values
    rest: Log = {}
    go_on(hunter, rest)
    again: Log = {}
    go_on(twin, again)
    assert again == rest


@pytest.mark.parametrize("how", COPIES)
def test_a_run_of_ones_own_cannot_be_copied(how: str) -> None:
    settings = settings_of("forest", 6, 2, 30)
    run, projection, *_ = search_of(settings, np.random.default_rng(1))
    hunter = EmbeddedHunter(settings, search=Search(run, projection))
    says = "^a hunter whose search was put together by hand cannot be copied$"
    with pytest.raises(TypeError, match=says):
        COPIES[how](hunter)
    go_on(hunter, {})
    assert hunter.nfev == 30


def test_the_pickle_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    hunter = EmbeddedHunter(SETTINGS["norm"], 1)
    monkeypatch.setattr(header, "__version__", "0.0.1")
    old = pickle.dumps(hunter)
    monkeypatch.undo()
    this = embedded_hunter.__version__
    message = f"^the hunter was pickled by version 0.0.1 .*, this is version {this}$"
    with pytest.raises(ValueError, match=message):
        pickle.loads(old)


def test_the_pickle_of_a_machine_that_computes_other_points_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hunter = EmbeddedHunter(SETTINGS["norm"], 1)
    monkeypatch.setattr(header, "probe", lambda: {**header_probe(), "fresh": "0" * 16})
    other = pickle.dumps(hunter)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"machine that computes other points.*: fresh\. There"):
        pickle.loads(other)


# --- rng ---------------------------------------------------------------------------------------
