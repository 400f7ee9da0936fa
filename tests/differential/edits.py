"""Ways to break a trace in one place: each takes the events and returns others."""

import copy
from collections.abc import Callable

from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.traces.reading import FIELDS

Events = list[Fields]
Fault = Callable[[Events], Events]


def at(kind: str, which: int, events: Events) -> int:
    """Where an event stands: the first one of its kind is number 0, the last one -1."""
    return [k for k, event in enumerate(events) if event.get("event") == kind][which]


def change(kind: str, which: int = -1, **new: object) -> Fault:
    def apply(events: Events) -> Events:
        events[at(kind, which, events)].update(new)
        return events

    return apply


def drop(kind: str, which: int = -1) -> Fault:
    def apply(events: Events) -> Events:
        del events[at(kind, which, events)]
        return events

    return apply


def again(kind: str, which: int = -1, **new: object) -> Fault:
    """Repeat an event, changed or not."""

    def apply(events: Events) -> Events:
        k = at(kind, which, events)
        return [*events[: k + 1], {**copy.deepcopy(events[k]), **new}, *events[k + 1 :]]

    return apply


def early_end(kind: str, which: int) -> Fault:
    """Put the end of the run in the place of an event and all that follow."""
    return lambda events: [*events[: at(kind, which, events)], events[-1]]


def exchange_expansions(which: int) -> Fault:
    """Exchange an expansion, and its two evaluations, with the next one."""

    def apply(events: Events) -> Events:
        k = at("expand", which, events)
        assert events[k + 3]["event"] == "expand"
        return [*events[:k], *events[k + 3 : k + 6], *events[k : k + 3], *events[k + 6 :]]

    return apply


def filled(event: Fields, d: int) -> Fields:
    """Give an event of a known kind the fields that it lacks."""
    defaults = {"c": [0] * d, "center": [0, 0], "reason": "maxfun", "mode": "refine"}
    names = FIELDS.get(event.get("event", ""), {})
    return event | {name: defaults.get(name, 0) for name in names if name not in event}


def expand(kind: str, which: int, h: int, i: int) -> Fault:
    """Put an expansion before an event."""

    def apply(events: Events) -> Events:
        k = at(kind, which, events)
        return [*events[:k], {"event": "expand", "h": h, "i": i, "nu_min": 0.0}, *events[k:]]

    return apply
