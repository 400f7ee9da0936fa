"""Attacks: a claim's sentence as a predicate of a random instance, and Hypothesis, which looks for
a counterexample.

An attack is a function that draws an instance and returns whether the sentence in its docstring
holds for this instance::

    @attack("lemma-1", printed=True)
    def test_the_printed_lemma_1(draw: Draw) -> bool:
        h_max = draw.integer("h_max", 1, 2)
        ...

It is a test as well. The attack on a sentence that we hold must find nothing. With ``printed=True``
the sentence is one that we hold to be false, and the attack must find a counterexample.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeVar

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, Verbosity

T = TypeVar("T")
Number = Fraction | float
MOST = 20_000
"""Largest number of instances until a false sentence is refuted. None has needed 2,000."""


def grid(low: Number, high: Number, parts: int) -> st.SearchStrategy[Fraction]:
    """Draw an end of one of the equal parts of an interval; that next to 0 is the simplest."""
    start, step = Fraction(low), (Fraction(high) - Fraction(low)) / parts
    zero = min(max(round(-start / step), 0), parts)
    return st.integers(-zero, parts - zero).map(lambda k: start + step * (k + zero))


def several(strategy: st.SearchStrategy[T], size: int) -> st.SearchStrategy[list[T]]:
    """Draw a list of a given length."""
    return st.lists(strategy, min_size=size, max_size=size)


class Draw:
    """Draws an instance and keeps what was drawn, by name, so that it can be printed."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data
        self.shown: dict[str, object] = {}
        self.score: float | None = None

    def __call__(self, name: str, strategy: st.SearchStrategy[T]) -> T:
        """Draw from a strategy."""
        self.shown[name] = value = self._data.draw(strategy)
        return value

    def integer(self, name: str, low: int, high: int) -> int:
        """Draw an integer between two bounds, both included."""
        return self(name, st.integers(low, high))

    def integers(self, name: str, size: int, low: int, high: int) -> list[int]:
        """Draw integers between two bounds, both included."""
        return self(name, several(st.integers(low, high), size))

    def choice(self, name: str, values: Sequence[T]) -> T:
        """Draw an element of a sequence. The first one counts as the simplest."""
        return self(name, st.sampled_from(values))

    def flag(self, name: str) -> bool:
        """Draw False or True."""
        return self(name, st.booleans())

    def fraction(self, name: str, low: Number, high: Number, parts: int) -> Fraction:
        """Draw one of the numbers that divide an interval into equal parts, ends included."""
        return self(name, grid(low, high, parts))

    def fractions(
        self, name: str, size: int, low: Number, high: Number, parts: int
    ) -> list[Fraction]:
        """Draw numbers that divide an interval into equal parts."""
        return self(name, several(grid(low, high, parts), size))

    def real(self, name: str, low: float, high: float) -> float:
        """Draw a float between two bounds."""
        return self(name, grid(low, high, 10**6).map(float))

    def reals(self, name: str, size: int, low: float, high: float) -> list[float]:
        """Draw floats between two bounds."""
        return self(name, several(grid(low, high, 1000).map(float), size))

    def rng(self, name: str = "seed") -> np.random.Generator:
        """Draw the seed of a random generator."""
        return np.random.default_rng(self.integer(name, 0, 2**20))

    def note(self, name: str, value: object) -> None:
        """Show a number that follows from the instance beside it."""
        self.shown[name] = value

    def target(self, score: float) -> None:
        """Direct the search to instances with a greater number, such as happened / promised."""
        self.score = float(score) if self.score is None else max(self.score, float(score))


Predicate = Callable[[Draw], bool]


class Attack(NamedTuple):
    """An attack on claims."""

    claims: tuple[str, ...]
    printed: bool
    """Whether the sentence is one that we hold to be false."""
    predicate: Predicate

    @property
    def name(self) -> str:
        """The name of the test function without ``test_``."""
        return self.predicate.__name__.removeprefix("test_")

    @property
    def sentence(self) -> str:
        """The docstring in one line."""
        return " ".join((self.predicate.__doc__ or "").split())


@dataclass
class Outcome:
    """What a search did."""

    examples: int = 0
    """Number of instances for which the sentence was decided, up to the first counterexample."""
    counterexample: dict[str, object] | None = None
    """What the simplest counterexample draws and notes, by name; None if none was found."""


ATTACKS: list[Attack] = []


def attacks() -> list[Attack]:
    """Import the files of attacks, and return all attacks in their order."""
    for path in sorted(Path(__file__).parent.glob("test_on_*.py")):
        import_module(f"errata.{path.stem}")
    return ATTACKS


def attack(*claims: str, printed: bool = False) -> Callable[[Predicate], Callable[[], None]]:
    """Turn a predicate into an attack on claims and into a long test.

    The Hypothesis profile says how many instances a held sentence gets (`tests/conftest.py`).

    Parameters
    ----------
    claims
        Ids of the claims.
    printed
        Whether the predicate is a sentence that we hold to be false.
    """

    def decorate(predicate: Predicate) -> Callable[[], None]:
        this = Attack(claims, printed, predicate)
        ATTACKS.append(this)

        def test() -> None:
            profile = hypothesis.settings()
            seed = 0 if printed or profile.derandomize else None
            outcome = search(predicate, MOST if printed else profile.max_examples, seed)
            assert outcome.examples > 0, "every instance was rejected"
            refuted = outcome.counterexample is not None
            assert refuted == printed, "\n".join(lines_of(this, outcome))

        test.__name__, test.__doc__ = predicate.__name__, predicate.__doc__
        test.__module__, test.__qualname__ = predicate.__module__, predicate.__qualname__
        marked = pytest.mark.long(test)
        return marked if printed else pytest.mark.claim(*claims)(marked)

    return decorate


class _Refuted(Exception):
    """A counterexample was found."""


def search(predicate: Predicate, examples: int, seed: int | None = 0) -> Outcome:
    """Look for a counterexample, and make it as simple as possible.

    Parameters
    ----------
    examples
        Largest number of instances.
    seed
        The same seed makes the same search; None draws one.
    """
    outcome = Outcome()

    @hypothesis.settings(
        max_examples=examples, deadline=None, database=None, derandomize=False,
        phases=[Phase.generate, Phase.target, Phase.shrink], verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck), report_multiple_bugs=False, print_blob=False,
    )  # fmt: skip
    @hypothesis.given(st.data())
    def run(data: st.DataObject) -> None:
        draw = Draw(data)
        holds = predicate(draw)
        outcome.examples += outcome.counterexample is None
        if draw.score is not None:
            hypothesis.target(draw.score)
        if not holds:
            outcome.counterexample = draw.shown
            raise _Refuted

    with suppress(_Refuted, hypothesis.errors.Unsatisfiable):
        (run if seed is None else hypothesis.seed(seed)(run))()
    return outcome


def lines_of(this: Attack, outcome: Outcome) -> list[str]:
    """Return what an attack did, as lines of text."""
    kind = "a sentence that we hold to be false" if this.printed else "a sentence that we hold"
    lines = [f"{', '.join(this.claims)}: {this.name} ({kind})", f"    {this.sentence}"]
    if outcome.counterexample is None:
        return [*lines, f"    no counterexample in {outcome.examples} instances"]
    lines.append(f"    counterexample, after {outcome.examples} instances:")
    return lines + [f"      {name} = {text(x)}" for name, x in outcome.counterexample.items()]


def text(value: object) -> str:
    """Return a value as it is printed: 1/2, not Fraction(1, 2)."""
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(text, value))})"
    if isinstance(value, dict):
        return ", ".join(f"{text(key)}: {text(x)}" for key, x in value.items())
    return str(getattr(value, "__name__", value))
