"""Random search: uniform on the cube, and over radii.

Radial random search draws x = P_X(s z), z ~ N(0, I_n). With fresh matrices an evaluation of
Algorithm 1 is such a point, s = sigma ||y||, whatever the tree does (claim ``radial-collapse``): so
this is the information-free method that it must be compared with. `scale` is s, or the greatest of
the scales if they are drawn uniformly from [0, scale].
"""

from collections.abc import Sequence
from typing import Literal, Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.hunter import Evaluation, Hunt, Visit, record
from embedded_hunter.node import Node, root
from embedded_hunter.projection import Floats, clip, generator
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.evaluators import Objective
from embedded_hunter.run.minimize import Calling, solve
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree

BATCH = 128
"""Evaluations asked for at a time; no point and no result depends on it."""


def hunt_nothing(v: int) -> Hunt:
    """Ask for v evaluations of one base point, portion by portion: there is nothing to decide."""
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
        """Return as many points, shape (len(evaluations), rows)."""
        return self._rng.uniform(-1.0, 1.0, (len(evaluations), self._rows))


class Radial:
    """Points P_X(s z), with s fixed or uniform on [0, scale]."""

    def __init__(
        self, rng: np.random.Generator, rows: int, scale: float, radii: Literal["fixed", "uniform"]
    ) -> None:
        self._rng, self._rows, self._scale, self._radii = rng, rows, scale, radii

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return as many points, shape (len(evaluations), rows)."""
        points = np.empty((len(evaluations), self._rows))
        for x in points:
            s = self._scale
            if self._radii == "uniform":
                s = self._rng.uniform(0.0, s)
            self._rng.standard_normal(out=x)
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

    The other parameters, and the result, as for `embedded_hunter.minimize`; there is no tree, so
    `nit`, `nsweep` and `depth` are 0.

    Parameters
    ----------
    scale
        The scale s > 0 of x = P_X(s z), the standard deviation of its coordinates before they are
        clipped, in units of half the box. Uniform on the box if None.
    radii
        ``"fixed"``: always `scale`; ``"uniform"``: drawn from [0, scale] for each point.
    """
    box = Box(bounds)
    settings = Settings(box.n, 1, maxfun)
    rng = generator(rng)
    if radii not in ("fixed", "uniform"):
        raise ValueError(f"radii must be one of 'fixed', 'uniform', got {radii!r}")
    if scale is None and radii == "uniform":
        raise ValueError("radii='uniform' needs a scale, the greatest radius")
    if scale is not None and not 0 < scale < np.inf:
        raise ValueError(f"scale must be None or a finite number > 0, got {scale!r}")
    points = Uniform(rng, box.n) if scale is None else Radial(rng, box.n, scale, radii)
    hunter = EmbeddedHunter(settings, run=hunt_nothing(settings.v), projection=points)
    return solve(fun, hunter, box, **calling)
