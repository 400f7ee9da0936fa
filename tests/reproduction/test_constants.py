"""The printed tables hold what they claim to hold (`reproduction/bounds/constants.py`)."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from embedded_hunter import regret
from embedded_hunter.problems.functions import Ackley, Ellipsoid, Landscape, Rosenbrock
from reproduction.bounds import constants
from reproduction.bounds.constants import (
    ceiling_table,
    distance_by_boxes,
    main,
    sublevel_distances,
)
from reproduction.tables import table


def cells(text: str) -> list[list[str]]:
    """The rows of a Markdown table, without header and rule."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def first(cell: str) -> float:
    return float(cell.split()[0])


def ends(cell: str) -> tuple[float, float]:
    low, high = cell.split("[")[1].rstrip("]").split(",")
    return float(low), float(high)


@pytest.mark.long
@pytest.mark.claim("coverage")
def test_the_coverage_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Seed fixed; 95 % intervals widened to 4 times their half-width (false alarm below 1e-10)."""
    assert main(["--tables", "coverage", "--samples", "2000", "--seed", "2"]) == 0
    rows = cells(capsys.readouterr().out)
    assert [row[0].split()[0] for row in rows] == ["1", "100", "1000", "10000", "100000"]
    assert {row[1] for row in rows} == {"0.7"}
    assert [row[2] for row in rows] == ["0.979", "0.789", "0.4", "0.0119", "5.6e-11"]
    for row in rows:
        for true, measured in ((row[2], row[3]), (row[4], row[5])):
            low, high = ends(measured)
            assert low - 1.5 * (high - low) <= float(true) <= high + 1.5 * (high - low)
    ratios = [float(row[-1]) for row in rows]
    assert ratios == pytest.approx(
        [ratios[0] * math.sqrt(n) for n in (1, 100, 1e3, 1e4, 1e5)], rel=0.01
    )


@pytest.mark.claim("theorem-1")
def test_the_theorem_1_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The linear function attains the sharp constant; every measured ratio stays under it."""
    assert main(["--tables", "theorem-1", "--samples", "4000", "--seed", "3"]) == 0
    rows = cells(capsys.readouterr().out)
    assert len(rows) == 4
    for row in rows:
        n, printed, moments, effective, sharp = (float(cell) for cell in row[:5])
        assert printed == pytest.approx(math.sqrt(8), abs=5e-3)
        assert moments == pytest.approx(math.sqrt(2), abs=5e-3)
        assert effective == pytest.approx(math.sqrt(20 / n), rel=5e-3)
        assert sharp == pytest.approx(2 / math.sqrt(math.pi * n), rel=5e-3)
        low, high = ends(row[5])
        assert low - (high - low) <= sharp <= high + (high - low)
        assert all(first(cell) <= sharp * 1.05 for cell in row[5:8])
        assert float(row[8]) == pytest.approx(math.sqrt(2 * math.pi * n), rel=0.06)


@pytest.mark.claim("fresh-ceiling")
def test_the_ceiling_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Certified bound <= plug-in bound <= best constant scale (up to the noise of the latter)."""
    assert main(["--tables", "ceiling", "--samples", "1000", "--seed", "4"]) == 0
    rows = cells(capsys.readouterr().out)
    assert [row[0] for row in rows] == ["ellipsoid", "rosenbrock", "ackley"]
    for row in rows:
        f_zero, sure, plug_in, best = (first(cell) for cell in row[2:])
        assert 0 <= sure <= plug_in <= best * 1.01
        assert best <= f_zero


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


def test_the_sublevel_distances_are_those_of_the_inequalities() -> None:
    """In balls around x* = (.4634, ..), from r = 0 to where 0 is inside; Rosenbrock by boxes."""
    (first, ellipsoid), (second, rosenbrock), (third, ackley) = sublevel_distances()
    assert [type(f) for f in (first, second, third)] == [Ellipsoid, Rosenbrock, Ackley]
    assert all(f.d_e == 10 for f in (first, second, third))
    norm, a = 0.4634 * math.sqrt(10), 0.4634
    levels = [0.0, 1.0, 30.0, 1e5, 1e6]
    by_hand = [max(0, norm - math.sqrt(t / 25), a - math.sqrt(t / 2.5e6)) for t in levels]
    assert ellipsoid(np.array(levels)) == pytest.approx(by_hand)
    assert 0 < by_hand[3] == a - math.sqrt(1e5 / 2.5e6)
    radii = [0.0, 0.3, 1.4, 1.5, 2.0]
    values = np.array([20 * (1 - math.exp(-r / math.sqrt(10))) for r in radii])
    assert ackley(values) == pytest.approx([max(0, norm - r) for r in radii], abs=1e-12)
    assert ackley(np.array([19.0, 19.5, 21.0])).tolist() == [0, 0, 0]
    near = np.array([0.0, 0.5, 5.0, 8.999, 9.0, 10.0])
    assert rosenbrock(near) == pytest.approx(distance_by_boxes(second)(near), rel=1e-12)


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


def measured(hits: int, of: int) -> str:
    e = regret.estimate_probability(hits, of)
    return f"{e.value:.3g} [{e.low:.3g}, {e.high:.3g}]"


def by_rows(f: Landscape, x: Any) -> Any:
    return f(x.T)


@pytest.mark.parametrize(("samples", "budgets"), [(999, []), (1000, [100]), (10_000, [100, 1000])])
def test_every_cell_of_the_ceiling_table(
    monkeypatch: pytest.MonkeyPatch, samples: int, budgets: list[int]
) -> None:
    """From the same samples; a tenth of them chooses the thresholds of the certified bound."""
    two = sublevel_distances()[1:]
    monkeypatch.setattr(constants, "sublevel_distances", lambda: two)
    monkeypatch.setattr(constants, "scale_grid", lambda *at: grid(*at))

    def grid(low: float, high: float, ratio: float) -> Any:
        """Every tenth scale of the grid of ratio 1.1."""
        return np.array([high * ratio ** (-10 * k) for k in range(100)
                         if high * ratio ** (-10 * k) >= low])[::-1]  # fmt: skip

    found = ceiling_table(samples, np.random.default_rng(6))
    head = [cell.strip() for cell in found.splitlines()[0].strip("|").split("|")]
    assert head == [
        "f", "v", "f(0)", "certified bound", "plug-in bound", "best constant scale (s)"
    ]  # fmt: skip
    rng, rows = np.random.default_rng(6), iter(cells(found))
    for (f, distance), low in zip(two, (0.001, 0.05), strict=True):
        scales = grid(low, 10 / 0.3 / 100 * 10**0.5, 1.1)
        of = partial(by_rows, f)
        values = regret.sample_radial_values(of, 10, scales, samples, rng)
        for v in budgets:
            tenth = [row[::10] for row in values]
            others = np.array([[x for k, x in enumerate(row) if k % 10] for row in values])
            shares = [min(0.9, 0.01 * 5000 ** (k / 59) / v) for k in range(60)]
            levels = [min(float(np.quantile(row, p)) for row in tenth) for p in shares]
            sure = regret.certified_lower_bound(
                others, scales, 10, v, f_star=0.0, f_zero=float(f(np.zeros(10))),
                distance=distance, thresholds=levels,
            )  # fmt: skip
            best = regret.best_of(values, v).tolist()
            assert next(rows) == [
                f.name,
                str(v),
                f"{float(f(np.zeros(10))):.3g}",
                f"{sure:.4g}",
                f"{regret.plug_in_lower_bound(values, v):.4g}",
                f"{min(best):.4g} ({scales[best.index(min(best))]:.3g})",
            ]
    assert list(rows) == []
    assert len({len(line) for line in found.splitlines()}) == 1


def test_a_table_is_markdown_and_may_be_aligned() -> None:
    head, rows = ["a", "b"], [["1", "22"], ["", "3"]]
    assert table(head, rows) == "| a | b |\n| --- | --- |\n| 1 | 22 |\n|  | 3 |"
    assert table(head, rows, aligned=True).splitlines() == [
        "| a | b  |",
        "| - | -- |",
        "| 1 | 22 |",
        "|   | 3  |",
    ]
    assert table(head, []) == "| a | b |\n| --- | --- |"
    with pytest.raises(ValueError, match="zip"):
        table(head, [["1"]], aligned=True)
