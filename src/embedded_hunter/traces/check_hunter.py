"""Check whether a trace is a run of Algorithm 1; say which of its lines is broken first.

`rules.run` makes the run of a rule set, such as `ALGORITHM_1`, on the values of the trace. At the
first difference the functions of `verdicts` say which line of Algorithm 1 does not allow the event.
"""

from collections import deque

from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import short
from embedded_hunter.settings import Settings
from embedded_hunter.traces import rules, verdicts
from embedded_hunter.traces.checking import Events, Report, Violation, compared, pair_of
from embedded_hunter.traces.rules import NO_DEPTH, Rules, Step
from embedded_hunter.traces.verdicts import ALL_OR_NONE, ROOT, State, Value, named


def followed(given: Events, settings: Settings, rule_set: Rules) -> Report:
    """Compare a trace with a rule set.

    Parameters
    ----------
    given
        The events of the trace.
    settings
        The settings in its header.
    rule_set
        The rules that the trace should follow.
    """
    return compared(given, lambda found: Follower(found, settings, rule_set).follow())


class Follower(State):
    """A trace that is compared with the run of a rule set."""

    def follow(self) -> None:
        """Compare the whole trace with the run."""
        run = rules.run(self.rules, self.settings)
        step, sweep = next(run), 0
        while True:
            if step.sweep > sweep:
                self._sweep(step)
                self.expanded = False
            if step.t > 0 and step.l != NO_DEPTH:
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
        kind = self.event["event"]
        if kind is None:
            raise Violation("line 17", "the trace ends before the run does")
        return str(kind)

    def _used(self, kind: str) -> bool:
        """Return whether the trace has events of this kind, which are optional.

        The first place where one can stand decides.
        """
        return self.uses.setdefault(kind, self.event["event"] == kind)

    def _field(self, name: str, expected: object, rule: str, sentence: str) -> None:
        """Require that a field of the next event has a value."""
        value = self.event[name]
        if (float(value) if isinstance(expected, float) else value) == expected:
            return
        raise Violation(rule, verdicts.rounded(name, value, expected) or sentence)

    def _sweep(self, step: Step) -> None:
        """Require the event that begins a sweep, if the trace has such events."""
        kind = self.event["event"]
        if kind == "end" and step.sweep == 1:
            raise Violation("line 1", verdicts.too_early(self, "no sweep has begun"))
        if not self._used("sweep"):
            if kind == "sweep":
                raise Violation("line 3", ALL_OR_NONE)
            return
        if kind == "end":
            why = "the last sweep expanded a node"
            raise Violation("line 1", verdicts.too_early(self, why))
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
            f"start, not to {short(self.event['limit'])}",
        )
        self._field("sweep", step.sweep, "line 2", f"this is sweep {step.sweep}")
        self.found.accept()

    def _visit_event(self, step: Step) -> None:
        """Require the event that begins a visit, if the trace has such events."""
        kind = self.event["event"]
        if not self._used("visit"):
            if kind == "visit":
                raise Violation("line 3", ALL_OR_NONE)
            return
        if kind == "end" and self.event["reason"] == "h_max" and not self.expanded:
            raise Violation("line 3", f"depth {step.l} must be visited before the sweep ends")
        if kind == "end":
            why = "the sweep is not complete"
            raise Violation("line 1", verdicts.too_early(self, why))
        if self._kind() != "visit":
            raise Violation("line 3", f"depth {step.l} must be visited")
        if self.event["l"] != step.l:
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
        evaluated = False
        while expansions or evaluations:
            kind = self._kind()
            if kind == "expand" and expansions:
                (leaf, family), nu_min = expansions.popleft()
                self._expand(step, leaf, nu_min)
                made |= {id(child) for child in family}
                self.expanded, evaluated = True, False
            elif kind == "evaluate" and evaluations and id(evaluations[0].node) in made:
                values.append(self._evaluate(step, evaluations.popleft()))
                evaluated = True
            else:
                raise Violation(
                    *verdicts.wrong_kind(self, step, expansions, evaluations, evaluated, made)
                )
            self.found.accept()
        return values

    def _expand(self, step: Step, leaf: Node, nu_min: float) -> None:
        """Require that the next event is the expansion of a leaf."""
        event = self.event
        if pair_of(event) != (leaf.h, leaf.i):
            for name, expected in (("h", leaf.h), ("i", leaf.i)):
                if said := verdicts.rounded(name, event[name], expected):
                    raise Violation("line 8", said)
            raise Violation(*verdicts.wrong_leaf(self, step, leaf))
        f_star = verdicts.f_star_of(self, leaf)
        if "f_star" in event:
            what = f"the f* of {named(leaf)} is {f_star}, not {verdicts.as_float(event['f_star'])}"
            self._field("f_star", leaf.f_star, "line 9", what)
        what = f"nu_min becomes the f* of {named(leaf)}, {f_star}"
        self._field("nu_min", nu_min, "line 7", what)

    def _evaluate(self, step: Step, expected: Evaluation) -> float:
        """Require that the next event is an evaluation; return its value."""
        event, (node, p) = self.event, expected
        if pair_of(event) != (node.h, node.i):
            if step.t == 0:
                raise Violation("initialization", ROOT)
            raise Violation(*verdicts.wrong_child(self, step, node))
        rules_of = ("initialization",) * 2 if step.t == 0 else ("line 8", "line 9")
        base = f"the base point of {named(node)} has the numerators {short(list(node.c))}"
        count = f"this is evaluation p = {p} of its base point"
        for k, (name, wanted, what) in enumerate((("c", list(node.c), base), ("p", p, count))):
            self._field(name, wanted, rules_of[k], ROOT if step.t == 0 else what)
        value = float(event["value"])
        f_star = self.rules.take(node, value)
        if "f_star" in event:
            self._field("f_star", f_star, "line 9", verdicts.taken(self, node, f_star))
        self.values[node.h, node.i] = Value(value, self.found.line)
        return value

    def _end(self, step: Step, answer: float) -> None:
        """Require that the run ends here. The event `end` is optional."""
        kind = self.event["event"]
        if kind is None:
            return
        if kind != "end":
            raise Violation(
                "line 1", "the budget is used up, or a sweep expanded nothing: the run ends"
            )
        counts = step.t == 0 or (step.l != NO_DEPTH and self.rules.counts(step))
        for name, wanted, rule in (
            ("answer", answer, "line 17"),
            ("evaluations", self.counted, "line 1"),
            ("t", step.t if counts else step.t - 1, "line 14"),
            ("sweeps", step.sweep, "line 2"),
            ("depth", step.tree.depth, "line 10"),
            ("leaves", step.tree.leaf_count, "line 10"),
            ("reason", "maxfun" if self.used_up else "h_max", "line 1"),
        ):
            where = verdicts.line_of(self, answer) if name == "answer" else ""
            given = short(self.event[name])
            self._field(name, wanted, rule, f"{name} is {wanted}{where}, not {given}")
        self.found.accept()
        if self.event["event"] is not None:
            raise Violation("line 17", "the run has ended; no event can follow")

    def _refuse_more(self, step: Step) -> None:
        """Raise Violation if an expansion or evaluation follows that this visit does not have."""
        kind = self.event["event"]
        if kind not in ("expand", "evaluate"):
            return
        if self.used_up and self.rules.look != "sweep":
            raise Violation("line 1", "the budget is used up: the run ends")
        if kind == "evaluate":
            raise Violation(*verdicts.further_evaluation(self, step))
        if step.t and self.uses["visit"]:
            raise Violation(*verdicts.further_expansion(self, step))
