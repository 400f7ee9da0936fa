"""Specification of `run.probe`: a hash of what this machine computes."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.trees import ForestVisit
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import drive
from embedded_hunter.run import probe as module
from embedded_hunter.run.policies import POLICIES, parts_of, settings_of
from embedded_hunter.run.policy import Points
from embedded_hunter.run.probe import probe


@pytest.mark.long
def test_it_is_the_same_in_another_process() -> None:
    program = (
        "from embedded_hunter.run.policies import POLICIES\n"
        "from embedded_hunter.run.probe import probe\n"
        "print(*map(probe, POLICIES))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split() == [probe(policy) for policy in POLICIES]
    assert len(set(printed.split())) == 3


@pytest.fixture
def computed_again() -> Iterator[None]:
    """Forget the probe before and after the test."""
    probe.cache_clear()
    yield
    probe.cache_clear()


@pytest.mark.usefixtures("computed_again")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("k", [1, 2, 50, module.V])
def test_the_last_bit_of_any_coordinate_changes_it(
    monkeypatch: pytest.MonkeyPatch, policy: str, k: int
) -> None:
    """Here: one bit of the last coordinate of evaluation k, which no value depends on."""
    before, points = probe(policy), POLICIES[policy].points

    def wrong(*given: Any) -> Points:
        maker = points(*given)
        project, made = maker.project, 0

        def changed(evaluations: Any) -> Floats:
            nonlocal made
            found = project(evaluations)
            if made < k <= made + len(found):
                x = found[k - 1 - made]
                x[-1] = np.nextafter(x[-1], 2.0)
            made += len(found)
            return found

        maker.project = changed  # type: ignore[method-assign]
        return maker

    monkeypatch.setattr(POLICIES[policy], "points", wrong)
    probe.cache_clear()
    assert probe(policy) != before


def test_the_probe_of_the_forest_has_local_searches() -> None:
    run, points = parts_of(settings_of("forest", module.N, module.D, module.V), module.SEED)
    local = 0
    for visit, values in drive(run, points.project, lambda x: np.abs(x[:, 0] - 0.3)):
        assert isinstance(visit, ForestVisit)
        local += len(values) * (visit.local is not None)
    assert local >= 20
