"""SRESOO: SOO in P embeddings one after another, each round about the best point of the last."""

import math
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.projection import Indexed
from embedded_hunter.settings import Settings
from paper.definitions import Point
from paper.instances import visits_of
from regression.baselines import Spy, crooked
from regression.brute_force_soo import Run, munos
from reproduction.baselines.resoo import shares
from reproduction.baselines.sresoo import sresoo_parts

N = 6


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


def coarse(x: Floats) -> float:
    """Of the points of a round several are the best: the first one is the next start."""
    return float(round(crooked(x)))


def sours() -> Callable[[Floats], float]:
    """Return a function that after 20 evaluations has higher values than all before."""
    calls = count(1)
    return lambda x: crooked(x) + (100.0 if next(calls) > 20 else 0.0)


@pytest.mark.claim("supplement-a2")
@pytest.mark.parametrize(
    ("make", "d", "K", "P", "v", "sigma", "seed"),
    [(lambda: crooked, 1, 3, 3, 90, 0.5, 0), (lambda: crooked, 2, 3, 5, 203, 0.4, 1),
     (lambda: crooked, 3, 5, 4, 150, 0.3, 2), (lambda: crooked, 6, 3, 2, 99, 0.3, 3),
     (lambda: crooked, 2, 3, 1, 60, 0.4, 4), (lambda: crooked, 2, 3, 9, 5, 0.4, 5),
     (lambda: crooked, 2, 3, 4, 200, 3.0, 6), (lambda: crooked, 3, 5, 3, 200, 2.0, 7),
     (lambda: coarse, 2, 3, 4, 120, 0.4, 1), (sours, 2, 3, 3, 60, 0.4, 11)],
)  # fmt: skip
def test_round_p_searches_about_the_best_point_of_the_round_before(
    make: Callable[[], Callable[[Floats], float]],
    d: int, K: int, P: int, v: int, sigma: float, seed: int,
) -> None:  # fmt: skip
    points, values, starts, runs = rounds(make(), d=d, K=K, P=P, v=v, sigma=sigma, seed=seed)
    spy = Spy(make())
    settings = Settings(N, d, v, K=K, sigma=sigma)
    run, projection = sresoo_parts(settings, P, np.random.default_rng(seed), N)
    answered = visits_of(run, lambda visit: [spy(x) for x in projection.project(visit.evaluations)])
    *_, (last, _) = answered
    assert np.array(spy.points) == pytest.approx(np.array(points), abs=1e-13)
    assert min(spy.values) == pytest.approx(min(values), abs=1e-12)
    assert last.sweep == sum(run.sweeps for run in runs)
    assert last.t == sum(run.visits for run in runs) + len(runs) - 1  # roots but the first
    assert not starts[0].any()
    if spy.f is crooked and v > 50:
        assert all(x.any() for x in starts[1:])
