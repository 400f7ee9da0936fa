"""The policy ``forest``, as runs, traces, pictures and commands see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.requests import FreePoint, LocalPoint, Request, TreePoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings, TreeSpace
from embedded_hunter.forest.trees import ForestVisit
from embedded_hunter.matrices import Key
from embedded_hunter.node import base_point
from embedded_hunter.run.policy import AnyHunt, Origin, Policy, narrows_in_on_the_boundary

if TYPE_CHECKING:
    from embedded_hunter.run.events import Event

FIRST_STEP_FROM_X0 = 0.01
"""`first_step` if x0 is given: of 0.1, 0.03, 0.01 and 0.003 the one with which a run from x0 was
hardly ever much worse than one from the middle, near the optimum (0.002 of half the range in each
variable) and far from it (0.2)."""

MOVING = 0.1
"""A local search moves if the points of its generation are farther from their mean than this many R
(root mean square); at its start it is 0.3 R. With this value, and `policy.NARROW`, the criterion
reports 37 of the 45 runs of the guide's table of problems that are not covered, and 5 of 72 runs of
the four functions of the paper (see the test)."""


class ForestPolicy(Policy[ForestSettings]):
    """One search over the trees of several embeddings; see `search`."""

    name = "forest"
    says = "Policy: forest, which extends the paper."
    settings = ForestSettings
    reaches_farther = "scale"
    defaults_from_x0 = {"first_step": FIRST_STEP_FROM_X0}

    def make(self, n: int, d: int | None, v: int, **given: Any) -> ForestSettings:
        if d is not None:
            if given.get("dimensions") is not None:
                raise ValueError("give either d or dimensions, not both")
            given["dimensions"] = (d,)
        return ForestSettings(n, v, **given)

    def from_json(self, written: Mapping[str, object]) -> ForestSettings:
        return ForestSettings.from_json(written)

    def run(self, settings: ForestSettings, key: Key, rows: int) -> AnyHunt:
        return hunt_forest(settings, key, rows=rows)

    def points(self, settings: ForestSettings, key: Key, rows: int, memory: int) -> ForestPoints:
        return ForestPoints(settings, key, rows, memory)

    def trees(self, settings: ForestSettings) -> tuple[TreeSpace, ...]:
        return settings.trees

    def narrate(self, settings: ForestSettings, visit: ForestVisit) -> Iterator[Event]:
        from embedded_hunter.run.forest_events import narrate

        return narrate(settings, visit)

    def origin(self, settings: ForestSettings, request: Request) -> Origin:
        """Say where a request is made. Trees and local searches are counted from 1."""
        if isinstance(request, FreePoint):
            if request.mode == "sample":
                return Origin("uniform points", -1, "uniform points", "a uniform point")
            return Origin("evolution strategy", 0, "evolution strategy", "the evolution strategy")
        if isinstance(request, TreePoint):
            node, tree = request
            name = f"tree {tree + 1}"
            phrase = f"{name}, depth {node.h}" if node.h else "the zero vector"
            return Origin("tree", tree + 1, name, phrase)
        ask = request.ask
        number, (center, tree) = ask.q - len(settings.trees) + 1, ask.center
        begun = "the zero vector" if center.h == 0 else f"node ({center.h}, {center.i})"
        of = f" of tree {tree + 1}" if center.h else ""
        phrase = f"local search {number}, begun at {begun}{of}"
        return Origin("local search", ask.q + 1, f"local search {number}", phrase)

    def at_edge(self, settings: ForestSettings, asked: Sequence[Request], k: int) -> bool:
        """Tell whether the best evaluation lies at the edge of the cubes Y.

        A point of the strategy, or a uniform one, does not: it is in no cube Y. Nor does one of a
        run whose only tree is that of the cube X itself. A local search leaves Y if the optimum has
        no preimage there, and may be on its way still when the budget ends. One that has converged
        outside Y has found its minimum there.
        """
        request = asked[k]
        if isinstance(request, FreePoint) or settings.trees[0].identity:
            return False
        if isinstance(request, TreePoint):
            return narrows_in_on_the_boundary(request.node, settings.K)
        center, tree = request.ask.center
        space = settings.trees[tree]
        own = [point for point in asked if isinstance(point, LocalPoint)]
        ways = np.array([point.w for point in own if point.ask == request.ask])
        radius, y = space.side_as_float / 2, np.array(base_point(center, space)) + request.w
        step = np.sqrt(((ways - ways.mean(axis=0)) ** 2).sum(axis=1).mean())
        return bool(np.abs(y).max() > radius and step > MOVING * radius)
