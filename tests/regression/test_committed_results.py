"""The runs in docs/results are whole, in the published format, and what the code gives today.

Where random streams have changed since, only the law of the runs is the same.
"""

import numpy as np
import pytest

from regression.kept_results import published
from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PUBLISHED,
    RUNS,
    all_algorithms,
)
from reproduction.figure_1.samples import cells_of
from reproduction.kept_runs import kept
from reproduction.problems.registry import OF_PAPER

pytestmark = pytest.mark.claim("kept-results")


@pytest.mark.parametrize(
    ("profile", "algorithms", "beyond"),
    [("paper", all_algorithms(), True), ("released", PUBLISHED, False)],
)
def test_every_run_is_there_once(profile: str, algorithms: tuple[str, ...], beyond: bool) -> None:
    """In the paper's order, when it is read by cells."""
    lines = kept(profile)
    assert set(lines["set"]) == set(EXPERIMENTS)
    for name, cells in cells_of(lines).items():
        experiment = EXPERIMENTS[name]
        assert list(cells) == [
            (problem, algorithm, x)
            for problem in OF_PAPER
            for algorithm in algorithms
            for x in (experiment.all_values if beyond else experiment.values)
        ]
        mine = lines[lines["set"] == name]
        for _, runs in mine.groupby(["function", "method", experiment.axis])["run"]:
            assert sorted(runs) == list(range(RUNS))


def test_the_published_summary_covers_its_experiments() -> None:
    for name in EXPERIMENTS:
        cells = published(name)
        assert list(cells) == [
            (problem, algorithm, x)
            for problem in OF_PAPER
            for algorithm in PUBLISHED
            for x in EXPERIMENTS[name].values
        ]
        assert {cell.runs for cell in cells.values()} == {RUNS}
        # A mean of logarithms lies below the logarithm of the mean.
        assert all(cell.log_mean < np.log(cell.mean) + 1e-7 for cell in cells.values())
