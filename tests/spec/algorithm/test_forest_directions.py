"""Specification of `directions`: when a tree looks at a model's minimiser, and where else it looks.

That the directions are those of the formula is in `test_planted`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from embedded_hunter.forest import directions as module
from embedded_hunter.forest.directions import SearchDirections, rounded
from embedded_hunter.forest.local_search import LocalSearch, LocalTree
from embedded_hunter.forest.model import QuadraticModel
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node
from embedded_hunter.projection import Floats
from spec.algorithm.instances import exact_base_point
from spec.algorithm.laws import descend
from spec.algorithm.test_forest_points import ROWS, used_matrix


def first_columns(settings: ForestSettings, values: Sequence[float]) -> list[Floats]:
    """The first columns of the D_q of a run; the values of refinement are given, then inf."""
    local_trees: list[LocalTree] = []
    projection = ForestPoints(settings, np.random.default_rng(1), ROWS, local_trees)
    hunt, left, columns = hunt_forest(settings, local_trees), iter(values), dict[int, Floats]()
    visit = next(hunt)
    while True:
        answers = []
        for node, p in visit.evaluations:
            projection.project([(node, p)])
            if p > settings.n_embeddings:
                columns[p] = (
                    used_matrix(projection.directions, settings.d)[:, 0] / local_trees[-1].radius
                )
            answers.append(0.0 if p <= settings.n_embeddings else next(left, math.inf))
        try:
            visit = hunt.send(answers)
        except StopIteration:
            return [*columns.values()]


@pytest.mark.parametrize(
    ("d", "known", "enough"),
    [(1, 0, False), (1, 1, True), (3, 1, True), (8, 3, False), (8, 4, True), (9, 4, True)],
)
def test_there_is_a_model_once_half_as_many_values_are_known_as_there_are_coordinates(
    d: int, known: int, enough: bool
) -> None:
    """Finite ones, near the center, at least one. Before: a unit vector that has waited."""
    settings = ForestSettings(ROWS, d, 60, n_embeddings=1)
    first, second, *_ = first_columns(settings, [1.0, 2.0, 3.0, 4.0][:known])
    assert first.tolist() == np.eye(d)[0].tolist()
    assert (second.tolist() != np.eye(d)[2 % d].tolist()) == enough
    if d == 1 and enough:
        # The value was at -1, that is at -5/3 of the second tree's step; u v = -1 at the minimiser.
        assert second[0] == 614 / 1024  # 3/5, rounded


@pytest.mark.parametrize("curvature", [0.0, 1.0])
def test_a_model_that_leads_nowhere_makes_no_column(
    curvature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without slope or curvature: the columns are unit vectors, two further in each tree."""

    def nowhere(*args: object) -> QuadraticModel:
        return QuadraticModel(np.zeros(5), curvature * np.eye(5))

    monkeypatch.setattr(module, "fit", nowhere)
    settings = ForestSettings(ROWS, 5, 60, n_embeddings=1)
    columns = first_columns(settings, [1.0] * 60)
    expected = [np.eye(5)[2 * k % 5].tolist() for k in range(len(columns))]
    assert [column.tolist() for column in columns] == expected
    assert len(columns) > 5


def test_values_of_any_size_are_values() -> None:
    """Differences that overflow are as if infinite; nothing warns."""
    settings = ForestSettings(ROWS, 2, 80, n_embeddings=1)
    for column in first_columns(settings, [1.7e308, -1.7e308, 1e308, -1e308] * 20):
        assert np.isfinite(column).all()
        assert np.linalg.norm(column) <= 1.0 + 2**-10  # a step is rounded


def some_directions(d: int = 3) -> tuple[SearchDirections, LocalTree]:
    """Those of a local search about the origin that knows the values 1, 2, ... of 40 points."""
    settings = ForestSettings(ROWS, d, 60)
    center = Node(0, 0, (0,) * d, 0, f_star=0.5)
    w = np.random.default_rng(1).normal(size=(40, d))
    made = [Node(1, i, (0,) * d, 0, f_star=1.0 + i) for i in range(40)]
    directions = SearchDirections(1, center, np.zeros(ROWS), settings)
    directions.take(zip(made, w, strict=True))
    return directions, LocalTree(9, center, 0.1, LocalSearch(center), intensify=True)


def has_model(directions: SearchDirections, local_tree: LocalTree) -> bool:
    directions.turn(local_tree)
    return directions.first is not None


def test_every_tree_of_intensify_has_a_model_and_every_third_of_diversify() -> None:
    """The third, sixth, ... of the local search, whatever the modes of the others were."""
    directions, local_tree = some_directions()
    other = local_tree._replace(intensify=False)
    assert [has_model(directions, local_tree) for _ in range(7)] == [True] * 7
    assert [has_model(directions, other) for _ in range(5)] == [False, True, False, False, True]
    assert has_model(directions, local_tree)
    assert [has_model(directions, other) for _ in range(3)] == [False, True, False]


def test_every_direction_has_its_turn() -> None:
    """Two at a time that have waited longest, one beside a model; the others come after them."""
    directions, local_tree = some_directions()
    for intensify, order in (
        (False, [0, 1, 2]),
        (False, [2, 0, 1]),
        (True, [None, 1, 2]),
        (True, [None, 2, 0]),
        (False, [0, 1, 2]),
        (True, [None, 2, 0]),
        (False, [0, 1, 2]),
    ):
        directions.turn(local_tree._replace(intensify=intensify))
        assert (directions.first is None) == (order[0] is not None)
        assert [directions.place(j) for j in range(3) if order[j] is not None] == [
            place for place in order if place is not None
        ]


def test_the_center_is_the_first_of_the_best() -> None:
    """Only one that is better than the center that was.

    The other points are where they were, as seen from there.
    """
    directions, _ = some_directions()
    before, w, points = directions.center, np.arange(3.0), directions.points.copy()
    assert directions.take([(Node(1, 0, (0, 0, 0), 0, f_star=0.5), w)]) is None
    assert directions.center is before
    better = [Node(1, i, (0, 0, 0), 0, f_star=value) for i, value in enumerate((0.4, 0.2, 0.2))]
    at = [w + i for i in range(3)]
    assert directions.take(zip(better, at, strict=True)) is better[1]
    assert directions.center is better[1]
    np.testing.assert_array_equal(directions.points[:40], points[:40] - (w + 1))
    np.testing.assert_array_equal(directions.points[40:44, 0], [-1.0, -1.0, 0.0, 1.0])
    assert directions.values[38:45].tolist() == [39.0, 40.0, 0.5, 0.4, 0.2, 0.2, math.inf]


@pytest.mark.parametrize("with_model", [False, True])
def test_the_way_of_a_node_is_its_base_point_in_the_directions_of_the_tree(
    with_model: bool,
) -> None:
    """D_q y by the matrix itself, in the fifth tree, where the columns are not in their order."""
    directions, local_tree = some_directions()
    for _ in range(5):
        directions.turn(local_tree._replace(intensify=with_model))
    assert (directions.first is not None) == with_model
    node = descend([0, 2, 1, 2, 1], 3)
    y = np.array([float(a) for a in exact_base_point(node, 3, 3, 3 / Fraction(3, 10))])
    expected = used_matrix(directions, 3) @ y
    np.testing.assert_allclose(directions.away(node), expected, rtol=1e-12)


@pytest.mark.parametrize("size", [1.0, 3e-7, 1e-300, 5e-324])
def test_a_step_is_rounded_to_ten_bits_of_its_greatest_entry(size: float) -> None:
    step = size * np.array([0.9, -0.3, 1e-4, 0.0])
    unit = 2.0 ** (math.frexp(step[0])[1] - 10)
    expected = [round(a / unit) * unit for a in step.tolist()] if unit else step
    assert rounded(step).tolist() == list(expected)
    assert rounded(step * (1 + 1e-12)).tolist() == list(expected)
    assert not rounded(np.zeros(3)).any()


def test_about_a_center_without_a_number_nothing_is_known() -> None:
    """+inf less +inf is no rise, and no warning either."""
    settings = ForestSettings(ROWS, 2, 60)
    center = Node(0, 0, (0, 0), 0, f_star=math.inf)
    directions = SearchDirections(1, center, np.zeros(ROWS), settings)
    directions.take([(Node(1, 0, (0, 0), 0, f_star=math.inf), np.ones(2))] * 4)
    assert not has_model(directions, LocalTree(9, center, 0.1, LocalSearch(center), intensify=True))
