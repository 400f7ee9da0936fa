"""What the specifications of the baselines share: spies, ways of calling, and runs in pieces."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter.hunter import Hunt, Visit
from embedded_hunter.projection import Floats
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.status import FLAT, MESSAGES, USED
from spec.algorithm.brute_force import Point
from spec.algorithm.brute_force_soo import Function
from spec.algorithm.instances import INF
from spec.interface.front_door import KINDS, fun, fun_of_columns, outcome

Method = Callable[..., OptimizeResult]

FIELDS = {
    "x", "fun", "nfev", "nit", "nsweep", "depth", "nleaves", "success", "status", "message",
    "history",
}  # fmt: skip


class Spy:
    """An objective that keeps its points and values."""

    def __init__(self, f: Callable[[Floats], float]) -> None:
        self.f = f
        self.points: list[Floats] = []
        self.values: list[float] = []

    def __call__(self, x: Floats) -> float:
        self.points.append(x.copy())
        self.values.append(self.f(x))
        return self.values[-1]


def crooked(x: Floats) -> float:
    """A function without symmetries or ties."""
    weights = np.sqrt(np.arange(2, len(x) + 2))
    return float(np.abs(x - 0.37 / weights) @ weights + np.sin(3 * x).sum())


def check_result(result: OptimizeResult, spy: Spy, v: int) -> None:
    """Demand an exact budget, the least value as the answer, and the fields of `minimize`."""
    assert set(result) == FIELDS
    assert len(spy.values) == result.nfev == v
    best = int(np.argmin(spy.values))  # the first of equal ones
    assert result.fun == spy.values[best]
    assert result.history["value"].tolist() == spy.values
    assert result.x.tolist() == spy.points[best].tolist()
    flat = v > 1 and len(set(spy.values)) == 1  # RESOO evaluates the center several times
    assert (result.success, result.status) == (not flat, FLAT if flat else USED)
    assert result.message == MESSAGES[result.status]  # it has no policy


def check_ways_of_calling(method: Method, bounds: list[tuple[float, float]], **given: Any) -> None:
    """Demand the same result for every way of having the objective evaluated; seeds in `given`."""
    reference = outcome(method(fun, bounds, **given))
    for name, how in KINDS.items():
        objective = fun_of_columns if "vectorized" in how else fun
        assert outcome(method(objective, bounds, **given, **how)) == reference, name


def check_bad_input(
    method: Method, *own: tuple[type[Exception], str, dict[str, Any]], **given: Any
) -> None:
    """Demand clear errors for what all the methods have in common, and for their own.

    An error is given by its type, what it names, and the arguments that cause it; `given` is what
    the method needs.
    """
    bounds = [(-1.0, 1.0)] * 6
    common: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (ValueError, "maxfun", {"maxfun": 0}),
        (TypeError, "maxfun", {"maxfun": 2.5}),
        (TypeError, "nonsense", {"nonsense": 1}),
        (TypeError, "callback", {"callback": 3}),
        (ValueError, "bounds", {"bounds": [(-1.0, INF)] * 6}),
        (TypeError, "fun must be callable", {"fun": 3}),
    ]
    for error, match, change in [*common, *own]:
        call = {"fun": crooked, "bounds": bounds, "maxfun": 20, **given, **change}
        with pytest.raises(error, match=match):
            method(**call)
    with pytest.raises(EvaluationError, match="nan") as caught:
        method(lambda x: float("nan"), bounds, maxfun=20, **given)
    assert caught.value.evaluation == 1


def visits_of(run: Hunt, f: Callable[[Visit], list[float]]) -> Iterator[tuple[Visit, list[float]]]:
    """Drive a generator; yield each visit with its values."""
    visit = next(run)
    while True:
        values = f(visit)
        yield visit, values
        try:
            visit = run.send(values)
        except StopIteration:
            return


def hashed(seed: int, palette: list[float]) -> Function:
    """Return one of `palette`, an arbitrary but fixed function of the point: ties, infinities."""

    def f(x: Point) -> float:
        name = f"{seed} " + " ".join(map(str, x))
        digest = blake2b(name.encode(), digest_size=4).digest()
        return palette[int.from_bytes(digest) % len(palette)]

    return f


def distance(target: list[Fraction], power: float) -> Function:
    """Return a power of the greatest distance to a point."""
    return lambda x: float(max(abs(a - b) for a, b in zip(x, target, strict=False))) ** power


def functions() -> st.SearchStrategy[Function]:
    """Return functions of points of [-1, 1]^d, d <= 3: tied, infinite, arbitrary, or sloping."""
    numbers = st.fractions(-1, 1, max_denominator=1000)
    return st.one_of(
        st.builds(
            hashed,
            st.integers(0, 2**32),
            st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, INF, -INF]), min_size=1, max_size=6),
        ),
        st.builds(hashed, st.integers(0, 2**32), st.just([float(k) for k in range(1000)])),
        st.builds(
            distance, st.lists(numbers, min_size=3, max_size=3), st.sampled_from([0.5, 1.0, 2.0])
        ),
    )
