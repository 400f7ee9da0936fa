"""Check a trace: follow the run that its values belong to, up to the first difference.

`Follower` sends the values of the trace to the generator of the run, of Algorithm 1 or of a
forest, and compares each event of the trace with that of the run. `differences` says what the first
difference breaks. A conforming trace is a run as this project reads the paper, event by event. A
trace does not show whether its values are those of an objective.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.traces import events
from embedded_hunter.traces.differences import NOTHING, VISIT_IS_OVER, Difference, explain


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

    `lines` are those of the trace, in the format of `events`. FormatError, which names the line, if
    they are not a trace.
    """
    settings, given = events.open_trace(lines)
    follower = Follower(settings, given)
    deviation = None
    try:
        follower.follow()
    except Deviates as error:
        deviation = Deviation(follower.line, *explain(error.difference))
    return Report(follower.accepted, deviation, policy_of(settings).statement)


class Deviates(Exception):
    """The next event of the trace is not that of the run."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference


class Follower:
    """A trace that is compared with its run.

    A trace of a policy with `trace_defaults` may leave out the events `sweep`, `visit` and `end`,
    each kind as a whole, and may have expansions of a visit before evaluations that come first in
    the run.

    Attributes
    ----------
    line
        Line of the next event, counted from 1.
    accepted
        Number of events accepted so far.
    """

    def __init__(self, settings: Parameters, given: Iterator[tuple[int, Fields]]) -> None:
        self.settings = settings
        self.line, self.accepted = 1, 0
        self._given = given
        self._found = NOTHING  # the next event of the trace
        self._is_free = bool(policy_of(settings).trace_defaults)
        self._has: dict[str, bool] = {}  # whether the trace has this kind of events; see `_begin`
        self._visit: AnyVisit
        self._refine: Fields = {}  # the event that begins the visit, if it is a generation
        self._expands = False  # whether the trace has expanded a leaf in this sweep
        self._evaluations = 0  # of the visits that are complete

    def follow(self) -> None:
        """Compare the whole trace with the run; raise `Deviates` at the first difference."""
        self._advance()
        run = run_of(self.settings)
        self._visit, sweep, answer = next(run), 0, None
        while answer is None:
            self._begin(sweep)
            values = self._values()
            self._evaluations += len(values)
            self._refuse_more()
            sweep, last = self._visit.sweep, self._visit
            try:
                self._visit = run.send(values)
            except StopIteration as stop:
                answer = stop.value
        if not self._is_free or self._found != NOTHING:
            self._accept(events.end(last, answer, self._evaluations, self.settings))
        if self._found != NOTHING:
            raise self._deviates(NOTHING)

    def _begin(self, sweep: int) -> None:
        """Compare the events that begin a visit. The first place for one says if there are any."""
        self._refine = {}
        for expected in events.visit_begins(self._visit, sweep, self.settings):
            kind, found = expected["event"], self._found["event"]
            if kind == "sweep":
                self._expands = False
            if kind == "refine":
                self._refine = expected
            if found == "end" and not self._has:
                raise self._deviates(expected)
            if not self._is_free or self._has.setdefault(kind, found == kind):
                self._accept(expected)
            elif found == kind:
                raise self._deviates(expected)

    def _values(self) -> list[float]:
        """Compare the expansions and evaluations of a visit; return the values of the trace."""
        pending = list(
            events.events_of(self._visit, [0.0] * len(self._visit.evaluations), self.settings)
        )
        values: list[float] = []
        last = None
        while pending:
            kind, expected = self._found["event"], pending[0]
            if kind == "expand" and self._is_free:
                none_left = VISIT_IS_OVER if last == "expand" else expected
                expected = next((e for e in pending if e["event"] == "expand"), none_left)
            if kind == "evaluate" == expected["event"]:
                value = float(self._found["value"])
                node = getattr(self._visit.evaluations[len(values)], "node", None)
                f_star = value if node is None else min(node.f_star, value)
                values.append(value)
                self._accept(expected | {"value": value}, f_star)
            else:
                self._accept(expected, expected.get("nu_min"))
            pending.remove(expected)
            self._expands, last = self._expands or kind == "expand", kind
        return values

    def _refuse_more(self) -> None:
        """Raise `Deviates` if the trace has more expansions or evaluations in this visit."""
        kind = self._found["event"]
        is_over = not self._is_free or self._has.get("visit")
        if kind == "evaluate" or (kind == "expand" and is_over):
            raise self._deviates(VISIT_IS_OVER)

    def _accept(self, expected: Fields, f_star: object = None) -> None:
        """Require that the next event is the expected one, and go on to the one after it.

        `f_star` is the value of the field of this name, which an event may have or not.
        """
        found = self._found
        if found["event"] != expected["event"]:
            raise self._deviates(expected)
        if "f_star" in found:
            expected = expected | {"f_star": f_star}
        names = [name for name in expected if not is_same(found[name], expected[name])]
        if names:
            raise self._deviates(expected, names)
        self.accepted += 1
        self._advance()

    def _advance(self) -> None:
        self.line, self._found = next(self._given, (self.line + 1, NOTHING))

    def _deviates(self, expected: Fields, names: Sequence[str] = ()) -> Deviates:
        return Deviates(
            Difference(
                found=self._found,
                expected=expected,
                names=names,
                visit=self._visit,
                mode=self._refine.get("mode", ""),
                settings=self.settings,
                left=self.settings.v - self._evaluations,
                expands=self._expands,
                writes_visits=self._has.get("visit", True),
            )
        )


def is_same(found: object, expected: object) -> bool:
    """Tell whether a field has the expected value; floats may be written as integers."""
    if isinstance(expected, float) or expected in ("inf", "-inf"):
        return float(str(found)) == float(expected)
    return found == expected
