"""Specification of traces: what is written, what is read again, what a header may claim."""

from typing import Any

import pytest

from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.traces.reading import open_trace, read, settings_from
from embedded_hunter.traces.writing import header, trace_of

SETTINGS = Settings(9, 2, 40, K=5, M=1)


# --- reading -------------------------------------------------------------------------------------


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
