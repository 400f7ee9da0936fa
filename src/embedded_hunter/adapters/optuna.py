"""A sampler for Optuna; importing this module imports `optuna`."""

import math
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from embedded_hunter.common.arguments import integer, one_of
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import POLICIES, PolicyName

try:
    from optuna import TrialPruned
    from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
    from optuna.samplers import BaseSampler
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


class _Running(NamedTuple):
    """A trial that has a point: its thread, its coordinates, and the number of its evaluation."""

    thread: int
    coordinates: dict[str, float]
    number: int


class Sampler(BaseSampler):
    """A search of this project as a sampler, for one study of one objective.

    A trial gets the next point of the search. With ``n_jobs`` > 1 a trial waits until the search
    has a point for it; the points are the same as with ``n_jobs=1``. A trial that failed or was
    pruned counts as +inf (as -inf if the study maximises). A trial that was enqueued with
    parameters of its own is left to them; the search does not hear of it. When the search has
    ended, it ends `study.optimize`; a trial that begins later is pruned before it has a point.

    Parameters
    ----------
    bounds
        {name of a parameter: (low, high) or its distribution}. A pair is a float on a linear scale.
        The objective suggests the parameters with the same bounds, or with wider ones. By default
        the space is that of the first trial, which gets the middle of each parameter's range.
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
        self._space: dict[str, Numeric] = {}
        self._hunter: Search | None = None  # None until the space is known
        self._study: str | None = None  # name of the study
        self._running: dict[int, _Running] = {}  # by number of the trial
        if bounds is not None:
            self._begin({name: _distribution(name, given) for name, given in bounds.items()})

    def _begin(self, space: dict[str, Numeric]) -> Search:
        """Make the search of these parameters, and return it."""
        method, guess, budget, rng = self._how
        pairs = [_interval(one) for one in space.values()]
        box = Box(pairs)
        settings = POLICIES[method].guessing(box.n, budget, guess)
        self._hunter, self._space = Search(settings, rng, bounds=box), space
        return self._hunter

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
        search needs the values of other trials of this thread first, or if the sampler was used in
        another study. ValueError if the study has several objectives, or if the parameter is not
        searched: unknown, categorical, of another distribution than the sampler's, or left out of
        an enqueued trial.
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
            middle = None
            if self._hunter is None:
                (middle,) = Box([_interval(given)]).from_cube(np.zeros(1)).tolist()
            else:
                self._check(param_name, given, wrong)
            running = self._running.get(trial.number)
            if running is None:
                running = self._running[trial.number] = self._next()
                self._study = study.study_name
            if self._hunter is None and middle is not None:
                self._space[param_name] = given
                return _value(given, middle)
            self._check(param_name, given, wrong)  # `_next` may have waited for the space
            return _value(self._space[param_name], running.coordinates[param_name])

    def _check(self, name: str, given: Numeric, wrong: str) -> None:
        """Raise ValueError if the parameter is not one of the search."""
        if name not in self._space:
            raise ValueError(f"{wrong}the sampler's parameters are {', '.join(self._space)}")
        own = self._space[name]
        kind, own_kind = [(type(one), one.log, one.step) for one in (given, own)]
        if kind != own_kind:
            raise ValueError(f"{wrong}the sampler has {own}; give it this distribution in bounds")
        if own.low < given.low or own.high > given.high:
            raise ValueError(
                f"{wrong}its bounds must contain the sampler's, {own.low} and {own.high}"
            )

    def _next(self) -> _Running:
        """Return the next point of the search. Wait for trials of other threads if it has none."""
        thread = threading.get_ident()
        while True:
            hunter = self._hunter
            if hunter is None and not self._running:
                return _Running(thread, {}, 1)
            if hunter is not None:
                if hunter.finished:
                    raise TrialPruned(f"the search has ended: {hunter.stop()}")
                for number, x in hunter.ask(1):
                    return _Running(thread, dict(zip(self._space, x.tolist(), strict=True)), number)
            if all(other.thread == thread for other in self._running.values()):
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
            if study.study_name != self._study or trial.number not in self._running:
                self._stop(study)
                return
            running = self._running.pop(trial.number)
            value = math.inf
            if state == TrialState.COMPLETE and values is not None:
                value = -values[0] if study.direction == StudyDirection.MAXIMIZE else values[0]
            _CHANGED.notify_all()  # they go on when this block ends, whatever ends it
            hunter = self._hunter
            if hunter is None:
                hunter = self._begin(self._space)
                hunter.ask(1)  # the middle
            hunter.tell([running.number], [value])
            self._stop(study)

    def _stop(self, study: Study) -> None:
        """End `study.optimize` if the search of this study has ended."""
        if self._hunter is not None and self._hunter.finished and study.study_name == self._study:
            with suppress(RuntimeError):  # raised outside `optimize`: there is nothing to end
                study.stop()


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
