"""Which variables mattered: what is found is what matters, and what cannot be told is said."""

import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import OptimizeResult

from embedded_hunter import influence, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.influence import Influence, by_generations
from embedded_hunter.run.made_values import Generation
from reproduction.problems.registry import OF_PAPER, PROBLEMS, WIDER
from tool.front_door import never


def at(x: Floats) -> OptimizeResult:
    return OptimizeResult(x=x)


def separable(n: int, weights: dict[int, float]) -> Callable[[Floats], float]:
    return lambda x: float(sum(w * abs(x[i] - 0.3) for i, w in weights.items()))


@pytest.mark.parametrize("name", sorted((*OF_PAPER, *WIDER)))
def test_the_effective_variables_of_a_run_are_found(name: str) -> None:
    """The truth is the problem's own: three of 2,000 variables."""
    problem = PROBLEMS[name](2000, 3, rng=np.random.default_rng(5))
    bounds = [(-1.0, 1.0)] * 2000
    result = minimize(problem, bounds, maxfun=300, rng=2)
    found = influence(problem, bounds, result, rng=1)
    assert problem.coordinates is not None
    assert set(found.order.tolist()) == set(problem.coordinates)
    assert found.undecided == []
    assert found.message == "3 of 2000 variables matter at this point"


@given(
    n=st.integers(1, 300),
    k=st.integers(0, 8),
    maxfun=st.integers(10, 400),
    seed=st.integers(0, 10**6),
)
def test_no_variable_is_named_that_does_not_matter_and_none_is_lost(
    n: int, k: int, maxfun: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    matter = rng.choice(n, min(k, n), replace=False).tolist()
    f, calls = separable(n, {i: rng.uniform(0.1, 10) for i in matter}), []

    def counted(x: Floats) -> float:
        calls.append(x)
        return f(x)

    found = influence(counted, [(-2.0, 1.0)] * n, at(rng.uniform(-1, 1, n)), maxfun, seed)
    assert len(calls) == found.nfev <= maxfun
    assert all(point.min() >= -2 and point.max() <= 1 for point in calls)
    order = found.order.tolist()
    assert len(set(order)) == len(order)
    assert set(order) <= set(matter)
    undecided = {i for group in found.undecided for i in group.tolist()}
    if "not tested" not in found.message:
        assert set(matter) <= set(order) | undecided
    assert ("cannot tell" in found.message) == bool(undecided)


def test_the_effects_are_those_of_a_uniform_draw_within_their_intervals() -> None:
    """|x - .3| for x uniform on [-1, 1], at x = .3: the mean is .545.

    Of 180 intervals at most 24 miss it: false alarm 3e-5 at 5 %, 2 % at 8 %.
    """
    f, truth, misses = separable(20, {7: 1.0, 4: 4.0, 15: 2.0}), 0.545 * np.array([4, 2, 1]), 0
    for seed in range(60):
        found = influence(f, [(-1.0, 1.0)] * 20, at(np.full(20, 0.3)), 120, rng=seed)
        assert sorted(found.order.tolist()) == [4, 7, 15]
        by_weight = [found.order.tolist().index(i) for i in (4, 15, 7)]
        low, high = found.interval[by_weight].T
        misses += int(np.sum((truth < low) | (high < truth)))
        assert np.all(high - low < 1.2 * truth)
    assert misses <= 24
    again = influence(f, [(-1.0, 1.0)] * 20, at(np.full(20, 0.3)), 120, rng=seed)
    assert np.array_equal(again.effect, found.effect)


def test_directions_that_are_not_along_the_axes_cannot_be_told() -> None:
    problem = PROBLEMS["ellipsoid"](400, 3, rng=np.random.default_rng(1), rotated=True)
    found = influence(problem, [(-1.0, 1.0)] * 400, at(np.zeros(400)), rng=1)
    assert found.order.size == 0
    assert found.message.startswith("cannot tell: 32 of 32 groups")
    assert sum(group.size for group in found.undecided) == 400
    assert found.nfev == 36


def test_noise_names_no_variable_that_does_not_matter() -> None:
    """In 100 calls at most 14 have a false name: false alarm 3e-4 at the stated 5 %."""
    rng, wrong, hits = np.random.default_rng(8), 0, 0
    for seed in range(100):
        f = separable(200, {11: 100.0})
        found = influence(
            lambda x, f=f: f(x) + rng.standard_normal(),  # type: ignore[misc]
            [(-1.0, 1.0)] * 200, at(np.zeros(200)), 150, seed,
        )  # fmt: skip
        wrong += not set(found.order.tolist()) <= {11}
        hits += 11 in found.order
    assert wrong <= 14
    assert hits >= 70


def test_noise_alone_would_be_named_without_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Power: with a false-alarm rate of nearly 1 for each test variables are named."""
    monkeypatch.setattr("embedded_hunter.run.influence.FALSE_ALARM", 250.0)
    rng = np.random.default_rng(8)
    found = influence(lambda x: rng.standard_normal(), [(-1.0, 1.0)] * 20, at(np.zeros(20)))
    assert found.order.size > 0


def test_variables_that_matter_only_together_are_left_undecided() -> None:
    def together(x: Floats) -> float:
        return float(abs(x[2]) > 0 and abs(x[90]) > 0)

    for seed in range(20):
        found = influence(together, [(-1.0, 1.0)] * 100, at(np.zeros(100)), rng=seed)
        assert found.order.size == 0
        if found.undecided:  # both were in one group
            assert {2, 90} <= set(found.undecided[0].tolist())


def test_fixed_variables_and_infinite_values() -> None:
    fixed = influence(lambda x: float(x @ x), [(0.0, 0.0), (-1.0, 1.0)], at(np.zeros(2)), 10, 1)
    assert fixed.order.tolist() == [1]
    assert fixed.message == "1 of 1 variables matter at this point"
    f = influence(lambda x: np.inf, [(-1.0, 1.0)] * 3, at(np.zeros(3)), rng=1)
    assert f.order.size == 0
    assert f.message == "cannot tell: the value at this point is not finite"
    jump = influence(lambda x: np.inf if x[1] else 0.0, [(-1.0, 1.0)] * 3, at(np.zeros(3)), 60, 1)
    assert jump.order.tolist() == [1]
    assert np.isinf(jump.effect[0])


@pytest.mark.parametrize("width", [1e-320, 1e-300, 1e300, sys.float_info.max])
def test_bounds_of_any_size(width: float) -> None:
    """Also if their difference is no float: without a warning, and within the bounds."""
    bounds, points = [(-width, width)] * 60, []

    def f(x: Floats) -> float:
        points.append(x)
        return float(x[7] / width)

    result = minimize(f, bounds, maxfun=300, rng=1)
    for maxfun in (200, 0):
        found = influence(f, bounds, result, maxfun, 1)
        assert found.order.tolist() == [7]
        assert np.isfinite(found.effect).all()
    assert np.abs(points).max() <= width


def test_what_is_printed_is_short_and_names_the_first_variables() -> None:
    """Three lines and a table of at most twelve variables."""
    f = separable(3000, {7: 1.0, 4: 4.0})
    lines = repr(influence(f, [(-1.0, 1.0)] * 3000, at(np.full(3000, 0.3)), 200, rng=1)).split("\n")
    assert lines[0] == "2 of 3000 variables matter at this point"
    assert lines[1].endswith(" evaluations; 2 variables found, 0 in groups not divided")
    assert lines[2].split() == ["variable", "effect", "95", "%", "interval"]
    assert [line.split()[0] for line in lines[3:]] == ["4", "7"]
    low, high = lines[3].split()[2::2]
    assert float(low) < float(lines[3].split()[1]) < float(high)
    order, effect = np.arange(40), np.full(40, 0.5)
    found = Influence(order, effect, np.ones((40, 2)), [], 9, "many matter")
    assert str(found).count("\n") == 2 + 12 + 1
    assert str(found).endswith("and 28 more")


# --- by the values of a run alone ----------------------------------------------------------------

N = 60
CUBE = [(-1.0, 1.0)] * N


def samples(
    f: Callable[[Floats], Floats], seed: int, count: int = 40, size: int = 12
) -> list[Generation]:
    """Return generations about random means, clipped, with values of f."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-0.5, 0.5, (count, 1, N)) + rng.normal(0, 0.5, (count, size, N))
    x = np.clip(x, -1, 1)
    values = f(x.reshape(-1, N)).reshape(count, size)
    return [(one.tolist(), points) for one, points in zip(values, x, strict=True)]


def told(generations: list[Generation], seed: int = 1) -> Influence:
    return by_generations(generations, N, np.random.default_rng(seed))


def noisy(x: Floats) -> Floats:
    """Three variables matter, with noise; the second one has a slope and no curvature."""
    noise = np.random.default_rng(9).normal(0, 0.3, len(x))
    return np.asarray(2 * np.abs(x[:, 7] - 0.2) + x[:, 20] + 3 * x[:, 41] ** 2 + noise)


def test_variables_that_matter_are_found_with_noise() -> None:
    """The effect of variable 7 is that by SciPy's correlations of ranks, by generations."""
    generations, excess = samples(noisy, 3, count=80), 0.0
    found = told(generations)
    assert sorted(found.order.tolist()) == [7, 20, 41]
    assert (found.undecided, found.nfev) == ([], 0)
    assert found.message == "3 of 60 variables matter in 80 generations"
    assert list(found.effect) == sorted(found.effect, reverse=True)
    low, high = found.interval.T
    assert np.all((low > 0) & (low < found.effect) & (found.effect < high))
    for values, points in generations:
        x, ranks = points[:, 7], stats.rankdata(values)
        slope = stats.pearsonr(ranks, x).statistic
        curvature = stats.pearsonr(ranks, (x - x.mean()) ** 2).statistic
        excess += 11 * (slope**2 + curvature**2) - 2
    effect = found.effect[found.order.tolist().index(7)]
    assert effect == pytest.approx(excess / (80 * 10))


def test_noise_names_nothing() -> None:
    """In 60 runs at most 11 name a variable, and at most 11 others: each 5 %, false alarm 1e-4."""
    rng = np.random.default_rng(4)
    found = [told(samples(lambda x: rng.standard_normal(len(x)), seed)) for seed in range(60)]
    assert sum(one.order.size > 0 for one in found) <= 11
    assert sum(bool(one.undecided) for one in found) <= 11
    nothing = [one for one in found if not (one.order.size or one.undecided)]
    expected = "cannot tell: no variable differs from chance in 40 generations"
    assert {one.message for one in nothing} == {expected}


def test_intervals_hold_the_mean_over_many_generations() -> None:
    """Of 40 intervals at most 8 miss it: false alarm 3e-4 at 5 %."""

    def bowl(x: Floats) -> Floats:
        return np.asarray(x[:, 7] ** 2 + 0.5 * x[:, 20])

    truth = np.mean([told(samples(bowl, 900 + k, count=800)).effect[0] for k in range(2)])
    misses = 0
    for seed in range(40):
        found = told(samples(bowl, seed, count=50), seed)
        low, high = found.interval[found.order.tolist().index(7)]
        misses += not low <= truth <= high
    assert misses <= 8


def test_such_directions_cannot_be_told_by_the_values_of_a_run() -> None:
    """A bowl in three random directions: every variable matters a little."""
    Q = np.linalg.qr(np.random.default_rng(2).standard_normal((N, 3)))[0]
    found = told(samples(lambda x: np.asarray(((x @ Q) ** 2).sum(axis=1)), 2, count=100))
    assert found.order.size == 0
    assert (
        found.message == "0 of 60 variables matter in 100 generations; cannot tell which of 60 do"
    )
    assert [group.tolist() for group in found.undecided] == [list(range(N))]


def test_the_variables_of_a_run_are_found() -> None:
    """Four of 300, from 1,200 values; a fixed variable does not count."""

    def f(x: Floats) -> float:
        return float(sum(abs(x[i] - 0.3) for i in (3, 50, 120, 290)))

    bounds = [(0.5, 0.5), *[(-1.0, 1.0)] * 299]
    result = minimize(f, bounds, maxfun=1200, rng=2)
    found = influence(f, bounds, result, maxfun=0, rng=1)
    assert sorted(found.order.tolist()) == [3, 50, 120, 290]
    assert " of 299 variables matter in " in found.message
    again = influence(f, bounds, result, maxfun=0, rng=1)
    assert np.array_equal(again.interval, found.interval)


@pytest.mark.parametrize(
    ("n", "run"),
    [(40, {}), (50, {"policy": "fresh", "d": 2}), (50, {"evolve": False})],
)
def test_without_generations_of_independent_samples_nothing_is_told(
    n: int, run: dict[str, object]
) -> None:
    """With n <= 40 a metric couples the variables; other members and policies do not sample X."""

    def f(x: Floats) -> float:
        return float(abs(x[3]))

    bounds = [(-1.0, 1.0)] * n
    result = minimize(f, bounds, maxfun=120, rng=2, **run)  # type: ignore[arg-type]
    found = influence(f, bounds, result, maxfun=0)
    assert found.message.startswith("cannot tell: no generation of independent samples")
    assert found.order.size == 0
    assert [group.tolist() for group in found.undecided] == [list(range(n))]


def test_equal_values_tell_nothing() -> None:
    assert told(samples(lambda x: np.zeros(len(x)), 1)).message.startswith("cannot tell: no gener")


def test_a_result_without_the_run_is_refused() -> None:
    result = minimize(lambda x: float(x @ x), CUBE, maxfun=30, rng=1)
    with pytest.raises(ValueError, match="result must have the run of 50 variables"):
        influence(never, CUBE[:50], OptimizeResult(x=np.zeros(50), run=result.run), maxfun=0)
    with pytest.raises(ValueError, match="result must have the run of 60 variables"):
        influence(never, CUBE, OptimizeResult(x=np.zeros(N)), maxfun=0)
    with pytest.raises(
        ValueError, match=r"maxfun \(if it is not 0\) must be an integer >= 10, got 9"
    ):
        influence(lambda x: 0.0, CUBE, result, maxfun=9)
