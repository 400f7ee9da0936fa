"""The numbers of the best rule with fresh matrices (`reproduction/bounds/optimal_rule.py`)."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from kept_results import DOCS, page
from scipy import stats

from embedded_hunter.matrices import Floats
from embedded_hunter.problems.functions import Ackley, Rosenbrock
from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.bounds import optimal_rule as module
from reproduction.bounds.dynamic_programme import optimal_rule
from reproduction.bounds.optimal_rule import (
    FINEST,
    REACH,
    RuleNumbers,
    distance_by_boxes,
    distance_of,
    jackknife_error,
    landscape_of,
    levels_of,
    read,
    rows_of,
    sublevel_distances,
    table_of,
    write,
)
from reproduction.seeds import seed_of
from reproduction.theory.ceiling import (
    scale_grid,
    upper_limits,
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


def test_what_the_page_calls_measurable() -> None:
    assert "nothing measurable on Ellipsoid and FletcherPowell" in PAGE
    rows = {row.function: row for row in read(NUMBERS) if row.v == 10_000}
    for name in ("ellipsoid", "fletcher_powell"):
        assert rows[name].gain < rows[name].gain_error
    assert "gains $.005 \\pm .004$ over the best fixed radius on Ackley" in PAGE
    assert "$.0004 \\pm .0002$ on Rosenbrock" in PAGE
    for name, gain, error in (("ackley", 0.005, 0.004), ("rosenbrock", 0.0004, 0.0002)):
        assert float(f"{rows[name].gain:.1g}") == gain
        assert float(f"{rows[name].gain_error:.1g}") == error


def test_the_page_says_how_many_scales_there_are() -> None:
    assert "each of 21 scales (Rosenbrock: 33)" in PAGE
    for name in PROBLEMS:
        low, ratio = FINEST.get(name, (0.1, 1.13))
        assert len(scale_grid(low, REACH, ratio)) == (33 if name == "rosenbrock" else 21)


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


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer samples, levels and scales."""
    monkeypatch.setattr(module, "PILOT", 4000)
    monkeypatch.setattr(module, "LEVELS", 40)
    monkeypatch.setattr(module, "PARTS", 6)
    monkeypatch.setattr(module, "FINEST", {"ackley": (0.4, 1.2)})


def scales_of(name: str) -> Floats:
    """Up to sigma R sqrt(d) with n = 10^4, d = 10 and eta = 0.3, down to at most the least one."""
    greatest = 10 / 0.3 / math.sqrt(10_000) * math.sqrt(10)
    least, ratio = (0.4, 1.2) if name == "ackley" else (0.1, 1.13)
    scales = [greatest]
    while scales[0] > least:
        scales.insert(0, scales[0] / ratio)
    return np.array(scales)


def test_levels_are_quantiles_of_the_least_values(small: None) -> None:
    """Ten steps up to the least quantile, 20 quantiles below .004, ten above, f(0), and the top."""
    landscape, scales = Ackley(10), scales_of("ackley")

    def f(x: Floats) -> Floats:
        return np.asarray(landscape(x.T))

    found = levels_of(landscape, f, scales, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    pilot = [f(np.clip(s * rng.standard_normal((4000, 10)), -1, 1)) for s in scales]
    probabilities = [
        *(3 / 4000 * (4 / 3) ** (k / 19) for k in range(20)),
        *(10 ** (-3 + 3 * k / 9) for k in range(10)),
    ]
    shown = [min(np.quantile(values, p) for values in pilot) for p in probabilities]
    f_zero = float(landscape(np.zeros(10)))
    top = f_zero + landscape.lipschitz() * math.sqrt(10)
    below = [shown[0] * k / 9 for k in range(10)]
    assert found == pytest.approx(sorted({*below, *shown, f_zero, top}), rel=1e-9)
    assert found[0] == 0
    assert (np.diff(found) > 0).all()


def means_of_one_law(levels: Floats, law: Floats, v: int) -> float:
    """Of the best of v values rounded up to the next level."""
    tail = [1.0, *((1 - p) ** v for p in law[:-1]), 0.0]
    return math.fsum(b * (t - u) for b, t, u in zip(levels, tail, tail[1:], strict=False))


@pytest.mark.parametrize("name", ["ackley", "fletcher_powell"])
def test_the_numbers_of_a_function_are_what_they_are_called(small: None, name: str) -> None:
    """All numbers again, from the same draws: two parts of six find a rule, four judge it."""
    budgets, draws = (2, 5, 7), 100
    rows = rows_of(name, 6 * draws, budgets)
    landscape, scales = landscape_of(name), scales_of(name)

    def f(x: Floats) -> Floats:
        return np.asarray(landscape(x.T))

    rng = np.random.default_rng(seed_of("optimal-rule", name))
    levels = levels_of(landscape, f, scales, rng)
    counted = []
    for _ in range(6):
        z = rng.standard_normal((10, draws)).T
        values = [f(np.clip(s * z, -1, 1)) for s in scales]
        counted.append([(x <= levels[:, None]).sum(axis=1) for x in values])
    counts = np.array(counted, dtype=float)
    zero = [(levels >= float(landscape(np.zeros(10)))).astype(float)]

    def laws(parts: Sequence[int]) -> Floats:
        return np.concatenate([zero, counts[list(parts)].mean(axis=0) / draws])

    every, rest = laws(range(6)), range(2, 6)
    best = optimal_rule(levels, every, 7)
    rule = optimal_rule(levels, laws(range(2)), 7)
    leave_out = [laws([k for k in rest if k != left]) for left in rest]
    # Limits at .5 % each way; a limit of F at a level bounds F at all smaller or greater levels.
    total = counts.sum(axis=0)
    distances = distance_of(landscape)(levels)
    high = upper_limits(total, 600, scales, 10, distances=distances, confidence=0.995)
    high = np.array([[min(row[i:]) for i in range(len(row))] for row in high])
    low = np.array(
        [[stats.beta.ppf(0.005 / total.size, hits, 601 - hits) if hits else 0.0 for hits in row]
         for row in total]
    )  # fmt: skip
    low = np.array([[max(row[: i + 1]) for i in range(len(row))] for row in low])
    least = optimal_rule(levels, np.concatenate([zero, high]), 7).least
    most = optimal_rule(levels, np.concatenate([zero, low]), 7).means
    assert [row.v for row in rows] == [2, 5, 7]
    for row in rows:
        v = row.v
        fixed = [means_of_one_law(levels, law, v) for law in every]
        first = [means_of_one_law(levels, law, v) for law in laws(range(2))]
        scale = first.index(min(first))
        judged = rule.means_under(laws(rest))[v - 1]
        judged_without = np.array([rule.means_under(some)[v - 1] for some in leave_out])
        of_scale = [means_of_one_law(levels, some[scale], v) for some in leave_out]
        expected = RuleNumbers(
            name,
            v,
            least[v - 1],
            means_of_one_law(levels, every.max(axis=0), v),
            best.least[v - 1],
            best.means[v - 1],
            most[v - 1],
            min(fixed),
            [0.0, *scales][fixed.index(min(fixed))],
            judged,
            jackknife_error(judged_without),
            means_of_one_law(levels, laws(rest)[scale], v) - judged,
            jackknife_error(np.array(of_scale) - judged_without),
        )
        assert row[:2] == expected[:2]
        for field, is_, be in list(zip(RuleNumbers._fields, row, expected, strict=True))[2:]:
            assert is_ == pytest.approx(be, rel=1e-11), field
        assert row.certified_low <= row.least <= row.mean <= row.certified_high
        assert name != "ackley" or row.certified_low > 0


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
