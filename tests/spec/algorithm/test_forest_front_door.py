"""The policy forest compares values, and nothing else of them counts."""

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats

BOUNDS = [(-2.0, 3.0)] * 12


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
