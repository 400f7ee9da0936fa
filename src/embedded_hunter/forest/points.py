"""From requests to points of X for the policy ``forest``: see `search` and `refinement`.

A node of tree q < P stands for x = P_X(A_{q+1} y); A_1 is I / R if the only tree is that of the
cube X. A point of a local search stands for

    x = P_X(x_0 + A w),

where x_0 is the point of X of the center of the search, A the matrix of the center's tree, and w is
R times a point of `local_search`. The strategy and the uniform sample make points of X themselves.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.forest.requests import Ask, LocalPoint, Request, TreePoint
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import MEMORY, Floats, Key, MakeFamily, Matrices, key_from
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import clip


class ForestPoints:
    """Policy ``forest``: a point is a function of its request, and of the run's key.

    The matrices are those of `family`. The points depend neither on which matrices are kept nor
    on how the evaluations are grouped into calls.
    """

    def __init__(
        self,
        settings: ForestSettings,
        rng: np.random.Generator | Key,
        rows: int,
        memory: int = MEMORY,
        family: MakeFamily = Matrices,
    ) -> None:
        self._settings, self.key, self._rows = settings, key_from(rng), rows
        self._matrices = family(self.key, rows, memory)

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d)."""
        return self.product(p, np.eye(self._settings.trees[p - 1].d)).T

    def product(self, p: int, ways: npt.ArrayLike) -> Floats:
        """Return A_p w for each row w of ways, shapes (S, d) of ways, (S, rows) of the result."""
        space = self._settings.trees[p - 1]
        scaled = space.sigma * np.asarray(ways)
        return scaled[:, : self._rows] if space.identity else self._matrices.product(p, scaled)

    def project(self, requests: Sequence[Request]) -> Floats:
        """Return the points of X for some requests, shape (len(requests), rows)."""
        x = np.empty((len(requests), self._rows))
        first = 0
        for source, group in groupby(requests, _source):
            of_source: list[Any] = list(group)
            rows = x[first : first + len(of_source)]
            if source is None:
                for row, request in zip(rows, of_source, strict=True):
                    row[:] = request.make()
            elif isinstance(source, Ask):
                ways = [request.w for request in of_source]
                center, tree = source.center
                products = self.product(tree + 1, [self._base_point(center, tree), *ways])
                np.add(clip(products[0]), products[1:], out=rows)
            else:
                ways = [self._base_point(*request) for request in of_source]
                rows[:] = self.product(source + 1, ways)
            first += len(of_source)
        return clip(x)

    def _base_point(self, node: Node, tree: int) -> tuple[float, ...]:
        return base_point(node, self._settings.trees[tree])


def _source(request: Request) -> int | Ask | None:
    """Return the tree or the generation of a request: equal for points that are made together."""
    if isinstance(request, TreePoint):
        return request.tree
    return request.ask if isinstance(request, LocalPoint) else None
