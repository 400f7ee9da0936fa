"""What workers save: the count of turns, and that the measured runs are the same run."""

import pytest

from reproduction.performance.workers import KINDS, batches, measure, turns


@pytest.mark.claim("batch-equivalence")
def test_turns_are_counted_visit_by_visit() -> None:
    for kind, maxfun in (("fresh", 60), ("fresh, K = 11", 80), ("forest", 60)):
        sizes = batches(kind, maxfun)
        assert sizes[0] == 1
        assert sum(sizes) == maxfun
        row = measure(kind, maxfun, (1, 2), 0)["turns"]
        assert row == [maxfun, sum(size // 2 + size % 2 for size in sizes)]
        assert maxfun / 2 <= row[1] < maxfun
        assert turns(sizes, maxfun) == len(sizes)


@pytest.mark.parametrize("kind", KINDS)
def test_a_visit_of_the_forest_has_at_most_two_expansions(kind: str) -> None:
    """One of each queue. A generation of the evolution strategy has work for twelve workers."""
    sizes, K = batches(kind, 200), KINDS[kind].get("K", 3)
    if kind.startswith("forest"):
        assert all(size <= 2 * (K - 1) or size == 12 for size in sizes[:-1])
    else:
        assert max(sizes) > 2 * (K - 1)
