"""The lines of a run's file after its header. There are two kinds, each with a checksum:

- ``{"evaluation": k, "value": f}``: the value of evaluation k. With ``"failed": true`` the
  evaluation failed, and its value +inf stands for that.
- ``{"budget": v}``: the run is extended to the budget v.
"""

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from embedded_hunter.run.header import RUN, require_format, settings_in
from embedded_hunter.run.jsonlines import (
    Fields,
    FormatError,
    integer_from_json,
    parse,
    seal,
    short,
    unseal,
    value_from_json,
    value_to_json,
)


@dataclass
class Records:
    """The contents of the file of a run."""

    budget: int
    """The evaluation budget, that of the last extension if there is one."""
    values: "array[float]" = field(default_factory=lambda: array("d"))
    """Those of evaluations 1, 2, ...; nan where there is none."""
    failed: set[int] = field(default_factory=set)
    """Numbers of the evaluations that failed and count as +inf."""

    def add(self, k: int, value: float) -> bool:
        """Add the value of evaluation k; return whether it can be one of this file."""
        if k > self.budget:
            return False
        self.values.extend([math.nan] * (k - len(self.values)))
        if not math.isnan(self.values[k - 1]):
            return False
        self.values[k - 1] = value
        return True


def evaluation_line(number: int, value: float, failed: bool = False) -> str:
    """Return the line of a value."""
    how = {"failed": True} if failed else {}
    return seal({"evaluation": number, "value": value_to_json(value), **how})


def budget_line(v: int) -> str:
    """Return the line of an extension to the budget v."""
    return seal({"budget": v})


def read_header(line: bytes) -> Fields:
    """Return the header of a run's file from its first line.

    FormatError if it is that of another file, or is damaged.
    """
    require_format(parse(line, 1), RUN)
    return unseal(line, 1)


def read_records(lines: Iterable[bytes], v: int) -> Records:
    """Return what the lines of a run's file after its header, without newlines, have logged.

    `v` is the budget in the header. FormatError if a line is damaged, or contradicts another one.
    """
    records = Records(v)
    for number, line in enumerate(lines, 2):
        fields = unseal(line, number)
        if "budget" in fields:
            records.budget = integer_from_json(fields, "budget", number, records.budget + 1)
            continue
        k = integer_from_json(fields, "evaluation", number, 1)
        value = value_from_json(fields.get("value"), "value", number)
        if not records.add(k, value):
            raise FormatError(
                f"line {number}: evaluation {short(k)} is logged twice or beyond the budget"
            )
        if "failed" in fields:
            if fields["failed"] is not True or value != math.inf:
                raise FormatError(f"line {number}: only an evaluation of value inf can have failed")
            records.failed.add(k)
    return records


def read_run(lines: Iterable[bytes]) -> tuple[Fields, Records]:
    """Return the header of a run's file, and what it has logged; FormatError if it is damaged.

    A last line without its newline is left out: it was cut.
    """
    whole = (line[:-1] for line in lines if line.endswith(b"\n"))
    header = read_header(next(whole, b""))
    return header, read_records(whole, settings_in(header).v)
