"""The numbers of evaluations of the visits of a run: more workers than these save nothing."""

from typing import Any

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.policies import search_of, settings_of

KINDS: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh"},
    "fresh, K = 11": {"policy": "fresh", "K": 11},
    "indexed": {"policy": "indexed"},
    "forest": {"policy": "forest"},
    "forest, K = 11": {"policy": "forest", "K": 11},
}


def sizes_of(kind: str, v: int) -> list[int]:
    def objective(x: Floats) -> float:
        return float((x[3] - 0.3) ** 2 + (x[11] + 0.6) ** 2)

    search = search_of(settings_of(n=100, d=4, v=v, **KINDS[kind]), np.random.default_rng(0))
    return [len(values) for _, values in drive(search, one_by_one(objective))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_visit_of_the_forest_has_at_most_two_expansions(kind: str) -> None:
    """One of each queue. A generation of the evolution strategy has work for twelve workers."""
    sizes, K = sizes_of(kind, 200), KINDS[kind].get("K", 3)
    assert sizes[0] == 1
    assert sum(sizes) == 200
    if kind.startswith("forest"):
        assert all(size <= 2 * (K - 1) or size == 12 for size in sizes[:-1])
    else:
        assert max(sizes) > 2 * (K - 1)


def test_generations_have_work_for_eight_workers() -> None:
    """In a run of 1,000 evaluations, as docs/performance.md and docs/how-to.md say."""
    sizes = sizes_of("forest", 1000)
    assert max(sizes) == 12
    two, four, eight = (sum(-(-size // w) for size in sizes) for w in (2, 4, 8))
    assert 1.2 < two / four < two / eight < 2.5
    assert two / eight > 1.5
