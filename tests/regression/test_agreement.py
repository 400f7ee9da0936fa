"""The comparison of published and reproduced tables."""

from collections.abc import Iterable

import numpy as np
import pytest
from scipy import stats

from reproduction.figure_1.agreement import by_runs, compare_cells
from reproduction.figure_1.samples import Cells

pytestmark = pytest.mark.claim("published-comparison")


E, F, G = "number-of-embeddings", "effective-dimension", "effective-dimension-knowledge"
Rows = dict[str, Cells]


def table(
    experiment: str, cells: int, seed: int, *, shift: float = 0.0, shifted: int = 0, runs: int = 20
) -> Rows:
    rng = np.random.default_rng(seed)
    samples = {
        ("ackley", "resoo", x): np.exp(rng.standard_normal(runs) + (shift if x < shifted else 0.0))
        for x in range(cells)
    }
    return {experiment: samples}


def of(values: Iterable[float]) -> Rows:
    """One cell with these values."""
    return {E: {("ackley", "resoo", 1): np.array([*values])}}


def test_adjustment_is_by_test_over_all_cells() -> None:
    theirs = table(E, 8, 1) | table(F, 5, 3)
    ours = table(F, 5, 4, shift=1.0, shifted=2) | table(E, 8, 2, shift=1.0, shifted=3)
    cells = compare_cells(theirs, ours)
    assert [c.experiment for c in cells] == [E] * 8 + [F] * 5
    mw = stats.false_discovery_control([c.mann_whitney for c in cells])
    ks = stats.false_discovery_control([c.kolmogorov_smirnov for c in cells])
    assert [c.differs for c in cells] == (np.minimum(mw, ks) <= 0.05).tolist()
    assert 0 < sum(c.differs for c in cells) < 13
    q = min(mw.min(), ks.min())
    for rate, differ in ((q * (1 - 1e-9), False), (q, True)):
        assert any(c.differs for c in compare_cells(theirs, ours, rate=rate)) == differ


def curves(shift: float) -> Rows:
    """Three cells along the budget v, read off the same runs."""
    (sample,) = table(E, 1, 1 + (shift != 0))[E].values()
    cells = {("ackley", "resoo", v): np.exp(shift) * sample for v in (10, 50, 100)}
    return {"convergence": cells}


def test_cells_of_one_curve_count_as_one_comparison() -> None:
    cells = compare_cells(curves(0.0), curves(1.5))
    p = 2 * 3 * min(min(c.mann_whitney, c.kolmogorov_smirnov) for c in cells)
    assert len(cells) == 3
    assert by_runs(cells) == by_runs(cells, rate=p * (1 + 1e-9)) == [True]
    assert by_runs(cells, rate=p * (1 - 1e-9)) == [False]
    same = compare_cells(curves(0.0), curves(0.0))
    assert (by_runs(same, rate=1.0), by_runs(same, rate=1 - 1e-9)) == ([True], [False])


def test_cells_of_other_axes_count_each() -> None:
    cells = compare_cells(table(E, 4, 1), table(E, 4, 2, shift=2.0, shifted=1))
    p = [min(1.0, 2 * min(c.mann_whitney, c.kolmogorov_smirnov)) for c in cells]
    adjusted = stats.false_discovery_control(p)
    for rate in (0.05, *(q * factor for q in adjusted for factor in (1 + 1e-9, 1 - 1e-9))):
        assert by_runs(cells, rate=rate) == (adjusted <= rate).tolist()
    assert by_runs(cells) == [True] + [False] * 3


def test_cells_of_one_side_alone_are_left_out() -> None:
    theirs, ours = table(E, 2, 1) | table(F, 2, 1), table(E, 3, 2) | table(G, 2, 3)
    assert [(c.experiment, c.x) for c in compare_cells(theirs, ours)] == [(E, 0), (E, 1)]


def test_incomparable_tables_are_refused() -> None:
    theirs = table(E, 2, 1)
    with pytest.raises(ValueError, match=r"^the two tables have no experiment in common$"):
        compare_cells(theirs, table(F, 2, 1))
    with pytest.raises(ValueError, match="1 published cells were not reproduced"):
        compare_cells(theirs, table(E, 1, 1))
