"""Specification of `minimize`: the front door keeps every promise of its docstring."""

import math
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds, OptimizeResult

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.evaluators import Serial
from embedded_hunter.projection import Floats
from spec.instances import INF, Instance, instances, listed

BOUNDS = [(-5.0, 5.0)] * 6 + [(0.0, 1.0)] * 4
PALETTE = [0.0, 1.0, 2.0, -1.0, 0.5, INF, -INF]


def fun(x: Floats) -> float:
    """Lowest at x_0 = 4, x_1 = -3, not at the center; its values tie, being rounded."""
    return float(np.round((x[0] - 4) ** 2 + (x[1] + 3) ** 2))


def fun_of_columns(x: Floats) -> Floats:
    values: Floats = np.array([fun(column) for column in x.T])
    return values


def backwards(f: Callable[[Any], Any], points: Iterable[Any]) -> list[Any]:
    """A map that evaluates the last point first and returns the values in order."""
    return [f(x) for x in list(points)[::-1]][::-1]


def threads(f: Callable[[Any], Any], points: Iterable[Any]) -> list[Any]:
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(f, points))


def outcome(result: OptimizeResult) -> dict[str, Any]:
    """Return all fields of a result, comparable."""
    fields = dict(result)
    fields["x"] = None if fields["x"] is None else fields["x"].tolist()
    return fields


@pytest.mark.claim("alg1-line-17", "budget-exact", "termination")
@given(instances(max_v=60), st.lists(st.sampled_from(PALETTE), min_size=1, max_size=9))
def test_the_result_is_that_of_the_definitions(instance: Instance, values: list[float]) -> None:
    """fun, nfev, nit, nsweep, depth and nleaves, against the brute force; x is where fun was."""
    seen: list[tuple[Floats, float]] = []

    def in_turn(x: Floats) -> float:
        seen.append((x, values[len(seen) % len(values)]))
        return seen[-1][1]

    result = minimize(
        in_turn, [(-3, 3)] * 4, d=instance.d, maxfun=instance.v, eta=instance.eta,
        K=instance.K, M=instance.M, h_max=instance.h_max, rng=0,
    )  # fmt: skip
    run = instance.brute_force(listed(values))
    assert result.fun == run.answer == min(value for _, value in seen)
    assert result.nfev == len(seen) == sum(len(visit.evaluations) for visit in run.visits)
    assert (result.nit, result.nsweep) == (run.t, run.sweeps)
    assert (result.depth, result.nleaves) == (run.depth, len(run.leaves))
    first = next(x for x, value in seen if value == result.fun)
    assert np.array_equal(result.x, first)
    used = result.nfev == instance.v
    assert result.status == (0 if used else 1)
    assert result.success is True
    assert result.message == (
        "The evaluation budget is used."
        if used
        else "The tree is full: every leaf lies below depth h_max."
    )


@pytest.mark.claim("budget-exact")
@pytest.mark.parametrize("maxfun", [1, 2, 3, 4, 5, 17, 100])
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_the_objective_is_called_exactly_maxfun_times(maxfun: int, policy: Any) -> None:
    calls = 0

    def counted(x: Floats) -> float:
        nonlocal calls
        calls += 1
        assert x.shape == (10,)
        return fun(x)

    result = minimize(counted, BOUNDS, d=2, maxfun=maxfun, rng=1, policy=policy)
    assert calls == result.nfev == maxfun
    assert result.fun == fun(result.x)


@pytest.mark.claim("eq-1")
@given(st.integers(0, 2**32), st.sampled_from([0.05, 1.0, 30.0]))
def test_every_point_lies_within_the_bounds(seed: int, sigma: float) -> None:
    low, high = np.array([0.1, -1e9, 3.0, -0.3]), np.array([0.7, 2e9, 3.0, 0.1])

    def checked(x: Floats) -> float:
        assert np.all(low <= x)
        assert np.all(x <= high)
        return float(x[0])

    result = minimize(checked, Bounds(low, high), d=2, maxfun=30, sigma=sigma, rng=seed)
    assert result.fun == result.x[0]


KINDS: dict[str, dict[str, Any]] = {
    "serial": {},
    "two processes": {"workers": 2},
    "map": {"workers": map},
    "threads": {"workers": threads},
    "backwards": {"workers": backwards},
    "vectorized": {"vectorized": True},
}


@pytest.mark.claim("determinism", "batch-equivalence")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options",
    [{"policy": "fresh"}, {"policy": "fresh", "sampler": "matrix"}, {"policy": "indexed"}],
    ids=["fresh-norm", "fresh-matrix", "indexed"],
)
def test_the_same_seed_is_the_same_run_however_it_is_evaluated(
    kind: str, options: dict[str, Any]
) -> None:
    chosen = KINDS[kind]
    objective = fun_of_columns if "vectorized" in chosen else fun
    expected = minimize(fun, BOUNDS, d=2, maxfun=150, rng=7, **options)
    result = minimize(objective, BOUNDS, d=2, maxfun=150, rng=7, **options, **chosen)
    assert outcome(result) == outcome(expected)
    other = minimize(objective, BOUNDS, d=2, maxfun=150, rng=8, **options, **chosen)
    assert other.x.tolist() != result.x.tolist()


@pytest.mark.claim("determinism", "batch-equivalence")
@pytest.mark.parametrize("floats", [1, 10, 25, 70, 10**6])
def test_the_size_of_the_batches_does_not_matter(
    floats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points: list[list[float]] = []

    def logged(x: Floats) -> float:
        points.append(x.tolist())
        return fun(x)

    expected = minimize(logged, BOUNDS, d=1, K=7, maxfun=60, rng=7)
    before, points = points, []
    monkeypatch.setattr(Serial, "floats", floats)
    result = minimize(logged, BOUNDS, d=1, K=7, maxfun=60, rng=7)
    assert points == before
    assert outcome(result) == outcome(expected)


@pytest.mark.claim("determinism")
def test_a_generator_is_a_seed_and_moves_on() -> None:
    rng = np.random.default_rng(3)
    first = minimize(fun, BOUNDS, d=2, maxfun=20, rng=rng)
    second = minimize(fun, BOUNDS, d=2, maxfun=20, rng=rng)
    again = minimize(fun, BOUNDS, d=2, maxfun=20, rng=np.random.default_rng(3))
    assert first.x.tolist() == again.x.tolist() != second.x.tolist()


@pytest.mark.claim("alg1-input")
def test_args_follow_the_point() -> None:
    def shifted(x: Floats, *args: float) -> float:
        return fun(x) + sum(args)

    plain = minimize(fun, BOUNDS, d=2, maxfun=10, rng=0)
    for args, shift in (((1.0, 2.0), 3.0), (4.0, 4.0), ((), 0.0)):
        result = minimize(shifted, BOUNDS, d=2, maxfun=10, rng=0, args=args)
        assert result.fun == plain.fun + shift


@pytest.mark.claim("determinism")
def test_an_objective_that_writes_into_its_point_changes_nothing() -> None:
    def spoils(x: Floats) -> float:
        value = fun(x)
        x[:] = 99.0
        return value

    expected = minimize(fun, BOUNDS, d=2, maxfun=50, rng=0)
    assert outcome(minimize(spoils, BOUNDS, d=2, maxfun=50, rng=0)) == outcome(expected)


# --- the callback and the keyboard -----------------------------------------------------------


@pytest.mark.claim("alg1-line-14")
@given(instances(max_v=40), st.lists(st.sampled_from(PALETTE), min_size=1, max_size=9))
def test_the_callback_sees_the_run_after_every_visit_that_evaluates(
    instance: Instance, values: list[float]
) -> None:
    seen: list[OptimizeResult] = []
    count = 0

    def in_turn(x: Floats) -> float:
        nonlocal count
        count += 1
        return values[(count - 1) % len(values)]

    result = minimize(
        in_turn, [(-3, 3)] * 4, d=instance.d, maxfun=instance.v, eta=instance.eta,
        K=instance.K, M=instance.M, h_max=instance.h_max, rng=0, callback=seen.append,
    )  # fmt: skip
    visits = [visit for visit in instance.brute_force(listed(values)).visits if visit.evaluations]
    made: list[float] = []
    expected = []
    for k, visit in enumerate(visits):
        made += [e.value for e in visit.evaluations]
        nit = visits[k + 1].t - 1 if k + 1 < len(visits) else result.nit
        expected.append((len(made), min(made), nit))
    assert [(r.nfev, r.fun, r.nit) for r in seen] == expected
    assert {(r.status, r.success, r.message) for r in seen} == {(5, False, "The run goes on.")}
    assert (seen[-1].nsweep, seen[-1].depth, seen[-1].nleaves) == (
        result.nsweep,
        result.depth,
        result.nleaves,
    )


@pytest.mark.claim("alg1-line-17")
def test_StopIteration_from_the_callback_ends_the_run() -> None:
    seen: list[OptimizeResult] = []

    def stop(intermediate_result: OptimizeResult) -> None:
        seen.append(intermediate_result)
        if len(seen) == 3:
            raise StopIteration

    result = minimize(fun, BOUNDS, d=2, maxfun=100, rng=0, callback=stop)
    assert (result.status, result.success) == (2, False)
    assert result.message == "The callback asked to stop."
    assert len(seen) == 3
    assert result.nfev == seen[-1].nfev < 100
    assert (result.fun, result.nit) == (seen[-1].fun, seen[-1].nit)


@pytest.mark.claim("alg1-line-17")
def test_another_exception_of_the_callback_is_passed_on() -> None:
    def fails(intermediate_result: OptimizeResult) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        minimize(fun, BOUNDS, d=2, maxfun=100, rng=0, callback=fails)


@pytest.mark.claim("alg1-line-17")
@pytest.mark.parametrize("at", [1, 2, 30])
@pytest.mark.parametrize("kind", ["serial", "map"])
def test_the_keyboard_ends_the_run_with_the_best_so_far(at: int, kind: str) -> None:
    values: list[float] = []

    def interrupted(x: Floats) -> float:
        if len(values) + 1 == at:
            raise KeyboardInterrupt
        values.append(fun(x))
        return values[-1]

    result = minimize(interrupted, BOUNDS, d=2, maxfun=100, rng=0, **KINDS[kind])
    assert (result.status, result.success, result.message) == (3, False, "Interrupted.")
    assert result.nfev == len(values) == at - 1
    assert result.fun == min(values, default=math.inf)
    assert result.x is None if at == 1 else fun(result.x) == result.fun


# --- failures --------------------------------------------------------------------------------


class Fragile:
    """An objective that fails once at each of some points, known by their order."""

    def __init__(self, failing: set[int], how: Callable[[], object]) -> None:
        self.failing, self.how = failing, how
        self.order: dict[bytes, int] = {}
        self.calls: list[int] = []

    def __call__(self, x: Floats) -> object:
        number = self.order.setdefault(x.tobytes(), len(self.order) + 1)
        self.calls.append(number)
        if number in self.failing:
            self.failing.remove(number)
            return self.how()
        return fun(x)


def raises() -> object:
    raise OSError("no licence")


FAULTS: dict[str, tuple[Callable[[], object], str]] = {
    "raises": (raises, "the objective raised OSError: no licence"),
    "nan": (lambda: math.nan, "the objective returned nan"),
    "shape": (
        lambda: np.zeros(3),
        "the objective must return one real number, got ndarray of shape (3,)",
    ),
    "type": (lambda: "low", "the objective must return one real number, got str"),
    "nested": (lambda: [[1.0], 2.0], "the objective must return one real number, got list"),
}


@pytest.mark.claim("nan-and-inf", "determinism")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", ["serial", "map"])
@pytest.mark.parametrize("number", [1, 2, 3, 20, 60])
def test_a_failure_names_the_evaluation_and_loses_nothing(
    fault: str, kind: str, number: int
) -> None:
    how, why = FAULTS[fault]
    undisturbed = minimize(fun, BOUNDS, d=2, maxfun=60, rng=5)
    fragile = Fragile({number}, how)
    with pytest.raises(EvaluationError) as caught:
        minimize(fragile, BOUNDS, d=2, maxfun=60, rng=5, **KINDS[kind])
    error = caught.value
    assert str(error) == f"evaluation {number} failed: {why}"
    assert error.evaluation == number
    assert fragile.order[error.x.tobytes()] == number
    assert isinstance(error.__cause__, OSError) == (fault == "raises")
    result = error.result
    assert (result.status, result.success) == (4, False)
    assert result.message == "An evaluation of the objective failed."
    assert result.nfev == len(set(fragile.calls)) - 1
    assert result.x is None if number == 1 and kind == "serial" else True
    calls = len(fragile.calls)
    assert outcome(error.resume()) == outcome(undisturbed)
    assert fragile.calls[calls] == number
    assert sorted(fragile.calls) == sorted([*range(1, 61), number])


@pytest.mark.claim("nan-and-inf", "determinism")
@given(
    st.integers(0, 2**16),
    st.sets(st.integers(1, 40), max_size=5),
    st.sampled_from(["serial", "map", "backwards"]),
)
def test_however_often_it_fails_a_resumed_run_is_the_undisturbed_one(
    seed: int, failing: set[int], kind: str
) -> None:
    """Also where values tie: the best point is the first of the best in the order of the run."""
    undisturbed = minimize(fun, BOUNDS, d=2, maxfun=40, rng=seed)
    fragile = Fragile(set(failing), raises)

    def begin() -> OptimizeResult:
        return minimize(fragile, BOUNDS, d=2, maxfun=40, rng=seed, **KINDS[kind])

    attempt: Callable[[], OptimizeResult] = begin
    for _ in range(len(failing) + 1):
        try:
            result = attempt()
        except EvaluationError as error:
            attempt = error.resume
        else:
            break
    assert outcome(result) == outcome(undisturbed)
    assert fragile.failing == set()


@pytest.mark.claim("nan-and-inf")
def test_a_vectorized_objective_can_be_resumed() -> None:
    undisturbed = minimize(fun, BOUNDS, d=2, maxfun=40, rng=5)
    faults = iter([None, "nan", None, "shape", "raises"])

    def fragile(x: Floats) -> Floats:
        fault = next(faults, None)
        if fault == "raises":
            raise OSError("no licence")
        values = fun_of_columns(x)
        if fault == "nan":
            values[-1] = math.nan
        return values[:-1] if fault == "shape" else values

    def begin() -> OptimizeResult:
        return minimize(fragile, BOUNDS, d=2, maxfun=40, rng=5, vectorized=True)

    messages: list[str] = []
    attempt: Callable[[], OptimizeResult] = begin
    for _ in range(4):
        try:
            result = attempt()
        except EvaluationError as error:
            messages.append(str(error))
            attempt = error.resume
    assert outcome(result) == outcome(undisturbed)
    assert messages[0] == "evaluation 3 failed: the objective returned nan"
    assert re.search(r"must return shape \((\d+),\), one value for each column, got", messages[1])
    assert messages[2].endswith("the objective raised OSError: no licence")
    assert len(messages) == 3


@pytest.mark.claim("nan-and-inf")
def test_infinite_values_are_worst_but_ordinary() -> None:
    everywhere = minimize(lambda x: INF, BOUNDS, d=2, maxfun=30, rng=0)
    assert (everywhere.fun, everywhere.nfev, everywhere.success) == (INF, 30, True)
    assert not everywhere.x[:6].any()  # the first of the best: the center of the bounds
    half = minimize(lambda x: INF if x[0] < 0 else fun(x), BOUNDS, d=2, maxfun=30, rng=0)
    assert half.fun < INF
    assert half.x[0] >= 0


# --- arguments -------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"fun": fun, "bounds": BOUNDS, "d": 2, "maxfun": 10}
WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"fun": 3.0}, TypeError, "fun must be callable, got 3.0 of type float"),
    ({"callback": 1}, TypeError, "callback must be callable or None, got 1"),
    ({"d": 11}, ValueError, "d must be at most n, the dimension of the decision space (n = 10), "
     "got d = 11"),
    ({"d": 0}, ValueError, "d must be an integer >= 1, got 0"),
    ({"maxfun": 0}, ValueError, "v (the evaluation budget, maxfun) must be an integer >= 1, got 0"),
    ({"eta": 1}, ValueError, "eta must be a number in the open interval (0, 1), got 1"),
    ({"K": 4}, ValueError, "K must be an odd integer >= 3, got 4"),
    ({"M": -1}, ValueError, "M must be a finite number >= 0, got -1"),
    ({"h_max": -1}, ValueError, "h_max must be an integer >= 0, got -1"),
    ({"sigma": 0.0}, ValueError, "sigma must be a finite number > 0, got 0.0"),
    ({"policy": "both"}, ValueError, "policy must be one of 'fresh', 'indexed', got 'both'"),
    ({"sampler": "both"}, ValueError, "sampler must be one of 'norm', 'matrix', got 'both'"),
    ({"bounds": [(0, INF)] * 3}, ValueError,
     "bounds must be finite, got (0.0, inf) for variable 0"),
    ({"workers": 0}, ValueError, "workers must be an integer >= 1, -1 (all processors), or a "
     "map-like callable, got 0"),
]  # fmt: skip


@pytest.mark.claim("alg1-input")
@pytest.mark.parametrize(("change", "kind", "message"), WRONG)
def test_bad_arguments_are_named_before_anything_is_evaluated(
    change: dict[str, Any], kind: type[Exception], message: str
) -> None:
    def never(x: Floats) -> float:
        raise AssertionError("evaluated")

    with pytest.raises(kind) as caught:
        minimize(**(GOOD | {"fun": never} | change))
    assert str(caught.value) == message


@pytest.mark.claim("alg1-input")
def test_the_parameters_reach_the_algorithm() -> None:
    """Each one changes the run; unless given, they are the paper's."""
    good = GOOD | {"maxfun": 60, "rng": 0}
    plain = outcome(minimize(**good))
    assert plain == outcome(
        minimize(
            **good, eta=0.3, K=3, M=5, h_max=7, sigma=1 / math.sqrt(10), policy="fresh",
            sampler="norm", args=(), callback=None, workers=1, vectorized=False,
        )
    )  # fmt: skip
    for change in (
        {"eta": 0.5}, {"K": 5}, {"M": 0}, {"h_max": 1}, {"sigma": 0.5}, {"policy": "indexed"},
        {"sampler": "matrix"}, {"d": 3}, {"maxfun": 61}, {"rng": 1},
    ):  # fmt: skip
        assert outcome(minimize(**(good | change))) != plain
