"""The runs of the benchmark: which there are, what each method is given, and the random maps."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.matrices import Floats
from reproduction.benchmark.plan import BUDGETS, SETS, HiddenFunction, Start, tasks
from reproduction.landscapes import WIDER
from reproduction.methods import in_benchmark
from reproduction.optimizers.embeddings import CountSketch

FOUR, FIVE = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley"), tuple(WIDER)
METHODS = in_benchmark()
BENCHMARK = list(METHODS)


# Which runs there are


def listed_by_hand(sets: Any, budgets: Any, count: int, methods: Any, problems: Any) -> set[Start]:
    """Each possible run that every rule of the benchmark allows."""
    found = set()
    for s, name, problem, v in itertools.product(sets, methods, problems, budgets):
        method, where = METHODS[name], SETS[s]
        possible = sorted({x for x in budgets if x in where.budgets})
        if s not in method.sets or problem not in where.problems or v not in possible:
            continue
        if method.anytime and v != possible[-1]:
            continue  # read in the longer run
        also = tuple(sorted({*possible, *BUDGETS})) if method.anytime else ()
        also = tuple(x for x in also if x < v)
        found |= {Start(HiddenFunction(s, problem), name, v, run, also) for run in range(count)}
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"sets": tuple(SETS), "budgets": (100, 1000, 3000, 10_000), "runs": 2},
        {"sets": ("wider", "rotated"), "problems": ("ackley", FIVE[0]), "runs": 1},
        {"sets": ("rotated",), "methods": ("fresh", "sep_cma"), "budgets": (300, 100, 300)},
        {"sets": ("settings",), "budgets": (100,), "methods": ("forest_10",)},
        {"sets": ("rotated",), "budgets": (1, 100), "methods": ("resoo",), "runs": 1},
    ],
)
def test_all_runs_that_the_rules_allow(asked: dict[str, Any]) -> None:
    found = tasks(**asked)
    full = {
        "sets": ("axis-aligned", "rotated"),
        "budgets": (100, 300, 1000, 3000, 10_000, 30_000),
        "runs": 20,
        "methods": [name for name in BENCHMARK if METHODS[name].installed],
        "problems": FOUR + FIVE,
        **asked,
    }
    assert set(found) == listed_by_hand(*full.values())
    assert len(found) == len(set(found))
    assert found == sorted(found, key=lambda start: (start.v, start.run))


# The seeds and the instance of a run


# The maps


def columns(embedding: Callable[[Floats], Floats], d: int) -> Floats:
    """The matrix of a linear map."""
    return np.array([embedding(unit) for unit in np.eye(d)]).T


def test_a_split_bucket_keeps_its_coordinates_and_their_signs() -> None:
    """The new bucket is uniform on the parts of the old one. False alarm 1e-6, fixed seed."""
    d, parts, rows = 4, 3, 6000
    rng = np.random.default_rng(5)
    embedding = CountSketch(rng, rows, d)
    y = rng.uniform(-1, 1, d)
    before, x = columns(embedding, d), embedding(y)
    for _ in range(2):
        embedding.split(rng, parts)
        y = np.repeat(y, parts)
        assert np.array_equal(embedding(y), x)  # no point moves
        after = columns(embedding, d * parts)
        for k in range(d):
            mine = after[:, parts * k : parts * (k + 1)]
            assert np.array_equal(mine.sum(axis=1), before[:, k])
            # independent of the coordinate: also within its first and second half
            halves = [np.abs(half).sum(axis=0) for half in np.array_split(mine, 2)]
            assert stats.chisquare(np.concatenate(halves)).pvalue > 1e-6
        before, d = after, d * parts
