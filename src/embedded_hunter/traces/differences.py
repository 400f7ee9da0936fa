# ruff: noqa: E501 -- sentences in one piece
"""Say what the first difference between a trace and its run breaks, in Algorithm 1 or in a forest.

`TABLE` has a row for each kind of difference, and `kind_of` finds the kind of a difference by the
event of the run, the event of the trace, and the fields in which they differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from embedded_hunter.events import (
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
from embedded_hunter.node import Node
from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.jsonlines import Fields, short, value_to_json
from embedded_hunter.traces.reading import WITHIN_53_BITS

RULES = {"fresh": "line", "indexed": "line", "forest": "rule"}
"""For each policy the column of `TABLE` with the rules that its traces can break."""


class Over(NamedTuple):
    """The event of a run where a trace has an expansion or evaluation too many."""


Place = tuple[int, int]
"""The name (h, i) of a node."""


@dataclass(frozen=True)
class Difference:
    """The first event of a trace that is not the one of its run."""

    found: Fields
    """The event of the trace; empty if it has ended."""
    expected: Event | Over | None
    """The event of the run; None if it has ended."""
    wrong: Mapping[str, tuple[object, object]]
    """The fields in which two events of the same kind differ: what the run has, and the trace."""
    visit: AnyVisit
    """The visit of the run, with the tree before it; at the end of the run the last one."""
    story: Sequence[Event]
    """The events of the visit."""
    sweep: Sweep | None
    """The sweep of the visit."""
    settings: Parameters
    left: int
    """The budget less the evaluations of all complete visits."""
    expands: bool
    """Whether the trace has expanded a leaf in this sweep."""
    writes_visits: bool
    """Whether the trace has the events `visit`."""

    @property
    def kind(self) -> str | None:
        """The kind of the trace's event."""
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
    def generation(self) -> Generation | None:
        """The generation that the visit is, None if it is none."""
        return next((event for event in self.story if isinstance(event, Generation)), None)

    @property
    def kept(self) -> Keep | None:
        """The center child that the trace's event names, if the run does not evaluate it."""
        kept = (event for event in self.story if isinstance(event, Keep))
        return next((event for event in kept if name_of(event.child) == self.at), None)

    # What only the sentences name.

    @property
    def node(self) -> str:
        """The node of the run's event, in words."""
        return shown(self.due)

    @property
    def place(self) -> str:
        """The node of the trace's event, in words."""
        return shown(self.at)

    @property
    def parent(self) -> str:
        """The parent of the node of the run's event."""
        h, i = self.due
        return shown((h - 1, i // self.settings.K))

    @property
    def f_star(self) -> object:
        """The f* of the leaf that must be expanded."""
        assert isinstance(self.expected, Expand)
        return value_to_json(self.expected.leaf.f_star)

    @property
    def size(self) -> int:
        """The number of evaluations of the visit."""
        return len(self.visit.evaluations)

    @property
    def least(self) -> str:
        """The least leaf in the class of the node of the trace's event."""
        return shown(next(leaves[0] for leaves in self.classes if self.at in leaves))

    @property
    def past(self) -> str:
        """Why a center child must be evaluated, or must not."""
        if self.kept is not None:
            return self.kept.why
        assert isinstance(self.expected, Evaluate)
        return self.expected.why

    @property
    def name(self) -> str:
        """The first wrong field, in the order of `TABLE`."""
        kinds = [kind.partition(" ") for kind in TABLE]
        named = [field for event, _, field in kinds if event == self.kind and field in self.wrong]
        return next(iter([*named, *self.wrong]))

    @property
    def wanted(self) -> str:
        """What the first wrong field must be."""
        return short(self.wrong[self.name][0])

    @property
    def given(self) -> str:
        """What the first wrong field is."""
        wanted, given = self.wrong[self.name]
        return short(given) + rounding(given, wanted)


def name_of(node: Node) -> Place:
    """Return the name of a node."""
    return node.h, node.i


def shown(name: Place) -> str:
    """Return the name of a node as the sentences show it."""
    return f"({short(name[0])}, {short(name[1])})"


class Row(NamedTuple):
    """The rule that a kind of difference breaks."""

    line: str
    """The line of Algorithm 1."""
    rule: str
    """The rule of the forest."""
    sentence: str
    """A sentence, which names properties of the difference d."""


MUST = "{d.name} must be {d.wanted}, not {d.given}"

TABLE = {
    # The trace and the run do not end together.
    "trace ends": Row("line 17", "rule F8", "the trace ends before the run does"),
    "trace goes on": Row("line 17", "rule F8", "the run has ended; no event can follow"),
    "early end": Row("line 1", "rule F4", "the run must go on: the budget is not used up, and the last sweep is not complete, has expanded a leaf, or does not range over all leaves"),
    "late end": Row("line 1", "rule F4", "the run must end: the budget is used up, or a sweep over all leaves has expanded nothing"),
    # Sweeps and visits.
    "all or none": Row("line 3", "rule F4", "a trace has an event for each sweep, or for none, and the same for visits"),
    "sweep": Row("line 1", "rule F4", "a sweep must begin"),
    "sweep too deep": Row("line 3", "rule F4", "a sweep must begin: the last one has visited all depths up to the bound read at its start"),
    "visit": Row("line 3", "rule F4", "depth {d.visit.l} must be visited"),
    "sweep limit": Row("line 3", "rule F4", f"{MUST}: it is the smaller of depth(T) and h_max at the start of the sweep"),
    "sweep sweep": Row("line 2", "rule F8", MUST),
    "visit l": Row("line 3", "rule F4", MUST),
    "visit t": Row("line 14", "rule F8", MUST),
    # Expansions.
    "expand": Row("line 6", "rule F4", "{d.node} must be expanded: its f*, {d.f_star}, is less than nu_min"),
    "expand first": Row("line 6", "rule F5", "{d.node} must be expanded before {d.place}: its f*, {d.f_star}, is less than nu_min"),
    "expand cut": Row("line 1", "rule F4", "{d.node} must be expanded as far as the budget allows"),
    "expand next": Row("line 4", "rule F4", "{d.node} must be expanded: its f*, {d.f_star}, is less than nu_min, and its class keeps its turn although the class before it has lost its last leaf"),
    "class order": Row("line 4", "rule F4", "the class of {d.node} comes before that of {d.place}"),
    "class again": Row("line 4", "rule F4", "the class of {d.place} was already expanded in this visit"),
    "least leaf": Row("line 5", "rule F4", "the leaf of least f* (ties: least index) in the class of {d.place} is {d.least}"),
    "other dimension": Row("", "rule F4", "this sweep ranges over the trees of dimension {d.sweep.d}; {d.place} is a leaf of another tree"),
    "other depth": Row("line 5", "rule F4", "a leaf of depth {d.visit.l} is chosen in this visit, not {d.place}"),
    "not below": Row("line 6", "rule F4", "{d.place} must not be expanded: its f* is not less than nu_min"),
    "no leaf": Row("line 10", "rule F4", "{d.place} is not a leaf: already expanded, or never created"),
    "expand i": Row("line 8", "rule F1", MUST),
    "expand f_star": Row("line 9", "rule F3", MUST),
    "expand nu_min": Row("line 7", "rule F4", f"{MUST}: it becomes the f* of {{d.node}}"),
    # Evaluations.
    "root": Row("initialization", "rule F2", "the zero vector, node (0, 0), must be evaluated first, once"),
    "no child": Row("line 8", "rule F1", "{d.place} is not a child of the expanded node {d.parent}"),
    "child": Row("line 9", "rule F3", "{d.node} must be evaluated, before the children of greater index"),
    "center child": Row("line 9", "rule F3", "the center child {d.node} must be evaluated: {d.past}"),
    "no center child": Row("line 9", "rule F3", "the center child {d.place} must not be evaluated: {d.past}"),
    "not yet": Row("line 9", "rule F4", "{d.place} must not be evaluated before {d.node} is expanded"),
    "not again": Row("line 9", "rule F3", "{d.place} must not be evaluated here: a child that is not the center is evaluated once"),
    "evaluate i": Row("line 8", "rule F1", MUST),
    "evaluate c": Row("line 8", "rule F1", f"{MUST}: the numerators of the base point of {{d.node}}"),
    "evaluate p": Row("line 9", "rule F1", MUST),
    "evaluate f_star": Row("line 9", "rule F3", MUST),
    # Generations of a local search or the evolution strategy, in a forest.
    "refine": Row("line 1", "", "the event 'refine' belongs to the policy forest"),
    "local search": Row("", "rule F6", "a generation of a local search must begin: they have made fewer evaluations than the forest"),
    "no local search": Row("", "rule F6", "a sweep must begin, not a generation of a local search"),
    "local search field": Row("", "rule F7", f"the local search that is next is another one: {MUST}"),
    "local search points": Row("", "rule F7", "the generation of a local search has {d.size} evaluations here, with the same h, i, c and p"),
    "evolution": Row("", "rule F9", "a generation of the evolution strategy must begin"),
    "no evolution": Row("", "rule F9", "the forest is next, not a generation of the evolution strategy"),
    "evolution field": Row("", "rule F9", f"a generation of the evolution strategy is next: {MUST}"),
    "evolution points": Row("", "rule F9", "the generation of the evolution strategy has {d.size} evaluations here, with the same h, i, c and p"),
    # The end.
    "end answer": Row("line 17", "rule F8", f"{MUST}, the least of all values"),
    "end evaluations": Row("line 1", "rule F8", MUST),
    "end t": Row("line 14", "rule F8", MUST),
    "end sweeps": Row("line 2", "rule F8", MUST),
    "end depth": Row("line 10", "rule F8", MUST),
    "end leaves": Row("line 10", "rule F8", MUST),
    "end reason": Row("line 1", "rule F8", MUST),
}  # fmt: skip
"""The kinds of difference. Of several wrong fields of an event the first one here counts."""


def reference(settings: Parameters) -> str:
    """Return the words for what the runs with these settings conform to."""
    is_of_the_paper = RULES.get(settings.policy) == "line"
    return "Algorithm 1" if is_of_the_paper else f"the policy {settings.policy}"


def broken_by_an_early_end(settings: Parameters) -> tuple[str, str]:
    """Return what `explain` says of a trace that ends before its run does."""
    row, column = TABLE["trace ends"], RULES.get(settings.policy)
    return ("the rules" if column is None else getattr(row, column)), row.sentence


def explain(d: Difference) -> tuple[str, str]:
    """Return the line of Algorithm 1, or the rule of the forest, and a sentence."""
    if (column := RULES.get(d.settings.policy)) is None:
        wanted, given = short(d.expected), short(d.found)
        return "the rules", f"the next event must be {wanted}, not {given}"
    row = TABLE[kind_of(d)]
    return getattr(row, column), row.sentence.format(d=d)


def kind_of(d: Difference) -> str:
    """Return the name of a difference in `TABLE`."""
    generation = d.generation
    mode = "" if generation is None else generation.mode
    search = "evolution" if mode == "evolve" else "local search"
    match d.expected, d.kind:
        case _, None:
            return "trace ends"
        case None, _:
            return "trace goes on"
        case Evaluate(), _ if d.visit.t == 0:
            return "root"
        case _, "refine" if reference(d.settings) == "Algorithm 1":
            return "refine"
        case End(), "end":
            return f"end {d.name}"
        case End(), _:
            return "late end"
        case Over(), _ if d.left == 0:
            return "late end"
        case ((Evaluate() | Over()), _) if generation is not None:
            return f"{search} points"
        case ((Generation() | Sweep()), "refine") if mode != d.found["mode"] == "evolve":
            return "no evolution"
        case Sweep(), "refine":
            return "no local search"
        case Generation(), _:
            return f"{search} field" if d.wrong else search
        case ((Expand() | Iteration()), "end") if d.found["reason"] == "h_max" and not d.expands:
            return "visit" if isinstance(d.expected, Iteration) else _missing_leaf(d)
        case _, "end":
            return "early end"
        case (Sweep(), "sweep") | (Iteration(), "visit"):
            return f"{d.kind} {d.name}" if d.wrong else "all or none"
        case Sweep(), "visit":
            return "sweep too deep"
        case Sweep(), _:
            return "sweep"
        case Iteration(), _:
            return "visit"
        case Evaluate(), "evaluate":
            return _other_child(d)
        case _, "evaluate":
            return _surplus_child(d)
        case ((Expand() | Over()), "expand"):
            return _other_leaf(d)
        case Expand(), _:
            return _missing_leaf(d)
    return _missing_child(d)


def _missing_leaf(d: Difference) -> str:
    """Say why the run expands a leaf where the trace expands none."""
    added = [name_of(event.leaf) for event in d.story if isinstance(event, Add)]
    if d.due not in added:
        return "expand cut"
    return "expand next" if _class_before_is_lost(d) else "expand"


def _class_before_is_lost(d: Difference) -> bool:
    """Tell whether the class before that of the expected leaf has no leaf any more."""
    number = next(k for k, leaves in enumerate(d.classes) if d.due in leaves)
    before = d.classes[number - 1] if number else []
    return len(before) == 1 and before[0] in d.expanded


def _other_leaf(d: Difference) -> str:
    """Say why the run does not expand the leaf that the trace expands, or not yet."""
    if d.at == d.due or rounding(d.at[1], d.due[1]):
        return f"expand {d.name}"
    number = {leaf: k for k, leaves in enumerate(d.classes) for leaf in leaves}
    l, is_over = d.visit.l, isinstance(d.expected, Over)
    if d.at not in number:
        if d.at[0] > l and not is_over and not d.writes_visits:
            return _missing_leaf(d)
        if d.at[0] != l:
            return "other depth"
        others = (name_of(leaf) for leaf in d.visit.tree.leaves() if leaf.h == l)
        return "other dimension" if d.at in others else "no leaf"
    if not is_over and number[d.at] > number[d.due]:
        if _class_before_is_lost(d):
            return "expand next"
        if d.at in d.expanded:
            return "expand first"
        return "expand" if d.size >= d.left else "class order"
    least = d.classes[number[d.at]][0]
    if least in d.expanded and least != d.due:
        return "class again"
    return "not below" if least == d.at else "least leaf"


def _other_child(d: Difference) -> str:
    """Say why the run evaluates another child than the trace, or the same in another way."""
    (h, i), K = d.at, d.settings.K
    if d.at == d.due or rounding(i, d.due[1]):
        return f"evaluate {d.name}"
    if (h - 1, i // K) not in d.expanded:
        return "no child"
    return _surplus_child(d) if d.kept else _missing_child(d)


def _missing_child(d: Difference) -> str:
    """Say what child the run evaluates where the trace does something else."""
    assert isinstance(d.expected, Evaluate)
    return "center child" if d.expected.why else "child"


def _surplus_child(d: Difference) -> str:
    """Say why the run does not evaluate the child that the trace evaluates."""
    if d.kept:
        return "no center child"
    return "not yet" if isinstance(d.expected, Expand) else "not again"


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
