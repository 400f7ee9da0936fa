# ruff: noqa: E501 -- sentences in one piece
"""Say what the first difference between a trace and its run breaks, in Algorithm 1 or in a forest.

`TABLE` has a row for each kind of difference, and `kind_of` finds the kind of a difference.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from embedded_hunter.node import Node
from embedded_hunter.policy import AnyVisit
from embedded_hunter.run.jsonlines import Fields, short
from embedded_hunter.run.policies import policy_of
from embedded_hunter.traces.fields import WITHIN_53_BITS

NOTHING: Fields = {"event": None}
"""Stands for the event after the last one, of a trace or of a run."""

VISIT_IS_OVER: Fields = {"event": "over"}
"""Stands for the event of a run where a trace has an expansion or evaluation too many."""


class Difference(NamedTuple):
    """The first event of a trace that is not the one of its run."""

    found: Fields
    """The event of the trace."""
    expected: Fields
    """The event of the run."""
    names: Sequence[str]
    """The fields in which two events of the same kind differ."""
    visit: AnyVisit
    """The visit of the run, with the tree before it; at the end of the run the last one."""
    mode: str
    """If the visit is a generation: the `mode` of its event `refine`; otherwise ""."""
    settings: Any
    """The settings of the run, those of its policy."""
    left: int
    """The budget less the evaluations of all complete visits."""
    expands: bool
    """Whether the trace has expanded a leaf in this sweep."""
    writes_visits: bool
    """Whether the trace has the events `visit`."""


class Row(NamedTuple):
    """The rule that a kind of difference breaks."""

    line: str
    """The line of Algorithm 1."""
    rule: str
    """The rule of the forest."""
    sentence: str
    """A sentence for the difference: `node` is the node of the run's event, `found` that of the trace's."""


MUST = "{name} must be {wanted}, not {given}"

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
    "visit": Row("line 3", "rule F4", "depth {l} must be visited"),
    "sweep limit": Row("line 3", "rule F4", f"{MUST}: it is the smaller of depth(T) and h_max at the start of the sweep"),
    "sweep sweep": Row("line 2", "rule F8", MUST),
    "visit l": Row("line 3", "rule F4", MUST),
    "visit t": Row("line 14", "rule F8", MUST),
    # Expansions.
    "expand": Row("line 6", "rule F4", "{node} must be expanded: its f*, {f_star}, is less than nu_min"),
    "expand first": Row("line 6", "rule F5", "{node} must be expanded before {found}: its f*, {f_star}, is less than nu_min"),
    "expand cut": Row("line 1", "rule F4", "{node} must be expanded as far as the budget allows"),
    "expand next": Row("line 4", "rule F4", "{node} must be expanded: its f*, {f_star}, is less than nu_min, and its class keeps its turn although the class before it has lost its last leaf"),
    "class order": Row("line 4", "rule F4", "the class of {node} comes before that of {found}"),
    "class again": Row("line 4", "rule F4", "the class of {found} was already expanded in this visit"),
    "least leaf": Row("line 5", "rule F4", "the leaf of least f* (ties: least index) in the class of {found} is {least}"),
    "other dimension": Row("", "rule F4", "this sweep ranges over the trees of dimension {d}; {found} is a leaf of another tree"),
    "other depth": Row("line 5", "rule F4", "a leaf of depth {l} is chosen in this visit, not {found}"),
    "not below": Row("line 6", "rule F4", "{found} must not be expanded: its f* is not less than nu_min"),
    "no leaf": Row("line 10", "rule F4", "{found} is not a leaf: already expanded, or never created"),
    "expand i": Row("line 8", "rule F1", MUST),
    "expand f_star": Row("line 9", "rule F3", MUST),
    "expand nu_min": Row("line 7", "rule F4", f"{MUST}: it becomes the f* of {{node}}"),
    # Evaluations.
    "root": Row("initialization", "rule F2", "the zero vector, node (0, 0), must be evaluated first, once"),
    "no child": Row("line 8", "rule F1", "{found} is not a child of the expanded node {parent}"),
    "child": Row("line 9", "rule F3", "{node} must be evaluated, before the children of greater index"),
    "center child": Row("line 9", "rule F3", "the center child {node} must be evaluated: {past}"),
    "no center child": Row("line 9", "rule F3", "the center child {found} must not be evaluated: {past}"),
    "not yet": Row("line 9", "rule F4", "{found} must not be evaluated before {node} is expanded"),
    "not again": Row("line 9", "rule F3", "{found} must not be evaluated here: a child that is not the center is evaluated once"),
    "evaluate i": Row("line 8", "rule F1", MUST),
    "evaluate c": Row("line 8", "rule F1", f"{MUST}: the numerators of the base point of {{node}}"),
    "evaluate p": Row("line 9", "rule F1", MUST),
    "evaluate f_star": Row("line 9", "rule F3", MUST),
    # Generations of a local search or the evolution strategy, in a forest.
    "refine": Row("line 1", "", "the event 'refine' belongs to the policy forest"),
    "local search": Row("", "rule F6", "a generation of a local search must begin: they have made fewer evaluations than the forest"),
    "no local search": Row("", "rule F6", "a sweep must begin, not a generation of a local search"),
    "local search field": Row("", "rule F7", f"the local search that is next is another one: {MUST}"),
    "local search points": Row("", "rule F7", "the generation of a local search has {points} evaluations here, with the same h, i, c and p"),
    "evolution": Row("", "rule F9", "a generation of the evolution strategy must begin"),
    "no evolution": Row("", "rule F9", "the forest is next, not a generation of the evolution strategy"),
    "evolution field": Row("", "rule F9", f"a generation of the evolution strategy is next: {MUST}"),
    "evolution points": Row("", "rule F9", "the generation of the evolution strategy has {points} evaluations here, with the same h, i, c and p"),
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


def explain(d: Difference) -> tuple[str, str]:
    """Return the line of Algorithm 1, or the rule of the forest, and a sentence."""
    column = policy_of(d.settings).names_broken
    if column is None:
        wanted, given = short(d.expected), short(d.found)
        return "the rules", f"the next event must be {wanted}, not {given}"
    kind = kind_of(d)
    broken: str = getattr(TABLE[kind], column)
    return broken, TABLE[kind].sentence.format(**_words(d, kind))


def kind_of(d: Difference) -> str:
    """Return the name of a difference in `TABLE`."""
    expected, found = d.expected["event"], d.found["event"]
    search = "evolution" if d.mode == "evolve" else "local search"
    sweep_is_empty = found == "end" and d.found["reason"] == "h_max" and not d.expands
    match expected, found:
        case _, None:
            return "trace ends"
        case None, _:
            return "trace goes on"
        case "evaluate", _ if d.visit.t == 0:
            return "root"
        case _, "refine" if policy_of(d.settings).names_broken == "line":
            return "refine"
        case "end", "end":
            return _field(d)
        case (("end" | "over"), _) if expected == "end" or d.left == 0:
            return "late end"
        case (("evaluate" | "over"), _) if d.mode:
            return f"{search} points"
        case (("refine" | "sweep"), "refine") if d.mode != d.found["mode"] == "evolve":
            return "no evolution"
        case "sweep", "refine":
            return "no local search"
        case "refine", _:
            return f"{search} field" if d.names else search
        case (("expand" | "visit"), "end") if sweep_is_empty:
            return "visit" if expected == "visit" else _missing_leaf(d)
        case _, "end":
            return "early end"
        case ("sweep", "sweep") | ("visit", "visit"):
            return _field(d) if d.names else "all or none"
        case "sweep", "visit":
            return "sweep too deep"
        case (("sweep" | "visit"), _):
            return str(expected)
        case "over", "expand" if d.visit.t == 0:
            return "sweep"
        case "evaluate", "evaluate":
            return _other_child(d)
        case _, "evaluate":
            return _surplus_child(d)
        case (("expand" | "over"), "expand"):
            return _other_leaf(d)
        case "expand", _:
            return _missing_leaf(d)
    return _missing_child(d)


def _field(d: Difference) -> str:
    """Name the field that is wrong in an event of the right kind."""
    event = d.expected["event"]
    return next(kind for kind in TABLE if kind in [f"{event} {name}" for name in d.names])


def _missing_leaf(d: Difference) -> str:
    """Say why the run expands a leaf where the trace expands none."""
    leaf, family = d.visit.expansions[-1]
    evaluates = policy_of(d.settings).evaluates
    last = [child for child in family if evaluates(d.settings, child)][-1]
    if _pair(d.expected) == (leaf.h, leaf.i) and last is not d.visit.evaluations[-1].node:
        return "expand cut"
    return "expand next" if _class_before_is_lost(d) else "expand"


def _class_before_is_lost(d: Difference) -> bool:
    """Tell whether the class before that of the expected leaf has no leaf any more."""
    before = None
    expanded = [id(leaf) for leaf, _ in d.visit.expansions]
    for members in policy_of(d.settings).classes(d.visit):
        if any((leaf.h, leaf.i) == _pair(d.expected) for leaf in members):
            break
        before = members
    return before is not None and len(before) == 1 and id(before[0]) in expanded


def _other_leaf(d: Difference) -> str:
    """Say why the run does not expand the leaf that the trace expands, or not yet."""
    pair, wanted = _pair(d.found), _pair(d.expected)
    if pair == wanted or rounding(pair[1], wanted[1]):
        return _field(d)
    expanded = [(leaf.h, leaf.i) for leaf, _ in d.visit.expansions]
    classes = policy_of(d.settings).classes(d.visit)
    number = {(leaf.h, leaf.i): j for j, members in enumerate(classes) for leaf in members}
    if pair not in number:
        if pair[0] > d.visit.l and d.expected != VISIT_IS_OVER and not d.writes_visits:
            return _missing_leaf(d)
        if any((leaf.h, leaf.i) == pair for leaf in d.visit.tree.leaves() if leaf.h == d.visit.l):
            return "other dimension"
        return "no leaf" if pair[0] == d.visit.l else "other depth"
    if wanted in number and number[pair] > number[wanted]:
        if _class_before_is_lost(d):
            return "expand next"
        if pair in expanded:
            return "expand first"
        return "expand" if len(d.visit.evaluations) >= d.left else "class order"
    least = classes[number[pair]][0]
    if (least.h, least.i) in expanded and (least.h, least.i) != wanted:
        return "class again"
    return "not below" if (least.h, least.i) == pair else "least leaf"


def _other_child(d: Difference) -> str:
    """Say why the run evaluates another child than the trace, or the same in another way."""
    (h, i), wanted, K = _pair(d.found), _pair(d.expected), d.settings.K
    if (h, i) == wanted or rounding(i, wanted[1]):
        return _field(d)
    if (h - 1, i // K) not in [(leaf.h, leaf.i) for leaf, _ in d.visit.expansions]:
        return "no child"
    return _surplus_child(d) if _is_capped(d) else _missing_child(d)


def _missing_child(d: Difference) -> str:
    """Say what child the run evaluates where the trace does something else."""
    return "center child" if _is_center(d, d.expected) else "child"


def _surplus_child(d: Difference) -> str:
    """Say why the run does not evaluate the child that the trace evaluates."""
    if _is_capped(d):
        return "no center child"
    return "not yet" if d.expected["event"] == "expand" else "not again"


def _is_capped(d: Difference) -> bool:
    """Tell whether the trace evaluates a center child that must not be evaluated again."""
    child = _child(d, d.found)
    if child is None or not _is_center(d, d.found):
        return False
    return not policy_of(d.settings).evaluates(d.settings, child)


def _words(d: Difference, kind: str) -> Fields:
    """Return what the sentence of a difference names."""
    words: Fields = {"node": _named(d.expected), "found": _named(d.found), "l": d.visit.l}
    words["d"] = getattr(d.visit, "d", None)
    words["f_star"], words["points"] = d.expected.get("nu_min"), len(d.visit.evaluations)
    if "h" in d.expected:
        h, i = _pair(d.expected)
        words["parent"] = (h - 1, i // d.settings.K)
    if "center child" in kind:
        words["past"] = _past(d, d.found if kind == "no center child" else d.expected)
    if kind == "least leaf":
        classes = policy_of(d.settings).classes(d.visit)
        own = next(m for m in classes if _pair(d.found) in [(leaf.h, leaf.i) for leaf in m])
        words["least"] = f"({own[0].h}, {own[0].i})"
    if d.names:
        name = d.names[0] if kind.endswith("field") else kind.split()[-1]
        given, wanted = d.found.get(name), d.expected.get(name)
        said = short(given) + rounding(given, wanted)
        words |= {"name": name, "wanted": short(wanted), "given": said}
    return words


def _past(d: Difference, event: Fields) -> str:
    """Say how often the base point of a center child was evaluated, and how often it may be."""
    child = _child(d, event)
    assert child is not None
    return policy_of(d.settings).past(d.settings, child)


def _child(d: Difference, event: Fields) -> Node | None:
    """Return the child of an expanded leaf that an event names, None if it is none."""
    children = (child for _, family in d.visit.expansions for child in family)
    return next((child for child in children if (child.h, child.i) == _pair(event)), None)


def _is_center(d: Difference, event: Fields) -> bool:
    return bool(event["i"] % d.settings.K == d.settings.K // 2)


def _pair(event: Fields) -> tuple[int, int]:
    return event.get("h", -1), event.get("i", -1)


def _named(event: Fields) -> str:
    return f"({short(event.get('h'))}, {short(event.get('i'))})"


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
