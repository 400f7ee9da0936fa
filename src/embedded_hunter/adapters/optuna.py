"""A sampler and an importance evaluator for Optuna; importing this module imports `optuna`."""

import math
import threading
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer, one_of
from embedded_hunter.matrices import Floats, Seed
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.box import Box
from embedded_hunter.run.influence import Influence, influence
from embedded_hunter.run.policies import POLICIES, PolicyName, settings_of

try:
    from optuna import TrialPruned
    from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
    from optuna.importance import BaseImportanceEvaluator
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.study import Study, StudyDirection
    from optuna.trial import FixedTrial, FrozenTrial, TrialState
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
    rng
        As for `minimize`.
    policy, **options
        As for `minimize`: one of the three policies, and what it can be given, such as `d`.

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
        rng: Seed = None,
        policy: PolicyName = "forest",
        d: int | None = None,
        **options: Any,
    ) -> None:
        if budget is None:
            raise TypeError("budget, the number of trials, must be given")
        if not isinstance(bounds, Mapping | None):
            raise TypeError(f"bounds must be {{name: (low, high)}} or None, got {bounds!r:.80}")
        one_of("policy", policy, tuple(POLICIES))
        self._options = {"policy": policy, "d": d, "v": integer("budget", budget, 1), **options}
        self._rng = rng
        self._space: dict[str, Numeric] = {}  # empty until it is known
        self._is_given = bounds is not None
        self._search: Search | None = None
        self._study: str | None = None  # its name
        self._running: dict[int, tuple[int, int]] = {}
        """Of each trial that has a point: its thread, and the number of its evaluation; 0 while the
        space is not known."""
        self._random = RandomSampler(rng if isinstance(rng, int) else None)
        if bounds is not None:
            self._space = {name: _distribution(name, given) for name, given in bounds.items()}
            self._new_search()  # the errors

    def reseed_rng(self) -> None:
        """Note a thread of `study.optimize` with ``n_jobs`` > 1; nothing is seeded again."""
        _LOOPS.add(threading.current_thread())

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """Return the parameters of the search; none if it has ended or does not know them.

        RuntimeError if the sampler was used in another study. ValueError if the study has several
        objectives.
        """
        if len(study.directions) != 1:
            raise ValueError(f"one objective is needed, got {len(study.directions)}")
        with _CHANGED:
            if self._study not in (None, study.study_name):
                raise RuntimeError("the sampler was used in another study: make one for each study")
            self._study = study.study_name
            while self._search is None and not self._begin(study) and self._running:
                self._wait()
            if self._search is None:
                self._running[trial.number] = threading.get_ident(), 0
            return {} if self._search is None or self._search.finished else {**self._space}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the next point of the search.

        Wait for trials of other threads if it has none; RuntimeError if nobody will tell them.
        """
        if not search_space or trial.system_attrs.get("fixed_params"):
            return {}
        with _CHANGED:
            while (search := self._search) is not None and not search.finished:
                taken = {number for _, number in self._running.values()}
                free = [query for query in search.unanswered if query.number not in taken]
                for number, x in free or search.ask(1):
                    self._running[trial.number] = threading.get_ident(), number
                    return self._params(x)
                self._wait()
        return {}

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """Return a random value of a parameter that the space lacks.

        In the first trial it is the middle of the range. Optuna's ``TrialPruned`` ends a trial
        that begins after the end of the search. ValueError if the parameter must be searched:
        unknown though bounds are given, categorical, of another distribution than the sampler's,
        or left out of an enqueued trial.
        """
        given, own = param_distribution, self._space.get(param_name)
        why = None
        if not isinstance(given, NUMERIC):
            why = "the search has floats and integers, no categories"
        elif trial.system_attrs.get("fixed_params"):
            why = "an enqueued trial must have all parameters"
        elif trial.number not in self._running and self._search is not None:
            raise TrialPruned(f"the search has ended: {self._search.result.message}")
        elif own is not None:
            why = f"the sampler has {own}; suggest this distribution, or a wider one"
        elif self._is_given:
            why = f"the sampler's parameters are {', '.join(self._space)}"
        if why is not None:
            raise ValueError(f"{param_name!r} with {given} is not searched: {why}")
        if self._search is None and not _ended(study):
            return _value(given, Box([_interval(given)]).from_cube(np.zeros(1)).item())
        return self._random.sample_independent(study, trial, param_name, given)

    def _wait(self) -> None:
        """Wait until a trial of another thread has ended; RuntimeError if none will."""
        thread = threading.get_ident()
        loops = {other.ident for other in _LOOPS if other.is_alive()}
        if thread not in loops or (loops - {thread}).isdisjoint(
            other for other, _ in self._running.values()
        ):
            first = min(self._running)
            raise RuntimeError(
                f"the search has no point before it knows the value of trial {first}: tell it, "
                f"or study.tell({first}, state=TrialState.FAIL)"
            )
        _CHANGED.wait()

    def _new_search(self) -> Search:
        """Return a search of the space."""
        box = Box([_interval(one) for one in self._space.values()])
        return Search(settings_of(n=box.n, **self._options), self._rng, bounds=box)

    def _params(self, x: Floats) -> dict[str, float | int]:
        """Return the parameters at a point of the search."""
        pairs = zip(self._space.items(), x.tolist(), strict=True)
        return {name: _value(one, coordinate) for (name, one), coordinate in pairs}

    def _begin(self, study: Study, last: tuple[FrozenTrial, float] | None = None) -> bool:
        """Make the search, with the values of the trials that have ended at its points.

        `last` is a trial that completes now, and its value. False if the space is not known,
        because no trial is complete.
        """
        ended = [(trial, _told(study, trial.state, trial.values)) for trial in _ended(study)]
        complete = [trial for trial, _ in ended if trial.state == TrialState.COMPLETE]
        if last is not None:
            ended.append(last)
            complete.append(last[0])
        if not self._space and complete:
            kinds = complete[0].distributions
            self._space = {name: one for name, one in kinds.items() if isinstance(one, NUMERIC)}
        if not self._space:
            return False
        search = self._search = self._new_search()
        values: dict[Any, list[float]] = {}
        for trial, value in ended:
            values.setdefault(tuple(map(trial.params.get, self._space)), []).append(value)
        while queries := search.ask():
            for query in queries:
                if found := values.get(tuple(self._params(query.x).values())):
                    search.tell([query], [found.pop(0)])
        return True

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        """Tell the search the value of its point."""
        with _CHANGED:
            number = 0
            if study.study_name == self._study:
                _, number = self._running.pop(trial.number, (0, 0))
            _CHANGED.notify_all()  # they go on when this block ends, whatever ends it
            told = _told(study, state, values)
            if self._search is None and state == TrialState.COMPLETE and trial.params:
                self._begin(study, (trial, told))
            elif number and self._search is not None:
                self._search.tell([number], [told])
            if self._search is not None and self._search.finished:
                with suppress(RuntimeError):  # raised outside `optimize`: there is nothing to end
                    study.stop()


class InfluenceEvaluator(BaseImportanceEvaluator):
    """The effects of the parameters at the best trial of a study, with 95 % intervals.

    Other evaluators fit a model to the trials. This one evaluates the objective again: it changes
    groups of parameters at once, and divides those that change the value, see `influence`. A
    categorical parameter stays as it is.

    Parameters
    ----------
    objective
        The objective of the study.
    maxfun, rng
        As for `influence`: the greatest number of evaluations, and the source of random changes.

    Attributes
    ----------
    found : Influence
        What the last call has found; its `order` counts the parameters in the order of `intervals`.
    intervals : dict
        The 95 % interval of the effect of each parameter that matters.
    """

    found: Influence
    intervals: dict[str, tuple[float, float]]

    def __init__(
        self, objective: Callable[[Any], float], maxfun: int = 200, rng: Seed = None
    ) -> None:
        self._objective, self._maxfun, self._rng = objective, maxfun, rng

    def evaluate(
        self,
        study: Study,
        params: list[str] | None = None,
        *,
        target: Callable[[FrozenTrial], float] | None = None,
    ) -> dict[str, float]:
        """Return the effects, greatest first; 0 for a parameter that was not found to matter.

        An effect is the mean absolute change of the value if the parameter alone is drawn from its
        range. A warning says what cannot be told. ValueError if a name is unknown, or a target
        is given.
        """
        if target is not None:
            raise ValueError("target must be None: the values of the objective are tested")
        best = study.best_trial
        space = {n: one for n, one in best.distributions.items() if isinstance(one, NUMERIC)}
        if unknown := set(params or ()) - set(space):
            raise ValueError(f"params must be numbers of the best trial, got {sorted(unknown)}")
        names = list(space) if params is None else params

        def fun(x: Floats) -> float:
            changed = {n: _value(space[n], c) for n, c in zip(names, x.tolist(), strict=True)}
            try:
                return self._objective(FixedTrial({**best.params, **changed}, best.number))
            except TrialPruned:
                return math.inf

        at = [math.log(best.params[n]) if space[n].log else best.params[n] for n in names]
        bounds = [_interval(space[n]) for n in names]
        found = self.found = influence(fun, bounds, OptimizeResult(x=at), self._maxfun, self._rng)
        if not found.message.endswith("variables matter at this point"):
            warnings.warn(found.message, stacklevel=3)
        order = [names[i] for i in found.order]
        self.intervals = dict(zip(order, map(tuple, found.interval.tolist()), strict=True))
        effects = dict(zip(order, found.effect.tolist(), strict=True))
        return effects | {name: 0.0 for name in names if name not in effects}


def _ended(study: Study) -> list[FrozenTrial]:
    """Return the trials that have ended and have parameters."""
    states = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
    return [trial for trial in study.get_trials(deepcopy=False, states=states) if trial.params]


def _told(study: Study, state: TrialState, values: Sequence[float] | None) -> float:
    """Return what the search is told of a trial."""
    if state != TrialState.COMPLETE or values is None:
        return math.inf
    return -values[0] if study.direction == StudyDirection.MAXIMIZE else values[0]


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
