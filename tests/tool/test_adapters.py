"""The sampler of Optuna: a study sees the points of `minimize`, the search sees its values."""

import importlib
import math
import pickle
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.policies import POLICIES, PolicyName
from regression.baselines import Spy

optuna = pytest.importorskip("optuna")
Sampler: Any = importlib.import_module("embedded_hunter.adapters.optuna").Sampler

N, V = 12, 60
BOUNDS = [(-5.0, 3.0 + k) for k in range(N)]
NAMED = {f"x{k}": pair for k, pair in enumerate(BOUNDS)}


def f(x: Floats) -> float:
    return float((x[3] - 1.0) ** 2 + 10 * (x[7] + 2.0) ** 2)


def reference(method: PolicyName = "forest", fun: Any = f) -> Any:
    """The same run by the entrances of the package."""
    return minimize(fun, BOUNDS, policy=method, d=2, maxfun=V, rng=1)


def study_of(sampler: Any = None, **given: Any) -> Any:
    """Return a study of a sampler; by default of one that has been given the bounds."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna.create_study(sampler=sampler or Sampler(NAMED, V, d=2, rng=1), **given)


def free(budget: int, **given: Any) -> Any:
    """Return a study whose space is that of its first trial."""
    return study_of(Sampler(budget=budget, rng=1), **given)


def point(trial: Any) -> Floats:
    return np.array([trial.suggest_float(name, low, high) for name, (low, high) in NAMED.items()])


def suggested(trial: Any) -> float:
    x, y = trial.suggest_float("x", -5, 5), trial.suggest_int("y", -9, 9)
    return float((x - 1) ** 2 + abs(y - 4))


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("method", POLICIES)
def test_a_study_makes_the_run_of_its_method_and_stops(method: PolicyName, named: bool) -> None:
    """Maximised with bounds; without them, they are those of the first trial."""
    sign = -1 if named else 1
    sampler = Sampler(NAMED if named else None, V, d=2, policy=method, rng=1)
    study = study_of(sampler, direction="maximize" if named else "minimize")
    study.optimize(lambda trial: sign * f(point(trial)), n_trials=20)
    study.sampler = pickle.loads(pickle.dumps(study.sampler))
    study.optimize(lambda trial: sign * f(point(trial)), n_trials=2 * V)
    spy = Spy(f)
    reference(method, spy)
    assert np.array_equal([list(trial.params.values()) for trial in study.trials], spy.points)
    assert study.best_value == sign * min(spy.values)


def test_failed_and_pruned_trials_are_the_worst() -> None:
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
    assert {trial.state.name for trial in study.trials} == {"COMPLETE", "PRUNED", "FAIL"}
    assert study.best_value == reference(fun=fails).fun


def test_an_enqueued_trial_is_left_to_its_parameters() -> None:
    study = study_of()
    study.enqueue_trial(dict.fromkeys(NAMED, 0.5))
    study.optimize(lambda trial: f(point(trial)), n_trials=1 + V)
    assert set(study.trials[0].params.values()) == {0.5}
    points = [np.array(list(trial.params.values())) for trial in study.trials[1:]]
    assert min(map(f, points)) == reference().fun


@pytest.mark.parametrize(
    ("suggest", "says"),
    [
        (lambda trial: trial.suggest_float("x0", -9, 9, step=1.5), "the sampler has FloatDist"),
        (lambda trial: trial.suggest_float("x0", 0, 0.1), "the sampler has FloatDistribution"),
        (lambda trial: trial.suggest_float("other", 0, 1), "the sampler's parameters are x0, x1"),
    ],
)
def test_a_parameter_that_is_not_searched_is_named(suggest: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"is not searched: {says}"):
        study_of().optimize(suggest, n_trials=1)


def test_what_a_study_must_not_ask() -> None:
    with pytest.raises(ValueError, match="the search has floats and integers, no categories"):
        free(V).optimize(lambda trial: trial.suggest_categorical("x0", [1, 2]), n_trials=1)
    with pytest.raises(ValueError, match="one objective"):
        point(study_of(directions=["minimize", "minimize"]).ask())
    study = study_of()
    study.enqueue_trial({"x1": 0.5})
    with pytest.raises(ValueError, match="an enqueued trial must have all parameters"):
        study.optimize(point, n_trials=1)
    first = study.ask()
    x = point(first)
    with pytest.raises(RuntimeError, match="before it knows the value of trial 1"):
        point(study.ask())
    study.tell(first, f(x))
    point(study.ask())
    with pytest.raises(RuntimeError, match="make one for each study"):
        point(study_of(study.sampler).ask())
    with pytest.raises(TypeError, match=r"^budget.*must be given"):
        Sampler(NAMED)
    with pytest.raises(TypeError, match=r"^bounds must be \{name: .* or None, got \[\(0, 1\)\]$"):
        Sampler([(0, 1)], 5)
    with pytest.raises(TypeError, match=r"^bounds must be pairs.*got 3 for 'x'"):
        Sampler({"x": 3}, V)


def test_integers_steps_and_logarithms() -> None:
    """Each value is on its grid; the middle of a logarithm is the geometric mean."""
    whole, real = optuna.distributions.IntDistribution, optuna.distributions.FloatDistribution
    space = {
        "rate": real(1e-6, 1e2, log=True),
        "width": whole(1, 1024, log=True),
        "layers": whole(1, 9, step=4),
        "dropout": real(0.0, 0.9, step=0.3),
        "switch": whole(0, 1),
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
        study = study_of(Sampler(given, 150, rng=3))
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


@pytest.mark.parametrize("named", [True, False])
def test_threads_evaluate_the_points_of_one_thread(named: bool) -> None:
    """Three threads: no evaluation beyond the budget, the same points, and some at a time."""
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

    study = study_of(Sampler(NAMED if named else None, V, d=2, rng=1))
    study.optimize(objective, n_trials=2 * V, n_jobs=3)
    spy = Spy(f)
    assert study.best_value == reference(fun=spy).fun
    assert sorted(seen) == sorted(x.tolist() for x in spy.points)
    assert most > 1
    states = [trial.state.name for trial in study.trials]
    assert states.count("COMPLETE") == V
    assert set(states) <= {"COMPLETE", "PRUNED"}
    study.optimize(objective, n_trials=5)  # the search has ended
    assert len(seen) == V


@pytest.mark.parametrize(("state", "after"), [("PRUNED", 0), ("FAIL", 1), ("PRUNED", 2)])
def test_a_first_trial_that_does_not_complete_does_not_fix_the_space(
    state: str, after: int
) -> None:
    """It has ended after some of its parameters. One is drawn at random, then the run begins."""

    def objective(trial: Any) -> float:
        if trial.number == 0:
            for name in ("x", "other")[:after]:
                trial.suggest_float(name, -5, 5)
            raise optuna.TrialPruned if state == "PRUNED" else ArithmeticError
        return suggested(trial)

    study, whole = free(40), free(40)
    study.optimize(objective, n_trials=42, catch=(ArithmeticError,))
    assert study.trials[0].state.name == state
    whole.optimize(suggested, n_trials=42)
    first = 1 if after == 0 else 2
    assert len(whole.trials) == 40
    params = [trial.params for trial in whole.trials]
    assert [trial.params for trial in study.trials[first:]] == params


def test_a_middle_that_always_fails_does_not_stop_the_study() -> None:
    def objective(trial: Any) -> float:
        value = suggested(trial)
        if trial.params["x"] == 0:
            raise ArithmeticError
        return value

    study = free(60)
    study.optimize(objective, n_trials=60, catch=(ArithmeticError,))
    assert sum(trial.state.name == "FAIL" for trial in study.trials) < 6
    assert len({str(trial.params) for trial in study.trials}) > 40


@pytest.mark.parametrize(("named", "stops"), [(True, (2, 9)), (False, (1,)), (False, (7, 8, 20))])
def test_a_study_goes_on_from_its_storage_with_a_new_sampler(
    named: bool, stops: tuple[int, ...], tmp_path: Path
) -> None:
    """The trials are those of one sampler; a trial whose process was killed has its point again."""
    whole_numbers = optuna.distributions.IntDistribution(-9, 9)
    space = {"x": (-5, 5), "y": whole_numbers} if named else None
    budget, ended = 25, (optuna.trial.TrialState.COMPLETE,)
    whole = study_of(Sampler(space, budget, rng=1))
    whole.optimize(suggested, n_trials=100)
    journal = optuna.storages.journal.JournalFileBackend(str(tmp_path / "journal"))
    storage = optuna.storages.JournalStorage(journal)
    for stop in (*stops, budget):
        sampler = Sampler(space, budget, rng=1)
        study = study_of(sampler, storage=storage, study_name="one", load_if_exists=True)
        study.optimize(suggested, n_trials=stop - len(study.get_trials(states=ended)))
        suggested(study.ask()) if stop < budget else None  # its process is killed
    params = [trial.params for trial in study.get_trials(states=ended)]
    assert params == [trial.params for trial in whole.trials]


def test_a_batch_that_is_asked_before_it_is_told_never_waits() -> None:
    """Evaluated in threads: each trial has a point, or an error that says what to do, at once."""
    study = free(30)
    for size in (3, 1, 2, 9, 9):
        trials = [study.ask() for _ in range(size)]
        with ThreadPoolExecutor(size) as pool:
            futures = [pool.submit(suggested, trial) for trial in trials]
            assert not wait(futures, timeout=30).not_done
        for trial, future in zip(trials, futures, strict=True):
            if error := future.exception():
                assert "the search has no point before it knows the value of trial" in str(error)
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, future.result())
    complete = [str(trial.params) for trial in study.trials if trial.params]
    assert len(set(complete)) == len(complete) > 6


def test_constant_and_conditional_parameters() -> None:
    """What only some trials suggest is drawn at random, and searched if the first one has it."""

    def objective(trial: Any) -> float:
        x = trial.suggest_float("x", -5, 5)
        one = trial.suggest_float("one", 1.0, 1.0)
        more = trial.suggest_float("more", 0, 1) if x > 0.5 else 0.0
        less = trial.suggest_float("less", 0, 1) if x < 0.5 else 0.0
        return float((x - one) ** 2 + more + less)

    study = free(60)
    study.optimize(objective, n_trials=60)
    assert len(study.trials) == 60
    assert abs(study.best_params["x"] - 1) < 0.3
    drawn = [trial.params["more"] for trial in study.trials if "more" in trial.params]
    assert len(set(drawn)) == len(drawn) > 5
    constant = {"x": (-5, 5), "one": (1, 1), "more": (0, 1), "less": (0, 1)}
    study = study_of(Sampler(constant, budget=60, rng=1))
    study.optimize(objective, n_trials=60)
    assert abs(study.best_params["x"] - 1) < 0.3


def test_a_missing_platform_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "optuna"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "optuna", None)
    monkeypatch.delitem(sys.modules, "embedded_hunter.adapters.optuna", raising=False)
    with pytest.raises(ImportError, match=r"^optuna is not installed.*\[adapters\]"):
        importlib.import_module("embedded_hunter.adapters.optuna")
