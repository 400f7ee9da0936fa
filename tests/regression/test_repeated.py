"""The cell that differs: do different draws of the effective coordinates explain it?"""

from math import comb

import numpy as np
import pytest
from scipy import stats

from regression.kept_results import p_value, published, samples
from reproduction.kept_runs import kept, samples_of
from reproduction.seeds import seed_of

pytestmark = pytest.mark.claim("released-program")
STORED = {
    cell: np.array(values) for cell, values in samples_of(kept("repeated"), ["variant"]).items()
}
"""The runs of each draw, by the two arguments of Rosenbrock that read the same coordinate."""
NONE, N = "0, 0", 100
KEY = ("rosenbrock", "embedded_hunter", N)


def test_the_runs_are_whole() -> None:
    assert len(STORED) == 1 + comb(10, 2)
    assert {len(values) for values in STORED.values()} == {20}


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_kept_runs_of_the_cell_drew_one_coordinate_first_and_last() -> None:
    rng = np.random.default_rng(seed_of("released", "scalability", KEY[0], N))
    drawn = rng.integers(N, size=10).tolist()
    assert drawn[0] == drawn[9]
    assert len(set(drawn)) == 9


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_kept_runs_have_the_law_of_their_draw_and_of_no_other() -> None:
    """Level 5 % for its own draw; 45 others are rejected, each at level 1e-5."""
    ours = samples("released", "scalability")[KEY]
    p = {draw: stats.mannwhitneyu(ours, values).pvalue for draw, values in STORED.items()}
    assert p.pop(("0, 9",)) > 0.05
    assert max(p.values()) < 1e-5


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_published_runs_may_have_the_law_of_another_draw() -> None:
    """Welch's test of the means of logarithms on the kept summary, level 5 % for each draw."""
    cell = published("scalability")[KEY]
    p = {draw: p_value(cell, values) for draw, values in STORED.items()}
    assert p["0, 9",] < 1e-6
    assert p[NONE,] > 0.05
    assert sum(q > 0.05 for q in p.values()) >= 30
