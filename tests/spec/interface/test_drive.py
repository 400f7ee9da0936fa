"""Specification of `run.drive`: a search and a function, visit by visit."""

import numpy as np
import pytest

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.policies import search_of
from embedded_hunter.settings import Settings

SETTINGS = [
    Settings(6, 2, 60),
    Settings(6, 2, 60, policy="indexed"),
    ForestSettings(6, 60, dimensions=(2,), evolve=False, n_embeddings=3),
    Settings(6, 2, 400, h_max=2),  # the tree is full before
]


def bowl(x: Floats) -> Floats:
    """Of points in rows."""
    return np.asarray(np.sum((x - 0.3) ** 2, axis=1))


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_points_and_values_are_those_of_ask_and_tell(settings: Settings) -> None:
    hunter = EmbeddedHunter(settings, 5)
    asked: list[bytes] = []
    told: list[float] = []
    while queries := hunter.ask():
        values = [float(bowl(query.x[np.newaxis])[0]) for query in queries]
        asked += [query.x.tobytes() for query in queries]
        told += values
        hunter.tell(queries, values)
    points: list[bytes] = []

    def seen(x: Floats) -> list[float]:
        points.extend(row.tobytes() for row in x)
        return [float(bowl(row[np.newaxis])[0]) for row in x]

    found: list[float] = []
    for visit, values in drive(search_of(settings, np.random.default_rng(5)), seen):
        assert len(values) == len(visit.evaluations) > 0
        found += values
    assert found == told
    assert points == asked


def test_a_visit_is_yielded_when_its_values_are_taken() -> None:
    leaves = []
    for visit, _ in drive(search_of(Settings(6, 2, 30), np.random.default_rng(0)), bowl):
        leaves.append(visit.tree.leaf_count)
        assert all(np.isfinite(node.f_star) for node, _ in visit.evaluations)
    assert leaves[:2] == [1, 3]


def test_a_function_of_one_point_is_called_for_each_of_several() -> None:
    points = np.arange(6.0).reshape(3, 2)
    assert one_by_one(lambda x: x[0] - 2 * x[1])(points) == [-2.0, -4.0, -6.0]
