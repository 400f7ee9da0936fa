"""The guide's table of small problems and corners, computed again."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cma
import numpy as np
import pytest
from scipy.optimize import differential_evolution

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats

GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"
SEEDS = range(9)
SOME = [3, 70, 100, 150, 199]
FUNCTIONS: list[Callable[[Floats], float]] = [
    lambda x: float(x[0]),
    lambda x: float((x[0] - 0.7) ** 2 + (x[1] + 0.7) ** 2),
    lambda x: float(((x - 0.9) ** 2).sum()),
    lambda x: float(((x - 0.9) ** 2).sum()),
    lambda x: float(np.abs(x[SOME] + 0.95).sum()),
]


def rows_of(table: str) -> list[list[str]]:
    """Return the cells of a table of the guide."""
    mark = rf"<!-- begin: {table} -->\n(.*?)<!-- end: {table} -->"
    (found,) = re.findall(mark, GUIDE.read_text(), re.DOTALL)
    lines = [line for line in found.splitlines() if line.startswith("| $")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


ROWS = rows_of("small problems")


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_the_table_of_the_guide_is_that_of_these_runs(number: int) -> None:
    """The runs of the forest are a success, and their median is below that of random points."""
    fun, row = FUNCTIONS[number], ROWS[number]
    n, _, v = (int(cell.replace(",", "")) for cell in row[1:4])
    run: dict[str, Any] = {"bounds": [(-1.0, 1.0)] * n, "maxfun": v}
    forest = [minimize(fun, rng=seed, **run) for seed in SEEDS]
    points = [np.random.default_rng(seed).uniform(-1, 1, (v, n)) for seed in SEEDS]
    uniform = [min(map(fun, each)) for each in points]
    medians = [float(np.median(values)) for values in ([run.fun for run in forest], uniform)]
    for median, cell in zip(medians, row[5:7], strict=True):
        assert float(cell) == pytest.approx(median, rel=0.006, abs=0)
    assert medians[0] < medians[1]
    assert all(run.success for run in forest)
    assert len(ROWS) == len(FUNCTIONS)


# --- coupled functions of few variables, beside pycma and differential evolution -----------------


class UsedError(Exception):
    """The budget is used."""


def rosenbrock(half: float) -> Callable[[Floats], float]:
    """Rosenbrock's function on [-half, half]^n, as a function on [-1, 1]^n."""

    def f(u: Floats) -> float:
        x = half * u
        return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())

    return f


def ellipsoid(u: Floats) -> float:
    """A quadratic function of condition 10^6 with its axes in other directions."""
    n = len(u)
    axes, _ = np.linalg.qr(np.random.default_rng(n).standard_normal((n, n)))
    return float((np.geomspace(1, 1e6, n) * (axes @ (u - 0.3)) ** 2).sum())


COUPLED: dict[str, Callable[[Floats], float]] = {
    "$R_5$": rosenbrock(5.0),
    "$R_{2.048}$": rosenbrock(2.048),
    "$E$": ellipsoid,
}
FLOOR = 1e-8
"""Values below this one count as equal."""


def least_of(run: Callable[[Callable[[Floats], float]], None], fun: Any, v: int) -> float:
    """Return the least of the first v values that a program asks for."""
    values: list[float] = []

    def counted(x: Floats) -> float:
        if len(values) == v:
            raise UsedError
        values.append(fun(x))
        return values[-1]

    with suppress(UsedError):
        run(counted)
    return min(values)


def with_pycma(fun: Any, n: int, v: int, seed: int) -> float:
    """CMA-ES from the middle with the step 0.3, begun again when it stops."""
    options = {"bounds": [-1, 1], "verbose": -9, "verb_log": 0}

    def run(counted: Callable[[Floats], float]) -> None:
        for k in range(1, v):
            given = {**options, "seed": 1000 * seed + k}
            strategy = cma.CMAEvolutionStrategy(np.zeros(n), 0.3, given)
            while not strategy.stop():
                points = strategy.ask()
                strategy.tell(points, [counted(x) for x in points])

    return least_of(run, fun, v)


def with_scipy(fun: Any, n: int, v: int, seed: int) -> float:
    """Differential evolution with the defaults of SciPy, without polishing."""

    def run(counted: Callable[[Floats], float]) -> None:
        for k in range(1, v):
            differential_evolution(
                counted, [(-1, 1)] * n, maxiter=v, polish=False, rng=1000 * seed + k
            )

    return least_of(run, fun, v)


def with_the_forest(fun: Any, n: int, v: int, seed: int) -> float:
    return float(minimize(fun, [(-1, 1)] * n, maxfun=v, rng=seed).fun)


METHODS = (with_the_forest, with_pycma, with_scipy)


def cell_of(method: Callable[..., float], name: str, n: int, v: int) -> str:
    median = float(np.median([method(COUPLED[name], n, v, seed) for seed in SEEDS]))
    return "< 1e-8" if median < FLOOR else f"{median:.1g}"


@pytest.mark.long
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=pytest.mark.slow if len(row[2]) > 3 and row[1] == "10" else ())
        for row in rows_of("coupled")
    ],
    ids=" ".join,
)
def test_the_table_of_coupled_functions_is_that_of_these_runs(row: list[str]) -> None:
    """Medians of nine runs, to one digit; run this file to write the table anew."""
    name, n, v, *cells = row
    made = [cell_of(method, name, int(n), int(v.replace(",", ""))) for method in METHODS]
    assert made == cells


if __name__ == "__main__":
    for name, n, v in [
        ("$R_5$", 2, 500), ("$R_5$", 2, 2000), ("$R_5$", 5, 3000), ("$R_5$", 10, 8000),
        ("$R_{2.048}$", 2, 500), ("$R_{2.048}$", 5, 3000),
        ("$E$", 2, 500), ("$E$", 5, 2000), ("$E$", 10, 5000),
    ]:  # fmt: skip
        cells = [cell_of(method, name, n, v) for method in METHODS]
        print(f"| {name} | {n} | {v:,} | {' | '.join(cells)} |", flush=True)
