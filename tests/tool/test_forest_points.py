"""The points of the policy forest: held against the formula, and the same however asked for."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from differential.brute_force_forest import base_point as exact_base_point
from embedded_hunter import matrices
from embedded_hunter.forest import refinement
from embedded_hunter.forest.covariance import CovarianceEvolution
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.requests import FreePoint, LocalPoint, Request, TreePoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.trees import ForestVisit
from embedded_hunter.matrices import Floats, stream
from embedded_hunter.node import Node
from embedded_hunter.projection import Indexed
from paper.instances import visits_of

ROWS = 12
COLUMN = ROWS * 8  # bytes


def settings_of(v: int = 400, **changes: object) -> ForestSettings:
    return ForestSettings(ROWS, v, dimensions=[2, 4], n_embeddings=3, **changes)  # type: ignore[arg-type]


def bowl(x: Floats) -> float:
    return float(np.sum((x[:5] - np.array([0.3, -0.2, 0.1, 0.4, -0.5])) ** 2))


class Made(NamedTuple):
    """An evaluation of a run, and where it was made."""

    request: Request
    x: Floats


def run(settings: ForestSettings, seed: int = 1, **kwargs: object) -> list[Made]:
    """Run on the bowl, one point at a time."""
    projection = ForestPoints(settings, np.random.default_rng(seed), ROWS, **kwargs)  # type: ignore[arg-type]
    made: list[Made] = []

    def values_of(visit: ForestVisit) -> list[float]:
        points = [projection.project([evaluation])[0] for evaluation in visit.evaluations]
        made.extend(Made(e, x) for e, x in zip(visit.evaluations, points, strict=True))
        return [bowl(x) for x in points]

    for _ in visits_of(hunt_forest(settings, projection.key, rows=ROWS), values_of):
        pass
    return made


@pytest.mark.parametrize(
    ("dimensions", "K", "P", "v"),
    [
        ((1,), 3, 1, 300),
        ((3,), 7, 2, 900),
        ((2, 4), 3, 3, 400),
        ((ROWS,), 3, 1, 200),
        pytest.param((4, 9), 3, 4, 3000, marks=pytest.mark.long),
    ],
)
def test_every_point_is_that_of_the_formula(
    dimensions: tuple[int, ...], K: int, P: int, v: int
) -> None:
    """P_X(A_p y) in the forest, P_X(x_0 + A w) in a local search: the matrices are of `indexed`.

    y is that of the brute force, from (h, i) alone. A tree of dimension n has I / R.
    """
    settings = ForestSettings(
        ROWS, v, dimensions=dimensions, K=K, n_embeddings=P, evolve=False, sample=False
    )
    local = 0

    def matrix(p: int) -> Floats:
        space = settings.trees[p - 1]
        if dimensions == (ROWS,):
            return np.eye(ROWS) / float(space.radius)
        return Indexed(space, np.random.default_rng(1), ROWS).matrix(p)

    def in_forest(node: Node, p: int) -> Floats:
        space = settings.trees[p - 1]
        y = [float(space.radius * c) for c in exact_base_point((node.h, node.i), space.d, K)]
        x: Floats = np.clip(matrix(p) @ np.array(y), -1, 1)
        return x

    for request, x in run(settings):
        if isinstance(request, LocalPoint):
            local += 1
            center, tree = request.ask.center
            assert tree == (0 if center.h == 0 else center.i // K**center.h)
            way = matrix(tree + 1) @ np.array(request.w)
            expected = np.clip(in_forest(center, tree + 1) + way, -1, 1)
        else:
            assert isinstance(request, TreePoint)
            expected = in_forest(request.node, request.tree + 1)
        np.testing.assert_allclose(x, expected, rtol=0, atol=1e-12)
    assert local > v / 3


def test_the_points_of_the_evolution_strategy_are_its_own() -> None:
    """They are from the stream (0, 0), and depend on nothing but its own values."""
    settings = ForestSettings(ROWS, 400)
    made = run(settings)
    evolution = CovarianceEvolution(
        ROWS, ROWS, stream(ForestPoints(settings, np.random.default_rng(1), 1).key, 0, 0)
    )
    found = points_of(made, "evolve")
    assert len(found) >= 100
    for first in range(0, len(found) - 12, 12):
        asked = np.array([make() for make in evolution.ask()])
        assert asked.tobytes() == np.array(found[first : first + 12]).tobytes()
        evolution.tell(np.array([bowl(x) for x in asked]))


def points_of(made: list[Made], mode: str) -> list[Floats]:
    return [x for request, x in made if isinstance(request, FreePoint) and request.mode == mode]


@pytest.mark.claim("uniform-share")
def test_the_uniform_points_are_one_stream() -> None:
    """They are from the stream (0, 0, 1), whatever their values and those of the others."""
    settings = ForestSettings(ROWS, 400)
    found = points_of(run(settings), "sample")
    assert len(found) == 13  # of 400, one in 32
    key = ForestPoints(settings, np.random.default_rng(1), 1).key
    expected = 2 * stream(key, 0, 0, 1).random((len(found), ROWS)) - 1
    assert np.array(found).tobytes() == expected.tobytes()


@pytest.mark.parametrize("arrays", [0, 3, 4, 9])
def test_the_same_bits_come_out_whatever_is_kept(arrays: int) -> None:
    """Also when the center of a local search lies in a tree whose matrix is not kept."""
    settings = settings_of(600)
    expected = run(settings)
    made = run(settings, memory=arrays * COLUMN)
    assert [a.x.tobytes() for a in made] == [b.x.tobytes() for b in expected]


def count_calls(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[Any]:
    """The arguments of the calls of a function from now on."""
    calls, inner = [], getattr(owner, name)

    def spy(*args: Any, **kwargs: Any) -> Any:
        calls.append(args[1:])
        return inner(*args, **kwargs)

    monkeypatch.setattr(owner, name, spy)
    return calls


def test_the_zero_vector_is_exact() -> None:
    made = run(settings_of(1))
    assert not made[0].x.any()


def test_each_column_and_each_stream_of_samples_is_drawn_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Streams (p, j) for the columns of the three matrices, (0, q) for the local searches."""
    columns = count_calls(monkeypatch, matrices, "stream")
    samples = count_calls(monkeypatch, refinement, "stream")
    run(settings_of(1500))
    assert sorted(columns) == [(p, j) for p, d in ((1, 2), (2, 4), (3, 2)) for j in range(d)]
    assert len(samples) > 1
    assert samples == [(0, 3 + k) for k in range(len(samples))]
