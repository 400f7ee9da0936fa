"""Check whether a trace is a run of Algorithm 1; say which of its lines is broken first.

`rules.run` makes the run of the rule set `ALGORITHM_1` on the values of the trace. At the first
difference the methods of `Follower` say which line of Algorithm 1 does not allow the event.
"""

import math
from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import short
from embedded_hunter.settings import Settings
from embedded_hunter.traces import rules
from embedded_hunter.traces.checking import (
    Deviation,
    Events,
    Report,
    Trace,
    Violation,
    name_of,
    pair_of,
)
from embedded_hunter.traces.fields import WITHIN_53_BITS
from embedded_hunter.traces.rules import ALGORITHM_1, Rules, Step
from embedded_hunter.traces.variants import with_readings

Pair = tuple[int, int]
"""A node (h, i)."""


class EarlierVisit(Exception):
    """The next event of the trace belongs to a visit that is complete. The argument is its t."""


class Value(NamedTuple):
    """A value of the trace, and its line."""

    value: float
    line: int


def first(
    given: Events, settings: Settings, affordable: Settings, readings: Mapping[str, str]
) -> Report:
    """Return the number of events that conform, and the first deviation, without its cause.

    Parameters
    ----------
    given
        The events of the trace.
    settings
        The settings in its header.
    affordable
        The same settings with the budget of `events.affordable`.
    readings
        As for `check.check`.
    """
    rule_set = with_readings(ALGORITHM_1, readings, given.events)
    found = followed(given, settings, affordable, rule_set)
    violation = found.violation
    if violation is None:
        return Report(found.accepted, None)
    return Report(found.accepted, Deviation(found.line, violation.rule, violation.sentence))


class Followed(NamedTuple):
    """How far a trace follows a rule set."""

    accepted: int
    """Number of events."""
    line: int
    """The line of the next one."""
    violation: Violation | None
    """What is wrong with it, None if nothing is."""
    passed: list[Deviation]
    """What was wrong before, in fields that are passed over."""


def followed(
    given: Events,
    settings: Settings,
    affordable: Settings,
    rule_set: Rules,
    passed: frozenset[str] = frozenset(),
) -> Followed:
    """Compare a trace with a rule set. Fields in `passed` may be wrong."""
    found, last = Trace(given), None
    while True:
        follower = Follower(found, settings, affordable, rule_set, passed, last)
        try:
            follower.follow()
        except EarlierVisit as earlier:
            found, last = Trace(given), earlier.args[0]
        except Violation as violation:
            return Followed(found.accepted, found.line, violation, follower.deviations)
        else:
            return Followed(found.accepted, found.line, None, follower.deviations)


class Follower:
    """A trace that is compared with the run of a rule set."""

    def __init__(
        self,
        found: Trace,
        settings: Settings,
        affordable: Settings,
        rule_set: Rules,
        passed: frozenset[str],
        last: int | None,
    ) -> None:
        self.found, self.settings, self.affordable = found, settings, affordable
        self.rules, self._may_be_wrong, self._last = rule_set, passed, last
        self.deviations: list[Deviation] = []
        self.evaluations = 0
        self.values: dict[Pair, Value] = {}
        self._in_sweep = 0
        self._uses: dict[str, bool] = {}
        self._passed: list[Step] = []

    def follow(self) -> None:
        """Compare the whole trace with the run."""
        run = rules.run(self.rules, self.affordable)
        step, sweep = next(run), 0
        while True:
            if step.sweep > sweep:
                self._sweep(step)
                self._in_sweep = 0
            if step.t > 0:
                self._visit_event(step)
            sweep = step.sweep
            values = self._visit(step)
            self.evaluations += len(values)
            self._refuse_more(step)
            try:
                step = run.send(values)
            except StopIteration as stop:
                self._end(step, stop.value)
                return

    # --- the events one by one -------------------------------------------------------------------

    def _kind(self) -> str:
        """Return the kind of the next event, Violation if the trace has ended."""
        kind = self.found.event["event"]
        if kind is None:
            raise Violation("line 17", "the trace ends before the run does")
        return str(kind)

    def _used(self, kind: str) -> bool:
        """Return whether the trace has events of this kind, which are optional.

        The first place where one can stand decides.
        """
        return self._uses.setdefault(kind, self.found.event["event"] == kind)

    def _field(self, name: str, expected: object, rule: str, sentence: str) -> None:
        """Require that a field of the next event has a value."""
        value = self.found.event[name]
        if (float(value) if isinstance(expected, float) else value) == expected:
            return
        sentence = _rounded(name, value, expected) or sentence
        if name not in self._may_be_wrong:
            raise Violation(rule, sentence, name)
        self.deviations.append(Deviation(self.found.line, rule, sentence))

    def _sweep(self, step: Step) -> None:
        """Require the event that begins a sweep, if the trace has such events."""
        kind = self.found.event["event"]
        if kind == "end" and step.sweep == 1:
            raise Violation("line 1", "the budget is not used up and no sweep has begun")
        if not self._used("sweep"):
            if kind == "sweep":
                raise Violation("line 3", ALL_OR_NONE)
            return
        if kind == "end":
            raise Violation(
                "line 1", "the budget is not used up and the last sweep expanded a node"
            )
        if self._kind() != "sweep":
            raise Violation(
                "line 3" if kind == "visit" else "line 1",
                "the sweep has visited all depths up to the bound read at its start; "
                "another sweep must begin",
            )
        limit = min(step.tree.depth, self.settings.h_max)
        self._field(
            "limit",
            limit,
            "line 3",
            f"the sweep must visit depths 0 to {limit}, the smaller of depth(T) and h_max at its "
            f"start, not to {short(self.found.event['limit'])}",
        )
        self._field("sweep", step.sweep, "line 2", f"this is sweep {step.sweep}")
        self.found.accept()

    def _visit_event(self, step: Step) -> None:
        """Require the event that begins a visit, if the trace has such events."""
        kind = self.found.event["event"]
        if not self._used("visit"):
            if kind == "visit":
                raise Violation("line 3", ALL_OR_NONE)
            return
        if kind == "end" and self.found.event["reason"] == "h_max" and not self._in_sweep:
            raise Violation("line 3", f"depth {step.l} must be visited before the sweep ends")
        if kind == "end":
            raise Violation("line 1", "the budget is not used up and the sweep is not complete")
        if self._kind() != "visit":
            raise Violation("line 3", f"depth {step.l} must be visited")
        if self.found.event["l"] != step.l:
            raise Violation("line 3", f"the depth to be visited is {step.l}")
        self._field("t", step.t, "line 14", f"this is iteration {step.t}")
        self.found.accept()

    def _visit(self, step: Step) -> list[float]:
        """Compare the expansions and evaluations of a visit with the trace; return the values.

        An evaluation follows the expansion that it belongs to. Else the two may be interleaved.
        """
        expansions = deque(zip(step.expansions, step.nu_mins, strict=True))
        evaluations = deque(step.evaluations)
        made: set[int] = set() if step.expansions else {id(x.node) for x in evaluations}
        values: list[float] = []
        since = 0
        while expansions or evaluations:
            kind = self._kind()
            if kind == "expand" and expansions:
                (leaf, family), nu_min = expansions.popleft()
                self._expand(step, leaf, nu_min)
                made |= {id(child) for child in family}
                self._in_sweep += 1
                since = 0
            elif kind == "evaluate" and evaluations and id(evaluations[0].node) in made:
                values.append(self._evaluate(step, evaluations.popleft()))
                since += 1
            else:
                raise Violation(*self._not_expected(step, expansions, evaluations, since, made))
            self.found.accept()
        return values

    def _expand(self, step: Step, leaf: Node, nu_min: float) -> None:
        """Require that the next event is the expansion of a leaf."""
        event = self.found.event
        if pair_of(event) != (leaf.h, leaf.i):
            for name, expected in (("h", leaf.h), ("i", leaf.i)):
                if rounded := _rounded(name, event[name], expected):
                    raise Violation("line 8", rounded)
            self._look_back(pair_of(event))
            raise Violation(*self._explain_leaf(step, leaf))
        f_star = self._f_star(leaf)
        if "f_star" in event:
            what = f"the f* of {_name(leaf)} is {f_star}, not {_number(event['f_star'])}"
            self._field("f_star", leaf.f_star, "line 9", what)
        what = f"nu_min becomes the f* of {_name(leaf)}, {f_star}"
        self._field("nu_min", nu_min, "line 7", what)

    def _evaluate(self, step: Step, expected: Evaluation) -> float:
        """Require that the next event is an evaluation; return its value."""
        event, (node, p) = self.found.event, expected
        if pair_of(event) != (node.h, node.i):
            if step.t == 0:
                raise Violation("initialization", ROOT)
            raise Violation(*self._explain_child(step, node))
        rules_of = ("initialization",) * 2 if step.t == 0 else ("line 8", "line 9")
        base = f"the base point of {_name(node)} has the numerators {short(list(node.c))}"
        count = f"this is evaluation p = {p} of its base point"
        for k, (name, wanted, what) in enumerate((("c", list(node.c), base), ("p", p, count))):
            self._field(name, wanted, rules_of[k], ROOT if step.t == 0 else what)
        value = float(event["value"])
        f_star = self.rules.take(node, value)
        if "f_star" in event:
            past = f", the lesser of {self._f_star(node)} and {value}" if node.evaluations else ""
            what = f"the f* of {_name(node)} becomes {f_star}{past}, not {_number(event['f_star'])}"
            self._field("f_star", f_star, "line 9", what)
        self.values[node.h, node.i] = Value(value, self.found.line)
        return value

    def _end(self, step: Step, answer: float) -> None:
        """Require that the run ends here. The event `end` is optional."""
        kind = self.found.event["event"]
        if kind is None:
            return
        if kind != "end":
            self._look_back(pair_of(self.found.event))
            raise Violation(
                "line 1", "the budget is used up, or a sweep expanded nothing: the run ends"
            )
        used = self.evaluations == self.settings.v
        for name, wanted, rule in (
            ("answer", answer, "line 17"),
            ("evaluations", self.evaluations, "line 1"),
            ("t", step.t, "line 14"),
            ("sweeps", step.sweep, "line 2"),
            ("depth", step.tree.depth, "line 10"),
            ("leaves", step.tree.leaf_count, "line 10"),
            ("reason", "maxfun" if used else "h_max", "line 1"),
        ):
            where = self._line_of(float(answer)) if name == "answer" else ""
            given = short(self.found.event[name])
            self._field(name, wanted, rule, f"{name} is {wanted}{where}, not {given}")
        self.found.accept()
        if self.found.event["event"] is not None:
            raise Violation("line 17", "the run has ended; no event can follow")

    # --- why an event is not allowed -------------------------------------------------------------

    def _not_expected(
        self,
        step: Step,
        expansions: Iterable[tuple[tuple[Node, list[Node]], float]] = (),
        evaluations: Iterable[Evaluation] = (),
        since: int = 0,
        made: Iterable[int] = (),
    ) -> tuple[str, str]:
        """Say why an event of this kind cannot come now.

        `expansions` and `evaluations` are those that must still come, `since` is the number of
        evaluations since the last expansion, `made` holds the children that can be evaluated.
        """
        if step.t == 0:
            return "initialization", ROOT
        kind, pending = self._kind(), next(iter(evaluations), None)
        now = [leaf for (leaf, _), _ in expansions]
        if kind == "end" and now and self.found.event["reason"] == "h_max" and not self._in_sweep:
            return "line 6", self._must_be_expanded(step, now[0])
        if kind == "end":
            made_so_far = self.evaluations + len(step.evaluations) - len(list(evaluations))
            why = f"{made_so_far} of {self.settings.v} evaluations were made"
            return "line 1", f"the budget is not used up: {why}"
        if kind == "evaluate":
            return self._explain_evaluation(step)
        if kind == "refine":
            return "line 1", "the event 'refine' is of the policy forest"
        if pending is not None and id(pending.node) in made and (kind != "expand" or since):
            if pending.node.i % self.settings.K == self.settings.K // 2:
                return "line 9", self._cap(pending.node)
            return "line 9", f"the base point of {_name(pending.node)} must be evaluated"
        if kind == "expand":
            return self._explain_expansion(step)
        leaf = now[0] if now else step.expansions[0].leaf
        return "line 6", self._must_be_expanded(step, leaf)

    def _refuse_more(self, step: Step) -> None:
        """Raise Violation if an expansion or evaluation follows that this visit does not have."""
        kind = self.found.event["event"]
        if kind not in ("expand", "evaluate"):
            self._passed.clear()
            return
        if self.evaluations == self.settings.v:
            raise Violation("line 1", "the budget is used up: the run ends")
        if kind == "evaluate":
            raise Violation(*self._explain_evaluation(step))
        if step.t == self._last or (step.t and self._uses["visit"]):
            raise Violation(*self._explain_expansion(step))
        if step.t == 0:
            return
        if step.expansions:
            self._passed.clear()
        self._passed.append(step)

    def _look_back(self, pair: Pair) -> None:
        """Raise EarlierVisit if the trace expands a leaf of a depth that was visited in between."""
        for step in self._passed:
            if step.l == pair[0] and self._last is None:
                raise EarlierVisit(step.t)

    def _explain_child(self, step: Step, node: Node) -> tuple[str, str]:
        """Say why the node that the trace evaluates is not the one to be evaluated now."""
        event, K = self.found.event, self.settings.K
        h, i = pair_of(event)
        parent = (node.h - 1, node.i // K)
        if rounded := _rounded("i", i, node.i):
            return "line 8", rounded
        if (h - 1, i // K) != parent:
            others = [(leaf.h, leaf.i) for leaf, _ in step.expansions]
            if (h - 1, i // K) not in others:
                return "line 8", f"{name_of(event)} is not a child of the expanded node {parent}"
            if node.i % K == K // 2:
                return "line 9", self._cap(node)
            return "line 9", f"the base point of {_name(node)} must be evaluated"
        if i % K == K // 2:
            family = next(x.children for x in step.expansions if (x.leaf.h, x.leaf.i) == parent)
            if all(x.node.i != i for x in step.evaluations):
                return "line 9", self._cap(family[[x.i for x in family].index(i)])
        if node.i % K == K // 2:
            return "line 9", self._cap(node)
        return "line 9", f"the children are evaluated by their index, next is {_name(node)}"

    def _cap(self, node: Node) -> str:
        """Say whether a center child must be evaluated."""
        fits = self.rules.evaluates(node, self.settings)
        past = f"{node.evaluations} past evaluation{'s' * (node.evaluations != 1)}"
        less = "at most" if fits else "more than"
        cap = f"its base point had {past}, {less} M ||y||{self._bound(node)}"
        if fits:
            return f"the center child {_name(node)} must be evaluated: {cap}"
        return f"the center child {_name(node)} is evaluated although {cap}"

    def _bound(self, node: Node) -> str:
        """Return M ||y|| as a sentence shows it."""
        m = -(-node.h // self.settings.d)
        squared = self.settings.cap * node.nrm / self.settings.K ** (2 * m)
        roots = math.isqrt(squared.numerator), math.isqrt(squared.denominator)
        if (roots[0] ** 2, roots[1] ** 2) == (squared.numerator, squared.denominator):
            return f" = {short(roots[0])}" if roots[1] == 1 else f" = {roots[0]}/{roots[1]}"[:60]
        return f" = {math.sqrt(squared):.6g}..." if squared < 1e300 else ""

    def _explain_evaluation(self, step: Step) -> tuple[str, str]:
        """Say why the node that the trace evaluates must not be evaluated in this visit."""
        name = name_of(self.found.event)
        evaluated = {id(evaluation.node) for evaluation in step.evaluations}
        for child in (child for expansion in step.expansions for child in expansion.children):
            center = child.i % self.settings.K == self.settings.K // 2
            here = (child.h, child.i) == pair_of(self.found.event)
            if here and center and id(child) not in evaluated:
                return "line 9", self._cap(child)
        why = (
            "a center child is not evaluated if its base point had more than M ||y|| evaluations, "
            "and each other child is evaluated once"
        )
        return "line 9", f"{name} must not be evaluated here: {why}"

    def _must_be_expanded(self, step: Step, leaf: Node) -> str:
        nu_min, from_leaf = step.before, ""
        for other, value in zip(step.expansions, step.nu_mins, strict=True):
            if other.leaf is leaf:
                break
            nu_min, from_leaf = value, f", the f* of {_name(other.leaf)}"
        bound = "nu_min, which is infinite" if nu_min is None else f"nu_min, {nu_min}{from_leaf}"
        f_star = self._f_star(leaf)
        return f"the f* of {_name(leaf)}, {f_star}, is less than {bound}: it must be expanded"

    def _explain_leaf(self, step: Step, leaf: Node) -> tuple[str, str]:
        """Say why the leaf that the trace expands is not the one to be expanded now."""
        pair = pair_of(self.found.event)
        classes = step.tree.norm_classes(step.l)
        number = {(node.h, node.i): j for j, members in enumerate(classes) for node in members}
        if pair not in number:
            if pair[0] > step.l and not self._uses["visit"]:
                return "line 6", self._must_be_expanded(step, leaf)
            return self._explain_missing_leaf(step)
        own = number[leaf.h, leaf.i]
        if number[pair] == own:
            return "line 5", self._argmin(leaf, classes[own])
        if number[pair] < own:
            return self._explain_expansion(step)
        if pair in [(x.leaf.h, x.leaf.i) for x in step.expansions]:
            return "line 6", self._must_be_expanded(step, leaf)
        if self.evaluations + len(step.evaluations) == self.settings.v:
            return "line 6", f"{self._must_be_expanded(step, leaf)}, as far as the budget allows"
        return "line 4", f"the class of {_name(leaf)} has the larger norm and comes first"

    def _argmin(self, least: Node, members: list[Node]) -> str:
        """Say which leaf of a class has the least f*, and that the trace's leaf is in the class."""
        node = next(x for x in members if (x.h, x.i) == pair_of(self.found.event))
        one = f"{_name(least)} and {_name(node)} have equal norm: one class"
        here, there = self._f_star(least), self._f_star(node)
        if least.f_star == node.f_star:
            return f"{one}; both f* are {here}: the least index is that of {_name(least)}"
        return f"{one}; the least f* is that of {_name(least)}, {here}, not {there}"

    def _explain_expansion(self, step: Step) -> tuple[str, str]:
        """Say why the leaf that the trace expands must not be expanded now."""
        if step.t == 0:
            return "line 1", "a sweep must begin before a leaf is expanded"
        pair, nu_min, from_leaf = pair_of(self.found.event), step.before, ""
        numbers = {id(x.leaf): y for x, y in zip(step.expansions, step.nu_mins, strict=True)}
        for members in step.tree.norm_classes(step.l):
            least = members[0]
            expanded = id(least) in numbers
            node = next((node for node in members if (node.h, node.i) == pair), None)
            if node is least and expanded:
                return "line 4", f"the class of {pair} was already expanded in this visit"
            if node is least:
                return "line 6", (
                    f"the f* of {pair}, {self._f_star(least)}, is not less than nu_min, "
                    f"{nu_min}{from_leaf}"
                )
            if node is not None:
                if expanded:
                    one = f"{_name(least)} and {_name(node)} have equal norm: one class"
                    return "line 4", f"{one}, which was already expanded in this visit"
                return "line 5", self._argmin(least, members)
            if expanded:
                nu_min, from_leaf = numbers[id(least)], f", the f* of {_name(least)}"
        return self._explain_missing_leaf(step)

    def _explain_missing_leaf(self, step: Step) -> tuple[str, str]:
        h, i = pair_of(self.found.event)
        if h != step.l:
            return "line 5", f"a leaf of depth {step.l} is chosen in this visit, not ({h}, {i})"
        return "line 10", f"({h}, {i}) is not a leaf: already expanded, or never created"

    def _f_star(self, node: Node) -> str:
        """Return f* of a node, with the line of the trace that it comes from."""
        h, i, K = node.h, node.i, self.settings.K
        found: list[Value] = []
        while True:
            if (h, i) in self.values:
                found.append(self.values[h, i])
            if h == 0 or i % K != K // 2:
                break
            h, i = h - 1, i // K
        lines = [value.line for value in found[::-1] if value.value == node.f_star]
        return f"{node.f_star} from line {lines[0]}" if lines else f"{node.f_star}"

    def _line_of(self, answer: float) -> str:
        lines = [value.line for value in self.values.values() if value.value == answer]
        return f" from line {min(lines)}" if lines else ""


ROOT = "the root (0, 0) must be evaluated first, once"
ALL_OR_NONE = "a trace has an event for each sweep, or for none, and the same for visits"


def _name(node: Node) -> str:
    return name_of({"h": node.h, "i": node.i})


def _number(value: object) -> str:
    return f"{float(str(value))}"


def _rounded(name: str, found: object, expected: object) -> str | None:
    """Say that an integer was rounded to 53 bits, None if it was not."""
    if isinstance(found, list) and isinstance(expected, list):
        pairs = [
            (f"{name}[{k}]", x, y) for k, (x, y) in enumerate(zip(found, expected, strict=True))
        ]
        return next((said for pair in pairs if (said := _rounded(*pair))), None)
    if type(found) is not int or type(expected) is not int or found == expected:
        return None
    if abs(found) < WITHIN_53_BITS or max(found.bit_length(), expected.bit_length()) > 1000:
        return None
    if found != int(float(expected)):
        return None
    return (
        f"{name} is {short(expected)}, and {short(found)} is that integer rounded to 53 bits: "
        "compute and write it with all its digits"
    )
