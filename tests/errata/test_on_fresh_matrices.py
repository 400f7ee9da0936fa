"""Attacks on what is said of new matrices for every evaluation: radii alone matter."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.projection import Fresh
from embedded_hunter.settings import Settings
from errata.search import Draw, attack

Array = npt.NDArray[np.float64]


class OneHot:
    """In place of a random generator: all draws are 0, but for one, which is 1."""

    def __init__(self, place: int) -> None:
        self.place, self.at = place, 0

    def standard_normal(self, out: Array) -> Array:
        out[:] = 0.0
        if self.at <= self.place < self.at + out.size:
            out[self.place - self.at] = 1.0
        self.at += out.size
        return out


def drawn_node(draw: Draw, name: str, settings: Settings, most: int = 4) -> Node:
    """Draw a node of depth 1 to `most`."""
    node = root(settings.d)
    for level in range(draw.integer(f"depth of {name}", 1, most)):
        digit = draw.integer(f"digit {level} of {name}", 0, settings.K - 1)
        node = children(node, settings.K)[digit]
    return node


def linear_map(settings: Settings, rows: int, nodes: list[Node], draws: int) -> Array:
    """Return the matrix that takes the Gaussian draws to the points, shape (len(nodes) rows,
    draws).

    The points are linear in the draws where nothing is clipped, so their law is that of L z.
    """
    evaluations = [(node, 1) for node in nodes]
    columns = []
    for k in range(draws):
        fresh = Fresh(settings, np.random.default_rng(0), rows)
        fresh.rng = OneHot(k)  # type: ignore[assignment]  # has what a sampler calls
        columns.append(fresh.project(evaluations).ravel())
    return np.array(columns).T


def drawn_fresh(draw: Draw) -> tuple[Settings, int, list[Node], int]:
    """Draw settings that clip nothing, the computed rows, nodes, and the number of draws."""
    d, rows = draw.integer("d", 1, 3), draw.integer("rows", 1, 3)
    sampler: Any = draw.choice("sampler", ["norm", "matrix"])
    settings = Settings(d + rows, d, 9, eta=0.5, K=draw.choice("K", [3, 5]), sigma=1e-4,
                        sampler=sampler)  # fmt: skip
    nodes = [drawn_node(draw, name, settings) for name in ("a", "b")]
    return settings, rows, nodes, 2 * rows * (1 if sampler == "norm" else d)


@attack("radial-collapse", "samplers-agree", "effective-coordinates")
def test_the_law_of_an_observation_depends_on_the_norm_alone(draw: Draw) -> bool:
    """With a new matrix for each evaluation, and with either sampler, the points of two
    evaluations are L z with L L' = sigma^2 diag(||y||^2 I, ||y'||^2 I): independent, and of a
    law that depends on the norm alone, whatever the number of computed rows."""
    settings, rows, nodes, draws = drawn_fresh(draw)
    L = linear_map(settings, rows, nodes, draws)
    squares = [math.dist(base_point(node, settings), [0] * settings.d) ** 2 for node in nodes]
    wanted = settings.sigma**2 * np.diag(np.repeat(squares, rows))
    return bool(np.allclose(L @ L.T, wanted, rtol=1e-9, atol=1e-9 * settings.sigma**2))
