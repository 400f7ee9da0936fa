"""What the uniform points of a run promise, against runs on functions whose answer is known."""

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from embedded_hunter import ForestSettings, minimize
from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.evolution import Evolution
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.uniform import UniformPoints, better_part, sure_points
from embedded_hunter.matrices import Floats

N, V, RUNS = 3, 64, 400
"""Variables, evaluations and runs. Two of the evaluations are uniform points."""
ALARM = 1e-4
"""Probability that a test of frequencies fails though all is right; the seeds are fixed."""


def waves(x: Floats) -> float:
    """Return what is all but uniform on [0, 1] if x is uniform: no search can learn it."""
    return float(abs(1e7 * x @ [1.0, math.sqrt(2), math.sqrt(3)]) % 1)


def ramp(x: Floats) -> float:
    """Return the part of the cube that is better than x."""
    return float((1 + x[1]) / 2)


PARTS: dict[str, Callable[[Floats], float]] = {"waves": waves, "ramp": ramp}
"""Each value is the part of the cube that has a smaller value."""


def exceeded(f: Callable[[Floats], float], draw: Callable[[int], Floats]) -> int:
    """Count for how many seeds as much as promised is better than the best of two points."""
    return sum(min(map(f, draw(seed))) >= better_part(2) for seed in range(RUNS))


def least_and_most(runs: int = RUNS) -> tuple[int, int]:
    """Return an interval that a right frequency leaves with probability `ALARM`."""
    least, most = stats.binom.interval(1 - ALARM, runs, 0.05)
    return int(least), int(most)


def test_the_part_follows_from_the_number() -> None:
    for N in (1, 2, 31, 312, 3125):
        assert (1 - better_part(N)) ** N == pytest.approx(0.05)
    assert better_part(0) == 1


@pytest.mark.claim("uniform-share")
@pytest.mark.parametrize("name", PARTS)
def test_the_best_uniform_point_keeps_the_promise_as_often_as_stated(name: str) -> None:
    """In 95 % of the runs: neither less nor more often. The points are those of the runs."""
    least, most = least_and_most()

    def draw(seed: int) -> Floats:
        points = UniformPoints(N, np.random.default_rng([7, seed]))
        return np.array([make() for make in points.ask() + points.ask()])

    assert least <= exceeded(PARTS[name], draw) <= most


def test_points_in_half_of_the_cube_are_found_out() -> None:
    """The power of the test: in half of the cube two points miss with probability 0.2."""
    missed = exceeded(ramp, lambda seed: np.random.default_rng([7, seed]).random((2, N)))
    assert missed > least_and_most()[1]
    assert stats.binom.sf(least_and_most()[1], RUNS, 4 * 0.05) > 1 - 1e-6


@pytest.mark.claim("uniform-share")
@pytest.mark.parametrize("name", PARTS)
def test_the_answer_of_a_run_keeps_the_promise(name: str) -> None:
    """It does so more often than stated: the other members find points, too."""
    broken, runs = 0, 100
    for seed in range(runs):
        result = minimize(PARTS[name], [(-1, 1)] * N, maxfun=V, rng=seed)
        assert (result.nuniform, result.better_part) == (2, better_part(2))
        broken += result.fun >= result.better_part
    assert broken <= least_and_most(runs)[1]


VALUES: dict[str, Callable[[int], float]] = {"rising": float, "falling": lambda k: -float(k)}


def number_of_uniform_points(settings: ForestSettings, value: Callable[[int], float]) -> int:
    """Return how many there are in a run, given the value of evaluation k = 0, 1, ..."""
    run, made = hunt_forest(settings), 0
    visit = next(run)
    while True:
        values = [value(made + k) for k in range(len(visit.evaluations))]
        made += len(values)
        try:
            visit = run.send(values)
        except StopIteration:
            return visit.uniform


@pytest.mark.claim("uniform-share")
@pytest.mark.parametrize("batch", [1, 64])
def test_the_promise_is_of_points_that_no_values_take_away(batch: int) -> None:
    """The number of uniform points of a run depends on its values; what is promised does not."""
    settings = ForestSettings(50, 1000, refine=False, batch=batch)
    found = [number_of_uniform_points(settings, value) for value in VALUES.values()]
    assert sure_points(settings) <= min(found)
    if batch == 1:
        assert found == [31, 32]
        assert sure_points(settings) == 30


@pytest.mark.claim("uniform-share")
def test_a_generation_is_at_most_as_long_as_supposed() -> None:
    """Values that rise for ever make the strategy restart as often as it can."""
    v = 4000
    strategy = Evolution(50, 0, np.random.default_rng(0), EVOLUTION.planned(31))
    first = strategy.size
    while strategy.made + strategy.size <= v:
        assert strategy.size <= EVOLUTION.greatest(first, strategy.made + 1)
        strategy.tell(np.arange(strategy.made, strategy.made + strategy.size, dtype=float))
        if strategy.made == 20 * first:
            assert strategy.size == EVOLUTION.greatest(first, strategy.made + 1) == 2 * first
    assert strategy.size > 4 * first


def test_the_page_states_the_number_and_the_part() -> None:
    """The part is rounded upwards: less is better."""
    page = (Path(__file__).parents[2] / "docs" / "paper" / "forest.md").read_text("utf-8")
    budgets, numbers, parts = (
        [float(cell.strip(" $%").replace(",", "")) for cell in row.split("|")[2:-1]]
        for row in re.findall(
            r"^\| (?:evaluations|\$N\$|less than \$q\$ of).*$", page, re.MULTILINE
        )
    )
    for v, N, part in zip(budgets, numbers, parts, strict=True):
        assert sure_points(ForestSettings(1000, int(v))) == N
        assert 1 <= part / (100 * better_part(int(N))) < 1.01


def test_the_message_states_the_promise() -> None:
    """Rounded upwards: less is better."""
    result = minimize(ramp, [(0, 8)] * N, maxfun=1000, rng=1)
    assert result.nuniform == 32
    assert result.better_part == better_part(30) == pytest.approx(0.095, abs=1e-4)
    assert "With probability 95 %, less than 9.6 % of the box is better. " in result.message


def test_nothing_is_promised_where_nothing_is_known() -> None:
    """About x0 the points are not uniform in the box; a target chooses which points count."""
    bounds = [(-1, 1)] * N
    for result in (
        minimize(ramp, bounds, maxfun=1000, rng=1, x0=[0.5] * N),
        minimize(ramp, bounds, maxfun=1000, rng=1, f_target=0.1),
        minimize(ramp, bounds, maxfun=1000, rng=1, sample=False),
        minimize(ramp, bounds, maxfun=1000, rng=1, policy="fresh", d=2),
    ):
        assert result.better_part == 1
        assert "probability" not in result.message
