"""Which variables mattered, by the values of a run alone (`run.made_values`, `influence`)."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from scipy.optimize import OptimizeResult

from embedded_hunter import influence, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.influence import Influence
from spec.interface.front_door import never

N = 60
CUBE = [(-1.0, 1.0)] * N


def samples(
    f: Callable[[Floats], Floats], seed: int, count: int = 40, size: int = 12
) -> npt.NDArray[np.void]:
    """Return the history of generations about random means, clipped, with values of f."""
    rng = np.random.default_rng(seed)
    history = np.empty(
        count * size, [("generation", np.int64), ("value", np.float64), ("x", np.float64, (N,))]
    )
    x = rng.uniform(-0.5, 0.5, (count, 1, N)) + rng.normal(0, 0.5, (count, size, N))
    history["x"] = np.clip(x, -1, 1).reshape(-1, N)
    history["generation"] = np.repeat(np.arange(1, count + 1), size)
    history["value"] = f(history["x"])
    return history


def told(history: npt.NDArray[np.void], seed: int = 1) -> Influence:
    result = OptimizeResult(x=np.zeros(N), history=history)
    return influence(never, CUBE, result, maxfun=0, rng=seed)


def noisy(x: Floats) -> Floats:
    """Three variables matter, with noise; the second one has a slope and no curvature."""
    noise = np.random.default_rng(9).normal(0, 0.3, len(x))
    return np.asarray(2 * np.abs(x[:, 7] - 0.2) + x[:, 20] + 3 * x[:, 41] ** 2 + noise)


def test_variables_that_matter_are_found_with_noise() -> None:
    found = told(samples(noisy, 3, count=80))
    assert sorted(found.order.tolist()) == [7, 20, 41]
    assert found.undecided == []
    assert found.nfev == 0
    assert found.message == "3 of 60 variables matter in 80 generations"
    assert list(found.effect) == sorted(found.effect, reverse=True)
    low, high = found.interval.T
    assert np.all((low > 0) & (low < found.effect) & (found.effect < high))


def test_the_correlations_are_those_of_scipy() -> None:
    """The effect of variable 7, from Pearson's correlations of ranks, generation by generation."""
    history = samples(noisy, 3, count=80)
    found, excess = told(history), 0.0
    for k in range(80):
        one = history[12 * k : 12 * k + 12]
        x, ranks = one["x"][:, 7], stats.rankdata(one["value"])
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

    (truth,) = told(samples(bowl, 999, count=4000)).effect[:1]
    misses = 0
    for seed in range(40):
        found = told(samples(bowl, seed, count=100), seed)
        low, high = found.interval[found.order.tolist().index(7)]
        misses += not low <= truth <= high
    assert misses <= 8


def test_directions_that_are_not_along_the_axes_cannot_be_told() -> None:
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
    result = minimize(f, bounds, maxfun=1200, rng=2, keep_points=True)
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
    result = minimize(f, bounds, maxfun=120, rng=2, keep_points=True, **run)  # type: ignore[arg-type]
    assert not result.history["generation"].any()
    found = influence(f, bounds, result, maxfun=0)
    assert found.message.startswith("cannot tell: no generation of independent samples")
    assert found.order.size == 0
    assert [group.tolist() for group in found.undecided] == [list(range(n))]


def test_equal_values_tell_nothing() -> None:
    assert told(samples(lambda x: np.zeros(len(x)), 1)).message.startswith("cannot tell: no gener")


def test_a_result_without_points_is_refused() -> None:
    result = minimize(lambda x: float(x @ x), CUBE, maxfun=30, rng=1)
    with pytest.raises(ValueError, match="result must have a history with points of 60 numbers"):
        influence(lambda x: 0.0, CUBE, result, maxfun=0)
    with pytest.raises(
        ValueError, match=r"maxfun \(if it is not 0\) must be an integer >= 10, got 9"
    ):
        influence(lambda x: 0.0, CUBE, result, maxfun=9)
