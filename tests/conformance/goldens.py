"""The golden traces: small runs, chosen so that at least two tell each bug of `bugs` apart.

``python tests/conformance/goldens.py`` writes them, and the tables in the README of the kit.

Their objectives are tables or one-line functions of the node's place in Y, chosen so that the rule
decides something.
"""

import hashlib
import json
import math
import sys
from collections.abc import Callable
from fractions import Fraction as F
from functools import cache
from typing import NamedTuple

import bugs
import package
from oracle import Name

from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.settings import Settings

FOLDER = KIT / "golden"
README = KIT / "README.md"
Point = tuple[F, ...]
"""y / R, a base point in [-1, 1]^d."""
Value = Callable[[Point, int], float | F]
"""(y / R, p) -> value."""


class Golden(NamedTuple):
    """A run: what it shows, its settings, its objective."""

    shows: str
    settings: Settings
    value: Value


def _settings(
    v: int, d: int = 1, K: int = 3, h_max: int = 3, M: str = "0", eta: str = "1/2"
) -> Settings:
    given: Fields = {"n": d, "d": d, "v": v, "eta": eta, "K": K, "M": M, "h_max": h_max}
    rest: Fields = {"sigma": 1.0, "policy": "fresh", "sampler": "norm"}
    return Settings.from_json(given | rest)


def _square(y: Point, p: int) -> float:
    return sum(round(81 * c) ** 2 for c in y) / 81


def _slope(y: Point, p: int) -> float:
    return float(round(81 * sum(c * (k + 1) for k, c in enumerate(y))))


def _hashed(salt: int, levels: int, unit: float = 1.0) -> Value:
    """Pseudo-random values 1, 1 + unit, ..., 1 + (levels - 1) unit: ties are frequent."""

    def value(y: Point, p: int) -> float:
        text = f"{salt}: {', '.join(map(str, y))}; {p}".encode()
        digest = hashlib.blake2b(text, digest_size=4).digest()
        return 1 + unit * (int.from_bytes(digest, "big") % levels)

    return value


def _chain(best: F, second: F) -> Value:
    """The best point is found in the first sweep, the second best when its neighbours are made."""
    return lambda y, p: {best: 0.0, second: 0.5}.get(y[0], 1.0)


def _table(values: dict[tuple[F, ...], float]) -> Value:
    """Values at some base points; 1 at all others."""
    return lambda y, p: values.get(y, 1.0)


def _infinite_on_the_right(y: Point, p: int) -> float:
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
        "h_max = 1: nodes of depth 2 are never expanded", _settings(v=9, h_max=1), _slope
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
    "budget-of-one": Golden("v = 1: the root alone, t = 0", _settings(v=1), _slope),
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
    "deep-right": Golden(
        "37 levels down beside y = 2/3 R: numerators and indices of more than 53 bits, norms that "
        "are equal as floating-point numbers and are different",
        _settings(v=156, h_max=40),
        _chain(F(2, 3), F(2, 3) + F(2, 3**36)),
    ),
    "deep-left": Golden(
        "the same on the left, with five children",
        _settings(v=230, h_max=40, K=5),
        _chain(F(-4, 5), -F(4, 5) - F(2, 5**25)),
    ),
    "cap-decimal": Golden(
        "eta = 0.7, M = 3.15: M ||y|| is exactly 1 for the base point 2/9 R, and less in "
        "floating-point numbers",
        _settings(v=20, h_max=4, M="3.15", eta="0.7"),
        lambda y, p: abs(y[0] - F(2, 9)) - p / 8,
    ),
    "cap-decimal-left": Golden(
        "eta = 0.7, M = 1.575: the same for -4/9 R",
        _settings(v=20, h_max=4, M="1.575", eta="0.7"),
        lambda y, p: abs(y[0] + F(4, 9)) - p / 8,
    ),
    "cap-squares": Golden(
        "eta = 0.2, M = 0.3: M ||y|| is exactly 1 for the base point 2/3 R, and its square is less "
        "in floating-point numbers",
        _settings(v=14, h_max=4, M="0.3", eta="0.2"),
        lambda y, p: abs(y[0] - F(2, 3)) - p / 8,
    ),
    "cap-squares-twice": Golden(
        "eta = 0.4, M = 1.2: the same, exactly 2, for -2/3 R",
        _settings(v=22, h_max=4, M="1.2", eta="0.4"),
        lambda y, p: abs(y[0] + F(2, 3)) - p / 8,
    ),
    "cap-hair": Golden(
        "M is below 3/4 by 10^-18: the point of cap-at-equality is evaluated once",
        _settings(v=18, h_max=4, M="749999999999999999/1000000000000000000"),
        lambda y, p: abs(y[0] + F(2, 3)) - p / 8,
    ),
    "ties-in-the-plane": Golden(
        "equal values at (-2/9, 2/3) R and (2/9, -2/3) R: the least index is that of the second",
        _settings(v=24, d=2, h_max=4),
        lambda y, p: {(0, F(2, 3)): 0.5, (F(2, 9), F(2, 3)): 0.0}.get((abs(y[0]), abs(y[1])), 1.0),
    ),
    "ties-at-random": Golden(
        "five values at random, two coordinates: ties within classes and between them",
        _settings(v=60, d=2, h_max=4, M="1", eta="0.3"),
        _hashed(629, 5),
    ),
    "equal-norms": Golden(
        "K = 5: (0, 2/5) R and (6/25, 8/25) R have equal norm without being a permutation of one "
        "another: one class",
        _settings(v=120, d=2, K=5, h_max=5),
        _table(
            {
                (F(2, 5), F(0)): 0.9,
                (F(2, 5), F(2, 5)): 0.8,
                (F(6, 25), F(2, 5)): 0.7,
                (F(6, 25), F(8, 25)): 0.5,
                (F(0), F(2, 5)): 0.0,
            }
        ),
    ),
    "equal-norms-again": Golden(
        "the same for (2/5, 0) R and (8/25, 6/25) R",
        _settings(v=120, d=2, K=5, h_max=5),
        _table(
            {
                (F(2, 5), F(2, 5)): 0.8,
                (F(8, 25), F(2, 5)): 0.7,
                (F(8, 25), F(6, 25)): 0.5,
                (F(2, 5), F(0)): 0.0,
            }
        ),
    ),
    "close-values": Golden(
        "values that are different by 10^-10: no tolerance, no 32-bit numbers",
        _settings(v=34, d=2, h_max=4, M="1", eta="0.9"),
        _hashed(1758, 9, 1e-10),
    ),
    "close-values-in-space": Golden(
        "the same with three coordinates",
        _settings(v=20, d=3, h_max=4, M="1"),
        _hashed(777, 5, 1e-10),
    ),
    "many-evaluations": Golden(
        "two coordinates: base points off the axes are evaluated as often as M ||y|| allows",
        _settings(v=60, d=2, h_max=3, M="1", eta="0.9"),
        _hashed(1439, 9),
    ),
    "full-tree-twice": Golden(
        "h_max = 2: base points are evaluated again until the tree is full",
        _settings(v=44, h_max=2, M="3/2"),
        _hashed(184, 5),
    ),
    "cut-at-the-best": Golden(
        "the best value is found in an expansion that the budget cuts: it is the answer",
        _settings(v=10, d=2, h_max=4, M="10", eta="0.9"),
        _hashed(1128, 9),
    ),
    "minus-infinity": Golden(
        "-inf is a value: nothing is less, and the run goes on",
        _settings(v=15, h_max=3),
        lambda y, p: -math.inf if y[0] > F(1, 2) else 1.0,
    ),
    "minus-infinity-at-the-root": Golden(
        "-inf at the first evaluation: only nu_min = none admits other leaves",
        _settings(v=15, h_max=3),
        lambda y, p: float(y[0]) if y[0] else -math.inf,
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
        y, size = [F(0)] * d, [F(1)] * d
        for depth, digit in enumerate(reversed(digits)):
            j = depth % d
            size[j] /= K
            y[j] += 2 * (digit - K // 2) * size[j]
        return float(golden.value(tuple(y), p))

    return g


def events(golden: Golden) -> list[Fields]:
    """Run the package and return the trace."""
    return package.trace_of_run(golden.settings, objective(golden))


def text(golden: Golden) -> str:
    """The trace as its file has it."""
    return "".join(map(dump, events(golden)))


@cache
def caught() -> dict[str, list[str]]:
    """For each bug the golden traces that the changed program does not give, the shortest first."""
    traces = {
        name: json.loads(f"[{text(g).replace(chr(10), ',')[:-1]}]") for name, g in GOLDENS.items()
    }
    order = sorted(traces, key=lambda name: len(traces[name]))
    return {
        bug.name: [name for name in order if bugs.first_difference(bug, traces[name]) is not None]
        for bug in bugs.BUGS
    }


def tables() -> dict[str, str]:
    """The tables of the README: the files, and the bugs that they catch."""
    files = [f"| `golden/{name}.jsonl` | {golden.shows} |\n" for name, golden in GOLDENS.items()]
    found = [
        f"| {name} | {len(names)} | {', '.join(f'`{each}`' for each in names[:2])} |\n"
        for name, names in caught().items()
    ]
    return {
        "files": "| file | what it shows |\n| --- | --- |\n" + "".join(files),
        "bugs": "| bug | traces | the shortest |\n| --- | --- | --- |\n" + "".join(found),
    }


def readme() -> str:
    """The README with its tables made again."""
    written = README.read_text(encoding="utf-8")
    for name, table in tables().items():
        head, rest = written.split(f"<!-- {name}: ", 1)
        mark, rest = rest.split("-->\n", 1)
        _, tail = rest.split(f"<!-- end of {name} -->", 1)
        written = f"{head}<!-- {name}: {mark}-->\n{table}<!-- end of {name} -->{tail}"
    return written


def main() -> int:
    """Write all files and the README's tables."""
    for name, golden in GOLDENS.items():
        (FOLDER / f"{name}.jsonl").write_text(text(golden), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
