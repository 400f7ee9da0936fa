"""Read and write JSON lines, the format of checkpoints and traces: one JSON object per line.

JSON has no infinite numbers. An infinite value of the objective is written as the string "inf" or
"-inf". Every error in a line raises `FormatError`, which names the line.

Python neither writes nor reads integers of more than 4,300 digits (for K = 3, the index of a node
9,013 levels deep), and its message says how to lift that limit.
"""

import json
import math
import re
import zlib
from typing import Any

Fields = dict[str, Any]

SEALED = re.compile(rb'(.*), "crc32": "([0-9a-f]{8})"\}', re.DOTALL)
"""A line written by `seal`, without its newline: the text before the checksum, the checksum."""


class FormatError(ValueError):
    """A line of a file does not have the required format."""


def dump(fields: Fields) -> str:
    """Return `fields` as one JSON line, with its newline.

    ValueError if a number is NaN or infinite (see `value_to_json`), or too long an integer.
    """
    return json.dumps(fields, allow_nan=False) + "\n"


def parse(line: str | bytes, number: int) -> Fields:
    """Return the object on line `number` (counted from 1).

    FormatError if the line is not a JSON object in UTF-8, contains a name twice or too long an
    integer, or is nested too deeply.
    """
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        fields = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_named_once)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"line {number} is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise FormatError(f"line {number} is not a JSON object")
    return fields


def seal(fields: Fields) -> str:
    """Return `fields` as one JSON line whose last field, ``crc32``, is a checksum; see `dump`.

    It is the CRC-32 of all bytes of the line before the comma that precedes it, as eight
    hexadecimal digits. A change of any single bit of these bytes changes it.
    """
    text = dump(fields).removesuffix("}\n")
    return f'{text}, "crc32": "{zlib.crc32(text.encode()):08x}"}}\n'


def unseal(line: bytes, number: int) -> Fields:
    """Return the object that `seal` wrote on line `number` (counted from 1), with its checksum.

    FormatError if the checksum is missing or wrong, or if `parse` refuses the line.
    """
    match = SEALED.fullmatch(line)
    if match is None or zlib.crc32(match[1]) != int(match[2], 16):
        raise FormatError(f"line {number} does not match its checksum")
    return parse(line, number)


def _named_once(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object contains a name twice")
    return fields


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def value_to_json(value: float) -> float | str:
    """Return a value of the objective in JSON: the number, "inf" or "-inf"."""
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def value_from_json(value: object, name: str, number: int) -> float:
    """Return the value of the objective that line `number` contains in the field `name`.

    FormatError if `value` is not a finite number, "inf" or "-inf".
    """
    if value in ("inf", "-inf"):
        return float(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(
            f'line {number}: {name} must be a number, "inf" or "-inf", got {short(value)}'
        )
    try:
        as_float = float(value)
    except OverflowError:
        as_float = math.inf
    if not math.isfinite(as_float):
        raise FormatError(f"line {number}: {name} is out of the range of floats")
    return as_float


def integer_from_json(fields: Fields, name: str, number: int, least: int = 0) -> int:
    """Return the integer >= `least` in the field `name` of line `number`, or FormatError."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise FormatError(
            f"line {number}: {name} must be an integer >= {least}, got {short(value)}"
        )
    return value


def short(value: object) -> str:
    """Return a value as an error message shows it: its `repr`, in at most 80 characters."""
    try:
        text = repr(value)
    except RecursionError:
        return f"a deeply nested {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."
