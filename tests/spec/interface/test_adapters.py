"""The adapters: the platform sees the points of `minimize`, the search sees its values."""

import importlib
import math
import pickle
import sys
import threading
import time
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.adapters.ioh import Algorithm
from embedded_hunter.adapters.searches import (
    SEARCHES,
    Method,
    PointByPoint,
    hunter_of,
    minimize_with,
)
from embedded_hunter.matrices import Floats
from spec.algorithm.baselines import Spy

N, V = 12, 60
BOUNDS = [(-5.0, 3.0 + k) for k in range(N)]


def f(x: Floats) -> float:
    return float((x[3] - 1.0) ** 2 + 10 * (x[7] + 2.0) ** 2)


def reference(method: Method, fun: Any = f) -> Any:
    """The same run by the entrances of the package."""
    if method == "forest":
        return minimize(fun, BOUNDS, policy="forest", effective_dimension=2, maxfun=V, rng=1)
    return minimize(fun, BOUNDS, policy=method, d=2, maxfun=V, rng=1)


@pytest.mark.parametrize("method", SEARCHES)
def test_a_method_makes_the_run_of_its_own_entrance(method: Method) -> None:
    spy = Spy(f)
    expected = reference(method, spy)
    result = minimize_with(method, f, BOUNDS, effective_dimension=2, maxfun=V, rng=1)
    assert (result.fun, result.nfev) == (expected.fun, V)
    assert np.array_equal(result.x, expected.x)
    search = PointByPoint(hunter_of(method, BOUNDS, 2, V, 1))
    for x in spy.points:
        asked = search.ask()
        assert np.array_equal(asked, x)
        search.tell(f(asked))
    assert search.finished
    with pytest.raises(RuntimeError, match="has ended"):
        search.ask()


def test_one_point_at_a_time() -> None:
    search = PointByPoint(hunter_of("forest", BOUNDS, 2, V, 1))
    with pytest.raises(ValueError, match="no point waits"):
        search.tell(1.0)
    search.ask()
    with pytest.raises(RuntimeError, match="no value yet"):
        search.ask()
    search.tell(math.nan)  # failed
    search.ask()


class IohProblem:
    """In the manner of a problem of `ioh`."""

    class bounds:
        lb, ub = np.array(BOUNDS).T

    def __call__(self, x: Floats) -> float:
        return f(x)


def test_an_algorithm_of_ioh_has_other_random_numbers_in_each_run() -> None:
    algorithm, problem = Algorithm(V, 2, seed=3), IohProblem()
    values = [algorithm(problem) for _ in range(3)]
    assert len(set(values)) == 3
    again = Algorithm(V, 2, seed=3)
    assert [again(problem) for _ in range(3)] == values
    assert algorithm.name == "embedded_hunter_forest"


def test_a_problem_of_integers_is_refused() -> None:
    problem = IohProblem()
    problem.bounds = type("bounds", (), {"lb": np.zeros(5, int), "ub": np.ones(5, int)})  # type: ignore[assignment]
    with pytest.raises(TypeError, match=r"^problem must be continuous, got one of integers: "):
        Algorithm(V)(problem)


# Optuna

needs_optuna = pytest.mark.skipif(find_spec("optuna") is None, reason="optuna is not installed")
NAMED = {f"x{k}": pair for k, pair in enumerate(BOUNDS)}


def study_of(*directions: str) -> Any:
    import optuna

    from embedded_hunter.adapters.optuna import Sampler

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = Sampler(NAMED, V, effective_dimension=2, rng=1)
    return optuna.create_study(sampler=sampler, directions=directions or ["minimize"])


def point(trial: Any) -> Floats:
    return np.array([trial.suggest_float(name, low, high) for name, (low, high) in NAMED.items()])


@needs_optuna
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("method", SEARCHES)
def test_a_study_makes_the_run_of_its_method_and_stops(method: Method, named: bool) -> None:
    """Maximised with bounds; without them, they are those of the first trial."""
    import optuna

    from embedded_hunter.adapters.optuna import Sampler

    sign = -1 if named else 1
    sampler = Sampler(NAMED if named else None, V, effective_dimension=2, method=method, rng=1)
    direction = "maximize" if named else "minimize"
    study = optuna.create_study(sampler=sampler, direction=direction)
    study.optimize(lambda trial: sign * f(point(trial)), n_trials=20)
    study.sampler = pickle.loads(pickle.dumps(study.sampler))
    study.optimize(lambda trial: sign * f(point(trial)), n_trials=2 * V)
    spy = Spy(f)
    reference(method, spy)
    assert np.array_equal([list(trial.params.values()) for trial in study.trials], spy.points)
    assert study.best_value == sign * min(spy.values)


@needs_optuna
def test_failed_and_pruned_trials_are_the_worst() -> None:
    import optuna

    def fails(x: Floats) -> float:
        return math.inf if x[3] < 0 else f(x)

    calls = 0

    def objective(trial: Any) -> float:
        nonlocal calls
        calls += 1
        x = point(trial)
        if x[3] < 0:
            raise optuna.TrialPruned if calls % 2 else ArithmeticError
        return f(x)

    study = study_of()
    study.optimize(objective, n_trials=V, catch=(ArithmeticError,))
    states = {trial.state.name for trial in study.trials}
    assert states == {"COMPLETE", "PRUNED", "FAIL"}
    assert study.best_value == reference("forest", fails).fun


@needs_optuna
def test_an_enqueued_trial_is_left_to_its_parameters() -> None:
    study = study_of()
    study.enqueue_trial(dict.fromkeys(NAMED, 0.5))
    study.optimize(lambda trial: f(point(trial)), n_trials=1 + V)
    assert set(study.trials[0].params.values()) == {0.5}
    points = [np.array(list(trial.params.values())) for trial in study.trials[1:]]
    assert min(map(f, points)) == reference("forest").fun


@needs_optuna
@pytest.mark.parametrize(
    ("suggest", "says"),
    [
        (lambda trial: trial.suggest_int("x0", -9, 9), "the sampler has FloatDistribution"),
        (lambda trial: trial.suggest_float("x0", 1, 9, log=True), "the sampler has FloatDist"),
        (lambda trial: trial.suggest_float("x0", -9, 9, step=0.5), "the sampler has FloatDist"),
        (lambda trial: trial.suggest_categorical("x0", "ab"), "the search has floats and integers"),
        (lambda trial: trial.suggest_float("x0", 0, 0.1), "its bounds must contain the sampler's"),
        (lambda trial: trial.suggest_float("other", 0, 1), "the sampler's parameters are x0, x1"),
    ],
)
def test_a_parameter_that_is_not_searched_is_named(suggest: Any, says: str) -> None:
    """The message is ours, not the one of Optuna about the kinds of distributions."""
    study = study_of()
    with pytest.raises(ValueError, match=f"is not searched: {says}"):
        study.optimize(suggest, n_trials=1)
    study.enqueue_trial({"x1": 0.5})
    with pytest.raises(ValueError, match="an enqueued trial must have all parameters"):
        study.optimize(point, n_trials=1)


@needs_optuna
def test_what_a_study_must_not_ask() -> None:
    import optuna

    with pytest.raises(ValueError, match="one objective"):
        point(study_of("minimize", "minimize").ask())
    study = study_of()
    first = study.ask()
    x = point(first)
    with pytest.raises(RuntimeError, match="before it knows the value of trial 0"):
        point(study.ask())
    study.tell(first, f(x))
    point(study.ask())
    other = optuna.create_study(sampler=study.sampler)
    with pytest.raises(RuntimeError, match="make one for each study"):
        point(other.ask())


@needs_optuna
def test_a_sampler_needs_a_budget_and_pairs() -> None:
    from embedded_hunter.adapters.optuna import Sampler

    with pytest.raises(TypeError, match=r"^budget.*must be given"):
        Sampler(NAMED)
    with pytest.raises(TypeError, match=r"^bounds must be pairs.*got 3 for 'x'"):
        Sampler({"x": 3}, V)


@needs_optuna
def test_integers_steps_and_logarithms() -> None:
    """Each value is on its grid; the middle of a logarithm is the geometric mean."""
    import optuna
    from optuna.distributions import FloatDistribution, IntDistribution

    from embedded_hunter.adapters.optuna import Sampler

    space = {
        "rate": FloatDistribution(1e-6, 1e2, log=True),
        "width": IntDistribution(1, 1024, log=True),
        "layers": IntDistribution(1, 9, step=4),
        "dropout": FloatDistribution(0.0, 0.9, step=0.3),
        "switch": IntDistribution(0, 1),
    }

    def objective(trial: Any) -> float:
        rate = trial.suggest_float("rate", 1e-6, 1e2, log=True)
        width = trial.suggest_int("width", 1, 1024, log=True)
        layers = trial.suggest_int("layers", 1, 9, step=4)
        dropout = trial.suggest_float("dropout", 0.0, 0.9, step=0.3)
        switch = trial.suggest_int("switch", 0, 1)
        assert (type(width), type(layers), type(rate)) == (int, int, float)
        wrong = abs(layers - 9) + abs(dropout - 0.9) + abs(switch - 1)
        return float(math.log10(rate / 1e-4) ** 2 + math.log2(width / 512) ** 2 + wrong)

    runs = []
    for given in (None, space):
        study = optuna.create_study(sampler=Sampler(given, 150, rng=1))
        study.optimize(objective, n_trials=300)
        runs.append([trial.params for trial in study.trials])
    assert runs[0] == runs[1]
    assert len(runs[0]) == 150
    assert math.isclose(runs[0][0]["rate"], 1e-2)
    assert runs[0][0]["layers"] == 5
    assert {point["layers"] for point in runs[0]} == {1, 5, 9}
    assert {point["switch"] for point in runs[0]} == {0, 1}
    assert len({point["dropout"] for point in runs[0]}) == 4
    assert {1024} < {point["width"] for point in runs[0]} <= set(range(1, 1025))
    assert study.best_params["layers"] == 9
    assert study.best_params["switch"] == 1


@needs_optuna
@pytest.mark.parametrize("named", [True, False])
def test_threads_evaluate_the_points_of_one_thread(named: bool) -> None:
    """Three threads: no evaluation beyond the budget, the same points, and some at a time."""
    import optuna

    from embedded_hunter.adapters.optuna import Sampler

    lock, busy, most = threading.Lock(), 0, 0
    seen: list[list[float]] = []

    def objective(trial: Any) -> float:
        nonlocal busy, most
        x = point(trial)
        with lock:
            busy += 1
            most = max(most, busy)
            seen.append(x.tolist())
        time.sleep(0.005)
        with lock:
            busy -= 1
        return f(x)

    sampler = Sampler(NAMED if named else None, V, effective_dimension=2, rng=1)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=2 * V, n_jobs=3)
    spy = Spy(f)
    expected = reference("forest", spy)
    assert sorted(seen) == sorted(x.tolist() for x in spy.points)
    assert study.best_value == expected.fun
    assert most > 1
    states = [trial.state.name for trial in study.trials]
    assert states.count("COMPLETE") == V
    assert set(states) <= {"COMPLETE", "PRUNED"}
    study.optimize(objective, n_trials=5)  # the search has ended
    assert len(seen) == V


# nevergrad: its import takes seconds


@pytest.mark.slow
@pytest.mark.skipif(find_spec("nevergrad") is None, reason="nevergrad is not installed")
@pytest.mark.filterwarnings("default")
def test_nevergrad_makes_the_run_of_minimize() -> None:
    import nevergrad as ng

    from embedded_hunter.adapters.nevergrad import Optimizer

    def array() -> Any:
        low, high = np.array(BOUNDS).reshape(3, 4, 2).transpose(2, 0, 1)
        made = ng.p.Array(init=np.zeros((3, 4))).set_bounds(low, high)
        made.random_state.seed(5)
        return made

    seed = int(array().random_state.randint(2**31))
    for method in SEARCHES:
        optimizer = Optimizer(array(), V, effective_dimension=2, method=method)
        seen = []
        for _ in range(V):
            candidate = optimizer.ask()
            seen.append(candidate.value.ravel())
            optimizer.tell(candidate, f(seen[-1]))
        search = PointByPoint(hunter_of(method, BOUNDS, 2, V, seed))
        for x in seen:
            assert np.array_equal(search.ask(), x)
            search.tell(f(x))
        assert f(optimizer.recommend().value.ravel()) == min(map(f, seen))
    for wrong in (3, ng.p.Array(shape=(3,)), ng.p.Scalar()):
        with pytest.raises(TypeError, match="Array with bounds"):
            Optimizer(wrong, V, effective_dimension=2)
    with pytest.raises(TypeError, match="budget"):
        Optimizer(array(), effective_dimension=2)
    with pytest.raises(ValueError, match="parallelization"):
        Optimizer(array(), V, 2, effective_dimension=2)
    with pytest.raises(ng.errors.TellNotAskedNotSupportedError):
        Optimizer(array(), V, effective_dimension=2).tell(array().spawn_child(), 1.0)


@pytest.mark.parametrize("platform", ["optuna", "nevergrad"])
def test_a_missing_platform_is_named(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == platform]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, platform, None)
    monkeypatch.delitem(sys.modules, f"embedded_hunter.adapters.{platform}", raising=False)
    with pytest.raises(ImportError, match=rf"^{platform} is not installed.*\[adapters\]"):
        importlib.import_module(f"embedded_hunter.adapters.{platform}")
