"""What the paper leaves open: our readings of Algorithm 1, and others that a trace may follow.

Each other reading is a rule set that differs from `ALGORITHM_1` in one rule.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from embedded_hunter.node import Node, children
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.settings import Settings
from embedded_hunter.traces.rules import ALGORITHM_1, Leaves, Progress, Rules, depths_read_once

Events = Sequence[tuple[int, Fields]]
"""The line and the fields of each event of a trace."""
Change = Callable[[Events], dict[str, Any]]
"""Returns the rules that another reading changes, given the trace."""


class Other(NamedTuple):
    """Another reading than ours."""

    line: str
    """The line of Algorithm 1 that is read in another way."""
    does: str
    """Completes the sentence "This is what a program does that ..."."""
    change: Change

    def of(self, rules: Rules, trace: Events) -> Rules:
        """Return the rule set under this reading."""
        return replace(rules, **self.change(trace))


class Reading(NamedTuple):
    """A decision that the paper leaves open, ours and others."""

    number: int
    """The number in the list "What the paper leaves open, and our reading" of the errata."""
    ours: str
    """The name of our decision."""
    others: dict[str, Other]
    """The name of each other decision that can be accepted, and what it changes."""


def _reread(tree: Leaves, settings: Settings) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read anew after each visit."""
    l = 0
    while l <= min(tree.depth, settings.h_max):
        yield l
        l += 1


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


def _fixed(**rules: object) -> Change:
    """Return the change to rules that do not depend on the trace."""
    return lambda trace: rules


READINGS: dict[str, Reading] = {
    "children": Reading(1, "ordered", {
        "any": Other("line 9", "evaluates the children in another order",
                       _children_as_in_the_trace),
    }),
    "budget": Reading(4, "evaluation", {
        "whole": Other("line 1", "begins no expansion that the budget would cut",
                         _fixed(look="whole")),
        "expansion": Other("line 1", "looks at the budget after each expansion",
                             _fixed(look="expansion")),
        "visit": Other("line 1", "looks at the budget after each visit of a depth",
                         _fixed(look="visit")),
        "sweep": Other("line 1", "looks at the budget after each sweep", _fixed(look="sweep")),
    }),
    "root": Reading(4, "counted", {
        "free": Other("line 1", "does not count the evaluation of the root for the budget",
                        _fixed(root_is_free=True)),
    }),
    "cut": Reading(4, "leaf", {
        "children": Other("line 10", "adds the children of an expansion that the budget cuts",
                            _fixed(cut_enters=True)),
    }),
    "t": Reading(5, "visits", {
        "occupied": Other("line 3", "visits no depth without leaves",
                            _fixed(skips_empty=True)),
        "expanding": Other("line 14", "counts the visits that expand a leaf",
                             _fixed(counts=lambda step: bool(step.expansions))),
    }),
    "bound": Reading(6, "once", {
        "reread": Other("line 3", "reads the bound of the loop over depths anew",
                          _fixed(depths=_reread)),
    }),
    "classes": Reading(7, "frozen", {
        "reread": Other("line 4", "reads the classes of a depth anew after each expansion",
                          _fixed(frozen=False)),
    }),
    "ties": Reading(8, "least-index", {
        "any": Other("line 5", "breaks ties in another way", _ties_as_in_the_trace),
    }),
    "nu_min": Reading(9, "none", {
        "infinity": Other(
            "line 6", "starts a sweep with nu_min = infinity, which no f* = infinity is below",
            _fixed(start=lambda now: math.inf)),
    }),
    "end": Reading(10, "empty-sweep", {
        "full": Other("line 1", "ends as soon as no leaf has a depth of at most h_max",
                        _fixed(ends=_full)),
    }),
    "answer": Reading(11, "all", {
        "leaves": Other("line 17", "returns the least f* of the leaves",
                          _fixed(answer=_least_of_leaves)),
    }),
}  # fmt: skip
"""Name of a decision: our reading and the others that can be accepted.

The other items of that list are no decisions that a trace shows. Items 2 and 3 follow the words of
the paper, and eta and M are exact in the header. By item 12 any order in which the evaluations of a
visit are asked for is accepted. Items 13 and 14 are not about Algorithm 1 itself.
"""


def with_readings(accepted: Mapping[str, str], trace: Events) -> Rules:
    """Return the rule set of Algorithm 1 under other readings than ours.

    Parameters
    ----------
    accepted
        For each decision of `READINGS` the name of the reading.
    trace
        The trace, on which "any" order depends.

    Raises
    ------
    ValueError
        If there is no such decision, or no such reading of it.
    """
    rules = ALGORITHM_1
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
