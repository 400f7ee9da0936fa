"""The comparison of published and reproduced tables."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from reproduction.figure_1.agreement import by_runs, compare_cells
from reproduction.statistics import ratio_of_geometric_means, ratio_of_medians

pytestmark = pytest.mark.claim("published-comparison")


def table(
    experiment: str, cells: int, seed: int, *, shift: float = 0.0, shifted: int = 0, runs: int = 20
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    return [
        {
            "experiment": experiment,
            "problem": "ackley",
            "algorithm": "resoo",
            "M": str(x),
            "run": run,
            "best_value": str(rng.standard_normal() + (shift if x < shifted else 0.0)),
        }
        for x in range(cells)
        for run in range(runs)
    ]


def test_a_cell_says_what_the_samples_say() -> None:
    theirs, ours = table("e", 3, 1), table("e", 3, 2, runs=30)
    cell = compare_cells(theirs, ours)[1]
    a = [float(r["best_value"]) for r in theirs if r["M"] == "1"]
    b = [float(r["best_value"]) for r in ours if r["M"] == "1"]
    assert (cell.experiment, cell.problem, cell.algorithm) == ("e", "ackley", "resoo")
    assert (cell.axis, cell.x, cell.published_runs, cell.reproduced_runs) == ("M", 1.0, 20, 30)
    means = (cell.published_mean, cell.published_sd, cell.reproduced_mean, cell.reproduced_sd)
    assert means == pytest.approx((np.mean(a), np.std(a, ddof=1), np.mean(b), np.std(b, ddof=1)))
    assert cell.mann_whitney == stats.mannwhitneyu(a, b).pvalue
    assert cell.kolmogorov_smirnov == stats.ks_2samp(a, b).pvalue


def test_adjustment_is_by_test_over_all_cells() -> None:
    theirs = table("e", 8, 1) + table("f", 5, 3)
    ours = table("f", 5, 4, shift=1.0, shifted=2) + table("e", 8, 2, shift=1.0, shifted=3)
    cells = compare_cells(theirs, ours)
    assert [c.experiment for c in cells] == ["e"] * 8 + ["f"] * 5
    mw = stats.false_discovery_control([c.mann_whitney for c in cells])
    ks = stats.false_discovery_control([c.kolmogorov_smirnov for c in cells])
    assert [c.mann_whitney_adjusted for c in cells] == pytest.approx(mw)
    assert [c.kolmogorov_smirnov_adjusted for c in cells] == pytest.approx(ks)
    assert [c.differs for c in cells] == (np.minimum(mw, ks) <= 0.05).tolist()
    assert 0 < sum(c.differs for c in cells) < 13
    q = min(mw.min(), ks.min())
    for rate, differ in ((q * (1 - 1e-9), False), (q, True)):
        assert any(c.differs for c in compare_cells(theirs, ours, rate=rate)) == differ


def curves(**axis: float) -> list[dict[str, Any]]:
    """Three cells along an axis, read off the same runs."""
    ((name, shift),) = axis.items()
    return [
        {
            **{key: value for key, value in row.items() if key != "M"},
            name: x,
            "best_value": float(row["best_value"]) + shift,
        }
        for row in table("e", 1, 1 + (shift != 0))
        for x in (1, 2, 3)
    ]


def test_cells_of_one_curve_count_as_one_comparison() -> None:
    cells = compare_cells(curves(v=0.0), curves(v=1.5))
    (found,) = by_runs(cells)
    least = min(min(c.mann_whitney, c.kolmogorov_smirnov) for c in cells)
    assert found.cells == tuple(cells)
    assert len(cells) == 3
    assert found.p == found.adjusted == pytest.approx(2 * 3 * least)
    assert found.differs
    assert by_runs(cells, rate=found.p)[0].differs
    assert not by_runs(cells, rate=found.p * (1 - 1e-9))[0].differs
    (same,) = by_runs(compare_cells(curves(v=0.0), curves(v=0.0)))
    assert (same.p, same.differs) == (1.0, False)


def test_cells_of_other_axes_count_each() -> None:
    cells = compare_cells(table("e", 4, 1), table("e", 4, 2, shift=2.0, shifted=1))
    found = by_runs(cells)
    assert [runs.cells for runs in found] == [(cell,) for cell in cells]
    p = [min(1.0, 2 * min(c.mann_whitney, c.kolmogorov_smirnov)) for c in cells]
    assert [runs.p for runs in found] == pytest.approx(p)
    adjusted = stats.false_discovery_control(p)
    assert [runs.adjusted for runs in found] == pytest.approx(adjusted)
    assert [runs.differs for runs in found] == (adjusted <= 0.05).tolist() == [True] + [False] * 3


def test_a_cell_says_by_which_factor_the_sides_may_differ() -> None:
    rng = np.random.default_rng(2)
    a, b = np.exp(rng.normal(0, 0.3, 20)), np.exp(rng.normal(0.2, 0.6, 30))

    def rows(sample: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
        row = table("e", 1, 1, runs=1)[0]
        return [{**row, "run": k, "best_value": value} for k, value in enumerate(sample)]

    (cell,) = compare_cells(rows(a), rows(b))
    assert cell.geometric_means == ratio_of_geometric_means(b, a)
    assert cell.medians == ratio_of_medians(b, a)
    assert cell.medians.low < np.median(b) / np.median(a) < cell.medians.high


def test_equal_means_with_other_spread_differ() -> None:
    """Kolmogorov-Smirnov sees what Mann-Whitney cannot."""
    theirs, ours = table("e", 1, 1, runs=60), table("e", 1, 2, runs=60)
    for row in ours:
        row["best_value"] = str(4 * float(row["best_value"]))
    cell = compare_cells(theirs, ours)[0]
    assert cell.mann_whitney > 0.05
    assert cell.differs


def test_x_values_match_as_numbers_and_cells_of_one_side_alone_are_left_out() -> None:
    theirs = table("e", 2, 1) + table("f", 2, 1)
    ours = [dict(row, M=float(row["M"])) for row in table("e", 3, 2)] + table("g", 2, 3)
    assert [c.x for c in compare_cells(theirs, ours)] == [0.0, 1.0]


def test_constant_cells_agree() -> None:
    theirs = [dict(row, best_value=9.0) for row in table("e", 1, 1)]
    cell = compare_cells(theirs, theirs)[0]
    assert (cell.mann_whitney, cell.kolmogorov_smirnov, cell.differs) == (1.0, 1.0, False)
    one = compare_cells(theirs[:1], theirs)[0]
    assert math.isnan(one.published_sd)
    two = [dict(row, best_value=value) for row, value in zip(theirs, (1.0, 3.0), strict=False)]
    assert compare_cells(two, theirs)[0].published_sd == pytest.approx(math.sqrt(2))


def test_incomparable_tables_are_refused() -> None:
    theirs = table("e", 2, 1)
    with pytest.raises(ValueError, match=r"^the two tables have no experiment in common$"):
        compare_cells(theirs, table("f", 2, 1))
    with pytest.raises(ValueError, match="1 published cells were not reproduced"):
        compare_cells(theirs, table("e", 1, 1))
    with pytest.raises(ValueError, match="one x column"):
        compare_cells([dict(row, n=3) for row in theirs], theirs)
    with pytest.raises(ValueError, match="nan"):
        compare_cells([dict(row, best_value="nan") for row in theirs], theirs)
