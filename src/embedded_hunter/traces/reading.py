"""Read a trace: its header, and the fields of its events."""

from collections.abc import Callable, Iterable, Iterator

from embedded_hunter.run.header import TRACE, require_format, settings_in
from embedded_hunter.run.jsonlines import Fields, FormatError, parse, short, value_from_json
from embedded_hunter.run.policy import Parameters

WITHIN_53_BITS = 2**53
"""A 64-bit float holds each integer up to this one exactly."""


def open_trace(
    lines: Iterable[str | bytes],
) -> tuple[Parameters, Iterator[tuple[int, Fields]]]:
    """Read the header of a trace; return its settings, and the line and the fields of each event.

    A line is read when its event is needed; FormatError then if it has no event, see `event_from`.
    FormatError at once if there is no header, or if it is not allowed.
    """
    following = read(lines)
    first = next(following, None)
    if first is None:
        raise FormatError("the trace is empty")
    settings = settings_from(first[1])
    return settings, ((line, event_from(fields, line)) for line, fields in following)


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
    return settings_in(fields)


def whole(value: object, name: str, line: int) -> int:
    """Return an integer, or FormatError; a float beyond 53 bits is one that was rounded."""
    if type(value) is int:
        return value
    if isinstance(value, float) and abs(value) >= WITHIN_53_BITS:
        raise FormatError(
            f"line {line}: {name} was rounded to 53 bits, got {short(value)}: write an integer of "
            "more than 53 bits with all its digits"
        )
    raise FormatError(f"line {line}: {name} must be an integer, got {short(value)}")


def _wholes(value: object, name: str, line: int) -> list[int]:
    if not isinstance(value, list):
        raise FormatError(f"line {line}: {name} must be a list of integers, got {short(value)}")
    return [whole(x, f"{name}[{k}]", line) for k, x in enumerate(value)]


def _value(value: object, name: str, line: int) -> object:
    value_from_json(value, name, line)
    return value


def _text(value: object, name: str, line: int) -> str:
    if not isinstance(value, str):
        raise FormatError(f"line {line}: {name} must be a string, got {short(value)}")
    return value


Read = Callable[[object, str, int], object]

FIELDS: dict[str, dict[str, Read]] = {
    "evaluate": {"h": whole, "i": whole, "c": _wholes, "p": whole, "value": _value},
    "sweep": {"sweep": whole, "limit": whole},
    "refine": {"q": whole, "center": _wholes, "mode": _text, "age": whole},
    "visit": {"t": whole, "l": whole},
    "expand": {"h": whole, "i": whole, "nu_min": _value},
    "end": {
        "answer": _value,
        "evaluations": whole,
        "t": whole,
        "sweeps": whole,
        "depth": whole,
        "leaves": whole,
        "reason": _text,
    },
}
"""For each kind of event its fields, and how each of them is read."""

OPTIONAL: dict[str, dict[str, Read]] = {
    "evaluate": {"f_star": _value},
    "expand": {"f_star": _value},
}
"""The fields that an event may have or not."""


def event_from(fields: Fields, line: int) -> Fields:
    """Return the event on a line of a trace, its integers as int. Further names are left out.

    FormatError, which names the line and the field, if this is no event, or if a field is missing
    or does not hold what it must.
    """
    kind = fields.get("event")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise FormatError(
            f"line {line}: event must be one of {', '.join(sorted(FIELDS))}, got {short(kind)}"
        )
    event: Fields = {"event": kind}
    for name, read in FIELDS[kind].items():
        if name not in fields:
            raise FormatError(f"line {line}: the event {kind!r} has no field {name!r}")
        event[name] = read(fields[name], name, line)
    for name, read in OPTIONAL.get(kind, {}).items():
        if name in fields:
            event[name] = read(fields[name], name, line)
    return event
