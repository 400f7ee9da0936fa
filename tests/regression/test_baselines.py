"""What the baselines have in common as methods of the registry: budget and best value."""

from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from regression.baselines import Spy, crooked
from reproduction.methods import METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.embedded import BATCH

N = 6
NAMES = ["soo", "resoo", "sresoo", "uniform_random_search", "radial_random_search"]
SHARED = [(1, 1), (1, 5), (3, 5), (17, 5), (100, 1), (203, 8), (40, 40), (9, 10**15)]
BUDGETS = [
    *[("soo", v, 5) for v in (1, 2, 3, 4, 50, 333)],
    *[(name, v, M) for name in ("resoo", "sresoo") for v, M in SHARED],
    *[
        (name, v, 5)
        for name in ("uniform_random_search", "radial_random_search")
        for v in (1, 2, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH, 500)
    ],
]


def run(name: str, f: Callable[[Floats], float], v: int, M: int = 5, seed: int = 3) -> BlackBox:
    """Run a method on a function of N variables, of which it is told that two matter."""
    box = BlackBox(f, N, v, vectorized=False)
    METHODS[name].minimize(box, ProblemInfo(N, 2, M=M, sigma_n=N), np.random.default_rng(seed))
    return box


@pytest.mark.parametrize(("name", "v", "M"), BUDGETS)
def test_the_whole_budget_is_used_and_the_least_value_kept(name: str, v: int, M: int) -> None:
    spy = Spy(crooked)
    box = run(name, spy, v, M)
    assert len(spy.values) == box.evaluations == v
    assert box.best == min(spy.values)
    if name in ("soo", "uniform_random_search"):
        assert len({tuple(x) for x in spy.points}) == v  # no point twice
