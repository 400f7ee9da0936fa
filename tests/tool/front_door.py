"""What the tests of `minimize` share: an objective and the ways of having it evaluated."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.matrices import Floats
from paper.instances import INF

POLICIES: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh", "d": 2},
    "matrix": {"policy": "fresh", "d": 2, "sampler": "matrix"},
    "indexed": {"policy": "indexed", "d": 2},
    "forest": {"policy": "forest", "effective_dimension": 2},
}
BOUNDS = [(-5.0, 5.0)] * 6 + [(0.0, 1.0)] * 4
PALETTE = [0.0, 1.0, 2.0, -1.0, 0.5, INF, -INF]


def fun(x: Floats) -> float:
    """Lowest at x_0 = 4, x_1 = -3, not at the center; its values tie, being rounded."""
    return float(np.round((x[0] - 4) ** 2 + (x[1] + 3) ** 2))


def never(x: Floats) -> float:
    """Fail: an objective that must not be evaluated."""
    raise AssertionError("evaluated")


def fun_of_columns(x: Floats) -> Floats:
    values: Floats = np.array([fun(column) for column in x.T])
    return values


class Clock:
    """Stands for the module `time`: a second passes in every evaluation."""

    def __init__(self) -> None:
        self.now = 5.0

    def monotonic(self) -> float:
        return self.now

    def of(self, f: Callable[[Floats], float]) -> Callable[[Floats], float]:
        def slow(x: Floats) -> float:
            self.now += 1
            return f(x)

        return slow


def backwards(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterable[Any]:
    """A map that evaluates the last point first."""
    return map(f, list(points)[::-1])


def threads(f: Callable[[Any], Any], points: Iterable[Any]) -> list[Any]:
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(f, points))


KINDS: dict[str, dict[str, Any]] = {
    "serial": {},
    "two processes": {"workers": 2},
    "map": {"workers": map},
    "threads": {"workers": threads},
    "backwards": {"workers": backwards},
    "vectorized": {"vectorized": True},
}


def outcome(result: OptimizeResult) -> dict[str, Any]:
    """Return all fields of a result, comparable."""
    fields = dict(result)
    if "run" in fields:
        run = fields["run"]
        fields["run"] = (run.settings.as_json(), run.key, run.seed, run.known.tolist())
    for name in fields.keys() & {"x", "history"}:
        fields[name] = None if fields[name] is None else fields[name].tolist()
    return fields


def raises() -> object:
    raise OSError("no licence")


class Fragile:
    """An objective that fails once at each of some points, known by their order."""

    def __init__(
        self,
        failing: set[int],
        how: Callable[[], object] = raises,
        f: Callable[[Floats], float] = fun,
    ) -> None:
        self.failing, self.how, self.f = failing, how, f
        self.order: dict[bytes, int] = {}
        self.calls: list[int] = []

    def __call__(self, x: Floats) -> Any:
        number = self.order.setdefault(x.tobytes(), len(self.order) + 1)
        self.calls.append(number)
        if number in self.failing:
            self.failing.remove(number)
            return self.how()
        return self.f(x)
