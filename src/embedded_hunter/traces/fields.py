"""The fields of the events of a trace: which there are, and what they hold.

`schema` makes the JSON Schema of a line from the same table.
"""

import re
from collections.abc import Callable, Sequence

from embedded_hunter.run.jsonlines import Fields, FormatError, short, value_from_json

WITHIN_53_BITS = 2**53
"""A 64-bit float holds each integer up to this one exactly."""


def whole(value: object, name: str, line: int) -> int:
    """Return an integer, given as a JSON integer or as a string of digits, or FormatError.

    A float beyond 53 bits is named as an integer that was rounded.
    """
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value):
        try:
            return int(value)
        except ValueError:
            raise FormatError(f"line {line}: {name} has too many digits") from None
    if isinstance(value, float) and abs(value) >= WITHIN_53_BITS:
        raise FormatError(
            f"line {line}: {name} was rounded to 53 bits, got {short(value)}: write an integer of "
            "more than 53 bits with all its digits, or as a string"
        )
    raise FormatError(f"line {line}: {name} must be an integer, got {short(value)}")


def _wholes(value: object, name: str, line: int) -> list[int]:
    if not isinstance(value, list):
        raise FormatError(f"line {line}: {name} must be a list of integers, got {short(value)}")
    return [whole(x, f"{name}[{k}]", line) for k, x in enumerate(value)]


def _pair(value: object, name: str, line: int) -> list[int]:
    pair = _wholes(value, name, line)
    if len(pair) != 2:
        raise FormatError(f"line {line}: {name} must have 2 integers, got {len(pair)}")
    return pair


def _value(value: object, name: str, line: int) -> object:
    value_from_json(value, name, line)
    return value


def _text(value: object, name: str, line: int) -> str:
    if not isinstance(value, str):
        raise FormatError(f"line {line}: {name} must be a string, got {short(value)}")
    return value


def _as_given(value: object, name: str, line: int) -> object:
    return value


Read = Callable[[object, str, int], object]

INTEGER: Fields = {"$ref": "#/definitions/integer"}
INTEGERS: Fields = {"type": "array", "items": INTEGER}
TYPES: dict[Read, Fields] = {
    whole: INTEGER,
    _wholes: INTEGERS,
    _pair: INTEGERS | {"minItems": 2, "maxItems": 2},
    _value: {"$ref": "#/definitions/value"},
    _text: {"type": "string"},
    _as_given: {},
}
"""The JSON Schema of what each function accepts."""

FIELDS: dict[str, dict[str, Read]] = {
    "evaluate": {"h": whole, "i": whole, "c": _wholes, "p": whole, "value": _value},
    "sweep": {"sweep": whole, "limit": whole},
    "refine": {"q": whole, "center": _pair, "mode": _text, "age": whole},
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
    "evaluate": {"f_star": _value, "x": _as_given},
    "expand": {"f_star": _value},
}
"""The fields that an event may have or not."""


def event_from(fields: Fields, line: int, lengths: Sequence[int]) -> Fields:
    """Return the event on a line of a trace, its integers as int. Further names are left out.

    `lengths` are the numbers of numerators that a base point can have. FormatError, which names the
    line and the field, if this is no event, or if a field is missing or does not hold what it must.
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
    if "c" in event and len(event["c"]) not in lengths:
        most = " or ".join(map(str, lengths))
        raise FormatError(f"line {line}: c must have {most} integers, got {len(event['c'])}")
    return event
