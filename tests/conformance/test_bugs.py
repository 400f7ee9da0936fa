"""The verdict on each bug of `bugs` names the line of Algorithm 1 that the bug breaks."""

import contextlib
import json
from functools import cache
from typing import Any

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, objective
from oracle import Objective

from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Report
from embedded_hunter.traces.events import header

SEEDS, EACH = 20, 5
"""Number of random instances; of golden and of random instances with a verdict for each bug."""
MOST = 1500
"""Greatest number of events of a run that is not complete."""


class TooLong(Exception):
    """The run of a program with a bug does not end."""


@cache
def runs() -> list[tuple[str, Settings, Objective]]:
    """The golden instances, and random ones."""
    made = [(name, golden.settings, objective(golden)) for name, golden in GOLDENS.items()]
    for seed in range(SEEDS):
        instance, eta, M, g = instances.instance(seed)
        made.append((f"seed {seed}", package.settings_of(instance, eta, M), g))
    return made


def trace_of(hunt: Any, settings: Settings, g: Objective) -> list[Fields]:
    """The trace of a program, as far as it runs."""
    events = [header(settings)]

    def write(**event: Any) -> None:
        if len(events) > MOST:
            raise TooLong
        events.append(json.loads(json.dumps(bugs.encoded(event))))

    def value_of(**event: Any) -> float:
        node = package.birth((event["h"], event["i"]), settings.K)
        value = g(node, event["p"])
        write(**event, value=value)
        return value

    with contextlib.suppress(TooLong):
        hunt(settings.as_json(), value_of, write)
    return events


def verdicts(bug: bugs.Bug) -> list[tuple[str, Report]]:
    """The verdicts on the first golden and the first random runs of a bug that do not conform."""
    hunt = bugs.program(bug)
    found: dict[bool, list[tuple[str, Report]]] = {True: [], False: []}
    for name, settings, g in runs():
        of_kind = found[name in GOLDENS]
        if len(of_kind) == EACH:
            continue
        with contextlib.suppress(FormatError, ValueError):  # a nan, or no leaf left
            report = check([dump(event) for event in trace_of(hunt, settings, g)])
            if not report.conforms:
                of_kind.append((name, report))
    return found[True] + found[False]


@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(bug, id=bug.name, marks=[] if k % 30 == 0 else pytest.mark.long)
        for k, bug in enumerate(bugs.BUGS)
    ],
)
def test_the_verdict_names_the_line_that_the_bug_breaks(bug: bugs.Bug) -> None:
    """Or, of causes that explain the trace equally well, the one that comes first as stated."""
    line, exact = f"line {bug.line}", 0
    found = verdicts(bug)
    assert len(found) >= 2
    for name, report in found:
        assert report.deviation is not None
        rule, causes = report.deviation.rule, report.deviation.causes
        exact += rule == line
        assert rule == line or line in causes[1:], f"{name}: {report}"
        assert not causes or rule == causes[0]
    assert exact > 0.5 * len(found)
