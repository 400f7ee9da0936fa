"""The guide's table of small problems and corners, computed again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.baselines.random_search import random_search
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
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in re.findall(
        r"<!-- begin: small problems -->\n(.*?)<!-- end: small problems -->",
        GUIDE.read_text(),
        re.DOTALL,
    )[0].splitlines()
    if line.startswith("| $")
]


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_the_table_of_the_guide_is_that_of_these_runs(number: int) -> None:
    """The runs of the forest are a success, and their median is below that of random points."""
    fun, row = FUNCTIONS[number], ROWS[number]
    n, _, v = (int(cell.replace(",", "")) for cell in row[1:4])
    run: dict[str, Any] = {"bounds": [(-1.0, 1.0)] * n, "maxfun": v}
    forest = [minimize(fun, rng=seed, **run) for seed in SEEDS]
    uniform = [random_search(fun, rng=seed, **run) for seed in SEEDS]
    medians = [float(np.median([run.fun for run in runs])) for runs in (forest, uniform)]
    for median, cell in zip(medians, row[5:7], strict=True):
        assert float(cell) == pytest.approx(median, rel=0.006, abs=0)
    assert medians[0] < medians[1]
    assert all(run.success for run in forest)
    assert len(ROWS) == len(FUNCTIONS)
