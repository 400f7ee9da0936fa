"""Attacks: a claim's sentence as a predicate of a random instance, and the search for a
counterexample.

An attack is a function that draws an instance from a `Draw` and returns whether the sentence in its
docstring holds for this instance::

    @attack("norm-monotonicity")
    def test_the_greatest_norm_of_a_depth(draw: Draw) -> bool:
        K, d = draw.choice("K", [3, 5]), draw.integer("d", 1, 3)
        ...

It is a test as well. The attack on a sentence that we hold must find nothing; with ``printed=True``
the sentence is one that we hold to be false, and the attack must find a counterexample.

Every draw is an integer between two bounds. So an instance is a list of integers, and three engines
can choose them:

- Hypothesis (`by_hypothesis`), which follows `Draw.target` and shrinks what it finds;
- a random search (`by_chance`), much faster for each instance. Every other instance is a change of
  one of the instances with the greatest targets. It shrinks by `simplest`;
- an enumeration (`by_enumeration`) of all instances, in the place of the random search if they are
  few enough.
"""

import contextlib
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, Verbosity

T = TypeVar("T")
Source = Callable[[int, int], int]
"""Chooses an integer between two bounds, both included."""

BY_HYPOTHESIS = 100
"""Number of instances that a search leaves to Hypothesis, the slowest engine."""
EXAMPLES = 40
"""Number of instances of an attack that runs as a test."""
EXAMPLES_PRINTED = 20_000
"""Largest number of instances until the attack on a false sentence has found a counterexample."""
SECONDS = 120.0
"""Time limit of the random search of an attack that runs as a test."""
NIGHTLY = 10_000
TRIES = 3000
"""Largest number of instances that shrinking tries."""
CLOCK = 20
"""Number of instances between two readings of the clock, which may cost more than an instance."""
POOL = 8
"""Number of instances with the greatest targets that the random search changes."""
SAMPLED = 100
"""Number of instances from which the number of all instances is estimated."""


class Rejected(Exception):
    """The instance does not meet the conditions of the sentence."""


class Draw:
    """Draws an instance, and records what was drawn, so that it can be printed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.paths = 1
        """The product of the numbers of possibilities of the draws so far."""
        self.choices: list[int] = []
        self.shown: dict[str, object] = {}
        self.score: float | None = None

    def _choose(self, low: int, high: int) -> int:
        choice = self._source(low, high)
        self.choices.append(choice)
        self.paths *= high - low + 1
        return choice

    def integer(self, name: str, low: int, high: int) -> int:
        """Draw an integer between two bounds, both included."""
        self.shown[name] = number = self._choose(low, high)
        return number

    def size(self, name: str, low: int, high: int) -> int:
        """Draw an integer between two bounds, small ones more often: its excess over `low`, plus 1,
        has any number of binary digits with the same probability."""
        digits = self._choose(0, (high - low + 1).bit_length() - 1)
        least = low + 2**digits - 1
        self.shown[name] = number = self._choose(least, min(high, least + 2**digits - 1))
        return number

    def choice(self, name: str, values: Sequence[T]) -> T:
        """Draw an element of a sequence. The first one counts as the simplest."""
        value = values[self._choose(0, len(values) - 1)]
        self.shown[name] = getattr(value, "__name__", value)
        return value

    def flag(self, name: str) -> bool:
        """Draw False or True."""
        return self.choice(name, [False, True])

    def _grid(self, low: Fraction, high: Fraction, parts: int) -> Fraction:
        """Draw an end of one of the equal parts of an interval; 0 is the simplest, or `low`."""
        zero = -low * parts / (high - low)
        if 0 <= zero <= parts and zero.denominator == 1:
            return (high - low) * Fraction(self._choose(-int(zero), parts - int(zero)), parts)
        return low + (high - low) * Fraction(self._choose(0, parts), parts)

    def _real(self, low: float, high: float, parts: int) -> float:
        zero = -low * parts / (high - low)
        if 0 <= zero <= parts and zero == int(zero):
            return (high - low) * self._choose(-int(zero), parts - int(zero)) / parts
        return low + (high - low) * self._choose(0, parts) / parts

    def fraction(
        self, name: str, low: Fraction | int, high: Fraction | int, parts: int
    ) -> Fraction:
        """Draw one of the numbers that divide an interval into equal parts, ends included."""
        number = self._grid(Fraction(low), Fraction(high), parts)
        self.shown[name] = str(number)
        return number

    def real(self, name: str, low: float, high: float) -> float:
        """Draw a float between two bounds."""
        self.shown[name] = number = self._real(low, high, 10**6)
        return number

    def reals(self, name: str, size: int, low: float, high: float) -> list[float]:
        """Draw floats between two bounds."""
        self.shown[name] = numbers = [self._real(low, high, 1000) for _ in range(size)]
        return numbers

    def integers(self, name: str, size: int, low: int, high: int) -> list[int]:
        """Draw integers between two bounds, both included."""
        self.shown[name] = numbers = [self._choose(low, high) for _ in range(size)]
        return numbers

    def fractions(
        self, name: str, size: int, low: Fraction | int, high: Fraction | int, parts: int
    ) -> list[Fraction]:
        """Draw numbers that divide an interval into equal parts."""
        numbers = [self._grid(Fraction(low), Fraction(high), parts) for _ in range(size)]
        self.shown[name] = ", ".join(map(str, numbers))
        return numbers

    def rng(self, name: str = "seed") -> np.random.Generator:
        """Draw the seed of a random generator."""
        return np.random.default_rng(self.integer(name, 0, 2**20))

    def permutation(self, name: str, size: int) -> list[int]:
        """Draw a permutation of 0, ..., size - 1."""
        left = list(range(size))
        self.shown[name] = found = [left.pop(self._choose(0, len(left) - 1)) for _ in range(size)]
        return found

    def note(self, name: str, value: object) -> None:
        """Show a number that follows from the instance beside it."""
        self.shown[name] = value

    def assume(self, condition: object) -> None:
        """Reject the instance unless it meets a condition of the sentence."""
        if not condition:
            raise Rejected

    def target(self, score: float) -> None:
        """Direct the search to instances with a greater number, such as happened / promised."""
        self.score = float(score) if self.score is None else max(self.score, float(score))


Predicate = Callable[[Draw], bool]


@dataclass
class Outcome:
    """What a search did."""

    examples: int = 0
    """Number of instances for which the sentence was decided."""
    rejected: int = 0
    counterexample: dict[str, object] | None = None
    """What the simplest counterexample draws and notes, by name; None if none was found."""
    seconds: float = 0.0
    all: bool = False
    """Whether these are all instances that the predicate can draw."""

    def add(self, other: "Outcome") -> "Outcome":
        """Return this outcome and then another one."""
        return Outcome(
            self.examples + other.examples,
            self.rejected + other.rejected,
            other.counterexample,
            self.seconds + other.seconds,
            other.all,
        )


class Attack(NamedTuple):
    """An attack on a claim."""

    claims: tuple[str, ...]
    printed: bool
    """Whether the sentence is one that we hold to be false."""
    predicate: Predicate
    sentence: str
    rate: str
    """The rate of false alarms for each instance, if the predicate is statistical; else empty."""

    @property
    def name(self) -> str:
        """The name of the test function without ``test_``."""
        return self.predicate.__name__.removeprefix("test_")


@dataclass
class _Registry:
    attacks: list[Attack] = field(default_factory=list)


REGISTRY = _Registry()


def attack(
    *claims: str, printed: bool = False, rate: str = ""
) -> Callable[[Predicate], Callable[[], None]]:
    """Turn a predicate into an attack on claims, and into a long test of `EXAMPLES` instances.

    Parameters
    ----------
    claims
        Ids of the claims.
    printed
        Whether the predicate is a sentence that we hold to be false.
    rate
        The rate of false alarms of a statistical predicate, in words.
    """

    def decorate(predicate: Predicate) -> Callable[[], None]:
        sentence = " ".join((predicate.__doc__ or "").split())
        this = Attack(claims, printed, predicate, sentence, rate)
        REGISTRY.attacks.append(this)

        def test() -> None:
            most = EXAMPLES_PRINTED if printed else EXAMPLES
            outcome = search(predicate, most, seconds=SECONDS)
            if printed:
                assert outcome.counterexample is not None, f"not refuted: {sentence}"
                print("\n".join(lines_of(this, outcome)))
            else:
                assert outcome.counterexample is None, "\n".join(lines_of(this, outcome))
                assert outcome.examples > 0, "every instance was rejected"

        test.__name__, test.__doc__ = predicate.__name__, predicate.__doc__
        test.__module__, test.__qualname__ = predicate.__module__, predicate.__qualname__
        marked = pytest.mark.long(test)
        return marked if printed else pytest.mark.claim(*claims)(marked)

    return decorate


def search(
    predicate: Predicate,
    examples: int,
    *,
    seed: int = 0,
    seconds: float = float("inf"),
    before: Outcome | None = None,
) -> Outcome:
    """Look for a counterexample, first by Hypothesis and then by enumeration or by chance.

    Parameters
    ----------
    examples
        Largest number of instances.
    seconds
        CPU time after which the enumeration or the random search ends.
    before
        The outcome of searches with other seeds that found nothing. They are continued, without
        Hypothesis, and `examples` counts their instances too.
    """
    first = before or by_hypothesis(predicate, min(examples, BY_HYPOTHESIS), seed)
    enough = first.examples if before else BY_HYPOTHESIS  # Hypothesis may try fewer
    if first.counterexample is not None or first.all or examples <= enough:
        return first
    left = seconds if before else seconds - first.seconds
    if number_of_instances(predicate) <= examples:
        found = by_enumeration(predicate, examples, left)
        if found.all:  # the instances of the first searches are among them
            return found
        return first.add(found)
    return first.add(by_chance(predicate, examples - first.examples, seed, left))


class _Refuted(Exception):
    """A counterexample was found."""


def by_hypothesis(predicate: Predicate, examples: int, seed: int = 0) -> Outcome:
    """Let Hypothesis choose the instances, follow the targets and shrink a counterexample."""
    outcome, start = Outcome(), time.process_time()
    last: dict[str, object] = {}

    @st.composite
    def instances(choose: st.DrawFn) -> bool:
        draw = Draw(lambda low, high: choose(st.integers(low, high)))
        try:
            holds = predicate(draw)
        except Rejected:
            outcome.rejected += 1
            hypothesis.reject()
        outcome.examples += 1
        if draw.score is not None:
            hypothesis.target(draw.score)
        if not holds:
            last.clear()
            last.update(draw.shown)
        return holds

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=max(1, examples),
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate, Phase.target, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    @hypothesis.given(instances())
    def run(holds: bool) -> None:
        if not holds:
            raise _Refuted

    try:
        run()
    except _Refuted:
        outcome.counterexample = dict(last)
    except hypothesis.errors.Unsatisfiable:
        pass
    outcome.seconds = time.process_time() - start
    return outcome


def by_chance(
    predicate: Predicate, examples: int, seed: int = 0, seconds: float = float("inf")
) -> Outcome:
    """Choose the instances at random, half of them near those with the greatest targets."""
    outcome, start, rng = Outcome(), time.process_time(), random.Random(seed)
    best: list[tuple[float, list[int]]] = []
    while outcome.examples < examples and outcome.rejected < 20 * examples:
        tried = outcome.examples + outcome.rejected
        if tried % CLOCK == 0 and time.process_time() - start > seconds:
            break
        near = rng.choice(best)[1] if best and rng.random() < 0.5 else None
        draw = Draw(_fresh(rng) if near is None else _changed(near, rng))
        try:
            holds = predicate(draw)
        except Rejected:
            outcome.rejected += 1
            continue
        outcome.examples += 1
        if not holds:
            outcome.counterexample = simplest(predicate, draw)
            break
        if draw.score is not None and (len(best) < POOL or draw.score > best[-1][0]):
            best.append((draw.score, draw.choices))
            best.sort(key=lambda pair: -pair[0])
            del best[POOL:]
    outcome.seconds = time.process_time() - start
    return outcome


def number_of_instances(predicate: Predicate) -> float:
    """Estimate the number of instances by Knuth's method: the mean of `Draw.paths` over uniformly
    chosen instances. Rejected instances count."""
    rng, total = random.Random(0), 0
    for _ in range(SAMPLED):
        draw = Draw(rng.randint)
        with contextlib.suppress(Rejected):
            predicate(draw)
        total += draw.paths
        if total > SAMPLED * 10**7:
            return math.inf
    return total / SAMPLED


def by_enumeration(predicate: Predicate, examples: int, seconds: float = float("inf")) -> Outcome:
    """Choose one instance after the other, in lexicographic order of the choices."""
    outcome, start = Outcome(), time.process_time()
    prefix: list[int] | None = []
    while prefix is not None and (tried := outcome.examples + outcome.rejected) < 2 * examples:
        if tried % CLOCK == 0 and time.process_time() - start > seconds:
            break
        highs: list[int] = []
        draw = Draw(_enumerated(prefix, highs))
        try:
            holds = predicate(draw)
        except Rejected:
            outcome.rejected += 1
        else:
            outcome.examples += 1
            if not holds:
                outcome.counterexample = simplest(predicate, draw)
                break
        prefix = _successor(draw.choices, highs)
    outcome.all = prefix is None
    outcome.seconds = time.process_time() - start
    return outcome


def _enumerated(prefix: list[int], highs: list[int]) -> Source:
    """Choose as a list says and then the lower bounds; keep the upper bounds in `highs`."""

    def choose(low: int, high: int) -> int:
        k = len(highs)
        highs.append(high)
        return prefix[k] if k < len(prefix) else low

    return choose


def _successor(choices: list[int], highs: list[int]) -> list[int] | None:
    """Return the start of the next list of choices; None after the last one."""
    k = len(choices)
    while k and choices[k - 1] == highs[k - 1]:
        k -= 1
    return [*choices[: k - 1], choices[k - 1] + 1] if k else None


def _fresh(rng: random.Random) -> Source:
    def choose(low: int, high: int) -> int:
        kind = rng.random()
        if kind < 0.16:
            return low if kind < 0.08 else high
        return low + int(rng.random() * (high - low + 1))  # as randint, in less time

    return choose


def _changed(choices: list[int], rng: random.Random) -> Source:
    """Choose as before, but a few choices anew; after the end, at random."""
    fresh, left = _fresh(rng), iter(choices)
    rate = min(0.5, 2 / max(1, len(choices)))

    def choose(low: int, high: int) -> int:
        old = next(left, None)
        if old is None or rng.random() < rate:
            return fresh(low, high)
        return min(max(old, low), high)

    return choose


def replayed(choices: Sequence[int]) -> Source:
    """Choose as a list says; after its end, the simplest number."""
    left = iter(choices)

    def choose(low: int, high: int) -> int:
        simple = min(max(0, low), high)
        return min(max(next(left, simple), low), high)

    return choose


def simplest(predicate: Predicate, found: Draw) -> dict[str, object]:
    """Shrink a counterexample: leave out choices or make them less, while it is one."""

    def refuted(choices: Sequence[int]) -> Draw | None:
        draw = Draw(replayed(choices))
        try:
            return None if predicate(draw) else draw
        except Rejected:
            return None

    tries, progress = 0, True
    while progress and tries < TRIES:
        progress, k = False, 0
        while k < len(found.choices) and tries < TRIES:
            old = found.choices
            shorter = [old[:k] + old[k + n :] for n in (8, 4, 2, 1) if k + n <= len(old)]
            smaller = [[*old[:k], x, *old[k + 1 :]] for x in _less(old[k])]
            for choices in shorter + smaller:
                tries += 1
                draw = refuted(choices)
                if draw is not None and _simpler(draw.choices, old):
                    found, progress = draw, True
                    break
            else:
                k += 1
    return found.shown


def _less(x: int) -> list[int]:
    """Return numbers nearer to 0, the nearest first."""
    return list(dict.fromkeys(y for y in (0, x // 2, x - 1, x + 1) if abs(y) < abs(x)))


def _simpler(new: Sequence[int], old: Sequence[int]) -> bool:
    return (len(new), [abs(x) for x in new]) < (len(old), [abs(x) for x in old])


def lines_of(this: Attack, outcome: Outcome) -> list[str]:
    """Return what an attack did, as lines of text."""
    kind = "a sentence that we hold to be false" if this.printed else "a sentence that we hold"
    lines = [f"{', '.join(this.claims)}: {this.name} ({kind})", f"    {this.sentence}"]
    if this.rate:
        lines.append(f"    false alarms: {this.rate}")
    if outcome.counterexample is None:
        number = f"all {outcome.examples}" if outcome.all else f"{outcome.examples}"
        return [*lines, f"    no counterexample in {number} instances"]
    lines.append(f"    counterexample, after {outcome.examples} instances:")
    return lines + [f"      {name} = {value}" for name, value in outcome.counterexample.items()]


def as_text(counterexample: dict[str, Any]) -> str:
    """Return a counterexample in one line."""
    return "; ".join(f"{name} = {value}" for name, value in counterexample.items())
