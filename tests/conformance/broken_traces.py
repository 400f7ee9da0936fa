"""Deliberately broken traces: each kind with the line of Algorithm 1 that it breaks.

A kind takes the events of a conforming trace and returns broken ones, or None where the trace has
no place for it. Places are given by predicates, so that the kinds apply to random runs.
"""

import copy
from collections.abc import Callable, Iterator
from itertools import pairwise

from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.traces.fields import FIELDS

Events = list[Fields]
Kind = Callable[[Events], Events | None]


def places(events: Events, kind: str) -> list[int]:
    """Where events of a kind stand."""
    return [k for k, event in enumerate(events) if event.get("event") == kind]


def change(kind: str, name: str, new: Callable[[Fields], object], which: int = -1) -> Kind:
    """Change a name of the first (0), last (-1), ... event of a kind."""

    def apply(events: Events) -> Events | None:
        found = places(events, kind)
        if len(found) <= abs(which):
            return None
        event = events[found[which]]
        value = new(event)
        if value == event[name]:
            return None
        event[name] = value
        return events

    return apply


def visits(events: Events) -> Iterator[tuple[int, int]]:
    """(begin, end) of each visit: its event and what follows up to the next visit, sweep or end."""
    borders = [k for k, e in enumerate(events) if e.get("event") in ("visit", "sweep", "end")]
    for k, following in pairwise(borders):
        if events[k]["event"] == "visit":
            yield k, following


def expansions(events: Events, begin: int, end: int) -> list[tuple[int, int]]:
    """(begin, end) of each expansion of a visit."""
    at = [k for k in range(begin, end) if events[k]["event"] == "expand"] + [end]
    return list(pairwise(at))


def drop_root(events: Events) -> Events | None:
    return [events[0], *events[2:]]


def drop_visit_without_expansion(events: Events) -> Events | None:
    for begin, end in visits(events):
        if end == begin + 1 and events[end]["event"] == "visit":
            return events[:begin] + events[end:]
    return None


def drop_last_expansion_of_a_visit(events: Events) -> Events | None:
    for begin, end in list(visits(events))[:-1]:
        parts = expansions(events, begin, end)
        if len(parts) > 1:
            return events[: parts[-1][0]] + events[end:]
    return None


def drop_first_expansion_of_a_visit(events: Events) -> Events | None:
    for begin, end in list(visits(events))[:-1]:
        parts = expansions(events, begin, end)
        if len(parts) > 1:
            return events[: parts[0][0]] + events[parts[1][0] :]
    return None


def exchange_expansions(events: Events) -> Events | None:
    for begin, end in list(visits(events))[:-1]:
        parts = expansions(events, begin, end)
        if len(parts) > 1:
            (a, b), (c, d) = parts[:2]
            return events[:a] + events[c:d] + events[a:b] + events[d:]
    return None


def expand_again(events: Events) -> Events | None:
    """Expand the root once more in the second sweep."""
    sweeps = places(events, "sweep")
    root = next((events[k] for k in places(events, "expand")), None)
    if len(sweeps) < 2 or root is None:
        return None
    at = sweeps[1] + 2
    if events[at - 1].get("l") != 0:
        return None
    return [*events[:at], {**root}, *events[at:]]


def expand_at_another_depth(events: Events) -> Events | None:
    for begin, end in visits(events):
        if events[begin]["l"] >= 1 and expansions(events, begin, end):
            at = expansions(events, begin, end)[0][0]
            events[at] = {**events[at], "h": 0, "i": 0}
            return events
    return None


def drop_evaluation(events: Events) -> Events | None:
    found = places(events, "evaluate")
    if len(found) < 4 or events[found[2] + 1]["event"] == "end":
        return None
    del events[found[1]]
    return events


def exchange_children(events: Events) -> Events | None:
    for k in places(events, "evaluate")[1:]:
        if events[k + 1]["event"] == "evaluate":
            events[k], events[k + 1] = events[k + 1], events[k]
            center = [e for e in events[k : k + 2] if e["p"] > 1]
            return None if center else events
    return None


def evaluate_twice(events: Events) -> Events | None:
    for k in places(events, "evaluate")[1:]:
        if events[k + 1]["event"] in ("visit", "sweep"):
            return [*events[: k + 1], {**events[k], "p": 2}, *events[k + 1 :]]
    return None


def evaluate_a_stranger(events: Events) -> Events | None:
    found = places(events, "evaluate")
    if len(found) < 2:
        return None
    events[found[1]] = {**events[found[1]], "h": 7, "i": 5}
    return events


def evaluate_beyond_the_budget(events: Events) -> Events | None:
    last = places(events, "evaluate")[-1]
    if events[-1]["reason"] != "maxfun":
        return None
    return [*events[:-1], {**events[last], "i": events[last]["i"] + 1}, events[-1]]


def stop_before_a_sweep(events: Events) -> Events | None:
    found = places(events, "sweep")
    return events[: found[-1]] + events[-1:] if len(found) > 1 else None


def stop_within_a_sweep(events: Events) -> Events | None:
    found = [k for k in places(events, "visit") if events[k]["l"] > 0]
    return events[: found[0]] + events[-1:] if found else None


def sweep_on(events: Events) -> Events | None:
    """Another sweep after the end of the run."""
    number = events[-1]["sweeps"] + 1
    return [*events[:-1], {"event": "sweep", "sweep": number, "limit": 0}, events[-1]]


def visit_too_deep(events: Events) -> Events | None:
    for k in places(events, "sweep")[1:]:
        last = events[k - 1]
        if last["event"] == "visit":
            deeper = {"event": "visit", "t": last["t"] + 1, "l": last["l"] + 1}
            return [*events[:k], deeper, *events[k:]]
    return None


def visit_without_sweep(events: Events) -> Events | None:
    if len(places(events, "sweep")) < 2:
        return None
    del events[places(events, "sweep")[0]]
    return events


def truncate(events: Events) -> Events | None:
    return events[:-2] if len(events) > 3 else None


def go_on_after_the_end(events: Events) -> Events | None:
    return [*events, events[-1]]


def plus(number: int) -> Callable[[Fields], object]:
    """The old value plus a number, whichever name it is under."""
    return lambda event: number


def adding(name: str, number: float) -> Callable[[Fields], object]:
    """The value of `name` plus a number."""
    return lambda event: event[name] + number if not isinstance(event[name], str) else 0.0


def shifted_point(event: Fields) -> object:
    return [event["c"][0] + 1, *event["c"][1:]]


KINDS: dict[str, tuple[str, Kind]] = {
    "no evaluation of the root": ("initialization", drop_root),
    "another root": ("initialization", change("evaluate", "c", shifted_point, 0)),
    "a second first evaluation": ("initialization", change("evaluate", "p", plus(2), 0)),
    "a sweep that is not announced": ("line 3", visit_without_sweep),
    "a sweep with another number": ("line 2", change("sweep", "sweep", adding("sweep", 1))),
    "a sweep with a larger bound": ("line 3", change("sweep", "limit", adding("limit", 1))),
    "a depth left out": ("line 3", drop_visit_without_expansion),
    "a depth beyond the bound": ("line 3", visit_too_deep),
    "a visit of another depth": ("line 3", change("visit", "l", adding("l", 1))),
    "an iteration counted twice": ("line 14", change("visit", "t", adding("t", 1))),
    "classes in another order": ("line 4|line 6", exchange_expansions),
    "an expanded node expanded again": ("line 10", expand_again),
    "a leaf of another depth": ("line 5", expand_at_another_depth),
    "a last class left out": ("line 6", drop_last_expansion_of_a_visit),
    "a first class left out": ("line 6", drop_first_expansion_of_a_visit),
    "another nu_min": ("line 7", change("expand", "nu_min", adding("nu_min", 0.5))),
    "another base point": ("line 8", change("evaluate", "c", shifted_point, 1)),
    "a node that is no child": ("line 8", evaluate_a_stranger),
    "a child without evaluation": ("line 9", drop_evaluation),
    "children in another order": ("line 9", exchange_children),
    "a base point evaluated twice": ("line 9", evaluate_twice),
    "another visit number": ("line 9", change("evaluate", "p", adding("p", 1))),
    "an evaluation beyond the budget": ("line 1", evaluate_beyond_the_budget),
    "an end before the budget, between sweeps": ("line 1", stop_before_a_sweep),
    "an end before the budget, within a sweep": ("line 1|line 3", stop_within_a_sweep),
    "a sweep after the end": ("line 1", sweep_on),
    "another answer": ("line 17", change("end", "answer", adding("answer", -1.0), 0)),
    "another number of evaluations": (
        "line 1",
        change("end", "evaluations", adding("evaluations", 1), 0),
    ),
    "another t": ("line 14", change("end", "t", adding("t", 1), 0)),
    "another number of sweeps": ("line 2", change("end", "sweeps", adding("sweeps", 1), 0)),
    "another depth": ("line 10", change("end", "depth", adding("depth", 1), 0)),
    "another number of leaves": ("line 10", change("end", "leaves", adding("leaves", -1), 0)),
    "another reason": ("line 1", change("end", "reason", lambda event: "other", 0)),
    "a trace that breaks off": ("line 17", truncate),
    "an event after the end": ("line 17", go_on_after_the_end),
}
"""Kind: (the rule that it breaks, or two where both are broken at once; how)."""


def broken(kind: str, events: Events) -> Events | None:
    """Break a copy of a trace."""
    return KINDS[kind][1](copy.deepcopy(events))


def filled(event: Fields, d: int) -> Fields:
    """Give an event of a known kind the fields that it lacks."""
    defaults = {"c": [0] * d, "center": [0, 0], "reason": "maxfun", "mode": "intensify"}
    names = FIELDS.get(event.get("event", ""), {})
    return event | {name: defaults.get(name, 0) for name in names if name not in event}
