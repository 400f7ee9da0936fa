"""RESOO: SOO in P random embeddings, one after another (Qian and Yu, 2016).

There are P trees over the same Y = [-d/eta, d/eta]^d. Tree p is evaluated in the embedding of its
own fixed matrix A_p. It has v/P evaluations (supplement A.2), and its h_max is the square root of
that number (Table 1). The paper writes M for P and for the factor of EmbeddedHunter's cap; here M
is only that factor.
"""

from embedded_hunter.hunter import Hunt
from embedded_hunter.settings import Settings
from reproduction.baselines.soo import consecutive, hunt_soo


def shares(v: int, P: int) -> list[int]:
    """Divide v evaluations among P trees as evenly as possible, and return the numbers.

    If there are more trees than evaluations, only v trees are returned, with one evaluation each.
    """
    return [v // P + (k < v % P) for k in range(min(v, P))]


def hunt_resoo(settings: Settings, P: int) -> Hunt:
    """Run RESOO: the evaluations of tree p carry the number p of their matrix A_p."""
    trees = [Settings(settings.n, settings.d, v, K=settings.K) for v in shares(settings.v, P)]
    return consecutive([hunt_soo(tree, p) for p, tree in enumerate(trees, 1)])
