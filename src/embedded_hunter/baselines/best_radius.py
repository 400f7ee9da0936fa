"""Random search by the best rule over radii, a yardstick that knows the laws of the values.

With fresh matrices a rule chooses radii, and its past matters through the number of evaluations
left and the best value so far only. `choose` is such a rule, for example the one that
`embedded_hunter.regret.optimal_rule` computes. It requires the law of the values at each radius,
which a user of a black box does not have. So this is not a method for an unknown function.
"""

from collections.abc import Callable, Sequence

import numpy as np

from embedded_hunter.hunter import Evaluation, Hunt, Visit, record
from embedded_hunter.node import Node, root
from embedded_hunter.projection import Floats, clip, normals
from embedded_hunter.tree import Tree


class Chosen:
    """Points P_X(s z), z ~ N(0, I), with the scale s that was chosen last."""

    def __init__(self, rng: np.random.Generator, rows: int) -> None:
        self._rng, self._rows = rng, rows
        self.scale = 0.0

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return one random point for each evaluation, shape (len(evaluations), rows)."""
        x = normals(self._rng, np.empty((len(evaluations), self._rows)))
        return clip(self.scale * x)


def hunt_radii(v: int, choose: Callable[[int, float], float], points: Chosen) -> Hunt:
    """Ask for v evaluations, one at a time, each at the scale that the rule chooses.

    Parameters
    ----------
    v
        Evaluation budget.
    choose
        Maps the number of evaluations left and the best value so far (+inf at first) to a scale.
    points
        The projection of the run; it receives the scales.
    """
    tree, node, best = Tree(), root(1), float("inf")
    tree.add(node)
    for p in range(1, v + 1):
        points.scale = choose(v - p + 1, best)
        visit = Visit(tree, 0, 0, 0, evaluations=[Evaluation(node, p)])
        best = record(visit, (yield visit), best)
    return best
