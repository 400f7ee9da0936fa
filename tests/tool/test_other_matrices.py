"""Other matrices than Gaussian ones are one class: sparse signs, in `Indexed` and in a forest."""

import numpy as np
import pytest

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import hunt
from embedded_hunter.matrices import Floats, Key, stream
from embedded_hunter.node import base_point
from embedded_hunter.projection import Indexed, drive
from embedded_hunter.settings import Settings

N = 40
KEY = [1, 2, 3, 4, 5, 6, 7, 8]


class SparseSigns:
    """Matrices with entries 0 (probability 2/3) and plus or minus sqrt(3): mean 0, variance 1."""

    def __init__(self, key: Key, rows: int, memory: int) -> None:
        self.key, self.rows = key, rows

    def product(self, p: int, ways: Floats) -> Floats:
        columns = [
            stream(self.key, p, j).choice([-1.0, 0, 0, 0, 0, 1], self.rows)
            for j in range(ways.shape[1])
        ]
        return np.asarray(ways @ (np.sqrt(3) * np.array(columns)))


def bowl(x: Floats) -> Floats:
    return np.asarray(((x[:, :3] - 0.3) ** 2).sum(axis=1))


def test_indexed_takes_its_matrices_from_the_family_that_it_is_given() -> None:
    settings = Settings(N, 3, 90, sigma=0.5, policy="indexed")
    points = Indexed(settings, KEY, N, family=SparseSigns)
    A = points.matrix(2)
    assert A.shape == (N, 3)
    assert set(np.abs(A).ravel()) == {0.0, 0.5 * np.sqrt(3)}
    assert not np.array_equal(A, points.matrix(1))
    assert np.array_equal(A, Indexed(settings, KEY, N, family=SparseSigns).matrix(2))
    for visit, values in drive(hunt(settings), points.project, bowl):
        for (node, p), value in zip(visit.evaluations, values, strict=True):
            x = np.clip(points.matrix(p) @ base_point(node, settings), -1, 1)
            assert value == pytest.approx(bowl(x[np.newaxis])[0], abs=1e-12)


def test_so_does_each_tree_of_a_forest() -> None:
    settings = ForestSettings(N, 200, dimensions=[2, 4], n_embeddings=3, evolve=False)
    points = ForestPoints(settings, KEY, N, family=SparseSigns)
    for p, space in enumerate(settings.trees, 1):
        A = points.matrix(p)
        assert A.shape == (N, space.d)
        assert set(np.abs(A).ravel()) == {0.0, space.sigma * np.sqrt(3)}
    visits = drive(hunt_forest(settings, KEY, rows=N), points.project, bowl)
    assert sum(len(values) for _, values in visits) == 200
