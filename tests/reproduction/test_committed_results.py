"""The runs in docs/results are whole, in the published format, and what the code gives today.

Where random streams have changed since, only the law of the runs is the same.
"""

import csv

import numpy as np
import pytest
from kept_results import RESULTS, published

from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PROBLEM_NAMES,
    PROFILES,
    PUBLISHED,
    RUNS,
    Profile,
    algorithms_of,
    values_of,
)

pytestmark = pytest.mark.claim("kept-results")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_run_is_there_once_in_the_published_order(profile: Profile, name: str) -> None:
    experiment = EXPERIMENTS[name]
    with (RESULTS / profile / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == ["experiment", "problem", "algorithm", experiment.axis, "run", "best_value"]
    assert [line[:5] for line in lines] == [
        [name, problem, algorithm, str(x), str(run)]
        for problem in PROBLEM_NAMES
        for algorithm in algorithms_of(profile)
        for x in values_of(experiment, profile)
        for run in range(RUNS)
    ]
    assert all(repr(float(line[5])) == line[5] and float(line[5]) >= 0.0 for line in lines)


def test_the_published_summary_covers_its_experiments() -> None:
    for name in EXPERIMENTS:
        cells = published(name)
        assert list(cells) == [
            (problem, algorithm, x)
            for problem in PROBLEM_NAMES
            for algorithm in PUBLISHED
            for x in EXPERIMENTS[name].values
        ]
        assert {cell.runs for cell in cells.values()} == {RUNS}
        # A mean of logarithms lies below the logarithm of the mean.
        assert all(cell.log_mean < np.log(cell.mean) + 1e-7 for cell in cells.values())
