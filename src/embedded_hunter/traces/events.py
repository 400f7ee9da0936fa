"""Traces: a run as events in JSON lines, which can be read and checked.

The README of the kit (``traces/kit/README.md``) describes the format. A trace begins with a header
that holds the settings. The events follow in the order of Algorithm 1:

    {"event": "evaluate", "h", "i", "c", "p", "value"}   initialization, line 9
    {"event": "sweep", "sweep", "limit"}                 lines 1-3: depths 0 .. limit follow
    {"event": "visit", "t", "l"}                         line 3: iteration t visits depth l
    {"event": "expand", "h", "i", "nu_min"}              lines 6-8: (h, i) is expanded
    {"event": "end", "answer", "evaluations", "t", "sweeps", "depth", "leaves", "reason"}

`h, i` is the node. `c` holds the integer numerators of its base point (see `node`). `p` counts the
evaluations of that base point.

In a run of the policy ``forest``, `p` is the number of the matrix. A generation of local search q
is a visit with l = 0, after the event

    {"event": "refine", "q", "center": [h, i], "mode": "intensify" or "diversify", "age"}

Its evaluations have `h` = 0, `i` = q, `c` = [] and `p` = q + 1. A generation of the evolution
strategy has the same events, with `q` = 0, `center` = [0, 0] and the mode "evolve".
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.header import TRACE, require_format, settings_in
from embedded_hunter.run.header import header as header_of
from embedded_hunter.run.jsonlines import (
    Fields,
    FormatError,
    parse,
    short,
    value_to_json,
)
from embedded_hunter.run.policies import POLICIES, named, policy_of
from embedded_hunter.traces.fields import event_from, whole

LARGEST = 10**5
"""Largest K d, and largest P d, of a trace that is read. It bounds the memory that a wrong header
can claim."""

LONGEST = 2**24
"""Largest number of bytes of a line that is read. It bounds the memory for a file without line
ends."""


def header(settings: Parameters) -> Fields:
    """Return the first line of a trace."""
    return header_of(TRACE, settings)


def events_of(visit: AnyVisit, values: Iterable[float], settings: Parameters) -> Iterator[Fields]:
    """Yield the expansions and evaluations of a visit, in the order of Algorithm 1.

    Without the last values, the evaluations that have none are left out.
    """
    record = policy_of(settings).record
    requests = (
        (request, {"event": "evaluate", **record(request), "value": value_to_json(value)})
        for request, value in zip(visit.evaluations, values, strict=False)
    )
    if not visit.expansions:  # the root, or a generation of a local search
        for _, event in requests:
            yield event
    request = next(requests, None)
    for leaf, children in visit.expansions:
        nu_min = value_to_json(leaf.f_star)
        yield {"event": "expand", "h": leaf.h, "i": leaf.i, "nu_min": nu_min}
        for child in children:
            if request is not None and request[0].node is child:
                yield request[1]
                request = next(requests, None)


def visit_begins(visit: AnyVisit, sweep: int, settings: Parameters) -> Iterator[Fields]:
    """Yield the events that begin a visit: first a new sweep if its number exceeds `sweep`."""
    if visit.sweep > sweep:
        limit = min(visit.tree.depth, settings.h_max)
        yield {"event": "sweep", "sweep": visit.sweep, "limit": limit}
    announcement = policy_of(settings).announcement(visit)
    if announcement is not None:
        yield announcement
    if visit.t > 0:
        yield {"event": "visit", "t": visit.t, "l": visit.l}


def end(visit: AnyVisit, answer: float, evaluations: int, settings: Parameters) -> Fields:
    """Return the last event of a run, given its last visit."""
    return {
        "event": "end",
        "answer": value_to_json(answer),
        "evaluations": evaluations,
        "t": visit.t,
        "sweeps": visit.sweep,
        "depth": visit.tree.depth,
        "leaves": visit.tree.leaf_count,
        "reason": "maxfun" if evaluations == settings.v else "h_max",
    }


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; FormatError if one has more than `LONGEST` bytes."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise FormatError(f"line {number} has more than {LONGEST} bytes")
        yield line


def open_trace(
    lines: Iterable[str | bytes],
) -> tuple[Parameters, Iterator[tuple[int, Fields]]]:
    """Read the header of a trace; return its settings, and the line and the fields of each event.

    A line is read when its event is needed; FormatError then if it has no event, see
    `fields.event_from`. FormatError at once if there is no header, or if it is not allowed.
    """
    following = read(lines)
    first = next(following, None)
    if first is None:
        raise FormatError("the trace is empty")
    settings = settings_from(first[1])
    allowed = policy_of(settings).lengths(settings)
    return settings, ((line, event_from(fields, line, allowed)) for line, fields in following)


def read(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Fields]]:
    """Yield the number and the object of each line, counted from 1; FormatError if there is none.

    Blank lines are skipped.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, parse(line, number)


def settings_from(fields: Fields) -> Parameters:
    """Return the settings in the header of a trace.

    FormatError if this is not the header of a trace of the known version, or if the settings are
    not allowed.
    """
    require_format(fields, TRACE)
    given = fields.get("settings")
    if isinstance(given, dict):
        defaults = named(given.get("policy")).trace_defaults
        fields = fields | {"settings": _completed(given, defaults)}
    settings = settings_in(fields)
    if settings.K * settings.d > LARGEST:
        raise FormatError(
            f"line 1: K d must be at most {LARGEST}, got K = {short(settings.K)} and "
            f"d = {short(settings.d)}"
        )
    trees = len(policy_of(settings).trees(settings))
    if trees * settings.d > LARGEST:
        raise FormatError(
            f"line 1: P d must be at most {LARGEST}, got P = {short(trees)} and d = "
            f"{short(settings.d)}"
        )
    return settings


def _completed(given: Fields, defaults: Mapping[str, object]) -> Fields:
    """Return the settings of Algorithm 1 in a header, complete and with integers as int.

    `n`, `sigma`, `policy` and `sampler` are optional: a trace does not depend on them. A policy may
    have any name that is not a policy's. Settings of a policy without defaults are as they are.
    """
    if not defaults:
        return given
    settings: Fields = {**defaults, **given}
    for name in ("n", "d", "v", "K", "h_max"):
        if isinstance(settings.get(name), str):
            settings[name] = whole(settings[name], name, 1)
    settings.setdefault("n", settings.get("d"))
    if isinstance(settings["policy"], str) and settings["policy"] not in POLICIES:
        settings["policy"] = defaults["policy"]
    return settings
