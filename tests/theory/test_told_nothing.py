"""What the forest is proved to reach if it is told nothing (`theory/told_nothing.py`)."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.requests import TreePoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import DIMENSIONS, N_EMBEDDINGS, ForestSettings
from embedded_hunter.node import base_point
from reproduction.theory.evaluations import end_to_end_bound, end_to_end_event
from reproduction.theory.told_nothing import (
    WEIGHTS,
    Cone,
    dimension_bound,
    evaluations_of_the_forest,
    nodes_of_depth,
    told_nothing_bound,
)

PAGE = Path(__file__).parents[2] / "docs/paper/forest.md"
ROW = re.compile(
    r"^\| (?P<list>[\d, ]+?)(?: \(\w+\))? \| (?P<d_e>\d+) \|"
    r"(?P<cells>.*)\| \$10\^\{(?P<from>[\d.]+)\}\$ \|$"
)
ROWS = [row for line in PAGE.read_text().splitlines() if (row := ROW.match(line))]


EACH = pytest.mark.parametrize(
    "row", [*ROWS[:3], *(pytest.param(row, marks=pytest.mark.long) for row in ROWS[3:])],
    ids=[f"{row['list']}-{row['d_e']}" for row in ROWS],
)  # fmt: skip


def test_the_page_has_a_row_for_each_list_and_number_of_effective_coordinates() -> None:
    assert len(ROWS) == 9


@EACH
@pytest.mark.claim("dimension-rate")
def test_the_row_of_the_page_is_what_comes_out(row: re.Match[str]) -> None:
    dimensions, cone = [int(d) for d in row["list"].split(",")], Cone(int(row["d_e"]))
    for k, cell in zip(range(3, 8), row["cells"].split("|"), strict=True):
        regret = told_nothing_bound(10**k, cone, dimensions=dimensions).regret
        assert cell.strip() == (f"{regret:.3g}" if regret < cone.norm else "none")


@EACH
@pytest.mark.claim("dimension-rate")
def test_the_bound_begins_to_say_something_where_the_page_says_it(row: re.Match[str]) -> None:
    dimensions, cone = [int(d) for d in row["list"].split(",")], Cone(int(row["d_e"]))
    for tenths, says in ((0, True), (-1, False)):
        v = int(10 ** (float(row["from"]) + tenths / 10))
        bound = told_nothing_bound(v, cone, dimensions=dimensions)
        assert (bound.regret < cone.norm) == says


@pytest.mark.claim("dimension-rate")
@pytest.mark.parametrize(("d_e", "probability"), [(5, 0.88), (10, 0.16), (20, 6e-5), (40, 1.5e-16)])
def test_a_tree_of_the_right_dimension_seldom_covers_an_optimum_anywhere(
    d_e: int, probability: float
) -> None:
    trees = N_EMBEDDINGS // len(DIMENSIONS)
    one = Cone(d_e, norm=math.sqrt(d_e / 3)).coverage(d_e)
    assert -math.expm1(trees * math.log1p(-one)) == pytest.approx(probability, rel=0.035)


@pytest.mark.claim("dimension-rate")
def test_with_one_dimension_it_is_the_end_to_end_bound_of_the_share() -> None:
    """The same depth as `end_to_end_bound`, for the t and the a of some weight."""
    v, cone = 10**7, Cone(1)
    bound = dimension_bound(v, cone, 1, dimensions=[1])
    share, found = evaluations_of_the_forest(v), []
    for t in WEIGHTS:
        pi = cone.coverage(1)
        _, good = end_to_end_event(coverage=pi, P=20, d=1, sigma=1, t=t, least=1e-300)
        if good > 0.5:
            least = (good - 0.5) / (20 * math.sqrt(2 / math.pi))
            found.append(
                end_to_end_bound(
                    share, coverage=pi, P=20, d=1, K=3, R=5.0, sigma=1, h_max=math.isqrt(v),
                    lipschitz=1, growth=1, room=cone.room, t=t, least=least, local_search=8,
                )
            )  # fmt: skip
    best = min(found, key=lambda one: one.regret)
    assert best.regret == pytest.approx(bound.regret)
    assert best.depth == bound.depth
    assert best.probability == pytest.approx(0.5)


@pytest.mark.claim("dimension-rate")
def test_two_dimensions_cost_a_factor_of_four_in_sweeps_and_no_more() -> None:
    """With as many trees of dimension 1: four times the sweeps suffice for the same depth."""
    one = dimension_bound(10**8, Cone(1), 1, dimensions=[1], P=10)
    two = dimension_bound(16 * 10**8 + 10**7, Cone(1), 1, dimensions=[1, 7], P=20)
    assert two.regret <= one.regret < 0.3
    assert dimension_bound(10**8, Cone(1), 1, dimensions=[1, 7], P=20).regret > one.regret


def least_after(sweeps: int, rows: dict[int, list[float]]) -> list[float]:
    """Least values of f after each sweep of a forest with one tree for each dimension.

    The tree of dimension d sees f(row . y) on [-1, 1]^d. f is piecewise linear in one coordinate.
    """
    places = [-1, -0.76, -0.43, -0.428, -0.15, 0.2, 0.35, 1]
    heights = [0.8, 1.0, 0.15, 0.34, 0.7, 0.25, 0.94, 0.8]
    settings = ForestSettings(
        100, 10**6, dimensions=list(rows), n_embeddings=len(rows), h_max=25,
        refine=False, evolve=False, sample=False,
    )  # fmt: skip
    search, least = hunt_forest(settings), [math.inf]
    visit = next(search)
    while visit.sweep <= sweeps:
        values = []
        for request in visit.evaluations:
            assert isinstance(request, TreePoint)
            space = settings.trees[request.tree]
            y = np.array(base_point(request.node, space)) / float(space.radius)
            x = float(np.clip(rows[space.d] @ y, -1, 1))
            values.append(float(np.interp(x, places, heights)))
        least += least[-1:] * (visit.sweep + 1 - len(least))
        least[visit.sweep] = min([least[visit.sweep], *values])
        visit = search.send(values)
    return least


@pytest.mark.claim("dimension-guarantee")
def test_a_run_told_nothing_can_be_worse_than_one_told_the_dimension() -> None:
    """After 2 G = 4 times as many sweeps: the guarantee compares bounds, not runs."""
    of_two = [1.2, -0.56]
    told, nothing = least_after(8, {2: of_two}), least_after(32, {1: [0.2], 2: of_two})
    assert [round(told[m] - 0.15, 3) for m in (6, 8)] == [0.068, 0.032]
    assert [round(nothing[m] - 0.15, 3) for m in (24, 32)] == [0.1, 0.1]


def test_the_share_is_that_of_rule_f6_and_generations_are_no_larger() -> None:
    assert evaluations_of_the_forest(10_000) == math.ceil((10_000 - 312 - 24 - 334) / 4)
    assert evaluations_of_the_forest(2_000) == math.ceil((2_000 - 62 - 24 - 67) / 32)
    assert evaluations_of_the_forest(2_300) == math.ceil((2_300 - 71 - 24 - 77) / 4)
    assert evaluations_of_the_forest(1_000) == math.ceil((1_000 - 31 - 24 - 34) / 32)
    made, size = 0, EVOLUTION.greatest_population
    while made < 10**6:
        assert size <= EVOLUTION.greatest_population + made / EVOLUTION.patience
        made, size = made + EVOLUTION.patience * size, 2 * size


@pytest.mark.claim("dimension-rate")
def test_the_condition_number_that_is_allowed_for_is_above_20() -> None:
    """Lambda / (a sigma) for one coordinate, at probability 1/2 and each t."""
    for trees, d in ((5, 5), (4, 1), (20, 1)):
        allowed = []
        for t in WEIGHTS:
            one = max(0.0, Cone(1).coverage(d) - math.exp(-(t**2) / 2))
            spare = 1 - (1 - one) ** trees - 0.5
            if spare > 0:
                least = spare / (trees * math.sqrt(2 / math.pi))
                allowed.append((math.sqrt(d) + 1 + t) / least)
        assert min(allowed) > 20


def test_nodes_of_a_greater_dimension_grow_like_a_power() -> None:
    cone = Cone(1)
    counts = [nodes_of_depth(k, cone, 5, 3, 5.0, 0.1) for k in range(60)]
    assert counts[:5] == [1, 3, 9, 27, 81]
    assert counts[55] / counts[50] == pytest.approx(3**4)


def test_the_default_list_is_the_one_of_the_program() -> None:
    assert ForestSettings(1000, 100).dimensions == DIMENSIONS
    assert [row["list"] for row in ROWS[:5]] == [", ".join(map(str, DIMENSIONS))] * 5
