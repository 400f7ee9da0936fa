"""Requests of a forest for evaluations: one type for each of its kinds of points.

A point of a local search, of the evolution strategy or of the uniform sample belongs to no tree, so
it has no node and no number of a matrix.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node

MakePoint = Callable[[], Floats]
"""Computes a point of X, shape (rows,), in the cube, before the values are told."""
Mode = Literal["refine", "evolve", "sample"]


class TreePoint(NamedTuple):
    """The base point of a node of tree q = 0, ..., P - 1."""

    node: Node
    tree: int


class Ask(NamedTuple):
    """A generation of points that belong to no tree."""

    q: int
    """The number of the local search, q >= P; 0 for another member."""
    center: TreePoint
    """Where the local search began; the zero vector for another member."""
    mode: Mode
    """Whose generation it is: "refine" for a local search, "evolve" for the evolution strategy,
    "sample" for uniform points."""
    age: int
    """The evaluations that the search had made before."""


class LocalPoint(NamedTuple):
    """A point of a generation of a local search."""

    ask: Ask
    w: tuple[float, ...]
    """Its way from the center of the search, d coordinates, in units of Y."""


class FreePoint(NamedTuple):
    """A point of X itself, of the evolution strategy or of the uniform sample."""

    mode: Mode
    make: MakePoint


Request = TreePoint | LocalPoint | FreePoint
