"""The events of a visit of the policy ``forest``."""

from collections.abc import Iterator

from embedded_hunter.forest.requests import LocalPoint, Request, TreePoint
from embedded_hunter.forest.settings import DIMENSIONS, ForestSettings
from embedded_hunter.forest.trees import ForestVisit
from embedded_hunter.node import Node
from embedded_hunter.run.events import (
    Class,
    Evaluate,
    Event,
    Fate,
    Generation,
    Iteration,
    Sweep,
    events_of_a_depth,
)


def narrate(settings: ForestSettings, visit: ForestVisit) -> Iterator[Event]:
    """Yield the events of a visit; see `Policy.narrate`."""
    if visit.parts:
        for part in visit.parts:
            yield from narrate(settings, part)
        return
    if visit.local is not None:
        q, (center, _), mode, age = visit.local
        is_sample = mode == "evolve" and settings.n > DIMENSIONS[-1]  # its metric is diagonal
        yield Generation(q, center, mode, age, is_sample)
        yield Iteration(visit.t, visit.l, ())
    if visit.local is not None or visit.t == 0:
        yield from map(_evaluation, visit.evaluations)
        return
    tree, l, d = visit.tree, visit.l, visit.d
    if l == 0:
        yield Sweep(visit.sweep, min(tree.depth, settings.h_max), d)
    classes = [Class(lists, tree.queue_of(lists[0][0])) for lists in tree.classes(l, d)]
    yield from events_of_a_depth(visit, classes, _fate, _evaluation)


def _fate(child: Node) -> Fate:
    is_center = child.evaluations > 0
    return Fate(not is_center, "it has the value of its parent" if is_center else "")


def _evaluation(request: Request, why: str = "") -> Evaluate:
    """Return the event of a request; p is the number of the matrix, or that of the search."""
    if isinstance(request, TreePoint):
        node, tree = request
        return Evaluate(request, node, node.h, node.i, node.c, tree + 1, why)
    q = request.ask.q if isinstance(request, LocalPoint) else 0
    return Evaluate(request, None, 0, q, (), q + 1)
