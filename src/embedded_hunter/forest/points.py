"""From nodes to points of X for the policy ``forest``: see `search` and `refinement`.

A node of tree q < P stands for x = P_X(A_{q+1} y); A_1 is I / R if the only tree is that of the
cube X. A point of a local search stands for

    x = P_X(x_0 + A w),

where x_0 is the point of X of the center of the search, A the matrix of the center's tree, and w is
R times a point of `local_search`. The evolution strategy makes points of X itself.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from embedded_hunter.forest.refinement import EvolutionPoint, LocalPoint
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation
from embedded_hunter.matrices import MEMORY, Floats, Key, Matrices, key_from
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import clip


class ForestPoints:
    """Policy ``forest``: a point is a function of its node, and of the run's key.

    The matrices are those of `Matrices`. The points depend neither on which matrices are kept nor
    on how the evaluations are grouped into calls.

    Attributes
    ----------
    key
        The key of the run's streams.
    """

    def __init__(
        self,
        settings: ForestSettings,
        rng: np.random.Generator | Key,
        rows: int,
        memory: int = MEMORY,
    ) -> None:
        self._settings, self.key, self._rows = settings, key_from(rng), rows
        self._matrices = Matrices(self.key, rows, memory)

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d)."""
        return self.product(p, np.eye(self._settings.trees[p - 1].d)).T

    def product(self, p: int, ways: npt.ArrayLike) -> Floats:
        """Return A_p w for each row w of ways, shapes (S, d) of ways, (S, rows) of the result."""
        space = self._settings.trees[p - 1]
        scaled = space.sigma * np.asarray(ways)
        return scaled[:, : self._rows] if space.identity else self._matrices.product(p, scaled)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        first = 0
        for (p, center), group in groupby(evaluations, _source):
            nodes = [node for node, _ in group]
            rows = x[first : first + len(nodes)]
            if isinstance(nodes[0], EvolutionPoint):
                rows[:] = [node.x for node in nodes if isinstance(node, EvolutionPoint)]
            elif center is not None:
                ways = [node.w for node in nodes if isinstance(node, LocalPoint)]
                products = self.product(center.p, [self._base_point(*center), *ways])
                np.add(clip(products[0]), products[1:], out=rows)
            else:
                rows[:] = self.product(p, [self._base_point(node, p) for node in nodes])
            first += len(nodes)
        return clip(x)

    def _base_point(self, node: Node, p: int) -> tuple[float, ...]:
        return base_point(node, self._settings.trees[p - 1])


def _source(evaluation: tuple[Node, int]) -> tuple[int, Evaluation | None]:
    """Return p and, of a point of a local search, the center: equal for points made together.

    The points of the evolution strategy are made together with no others: they fill a visit.
    """
    node, p = evaluation
    return p, node.center if isinstance(node, LocalPoint) else None
