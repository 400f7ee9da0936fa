"""RESOO: SOO in M random embeddings, one after another (Qian and Yu, 2016).

M trees over the same Y = [-d/eta, d/eta]^d, tree p in the embedding of its own fixed matrix A_p,
each with v/M evaluations (supplement A.2) and h_max the square root of that (Table 1).
"""

import math
from typing import Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.baselines.soo import consecutive, hunt_soo
from embedded_hunter.hunter import Hunt
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.evaluators import Objective
from embedded_hunter.run.minimize import Calling, solve
from embedded_hunter.settings import Real, Settings, integer


def shares(v: int, M: int) -> list[int]:
    """Divide v evaluations among M trees, as evenly as whole numbers allow, none left over.

    Of more trees than evaluations only v have one.
    """
    return [v // M + (p < v % M) for p in range(min(v, M))]


def hunt_resoo(settings: Settings, M: int) -> Hunt:
    """Run RESOO: tree p asks for its evaluations with p, to be made in the embedding A_p."""
    runs = []
    for p, v in enumerate(shares(settings.v, M), 1):
        tree = Settings(settings.n, settings.d, v, K=settings.K, h_max=math.isqrt(v))
        runs.append(hunt_soo(tree, p))
    return consecutive(runs)


def resoo(
    fun: Objective,
    bounds: BoundsLike,
    *,
    d: int,
    maxfun: int,
    eta: Real = 0.3,
    K: int = 3,
    M: int = 5,
    sigma: float | None = None,
    rng: np.random.Generator | int | None = None,
    **calling: Unpack[Calling],
) -> OptimizeResult:
    """Minimise by RESOO; M is the number of embeddings, the rest as for `minimize`.

    In the result `nit` and `nsweep` count over all trees, `depth` and `nleaves` are of the last.
    """
    box = Box(bounds)
    M = integer("M", M, 1)
    settings = Settings(box.n, d, maxfun, eta=eta, K=K, sigma=sigma, policy="indexed")
    hunter = EmbeddedHunter(settings, rng, run=hunt_resoo(settings, M))
    return solve(fun, hunter, box, **calling)
