"""Rule F7 ask by ask, for longer than small runs can: many local searches, of all ages."""

import math
import weakref
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest import refinement
from embedded_hunter.forest.constants import Constants
from embedded_hunter.forest.local_search import LocalSearch
from embedded_hunter.forest.refinement import Refinement
from embedded_hunter.forest.requests import LocalAsk
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import stream
from embedded_hunter.node import Node
from spec.algorithm.brute_force_forest import LocalSearches

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


def asks_of(course: Course, asks: int) -> list[LocalAsk]:
    """Drive `Refinement` and the brute force side by side."""
    settings = settings_of(course.d)
    refinement, expected = Refinement(settings, KEY), LocalSearches(course.d)
    made: list[LocalAsk] = []
    while len(made) < asks:
        row = [node(value) for value in course.starts[len(made) % len(course.starts)]]
        zero, found = row[0], dict(enumerate(row[1:]))
        ask, evaluations = refinement.ask(zero, found)
        starts = {p - 1: (start.f_star, start) for p, start in enumerate(row)}
        q, center, mode, age = expected.next(starts)
        assert (ask.q, ask.mode, ask.age) == (q, mode, age)
        assert ask.center.node is center
        assert ask.q == q
        assert [point.ask for point in evaluations] == [ask] * 8
        values = list(course.generations[len(made) % len(course.generations)])
        refinement.tell(values)
        expected.made(values)
        made.append(ask)
        assert refinement.made == 8 * len(made)
    return made


@given(courses())
def test_every_ask_is_that_of_the_brute_force(course: Course) -> None:
    asks_of(course, 40)


@pytest.mark.parametrize("P", [1, 3])
def test_a_long_run_is_that_of_the_brute_force(P: int) -> None:
    """Values in a fixed disorder that fall: searches of all ages, some of them given up."""
    starts = [[1.0 + 7 * p % 5 for p in range(P + 1)]]
    generations = [[(37 * (8 * k + j)) % 101 - 20 * (k % 19) for j in range(8)] for k in range(23)]
    asks = asks_of(Course([1] * P, starts, generations), 300)
    assert len({ask.q for ask in asks}) > P + 2
    assert max(ask.age for ask in asks) > 40


def refinement_of(trees: int) -> tuple[ForestSettings, Refinement]:
    settings = ForestSettings(9, 9, dimensions=[2], n_embeddings=trees)
    return settings, Refinement(settings, KEY)


def test_points_of_a_local_search() -> None:
    """They are from the stream (0, q), and go from the center in the space of its tree."""
    settings, search = refinement_of(2)
    found = {0: node(3.0), 1: node(2.0)}
    ask, evaluations = search.ask(node(9.0), found)
    assert ask.center == (found[1], 1)
    assert len(evaluations) == 8
    normals = np.rint(2**18 * stream(KEY, 0, 2).standard_normal((8, 2))) / 2**18
    R = float(settings.trees[0].radius)
    for point, u in zip(evaluations, normals, strict=True):
        assert point.ask is ask
        np.testing.assert_allclose(point.w, R * 0.3 / math.sqrt(2) * u, rtol=1e-14)


def test_at_most_so_many_local_searches_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """P + 1; the others are forgotten."""
    begun: weakref.WeakSet[LocalSearch] = weakref.WeakSet()
    count = 0

    def begin(value: float, d: int, rng: np.random.Generator, of: Constants) -> LocalSearch:
        nonlocal count
        search = LocalSearch(value, d, rng, of)
        begun.add(search)
        count += 1
        return search

    monkeypatch.setattr(refinement, "LocalSearch", begin)
    _, searches = refinement_of(2)
    zero, found = node(0.0), {0: node(1.0), 1: node(2.0)}
    for _ in range(200):
        searches.ask(zero, found)
        searches.tell([1e9] * 8)
        assert len(begun) <= 3
    assert count > 10
