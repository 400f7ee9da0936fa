"""How the experiments run the methods of this project: with which settings, points and generator.

The searches are replaced by functions that return what they are given.
"""

import math
from typing import Any

import numpy as np
import pytest

from embedded_hunter.run.policies import Search
from embedded_hunter.settings import Settings
from reproduction.optimizers import embedded
from reproduction.optimizers.black_box import BlackBox, ProblemInfo

RNG = np.random.default_rng(3)
BOX = BlackBox(lambda x: x[0], 12, 640)
TABLE_1 = ProblemInfo(10_000, 4, d=9, M=7)
"""sigma = 1/100, R = 9/.3 = 30, so sigma R = .3."""
SCALED = ProblemInfo(500, 4, M=8, sigma_n=400, box_scale=2.5, d_sresoo=3, function="ackley")
"""sigma = 2.5/20, M = 20; R = 4/.3."""
SMALL = ProblemInfo(3, 4, sigma_n=100)
"""n is d at least; sigma = 1/10, M = 5."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The searches that are evaluated, as what they were made of."""
    searches: list[Any] = []

    def evaluate_all(box: BlackBox, search: Any) -> None:
        assert box is BOX
        searches.append(search)

    monkeypatch.setattr(embedded, "evaluate_all", evaluate_all)
    monkeypatch.setattr(embedded, "sresoo_parts", lambda *given: ("sresoo", given))
    for name in ("search_of", "Indexed", "hunt_resoo", "hunt_nothing", "Uniform", "Radial"):
        monkeypatch.setattr(embedded, name, lambda *given, name=name: (name, given))
    return searches


FRESH = [
    (TABLE_1, Settings(10_000, 9, 640, M=7, sigma=0.01)),
    (SCALED, Settings(500, 4, 640, M=20, sigma=0.125)),
    (SMALL, Settings(4, 4, 640, M=5, sigma=0.1)),
]


@pytest.mark.parametrize(("info", "expected"), FRESH)
def test_algorithm_1_has_the_settings_of_the_paper(
    asked: list[Any], info: ProblemInfo, expected: Settings
) -> None:
    embedded.fresh(BOX, info, RNG)
    embedded.indexed(BOX, info, RNG)
    indexed = Settings(
        expected.n, expected.d, 640, M=expected.M, sigma=expected.sigma, policy="indexed"
    )
    assert asked == [("search_of", (expected, RNG, 12)), ("search_of", (indexed, RNG, 12))]
    assert expected.eta == 0.3
    assert expected.h_max == math.isqrt(640)


def test_another_dimension_or_scale_is_that_of_the_searched_cube(asked: list[Any]) -> None:
    """sigma = scale/R, where R = d/.3."""
    for run, wrap in ((embedded.indexed, "search_of"), (embedded.resoo, "Indexed")):
        asked.clear()
        run(BOX, TABLE_1, RNG, d=6, scale=0.5)
        run(BOX, SMALL, RNG, d=6)
        run(BOX, SCALED, RNG, scale=0.25)
        found = [one if wrap == "search_of" else one[1] for one in asked]
        assert [name for name, _ in found] == 3 * [wrap]
        settings = [given[0] for _, given in found]
        assert [(s.n, s.d, s.v, s.M, s.policy) for s in settings] == [
            (10_000, 6, 640, 7, "indexed"),
            (6, 6, 640, 5, "indexed"),
            (500, 4, 640, 20, "indexed"),
        ]
        sigmas = [0.5 / (6 / 0.3), 0.1, 0.25 / (4 / 0.3)]
        assert [s.sigma for s in settings] == pytest.approx(sigmas)
        assert all(given[1:] == (RNG, 12) for _, given in found)


def test_the_baselines_have_the_settings_of_the_paper(asked: list[Any]) -> None:
    """RESOO: the same points as `indexed`, M trees. SRESOO: sigma without the factor of the box."""
    for info, of in ((TABLE_1, FRESH[0][1]), (SCALED, FRESH[1][1]), (SMALL, FRESH[2][1])):
        asked.clear()
        embedded.resoo(BOX, info, RNG)
        settings = Settings(of.n, of.d, 640, M=of.M, sigma=of.sigma, policy="indexed")
        points = ("Indexed", (settings, RNG, 12))
        assert asked == [Search(("hunt_resoo", (settings, info.M)), points)]  # type: ignore[arg-type]
    asked.clear()
    for info in (TABLE_1, SCALED, SMALL):
        embedded.sresoo(BOX, info, RNG)
    parts = [
        (Settings(10_000, 9, 640, sigma=0.01), 7),
        (Settings(500, 3, 640, sigma=0.05), 8),
        (Settings(4, 4, 640, sigma=0.1), 5),
    ]
    assert [search[:2] for search in asked] == [
        ("sresoo", (settings, M, RNG, 12)) for settings, M in parts
    ]
