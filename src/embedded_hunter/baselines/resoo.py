"""RESOO: SOO in P random embeddings, one after another (Qian and Yu, 2016).

There are P trees over the same Y = [-d/eta, d/eta]^d. Tree p is evaluated in the embedding of its
own fixed matrix A_p. It has v/P evaluations (supplement A.2), and its h_max is the square root of
that number (Table 1). The paper writes M for P and for the factor of EmbeddedHunter's cap; here M
is only that factor.
"""

from typing import Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.baselines.soo import consecutive, hunt_soo
from embedded_hunter.hunter import Hunt
from embedded_hunter.matrices import generator
from embedded_hunter.projection import Indexed
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.minimize import Calling, solve
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import Search
from embedded_hunter.settings import Real, Settings, integer


def shares(v: int, P: int) -> list[int]:
    """Divide v evaluations among P trees as evenly as possible, and return the numbers.

    If there are more trees than evaluations, only v trees are returned, with one evaluation each.
    """
    return [v // P + (k < v % P) for k in range(min(v, P))]


def hunt_resoo(settings: Settings, P: int) -> Hunt:
    """Run RESOO: the evaluations of tree p carry the number p of their matrix A_p."""
    trees = [Settings(settings.n, settings.d, v, K=settings.K) for v in shares(settings.v, P)]
    return consecutive([hunt_soo(tree, p) for p, tree in enumerate(trees, 1)])


def resoo(
    fun: Objective,
    bounds: BoundsLike,
    *,
    d: int,
    maxfun: int,
    eta: Real = 0.3,
    K: int = 3,
    n_embeddings: int = 5,
    sigma: float | None = None,
    rng: np.random.Generator | int | None = None,
    **calling: Unpack[Calling],
) -> OptimizeResult:
    """Minimise by RESOO.

    `n_embeddings` is P. The other parameters, the result and the errors are those of
    `embedded_hunter.minimize`. In the result `nit` and `nsweep` count over all trees; `depth` and
    `nleaves` are those of the last tree.
    """
    box = Box(bounds)
    P = integer("n_embeddings", n_embeddings, 1)
    settings = Settings(box.n, d, maxfun, eta=eta, K=K, sigma=sigma, policy="indexed")
    search = Search(hunt_resoo(settings, P), Indexed(settings, generator(rng), box.n))
    return solve(fun, EmbeddedHunter(settings, bounds=box, search=search), **calling)
