"""Whether the best point of a run lies at the edge of what the run searched.

The trees of the policies ``indexed`` and ``forest`` search the cube Y = [-R, R]^d. If the optimum
has no preimage in Y, a tree narrows in on the boundary of Y, and a local search leaves Y and may be
on its way still when the budget ends. Both show in the best evaluation:

- *A node of a tree*: its cell touches the boundary of Y in a coordinate in which it is at most
  1/`NARROW` as wide as Y. A cell that touches the boundary and is wider says little: with K = 3 two
  of three children touch it.
- *A point of a local search*: it lies outside Y, and the points of its generation are farther than
  `MOVING` R from their mean (root mean square; at the start of a local search it is 0.3 R).
  A local search that has converged outside Y has found its minimum there.

A point of the evolution strategy of the policy ``forest`` is not at the edge: it is in no cube Y.
Nor is one of a run whose only tree is that of the cube X itself.

With the policy ``fresh`` nothing is reported: the norm of a base point is all that matters there,
and every norm stands for points in all directions. A coordinate of x that is clipped to its bound
is no sign either: most coordinates do not matter, and an optimum may lie on the bounds.
"""

from collections.abc import Sequence

import numpy as np

from embedded_hunter.forest.refinement import EvolutionPoint, LocalPoint
from embedded_hunter.hunter import Evaluation
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point, splits
from embedded_hunter.run.policies import Parameters, is_forest, space_of
from embedded_hunter.settings import Space

NARROW = 50
MOVING = 0.1
"""With these values the criterion reports 37 of the 45 runs of the guide's table of problems that
are not covered, and 5 of 72 runs of the four functions of the paper (see the test)."""


def at_edge(settings: Parameters, asked: Sequence[Evaluation], k: int) -> bool:
    """Tell whether evaluation k of a visit lies at the edge, as the module says.

    Parameters
    ----------
    settings
        The settings of the run.
    asked
        The evaluations of the visit.
    k
        Position of the evaluation, from 0.
    """
    node = asked[k].node
    if settings.policy == "fresh":
        return False
    if isinstance(node, EvolutionPoint):
        return False
    if is_forest(settings) and settings.trees[0].identity:
        return False  # the cube is X
    if isinstance(node, LocalPoint):
        ways = [point.w for point, _ in asked if isinstance(point, LocalPoint)]
        return _is_leaving(node, np.array(ways), space_of(settings, node.center.node))
    return _narrows_in_on_the_boundary(node, settings.K)


def _narrows_in_on_the_boundary(node: Node, K: int) -> bool:
    for c_j, s_j in zip(node.c, splits(node.h, len(node.c)), strict=True):
        cells = K**s_j  # across Y
        if cells >= NARROW and abs(c_j) == cells // 2:
            return True
    return False


def _is_leaving(point: LocalPoint, ways: Floats, space: Space) -> bool:
    radius, center = space.side_as_float / 2, point.center
    y = np.array(base_point(center.node, space)) + point.w
    step = np.sqrt(((ways - ways.mean(axis=0)) ** 2).sum(axis=1).mean())
    return bool(np.abs(y).max() > radius and step > MOVING * radius)
