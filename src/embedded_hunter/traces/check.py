"""Check a trace: follow the run that its values belong to, up to the first difference.

`Follower` sends the values of the trace to the generator of the run, and compares each event of the
trace with that of the run. `differences` says what the first difference breaks. A conforming trace
is a run as this project reads the paper, event by event. A trace does not show whether its values
are those of an objective.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from embedded_hunter.events import (
    Evaluate,
    Event,
    Expand,
    Generation,
    Iteration,
    Sweep,
    end_of,
)
from embedded_hunter.node import Node
from embedded_hunter.policy import AnyVisit
from embedded_hunter.run.drive import next_visit
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.run.run import Run
from embedded_hunter.traces.differences import (
    Difference,
    Over,
    broken_by_an_early_end,
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
    """The broken rule: "initialization" or "line k" of Algorithm 1, or "rule Fk" of `forest`."""
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
    number, last = 0, Fields()
    for number, last in enumerate(trace_of(run)):  # noqa: B007 -- the last one
        pass
    deviation = None
    if last["event"] != "end":
        deviation = Deviation(number + 2, *broken_by_an_early_end(run.settings))
    return Report(number, deviation, reference(run.settings))


class Deviates(Exception):
    """The next event of the trace is not that of the run."""


class Follower:
    """A trace that is compared with its run, as far as both agree.

    A trace may leave out the events `sweep`, `visit` and `end`, each kind as a whole, and may have
    expansions of a visit before evaluations that come first in the run.

    Attributes
    ----------
    settings
        The settings in the header of the trace.
    difference
        The first difference, None if the whole trace conforms.
    line
        Line of the first event that is not accepted, counted from 1.
    accepted
        Number of events accepted.
    values, points
        The values of the evaluations accepted, and the field `x` of each; None where it has none.
    """

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        self.settings, self._given = open_trace(lines)
        self.difference: Difference | None = None
        self.line, self.accepted = 1, 0
        self.values: list[float] = []
        self.points: list[object] = []
        self._found: Fields = {}  # the next event of the trace; empty at its end
        self._writes: dict[str, bool] = {}  # whether the trace has this kind of events
        self._visit: AnyVisit
        self._story: list[Event] = []  # the events of the visit
        self._sweep: Sweep | None = None
        self._expands = False  # whether the trace has expanded a leaf in this sweep
        self._complete = 0  # the evaluations of all complete visits
        with suppress(Deviates):
            self._follow()

    def report(self) -> Report:
        """Return the outcome."""
        deviation = None
        if self.difference is not None:
            deviation = Deviation(self.line, *explain(self.difference))
        return Report(self.accepted, deviation, reference(self.settings))

    @property
    def breaks_off(self) -> bool:
        """Whether there is no difference, except that the trace ends before the run does."""
        return self.difference is None or not self.difference.found

    @property
    def run(self) -> Run:
        """The run of the events accepted."""
        return Run(self.settings, values=self.values)

    def _follow(self) -> None:
        """Compare the whole trace with the run; raise `Deviates` at the first difference."""
        self._advance()
        run, narrate = run_of(self.settings), policy_of(self.settings).narrate
        visit: AnyVisit | None = next(run)
        while visit is not None:
            self._visit, self._story = visit, list(narrate(self.settings, visit))
            for event in self._story:
                if isinstance(event, Sweep | Generation | Iteration):
                    self._begin(event)
            self._compare([e for e in self._story if isinstance(e, Expand | Evaluate)])
            values = self.values[self._complete :]
            self._complete = len(self.values)
            self._refuse_more()
            visit = next_visit(run, values)
        if self._found:
            self._accept(end_of(self._visit, self.values, self.settings.v))
        if self._found:
            self._stop(None)

    def _begin(self, expected: Sweep | Generation | Iteration) -> None:
        """Compare an event that begins a visit.

        The first place for an event `sweep` or `visit` shows whether the trace has these events.
        """
        kind, found = written(expected)["event"], self._kind
        if isinstance(expected, Sweep):
            self._sweep, self._expands = expected, False
        if found == "end" and not self._writes:
            self._stop(expected)
        if isinstance(expected, Generation) or self._writes.setdefault(kind, found == kind):
            self._accept(expected)
        elif found == kind:
            self._stop(expected)

    def _compare(self, pending: list[Expand | Evaluate]) -> None:
        """Compare the expansions and evaluations of a visit."""
        last = None
        while pending:
            kind, at = self._kind, 0
            if kind == "expand":  # it may come before evaluations
                expansions = (k for k, e in enumerate(pending) if isinstance(e, Expand))
                at = next(expansions, 0 if last != "expand" else -1)
            if at < 0:
                self._stop(Over())
            self._accept(pending.pop(at))
            self._expands, last = self._expands or kind == "expand", kind

    def _refuse_more(self) -> None:
        """Raise `Deviates` if the trace has more expansions or evaluations in this visit."""
        kind = self._kind
        if kind == "evaluate" or (kind == "expand" and self._writes.get("visit")):
            self._stop(Over())

    def _accept(self, expected: Event) -> None:
        """Require that the next event is the expected one, and go on to the one after it."""
        found = self._found
        if self._kind != written(expected)["event"]:
            self._stop(expected)
        value = float(found["value"]) if isinstance(expected, Evaluate) else 0.0
        wanted = written(expected, value)
        if "f_star" in found:
            wanted["f_star"] = _f_star(expected, value)
        wrong = {
            name: (right, found[name])
            for name, right in wanted.items()
            if not is_same(found[name], right)
        }
        if wrong:
            self._stop(expected, wrong)
        if isinstance(expected, Evaluate):
            self.values.append(value)
            self.points.append(found.get("x"))
        self.accepted += 1
        self._advance()

    def _advance(self) -> None:
        self.line, self._found = next(self._given, (self.line + 1, {}))

    @property
    def _kind(self) -> str | None:
        """The kind of the next event of the trace, None at its end."""
        return self._found.get("event")

    def _stop(
        self,
        expected: Event | Over | None,
        wrong: Mapping[str, tuple[object, object]] = MappingProxyType({}),
    ) -> NoReturn:
        """Keep the difference, and raise `Deviates`."""
        self.difference = Difference(
            found=self._found,
            expected=expected,
            wrong=wrong,
            visit=self._visit,
            story=self._story,
            sweep=self._sweep,
            settings=self.settings,
            left=self.settings.v - self._complete,
            expands=self._expands,
            writes_visits=self._writes.get("visit", True),
        )
        raise Deviates


def _f_star(event: Event, value: float) -> float:
    """Return the f* of the node of an event after it; `value` is that of an evaluation."""
    match event:
        case Expand(leaf):
            return leaf.f_star
        case Evaluate(node=Node() as node):
            return min(node.f_star, value)
    return value


def is_same(found: object, expected: object) -> bool:
    """Tell whether a field has the expected value; floats may be written as integers."""
    if isinstance(expected, float) or expected in ("inf", "-inf"):
        return float(str(found)) == float(str(expected))
    return found == expected
