"""The runs of the benchmark: which there are, and the random maps."""

from collections.abc import Callable

import numpy as np
from scipy import stats

from embedded_hunter.matrices import Floats
from reproduction.benchmark.plan import BUDGETS, MAIN, PARTS, HiddenFunction, Start, lines_of, tasks
from reproduction.kept_runs import kept
from reproduction.methods import METHODS
from reproduction.optimizers.embeddings import CountSketch

NAMES = ["set", "function", "method", "v", "run"]


def test_the_plan_lists_the_runs_that_are_stored() -> None:
    """Of each method on the paper's functions: an anytime one is read at the smaller budgets."""
    planned = tasks(METHODS, MAIN)
    assert planned == sorted(planned, key=lambda start: (start.v, start.run))
    listed = [tuple(line[x] for x in NAMES) for start in planned for line in lines_of(start)]
    lines = kept("benchmark")
    mine = lines[lines["set"].isin(MAIN)]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(mine[NAMES].itertuples(index=False, name=None))


def test_a_part_of_the_plan() -> None:
    """`resoo` is no anytime method, and the set "settings" has other methods and budgets."""
    some = [start for start in tasks(("forest_10", "resoo"), ("rotated", "settings"))
            if start.run == 0 and start.function.label == "ackley"]  # fmt: skip
    rotated, settings = (HiddenFunction(name, "ackley") for name in ("rotated", "settings"))
    assert set(some) == {
        *(Start(rotated, "resoo", v, 0) for v in BUDGETS),
        *(Start(settings, "forest_10", v, 0) for v in (1000, 10_000)),
    }


def test_cocos_functions_are_run_with_all_variables_that_they_have() -> None:
    """Ten in the sets in which they are hidden; in the others all that there are."""
    listed = tasks(("uniform_random_search", "cma"), PARTS["bbob"])
    runs = {(start.method, *start.function.names[1:], start.run) for start in listed}
    assert len(runs) == len(listed)
    for name, n, d_e in (("sparse-bbob-rotated", 1000, 10), ("bbob-80", 80, 80)):
        functions = {start.function for start in listed if start.function.names[1] == name}
        assert {function.label for function in functions} == {f"f{k}" for k in range(1, 25)}
        problem = HiddenFunction(name, "f3").instance(0)
        assert (problem.n, problem.d_e) == (n, d_e)


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
