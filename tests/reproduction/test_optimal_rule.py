"""The numbers of the best rule with fresh matrices (`reproduction/bounds/optimal_rule.py`)."""

from pathlib import Path

import numpy as np
import pytest
from kept_results import DOCS, page
from scipy import stats

from embedded_hunter.problems.functions import Rosenbrock
from reproduction.bounds.optimal_rule import (
    RuleNumbers,
    distance_by_boxes,
    jackknife_error,
    read,
    sublevel_distances,
    table_of,
    write,
)

PAGE = page("paper/ours.md")
NUMBERS = DOCS / "results" / "optimal-rule" / "numbers.csv"


def test_the_page_shows_the_stored_numbers() -> None:
    text = (DOCS / "paper" / "ours.md").read_text(encoding="utf-8")
    _, found = text.split("<!-- table: optimal-rule -->\n\n")
    assert found.split("\n\n<!-- end -->")[0] == table_of(read(NUMBERS))


def test_the_stored_numbers_are_in_the_order_of_what_they_bound() -> None:
    rows = read(NUMBERS)
    assert {row.v for row in rows} == {100, 1_000, 10_000}
    for row in rows:
        assert 0 < row.certified_low < row.least < row.mean < row.certified_high
        assert row.mean <= row.fixed
        assert row.gain > -4 * row.gain_error


def test_no_rule_gains_more_than_the_page_says() -> None:
    said = (
        "no rule gains more than $.012$ (Ackley), $.17$ (Ellipsoid), $210$ of $59{,}000$ "
        "(FletcherPowell) or $.003$ (Rosenbrock)"
    )
    assert said in PAGE
    most = {"ackley": 0.012, "ellipsoid": 0.17, "fletcher_powell": 210.0, "rosenbrock": 0.003}
    rows = {row.function: row for row in read(NUMBERS) if row.v == 10_000}
    assert rows.keys() == most.keys()
    for name, row in rows.items():
        assert 0.7 * most[name] < row.fixed - row.least <= most[name]
    assert round(rows["fletcher_powell"].fixed, -3) == 59_000


def test_a_file_is_read_as_written(tmp_path: Path) -> None:
    write(tmp_path / "numbers.csv", read(NUMBERS))
    assert (tmp_path / "numbers.csv").read_bytes() == NUMBERS.read_bytes()
    assert "| Ellipsoid | 10,000 |" in table_of(read(tmp_path / "numbers.csv"))
    (tmp_path / "numbers.csv").write_text("a,b\n")
    with pytest.raises(
        ValueError, match=f"does not begin with the columns {', '.join(RuleNumbers._fields)}$"
    ):
        read(tmp_path / "numbers.csv")


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    x = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.5])
    without = np.array([np.delete(x, k).mean() for k in range(6)])
    assert jackknife_error(without) == pytest.approx(stats.sem(x), rel=1e-12)


@pytest.mark.claim("fresh-ceiling")
def test_the_sublevel_distances_are_lower_bounds() -> None:
    """Random points, most of them near the minimiser: none is nearer to 0 than stated."""
    rng = np.random.default_rng(5)
    for landscape, distance in sublevel_distances():
        spread = np.exp(rng.uniform(-6, 0.5, (4000, 1)))
        x = np.clip(landscape.x_star + spread * rng.standard_normal((4000, 10)), -1, 1)
        x[::2] *= rng.uniform(0, 1, (2000, 1))
        values = np.asarray(landscape(x.T))
        assert np.all(distance(values) <= np.linalg.norm(x, axis=1) + 1e-9), landscape.name
        assert distance(np.zeros(1))[0] > 1e-3


def test_a_distance_by_boxes_is_the_best_of_a_hundred_boxes() -> None:
    """On |x_i| <= r, f falls from f(0) by at most L(r) ||x||; outside, ||x|| > r."""
    f = Rosenbrock(3)
    thresholds = [-5.0, 0.5, 1.9, 1.999, 2.0, 3.0]
    f_zero = float(f(np.zeros(3)))
    assert f_zero == 2
    expected = [
        max(
            min(r, max(0.0, f_zero - t) / f.lipschitz(r))
            for r in (10 ** (-4 + 4 * k / 99) for k in range(100))
        )
        for t in thresholds
    ]
    assert distance_by_boxes(f)(np.array(thresholds)) == pytest.approx(expected, rel=1e-12)
    assert expected[-2:] == [0, 0]
    assert min(expected[:-2]) > 0
