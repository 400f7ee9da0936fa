"""Lines of files: strict JSON, an object to a line, checksums, errors that name the line."""

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.run.header import header_of_run
from embedded_hunter.run.jsonlines import (
    FormatError,
    dump,
    integer_from_json,
    parse,
    seal,
    short,
    value_from_json,
    value_to_json,
)
from embedded_hunter.run.records import evaluation_line, read_header, read_records
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.traces.reading import open_trace, read, settings_from
from embedded_hunter.traces.writing import header, trace_of

ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5),
    st.floats(allow_nan=False).map(value_to_json),
)  # fmt: skip


NAMES = st.text(max_size=3)


LISTS = st.lists(ATOMS, max_size=3)


OBJECTS = st.dictionaries(
    NAMES, ATOMS | LISTS | st.dictionaries(NAMES, ATOMS | LISTS, max_size=3), max_size=3
)


@given(OBJECTS, st.booleans())
def test_a_line_is_read_as_it_was_written(fields: dict[str, Any], as_bytes: bool) -> None:
    line = dump(fields)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    assert line.isascii()
    assert json.loads(line) == fields
    assert parse(line.encode() if as_bytes else line, 1) == fields


@pytest.mark.claim("nan-and-inf")
def test_what_is_no_JSON_number_is_neither_written_nor_read() -> None:
    for value, constant in ((math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")):
        with pytest.raises(ValueError, match=r"^Out of range float values"):
            dump({"a": [value]})
        with pytest.raises(FormatError, match=f"^line 7 is not JSON: {constant} is not a JSON nu"):
            parse(f'{{"a": {constant}}}', 7)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "line 3 is not a JSON object"),
        (b'{"a": {"b": 2, "b": 2}}', "an object contains a name twice"),
        ('{"a": 1}'.encode("utf-16"), "utf-8"),
        ('{"a": 1}'.encode("utf-8-sig"), "line 3 is not JSON: "),
        (b"{\x00}\x00", "line 3 is not JSON"),
        (b'{"a": "\x00"}', "Invalid control character"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_a_line_is_one_object_in_utf_8(line: str | bytes, says: str) -> None:
    with pytest.raises(FormatError, match=says) as caught:
        parse(line, 3)
    assert str(caught.value).startswith("line 3 is not ")


# --- values and integers -------------------------------------------------------------------------


@pytest.mark.claim("nan-and-inf")
@given(st.floats(allow_nan=False))
@example(math.inf)
@example(-math.inf)
@example(-0.0)
def test_every_value_is_read_as_it_was_written(value: float) -> None:
    written = value_to_json(value)
    assert written == ({math.inf: "inf", -math.inf: "-inf"}.get(value, value))
    assert repr(value_from_json(parse(dump({"value": written}), 1)["value"], "it", 1)) == repr(
        value
    )


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("value", "says"),
    [
        *[(value, "must be a number") for value in (None, True, "1.0", "nan", [1.0])],
        *[(value, "is out of the range of floats") for value in (10**400, math.inf, math.nan)],
    ],
)
def test_what_is_no_value_is_named(value: object, says: str) -> None:
    with pytest.raises(FormatError, match=f"^line 5: answer {says}"):
        value_from_json(value, "answer", 5)


@pytest.mark.parametrize("value", [0, True, 3.0, "3", None])
def test_what_is_no_such_integer_is_named(value: object) -> None:
    assert integer_from_json({"k": 1}, "k", 4, 1) == 1
    for fields in ({"k": value, "other": 5}, {"other": 5}):
        with pytest.raises(FormatError) as caught:
            integer_from_json(fields, "k", 4, 1)
        assert str(caught.value) == f"line 4: k must be an integer >= 1, got {fields.get('k')!r}"


def test_a_value_is_shown_in_at_most_80_characters() -> None:
    assert short("x" * 78) == "'" + "x" * 78 + "'"
    assert short("x" * 79) == "'" + "x" * 76 + "..."
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert short(deep) == "a deeply nested list"


# --- integers beyond Python's limit --------------------------------------------------------------


def test_an_integer_beyond_the_limit_is_neither_written_nor_read() -> None:
    with pytest.raises(ValueError, match=r"limit \(4300 digits\)"):
        dump({"i": 10**5000})
    line = '{"i": 1' + "0" * 4300 + "}"
    with pytest.raises(FormatError, match=r"^line 9 is not JSON: Exceeds the limit \(4300"):
        parse(line, 9)
    assert parse(line.replace("10", "1", 1), 9) == {"i": 10**4299}


# --- checksums -----------------------------------------------------------------------------------

VALUE = evaluation_line(1, 2.0)
LINES = [seal(header_of_run(Settings(3, 1, 5), [1] * 8, 7)), VALUE]


@given(st.sampled_from(LINES), st.binary(min_size=1, max_size=40), st.integers(0, 10**4))
@example(VALUE, b"3", VALUE.index("2.0"))
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


# --- traces --------------------------------------------------------------------------------------

SETTINGS = Settings(9, 2, 40, K=5, M=1)


def test_lines_are_numbered_from_one_and_blank_ones_passed_over() -> None:
    lines: list[str | bytes] = ['{"a": 1}\n', "\n", b"  ", b'{"a": 2}', "", '{"a": 3}']
    assert list(read(lines)) == [(1, {"a": 1}), (4, {"a": 2}), (6, {"a": 3})]
    with pytest.raises(FormatError, match=r"^line 3 is not JSON: "):
        list(read(["{}", "", "{"]))


REQUIRED = "line 1 must have format 'embedded-hunter trace' and version 5"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "other"}, f"{REQUIRED}, got 'other' and 5"),
        ({"version": 3}, f"{REQUIRED}, got 'embedded-hunter trace' and 3"),
        ({"settings": [1]}, "line 1: settings must be an object, got [1]"),
        ({"settings": None}, "line 1: settings must be an object, got None"),
        (
            {"settings": SETTINGS.as_json() | {"K": 4}},
            "line 1: settings: K must be an odd integer >= 3, got 4",
        ),
        (
            {"settings": SETTINGS.as_json() | {"d": "two"}},
            "line 1: settings: d must be an integer >= 1, got 'two' of type str",
        ),
    ],
)
def test_what_is_no_header_is_named(change: dict[str, Any], says: str) -> None:
    assert settings_from(header(SETTINGS)).as_json() == SETTINGS.as_json()
    with pytest.raises(FormatError) as caught:
        settings_from(header(SETTINGS) | change)
    assert str(caught.value) == says


def test_a_trace_is_read_as_its_events_are_needed() -> None:
    lines = [dump(e) for e in trace_of(Run(SETTINGS, values=[100.0 - k for k in range(40)]))]
    with pytest.raises(FormatError, match=r"^the trace is empty$"):
        open_trace(["\n"])
    unread = iter(lines)
    _, events = open_trace(unread)
    next(events)
    assert list(unread) == lines[2:]
    wrong = [line.replace('"value": 98.0', '"value": true') for line in lines]
    with pytest.raises(FormatError, match=r"^line \d+: value must be a number, .*, got True$"):
        list(open_trace(wrong)[1])
