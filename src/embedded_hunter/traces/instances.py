"""Instances of Algorithm 1 for testing a program: settings, and the values that it is told.

An instance holds the values in the order in which Algorithm 1 asks for them, not an objective. The
golden traces of the kit come first. Random instances follow. They are aimed at what programs get
wrong: ties, leaves of equal norm, indices of more than 53 bits, the cap at equality, values that
almost agree, infinite values, and budgets that end within an expansion.
"""

import hashlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, count
from pathlib import Path
from random import Random
from typing import NamedTuple

from embedded_hunter.hunter import hunt
from embedded_hunter.node import Node, splits
from embedded_hunter.run.jsonlines import parse, value_from_json
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import settings_from

GOLDEN = Path(__file__).parent / "kit" / "golden"
"""Folder of the golden traces."""

DEEP = 40
"""h_max of the instances whose trees get deep. Their indices have at most 116 bits (K = 7)."""

Point = tuple[Fraction, ...]
"""A base point in units of R: y / R, in [-1, 1]^d."""

Objective = Callable[[Point, int], float]
"""A function of a base point and of the number p of its evaluation."""


class Instance(NamedTuple):
    """A run that a program has to do."""

    name: str
    """Where the instance comes from: the name of a golden trace, or the number of a random one."""
    settings: Settings
    """The settings of the run."""
    values: tuple[float, ...]
    """The k-th evaluation has the value `values[k]`. Evaluations beyond the last have the value
    1."""


def instances(seed: int, golden: bool = True) -> Iterator[Instance]:
    """Yield instances without end: the golden traces, if `golden`, then random instances.

    The same seed gives the same instances.
    """
    if golden:
        yield from golden_instances()
    for number in count():
        yield random_instance(seed, number)


def golden_instances() -> list[Instance]:
    """Return the runs of the golden traces of Algorithm 1, the shortest first."""
    found = []
    for path in sorted(GOLDEN.glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        events = [parse(line, number) for number, line in enumerate(lines, 1)]
        values = [
            value_from_json(event["value"], "value", number)
            for number, event in enumerate(events, 1)
            if event.get("event") == "evaluate"
        ]
        settings = settings_from(events[0])
        assert isinstance(settings, Settings), "the golden traces of forests are elsewhere"
        found.append(Instance(f"golden/{path.stem}", settings, tuple(values)))
    return sorted(found, key=lambda instance: len(instance.values))


def random_instance(seed: int, number: int) -> Instance:
    """Return a random instance, the same for the same seed and number."""
    random = Random(f"{seed} {number}")
    settings, objective = random.choice(FAMILIES)(random)
    return Instance(f"random/{number}", settings, values_of(settings, objective))


def values_of(settings: Settings, objective: Objective) -> tuple[float, ...]:
    """Return the values of an objective in the order in which Algorithm 1 asks for them."""
    run = hunt(settings)
    visit, taken = next(run), []
    while True:
        values = [float(objective(point(node, settings), p)) for node, p in visit.evaluations]
        taken += values
        try:
            visit = run.send(values)
        except StopIteration:
            return tuple(taken)


def point(node: Node, settings: Settings) -> Point:
    """Return the base point of a node in units of R, exactly."""
    numbers = splits(node.h, settings.d)
    return tuple(Fraction(2 * c, settings.K**s) for c, s in zip(node.c, numbers, strict=True))


def _settings(
    d: int, v: int, K: int, h_max: int, M: Fraction = Fraction(0), eta: Fraction = Fraction(1, 2)
) -> Settings:
    return Settings(n=d, d=d, v=v, K=K, h_max=h_max, M=M, eta=eta)


def _hashed(random: Random, levels: int, unit: float = 1.0) -> Objective:
    """Return an objective with values 1, 1 + unit, ..., 1 + (levels - 1) unit at random."""
    salt = random.getrandbits(64)

    def value(y: Point, p: int) -> float:
        text = f"{salt}: {', '.join(map(str, y))}; {p}".encode()
        digest = hashlib.blake2b(text, digest_size=6).digest()
        return 1 + unit * (int.from_bytes(digest, "big") % levels)

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


def _close(random: Random) -> tuple[Settings, Objective]:
    """Values that differ by 10^-10."""
    M, levels = Fraction(random.randint(0, 2)), random.choice([3, 5, 9])
    return _shallow(random, M), _hashed(random, levels, 1e-10)


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


def _deep(random: Random) -> tuple[Settings, Objective]:
    """The search goes down to one point; then its nearest neighbour there is the second best."""
    K = random.choice([3, 3, 5, 7])
    best = Fraction(2 * random.choice([-1, 1]) * random.randint(1, K // 2), K)
    # (best + 2 / K^levels)^2 and best^2 agree in 53 bits.
    levels = math.ceil(54 / math.log2(K)) + random.randint(0, 2)
    second = best + random.choice([-1, 1]) * Fraction(2, K**levels)
    # A sweep expands two leaves: the first one, and the one that leads a level deeper.
    settings = _settings(1, 2 * (K - 1) * (levels + random.randint(1, 3)), K, DEEP)
    return settings, lambda y, p: {best: 0.0, second: 0.5}.get(y[0], 1.0)


def _equal_norms(random: Random) -> tuple[Settings, Objective]:
    """Two coordinates; equal norms of points that are no permutations of one another."""
    K = random.choice([5, 5, 5, 7])
    half = (K * K - 1) // 2
    pairs: dict[int, list[tuple[int, int]]] = {}
    for a in range(half + 1):
        for b in range(a, half + 1):
            pairs.setdefault(a * a + b * b, []).append((a, b))
    choices = [pair for same in pairs.values() for pair in combinations(same, 2)]
    targets = []
    for a, b in random.choice(choices):
        a, b = random.choice([(a, b), (b, a)])
        signs = random.choice([-1, 1]), random.choice([-1, 1])
        targets.append((Fraction(2 * signs[0] * a, K * K), Fraction(2 * signs[1] * b, K * K)))
    least = [random.choice([0.0, 0.5]), random.choice([0.0, 0.5])]
    noise, shift = _hashed(random, 4, 0.1), random.choice([0.0, 0.5])

    def value(y: Point, p: int) -> float:
        if y in targets:
            return least[targets.index(y)]
        cells = [max(abs(y[0] - x), abs(y[1] - z)) for x, z in targets]
        near = min(cells) <= Fraction(1, K)
        return noise(y, p) - shift if near else noise(y, p) + 1 - shift

    return _settings(2, random.randint(60, 160), K, 5), value


FAMILIES: list[Callable[[Random], tuple[Settings, Objective]]] = [
    _ties,
    _symmetric,
    _symmetric,
    _close,
    _infinite,
    _smooth,
    _smooth,
    _cap,
    _cap,
    _deep,
    _equal_norms,
]
"""The families of random instances; each has a share in proportion to its entries."""


def smaller(instance: Instance) -> Iterator[Instance]:
    """Yield instances that are simpler than this one.

    Their settings are smaller; or their values are integers in the same order, the most frequent
    one being 1; or some of their values are 1.
    """
    name, settings, values = instance
    written = {field: getattr(settings, field) for field in ("d", "v", "K", "h_max", "M", "eta")}

    def other(**changed: int | Fraction) -> Instance:
        return Instance(name, _settings(**{**written, **changed}), values)

    for v in sorted(
        {1, settings.v // 2, settings.v - 4, settings.v - 1} & set(range(1, settings.v))
    ):
        yield other(v=v)
    for d in range(1, settings.d):
        yield other(d=d)
    for K in range(3, settings.K, 2):
        yield other(K=K)
    for h_max in sorted({0, 1, settings.h_max - 1} & set(range(settings.h_max))):
        yield other(h_max=h_max)
    for M in (Fraction(0), Fraction(1), Fraction(settings.M).limit_denominator(10)):
        if M < settings.M and M.denominator <= Fraction(settings.M).denominator:
            yield other(M=M)
    if settings.eta != Fraction(1, 2):
        yield other(eta=Fraction(1, 2))
    if not set(values) <= set(range(-len(values), len(values) + 2)):
        usual = max(sorted(values), key=values.count)
        order = sorted(set(values))
        simple = {value: float(order.index(value) - order.index(usual) + 1) for value in order}
        yield instance._replace(values=tuple(simple[value] for value in values))
    size = len(values)
    while size:
        for k in range(0, len(values), size):
            part = values[k : k + size]
            if part != (1.0,) * len(part):
                ones = (*values[:k], *(1.0 for _ in part), *values[k + size :])
                yield instance._replace(values=ones)
        size //= 2
