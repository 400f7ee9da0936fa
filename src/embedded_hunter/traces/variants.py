"""Rule sets that differ from `ALGORITHM_1` in one rule: our readings of the paper, and mistakes.

A mistake often shows late: a program that overwrites f* expands another leaf, many events later.
So when a trace differs from Algorithm 1, the checker also compares it with these rule sets. One
that explains more events of the trace than Algorithm 1 names the cause.
"""

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from embedded_hunter.node import Node, children, splits
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.settings import Settings
from embedded_hunter.traces.rules import (
    ALGORITHM_1,
    Comparable,
    Group,
    Leaves,
    Progress,
    Rules,
    depths_read_once,
)

Events = Sequence[tuple[int, Fields]]
"""The line and the fields of each event of a trace."""
Change = Callable[[Events], dict[str, Any]]
"""Returns the rules that a variant changes, given the trace."""


class Variant(NamedTuple):
    """A rule set that differs in one rule."""

    line: str
    """The line of Algorithm 1 that has this rule."""
    does: str
    """Completes the sentence "This is what a program does that ..."."""
    change: Change

    def of(self, rules: Rules, trace: Events) -> Rules:
        """Return the rule set with the change."""
        return replace(rules, **self.change(trace))


class Reading(NamedTuple):
    """A decision that the paper leaves open, ours and others."""

    number: int
    """The number in the list "What the paper leaves open, and our reading" of the errata."""
    ours: str
    """The name of our decision."""
    others: dict[str, Variant]
    """The name of each other decision that can be accepted, and the rule set under it."""


def point(node: Node, settings: Settings) -> list[Fraction]:
    """Return the base point in units of the side of Y, exactly."""
    depths = splits(node.h, settings.d)
    return [Fraction(c, settings.K**s) for c, s in zip(node.c, depths, strict=True)]


def floats(node: Node, settings: Settings) -> list[float]:
    """Return the base point, its coordinates computed with 64-bit floats."""
    side, depths = float(settings.side), splits(node.h, settings.d)
    return [side * c / settings.K**s for c, s in zip(node.c, depths, strict=True)]


def _descending(group: Callable[[Node, Settings], Comparable]) -> Change:
    """Return the change to other classes, of which those with the largest key come first."""
    return lambda trace: {"group": group, "order": ALGORITHM_1.order}


def _short(x: float) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", x))[0]
    return rounded


def _norm(node: Node, settings: Settings) -> float:
    return math.sqrt(sum(x * x for x in point(node, settings))) * float(settings.side)


def _reread(tree: Leaves, settings: Settings) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read anew after each visit."""
    l = 0
    while l <= min(tree.depth, settings.h_max):
        yield l
        l += 1


def _from_depth_1(tree: Leaves, settings: Settings) -> Iterator[int]:
    """Yield the depths from 1 up to min(depth(T), h_max), or 0 if that is 0."""
    depths = list(depths_read_once(tree, settings))
    yield from depths[1:] or depths


def _full(now: Progress, tree: Leaves, settings: Settings) -> bool:
    """Tell whether no leaf has a depth of at most h_max."""
    return not any(map(tree.chosen, depths_read_once(tree, settings)))


def _least_of_leaves(now: Progress, tree: Leaves) -> float:
    return min(leaf.f_star for leaf in tree.leaves())


def _places(trace: Events, kind: str) -> dict[tuple[int, int], int]:
    """Return for each node the place of its first event of a kind."""
    places: dict[tuple[int, int], int] = {}
    for place, (_, event) in enumerate(trace):
        if event["event"] == kind:
            places.setdefault((event["h"], event["i"]), place)
    return places


def _ties_as_in_the_trace(trace: Events) -> dict[str, Any]:
    """A tie goes to the leaf that the trace expands first."""
    places = _places(trace, "expand")
    return {"choice": lambda node: (node.f_star, places.get((node.h, node.i), len(trace)))}


def _children_as_in_the_trace(trace: Events) -> dict[str, Any]:
    """Children are evaluated in the order of the trace."""
    places = _places(trace, "evaluate")

    def split(leaf: Node, settings: Settings) -> list[Node]:
        made = children(leaf, settings.K)
        return sorted(made, key=lambda node: places.get((node.h, node.i), len(trace)))

    return {"split": split}


def _as_text(key: Comparable, group: Group, settings: Settings) -> Comparable:
    """Return what puts the greatest text first."""
    return (*(-ord(digit) for digit in str(key)), 1)


def _by_age(first: Callable[[Group], Comparable]) -> Change:
    """Return the change to classes in the order of a function; ties: the oldest leaf first."""

    def change(trace: Events) -> dict[str, Any]:
        places = _places(trace, "expand")

        def order(key: Comparable, group: Group, settings: Settings) -> Comparable:
            ages = ((places.get((x.h - 1, x.i // settings.K), -1), x.i) for *_, x in group)
            return first(group), min(ages)

        return {"order": order}

    return change


def _past(f_star: Callable[[Node, Node], float]) -> Change:
    """Return the change of what f* a child has before its evaluation, given parent and child."""

    def split(leaf: Node, settings: Settings) -> list[Node]:
        made = children(leaf, settings.K)
        for child in made:
            child.f_star = f_star(leaf, child)
        return made

    return lambda trace: {"split": split}


def _accepts(accepts: Callable[[Node, Progress], bool], **rules: object) -> Change:
    return lambda trace: {"accepts": accepts, **rules}


def _less(leaf: Node, now: Progress) -> bool:
    return now.nu_min is None or leaf.f_star < now.nu_min


def _fixed(**rules: object) -> Change:
    """Return the change to rules that do not depend on the trace."""
    return lambda trace: rules


READINGS: dict[str, Reading] = {
    "children": Reading(1, "ordered", {
        "any": Variant("line 9", "evaluates the children in another order",
                       _children_as_in_the_trace),
    }),
    "budget": Reading(4, "evaluation", {
        "whole": Variant("line 1", "begins no expansion that the budget would cut",
                         _fixed(look="whole")),
        "expansion": Variant("line 1", "looks at the budget after each expansion",
                             _fixed(look="expansion")),
        "visit": Variant("line 1", "looks at the budget after each visit of a depth",
                         _fixed(look="visit")),
        "sweep": Variant("line 1", "looks at the budget after each sweep", _fixed(look="sweep")),
    }),
    "root": Reading(4, "counted", {
        "free": Variant("line 1", "does not count the evaluation of the root for the budget",
                        _fixed(root_is_free=True)),
    }),
    "cut": Reading(4, "leaf", {
        "children": Variant("line 10", "adds the children of an expansion that the budget cuts",
                            _fixed(cut_enters=True)),
    }),
    "t": Reading(5, "visits", {
        "occupied": Variant("line 3", "visits no depth without leaves",
                            _fixed(skips_empty=True)),
        "expanding": Variant("line 14", "counts the visits that expand a leaf",
                             _fixed(counts=lambda step: bool(step.expansions))),
    }),
    "bound": Reading(6, "once", {
        "reread": Variant("line 3", "reads the bound of the loop over depths anew",
                          _fixed(depths=_reread)),
    }),
    "classes": Reading(7, "frozen", {
        "reread": Variant("line 4", "reads the classes of a depth anew after each expansion",
                          _fixed(frozen=False)),
    }),
    "ties": Reading(8, "least-index", {
        "any": Variant("line 5", "breaks ties in another way", _ties_as_in_the_trace),
    }),
    "nu_min": Reading(9, "none", {
        "infinity": Variant(
            "line 6", "starts a sweep with nu_min = infinity, which no f* = infinity is below",
            _fixed(start=lambda now: math.inf)),
    }),
    "end": Reading(10, "empty-sweep", {
        "full": Variant("line 1", "ends as soon as no leaf has a depth of at most h_max",
                        _fixed(ends=_full)),
    }),
    "answer": Reading(11, "all", {
        "leaves": Variant("line 17", "returns the least f* of the leaves",
                          _fixed(answer=_least_of_leaves)),
    }),
}  # fmt: skip
"""Name of a decision: our reading and the others that can be accepted.

The other items of that list are no decisions that a trace shows. Items 2 and 3 follow the words of
the paper, and eta and M are exact in the header. By item 12 any order in which the evaluations of a
visit are asked for is accepted. Items 13 and 14 are not about Algorithm 1 itself.
"""

VARIANTS: list[Variant] = [
    # The depths, line 3.
    Variant("line 3", "begins a sweep at depth 1", _fixed(depths=_from_depth_1)),
    # f*, line 9.
    Variant("line 9", "lets a new value replace f*",
            lambda trace: {"take": lambda node, value: value}),
    Variant("line 9", "keeps the first value as f*",
            lambda trace: {"take": lambda node, value:
                           node.f_star if node.evaluations else value}),
    Variant("line 9", "takes the greatest value as f*",
            lambda trace: {"take": lambda node, value:
                           max(node.f_star, value) if node.evaluations else value}),
    Variant("line 9", "takes the mean of the values as f*",
            lambda trace: {"take": lambda node, value: value if not node.evaluations else
                           (node.f_star * node.evaluations + value) / (node.evaluations + 1)}),
    Variant("line 9", "does not let the center child inherit f*",
            _past(lambda leaf, child: math.inf)),
    Variant("line 9", "lets all children inherit f*", _past(lambda leaf, child: leaf.f_star)),
    # The classes, line 4.
    Variant("line 4", "visits the classes with the smallest norm first",
            _fixed(order=lambda key, group, settings: key)),
    Variant("line 4", "makes all leaves of a depth one class",
            lambda trace: {"group": lambda node, settings: 0}),
    Variant("line 4", "makes each leaf a class",
            lambda trace: {"group": lambda node, settings: (-node.nrm, node.i),
                           "order": lambda key, group, settings: key}),
    Variant("line 4", "visits the classes in the order of their least f*",
            _by_age(lambda group: group[0][2].f_star)),
    Variant("line 4", "visits the classes in the order of their oldest leaf",
            _by_age(lambda group: 0)),
    Variant("line 4", "compares the norms as text", _fixed(order=_as_text)),
    Variant("line 4", "visits the classes in the order in which it made them",
            _fixed(order=lambda key, group, settings: 0)),
    Variant("line 4", "takes the greatest coordinate as the norm",
            _descending(lambda node, settings: max(map(abs, point(node, settings))))),
    Variant("line 4", "takes the sum of absolute coordinates as the norm",
            _descending(lambda node, settings: sum(map(abs, point(node, settings))))),
    Variant("line 4", "computes the norms with floating-point numbers",
            _descending(lambda node, settings:
                        math.sqrt(sum(x**2 for x in floats(node, settings))))),
    Variant("line 4", "computes the squares of the norms with floating-point numbers",
            _descending(lambda node, settings: sum(x**2 for x in floats(node, settings)))),
    Variant("line 4", "rounds the norms",
            _descending(lambda node, settings: float(f"{_norm(node, settings):.11e}"))),
    Variant("line 4", "computes the norms with 32-bit numbers",
            _descending(lambda node, settings: _short(_norm(node, settings)))),
    Variant("line 4", "compares numerators without their denominators",
            _descending(lambda node, settings: sum(c * c for c in node.c))),
    Variant("line 4", "separates points of equal norm that are not permutations of one another",
            lambda trace: {"group": lambda node, settings: (
                node.nrm, tuple(sorted(map(abs, point(node, settings))))),
                "order": lambda key, group, settings: tuple(-x for x in (key[0], *key[1]))}),
    Variant("line 4", "leaves out the class of the zero vector",
            _accepts(lambda leaf, now: (leaf.nrm > 0 or leaf.h == 0) and _less(leaf, now))),
    # The choice in a class, line 5.
    Variant("line 5", "chooses the worst leaf of a class",
            lambda trace: {"choice": lambda node: -node.f_star}),
    Variant("line 5", "chooses the leaf of least index whatever its f*",
            lambda trace: {"choice": lambda node: node.i}),
    Variant("line 5", "compares values as 32-bit numbers",
            lambda trace: {"choice": lambda node: _short(node.f_star)}),
    # The test against nu_min, line 6.
    Variant("line 6", "expands a leaf whose f* equals nu_min",
            _accepts(lambda leaf, now: now.nu_min is None or leaf.f_star <= now.nu_min)),
    Variant("line 6", "expands no leaf whose f* is infinite",
            _accepts(lambda leaf, now: leaf.f_star < math.inf and _less(leaf, now))),
    Variant("line 6", "does not reset nu_min when a sweep begins",
            lambda trace: {"start": lambda now: now.nu_min}),
    Variant("line 6", "resets nu_min at each depth",
            _accepts(lambda leaf, now: now.in_visit == 0 or _less(leaf, now))),
    Variant("line 6", "expands a leaf of each class", _accepts(lambda leaf, now: True)),
    Variant("line 6", "sets nu_min once in a sweep",
            lambda trace: {"threshold": lambda leaf, now:
                           leaf.f_star if now.nu_min is None else now.nu_min}),
    Variant("line 6", "expands a leaf only if its f* is the best value",
            _accepts(lambda leaf, now: leaf.f_star == now.best)),
    Variant("line 6", "begins a sweep with nu_min = the best value, and expands equal leaves",
            _accepts(lambda leaf, now: now.nu_min is None or leaf.f_star <= now.nu_min,
                     start=lambda now: now.best)),
    Variant("line 6", "expands one leaf of each depth at most",
            _accepts(lambda leaf, now: now.in_visit == 0 and _less(leaf, now))),
    Variant("line 6", "expands one leaf in a sweep at most",
            _accepts(lambda leaf, now: now.in_sweep == 0 and _less(leaf, now))),
]  # fmt: skip
"""Mistakes of a program, the most frequent of each line first."""


def with_readings(rules: Rules, accepted: Mapping[str, str], trace: Events) -> Rules:
    """Return the rule set under other readings than ours.

    Parameters
    ----------
    rules
        The rule set under our readings.
    accepted
        For each decision of `READINGS` the name of the reading.
    trace
        The trace, on which "any" order depends.

    Raises
    ------
    ValueError
        If there is no such decision, or no such reading of it.
    """
    for name, reading in accepted.items():
        if name not in READINGS:
            raise ValueError(f"a reading is of one of {', '.join(READINGS)}, got {name!r}")
        known = READINGS[name]
        if reading != known.ours and reading not in known.others:
            allowed = " or ".join((known.ours, *known.others))
            raise ValueError(f"{name} must be {allowed}, got {reading!r}")
        if reading != known.ours:
            rules = known.others[reading].of(rules, trace)
    return rules
