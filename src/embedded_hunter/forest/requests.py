"""Requests of a forest for evaluations: one type for each of its three kinds of points.

A point of a local search and a point of the evolution strategy belong to no tree, so they have no
node and no number of a matrix.
"""

from typing import Literal, NamedTuple

from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node

Mode = Literal["intensify", "diversify", "evolve"]


class TreePoint(NamedTuple):
    """The base point of a node of tree q = 0, ..., P - 1."""

    node: Node
    tree: int


class LocalAsk(NamedTuple):
    """One generation of local search q >= P, or of the evolution strategy, q = 0."""

    q: int
    center: TreePoint
    """Where the local search began. The evolution strategy begins at the zero vector."""
    mode: Mode
    """The mode that the generation belongs to; "evolve" for the evolution strategy."""
    age: int
    """The evaluations that the search had made before."""


class LocalPoint(NamedTuple):
    """A point of a generation of a local search."""

    ask: LocalAsk
    w: tuple[float, ...]
    """Its way from the center of the search, d coordinates, in units of Y."""


class EvolutionPoint(NamedTuple):
    """A point of the evolution strategy."""

    x: Floats
    """The point of X, in the coordinates of the run."""


Request = TreePoint | LocalPoint | EvolutionPoint
