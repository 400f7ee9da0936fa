"""Specification of `asktell`: a run can be interrupted, copied and pickled wherever it stands."""

import copy
import pickle
from collections.abc import Callable
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
