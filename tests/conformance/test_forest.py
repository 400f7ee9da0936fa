"""The checker and the policy forest: golden traces and random runs."""

import pytest
from goldens_forest import FOLDER, GOLDENS, text

from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.traces.check import check
from spec.algorithm.brute_force_forest import Point, local_point
from spec.algorithm.test_forest_search import (
    Case,
    check_against_the_brute_force,
)

NAMES = list(GOLDENS)


def test_every_file_is_described_and_every_description_has_a_file() -> None:
    readme = (KIT / "README.md").read_text()
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(GOLDENS)
    for name, golden in GOLDENS.items():
        assert f"| `golden/forest/{name}.jsonl` | {golden.shows} |" in readme


@pytest.mark.parametrize("name", NAMES)
def test_the_package_writes_this_trace_and_it_conforms(name: str) -> None:
    committed = (FOLDER / f"{name}.jsonl").read_text()
    assert committed == text(GOLDENS[name])
    report = check(committed.splitlines())
    events = len(committed.splitlines()) - 1
    assert str(report) == f"The trace conforms to the policy forest: {events} events."


@pytest.mark.claim("constant-share")  # with the turns of rule F9, written a second time
@pytest.mark.parametrize("name", NAMES)
def test_the_brute_force_does_the_same(name: str) -> None:
    golden = GOLDENS[name]

    def g(k: int, y: Point, p: int) -> float:
        return golden.value(() if y == local_point(k, 3) else tuple(map(float, y)), p, k)

    check_against_the_brute_force(Case(golden.settings, g))
