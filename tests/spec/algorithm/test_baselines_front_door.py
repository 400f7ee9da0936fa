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
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.status import FLAT, MESSAGES, USED
from spec.algorithm.baselines import Spy, crooked
from spec.algorithm.instances import INF
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


Refusal = tuple[type[Exception], str, dict[str, Any]]
OF_ALL: list[Refusal] = [
    (ValueError, "maxfun", {"maxfun": 0}),
    (TypeError, "maxfun", {"maxfun": 2.5}),
    (TypeError, "nonsense", {"nonsense": 1}),
    (TypeError, "callback", {"callback": 3}),
    (ValueError, "bounds", {"bounds": [(-1.0, INF)] * 6}),
    (TypeError, "fun must be callable", {"fun": 3}),
    (EvaluationError, "nan", {"fun": lambda x: float("nan")}),
]
OF_TREES: list[Refusal] = [(ValueError, "K", {"K": 4})]
OF_EMBEDDINGS: list[Refusal] = [
    (ValueError, "^n_embeddings must be an integer >= 1, got 0$", {"n_embeddings": 0}),
    (ValueError, "d", {"d": 7}),
    (ValueError, "sigma", {"sigma": 0.0}),
]
REFUSALS: dict[str, list[Refusal]] = {
    "SOO": [*OF_ALL, *OF_TREES, (ValueError, "h_max", {"h_max": -1})],
    "RESOO": [*OF_ALL, *OF_TREES, *OF_EMBEDDINGS, (ValueError, "eta", {"eta": 1.0})],
    "SRESOO": [*OF_ALL, *OF_TREES, *OF_EMBEDDINGS, (TypeError, "eta", {"eta": 0.3})],
    "uniform": [
        *OF_ALL,
        (ValueError, "scale", {"scale": 0.0}),
        (ValueError, "scale", {"scale": np.nan}),
        (ValueError, "radii", {"scale": 1.0, "radii": "some"}),
        (ValueError, "^radii='uniform' requires a scale", {"radii": "uniform"}),
    ],
}


@pytest.mark.parametrize(
    ("name", "error", "match", "change"),
    [(name, *refusal) for name, refusals in REFUSALS.items() for refusal in refusals],
)
def test_bad_input_is_named(
    name: str, error: type[Exception], match: str, change: dict[str, Any]
) -> None:
    method, given = METHODS[name]
    call = {"fun": crooked, "bounds": CUBE, "maxfun": 20, **given, **change}
    with pytest.raises(error, match=match) as caught:
        method(**call)
    if isinstance(caught.value, EvaluationError):
        assert caught.value.evaluation == 1


@pytest.mark.parametrize("name", ["RESOO", "SRESOO"])
def test_there_are_five_embeddings_unless_said_otherwise(name: str) -> None:
    method, _ = METHODS[name]

    def run(**given: Any) -> list[float]:
        spy = Spy(crooked)
        method(spy, BOUNDS, d=2, maxfun=60, rng=1, **given)
        return spy.values

    assert run() == run(n_embeddings=5) != run(n_embeddings=6)
