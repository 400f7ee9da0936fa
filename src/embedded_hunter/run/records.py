"""The lines of a run's file after its header: values, and the answer.

There are three kinds of lines, each with a checksum:

- ``{"evaluation": k, "value": f}``: the value of evaluation k. With ``"failed": true`` the
  evaluation failed, and its value +inf stands for that.
- ``{"answer": ...}``: the last line of a complete run: the best point and what else `minimize`
  returns, except what follows from the values.
- ``{"budget": v}``: the run is extended to the budget v. An answer before it no longer counts.
"""

import base64
import math
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.run.box import Box
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
from embedded_hunter.run.status import COMPLETE, history_of, result

EVALUATION = re.compile(
    rb'(\{"evaluation": ([1-9][0-9]{0,15}), "value": (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?'
    rb'(?:e[+-]?[0-9]+)?)), "crc32": "([0-9a-f]{8})"\}'
)
"""The line of a value, as `evaluation_line` writes it: the text before the checksum, k, f, and the
checksum. Most lines have this form, and are read several times as fast as general JSON."""

COUNTS = ("nit", "nsweep", "depth", "nleaves")
"""Counts of an answer that do not follow from the values alone."""


@dataclass
class Records:
    """The contents of the file of a run."""

    budget: int
    """The evaluation budget, that of the last extension if there is one."""
    values: dict[int, float] = field(default_factory=dict)
    """{number of the evaluation: value}."""
    failed: set[int] = field(default_factory=set)
    """Numbers of the evaluations that failed and count as +inf."""
    answer: Fields | None = None
    """The answer of the run, if it is complete."""


def evaluation_line(number: int, value: float, failed: bool = False) -> str:
    """Return the line of a value."""
    how = {"failed": True} if failed else {}
    return seal({"evaluation": number, "value": value_to_json(value), **how})


def budget_line(v: int) -> str:
    """Return the line of an extension to the budget v."""
    return seal({"budget": v})


def answer_line(found: OptimizeResult) -> str:
    """Return the line of the result of a complete run."""
    x = base64.b64encode(found.x.astype("<f8").tobytes()).decode()
    counts = {name: int(found[name]) for name in COUNTS}
    return seal({"answer": {"x": x, **counts, "status": found.status}})


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
        found = EVALUATION.fullmatch(line)
        if found and not records.answer and zlib.crc32(found[1]) == int(found[4], 16):
            k, value = int(found[2]), float(found[3])
            if k <= records.budget and k not in records.values and math.isfinite(value):
                records.values[k] = value
                continue
        _read_any(records, unseal(line, number), number)
    return records


def _read_any(records: Records, fields: Fields, number: int) -> None:
    v = records.budget
    if "budget" in fields:
        records.budget, records.answer = integer_from_json(fields, "budget", number, v + 1), None
        return
    if records.answer is not None:
        raise FormatError(f"line {number} follows the answer, which must be the last line")
    if "answer" in fields:
        records.answer = _answer(fields["answer"], records.values, number)
        return
    k = integer_from_json(fields, "evaluation", number, 1)
    if k > v or k in records.values:
        raise FormatError(
            f"line {number}: evaluation {short(k)} is logged twice or beyond the budget"
        )
    records.values[k] = value = value_from_json(fields.get("value"), "value", number)
    if fields.get("failed", False) is not False:
        if fields["failed"] is not True or value != math.inf:
            raise FormatError(f"line {number}: only an evaluation of value inf can have failed")
        records.failed.add(k)


def _answer(found: object, values: dict[int, float], number: int) -> Fields:
    fields = found if isinstance(found, dict) else {}
    status = integer_from_json(fields, "status", number)
    if status not in COMPLETE or not values or max(values) != len(values):
        raise FormatError(f"line {number}: there is an answer, but the run is not complete")
    counts = {name: integer_from_json(fields, name, number) for name in COUNTS}
    try:
        x = np.frombuffer(base64.b64decode(str(fields.get("x")), validate=True), "<f8")
    except ValueError:
        x = np.empty(0)
    return {"x": x.astype(float), "status": status, **counts}


def result_of(records: Records, policy: str, box: Box) -> OptimizeResult | None:
    """Return the result of a run from its file, None if the run is not complete.

    FormatError if the answer is not a point within the bounds.
    """
    if (answer := records.answer) is None:
        return None
    x, values = answer["x"], records.values
    if x.shape != (box.n,) or not np.all((box.low <= x) & (x <= box.high)):
        raise FormatError("the answer: x is not a point within the bounds")
    best = min(values, key=lambda k: (values[k], k))
    counts = {name: answer[name] for name in COUNTS}
    found = result(answer["status"], policy, box, (values[best], best, x), len(values), **counts)
    found.history = history_of(values)
    return found


def read_run(lines: Iterable[bytes]) -> tuple[Fields, Records]:
    """Return the header of a run's file, and what it has logged; FormatError if it is damaged.

    A last line without its newline is left out: it was cut.
    """
    whole = (line[:-1] for line in lines if line.endswith(b"\n"))
    header = read_header(next(whole, b""))
    return header, read_records(whole, settings_in(header).v)
