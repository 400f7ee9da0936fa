"""What workers save: the count of turns, and that the measured runs are the same run."""

import pytest

from embedded_hunter.experiments.speedup import batches, measure


@pytest.mark.claim("batch-equivalence")
def test_turns_are_counted_visit_by_visit() -> None:
    for K, maxfun in ((3, 60), (11, 80)):
        sizes = batches(K, maxfun)
        assert sizes[0] == 1
        assert sum(sizes) == maxfun
        row = measure(K, maxfun, 2, 0.0)
        assert row.turns == sum(size // 2 + size % 2 for size in sizes)
        assert maxfun / 2 <= row.turns < maxfun
        assert row.allowed == maxfun / row.turns
