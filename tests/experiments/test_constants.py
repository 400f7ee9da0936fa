"""The printed tables hold what they claim to hold (`experiments/bounds/constants.py`)."""

import math

import numpy as np
import pytest

from embedded_hunter.experiments.bounds.constants import main, sublevel_distances
from embedded_hunter.experiments.tables import table


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
