"""Rule F7 ask by ask, for longer than small runs can: many local searches, of all ages."""

import math
import weakref
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from differential.brute_force_forest import LocalSearches
from embedded_hunter.forest import refinement
from embedded_hunter.forest.local_search import LocalSearch
from embedded_hunter.forest.refinement import Refinement
from embedded_hunter.forest.requests import Ask, LocalPoint, TreePoint
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.trees import Forest, Trees
from embedded_hunter.matrices import stream
from embedded_hunter.node import Node

KEY = list(range(8))


class Course(NamedTuple):
    """What the local searches of a run meet."""

    d: Sequence[int]
    """Of the trees."""
    starts: Sequence[Sequence[float]]
    """f* of the zero vector and of the trees' best points before each ask; in turns."""
    generations: Sequence[Sequence[float]]
    """Values of a generation; in turns."""


VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(allow_nan=False))


@st.composite
def courses(draw: st.DrawFn) -> Course:
    d = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    P = len(d)
    row = st.lists(VALUES, min_size=P + 1, max_size=P + 1)
    generation = st.lists(VALUES, min_size=8, max_size=8)
    return Course(
        d,
        draw(st.lists(row, min_size=1, max_size=3)),
        draw(st.lists(generation, min_size=1, max_size=12)),
    )


def node(value: float) -> Node:
    """Some node that was evaluated."""
    return Node(1, 0, (-1, 0), 1, value, evaluations=1)


def settings_of(d: Sequence[int]) -> ForestSettings:
    """Return settings of trees with these dimensions, in any order."""
    settings = ForestSettings(9, 9, dimensions=sorted(set(d)))
    spaces = {space.d: space for space in settings.trees}
    vars(settings)["trees"] = tuple(spaces[of_tree] for of_tree in d)
    return settings


def asks_of(course: Course, asks: int) -> list[Ask]:
    """Drive `Refinement` and the brute force side by side."""
    settings = settings_of(course.d)
    trees = Trees(settings, Forest())
    refinement, expected = Refinement(settings, KEY, trees), LocalSearches(course.d)
    made: list[Ask] = []
    while len(made) < asks:
        row = [node(value) for value in course.starts[len(made) % len(course.starts)]]
        zero, found = row[0], dict(enumerate(row[1:]))
        trees.zero, trees.found = TreePoint(zero, 0), found
        visit = refinement.ask()
        ask, evaluations = visit.local, visit.evaluations
        assert ask is not None
        starts = {p - 1: (start.f_star, start) for p, start in enumerate(row)}
        search = expected.next(starts)
        assert (ask.q, ask.mode, ask.age) == (search.q, "refine", search.age())
        assert ask.center.node is search.center
        assert [point.ask for point in evaluations if isinstance(point, LocalPoint)] == [ask] * 8
        values = list(course.generations[len(made) % len(course.generations)])
        refinement.tell(values)
        expected.told.append((search, values))
        expected.tell()
        made.append(ask)
    return made


@given(courses())
def test_every_ask_is_that_of_the_brute_force(course: Course) -> None:
    asks_of(course, 40)


@pytest.mark.parametrize("P", [1, 3])
def test_a_long_run_is_that_of_the_brute_force(P: int) -> None:
    """Values in a fixed disorder that fall: searches of all ages."""
    starts = [[1.0 + 7 * p % 5 for p in range(P + 1)]]
    generations = [[(37 * (8 * k + j)) % 101 - 20 * (k % 19) for j in range(8)] for k in range(23)]
    asks = asks_of(Course([1] * P, starts, generations), 300)
    assert len({ask.q for ask in asks}) > P + 2
    assert max(ask.age for ask in asks) > 40


def refinement_of(
    count: int, zero: float, found: Sequence[float]
) -> tuple[ForestSettings, Refinement, Trees]:
    """Return the local searches of some trees whose best points have these values."""
    settings = ForestSettings(9, 9, dimensions=[2], n_embeddings=count)
    trees = Trees(settings, Forest())
    trees.zero, trees.found = TreePoint(node(zero), 0), dict(enumerate(map(node, found)))
    return settings, Refinement(settings, KEY, trees), trees


def test_points_of_a_local_search() -> None:
    """They are from the stream (0, q), and go from the center in the space of its tree."""
    settings, search, trees = refinement_of(2, 9.0, [3.0, 2.0])
    visit = search.ask()
    assert visit.local is not None
    assert visit.local.center == (trees.found[1], 1)
    normals = np.rint(2**18 * stream(KEY, 0, 2).standard_normal((8, 2))) / 2**18
    R = float(settings.trees[0].radius)
    for point, u in zip(visit.evaluations, normals, strict=True):
        assert isinstance(point, LocalPoint)
        assert point.ask is visit.local
        np.testing.assert_allclose(point.w, R * 0.3 / math.sqrt(2) * u, rtol=1e-14)


@pytest.mark.parametrize(("h", "step"), [(0, 0.3), (2, 0.3), (3, 0.3), (5, 1 / 9), (17, 3.0**-8)])
def test_in_the_cube_itself_the_first_step_is_that_of_the_cell(h: int, step: float) -> None:
    """Its side over R, after h div 2 splits of each of two coordinates, but at most 0.3."""
    settings = ForestSettings(2, 9)
    trees = Trees(settings, Forest())
    trees.zero, trees.found = TreePoint(node(9.0), 0), {0: Node(h, 0, (-1, 0), 1, 3.0)}
    (first, *_) = Refinement(settings, KEY, trees).ask().evaluations
    assert isinstance(first, LocalPoint)
    u = np.rint(2**18 * stream(KEY, 0, 1).standard_normal(2)) / 2**18
    R = float(settings.trees[0].radius)
    np.testing.assert_allclose(first.w, R * step / math.sqrt(2) * u, rtol=1e-14)


def test_in_a_batch_two_local_searches_take_turns() -> None:
    """The second one does not wait for the values of the first; they are told in order."""
    _, search, _ = refinement_of(2, 9.0, [3.0, 2.0])
    first, second = search.ask(), search.ask()
    for k in range(1, 20):
        assert first.local is not None
        assert second.local is not None
        assert (first.local.q, second.local.q) == ((2, 3) if k == 1 else (3, 2))
        assert first.local.age == second.local.age == 8 * (k - 1)
        assert search.most == 0
        for visit in (first, second):
            search.tell([-float(k)] * len(visit.evaluations))
        assert search.most == 8
        first, second = search.ask(), search.ask()


def test_a_local_search_that_is_not_live_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: weakref.WeakSet[LocalSearch] = weakref.WeakSet()
    count = 0

    def begin(value: float, d: int, rng: np.random.Generator, step: float) -> LocalSearch:
        nonlocal count
        search = LocalSearch(value, d, rng, step)
        begun.add(search)
        count += 1
        return search

    monkeypatch.setattr(refinement, "LocalSearch", begin)
    _, searches, _ = refinement_of(2, 0.0, [1.0, 2.0])
    for _ in range(200):
        searches.ask()
        searches.tell([1e9] * 8)
        assert len(begun) == 1
    assert count > 10
