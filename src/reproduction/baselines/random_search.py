"""Radial random search: points over radii, without any decision.

It evaluates points x = P_X(s z) with z ~ N(0, I_n). With fresh matrices each evaluation of
Algorithm 1 has such a point, with s = sigma ||y||, whatever the tree does (claim
``radial-collapse``). So this is the method without information with which Algorithm 1 must be
compared.
"""

from typing import Literal

import numpy as np

from embedded_hunter.matrices import Floats, normals
from embedded_hunter.projection import clip


def radial_points(
    rng: np.random.Generator,
    count: int,
    rows: int,
    scale: float,
    radii: Literal["fixed", "uniform"],
) -> Floats:
    """Draw points P_X(s z), shape (count, rows), with s = scale or uniform on [0, scale].

    The same points come out however they are divided into calls.
    """
    points = np.empty((count, rows))
    for x in points:
        s = rng.uniform(0.0, scale) if radii == "uniform" else scale
        normals(rng, x)
        x *= s
    return clip(points)
