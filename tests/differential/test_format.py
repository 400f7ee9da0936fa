"""The format of a trace: how it may be written, and what is a `FormatError`."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from differential.edits import Events
from differential.goldens import PAPER, PATHS
from differential.goldens import events as golden_events
from differential.test_conformance import checked
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.check import check
from embedded_hunter.traces.reading import FIELDS, OPTIONAL


def least_settings(events: Events) -> Events:
    given = events[0]["settings"]
    least = {name: given[name] for name in ("d", "v", "K", "h_max", "eta", "M")}
    return [{**events[0], "settings": least}, *events[1:]]


def free_policy(events: Events) -> Events:
    return [{**events[0], "settings": events[0]["settings"] | {"policy": "mine"}}, *events[1:]]


PROFILES: dict[str, Callable[[Events], Events]] = {
    "least settings": least_settings,
    "free policy": free_policy,
}


SCHEMA = jsonschema.Draft7Validator(json.loads((KIT / "trace.schema.json").read_text("utf-8")))
"""The JSON Schema of the kit."""


@pytest.mark.parametrize("profile", PROFILES)
def test_a_trace_may_be_written_in_this_way(profile: str) -> None:
    """The checker and the schema accept it."""
    for name in PAPER[::4]:
        written = PROFILES[profile](golden_events(name))
        assert written[0] != golden_events(name)[0]
        assert checked(written).conforms, name
        for event in written:
            SCHEMA.validate(event)


WRONG: list[tuple[int, dict[str, object], str]] = [
    (3, {"sweep": 1.0}, "sweep must be an integer, got 1.0"),
    (4, {"t": True}, "t must be an integer, got True"),
    (6, {"i": 1.5}, "i must be an integer, got 1.5"),
    (6, {"c": -1}, "c must be a list of integers, got -1"),
    (6, {"c": [-1.0]}, "c[0] must be an integer, got -1.0"),
    (6, {"p": None}, "p must be an integer, got None"),
    (6, {"value": "1"}, 'value must be a number, "inf" or "-inf", got \'1\''),
    (6, {"f_star": []}, 'f_star must be a number, "inf" or "-inf", got []'),
    (6, {"i": 1.5e21}, "i was rounded to 53 bits, got 1.5e+21: write an integer of more than 53 "
     "bits with all its digits"),
    (6, {"i": 2.0**53}, "i was rounded to 53 bits, got 9007199254740992.0: write an integer of "
     "more than 53 bits with all its digits"),
    (6, {"i": "1"}, "i must be an integer, got '1'"),
    (8, {"reason": 3}, "reason must be a string, got 3"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "change", "says"), WRONG)
def test_a_mistyped_field_is_named(line: int, change: dict[str, object], says: str) -> None:
    """The schema does not see what depends on other lines, or on how a number is written."""
    events = golden_events("first-steps")
    events[line - 1] |= change
    with pytest.raises(FormatError) as caught:
        checked(events)
    assert str(caught.value) == f"line {line}: {says}"
    unseen = "rounded" in says or "got 1.0" in says
    unseen = unseen or change == {"c": [-1.0]}
    assert SCHEMA.is_valid(events[line - 1]) == unseen


@pytest.mark.parametrize("line", range(1, 9))
def test_a_missing_field_is_named(line: int) -> None:
    """Of the header, line 1, another test says so."""
    events = golden_events("first-steps")
    kind = events[line - 1].get("event")
    for name in events[line - 1]:
        kept = {k: x for k, x in events[line - 1].items() if k != name}
        assert not SCHEMA.is_valid(kept)
        if kind is not None and name != "event":
            with pytest.raises(FormatError) as caught:
                checked([*events[: line - 1], kept, *events[line:]])
            assert str(caught.value) == f"line {line}: the event {kind!r} has no field {name!r}"


def test_a_value_with_too_few_digits_is_named() -> None:
    events = golden_events("cap-at-equality")
    answer = 1 / 3
    for event in events[1:]:
        if event["event"] == "evaluate" and event["h"] == 0:
            event["value"] = answer
    k = next(k for k, event in enumerate(events) if event.get("event") == "expand")
    for digits, written in ((15, 0.333333333333333), (6, 0.333333)):
        events[k]["nu_min"] = written
        deviation = checked(events).deviation
        assert deviation is not None
        assert (deviation.line, deviation.rule) == (k + 1, "line 7")
        assert deviation.sentence == (
            f"nu_min must be {answer}, not {written}, that value rounded to {digits} digits: "
            "write it with 17 digits: it becomes the f* of (0, 0)"
        )
    events[k]["nu_min"] = 0.3334
    deviation = checked(events).deviation
    assert deviation is not None
    assert "digits" not in deviation.sentence


def test_the_kit_that_is_written_has_the_schema_and_the_golden_traces(tmp_path: Path) -> None:
    assert main(["kit", "--out", str(tmp_path / "kit")]) == 0
    for name in ("trace.schema.json", "golden/ties.jsonl", "golden/forest/cube.jsonl"):
        assert (tmp_path / "kit" / name).read_bytes() == (KIT / name).read_bytes()


def test_the_schema_has_the_fields_that_are_read() -> None:
    events = SCHEMA.schema["definitions"]["event"]["oneOf"]
    named = {event["properties"]["event"]["const"]: event for event in events}
    assert set(named) == set(FIELDS)
    for kind, event in named.items():
        assert event["required"] == ["event", *FIELDS[kind]]
        assert set(event["properties"]) == {"event", *FIELDS[kind], *OPTIONAL.get(kind, {})}


@pytest.mark.parametrize("name", PATHS)
def test_the_schema_accepts_the_golden_traces(name: str) -> None:
    for event in golden_events(name):
        SCHEMA.validate(event)


def test_a_header_lacks_nothing_but_what_is_optional() -> None:
    events = least_settings(golden_events("first-steps"))
    for name in events[0]["settings"]:
        kept = {k: x for k, x in events[0]["settings"].items() if k != name}
        with pytest.raises(FormatError, match=f"^line 1: .*{name}"):
            check([json.dumps({**events[0], "settings": kept})])


def test_a_message_about_settings_does_not_repeat_a_long_value() -> None:
    events = golden_events("first-steps")
    settings = {**events[0]["settings"], "sampler": "x" * 10_000}
    with pytest.raises(FormatError, match=r"^line 1: settings: .{300}$"):
        list(checked([{**events[0], "settings": settings}, *events[1:]]))
