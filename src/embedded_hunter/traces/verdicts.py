"""Say why an event of a trace is not the one that Algorithm 1 allows now.

Each function returns a sentence, or the line of Algorithm 1 that the event breaks and a sentence.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from embedded_hunter.hunter import Evaluation, Expansion
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import Fields, short
from embedded_hunter.settings import Settings
from embedded_hunter.traces.checking import Trace, name_of, pair_of
from embedded_hunter.traces.fields import WITHIN_53_BITS
from embedded_hunter.traces.rules import Rules, Step

Pair = tuple[int, int]
"""A node (h, i)."""

ROOT = "the root (0, 0) must be evaluated first, once"
ALL_OR_NONE = "a trace has an event for each sweep, or for none, and the same for visits"


class Value(NamedTuple):
    """A value of the trace, and its line."""

    value: float
    line: int


@dataclass
class State:
    """What is known of a trace as far as it has been compared."""

    found: Trace
    """The trace; its next event is the one in question."""
    settings: Settings
    """The settings in its header."""
    rules: Rules
    """What it is compared with."""
    values: dict[Pair, Value] = field(default_factory=dict)
    """The last value of each node."""
    evaluations: int = 0
    """Number of evaluations of the visits that are complete."""
    expanded: bool = False
    """Whether this sweep has expanded a leaf."""
    uses: dict[str, bool] = field(default_factory=dict)
    """Whether the trace has the events `sweep` and `visit`, which are optional."""

    @property
    def event(self) -> Fields:
        """The next event of the trace."""
        return self.found.event

    @property
    def counted(self) -> int:
        """Number of those evaluations that count for the budget."""
        return self.evaluations - self.rules.root_is_free

    @property
    def used_up(self) -> bool:
        """Whether the budget is used up."""
        return self.counted >= self.settings.v


def wrong_kind(
    state: State,
    step: Step,
    expansions: Sequence[tuple[Expansion, float]],
    evaluations: Sequence[Evaluation],
    evaluated: bool,
    possible: set[int],
) -> tuple[str, str]:
    """Say why an event of this kind cannot come now.

    `expansions` and `evaluations` are those that must still come, `evaluated` says whether the last
    event was an evaluation, `possible` holds the children that can be evaluated.
    """
    if step.t == 0:
        return "initialization", ROOT
    kind, now = str(state.event["event"]), [leaf for (leaf, _), _ in expansions]
    if kind == "end" and now and state.event["reason"] == "h_max" and not state.expanded:
        return "line 6", must_be_expanded(state, step, now[0])
    if kind == "end":
        made = state.counted + len(step.evaluations) - len(evaluations)
        if made < state.settings.v:
            why = f"{made} of {state.settings.v} evaluations were made"
            return "line 1", f"the budget is not used up: {why}"
        return "line 1", looks_later(state)
    if kind == "evaluate":
        return further_evaluation(state, step)
    if kind == "refine":
        return "line 1", "the event 'refine' is of the policy forest"
    if id(evaluations[0].node) in possible and (kind != "expand" or evaluated):
        return missing(state, evaluations[0].node)
    if kind == "expand":
        return further_expansion(state, step)
    return "line 6", must_be_expanded(state, step, now[0])


def too_early(state: State, why: str) -> str:
    """Say why the run must not end now, between two visits."""
    return looks_later(state) if state.used_up else f"the budget is not used up and {why}"


def looks_later(state: State) -> str:
    """Say that the rules let the run go on although the budget is used up."""
    return f"the run looks whether the budget is used up after each {state.rules.look} only"


def wrong_child(state: State, step: Step, node: Node) -> tuple[str, str]:
    """Say why the node that the trace evaluates is not the one to be evaluated now."""
    event, K = state.event, state.settings.K
    h, i = pair_of(event)
    parent = (node.h - 1, node.i // K)
    if said := rounded("i", i, node.i):
        return "line 8", said
    if (h - 1, i // K) != parent:
        others = [(leaf.h, leaf.i) for leaf, _ in step.expansions]
        if (h - 1, i // K) not in others:
            return "line 8", f"{name_of(event)} is not a child of the expanded node {parent}"
        return missing(state, node)
    if i % K == K // 2:
        family = next(x.children for x in step.expansions if (x.leaf.h, x.leaf.i) == parent)
        if all(x.node.i != i for x in step.evaluations):
            return "line 9", cap(state, family[[x.i for x in family].index(i)])
    if node.i % K == K // 2:
        return missing(state, node)
    return "line 9", f"the children are evaluated by their index, next is {named(node)}"


def missing(state: State, node: Node) -> tuple[str, str]:
    """Say that a node must be evaluated before what the trace does now."""
    if node.i % state.settings.K == state.settings.K // 2:
        return "line 9", cap(state, node)
    return "line 9", f"the base point of {named(node)} must be evaluated"


def cap(state: State, node: Node) -> str:
    """Say whether a center child must be evaluated."""
    fits = state.rules.evaluates(node, state.settings)
    past = f"{node.evaluations} past evaluation{'s' * (node.evaluations != 1)}"
    less = "at most" if fits else "more than"
    count = f"its base point had {past}, {less} M ||y||{bound(state, node)}"
    if fits:
        return f"the center child {named(node)} must be evaluated: {count}"
    return f"the center child {named(node)} is evaluated although {count}"


def bound(state: State, node: Node) -> str:
    """Return M ||y|| as a sentence shows it."""
    m = -(-node.h // state.settings.d)
    squared = state.settings.cap * node.nrm / state.settings.K ** (2 * m)
    roots = math.isqrt(squared.numerator), math.isqrt(squared.denominator)
    if (roots[0] ** 2, roots[1] ** 2) == (squared.numerator, squared.denominator):
        below = "" if roots[1] == 1 else f"/{short(roots[1])}"
        return f" = {short(roots[0])}{below}"
    root = (Decimal(squared.numerator) / squared.denominator).sqrt()  # of any size
    return f" = {root:.6g}..."


def further_evaluation(state: State, step: Step) -> tuple[str, str]:
    """Say why the node that the trace evaluates must not be evaluated in this visit."""
    node = name_of(state.event)
    evaluated = {id(evaluation.node) for evaluation in step.evaluations}
    for child in (child for expansion in step.expansions for child in expansion.children):
        center = child.i % state.settings.K == state.settings.K // 2
        here = (child.h, child.i) == pair_of(state.event)
        if here and center and id(child) not in evaluated:
            return "line 9", cap(state, child)
    why = (
        "a center child is not evaluated if its base point had more than M ||y|| evaluations, "
        "and each other child is evaluated once"
    )
    return "line 9", f"{node} must not be evaluated here: {why}"


def must_be_expanded(state: State, step: Step, leaf: Node) -> str:
    """Say that a leaf passes the test of line 6."""
    nu_min, from_leaf = step.before, ""
    for other, value in zip(step.expansions, step.nu_mins, strict=True):
        if other.leaf is leaf:
            break
        nu_min, from_leaf = value, f", the f* of {named(other.leaf)}"
    what = "nu_min, which is infinite" if nu_min is None else f"nu_min, {nu_min}{from_leaf}"
    f_star = f_star_of(state, leaf)
    return f"the f* of {named(leaf)}, {f_star}, is less than {what}: it must be expanded"


def wrong_leaf(state: State, step: Step, leaf: Node) -> tuple[str, str]:
    """Say why the leaf that the trace expands is not the one to be expanded now."""
    pair = pair_of(state.event)
    classes = step.tree.norm_classes(step.l)
    number = {(node.h, node.i): j for j, members in enumerate(classes) for node in members}
    if pair not in number:
        if pair[0] > step.l and not state.uses["visit"]:
            return "line 6", must_be_expanded(state, step, leaf)
        return no_leaf(state, step)
    own = number[leaf.h, leaf.i]
    if number[pair] == own:
        return "line 5", argmin(state, leaf, classes[own])
    if number[pair] < own:
        return further_expansion(state, step)
    if pair in [(x.leaf.h, x.leaf.i) for x in step.expansions]:
        return "line 6", must_be_expanded(state, step, leaf)
    if state.counted + len(step.evaluations) >= state.settings.v:
        return "line 6", f"{must_be_expanded(state, step, leaf)}, as far as the budget allows"
    return "line 4", f"the class of {named(leaf)} has the larger norm and comes first"


def argmin(state: State, least: Node, members: list[Node]) -> str:
    """Say which leaf of a class has the least f*, and that the trace's leaf is in the class."""
    node = next(x for x in members if (x.h, x.i) == pair_of(state.event))
    one = f"{named(least)} and {named(node)} have equal norm: one class"
    here, there = f_star_of(state, least), f_star_of(state, node)
    if least.f_star == node.f_star:
        return f"{one}; both f* are {here}: the least index is that of {named(least)}"
    return f"{one}; the least f* is that of {named(least)}, {here}, not {there}"


def further_expansion(state: State, step: Step) -> tuple[str, str]:
    """Say why the leaf that the trace expands must not be expanded now."""
    pair, nu_min, from_leaf = pair_of(state.event), step.before, ""
    numbers = {id(x.leaf): y for x, y in zip(step.expansions, step.nu_mins, strict=True)}
    for members in step.tree.norm_classes(step.l):
        least = members[0]
        expanded = id(least) in numbers
        node = next((node for node in members if (node.h, node.i) == pair), None)
        if node is least and expanded:
            return "line 4", f"the class of {pair} was already expanded in this visit"
        if node is least:
            return "line 6", (
                f"the f* of {pair}, {f_star_of(state, least)}, is not less than nu_min, "
                f"{nu_min}{from_leaf}"
            )
        if node is not None:
            if expanded:
                one = f"{named(least)} and {named(node)} have equal norm: one class"
                return "line 4", f"{one}, which was already expanded in this visit"
            return "line 5", argmin(state, least, members)
        if expanded:
            nu_min, from_leaf = numbers[id(least)], f", the f* of {named(least)}"
    return no_leaf(state, step)


def no_leaf(state: State, step: Step) -> tuple[str, str]:
    """Say why the node that the trace expands is not a leaf of this depth."""
    h, i = pair_of(state.event)
    if h != step.l:
        return "line 5", f"a leaf of depth {step.l} is chosen in this visit, not ({h}, {i})"
    return "line 10", f"({h}, {i}) is not a leaf: already expanded, or never created"


def f_star_of(state: State, node: Node) -> str:
    """Return f* of a node, with the line of the trace that it comes from."""
    h, i, K = node.h, node.i, state.settings.K
    found: list[Value] = []
    while True:
        if (h, i) in state.values:
            found.append(state.values[h, i])
        if h == 0 or i % K != K // 2:
            break
        h, i = h - 1, i // K
    lines = [value.line for value in found[::-1] if value.value == node.f_star]
    return f"{node.f_star} from line {lines[0]}" if lines else f"{node.f_star}"


def taken(state: State, node: Node, f_star: float) -> str:
    """Say what f* of a node becomes by the value of the next event."""
    value, given = as_float(state.event["value"]), as_float(state.event["f_star"])
    past = f", the lesser of {f_star_of(state, node)} and {value}" if node.evaluations else ""
    return f"the f* of {named(node)} becomes {f_star}{past}, not {given}"


def line_of(state: State, answer: float) -> str:
    """Return the line of the trace that the answer comes from."""
    return f" from line {min(x.line for x in state.values.values() if x.value == answer)}"


def named(node: Node) -> str:
    """Return a node as a sentence shows it."""
    return name_of({"h": node.h, "i": node.i})


def as_float(value: object) -> str:
    """Return a number of the trace as a sentence shows it."""
    return f"{float(str(value))}"


def rounded(name: str, found: object, expected: object) -> str | None:
    """Say that an integer was rounded to 53 bits, or a value to few digits; None if not."""
    if isinstance(found, list) and isinstance(expected, list):
        pairs = [
            (f"{name}[{k}]", x, y) for k, (x, y) in enumerate(zip(found, expected, strict=True))
        ]
        return next((said for pair in pairs if (said := rounded(*pair))), None)
    if isinstance(expected, float) and type(found) in (int, float) and found != expected:
        return _shortened(name, float(str(found)), expected)
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


def _shortened(name: str, found: float, expected: float) -> str | None:
    """Say that a value was written with too few digits, None if it was not."""
    for digits in range(6, 17):
        if found == float(f"{expected:.{digits}g}"):
            return (
                f"{name} is {expected}, and {found} is that value rounded to {digits} digits: "
                "write it with 17 digits, or as it was given"
            )
    return None
