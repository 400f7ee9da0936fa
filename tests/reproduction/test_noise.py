"""The study of noise: what a run is, and what the how-to page says of it."""

from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from reproduction.benchmark.plan import FACTORIES
from reproduction.kept_runs import Values, read
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.seeds import seed_of
from reproduction.studies import noise
from reproduction.studies.noise import BUDGETS, COLUMNS, FUNCTIONS, Cell, Run, perform, ratios
from reproduction.studies.study import side_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def values() -> Values:
    return read(DOCS / "results" / "noise" / "runs.csv", COLUMNS)


def test_the_range_near_the_optimum_is_that_of_a_sum() -> None:
    """Of ten |5 u|, u uniform within 0.1: nearly normal, variance 10/48, quartiles 0.674 apart."""
    problem = FACTORIES["absolute_values"](20, 10, np.random.default_rng(1), False)
    expected = 2 * 0.6745 * (10 / 48) ** 0.5
    assert noise.range_near_optimum(problem) == pytest.approx(expected, rel=0.05)


def test_what_a_run_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that looks at the optimum once, then at a corner: noise decides between them."""
    counts: list[int] = []

    def looks(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
        counts.append(box.v)
        box(optimum)
        while True:
            box(np.ones(box.rows))

    instance = np.random.default_rng(seed_of("noise", "ackley", 0, "instance"))
    problem = FACTORIES["ackley"](noise.N, noise.D_E, instance, False)
    optimum: Floats = problem.x_star
    corner = float(problem(np.ones(noise.N)))
    sd = noise.range_near_optimum(problem)
    cells = {
        "plain": Cell(looks), "mean": Cell(looks, average=4), "again": Cell(looks, again=20),
        "reported": Cell(looks, reported=True), "calm": Cell(looks, average=1000, reported=True),
    }  # fmt: skip
    monkeypatch.setattr(noise, "CELLS", cells)
    assert corner > 2
    for cell in ("plain", "mean", "again"):
        assert perform(Run(cell, "ackley", 0.0, 1000, 0)) == pytest.approx(0, abs=1e-12)
        assert perform(Run(cell, "ackley", 0.01, 1000, 0)) == pytest.approx(0, abs=1e-12)
    some = 0.4 * corner / sd  # the least of a thousand is a corner; ten more evaluations tell
    assert perform(Run("plain", "ackley", some, 1000, 0)) == pytest.approx(corner)
    assert perform(Run("again", "ackley", some, 1000, 0)) == pytest.approx(0, abs=1e-12)
    large = 10 * corner / sd
    assert perform(Run("plain", "ackley", large, 1000, 0)) == pytest.approx(corner)
    assert perform(Run("reported", "ackley", large, 1000, 0)) < -10 * corner
    assert abs(perform(Run("calm", "ackley", large, 1000, 0))) < corner
    assert counts == [1000, 1000, 250, 250, 800, 800, 1000, 800, 1000, 1000, 1]


def test_the_how_to_page_says_what_the_study_shows(values: Values) -> None:
    page = " ".join((DOCS / "how-to.md").read_text(encoding="utf-8").split())

    def sides(cell: str, level: float) -> set[str]:
        return {side_of(ratios(values, cell, level, v)) for v in BUDGETS}

    assert "`forest` is better than uniform random search in all four cases" in page
    assert sides("uniform", 0.01) | sides("uniform", 1.0) == {"worse"}
    assert "and better than sep-CMA with the noise 0.01." in page
    assert sides("sep-CMA", 0.01) == {"worse"}
    assert "the median of `result.fun` is below the least value of each of the functions" in page
    reported = [noise.values_of(values, "forest, as reported", f, 1.0, 3_000) for f in FUNCTIONS]
    assert (np.median(reported, axis=1) < 0).all()
    assert "is worse with the noise 0.01, and is not shown to be better with the noise 1" in page
    assert sides("forest, mean of 4", 0.01) == {"worse"}
    assert "better" not in sides("forest, mean of 4", 1.0)
    assert (
        "the 20 best points again: with 1,000 evaluations this is better with the noise 1 and "
        "worse with the noise 0.01. With 3,000 evaluations no difference is shown."
    ) in page
    again = {
        (level, v): side_of(ratios(values, "forest, 20 best again", level, v))
        for level in (0.01, 1.0)
        for v in BUDGETS
    }
    assert again == {
        (1.0, 1_000): "better",
        (0.01, 1_000): "worse",
        (1.0, 3_000): "no difference is shown",
        (0.01, 3_000): "no difference is shown",
    }
