"""SRESOO: SOO in P embeddings one after another, each round about the best point of the last."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.baselines.resoo import shares
from embedded_hunter.baselines.sresoo import sresoo
from embedded_hunter.projection import Floats, Indexed
from embedded_hunter.settings import Settings
from spec.algorithm.baselines import (
    Spy,
    crooked,
)
from spec.algorithm.brute_force import Point
from spec.algorithm.brute_force_soo import Run, munos

N = 6
CUBE = [(-1.0, 1.0)] * N


def rounds(
    f: Callable[[Floats], float], *, d: int, K: int, P: int, v: int, sigma: float, seed: int
) -> tuple[list[Floats], list[float], list[Floats], list[Run]]:
    """Run SRESOO again, round by round: return its points, values, the x of each round, the runs.

    Round p is the listing's SOO on (y, alpha) -> f(P_X(A_p y + alpha x)) over [-1, 1]^(d+1).
    """
    matrices = Indexed(Settings(N, d, v, sigma=sigma), np.random.default_rng(seed), N)
    points: list[Floats] = []
    values: list[float] = []
    starts: list[Floats] = []
    runs: list[Run] = []
    start: Floats = np.zeros(N)
    for p, share in enumerate(shares(v, P), 1):
        A = matrices.matrix(p)

        def point(z: Point, A: Floats = A, x: Floats = start) -> Floats:
            *y, alpha = map(float, z)
            moved: Floats = np.clip(A @ np.array(y) + alpha * x, -1, 1)
            return moved

        run = munos(lambda z: f(point(z)), d=d + 1, K=K, h_max=math.isqrt(share), v=share)
        here = [point(z) for z in run.points]
        points += here
        values += run.values
        starts.append(start)
        runs.append(run)
        start = here[int(np.argmin(run.values))]
    return points, values, starts, runs


@pytest.mark.claim("supplement-a2")
@pytest.mark.parametrize(
    ("d", "K", "P", "v", "sigma", "seed"),
    [(1, 3, 3, 90, 0.5, 0), (2, 3, 5, 203, 0.4, 1), (3, 5, 4, 150, 0.3, 2), (6, 3, 2, 99, 0.3, 3),
     (2, 3, 1, 60, 0.4, 4), (2, 3, 9, 5, 0.4, 5), (2, 3, 4, 200, 3.0, 6), (3, 5, 3, 200, 2.0, 7)],
)  # fmt: skip
def test_round_p_searches_about_the_best_point_of_the_round_before(
    d: int, K: int, P: int, v: int, sigma: float, seed: int
) -> None:
    points, values, starts, runs = rounds(crooked, d=d, K=K, P=P, v=v, sigma=sigma, seed=seed)
    spy = Spy(crooked)
    result = sresoo(spy, CUBE, d=d, maxfun=v, K=K, n_embeddings=P, sigma=sigma, rng=seed)
    assert np.array(spy.points) == pytest.approx(np.array(points), abs=1e-13)
    assert result.fun == pytest.approx(min(values), abs=1e-12)
    assert result.nsweep == sum(run.sweeps for run in runs)
    assert result.nit == sum(run.visits for run in runs) + len(runs) - 1  # roots but the first
    assert not starts[0].any()
    if v > 50:
        assert all(x.any() for x in starts[1:])


@pytest.mark.long
@pytest.mark.claim("supplement-a2")
def test_h_max_of_a_round_is_the_root_of_its_share() -> None:
    """Table 1: h_max = sqrt(v/P). The budget would do for deeper trees; the runs agree.

    In much deeper trees rounding errors decide which of two leaves near a minimum has less.
    """
    points, _, _, runs = rounds(crooked, d=1, K=3, P=2, v=1000, sigma=0.5, seed=1)
    assert [max(h for h, _ in run.leaves) for run in runs] == [math.isqrt(500) + 1] * 2
    spy = Spy(crooked)
    result = sresoo(spy, CUBE, d=1, maxfun=1000, n_embeddings=2, sigma=0.5, rng=1)
    assert result.depth == math.isqrt(500) + 1
    assert np.array(spy.points) == pytest.approx(np.array(points), abs=1e-13)


def test_of_equal_best_points_of_a_round_the_first_is_the_next_start() -> None:
    def coarse(x: Floats) -> float:
        return float(round(crooked(x)))

    points, values, starts, runs = rounds(coarse, d=2, K=3, P=4, v=120, sigma=0.4, seed=1)
    best = np.flatnonzero(np.array(runs[0].values) == min(runs[0].values))
    assert len({tuple(points[k]) for k in best}) > 1  # there is something to choose
    assert np.array_equal(starts[1], points[best[0]])
    spy = Spy(coarse)
    sresoo(spy, CUBE, d=2, maxfun=120, n_embeddings=4, sigma=0.4, rng=1)
    assert np.array(spy.points) == pytest.approx(np.array(points), abs=1e-13)
    assert spy.values == values


def test_x_is_the_best_point_of_the_last_round_not_of_the_run() -> None:
    """Round 2 finds less than round 1; round 3 starts from round 2's best point all the same."""
    v, P, seed = 60, 3, 11
    calls = 0

    def sours(x: Floats) -> float:
        nonlocal calls
        calls += 1
        return crooked(x) + (100.0 if calls > v // P else 0.0)

    points, values, starts, _ = rounds(sours, d=2, K=3, P=P, v=v, sigma=0.4, seed=seed)
    second = values[20:40]
    assert min(second) > min(values[:20])
    assert np.array_equal(starts[2], points[20 + int(np.argmin(second))])
    calls = 0
    spy = Spy(sours)
    sresoo(spy, CUBE, d=2, maxfun=v, n_embeddings=P, sigma=0.4, rng=seed)
    assert np.array(spy.points) == pytest.approx(np.array(points), abs=1e-13)
