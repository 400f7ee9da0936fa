"""Values that are equal or told twice, and a target that is met exactly.

By ask and tell, and by `minimize`; that any order gives the same run is in `test_life_of_a_run`.
"""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from embedded_hunter import Search, Settings, minimize

SETTINGS = Settings(6, 1, 20, K=5, M=0)


def after_the_root() -> Search:
    """A run that has been told its first value, 5."""
    run = Search(SETTINGS, 0)
    run.tell(run.ask(), [5.0])
    return run


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("value", [-4.0, -math.inf])
def test_of_equal_values_the_first_evaluation_is_the_best_whenever_it_is_told(
    order: tuple[int, ...], at_once: bool, value: float
) -> None:
    run = after_the_root()
    queries = run.ask(3)
    assert len({query.x.tobytes() for query in queries}) == 3
    told: list[int] = []
    for part in [order] if at_once else [(k,) for k in order]:
        run.tell([queries[k] for k in part], [value] * len(part))
        told += part
        assert run.fun == value
        assert np.array_equal(run.x, queries[min(told)].x)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1.0, 2.0])
def test_a_point_that_is_told_twice_in_one_call_is_refused_and_no_value_is_taken(
    value: float,
) -> None:
    run = after_the_root()
    one, other = run.ask(2)
    calls: list[list[Any]] = [[one, one], [one, one.number], [other, one, other]]
    for twice in calls:
        with pytest.raises(ValueError, match="was not asked for, or was already told"):
            run.tell(twice, [1.0, *[value] * (len(twice) - 1)])
        assert (run.nfev, run.fun) == (1, 5.0)
        assert [query.number for query in run.unanswered] == [one.number, other.number]
    run.tell([one, other], [3.0, 4.0])
    assert (run.nfev, run.fun) == (3, 3.0)


@pytest.mark.parametrize("target", [-7.0, 0.0, 0.1])
def test_a_value_that_is_exactly_the_target_ends_the_run(target: float) -> None:
    values = itertools.chain([1.0, target], itertools.repeat(2.0))
    result = minimize(lambda x: next(values), [(-1, 1)] * 6, maxfun=200, f_target=target, rng=0)
    assert (result.success, result.fun) == (True, target)
    assert "f_target" in result.message
    assert result.nfev < 200
