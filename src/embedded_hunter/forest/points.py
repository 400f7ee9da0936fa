"""From nodes to points of X for the policy ``forest``: see `search` and `refinement`.

A node of tree q < P stands for x = P_X(A_{q+1} y), as with the policy ``indexed``. A point of a
local search stands for

    x = P_X(x_0 + A w),

where x_0 is the point of X of the center of the search, A the matrix of the center's tree, and w is
R times a point of `local_search`.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from embedded_hunter.forest.refinement import LocalPoint
from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import Floats, Indexed, clip


class ForestPoints(Indexed):
    """Policy ``forest``: a point is a function of its node, and of the run's key."""

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        if not any(isinstance(node, LocalPoint) for node, _ in evaluations):
            return super().project(evaluations)
        x = np.empty((len(evaluations), self._rows))
        first = 0
        for center, group in groupby(evaluations, _center):
            together = list(group)
            rows = x[first : first + len(together)]
            if center is None:
                rows[:] = super().project(together)
            else:
                ways = [node.w for node, _ in together if isinstance(node, LocalPoint)]
                y = base_point(center.node, self._settings)
                products = self.product(center.p, [y, *ways])
                np.add(clip(products[0]), products[1:], out=rows)
            first += len(together)
        return clip(x)


def _center(evaluation: Evaluation | tuple[Node, int]) -> Evaluation | None:
    """Return the center of the search that a point belongs to; None for a node of a tree."""
    node = evaluation[0]
    return node.center if isinstance(node, LocalPoint) else None
