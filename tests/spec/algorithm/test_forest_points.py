"""The points of the policy forest: held against the formula, and the same however asked for."""

import math
import weakref
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from embedded_hunter import projection
from embedded_hunter.forest.directions import SearchDirections
from embedded_hunter.forest.local_search import LocalTree
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node
from embedded_hunter.projection import Floats, Indexed
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.search import search_of
from spec.algorithm.brute_force_forest import base_point as exact_base_point
from spec.algorithm.model_features import quadratic_minimiser, quadratic_model

ROWS = 12
COLUMN = ROWS * 8  # bytes


def settings_of(v: int = 400, **changes: object) -> ForestSettings:
    return ForestSettings(ROWS, 4, v, n_embeddings=3, **changes)  # type: ignore[arg-type]


def bowl(x: Floats) -> float:
    return float(np.sum((x[:5] - np.array([0.3, -0.2, 0.1, 0.4, -0.5])) ** 2))


class Made(NamedTuple):
    """An evaluation of a run, and where it was made."""

    node: Node
    p: int
    x: Floats


def run(
    settings: ForestSettings,
    seed: int = 1,
    zero: float | None = None,
    matrices: dict[int, Floats] | None = None,
    **kwargs: object,
) -> tuple[list[Made], list[LocalTree]]:
    """Run on the bowl, with another value of the zero vector if given, one point at a time.

    `matrices` takes the D_q that the package used.
    """
    made, local_trees, _ = run_with(settings, seed, zero, matrices, **kwargs)
    return made, local_trees


def run_with(
    settings: ForestSettings,
    seed: int = 1,
    zero: float | None = None,
    matrices: dict[int, Floats] | None = None,
    **kwargs: object,
) -> tuple[list[Made], list[LocalTree], ForestPoints]:
    """The same, with what made the points."""
    local_trees: list[LocalTree] = []
    projection = ForestPoints(settings, np.random.default_rng(seed), ROWS, local_trees, **kwargs)  # type: ignore[arg-type]
    hunt, made = hunt_forest(settings, local_trees), []
    visit = next(hunt)
    while True:
        values = []
        for node, p in visit.evaluations:
            (x,) = projection.project([(node, p)])
            made.append(Made(node, p, x))
            if matrices is not None and p > settings.n_embeddings:
                matrices[p - 1] = used_matrix(projection.directions, settings.d)
            values.append(bowl(x) if zero is None or x.any() else zero)
        try:
            visit = hunt.send(values)
        except StopIteration:
            return made, local_trees, projection


def used_matrix(grown: SearchDirections, d: int) -> Floats:
    """D_q of the tree that is alive."""
    columns = [np.eye(d)[grown.place(j)] for j in range(d)]
    if grown.first is not None:
        columns[0] = grown.first
    return grown.radius * np.column_stack(columns)


class LocalSearch:
    """What the formula knows of a local search: its matrix, its center, what was evaluated."""

    def __init__(self, p: int, d: int) -> None:
        self.p, self.waited, self.trees = p, 0, 0
        self.center: Node | None = None
        self.w: dict[int, Any] = {}  # of each node, by id; in extended precision: steps get small
        self.made: list[Node] = []  # the nodes of its earlier trees, in their order
        self.W: Any = np.zeros(d, dtype=np.longdouble)  # of the center
        self.H: Floats | None = None  # of its last model


def minimiser(
    search: LocalSearch, settings: ForestSettings, radius: float, least: float
) -> Floats | None:
    """Where the model is least, in lengths from the center, by explicit features and scans."""
    d, K = settings.d, settings.K
    length = radius * 2 * float(settings.radius) / K
    last = search.made[-80:]
    u = [((search.w[id(node)] - search.W) / length).astype(float) for node in last]
    known = [
        (point, node.f_star - least)
        for point, node in zip(u, last, strict=True)
        if math.isfinite(node.f_star) and np.linalg.norm(point) < 20
    ]
    if len(known) < max(1, d // 2):
        return None
    points, rises = (np.array(part) for part in zip(*known, strict=True))
    model = quadratic_model(points, rises, 0.3 * min(1.0, radius / 0.4), search.H)
    if model is None:
        return None
    g, search.H = model
    return quadratic_minimiser(g, search.H, 1.0)


def matrix_of(search: LocalSearch, settings: ForestSettings, local_tree: LocalTree) -> Floats:
    """D_q, and the directions that are next in the tree after it."""
    d, radius = settings.d, local_tree.radius
    search.trees += 1
    step = None
    if local_tree.intensify or search.trees % 3 == 0:
        step = minimiser(search, settings, radius, local_tree.center.f_star)
    unit = np.roll(np.eye(d), -search.waited, axis=1) * radius  # the one that waited longest first
    if step is None or not step.any():
        search.waited += 2
        return unit
    search.waited += 1
    return np.column_stack([step * radius, unit[:, :-1]])


@pytest.mark.parametrize(
    ("d", "K", "P", "v", "zero"),
    [
        (1, 3, 1, 300, None),
        (3, 7, 2, 900, math.inf),
        pytest.param(4, 3, 3, 4000, None, marks=pytest.mark.long),
        pytest.param(2, 5, 1, 1500, math.inf, marks=pytest.mark.long),
        pytest.param(2, 3, 2, 2000, math.inf, marks=pytest.mark.long),
        pytest.param(9, 3, 4, 1500, math.inf, marks=pytest.mark.long),
    ],
)
def test_every_point_is_that_of_the_formula(
    d: int, K: int, P: int, v: int, zero: float | None
) -> None:
    """P_X(A_p y) in the forest, P_X(x_q + A D_q y) after: the matrices are those of `indexed`.

    y is that of the brute force, from (h, i) alone. D_q is that of the explicit features; its
    first column to half a unit of its rounding and 1e-6 of the radius, or 1e-10 over the ridge if
    that is more: kernels count rounding as often as one over the ridge, and the minimiser up to
    10^9 times. So that it does not add up from tree to tree, the points are held, to 1e-12, against
    the matrix that was used. A value `zero` in the place of f(0) makes the first local search begin
    elsewhere.
    """
    settings = ForestSettings(ROWS, d, v, K=K, n_embeddings=P)
    matrices: dict[int, Floats] = {}
    made, local_trees = run(settings, zero=zero, matrices=matrices)
    indexed = Indexed(settings, np.random.default_rng(1), ROWS)
    where = {id(node): x for node, _, x in made}
    if zero is not None:
        assert where[id(local_trees[0].center)].any()
    R = float(settings.radius)
    of_tree: dict[int, list[Made]] = {}
    for one in made:
        of_tree.setdefault(one.p - 1, []).append(one)
    for p in range(P):
        for node, _, x in of_tree[p]:
            y = R * np.array([float(c) for c in exact_base_point((node.h, node.i), d, K)])
            expected = np.clip(indexed.matrix(p + 1) @ y, -1, 1)
            np.testing.assert_allclose(x, expected, rtol=0, atol=1e-12)
    searches: dict[int, LocalSearch] = {}  # by id of the package's
    modelled = moved = 0
    for local_tree in local_trees:
        search = searches.get(id(local_tree.search))
        if search is None:
            begun_in = (
                0 if local_tree.center.h == 0 else local_tree.center.i // K**local_tree.center.h
            )
            search = searches[id(local_tree.search)] = LocalSearch(begun_in + 1, d)
        elif local_tree.center is not search.center:
            search.W, moved = search.w[id(local_tree.center)], moved + 1
        search.center = local_tree.center
        D = matrix_of(search, settings, local_tree)
        if local_tree.q in matrices:
            used, radius = matrices[local_tree.q], local_tree.radius
            tolerance = max(1e-6, 1e-10 / max(0.75 * radius, 1e-6))
            tolerance += np.abs(D[:, 0]).max() / radius / 2**10
            np.testing.assert_allclose(
                used[:, 0] / radius, D[:, 0] / radius, rtol=0, atol=tolerance
            )
            np.testing.assert_array_equal(used[:, 1:], D[:, 1:])
            D = used
        modelled += int(d == 1 or np.count_nonzero(D[:, 0]) > 1)
        for node, _, x in of_tree.get(local_tree.q, []):
            y = R * np.array([float(c) for c in exact_base_point((node.h, node.i), d, K)])
            step = indexed.matrix(search.p) @ D @ y
            expected = np.clip(where[id(local_tree.center)] + step, -1, 1)
            np.testing.assert_allclose(x, expected, rtol=0, atol=1e-12)
            search.w[id(node)] = search.W + D.astype(np.longdouble) @ y
            search.made.append(node)
    assert moved > v / 200
    assert len(searches) > (K < 7)
    assert modelled > len(local_trees) / 2


@pytest.mark.parametrize("h", [10, 90, 901])
def test_a_point_of_a_deep_node(h: int) -> None:
    """In one dimension, digits of a fixed disorder: to two roundings, however large K^h is.

    x = a y: here y = R Y, Y the exact center of the cell in [-1, 1].
    """
    settings = ForestSettings(ROWS, 1, 9, n_embeddings=1)
    c = i = 0
    for level in range(h):
        digit = (0, 2, 2, 1, 0)[level % 5] if level < h - 1 else 2
        c, i = 3 * c + digit - 1, 3 * i + digit
    projection = ForestPoints(settings, np.random.default_rng(1), ROWS, [])
    (x,) = projection.project([(Node(h, i, (c,), 1), 1)])
    a = Indexed(settings, np.random.default_rng(1), ROWS).matrix(1)[:, 0]
    y = float(settings.radius * Fraction(2 * c, 3**h))
    np.testing.assert_allclose(x, np.clip(a * y, -1, 1), rtol=1e-15)


@pytest.mark.parametrize("arrays", [0, 1, 3, 10, 100])
def test_the_same_bits_come_out_whatever_is_kept(
    arrays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the center of a refinement tree lies in a tree whose columns were not kept."""
    settings = settings_of(600)
    expected, _ = run(settings)
    monkeypatch.setattr(projection, "STEPS", min(arrays, 4))
    made, _ = run(settings, memory=arrays * COLUMN)
    assert [a.x.tobytes() for a in made] == [b.x.tobytes() for b in expected]


def test_products_of_ancestors_spare_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 400 of them less than two steps for two points, without any more than three."""
    counts = []
    for kept in (400, 0):
        monkeypatch.setattr(projection, "PRODUCTS", kept)
        monkeypatch.setattr(projection, "STEPS", 0)
        steps = count_calls(monkeypatch, ForestPoints, "step")
        made, _ = run(ForestSettings(ROWS, 8, 2000, n_embeddings=3, refine=False))
        counts.append(len(steps) / len({(node.h, node.i // 3) for node, _, _ in made if node.h}))
    few, all_of_them = counts
    assert few < 3  # two of them because no step is kept
    assert all_of_them > 4.5


def count_calls(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[Any]:
    """The arguments of the calls of a function from now on."""
    calls, inner = [], getattr(owner, name)

    def spy(*args: Any, **kwargs: Any) -> Any:
        calls.append(args[1:])
        return inner(*args, **kwargs)

    monkeypatch.setattr(owner, name, spy)
    return calls


def test_the_zero_vector_is_exact() -> None:
    made, _ = run(settings_of(1))
    assert not made[0].x.any()


@pytest.mark.parametrize("most", [1, 2, 3, 1000])
def test_the_same_bits_come_out_in_whatever_portions(most: int) -> None:
    settings = settings_of()
    alone, _ = run(settings)
    hunter, asked = EmbeddedHunter(settings, 1), []
    while not hunter.finished:
        queries = hunter.ask(most)
        asked += [query.x for query in queries]
        hunter.tell(queries, [bowl(query.x) for query in queries])
    assert [x.tobytes() for x in asked] == [made.x.tobytes() for made in alone]


def test_values_may_be_told_in_any_order() -> None:
    settings = settings_of()
    alone, _ = run(settings)
    hunter, asked = EmbeddedHunter(settings, 1), []
    while not hunter.finished:
        queries = hunter.ask()
        asked += [query.x for query in queries]
        for query in reversed(queries):
            hunter.tell([query], [bowl(query.x)])
    assert [x.tobytes() for x in asked] == [made.x.tobytes() for made in alone]


def test_refinement_draws_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the three matrices are drawn, which takes each of their four columns once."""
    drawn = count_calls(monkeypatch, projection, "stream")
    _, local_trees = run(settings_of(1500))
    assert len(local_trees) > 100
    assert sorted(drawn) == [(p, j) for p in (1, 2, 3) for j in range(4)]


def test_opposite_children_that_follow_one_another_share_a_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of K = 5 all four children, in the forest and in refinement trees: two steps for them."""
    steps = count_calls(monkeypatch, ForestPoints, "step")
    made, _ = run(settings_of(60, K=5))
    first = next(k for k, one in enumerate(made) if one.p > 3)
    parents = {(node.h, node.i // 5, p) for node, p, _ in made[first : first + 4]}
    assert len(parents) == 1
    assert [(p, h, digit) for p, h, digit in steps if p == made[first].p][:2] == [
        (made[first].p, 1, 2),
        (made[first].p, 1, 1),
    ]
    assert steps[:2] == [(1, 1, 2), (1, 1, 1)]


def test_generator_and_projection_belong_together() -> None:
    settings = settings_of()
    with pytest.raises(ValueError, match="with policy 'forest', run and projection must both"):
        EmbeddedHunter(settings, 1, run=hunt_forest(settings))
    hunt, projection = search_of(settings, np.random.default_rng(1))
    hunter = EmbeddedHunter(settings, run=hunt, projection=projection)
    assert not hunter.ask()[0].x.any()


def test_what_is_known_of_searches_that_were_given_up_is_forgotten() -> None:
    """Rule F7 keeps at most P + 1 local searches; driven by `asktell`, nothing else holds them."""
    settings = ForestSettings(ROWS, 2, 3000, n_embeddings=2)
    hunt, projection = search_of(settings, np.random.default_rng(1))
    assert isinstance(projection, ForestPoints)
    visit, begun = next(hunt), weakref.WeakSet[Any]()
    gone = 0
    while True:
        points = projection.project(visit.evaluations)
        begun.update(projection.searches)
        before = len(begun)
        try:
            visit = hunt.send([0.0 if not x.any() else 1.0 for x in points])
        except StopIteration:
            break
        gone += before - len(begun)
        assert len(projection.searches) <= 3
    assert gone > 3


def test_infinite_values_are_values() -> None:
    settings = settings_of(200)
    hunter = EmbeddedHunter(settings, 3)
    points: Sequence[object] = ()
    while not hunter.finished:
        points = hunter.ask()
        hunter.tell(points, [math.inf] * len(points))
    assert hunter.nfev == 200
    assert hunter.fun == math.inf
