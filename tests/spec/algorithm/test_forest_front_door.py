"""The policy forest from outside: its arguments, its defaults, and a run that is resumed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import minimize
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.projection import Floats
from embedded_hunter.run.header import CheckpointError
from embedded_hunter.run.policies import search_of

BOUNDS = [(-2.0, 3.0)] * 12


def bowl(x: Floats) -> float:
    return float((x[2] - 1.2) ** 2 + (x[7] + 0.4) ** 2)


@pytest.mark.parametrize("n", [12, 60])
def test_nothing_need_be_told(n: int) -> None:
    result = minimize(bowl, [(-2.0, 3.0)] * n, policy="forest", maxfun=600, rng=1)
    assert result.success
    assert result.nfev == 600
    assert result.fun < 1e-3


def test_a_guess_of_the_effective_dimension_is_twice_as_many_dimensions() -> None:
    result = minimize(bowl, BOUNDS, policy="forest", effective_dimension=2, maxfun=600, rng=1)
    assert result.fun < 1e-3
    for same in ({"d": 4}, {"dimensions": [4]}):
        again = minimize(bowl, BOUNDS, policy="forest", maxfun=600, rng=1, **same)
        assert again.x.tolist() == result.x.tolist()


@pytest.mark.parametrize(("n", "guess", "d"), [(100, 3, 6), (100, 50, 100), (100, 80, 100)])
def test_the_search_space_has_twice_the_guess_but_never_more_than_n(
    n: int, guess: int, d: int
) -> None:
    asked: list[Floats] = []

    def note(x: Floats) -> float:
        asked.append(x.copy())
        return 1.0

    minimize(note, [(-1, 1)] * n, policy="forest", effective_dimension=guess, maxfun=9, rng=2)
    hunt, projection, *_ = search_of(ForestSettings(n, 9, dimensions=[d]), np.random.default_rng(2))
    visit = next(hunt)
    points: list[Floats] = []
    while True:
        points += list(projection.project(visit.evaluations))
        try:
            visit = hunt.send([1.0] * len(visit.evaluations))
        except StopIteration:
            break
    assert [x.tobytes() for x in asked] == [x.tobytes() for x in points]


FOREST: dict[str, Any] = {"policy": "forest"}


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"policy": "fresh"}, TypeError, "d must be given: the dimension of the search space"),
        ({**FOREST, "effective_dimension": 0}, ValueError,
         "effective_dimension must be an integer >= 1, got 0"),
        ({**FOREST, "effective_dimension": 1.5}, TypeError, "effective_dimension must be"),
        ({**FOREST, "effective_dimension": 2, "d": 4}, ValueError,
         "give either effective_dimension or dimensions, not both"),
        ({**FOREST, "effective_dimension": 13}, ValueError,
         "effective_dimension must be at most n = 12, the number of variables, got 13"),
        ({"policy": "fresh", "effective_dimension": 2}, TypeError,
         "policy 'fresh' has no parameter effective_dimension; it has d, eta,"),
        ({"policy": "fresh", "d": 2, "n_embeddings": 3}, TypeError,
         "policy 'fresh' has no parameter n_embeddings"),
        ({"d": 2, "policy": "indexed", "sampler": "norm"}, TypeError,
         "policy 'indexed' has no parameter sampler; it has d, eta, h_max, K, M, sigma"),
        ({**FOREST, "d": 2, "M": 5}, TypeError, "policy 'forest' has no parameter M; it has"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_named_before_anything_is_evaluated(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    def never(x: Floats) -> float:
        raise AssertionError

    with pytest.raises(error, match=message):
        minimize(never, BOUNDS, maxfun=10, **changes)


@pytest.mark.parametrize("stop", [1, 2, 57, 200, 399])
def test_a_run_that_is_resumed_is_the_same_run(tmp_path: Path, stop: int) -> None:
    """Stopped in the forest and in refinement; no logged evaluation is repeated."""
    path = tmp_path / "run.jsonl"
    whole = minimize(bowl, BOUNDS, policy="forest", effective_dimension=2, maxfun=400, rng=5)
    made = 0

    def until(x: Floats) -> float:
        nonlocal made
        made += 1
        if made > stop:
            raise KeyboardInterrupt
        return bowl(x)

    run: dict[str, Any] = {**FOREST, "effective_dimension": 2, "maxfun": 400, "checkpoint": path}
    with pytest.raises(KeyboardInterrupt, match=rf"^{stop} of 400 .* with checkpoint .*run.jsonl"):
        minimize(until, BOUNDS, rng=5, **run)
    logged = len(path.read_text().splitlines()) - 1
    assert logged == stop
    made = -(10**9)
    resumed = minimize(until, BOUNDS, **run)
    assert made == -(10**9) + 400 - stop
    assert resumed.x.tolist() == whole.x.tolist()
    assert (resumed.fun, resumed.nit, resumed.nsweep) == (whole.fun, whole.nit, whole.nsweep)
    with pytest.raises(CheckpointError, match="its n_embeddings is 20, this run's is 3"):
        minimize(bowl, BOUNDS, n_embeddings=3, **run)


@given(
    guess=st.integers(1, 4),
    P=st.integers(1, 3),
    maxfun=st.integers(1, 250),
    seed=st.integers(0, 99),
    steps=st.sampled_from([1, 8, 2**20, 2**40]),
    a=st.sampled_from([0.25, 2.0, 8.0, 2.0**-9, 2.0**30]),
    b=st.integers(-(2**9), 2**9),
)
def test_a_run_asks_the_same_points_for_a_f_plus_b(
    guess: int, P: int, maxfun: int, seed: int, steps: int, a: float, b: int
) -> None:
    """The values are multiples of 1 / steps below 2^9, so a f + a b has no rounding error.

    With few steps the function has plateaus.
    """

    def f(x: Floats) -> float:
        t = x[:4] - np.array([0.7, -0.4, 1.1, 0.2])
        return float(np.rint((t @ t + 3 * np.abs(t[0] - t[1])) * steps) / steps)

    def points(g: Callable[[float], float]) -> list[bytes]:
        asked: list[bytes] = []

        def noted(x: Floats) -> float:
            asked.append(x.tobytes())
            return g(f(x))

        minimize(
            noted, BOUNDS, policy="forest", effective_dimension=guess, n_embeddings=P,
            maxfun=maxfun, rng=seed,
        )  # fmt: skip
        return asked

    assert points(lambda y: y) == points(lambda y: a * (y + b))
