"""A run as events in JSON lines: to be kept, read, replayed, and checked by `check`.

The format is described in ``tests/conformance/golden/README.md``. A trace is a header
with the settings, then what happens in the order of Algorithm 1:

    {"event": "evaluate", "h", "i", "c", "p", "value"}   initialization, line 9
    {"event": "sweep", "sweep", "limit"}                 lines 1-3: depths 0 .. limit follow
    {"event": "visit", "t", "l"}                         line 3: iteration t visits depth l
    {"event": "expand", "h", "i", "nu_min"}              lines 6-8: (h, i) is expanded
    {"event": "end", "answer", "evaluations", "t", "sweeps", "depth", "leaves", "reason"}

`h, i` is the node, `c` are the integer numerators of its base point (see `node`), `p` counts the
evaluations of that base point.

A run of the policy ``forest`` has version 2 of the format: p is the number of the matrix, and a
sweep of a refinement tree begins with

    {"event": "refine", "q", "center": [h, i], "radius", "limit"}
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from embedded_hunter.forest.search import ForestVisit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation, Hunt, Visit
from embedded_hunter.run.jsonlines import (
    Fields,
    FormatError,
    dump,
    parse,
    value_from_json,
    value_to_json,
)
from embedded_hunter.run.search import run_of, settings_from_json
from embedded_hunter.settings import Settings

FORMAT = "embedded-hunter trace"

LARGEST = 10**5
"""The greatest K d of a trace that is read, and P d: what a header claims must not cost memory."""

LONGEST = 2**24
"""Bytes of a line that is read, at most: a file without ends of lines must not cost memory."""

BLANK = 10**5
"""Blank lines of a trace that are passed over, at most: a file of them may have no end."""

S = TypeVar("S", bound=Settings)
Write = Callable[[Fields], object]
"""What takes one event."""


def version(settings: Settings) -> int:
    """Return the version of the format that a run with these settings is written in."""
    return 2 if isinstance(settings, ForestSettings) else 1


def header(settings: Settings) -> Fields:
    """Return the first line of a trace."""
    return {"format": FORMAT, "version": version(settings), "settings": settings.as_json()}


def events_of(visit: Visit, values: Iterable[float]) -> Iterator[Fields]:
    """Return a visit's expansions and evaluations, in Algorithm 1's order."""
    requests = iter(zip(visit.evaluations, values, strict=True))
    request = next(requests, None)
    if not visit.expansions and request is not None:
        yield _evaluated(*request)
    for leaf, children in visit.expansions:
        nu_min = value_to_json(leaf.f_star)
        yield {"event": "expand", "h": leaf.h, "i": leaf.i, "nu_min": nu_min}
        for child in children:
            if request is not None and request[0].node is child:
                yield _evaluated(*request)
                request = next(requests, None)


def _evaluated(evaluation: Evaluation, value: float) -> Fields:
    node, p = evaluation
    return {
        "event": "evaluate",
        "h": node.h,
        "i": node.i,
        "c": list(node.c),
        "p": p,
        "value": value_to_json(value),
    }


def visit_begins(visit: Visit, sweep: int, settings: Settings) -> Iterator[Fields]:
    """Return the events before a visit's own: a new sweep, after number `sweep`, and the visit."""
    if visit.sweep > sweep:
        limit = min(visit.tree.depth, settings.h_max)
        yield {"event": "sweep", "sweep": visit.sweep, "limit": limit}
    if isinstance(visit, ForestVisit) and visit.local_tree is not None and visit.l == 0:
        q, center, radius, *_ = visit.local_tree
        yield {
            "event": "refine",
            "q": q,
            "center": [center.h, center.i],
            "radius": radius,
            "limit": visit.limit,
        }
    if visit.t > 0:
        yield {"event": "visit", "t": visit.t, "l": visit.l}


def end(visit: Visit, answer: float, evaluations: int, settings: Settings) -> Fields:
    """Return the last event of a run whose last visit is `visit`."""
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


def traced(run: Hunt, settings: Settings, write: Write) -> Hunt:
    """Pass a run through, writing its trace: drive it with `EmbeddedHunter(..., run=...)`."""
    write(header(settings))
    visit, sweep, evaluations = next(run), 0, 0
    while True:
        for event in visit_begins(visit, sweep, settings):
            write(event)
        sweep = visit.sweep
        values = yield visit
        evaluations += len(values)
        for event in events_of(visit, values):
            write(event)
        last = visit
        try:
            visit = run.send(values)
        except StopIteration as stop:
            write(end(last, stop.value, evaluations, settings))
            return float(stop.value)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Write]:
    """Open a file for a trace; each event is written and flushed at once."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:

        def write(event: Fields) -> None:
            file.write(dump(event))
            file.flush()

        yield write


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Return the lines of a file.

    Raises
    ------
    FormatError
        At a line of more than `LONGEST` bytes.
    """
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise FormatError(f"line {number} has more than {LONGEST} bytes")
        yield line


def opened(lines: Iterable[str | bytes]) -> tuple[Settings, int, Iterator[str | bytes]]:
    """Return the settings in a trace's header, the number of the line after it, and the lines then.

    Nothing is read beyond the header.

    Raises
    ------
    FormatError
        If there is no header, or one that is not allowed.
    """
    lines = iter(lines)
    first = next(read(lines), None)
    if first is None:
        raise FormatError("the trace is empty")
    number, fields = first
    return settings_from(fields), number + 1, lines


def read(lines: Iterable[str | bytes], first: int = 1) -> Iterator[tuple[int, Fields]]:
    """Return the lines of a trace, numbered from `first`; blank lines are passed over.

    Raises
    ------
    FormatError
        At a line that is no JSON object, or is one blank line more than `BLANK`.
    """
    blank = 0
    for number, line in enumerate(lines, first):
        if line.strip():
            yield number, parse(line, number)
            continue
        blank += 1
        if blank > BLANK:
            raise FormatError(f"line {number} is blank after {BLANK} other blank lines")


def settings_from(fields: Fields) -> Settings:
    """Return the settings in a trace's header.

    Raises
    ------
    FormatError
        If it is not the header of a trace of this version, or has settings that are not allowed.
    """
    given = fields.get("settings")
    expected = 2 if isinstance(given, dict) and given.get("policy") == "forest" else 1
    if fields.get("format") != FORMAT or fields.get("version") != expected:
        raise FormatError(f"line 1 must have format {FORMAT!r} and version {expected}")
    if not isinstance(given, dict):
        raise FormatError("line 1: settings must be an object")
    try:
        settings = settings_from_json(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"line 1: settings: {error!s:.300}") from None
    if settings.K * settings.d > LARGEST:
        raise FormatError(f"line 1: K d must be at most {LARGEST} to be read")
    if isinstance(settings, ForestSettings) and settings.n_embeddings * settings.d > LARGEST:
        raise FormatError(f"line 1: n_embeddings d must be at most {LARGEST} to be read")
    return settings


def affordable(settings: S, lines: Sequence[str | bytes]) -> S:
    """Return the settings with a budget that the lines of a trace may give the values for.

    An evaluation takes at least so many characters; with room for one more than there can be, a
    run on the trace's values asks for one that is missing before a budget that the header only
    claims can cost anything.
    """
    least = len('{"event":"evaluate","h":0,"i":0,"c":[],"p":1,"value":0}') + 2 * settings.d - 1
    possible = sum(map(len, lines)) // least + 1
    given = {**settings.as_json(), "v": min(settings.v, possible)}
    return cast("S", settings.from_json(given))


def replay(lines: Iterable[str | bytes]) -> Iterator[Visit]:
    """Run Algorithm 1, or the policy ``forest``, on the values of a trace, visit by visit.

    Raises
    ------
    FormatError
        If the trace is damaged, or has fewer values than the run needs.
    """
    settings, first, following = opened(lines)
    lines = list(following)
    run = run_of(affordable(settings, lines))
    values = (
        value_from_json(fields.get("value"), "value", number)
        for number, fields in read(lines, first)
        if fields.get("event") == "evaluate"
    )
    visit = next(run)
    while True:
        taken = [value for _, value in zip(visit.evaluations, values, strict=False)]
        if len(taken) < len(visit.evaluations):
            raise FormatError(f"the trace ends within iteration {visit.t}")
        yield visit
        try:
            visit = run.send(taken)
        except StopIteration:
            return
