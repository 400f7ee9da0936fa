"""`released`, the authors' program as re-created: kept runs of it, and its description."""

import math

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from regression.kept_results import RESULTS, samples
from reproduction.arithmetic import arithmetic
from reproduction.problems.registry import PROBLEMS
from reproduction.released.any_function import released
from reproduction.released.hunter import ETA, hunt_released
from reproduction.seeds import seed_of
from reproduction.stored import headers

pytestmark = pytest.mark.claim("released-program")


class Enough(Exception):
    """The first matrices are used up."""


@pytest.mark.parametrize("problem", ["ellipsoid", "rosenbrock", "ackley"])
@pytest.mark.parametrize("run", [0, 7])
def test_a_kept_run_of_figure_1_comes_out_again(problem: str, run: int) -> None:
    """As far as its first block of 3,276 matrices goes; version 1.1.0 has the whole program.

    It drew coordinates with replacement, and the value at a budget is the first improvement at or
    after it.
    """
    header = headers.read(RESULTS)["released"]
    # Other last bits of a value can change which leaf is expanded, and so the whole run.
    if not header.made.machine.endswith(f"arithmetic {arithmetic()}"):
        pytest.skip("made with another arithmetic")
    names, v, values = ("released", "convergence", problem), 100_000, list[float]()
    coordinates = np.random.default_rng(seed_of(*names, v)).integers(10_000, size=10)
    distinct, rows = np.unique(coordinates, return_inverse=True)
    landscape = PROBLEMS[problem](10, 10).landscape
    rng = np.random.default_rng(seed_of(*names, "embedded_hunter", None, run))

    def evaluate(radii: list[float]) -> list[float]:
        if len(values) > 3_200:
            raise Enough
        z = rng.standard_normal((len(radii), len(distinct)))[:, rows]
        x = np.clip(z * np.array(radii)[:, None], -1, 1)
        values.extend(np.asarray(landscape(x.T)).tolist())
        return values[-len(radii) :]

    with pytest.raises(Enough):
        hunt_released(evaluate, n=10_000, d=10, v=v, M=5)
    best = np.minimum.accumulate(values)
    improved = np.flatnonzero(np.append(True, best[1:] < best[:-1]))  # the first is evaluation 1
    kept = samples("released", "convergence")
    budgets = [b for b in (10, 50, 100, 1000) if b <= improved[-1] + 1]
    assert budgets[:3] == [10, 50, 100]
    for b in budgets:
        looked_at = best[improved[improved >= b - 1][0]]
        assert looked_at == pytest.approx(kept[problem, "embedded_hunter", b][run], rel=1e-12)


def test_values_of_few_levels_follow_the_description() -> None:
    """Item by item on a line: the radii, in units of the half-width, and the drill of equal values.

    With M = 0 no center is evaluated again. All values are equal, so each depth expands the first
    leaf of each norm, and a tie expands (4); the step of depth h is 3^-(h+1) of the whole (2).
    """
    radii: list[float] = []

    def evaluate(wanted: list[float]) -> list[float]:
        radii.extend(s * math.sqrt(4) * ETA for s in wanted)
        return [1.0] * len(wanted)

    assert hunt_released(evaluate, n=4, d=1, v=9, M=0) == 11
    first = [0.0, 2 / 3, 2 / 3]  # the root, and its outer children
    second = [4 / 9, 4 / 9, 8 / 9, 8 / 9]  # the children of these two
    third = [2 / 9, 2 / 9]  # of the center, whose norm is the least
    assert radii[:3] + sorted(radii[3:7]) + radii[7:9] == pytest.approx(first + second + third)


@pytest.mark.parametrize("v", [1, 2, 3, 50, 101, 1000])
@pytest.mark.parametrize("M", [1, 5, 20])
def test_the_root_is_not_counted_and_the_last_expansion_is_finished(v: int, M: int) -> None:
    """Points lie in the bounds, and the best one is returned."""
    seen: list[Floats] = []

    def fun(x: Floats) -> float:
        seen.append(x.copy())
        return float(abs(x[1] - 2.5) + abs(x[5] + 7))

    result = released(fun, [(2, 3), (1, 4), (-9, -5)] * 3, v, 4, M=M, rng=1)
    points = np.array(seen)
    assert v + 1 <= len(points) == result.nfev <= v + 3
    if M == 1:
        assert result.nfev == 1 + v + v % 2  # no center is evaluated again: norms are below 1
    assert (points >= np.tile([2, 1, -9], 3)).all()
    assert (points <= np.tile([3, 4, -5], 3)).all()
    assert result.fun == fun(result.x) == min(map(fun, points))


def test_matrices_are_new_and_the_radius_is_that_of_the_description() -> None:
    """The first points on a line of 10^4 variables: sigma ||y|| of items 1, 2 and 9."""
    seen: list[Floats] = []

    def fun(x: Floats) -> float:
        seen.append(x)
        return 0.0

    released(fun, [(-1, 1)] * 10_000, 2, 1, rng=1)
    assert not seen[0].any()
    for x in seen[1:]:
        assert x.std() == pytest.approx(2 / 3 * (1 / ETA) / 100, rel=0.03)
    assert abs(np.corrcoef(seen[1], seen[2])[0, 1]) < 0.05


@pytest.mark.parametrize("said", [{"maxfun": 0, "d": 2}, {"maxfun": 10, "d": 0}])
def test_a_budget_or_a_dimension_of_none_is_refused(said: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="integer"):
        released(lambda x: 0.0, [(-1, 1)] * 5, **said)
