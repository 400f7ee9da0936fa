"""The study of the local search's constants: what a cell changes, its intervals, its report."""

from dataclasses import fields
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS
from reproduction.kept_runs import Values, kept, values_of_study
from reproduction.studies import forest_constants
from reproduction.studies import forest_constants as constants
from reproduction.studies.forest_constants import (
    CELLS,
    CHANGES,
    FUNCTIONS,
    RUNS,
    against_defaults,
    perform,
    report,
    verdicts,
)
from reproduction.studies.forest_defaults import DEFAULT
from reproduction.studies.study import Task, better_of, median_interval

DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "results" / "forest-constants"


def size(value: Any) -> float:
    """A number, or the number of candidates besides 0."""
    return float(len(value) - 1 if isinstance(value, tuple) else value)


@pytest.mark.parametrize("name", CHANGES)
def test_constants_are_halved_and_doubled(name: str) -> None:
    changes, value = CHANGES[name], size(getattr(CONSTANTS, name))
    tolerance = 1 if name == "shifts" else 1e-12  # 41 shifts
    assert 2 * size(changes["half"]) == pytest.approx(value, abs=tolerance)
    assert size(changes["double"]) == pytest.approx(2 * value, abs=tolerance)


def test_every_constant_is_in_the_study() -> None:
    assert sorted(CHANGES) == sorted(field.name for field in fields(CONSTANTS))


@pytest.mark.parametrize("name", ["warps", "shifts"])
def test_other_candidates_have_the_range_of_those_of_the_policy(name: str) -> None:
    kept = getattr(CONSTANTS, name)
    for change in ("half", "double"):
        zero, least, *_, greatest = CHANGES[name][change]
        assert (zero, least, greatest) == pytest.approx((0.0, kept[1], kept[-1]))


def test_a_cell_changes_its_constant() -> None:
    """After 500 evaluations of the ridge each cell has led the search elsewhere, but for some.

    Those may be cells of the ridge, the shifts, and the age.
    """
    found = {c: perform(Task(c, "sharp_ridge", False, 500, 0)) for c in (DEFAULT, *CELLS)}
    same = {cell for cell in CELLS if found[cell] == found[DEFAULT]}
    assert {cell.split()[0] for cell in same} <= {"age", "ridge", "shifts"}


@pytest.mark.parametrize("m", [6, 7, 20, 36])
def test_the_interval_of_the_median_has_its_level(m: int) -> None:
    """It misses the median if fewer than `rank` of m values lie on one side: 2 P(B < rank)."""
    _, low, high = median_interval(np.arange(1.0, m + 1))
    rank = int(low)
    assert (rank, high) == (low, m + 1 - low)

    def missed(rank: int) -> float:
        return float(2 * sum(comb(m, k) for k in range(rank)) / 2**m)

    assert missed(rank) <= 0.05 < missed(rank + 1)


def made_up(factors: dict[str, float]) -> Values:
    """Values of all cells: those of the defaults times a factor."""
    return {
        Task(cell, function, False, constants.V, run).names: (1 + k + run)
        * factors.get(cell, 1 if run or k else 0.5)
        for cell in (DEFAULT, *CELLS)
        for k, function in enumerate(FUNCTIONS)
        for run in range(RUNS)
    }


def test_what_is_better_and_worse_is_said() -> None:
    values = made_up({DEFAULT: 1.0, "age half": 0.5, "age double": 3.0})
    said = verdicts(values)
    assert [said[f"age {change}"] for change in ("half", "double", "off")] == [
        "better", "worse", "no difference is shown",
    ]  # fmt: skip
    np.testing.assert_array_equal(against_defaults(values)["age half"], np.full(90, 0.5))
    text = report(values)
    assert (
        "- better than the defaults: `age half`;\n- worse than the defaults: `age double`." in text
    )
    assert "| `warps`        | half   | 3 and 0 " in text


def test_solved_is_solved() -> None:
    """Values below 10^-12 do not count as different."""
    values = made_up({DEFAULT: 1e-15, "age half": 1e-30, "age double": 0.0})
    for cell in ("age half", "age double"):
        assert better_of(against_defaults(values)[cell]) == (0, 0)


def test_the_page_on_the_forest_says_what_the_study_shows() -> None:
    values = values_of_study(kept("forest-constants"), forest_constants)
    said = verdicts(values)
    assert [cell for cell in CELLS if said[cell] == "better"] == [
        "generation half", "damping double", "age double",
    ]  # fmt: skip
    assert {cell for cell in CELLS if said[cell] == "worse"} == {
        "generation double", "prior_weight off", "damping half", "damping off",
    }  # fmt: skip
    better = {cell: better_of(of) for cell, of in against_defaults(values).items()}
    assert better["damping double"] == (63, 88)
    assert better["generation half"] == (58, 84)
    assert better["age double"] == (10, 10)
    assert better["age off"][1] == 15
    assert (len(CHANGES), len(FUNCTIONS), RUNS, len(CELLS)) == (12, 9, 10, 31)
    assert sum("off" in changes for changes in CHANGES.values()) == 7
    page = (DOCS / "paper" / "forest.md").read_text()
    for text in (
        "twice the damping (better in 63 of 88 runs that differ), generations of half the size "
        "(in 58 of 84) and twice the age (in 10 of 10);",
        "worse: generations of twice the size, half the damping or none, "
        "no weight of the earlier model.",
        "the value of 15 of 90 runs changes",
    ):
        assert text in page
