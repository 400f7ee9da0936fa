"""A sampler for Optuna; importing this module imports `optuna`."""

import math
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from embedded_hunter.common.arguments import integer, one_of
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import POLICIES, PolicyName, settings_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.settings import guess_of

try:
    from optuna import TrialPruned
    from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError as error:
    raise ImportError(
        "optuna is not installed; it comes with: pip install -e '.[adapters]' in a checkout"
    ) from error

Numeric: TypeAlias = "FloatDistribution | IntDistribution"
NUMERIC = (FloatDistribution, IntDistribution)

_CHANGED = threading.Condition()
"""Held while a sampler changes, so that trials can wait. One for all: it cannot be pickled."""
_LOOPS: "weakref.WeakSet[threading.Thread]" = weakref.WeakSet()
"""The threads of `study.optimize` with ``n_jobs`` > 1: their trials end without being told."""


class _Running(NamedTuple):
    """A trial that has a point: its thread, its coordinates, and the number of its evaluation."""

    thread: int
    coordinates: dict[str, float] | None
    """None while the space is not known."""
    number: int


class Sampler(BaseSampler):
    """A search of this project as a sampler, for one study of one objective.

    A trial gets the next point of the search. In `study.optimize` with ``n_jobs`` > 1 a trial waits
    until the search has a point for it; the points are the same as with ``n_jobs=1``. A trial that
    failed or was pruned counts as +inf (as -inf if the study maximises). A trial that was enqueued
    with parameters of its own is left to them; the search does not hear of it. When the search has
    ended, it ends `study.optimize`; a trial that begins later is pruned before it has a point.

    In a study that has trials, the search takes those that have ended at its points as its own. So
    a study goes on from its storage with a new sampler of the same arguments and the same seed.

    Parameters
    ----------
    bounds
        {name of a parameter: (low, high) or its distribution}. A pair is a float on a linear scale.
        The objective suggests the parameters with the same bounds, or with wider ones. By default
        the space is that of the first trial that completes. The first trial gets the middle of each
        range; until one completes, others are drawn at random, and so is a parameter that the space
        lacks.
    budget
        Number of trials.
    effective_dimension
        A guess of the number of directions that matter. It is d, except in the forest, which needs
        none.
    method
        One of the three policies.
    rng
        As for `minimize`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed.
    """

    def __init__(
        self,
        bounds: Mapping[str, object] | None = None,
        budget: int | None = None,
        *,
        effective_dimension: int | None = None,
        method: PolicyName = "forest",
        rng: np.random.Generator | int | None = None,
    ) -> None:
        if budget is None:
            raise TypeError("budget, the number of trials, must be given")
        one_of("method", method, tuple(POLICIES))
        self._how = (method, effective_dimension, integer("budget", budget, 1), rng)
        self._space: dict[str, Numeric] | None = None  # None until it is known
        self._is_given = bounds is not None
        self._search: Search | None = None
        self._study: str | None = None  # name of the study
        self._running: dict[int, _Running] = {}  # by number of the trial
        self._random = RandomSampler(rng if isinstance(rng, int) else None)
        if bounds is not None:
            self._space = {name: _distribution(name, given) for name, given in bounds.items()}
            self._settings()  # the errors

    def _settings(self) -> tuple[Parameters, Box]:
        """Return the settings and the box of the search; the space is known."""
        method, guess, budget, _ = self._how
        box = Box([_interval(one) for one in (self._space or {}).values()])
        return _settings_of(method, box.n, budget, guess), box

    def reseed_rng(self) -> None:
        """Note a thread of `study.optimize` with ``n_jobs`` > 1; nothing is seeded again."""
        _LOOPS.add(threading.current_thread())

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """Return nothing: `sample_independent` sees how each parameter is suggested."""
        return {}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return nothing; see `infer_relative_search_space`."""
        return {}

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """Return the trial's value of a parameter; its first parameter takes the next point.

        Once the search has ended, Optuna's ``TrialPruned`` ends the trial. RuntimeError if the
        search needs the values of other trials first that nobody will tell, or if the sampler was
        used in another study. ValueError if the study has several objectives, or if the parameter
        is not searched: unknown though bounds are given, categorical, of another distribution than
        the sampler's, or left out of an enqueued trial.
        """
        if len(study.directions) != 1:
            raise ValueError(f"one objective is needed, got {len(study.directions)}")
        wrong = f"{param_name!r} with {param_distribution} is not searched: "
        given = param_distribution
        if not isinstance(given, NUMERIC):
            raise ValueError(f"{wrong}the search has floats and integers, no categories")
        if trial.system_attrs.get("fixed_params"):
            raise ValueError(f"{wrong}an enqueued trial must have all parameters")
        with _CHANGED:
            if self._study not in (None, study.study_name):
                raise RuntimeError("the sampler was used in another study: make one for each study")
            self._study = study.study_name
            if self._is_given:
                self._check(param_name, given, wrong)
            running = self._running.get(trial.number)
            if running is None:
                running = self._running[trial.number] = self._next(study)
            coordinates = running.coordinates
            if coordinates is None and not _ended(study):
                return _value(given, Box([_interval(given)]).from_cube(np.zeros(1)).item())
            if coordinates is None or param_name not in coordinates:
                return self._random.sample_independent(study, trial, param_name, given)
            self._check(param_name, given, wrong)
            return _value((self._space or {})[param_name], coordinates[param_name])

    def _check(self, name: str, given: Numeric, wrong: str) -> None:
        """Raise ValueError if the parameter is not one of the search, whose space is known."""
        space = self._space or {}
        if name not in space:
            raise ValueError(f"{wrong}the sampler's parameters are {', '.join(space)}")
        own = space[name]
        kind, own_kind = [(type(one), one.log, one.step) for one in (given, own)]
        if kind != own_kind:
            raise ValueError(f"{wrong}the sampler has {own}; give it this distribution in bounds")
        if own.low < given.low or own.high > given.high:
            raise ValueError(
                f"{wrong}its bounds must contain the sampler's, {own.low} and {own.high}"
            )

    def _begin(
        self, study: Study, complete: tuple[FrozenTrial, float] | None = None
    ) -> Search | None:
        """Make the search, with the values of the trials that have ended at its points.

        `complete` is a trial that ends now, and its value. None if the space is not known, because
        no trial is complete.
        """
        ended = [(trial, _told(study, trial.state, trial.values)) for trial in _ended(study)]
        if complete is not None:
            ended.append(complete)
        if self._space is None:
            first = [
                trial
                for trial, _ in ended
                if trial.state == TrialState.COMPLETE or (complete and trial is complete[0])
            ]
            kinds = first[0].distributions if first else {}
            self._space = {n: d for n, d in kinds.items() if isinstance(d, NUMERIC)} or None
        if self._space is None:
            return None
        settings, box = self._settings()
        search = self._search = Search(settings, self._how[3], bounds=box)
        values: dict[Any, list[float]] = {}
        for trial, value in ended:
            values.setdefault(tuple(map(trial.params.get, self._space)), []).append(value)
        while queries := search.ask():
            for query in queries:
                pairs = zip(self._space.values(), query.x.tolist(), strict=True)
                if found := values.get(tuple(_value(one, x) for one, x in pairs)):
                    search.tell([query], [found.pop(0)])
        return search

    def _next(self, study: Study) -> _Running:
        """Return the next point of the search. Wait for trials of other threads if it has none."""
        thread = threading.get_ident()
        while True:
            search = self._search or self._begin(study)
            if search is None and not self._running:
                return _Running(thread, None, 0)
            if search is not None:
                if search.finished:
                    raise TrialPruned(f"the search has ended: {search.stop()}")
                taken = {other.number for other in self._running.values()}
                free = [query for query in search.unanswered if query.number not in taken]
                for number, x in free or search.ask(1):
                    names = self._space or {}
                    return _Running(thread, dict(zip(names, x.tolist(), strict=True)), number)
            loops = {other.ident for other in _LOOPS if other.is_alive()} - {thread}
            if thread not in {other.ident for other in _LOOPS} or loops.isdisjoint(
                other.thread for other in self._running.values()
            ):
                first = min(self._running)
                raise RuntimeError(
                    f"the search has no point before it knows the value of trial {first}: tell it, "
                    f"or study.tell({first}, state=TrialState.FAIL)"
                )
            _CHANGED.wait()

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        """Tell the search the value of its point."""
        with _CHANGED:
            running = None
            if study.study_name == self._study:
                running = self._running.pop(trial.number, None)
            _CHANGED.notify_all()  # they go on when this block ends, whatever ends it
            told = _told(study, state, values)
            if self._search is None and state == TrialState.COMPLETE and trial.params:
                self._begin(study, (trial, told))
            elif running is not None and running.number and self._search is not None:
                self._search.tell([running.number], [told])
            if self._search is not None and self._search.finished:
                with suppress(RuntimeError):  # raised outside `optimize`: there is nothing to end
                    study.stop()


def _ended(study: Study) -> list[FrozenTrial]:
    """Return the trials that have ended and have parameters."""
    states = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
    return [trial for trial in study.get_trials(deepcopy=False, states=states) if trial.params]


def _told(study: Study, state: TrialState, values: Sequence[float] | None) -> float:
    """Return what the search is told of a trial."""
    if state != TrialState.COMPLETE or values is None:
        return math.inf
    return -values[0] if study.direction == StudyDirection.MAXIMIZE else values[0]


def _settings_of(method: PolicyName, n: int, budget: int, guess: int | None) -> Parameters:
    """Return the settings of a search of n variables, given a guess of how many matter."""
    if "effective_dimension" in POLICIES[method].parameters:
        return settings_of(method, n, None, budget, effective_dimension=guess)
    if guess is None:
        raise TypeError(f"effective_dimension must be given for method {method!r}")
    return settings_of(method, n, guess_of(n, guess), budget)


def _distribution(name: str, given: object) -> Numeric:
    """Return a parameter's distribution; a pair is a float on a linear scale."""
    if isinstance(given, NUMERIC):
        return given
    if not isinstance(given, Sequence) or len(given) != 2:
        raise TypeError(
            "bounds must be pairs (low, high), FloatDistribution or IntDistribution, "
            f"got {given!r} for {name!r}"
        )
    return FloatDistribution(*given)


def _interval(one: Numeric) -> tuple[float, float]:
    """Return the interval of a coordinate: a logarithm if log; all steps have equal shares."""
    half = (one.step or 0) / 2 if one.low < one.high else 0
    low, high = one.low - half, one.high + half
    return (math.log(low), math.log(high)) if one.log else (low, high)


def _value(one: Numeric, coordinate: float) -> float | int:
    """Return the value of a parameter at a coordinate of its `_interval`."""
    value = math.exp(coordinate) if one.log else coordinate
    if one.step is not None:
        value = one.low + one.step * round((value - one.low) / one.step)
    value = min(max(value, one.low), one.high)
    return int(value) if isinstance(one, IntDistribution) else value
