"""Random settings of the policy ``forest``, and functions of its requests."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import hypothesis.strategies as st

from differential.strategies import Point, exact_base_point, functions, settings
from embedded_hunter.forest.requests import LocalPoint, Request, TreePoint
from embedded_hunter.forest.settings import ForestSettings


class ForestInstance(NamedTuple):
    """Settings of the policy ``forest`` and a function of its requests."""

    settings: ForestSettings
    g: Callable[[Request], float]


def trees_alone(
    n: int, v: int, dimensions: Sequence[int], *, refine: bool = False, **options: Any
) -> ForestSettings:
    """Return settings of a forest without points of other members, but for local searches."""
    return ForestSettings(
        n, v, dimensions=dimensions, refine=refine, evolve=False, sample=False, **options
    )


@st.composite
def forest_instances(
    draw: st.DrawFn, max_P: int = 5, max_d: int = 4, max_v: int = 120
) -> ForestInstance:
    """Return settings of the policy ``forest``, with or without refinement, and an oracle."""
    s = draw(settings(max_d, max_v))
    forest = ForestSettings(
        s.n + 1,
        s.v,
        dimensions=draw(
            st.sets(st.integers(1, s.n), min_size=1, max_size=3).map(sorted) | st.just([s.n + 1])
        ),
        eta=s.eta,
        K=s.K,
        h_max=s.h_max,
        refine=draw(st.booleans()),
        evolve=draw(st.booleans()),
        sample=draw(st.booleans()),
    )
    if forest.n_embeddings > 1:
        forest = replace(forest, n_embeddings=draw(st.integers(1, max_P)))
    function = draw(functions())

    def g(request: Request) -> float:
        tree, p = 0, 1  # of a point of the evolution strategy
        if isinstance(request, TreePoint):
            tree, p = request.tree, request.tree + 1
        if isinstance(request, LocalPoint):
            tree, p = request.ask.center.tree, request.ask.q + 1
        return function(exact_point(request, forest), forest.trees[tree].radius, p)

    return ForestInstance(forest, g)


def exact_point(request: Request, settings: ForestSettings) -> Point:
    """Return where a request of a forest lies in Y, exactly.

    A point of a local search is its center plus its way from there. A point of the evolution
    strategy has no y: the result is empty.
    """
    if isinstance(request, TreePoint):
        return exact_base_point(request.node, settings.trees[request.tree])
    if isinstance(request, LocalPoint):
        start = exact_point(request.ask.center, settings)
        return tuple(a + Fraction(b) for a, b in zip(start, request.w, strict=True))
    return ()
