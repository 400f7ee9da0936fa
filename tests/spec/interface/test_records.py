"""Specification of `run.records`: the lines of a checkpoint after its header."""

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult

from embedded_hunter.run.box import Box
from embedded_hunter.run.header import header_of_run
from embedded_hunter.run.jsonlines import FormatError, seal
from embedded_hunter.run.records import (
    EVALUATION,
    answer_line,
    evaluation_line,
    read_header,
    read_records,
    result_of,
)
from embedded_hunter.run.status import SUCCESS, history_of, message_of
from embedded_hunter.settings import Settings

BOX = Box([(-1.0, 2.0), (0.0, 1e-300), (-5.0, -4.0)])
X = np.array([0.1, 1e-301, -4.5])
RESULT = OptimizeResult(
    x=X, fun=-3.0, nfev=2, nit=7, nsweep=3, depth=4, nleaves=9, success=True, status=0,
    message=message_of(0, "indexed"), policy="indexed",
    history=history_of({1: 2.0, 2: -3.0}),
)  # fmt: skip
VALUES = [evaluation_line(1, 2.0), evaluation_line(2, -3.0)]


def read(*lines: str, v: int = 5) -> Any:
    return read_records([line.encode().removesuffix(b"\n") for line in lines], v)


@given(st.floats(allow_nan=False), st.integers(1, 10**15))
def test_a_value_comes_back_bit_for_bit(value: float, number: int) -> None:
    """By the fast way, unless it is infinite."""
    line = evaluation_line(number, value)
    found = read(line, v=10**15).values[number]
    assert math.copysign(1.0, found) == math.copysign(1.0, value)
    assert found == value
    fast = EVALUATION.fullmatch(line.encode().removesuffix(b"\n"))
    assert (fast is not None) == math.isfinite(value)


LINES = [seal(header_of_run(Settings(3, 1, 5), [1] * 8, 7)), VALUES[0], answer_line(RESULT)]


@given(st.sampled_from(LINES), st.binary(min_size=1, max_size=40), st.integers(0, 10**4))
@example(VALUES[0], b"3", VALUES[0].index("2.0"))
@example(LINES[0], b"2", LINES[0].index('"key": [1') + 8)
def test_a_line_that_was_changed_is_refused(line: str, junk: bytes, at: int) -> None:
    """The header, a value, and the answer."""
    content = line.encode().removesuffix(b"\n")
    at %= len(content)
    changed = content[:at] + junk + content[at + len(junk) :]
    if changed != content:
        call: Callable[[], object] = partial(read_header, changed)
        if line is not LINES[0]:
            call = partial(read_records, [changed], 5)
        with pytest.raises(FormatError, match=r"^line 1 |^line 2 does not match its checksum$"):
            call()


@pytest.mark.parametrize("status", [0, 1, 7, 8, 9, 13, 14])
def test_an_answer_comes_back(status: int) -> None:
    result = OptimizeResult(RESULT | {"status": status, "nit": np.int64(7)})
    found = result_of(read(*VALUES, answer_line(result)), "indexed", BOX)
    assert found is not None
    assert list(found) == list(RESULT)
    assert found.x.tobytes() == X.tobytes()
    found.x[0] = 1.0  # it is the caller's
    assert (found.success, found.message) == (status in SUCCESS, message_of(status, "indexed"))
    assert found.history.tolist() == RESULT.history.tolist() == [(1, 2.0), (2, -3.0)]
    same = {"x": 0, "status": 0, "success": 0, "message": 0, "history": 0}
    assert {**found, **same} == {**RESULT, **same}


def changed(**fields: Any) -> str:
    answer = json.loads(answer_line(RESULT))["answer"]
    return seal({"answer": {**answer, **fields}})


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([VALUES[1], changed()], "line 3: there is an answer, but the run is not complete"),
        ([*VALUES, changed(status=2)], "line 4: there is an answer, but the run is not complete"),
        ([*VALUES, changed(status=None)], "line 4: status must be an integer >= 0, got None"),
        ([*VALUES, changed(nleaves="2")], "line 4: nleaves must be an integer >= 0, got '2'"),
        ([*VALUES, changed(x="%%")], "the answer: x is not a point within the bounds"),
        ([*VALUES, answer_line(OptimizeResult(RESULT | {"x": X[:2]}))],
         "the answer: x is not a point within the bounds"),
        ([*VALUES, answer_line(OptimizeResult(RESULT | {"x": X + 1}))],
         "the answer: x is not a point within the bounds"),
        ([*VALUES, seal({"answer": 3})], "line 4: status must be an integer >= 0, got None"),
        *(
            ([*VALUES, changed(), line], "line 5 follows the answer, which must be the last line")
            for line in (changed(), evaluation_line(3, 1.0))
        ),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_refused(lines: list[str], says: str) -> None:
    with pytest.raises(FormatError) as caught:
        result_of(read(*lines), "indexed", BOX)
    assert str(caught.value) == says
