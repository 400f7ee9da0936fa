"""SRESOO: SOO in P sequential random embeddings (Qian, Hu and Yu, 2016).

Round p searches [-1, 1]^(d+1) for (y, alpha) that minimise f(P_X(A_p y + alpha x)). Here x is the
best point of the previous round (the zero vector in round 1). Each round is an SOO run
with v/P evaluations and h_max the square root of that (supplement A.2, Table 1).
"""

import math
from collections.abc import Sequence

import numpy as np

from embedded_hunter.hunter import Hunt
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import Indexed, clip
from embedded_hunter.settings import Settings
from reproduction.baselines.resoo import shares
from reproduction.baselines.soo import consecutive, hunt_soo


class Sequential:
    """Points P_X(A_p y + alpha x) of base points (y, alpha); x changes after each round."""

    def __init__(self, settings: Settings, matrices: Indexed, rows: int) -> None:
        self._settings, self._matrices = settings, matrices
        self._radius = float(settings.radius)
        self._x = np.zeros(rows)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X, shape (len(evaluations), rows)."""
        return np.array([self.point(node, p) for node, p in evaluations])

    def point(self, node: Node, p: int) -> Floats:
        """Return the point of one base point in round p."""
        *y, alpha = np.array(base_point(node, self._settings)) / self._radius
        return clip(alpha * self._x + self._matrices.product(p, [y])[0])

    def move(self, node: Node, p: int) -> None:
        """End round p: set x to the point that `node` has in this round."""
        self._x = self.point(node, p)


def hunt_sresoo(settings: Settings, P: int, sequential: Sequential) -> Hunt:
    """Run SRESOO; `settings.d` is d + 1, the dimension of the searched cube."""
    trees = [Settings(settings.n, settings.d, v, K=settings.K) for v in shares(settings.v, P)]
    return consecutive(
        [_round(hunt_soo(tree, p), sequential, p) for p, tree in enumerate(trees, 1)]
    )


def _round(run: Hunt, sequential: Sequential, p: int) -> Hunt:
    """Make a run. At its end, move x to the point with the least value of the run."""
    visit = next(run)
    best, where = math.inf, visit.evaluations[0].node
    while True:
        values = yield visit
        for (node, _), value in zip(visit.evaluations, values, strict=True):
            if value < best:
                best, where = value, node
        try:
            visit = run.send(values)
        except StopIteration as end:
            sequential.move(where, p)
            return float(end.value)


def sresoo_parts(
    settings: Settings, P: int, rng: np.random.Generator, rows: int
) -> tuple[Hunt, Sequential]:
    """Return the generator of an SRESOO run and the projection that computes its points.

    `settings.d` is the dimension of y. `rows` is the number of coordinates of x that are computed.
    """
    searched = Settings(settings.n + 1, settings.d + 1, settings.v, K=settings.K)
    sequential = Sequential(searched, Indexed(settings, rng, rows), rows)
    return hunt_sresoo(searched, P, sequential), sequential
