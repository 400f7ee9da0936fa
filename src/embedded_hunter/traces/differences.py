# ruff: noqa: E501 -- sentences in one piece
"""Say which line of Algorithm 1 the first difference between a trace and its run breaks.

`explain` finds it by the next event of the run, the next event of the trace, and the fields in
which two events of one kind differ. Runs of other policies have no such lines: their verdicts name
the event that must be next, and of the policy ``forest`` the rule of `forest.search`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from embedded_hunter.node import Node
from embedded_hunter.run.events import (
    Add,
    End,
    Evaluate,
    Event,
    Expand,
    Generation,
    Iteration,
    Keep,
    Sweep,
)
from embedded_hunter.run.jsonlines import Fields, short, value_to_json
from embedded_hunter.run.policy import AnyVisit, Parameters
from embedded_hunter.traces.reading import WITHIN_53_BITS
from embedded_hunter.traces.writing import written

PAPER, FOREST = "Algorithm 1", "the policy forest"
POLICIES_OF_THE_PAPER = ("fresh", "indexed")
Wrong = Mapping[str, tuple[object, object]]
"""The fields in which two events of one kind differ: what the run has, and the trace."""
Verdict = tuple[str, str]
"""The line that a trace breaks, and a sentence."""
Place = tuple[int, int]
"""The name (h, i) of a node."""


class Over(NamedTuple):
    """The event of a run where a trace has an expansion or evaluation too many."""


@dataclass
class Comparison:
    """The place at which a trace is compared with its run."""

    settings: Parameters
    visit: AnyVisit
    """The visit of the run, with the tree before it; at the end of the run the last one."""
    story: Sequence[Event] = ()
    """The events of the visit."""
    complete: int = 0
    """The number of evaluations of all complete visits."""
    found: Fields = field(default_factory=dict)
    """The next event of the trace; empty at its end."""
    expected: Event | Over | None = None
    """The next event of the run, where the trace has another one; None at the end of the run."""
    wrong: Wrong = field(default_factory=dict)
    expands: bool = False
    """Whether the trace has expanded a leaf in this sweep."""

    @property
    def left(self) -> int:
        """The budget less the evaluations of all complete visits."""
        return self.settings.v - self.complete

    @property
    def kind(self) -> str | None:
        """The kind of the trace's event, None at its end."""
        return self.found.get("event")

    @property
    def at(self) -> Place:
        """The node of the trace's event."""
        return self.found.get("h", -1), self.found.get("i", -1)

    @property
    def due(self) -> Place:
        """The node of the run's event."""
        match self.expected:
            case Expand(leaf):
                return name_of(leaf)
            case Evaluate(h=h, i=i):
                return h, i
        return -1, -1

    @property
    def expanded(self) -> list[Place]:
        """The leaves that the visit expands."""
        return [name_of(event.leaf) for event in self.story if isinstance(event, Expand)]

    @property
    def classes(self) -> list[list[Place]]:
        """The leaves of each class of the visit, the least one first."""
        begins = (event.classes for event in self.story if isinstance(event, Iteration))
        return [list(map(name_of, each.leaves)) for classes in begins for each in classes]

    @property
    def kept(self) -> Keep | None:
        """The center child that the trace's event names, if the run does not evaluate it."""
        kept = (event for event in self.story if isinstance(event, Keep))
        return next((event for event in kept if name_of(event.child) == self.at), None)


FIELDS = {
    ("sweep", "limit"): (3, ": it is the smaller of depth(T) and h_max at the start of the sweep"),
    ("sweep", "sweep"): (2, ""),
    ("visit", "l"): (3, ""),
    ("visit", "t"): (14, ""),
    ("expand", "i"): (8, ""),
    ("expand", "f_star"): (9, ""),
    ("expand", "nu_min"): (7, ": it becomes the f* of {node}"),
    ("evaluate", "i"): (8, ""),
    ("evaluate", "c"): (8, ": the numerators of the base point of {node}"),
    ("evaluate", "p"): (9, ""),
    ("evaluate", "f_star"): (9, ""),
    ("end", "answer"): (17, ", the least of all values"),
    ("end", "evaluations"): (1, ""),
    ("end", "t"): (14, ""),
    ("end", "sweeps"): (2, ""),
    ("end", "depth"): (10, ""),
    ("end", "leaves"): (10, ""),
    ("end", "reason"): (1, ""),
}
"""The line that a wrong field breaks, and what is said of its right value.

Of several wrong fields of an event the first one here counts.
"""

RULES = {
    **dict.fromkeys(["i", "c", "p"], "rule F1"),
    "f_star": "rule F3",
    **dict.fromkeys(["limit", "l", "nu_min"], "rule F4"),
    **dict.fromkeys(["q", "center", "mode", "age"], "rule F7"),
}
"""The rule of the forest that a wrong field breaks; of the fields that are missing here, F8."""

MUST_END = "line 1", "the run must end: the budget is used up, or a sweep has expanded nothing"


def reference(settings: Parameters) -> str:
    """Return the words for what the runs with these settings conform to."""
    of_the_paper = settings.policy in POLICIES_OF_THE_PAPER
    return PAPER if of_the_paper else f"the policy {settings.policy}"


def breaks_off(settings: Parameters) -> Verdict:
    """Return what a trace breaks that ends before its run does."""
    rule = {PAPER: "line 17", FOREST: "rule F8"}.get(reference(settings), "the rules")
    return rule, "the trace ends before the run does"


def explain(d: Comparison) -> Verdict:
    """Return the line of Algorithm 1 that a difference breaks, and a sentence."""
    if not d.found:
        return breaks_off(d.settings)
    if reference(d.settings) != PAPER:
        return _rule(d) if reference(d.settings) == FOREST else "the rules", _in_general(d)
    match d.expected, d.kind:
        case None, _:
            return "line 17", "the run has ended; no event can follow"
        case Evaluate(), _ if d.visit.t == 0:
            return "initialization", "the zero vector, node (0, 0), must be evaluated first, once"
        case _, "refine":
            return "line 1", "the event 'refine' belongs to the policy forest"
        case End(), "end":
            return _wrong_field(d)
        case End(), _:
            return MUST_END
        case Over(), _ if d.left == 0:
            return MUST_END
        case Iteration(), "end" if _claims_an_empty_sweep(d):
            return _missing_visit(d)
        case Expand(), "end" if _claims_an_empty_sweep(d):
            return _missing_leaf(d)
        case _, "end":
            return (
                "line 1",
                "the run must go on: the budget is not used up, and the last sweep is not complete, or has expanded a leaf",
            )
        case (Sweep(), "sweep") | (Iteration(), "visit"):
            return _wrong_field(d)
        case Sweep(), _:
            return (
                "line 3",
                "a sweep must begin: the last one has visited all depths up to the bound read at its start",
            )
        case Iteration(), _:
            return _missing_visit(d)
        case Evaluate(), "evaluate":
            return _other_child(d)
        case _, "evaluate":
            return _surplus_child(d)
        case ((Expand() | Over()), "expand"):
            return _other_leaf(d)
        case Expand(), _:
            return _missing_leaf(d)
    return _missing_child(d)


def _rule(d: Comparison) -> str:
    """Return the rule of the forest that a difference breaks."""
    match d.expected:
        case None:
            return "rule F8"
        case Evaluate(node=None):
            return "rule F7"
        case _ if d.wrong:
            return RULES.get(next(iter(d.wrong)), "rule F8")
        case Evaluate():
            return "rule F2" if d.visit.t == 0 else "rule F3"
    return "rule F6" if isinstance(d.expected, Generation) or d.kind == "refine" else "rule F4"


def _in_general(d: Comparison) -> str:
    """Say what must be next, in a run of any policy."""
    if d.wrong:
        name, (wanted, given) = next(iter(d.wrong.items()))
        said = f"{short(wanted)}, not {short(given)}{rounding(given, wanted)}"
        return f"{name} of the event {d.kind!r} must be {said}"
    if d.expected is None or isinstance(d.expected, Over):
        over = "run" if d.expected is None else "visit"
        return f"the {over} is over; the event {short(d.found)} must not follow"
    return f"the next event must be {short(written(d.expected))}, not {short(d.found)}"


def _wrong_field(d: Comparison) -> Verdict:
    """Name the field that is wrong in an event of the right kind."""
    name = next(name for kind, name in FIELDS if kind == d.kind and name in d.wrong)
    (wanted, given), (line, note) = d.wrong[name], FIELDS[str(d.kind), name]
    said = f"{name} must be {short(wanted)}, not {short(given)}{rounding(given, wanted)}"
    return f"line {line}", said + note.format(node=shown(d.due))


def _claims_an_empty_sweep(d: Comparison) -> bool:
    """Tell whether the trace ends because a sweep has expanded nothing."""
    return d.found["reason"] == "h_max" and not d.expands


def _missing_visit(d: Comparison) -> Verdict:
    return "line 3", f"depth {d.visit.l} must be visited"


def _missing_leaf(d: Comparison) -> Verdict:
    """Say why the run expands a leaf where the trace expands none."""
    added = [name_of(event.leaf) for event in d.story if isinstance(event, Add)]
    if d.due not in added:
        return "line 1", f"{shown(d.due)} must be expanded as far as the budget allows"
    return _keeps_its_turn(d) if _class_before_is_lost(d) else ("line 6", _below(d))


def _below(d: Comparison, when: str = "") -> str:
    """Say why the leaf must be expanded."""
    assert isinstance(d.expected, Expand)
    f_star = value_to_json(d.expected.leaf.f_star)
    return f"{shown(d.due)} must be expanded{when}: its f*, {f_star}, is less than nu_min"


def _keeps_its_turn(d: Comparison) -> Verdict:
    return (
        "line 4",
        f"{_below(d)}, and its class keeps its turn although the class before it has lost its last leaf",
    )


def _class_before_is_lost(d: Comparison) -> bool:
    """Tell whether the class before that of the expected leaf has no leaf any more."""
    number = next(k for k, leaves in enumerate(d.classes) if d.due in leaves)
    before = d.classes[number - 1] if number else []
    return len(before) == 1 and before[0] in d.expanded


def _other_leaf(d: Comparison) -> Verdict:
    """Say why the run does not expand the leaf that the trace expands, or not yet."""
    if d.at == d.due or rounding(d.at[1], d.due[1]):
        return _wrong_field(d)
    number = {leaf: k for k, leaves in enumerate(d.classes) for leaf in leaves}
    l, is_over, place = d.visit.l, isinstance(d.expected, Over), shown(d.at)
    if d.at not in number:
        if d.at[0] != l:
            return "line 5", f"a leaf of depth {l} is chosen in this visit, not {place}"
        return "line 10", f"{place} is not a leaf: already expanded, or never created"
    if not is_over and number[d.at] > number[d.due]:
        if _class_before_is_lost(d):
            return _keeps_its_turn(d)
        if d.at in d.expanded:
            return "line 6", _below(d, f" before {place}")
        if len(d.visit.evaluations) >= d.left:
            return "line 6", _below(d)
        return "line 4", f"the class of {shown(d.due)} comes before that of {place}"
    least = d.classes[number[d.at]][0]
    if least in d.expanded and least != d.due:
        return "line 4", f"the class of {place} was already expanded in this visit"
    if least == d.at:
        return "line 6", f"{place} must not be expanded: its f* is not less than nu_min"
    return (
        "line 5",
        f"the leaf of least f* (ties: least index) in the class of {place} is {shown(least)}",
    )


def _other_child(d: Comparison) -> Verdict:
    """Say why the run evaluates another child than the trace, or the same in another way."""
    (h, i), K = d.at, d.settings.K
    if d.at == d.due or rounding(i, d.due[1]):
        return _wrong_field(d)
    if (h - 1, i // K) not in d.expanded:
        parent = d.due[0] - 1, d.due[1] // K
        return "line 8", f"{shown(d.at)} is not a child of the expanded node {shown(parent)}"
    return _surplus_child(d) if d.kept else _missing_child(d)


def _missing_child(d: Comparison) -> Verdict:
    """Say what child the run evaluates where the trace does something else."""
    assert isinstance(d.expected, Evaluate)
    node = shown(d.due)
    if d.expected.why:
        return "line 9", f"the center child {node} must be evaluated: {d.expected.why}"
    return "line 9", f"{node} must be evaluated, before the children of greater index"


def _surplus_child(d: Comparison) -> Verdict:
    """Say why the run does not evaluate the child that the trace evaluates."""
    place = shown(d.at)
    if d.kept:
        return "line 9", f"the center child {place} must not be evaluated: {d.kept.why}"
    if isinstance(d.expected, Expand):
        return "line 9", f"{place} must not be evaluated before {shown(d.due)} is expanded"
    return (
        "line 9",
        f"{place} must not be evaluated here: a child that is not the center is evaluated once",
    )


def name_of(node: Node) -> Place:
    """Return the name of a node."""
    return node.h, node.i


def shown(name: Place) -> str:
    """Return the name of a node as the sentences show it."""
    return f"({short(name[0])}, {short(name[1])})"


def rounding(given: object, wanted: object) -> str:
    """Say that an integer was rounded to 53 bits, or a value to few digits; "" if it was not."""
    if isinstance(given, list) and isinstance(wanted, list):
        said = (rounding(x, y) for x, y in zip(given, wanted, strict=False))
        return next(filter(None, said), "")
    if isinstance(given, int) and isinstance(wanted, int):
        is_long = abs(given) >= WITHIN_53_BITS and max(given, wanted).bit_length() < 1000
        if is_long and given == int(float(wanted)) != wanted:
            return ", that integer rounded to 53 bits: compute and write it with all its digits"
    if isinstance(given, float) and isinstance(wanted, float) and given != wanted:
        for digits in range(6, 17):
            if given == float(f"{wanted:.{digits}g}"):
                return f", that value rounded to {digits} digits: write it with 17 digits"
    return ""
