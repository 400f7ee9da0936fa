"""The golden traces: what is committed is what the package, and the Rocq model, do."""

import oracle
import package
import pytest
from goldens import FOLDER, GOLDENS, README, caught, objective, readme, text
from oracle import Instance

from embedded_hunter.traces.check import check

NAMES = list(GOLDENS)


def test_every_golden_has_a_file_and_every_file_is_a_golden() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(GOLDENS)


@pytest.mark.long
def test_the_readme_has_the_tables_of_files_and_bugs() -> None:
    assert README.read_text(encoding="utf-8") == readme()


@pytest.mark.long
def test_at_least_two_traces_catch_each_bug() -> None:
    found = caught()
    assert len(found) >= 100
    assert {name: traces for name, traces in found.items() if len(traces) < 2} == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_package_writes_this_trace_and_it_conforms(name: str) -> None:
    committed = (FOLDER / f"{name}.jsonl").read_text()
    assert committed == text(GOLDENS[name])
    report = check(committed.splitlines())
    assert report.conforms, str(report)
    assert report.events == len(committed.splitlines()) - 1


@pytest.mark.parametrize("name", NAMES)
def test_the_rocq_model_does_the_same(name: str) -> None:
    """As the package does, whose trace is the file."""
    settings, g = GOLDENS[name].settings, objective(GOLDENS[name])
    instance = Instance(settings.K, settings.d, settings.h_max, settings.v, settings.cap)
    assert package.run(settings, g) == oracle.run(instance, g)
