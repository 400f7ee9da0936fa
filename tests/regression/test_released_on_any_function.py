"""`released`: the program of the authors, as re-created, on functions of anyone."""

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from reproduction.problems.registry import PROBLEMS
from reproduction.released.any_function import released
from reproduction.released.hunter import ReleasedProblem, embedded_hunter_released


def test_a_function_of_all_variables_gives_the_run_of_the_program() -> None:
    """Of a test problem whose rows are all that there are."""
    f = PROBLEMS["ackley"](10, 10, 3)
    problem = ReleasedProblem(f.landscape, f.coordinates, 10)  # type: ignore[arg-type]
    rng = np.random.default_rng(7)
    theirs = embedded_hunter_released(problem, n=10, d=4, v=300, M=5, rng=rng)
    ours = released(lambda x: float(f(x)), [(-1, 1)] * 10, 300, 4, rng=7)
    assert [k for k, _ in ours.record.history] == [k for k, _ in theirs.history]
    np.testing.assert_allclose(ours.fun, theirs.best, rtol=1e-12)
    assert ours.nfev == theirs.evaluations
    assert 300 <= ours.nfev <= 303


def test_points_lie_in_the_bounds_and_the_best_is_returned() -> None:
    seen: list[Floats] = []

    def fun(x: Floats) -> float:
        seen.append(x.copy())
        return float(abs(x[1] - 2.5) + abs(x[5] + 7))

    result = released(fun, [(2, 3), (1, 4), (-9, -5)] * 3, 200, 3, rng=1)
    points = np.array(seen)
    assert len(points) == result.nfev
    assert (points >= np.tile([2, 1, -9], 3)).all()
    assert (points <= np.tile([3, 4, -5], 3)).all()
    assert result.fun == fun(result.x) == min(map(fun, points)) == result.record.best


@pytest.mark.parametrize("said", [{"maxfun": 0, "d": 2}, {"maxfun": 10, "d": 0}])
def test_a_budget_or_a_dimension_of_none_is_refused(said: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="integer"):
        released(lambda x: 0.0, [(-1, 1)] * 5, **said)
