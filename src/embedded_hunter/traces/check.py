"""Check a trace: follow the run that its values belong to, up to the first difference.

`Follower` sends the values of the trace to the generator of the run, and compares each event of the
trace with that of the run. `differences` says what the first difference breaks. A conforming trace
is a run as this project reads the paper, event by event. A trace does not show whether its values
are those of an objective.
"""

from collections.abc import Iterable
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from embedded_hunter.node import Node
from embedded_hunter.projection import next_visit
from embedded_hunter.run.events import Evaluate, Event, Expand, Sweep, end_of
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.run.run import Run
from embedded_hunter.traces.differences import (
    Comparison,
    Over,
    Wrong,
    breaks_off,
    explain,
    reference,
)
from embedded_hunter.traces.reading import open_trace
from embedded_hunter.traces.writing import trace_of, written


class Deviation(NamedTuple):
    """The first event of a trace that differs from the run."""

    line: int
    """Line of the file, counted from 1."""
    rule: str
    """"initialization" or "line k" of Algorithm 1; "the rules" of another policy."""
    sentence: str
    """A sentence that says what is wrong."""


class Report(NamedTuple):
    """The outcome of a check."""

    events: int
    """Number of events that conform."""
    deviation: Deviation | None
    """The first event that breaks a rule, None if the whole trace conforms."""
    of: str = "Algorithm 1"
    """The reference of the check: Algorithm 1 or the policy forest."""

    @property
    def conforms(self) -> bool:
        """Whether the whole trace conforms."""
        return self.deviation is None

    def __str__(self) -> str:
        """Return the verdict as a sentence."""
        if self.deviation is None:
            return f"The trace conforms to {self.of}: {self.events} events."
        line, rule, sentence = self.deviation
        where = rule if rule == "initialization" else f"{rule} of {self.of}"
        return f"Line {line} of the trace breaks {where}: {sentence}."


def check(lines: Iterable[str | bytes]) -> Report:
    """Check a trace against the run that its values belong to.

    `lines` are those of the trace, in the format of `writing`. FormatError, which names the line,
    if they are not a trace.
    """
    return Follower(lines).report()


def report_on(run: Run) -> Report:
    """Report on a run of this package. It follows the rules, but may not have ended."""
    *_, (number, last) = enumerate(trace_of(run))
    ended = last.get("event") == "end"  # the header has none
    deviation = None if ended else Deviation(number + 2, *breaks_off(run.settings))
    return Report(number, deviation, reference(run.settings))


class Deviates(Exception):
    """The next event of the trace is not that of the run."""


class Follower:
    """A trace that is compared with its run, as far as both agree.

    Attributes
    ----------
    now
        Where the trace and the run differ first, if they do.
    conforms
        Whether they do not differ.
    line
        Line of the first event that is not accepted, counted from 1.
    accepted
        Number of events accepted.
    values
        The values of the evaluations accepted.
    """

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        settings, self._given = open_trace(lines)
        self._run = run_of(settings)
        self.now = Comparison(settings, next(self._run))
        self.conforms = False
        self.line, self.accepted = 1, 0
        self.values: list[float] = []
        with suppress(Deviates):
            self._follow()
            self.conforms = True

    def report(self) -> Report:
        """Return the outcome."""
        deviation = None if self.conforms else Deviation(self.line, *explain(self.now))
        return Report(self.accepted, deviation, reference(self.now.settings))

    @property
    def is_beginning(self) -> bool:
        """Whether the trace is the beginning of a run, or all of it."""
        return self.conforms or not self.now.found

    @property
    def run(self) -> Run:
        """The run of the events accepted."""
        return Run(self.now.settings, values=self.values)

    def _follow(self) -> None:
        """Compare the whole trace with the run; raise `Deviates` at the first difference."""
        now, settings = self.now, self.now.settings
        narrate = policy_of(settings).narrate
        self._advance()
        visit: AnyVisit | None = now.visit
        while visit is not None:
            now.visit, now.story = visit, list(narrate(settings, visit))
            for event in filter(written, now.story):
                self._accept(event)
            values = self.values[now.complete :]
            now.complete = len(self.values)
            if now.kind in ("evaluate", "expand"):
                self._stop(Over())
            visit = next_visit(self._run, values)
        self._accept(end_of(now.visit, self.values, settings.v))
        if now.found:
            self._stop(None)

    def _accept(self, expected: Event) -> None:
        """Require that the next event is the expected one, and go on to the one after it."""
        found = self.now.found
        if self.now.kind != written(expected)["event"]:
            self._stop(expected)
        value = float(found["value"]) if isinstance(expected, Evaluate) else 0.0
        fields = written(expected, value)
        if "f_star" in found:
            fields["f_star"] = _f_star(expected, value)
        pairs = {name: (right, found[name]) for name, right in fields.items()}
        wrong = {name: pair for name, pair in pairs.items() if not is_same(*pair)}
        if wrong:
            self._stop(expected, wrong)
        if isinstance(expected, Sweep | Expand):
            self.now.expands = isinstance(expected, Expand)
        if isinstance(expected, Evaluate):
            self.values.append(value)
        self.accepted += 1
        self._advance()

    def _advance(self) -> None:
        self.line, self.now.found = next(self._given, (self.line + 1, {}))

    def _stop(self, expected: Event | Over | None, wrong: Wrong = MappingProxyType({})) -> NoReturn:
        """Keep the difference, and raise `Deviates`."""
        self.now.expected, self.now.wrong = expected, wrong
        raise Deviates


def _f_star(event: Event, value: float) -> float:
    """Return the f* of the node of an event after it; `value` is that of an evaluation."""
    match event:
        case Expand(leaf):
            return leaf.f_star
        case Evaluate(node=Node() as node):
            return min(node.f_star, value)
    return value


def is_same(expected: object, found: object) -> bool:
    """Tell whether a field has the expected value; floats may be written as integers."""
    if isinstance(expected, float) or expected in ("inf", "-inf"):
        return float(str(found)) == float(str(expected))
    return found == expected
