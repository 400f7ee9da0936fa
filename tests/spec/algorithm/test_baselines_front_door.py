"""What all the baselines that users call as functions have in common: budget, result, errors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter.baselines.random_search import BATCH, random_search
from embedded_hunter.baselines.resoo import resoo
from embedded_hunter.baselines.soo import soo
from embedded_hunter.baselines.sresoo import sresoo
from embedded_hunter.run.status import FLAT, MESSAGES, USED
from spec.algorithm.baselines import Spy, crooked
from spec.interface.front_door import BOUNDS, KINDS, fun, fun_of_columns, outcome

CUBE = [(-1.0, 1.0)] * 6
METHODS: dict[str, tuple[Callable[..., OptimizeResult], dict[str, Any]]] = {
    "SOO": (soo, {}),
    "RESOO": (resoo, {"d": 2, "n_embeddings": 4}),
    "SRESOO": (sresoo, {"d": 2, "n_embeddings": 4}),
    "uniform": (random_search, {}),
    "radial": (random_search, {"scale": 0.5}),
    "radii": (random_search, {"scale": 2.0, "radii": "uniform"}),
}
RANDOM = [name for name in METHODS if name != "SOO"]
FIELDS = {
    "x", "fun", "nfev", "nit", "nsweep", "depth", "nleaves", "success", "status", "message",
    "history", "seed", "nfailed",
}  # fmt: skip

every_method = pytest.mark.parametrize("name", METHODS)


def seeded(name: str, seed: int) -> dict[str, int]:
    return {"rng": seed} if name in RANDOM else {}


SHARED = [(1, 1), (1, 5), (3, 5), (17, 5), (100, 1), (203, 8), (40, 40), (9, 10**15)]
BUDGETS: list[tuple[str, dict[str, Any]]] = [
    *[("SOO", {"maxfun": v}) for v in (1, 2, 3, 4, 50, 333)],
    *[(name, {"maxfun": v, "n_embeddings": P}) for name in ("RESOO", "SRESOO") for v, P in SHARED],
    *[
        (name, {"maxfun": v})
        for name in ("uniform", "radial", "radii")
        for v in (1, 2, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH, 500)
    ],
]


@pytest.mark.parametrize(("name", "budget"), BUDGETS)
def test_the_whole_budget_is_used_and_the_least_value_returned(
    name: str, budget: dict[str, Any]
) -> None:
    method, given = METHODS[name]
    spy = Spy(crooked)
    result = method(spy, CUBE, **{**given, **budget, **seeded(name, 3)})
    assert set(result) == FIELDS
    v = budget["maxfun"]
    assert len(spy.values) == result.nfev == v
    best = int(np.argmin(spy.values))  # the first of equal ones
    assert result.fun == spy.values[best]
    assert result.history["value"].tolist() == spy.values
    assert result.x.tolist() == spy.points[best].tolist()
    flat = v > 1 and len(set(spy.values)) == 1  # RESOO evaluates the center several times
    assert (result.success, result.status) == (not flat, FLAT if flat else USED)
    assert result.message == MESSAGES[result.status]  # it has no policy
    if "n_embeddings" not in given:
        assert len({tuple(x) for x in spy.points}) == v  # no point twice


@pytest.mark.parametrize("name", RANDOM)
def test_the_same_seed_gives_the_same_run_and_another_one_another(name: str) -> None:
    method, given = METHODS[name]
    first, again, other = Spy(crooked), Spy(crooked), Spy(crooked)
    for spy, rng in ((first, 1), (again, np.random.default_rng(1)), (other, 2)):
        method(spy, CUBE, maxfun=80, rng=rng, **given)
    assert np.array_equal(first.points, again.points)
    assert not np.array_equal(first.points, other.points)


@every_method
def test_the_box_is_the_users(name: str) -> None:
    """On another box the points are those of the cube, moved, where the values are the same."""
    method, given = METHODS[name]
    given = {"maxfun": 200, **given, **seeded(name, 1)}
    low, half = np.array([5.0, -4.0, 0.0]), np.array([2.0, 2.0, 0.1])
    unit = Spy(crooked)
    method(unit, CUBE[:3], **given)
    values = iter(unit.values)
    moved = Spy(lambda x: next(values))
    method(moved, list(zip(low, low + 2 * half, strict=True)), **given)
    assert np.array(moved.points) == pytest.approx(low + half * (np.array(unit.points) + 1))
    assert (moved.points >= low).all()
    assert (moved.points <= low + 2 * half).all()


@every_method
def test_the_result_is_the_same_for_every_way_of_calling(name: str) -> None:
    method, given = METHODS[name]
    given = {"maxfun": 301, **given, **seeded(name, 6)}
    reference = outcome(method(fun, BOUNDS, **given))
    for kind, how in KINDS.items():
        objective = fun_of_columns if "vectorized" in how else fun
        assert outcome(method(objective, BOUNDS, **given, **how)) == reference, kind
