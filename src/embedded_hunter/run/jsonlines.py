"""JSON lines as our files have them: objects, one to a line, in strict JSON.

A value of the objective may be infinite, for which JSON has no number: it is the string "inf" or
"-inf". Whatever is wrong with a line is a `FormatError` that names the line.

An integer of more than 4,300 digits (for K = 3, the index of a node 9,013 levels deep) is neither
written nor read unless Python's limit is lifted: PYTHONINTMAXSTRDIGITS=0 in the environment, or
`sys.set_int_max_str_digits(0)`.
"""

import json
import math
import re
import sys
import zlib
from typing import Any

Fields = dict[str, Any]

SEALED = re.compile(rb'(.*), "crc32": "([0-9a-f]{8})"\}', re.DOTALL)
"""A line of `seal`, without its end."""


class FormatError(ValueError):
    """A line of a file is not what it should be."""


def dump(fields: Fields) -> str:
    """Return one line, with its end.

    Raises
    ------
    ValueError
        For nan or an infinite number (see `value_to_json`).
    FormatError
        If an integer has more digits than Python's limit allows.
    """
    try:
        return json.dumps(fields, allow_nan=False) + "\n"
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise FormatError(f"the line cannot be written: {_too_long()}") from None
        raise


def parse(line: str | bytes, number: int) -> Fields:
    """Return the object on line `number` (from 1).

    Raises
    ------
    FormatError
        If there is no JSON object in UTF-8 on it, or one that gives a name twice, is nested too
        deeply or has an integer of more digits than Python's limit allows.
    """
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        fields = json.loads(
            text, parse_int=_integer, parse_constant=_no_constant, object_pairs_hook=_named_once
        )
    except _TooLong:
        raise FormatError(f"line {number} cannot be read: {_too_long()}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"line {number} is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise FormatError(f"line {number} is not a JSON object")
    return fields


def seal(fields: Fields) -> str:
    """Return one line as `dump` does, with a checksum as its last field.

    The field ``crc32`` is the CRC-32 of all bytes of the line before its comma, as eight
    hexadecimal digits. It changes with any single bit of them.

    Raises
    ------
    ValueError, FormatError
        As `dump`.
    """
    text = dump(fields).removesuffix("}\n")
    return f'{text}, "crc32": "{zlib.crc32(text.encode()):08x}"}}\n'


def unseal(line: bytes, number: int) -> Fields:
    """Return the object that `seal` wrote on line `number` (from 1), with its checksum.

    Raises
    ------
    FormatError
        If the line has no checksum, does not agree with it, or is refused by `parse`.
    """
    match = SEALED.fullmatch(line)
    if match is None or zlib.crc32(match[1]) != int(match[2], 16):
        raise FormatError(f"line {number} does not agree with its checksum")
    return parse(line, number)


def _named_once(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object gives a name twice")
    return fields


class _TooLong(ValueError):
    """An integer beyond Python's limit: JSON all the same."""


def _too_long() -> str:
    return (
        f"it has an integer of more than {sys.get_int_max_str_digits()} digits, Python's limit "
        "(PYTHONINTMAXSTRDIGITS=0 lifts it)"
    )


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise _TooLong from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def value_to_json(value: float) -> float | str:
    """Return a value of the objective as JSON has it."""
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def value_from_json(value: object, what: str, number: int) -> float:
    """Return the value of the objective that line `number` gives as `what`."""
    if value in ("inf", "-inf"):
        return float(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f'line {number}: {what} must be a number, "inf" or "-inf"')
    try:
        number_value = float(value)
    except OverflowError:
        number_value = math.inf
    if not math.isfinite(number_value):
        raise FormatError(f"line {number}: {what} is out of the range of floats")
    return number_value


def integer_from_json(fields: Fields, name: str, number: int, least: int = 0) -> int:
    """Return the integer that line `number` gives as `name`."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise FormatError(f"line {number}: {name} must be an integer >= {least}")
    return value
