"""The golden traces: small runs, one for each rule of Algorithm 1.

``python tests/conformance/goldens.py`` writes them.

Their objectives are tables or one-line functions of the node's place in Y, chosen so that the rule
decides something.
"""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import package
from oracle import Name

from embedded_hunter.hunter import hunt
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import traced

FOLDER = Path(__file__).parent / "golden"
Value = Callable[[tuple[float, ...], int], float]
"""(y / R, p) -> value; y / R is the base point in [-1, 1]^d."""


class Golden(NamedTuple):
    """A run: what it shows, its settings, its objective."""

    shows: str
    settings: Settings
    value: Value


def _settings(v: int, d: int = 1, K: int = 3, h_max: int = 3, M: str = "0") -> Settings:
    return Settings.from_json(
        {
            "n": d,
            "d": d,
            "v": v,
            "eta": "1/2",
            "K": K,
            "M": M,
            "h_max": h_max,
            "sigma": 1.0,
            "policy": "fresh",
            "sampler": "norm",
        }
    )


def _square(y: tuple[float, ...], p: int) -> float:
    return sum(round(81 * c) ** 2 for c in y) / 81


def _slope(y: tuple[float, ...], p: int) -> float:
    return float(round(81 * sum(c * (k + 1) for k, c in enumerate(y))))


def _infinite_on_the_right(y: tuple[float, ...], p: int) -> float:
    return math.inf if y[0] >= 0 else -round(81 * y[0]) / 81


GOLDENS = {
    "first-steps": Golden(
        "the initialization, one sweep, one expansion: the smallest complete run",
        _settings(v=3),
        _slope,
    ),
    "ties": Golden(
        "a constant objective: ties go to the least index, and a tie with nu_min is not expanded",
        _settings(v=9, h_max=2),
        lambda y, p: 1.0,
    ),
    "classes": Golden(
        "two coordinates: norm classes of one depth, the largest norm first, two expansions in one "
        "visit",
        _settings(v=25, d=2, h_max=3),
        _square,
    ),
    "frozen-classes": Golden(
        "y^2: classes keep their turn when the one before them has vanished; expansions by sweep "
        "1, 2, 4, ...",
        _settings(v=30, h_max=4),
        _square,
    ),
    "strictness": Golden(
        "a leaf whose f* equals nu_min waits for the next sweep",
        _settings(v=13, h_max=3),
        lambda y, p: float(abs(y[0]) > 0.5),
    ),
    "inherited": Golden(
        "the center child keeps base point, count and f* of its parent without an evaluation",
        _settings(v=7, h_max=2),
        lambda y, p: abs(y[0] - 0.1),
    ),
    "cap-at-equality": Golden(
        "M = 3/4, R = 2: ||y|| = 4/3 gives M ||y|| = 1, so the base point is evaluated while its "
        "past evaluations are <= 1, that is twice, and not a third time",
        _settings(v=22, h_max=4, M="3/4"),
        lambda y, p: abs(y[0] + 2 / 3) - p / 8,
    ),
    "cap-below": Golden(
        "M a hair below 3/4: the same point is evaluated once",
        _settings(v=18, h_max=4, M="74999/100000"),
        lambda y, p: abs(y[0] + 2 / 3) - p / 8,
    ),
    "better-later": Golden(
        "the second evaluation of a base point is better: f* := min(f*, new)",
        _settings(v=12, h_max=3, M="10"),
        lambda y, p: abs(y[0]) - p,
    ),
    "static-bound": Golden(
        "deeper is better, yet a node made in a sweep is not visited in it if depth(T) was less "
        "at its start",
        _settings(v=16, h_max=4),
        _slope,
    ),
    "depth-bound": Golden(
        "h_max = 1: nodes of depth 2 are never expanded",
        _settings(v=9, h_max=1),
        _slope,
    ),
    "full-tree": Golden(
        "h_max = 1: a sweep that expands nothing ends the run with budget left",
        _settings(v=100, h_max=1),
        _slope,
    ),
    "budget-cut": Golden(
        "the budget ends within an expansion: its first child counts for the answer, the leaf "
        "stays a leaf",
        _settings(v=6, h_max=3),
        _slope,
    ),
    "budget-of-one": Golden(
        "v = 1: the root alone, t = 0",
        _settings(v=1),
        _slope,
    ),
    "infinite": Golden(
        "+inf is a value: it is below no nu_min, but nu_min = none takes it",
        _settings(v=9, h_max=2),
        _infinite_on_the_right,
    ),
    "all-infinite": Golden(
        "nothing but +inf: the first leaf of each sweep is expanded",
        _settings(v=9, h_max=3),
        lambda y, p: math.inf,
    ),
    "rounds": Golden(
        "three coordinates in turn: numerators, and the common denominator growing by K each round",
        _settings(v=20, d=3, h_max=4),
        _slope,
    ),
    "five-children": Golden(
        "K = 5: children 0, 1, 3, 4 are evaluated, child 2 is the center",
        _settings(v=18, K=5, h_max=2),
        _square,
    ),
}


def objective(golden: Golden) -> Callable[[Name, int], float]:
    """The objective as a function of the first node with a base point."""
    K, d = golden.settings.K, golden.settings.d

    def g(name: Name, p: int) -> float:
        h, i = name
        digits = []
        for _ in range(h):
            i, digit = divmod(i, K)
            digits.append(digit)
        y, size = [0.0] * d, [1.0] * d
        for depth, digit in enumerate(reversed(digits)):
            j = depth % d
            size[j] /= K
            y[j] += 2 * (digit - K // 2) * size[j]
        return golden.value(tuple(y), p)

    return g


def events(golden: Golden) -> list[Fields]:
    """Run the package and return the trace."""
    written: list[Fields] = []
    settings, g = golden.settings, objective(golden)
    package.run(settings, g, traced(hunt(settings), settings, written.append))
    return written


def text(golden: Golden) -> str:
    """The trace as its file has it."""
    return "".join(map(dump, events(golden)))


def main() -> int:
    """Write all files."""
    for name, golden in GOLDENS.items():
        (FOLDER / f"{name}.jsonl").write_text(text(golden), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
