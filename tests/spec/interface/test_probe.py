"""Specification of `run.probe`: a hash of what this machine computes."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.search import ForestVisit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import drive
from embedded_hunter.run import probe as module
from embedded_hunter.run.drive import one_by_one
from embedded_hunter.run.policies import POLICIES, Search, search_of, settings_of
from embedded_hunter.run.probe import probe
from embedded_hunter.settings import Settings


@pytest.mark.long
def test_it_is_the_same_in_another_process() -> None:
    program = "from embedded_hunter.run.probe import probe; print(dict(probe()))"
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == str(dict(probe()))
    assert list(probe()) == ["fresh", "fresh, sampler matrix", "indexed", "forest"]
    assert len(set(probe().values())) == 4


@pytest.fixture
def computed_again() -> Iterator[None]:
    """Forget the probe before and after the test."""
    probe.cache_clear()
    yield
    probe.cache_clear()


@pytest.mark.usefixtures("computed_again")
@pytest.mark.parametrize("k", [1, 2, 50, module.V])
def test_the_last_bit_of_any_coordinate_changes_every_part(
    monkeypatch: pytest.MonkeyPatch, k: int
) -> None:
    """Here: one bit of the last coordinate of evaluation k, which no value depends on."""

    class Wrong:
        def __init__(self, search: Search) -> None:
            self.search, self.made = search, 0

        def project(self, evaluations: Any) -> Floats:
            points = self.search.projection.project(evaluations)
            if self.made < k <= self.made + len(points):
                x = points[k - 1 - self.made]
                x[-1] = np.nextafter(x[-1], 2.0)
            self.made += len(points)
            return points

    def wrong(settings: Settings, rng: np.random.Generator) -> Search:
        search = search_of(settings, rng)
        return Search(search.run, Wrong(search))

    before = probe()
    monkeypatch.setattr(module, "search_of", wrong)
    probe.cache_clear()
    assert [part for part, found in probe().items() if found == before[part]] == []


def test_the_probe_of_the_forest_has_local_searches() -> None:
    given = POLICIES["forest"].probes["forest"]
    settings = settings_of("forest", module.N, module.D, module.V, **given)
    assert isinstance(settings, ForestSettings)
    search = search_of(settings, np.random.default_rng(module.SEED))
    local = 0
    for visit, values in drive(
        search.run, search.projection.project, one_by_one(lambda x: float(abs(x[0] - 0.3)))
    ):
        assert isinstance(visit, ForestVisit)
        local += len(values) * (visit.local is not None)
    assert local >= 20
