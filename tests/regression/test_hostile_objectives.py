"""Hostile objectives and extreme parameters: a documented error or a valid result, nothing else."""

import contextlib
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult

from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.status import Status
from tool.front_door import BOUNDS, KINDS, fun, outcome


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def raising(error: BaseException) -> Callable[[Floats], float]:
    def objective(x: Floats) -> float:
        raise error

    return objective


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("kind", ["serial", "map", "threads", "backwards", "vectorized"])
@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Unspeakable(), "the objective raised Unspeakable"),
        (MemoryError(), "the objective raised MemoryError: "),
        (StopIteration(3), "the objective raised StopIteration: 3"),
        (SystemExit(4), "the objective raised SystemExit: 4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_is_raised(error: BaseException, says: str, kind: str) -> None:
    """`sys.exit` in the objective ends neither this process nor the run."""
    with pytest.raises(EvaluationError) as caught:
        minimize(raising(error), BOUNDS, policy="fresh", d=2, maxfun=20, rng=0, **KINDS[kind])
    assert str(caught.value) == f"evaluation 1 failed: {says}"
    assert caught.value.__cause__ is error
    assert caught.value.result.nfev == 0


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("kind", ["serial", "map", "threads", "backwards", "vectorized"])
def test_writing_into_x_keeping_it_and_printing_change_nothing(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[Floats] = []

    def rude(x: Floats) -> Any:
        points = np.atleast_2d(x.T)
        values = np.array([fun(point) for point in points])
        print("value", values)
        x *= -7.0
        x.flags.writeable = False
        kept.append(x)
        return values if kind == "vectorized" else values[0]

    result = minimize(rude, BOUNDS, policy="fresh", d=2, maxfun=60, rng=3, **KINDS[kind])
    assert outcome(result) == outcome(minimize(fun, BOUNDS, policy="fresh", d=2, maxfun=60, rng=3))
    assert "value" in capsys.readouterr().out
    assert result.x.flags.writeable
    assert not any(np.shares_memory(result.x, x) for x in kept)


# --- extreme parameters ------------------------------------------------------------------------


EXTREMES = st.fixed_dictionaries(
    {},
    optional={
        "eta": st.sampled_from([1e-300, 1e-305, 5e-324, 1e-16, 1 - 1e-16, Fraction(1, 10**400)]),
        "M": st.sampled_from([0, 5e-324, 1e300, sys.float_info.max, 10**400]),
        "sigma": st.sampled_from([5e-324, 1e-300, 1e300, 1e304, sys.float_info.max]),
        "h_max": st.sampled_from([0, 1, 10**400]),
        "K": st.sampled_from([3, 5, 101, 9999]),
        "policy": st.sampled_from(["fresh", "indexed"]),
        "sampler": st.sampled_from(["norm", "matrix"]),
    },
).filter(lambda given: not ("sampler" in given and given.get("policy") == "indexed"))


LARGEST = sys.float_info.max


BOXES = [(-1.0, 1.0), (-1e308, 1e308), (-LARGEST, LARGEST), (1e308, 1e308), (0.0, 5e-324), (-3, 9)]


@pytest.mark.claim("budget-exact", "eq-3")
@given(st.integers(1, 4), st.booleans(), st.sampled_from(BOXES), st.integers(1, 300), EXTREMES)
def test_extremes_give_a_valid_result_or_name_the_argument(
    d: int, ambient: bool, pair: tuple[float, float], maxfun: int, extreme: dict[str, Any]
) -> None:
    """Warnings are errors here: nothing overflows on the way, no nan is made."""
    n, run = d + 3 if ambient else d, {"policy": "fresh", **extreme}
    seen = 0

    def objective(x: Floats) -> float:
        nonlocal seen
        seen += 1
        assert np.all((x >= pair[0]) & (x <= pair[1]))
        return float(x[0])

    result: OptimizeResult | None = None
    with contextlib.suppress(ValueError):
        result = minimize(objective, [pair] * n, d=d, maxfun=maxfun, rng=1, **run)
    if result is None:
        with pytest.raises(ValueError, match=r"^(eta|sigma) must keep "):
            minimize(objective, [pair] * n, d=d, maxfun=maxfun, rng=1, **run)
        assert seen == 0
    else:
        assert result.success or result.status in (Status.AT_EDGE, Status.FLAT)
        assert 1 <= result.nfev == seen <= maxfun
        assert result.fun == result.x[0]
