"""Instances of Algorithm 1 for testing a program: settings, and the values that it is told.

An instance holds the values in the order in which Algorithm 1 asks for them, not an objective. The
golden traces of the kit come first. Random instances follow. They are aimed at what programs get
wrong: ties, the cap at equality, infinite values, and budgets that end within an expansion.
"""

import hashlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from embedded_hunter.hunter import Visit, hunt
from embedded_hunter.node import Node, splits
from embedded_hunter.run.drive import next_visit
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import open_trace

GOLDEN = Path(__file__).parent / "kit" / "golden"
"""Folder of the golden traces."""

Point = tuple[Fraction, ...]
"""A base point in units of R: y / R, in [-1, 1]^d."""

Objective = Callable[[Point, int], float]
"""A function of a base point and of the number p of its evaluation."""


class DrivenInstance(NamedTuple):
    """A run that a program has to do."""

    name: str
    """Where the instance comes from: the name of a golden trace, or the number of a random one."""
    settings: Settings
    """The settings of the run."""
    values: tuple[float, ...]
    """The k-th evaluation has the value `values[k]`. Evaluations beyond the last have the value
    1."""


def instances(seed: int) -> Iterator[DrivenInstance]:
    """Yield instances without end: the golden traces, then random instances.

    The same seed gives the same instances.
    """
    yield from golden_instances()
    for number in count():
        yield random_instance(seed, number)


def golden_instances() -> list[DrivenInstance]:
    """Return the runs of the golden traces of Algorithm 1, the shortest first."""
    found = []
    for path in sorted(GOLDEN.glob("*.jsonl")):
        settings, events = open_trace(path.read_text(encoding="utf-8").splitlines())
        assert isinstance(settings, Settings), "the golden traces of forests are elsewhere"
        values = (float(event["value"]) for _, event in events if event["event"] == "evaluate")
        found.append(DrivenInstance(f"golden/{path.stem}", settings, tuple(values)))
    return sorted(found, key=lambda instance: len(instance.values))


def random_instance(seed: int, number: int) -> DrivenInstance:
    """Return a random instance, the same for the same seed and number."""
    random = Random(f"{seed} {number}")
    settings, objective = random.choice(FAMILIES)(random)
    return DrivenInstance(f"random/{number}", settings, values_of(settings, objective))


def values_of(settings: Settings, objective: Objective) -> tuple[float, ...]:
    """Return the values of an objective in the order in which Algorithm 1 asks for them."""
    run, taken = hunt(settings), []
    visit: Visit | None = next(run)
    while visit is not None:
        values = [float(objective(point(node, settings), p)) for node, p in visit.evaluations]
        taken += values
        visit = next_visit(run, values)
    return tuple(taken)


def point(node: Node, settings: Settings) -> Point:
    """Return the base point of a node in units of R, exactly."""
    numbers = splits(node.h, settings.d)
    return tuple(Fraction(2 * c, settings.K**s) for c, s in zip(node.c, numbers, strict=True))


def _settings(
    d: int, v: int, K: int, h_max: int, M: Fraction = Fraction(0), eta: Fraction = Fraction(1, 2)
) -> Settings:
    return Settings(n=d, d=d, v=v, K=K, h_max=h_max, M=M, eta=eta)


def _hashed(random: Random, levels: int) -> Objective:
    """Return an objective with values 1, 2, ..., levels at random."""
    salt = random.getrandbits(64)

    def value(y: Point, p: int) -> float:
        text = f"{salt}: {', '.join(map(str, y))}; {p}".encode()
        digest = hashlib.blake2b(text, digest_size=6).digest()
        return 1.0 + int.from_bytes(digest, "big") % levels

    return value


def _shallow(random: Random, M: Fraction = Fraction(0), eta: Fraction = Fraction(1, 2)) -> Settings:
    d = random.randint(1, 4)
    v = random.choice([random.randint(1, 12), random.randint(1, 40), random.randint(1, 120)])
    return _settings(d, v, random.choice([3, 3, 3, 5, 7]), random.randint(0, 6), M, eta)


def _ties(random: Random) -> tuple[Settings, Objective]:
    """Few different values, at random."""
    eta = Fraction(random.randint(1, 9), 10)
    M = random.choice([Fraction(0), Fraction(random.randint(0, 40), 20)])
    return _shallow(random, M, eta), _hashed(random, random.choice([1, 2, 3, 5, 9]))


def _symmetric(random: Random) -> tuple[Settings, Objective]:
    """Several coordinates, and equal values at points that differ by signs: ties within classes."""
    d, hashed = random.randint(2, 3), _hashed(random, random.choice([3, 5, 9]))
    settings = _settings(d, random.randint(20, 100), random.choice([3, 3, 5]), random.randint(3, 5))
    return settings, lambda y, p: hashed(tuple(map(abs, y)), p)


def _infinite(random: Random) -> tuple[Settings, Objective]:
    """Values some of which are infinite, or all."""
    hashed = _hashed(random, 7)
    high, low = random.choice([(3, 1), (9, 1), (1, 1), (3, 2), (6, 2), (9, 2)])

    def value(y: Point, p: int) -> float:
        drawn = hashed(y, p)
        return math.inf if drawn > high else -math.inf if drawn < low else drawn

    return _shallow(random, Fraction(random.randint(0, 1))), value


def _smooth(random: Random) -> tuple[Settings, Objective]:
    """A slope or a valley, so that the search goes deep; later evaluations may be better."""
    settings = _shallow(random, Fraction(random.randint(0, 20), 10))
    weights = [random.randint(-3, 3) for _ in range(settings.d)]
    center = [Fraction(random.randint(-20, 20), 20) for _ in range(settings.d)]
    later = random.choice([0, 0, 1, Fraction(1, 8), -1])
    if random.random() < 0.4:
        return settings, lambda y, p: float(
            sum(w * c for w, c in zip(weights, y, strict=True)) - later * p
        )
    return settings, lambda y, p: float(
        sum(abs(c - m) for c, m in zip(y, center, strict=True)) - later * p
    )


def _cap(random: Random) -> tuple[Settings, Objective]:
    """M ||y|| is an integer for a base point y that attracts the search, or almost an integer."""
    K, d = random.choice([3, 3, 5]), random.choice([1, 1, 1, 2])
    m = random.randint(1, 2)
    root = random.randint(1, (K**m - 1) // 2)
    target = (Fraction(random.choice([-1, 1]) * 2 * root, K**m),) + (Fraction(0),) * (d - 1)
    while True:  # decimals of few digits, where the rounding of floating-point numbers decides
        eta = Fraction(random.randint(1, 9), 10)
        M = random.randint(1, 3) * eta / (d * abs(target[0]))
        if (2**12 % M.denominator and 10**6 % M.denominator == 0) or random.random() < 0.2:
            break
    M *= 1 + random.choice([0, 0, 0, 0, -1, 1]) * Fraction(1, 10 ** random.choice([4, 18]))
    better = random.choice([Fraction(1, 8), Fraction(-1, 8)])
    settings = _settings(d, random.randint(10, 60), K, 4 * d, M, eta)
    return settings, lambda y, p: float(
        sum(abs(c - t) for c, t in zip(y, target, strict=True)) - better * p
    )


FAMILIES: list[Callable[[Random], tuple[Settings, Objective]]] = [
    _ties,
    _symmetric,
    _symmetric,
    _infinite,
    _smooth,
    _smooth,
    _cap,
    _cap,
]
"""The families of random instances; each has a share in proportion to its entries."""
