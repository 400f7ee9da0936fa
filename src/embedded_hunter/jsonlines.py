"""JSON lines as our files have them: objects, one to a line, in strict JSON.

A value of the objective may be infinite, for which JSON has no number: it is the string "inf" or
"-inf". Whatever is wrong with a line is a `FormatError` that names the line.
"""

import json
import math
from typing import Any

Fields = dict[str, Any]


class FormatError(ValueError):
    """A line of a file is not what it should be."""


def dump(fields: Fields) -> str:
    """Return one line, with its end."""
    return json.dumps(fields, allow_nan=False, separators=(", ", ": ")) + "\n"


def parse(line: str | bytes, number: int) -> Fields:
    """Return the object on line `number` (from 1).

    Raises
    ------
    FormatError
        If there is no JSON object in UTF-8 on it, or one that gives a name twice, is nested too
        deeply or has an integer of more than 4,300 digits (Python's limit).
    """
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        fields = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_named_once)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"line {number} is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise FormatError(f"line {number} is not a JSON object")
    return fields


def _named_once(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object gives a name twice")
    return fields


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
