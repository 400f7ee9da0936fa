"""A sampler for Optuna; importing this module imports `optuna`."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from embedded_hunter.adapters.searches import Method, PointByPoint, Seed, hunter_of

try:
    from optuna.distributions import BaseDistribution, FloatDistribution
    from optuna.samplers import BaseSampler
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError as error:
    raise ImportError(
        "optuna is not installed; it comes with: pip install -e '.[adapters]' in a checkout"
    ) from error


class Sampler(BaseSampler):
    """A search of this project as a sampler, for a study of one objective.

    The search is told the value of each trial before it is asked for the next one, so a study runs
    one trial at a time (``n_jobs=1``). A trial that failed or was pruned counts as +inf (as -inf if
    the study maximises). A trial that was enqueued with parameters of its own is left to them; the
    search does not hear of it. When the search has ended, it ends `study.optimize`.

    Parameters
    ----------
    bounds
        {name of a parameter: (low, high)}. The objective calls ``suggest_float(name, low, high)``
        with the same bounds, or with wider ones.
    budget
        Number of trials.
    effective_dimension, method, rng
        As for `searches.hunter_of`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed.
    """

    def __init__(
        self,
        bounds: Mapping[str, tuple[float, float]],
        budget: int,
        *,
        effective_dimension: int | None = None,
        method: Method = "forest",
        rng: Seed = None,
    ) -> None:
        self._bounds = dict(bounds)
        pairs = list(bounds.values())
        hunter = hunter_of(method, pairs, effective_dimension, budget, rng)
        self._search = PointByPoint(hunter)
        self._trial: int | None = None  # number of the trial that has the last point
        self._point: dict[str, float] = {}

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
        """Return the coordinate of the trial's point; its first parameter asks for the point.

        Raises
        ------
        RuntimeError
            If another trial is running, or if the search has ended.
        ValueError
            If the study has several objectives, or if the parameter is not searched: unknown, not a
            float on a linear scale, within other bounds, or left out of an enqueued trial.
        """
        if len(study.directions) != 1:
            raise ValueError(f"one objective is needed, got {len(study.directions)}")
        wrong = f"{param_name!r} with {param_distribution} is not searched: "
        if param_name not in self._bounds:
            raise ValueError(f"{wrong}the sampler's parameters are {', '.join(self._bounds)}")
        given = param_distribution
        if not isinstance(given, FloatDistribution) or given.log or given.step is not None:
            raise ValueError(
                f"{wrong}it must be suggested by suggest_float without log or step; round or scale "
                "it in the objective instead"
            )
        low, high = self._bounds[param_name]
        if low < given.low or high > given.high:
            raise ValueError(f"{wrong}its bounds must contain the sampler's, {low} and {high}")
        if trial.system_attrs.get("fixed_params"):
            raise ValueError(f"{wrong}an enqueued trial must have all parameters")
        if trial.number != self._trial:
            x = self._search.ask()
            self._point = dict(zip(self._bounds, x.tolist(), strict=True))
            self._trial = trial.number
        return self._point[param_name]

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        """Tell the search the value of its point."""
        if trial.number != self._trial:
            return
        self._trial = None
        value = math.inf
        if state == TrialState.COMPLETE and values is not None:
            value = -values[0] if study.direction == StudyDirection.MAXIMIZE else values[0]
        self._search.tell(value)
        if self._search.finished:
            with suppress(RuntimeError):  # raised outside `optimize`: there is nothing to end
                study.stop()
