"""Runs of Algorithm 1 on an objective of y, for counterexamples that need nothing else."""

from collections.abc import Callable
from typing import NamedTuple

from embedded_hunter.hunter import Visit, hunt
from embedded_hunter.node import Node, base_point
from embedded_hunter.settings import Settings
from paper.instances import visits_of

Objective = Callable[[tuple[float, ...]], float]


class Step(NamedTuple):
    """A visit of a depth: the nodes expanded and evaluated, as (h, i), and the values."""

    sweep: int
    t: int
    l: int
    expanded: list[tuple[int, int]]
    evaluated: list[tuple[int, int]]
    values: list[float]


def steps(settings: Settings, g: Objective) -> list[Step]:
    """Run to the end, every evaluation at base point y giving g(y)."""

    def values_of(visit: Visit) -> list[float]:
        return [g(base_point(node, settings)) for node, _ in visit.evaluations]

    return [
        Step(
            visit.sweep,
            visit.t,
            visit.l,
            [name(leaf) for leaf, _ in visit.expansions],
            [name(node) for node, _ in visit.evaluations],
            values,
        )
        for visit, values in visits_of(hunt(settings), values_of)
    ]


def name(node: Node) -> tuple[int, int]:
    return node.h, node.i
