"""Random search: uniform on the cube, or over radii.

Radial random search evaluates points x = P_X(s z) with z ~ N(0, I_n). With fresh matrices each
evaluation of Algorithm 1 has such a point, with s = sigma ||y||, whatever the tree does (claim
``radial-collapse``). So this is the method without information with which Algorithm 1 must be
compared. `scale` is s, or the greatest s if s is drawn uniformly from [0, scale].
"""

from collections.abc import Sequence
from typing import Literal, Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.hunter import Evaluation, Hunt, Visit, record
from embedded_hunter.matrices import Floats, generator, normals
from embedded_hunter.node import Node, root
from embedded_hunter.projection import clip
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.minimize import Calling, solve
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import Search
from embedded_hunter.settings import GREATEST, LEAST, Settings, real
from embedded_hunter.tree import Tree

BATCH = 128
"""Number of evaluations of a visit. No point and no result depends on it."""


def hunt_nothing(v: int) -> Hunt:
    """Ask for v evaluations of one base point, `BATCH` at a time, without any decision."""
    tree, node, best = Tree(), root(1), float("inf")
    tree.add(node)
    for first in range(0, v, BATCH):
        count = min(BATCH, v - first)
        asked = [Evaluation(node, first + k + 1) for k in range(count)]
        visit = Visit(tree, 0, 0, 0, evaluations=asked)
        best = record(visit, (yield visit), best)
    return best


class Uniform:
    """Points that are uniform on [-1, 1]^rows."""

    def __init__(self, rng: np.random.Generator, rows: int) -> None:
        self._rng, self._rows = rng, rows

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return one random point for each evaluation, shape (len(evaluations), rows)."""
        return self._rng.uniform(-1.0, 1.0, (len(evaluations), self._rows))


class Radial:
    """Points P_X(s z), with s fixed or uniform on [0, scale]."""

    def __init__(
        self, rng: np.random.Generator, rows: int, scale: float, radii: Literal["fixed", "uniform"]
    ) -> None:
        self._rng, self._rows, self._scale, self._radii = rng, rows, scale, radii

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return one random point for each evaluation, shape (len(evaluations), rows)."""
        points = np.empty((len(evaluations), self._rows))
        for x in points:
            s = self._scale
            if self._radii == "uniform":
                s = self._rng.uniform(0.0, s)
            normals(self._rng, x)
            x *= s
        return clip(points)


def random_search(
    fun: Objective,
    bounds: BoundsLike,
    *,
    maxfun: int,
    scale: float | None = None,
    radii: Literal["fixed", "uniform"] = "fixed",
    rng: np.random.Generator | int | None = None,
    **calling: Unpack[Calling],
) -> OptimizeResult:
    """Minimise by random search: uniform on the box, or over radii if `scale` is given.

    The other parameters, the result and the errors are those of `embedded_hunter.minimize`. There
    is no tree, so `nit`, `nsweep` and `depth` are 0.

    Parameters
    ----------
    scale
        The scale s > 0 of x = P_X(s z), in units of half the width of the box; None: the points are
        uniform on the box.
    radii
        ``"fixed"``: s is always `scale`. ``"uniform"``: s is drawn from [0, scale] for each point.
    """
    box = Box(bounds)
    settings = Settings(box.n, 1, maxfun)
    rng = generator(rng)
    if radii not in ("fixed", "uniform"):
        raise ValueError(f"radii must be one of 'fixed', 'uniform', got {radii!r}")
    if scale is None and radii == "uniform":
        raise ValueError("radii='uniform' requires a scale > 0, got scale=None")
    if scale is not None:
        allowed = "None or a finite number > 0"
        scale = float(real("scale", scale, allowed, lambda x: LEAST <= x <= GREATEST))
    points = Uniform(rng, box.n) if scale is None else Radial(rng, box.n, scale, radii)
    search = Search(hunt_nothing(settings.v), points)
    return solve(fun, EmbeddedHunter(settings, bounds=box, search=search), **calling)
