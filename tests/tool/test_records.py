"""Specification of `run.records`: the lines of a checkpoint after its header."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.run.header import header_of_run
from embedded_hunter.run.jsonlines import FormatError, seal
from embedded_hunter.run.records import (
    evaluation_line,
    read_header,
    read_records,
)
from embedded_hunter.settings import Settings

VALUES = [evaluation_line(1, 2.0), evaluation_line(2, -3.0)]


def read(*lines: str, v: int = 5) -> Any:
    return read_records([line.encode().removesuffix(b"\n") for line in lines], v)


@given(st.floats(allow_nan=False), st.integers(1, 10**4))
def test_a_value_comes_back_bit_for_bit(value: float, number: int) -> None:
    line = evaluation_line(number, value)
    found = read(line, v=10**15).values[number - 1]
    assert math.copysign(1.0, found) == math.copysign(1.0, value)
    assert found == value


LINES = [seal(header_of_run(Settings(3, 1, 5), [1] * 8, 7)), VALUES[0]]


@given(st.sampled_from(LINES), st.binary(min_size=1, max_size=40), st.integers(0, 10**4))
@example(VALUES[0], b"3", VALUES[0].index("2.0"))
@example(LINES[0], b"2", LINES[0].index('"key": [1') + 8)
def test_a_line_that_was_changed_is_refused(line: str, junk: bytes, at: int) -> None:
    """The header, and a value."""
    content = line.encode().removesuffix(b"\n")
    at %= len(content)
    changed = content[:at] + junk + content[at + len(junk) :]
    if changed != content:
        call: Callable[[], object] = partial(read_header, changed)
        if line is not LINES[0]:
            call = partial(read_records, [changed], 5)
        with pytest.raises(FormatError, match=r"^line 1 |^line 2 does not match its checksum$"):
            call()


def test_values_may_come_in_any_order_with_gaps() -> None:
    records = read(evaluation_line(3, 1.0), *VALUES[:1], evaluation_line(5, math.inf, failed=True))
    assert [math.isnan(value) for value in records.values] == [False, True, False, True, False]
    assert (records.values[0], records.values[2], records.failed) == (2.0, 1.0, {5})
