"""Runs of Algorithm 1 on an objective of y, for counterexamples that need nothing else."""

from collections.abc import Callable
from typing import NamedTuple

from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.node import Node, base_point
from embedded_hunter.settings import Settings

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
    run: Hunt = hunt(settings)
    visit = next(run)
    found = []
    while True:
        values = [g(base_point(node, settings)) for node, _ in visit.evaluations]
        found.append(
            Step(
                visit.sweep,
                visit.t,
                visit.l,
                [name(leaf) for leaf, _ in visit.expansions],
                [name(node) for node, _ in visit.evaluations],
                values,
            )
        )
        try:
            visit = run.send(values)
        except StopIteration:
            return found


def name(node: Node) -> tuple[int, int]:
    return node.h, node.i
