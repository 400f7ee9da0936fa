"""The kept runs of the ablation, and what the pages say of them."""

import csv
import re

import numpy as np
import pytest
from kept_results import RESULTS, page
from scipy import stats

from reproduction.kept_runs import read
from reproduction.released.problems import PROBLEM_NAMES
from reproduction.studies import ablation

pytestmark = pytest.mark.claim("released-program", "published-comparison")

STORED = read(RESULTS / "released" / "ablation.csv", ablation.COLUMNS)
ERRATA = page("errata.md")


def values(algorithm: str, variant: str, problem: str) -> np.typing.NDArray[np.float64]:
    runs = range(ablation.RUNS)
    return np.array([STORED[algorithm, variant, problem, str(k)] for k in runs])


def published_logarithms(problem: str) -> tuple[float, float, int]:
    """Mean and standard deviation of the logarithms of the published RESOO, M = 5; its runs."""
    with (RESULTS / "published-summary.csv").open(encoding="utf-8", newline="") as file:
        (row,) = (
            row
            for row in csv.DictReader(file)
            if (row["experiment"], row["problem"], row["algorithm"], row["x"])
            == (ablation.EXPERIMENT, problem, "resoo", str(ablation.M))
        )
    return float(row["log_mean"]), float(row["log_sd"]), int(row["runs"])


def against_published(variant: str, problem: str) -> float:
    """The p-value of Welch's test on logarithms, RESOO of a variant against the published one."""
    mean, sd, runs = published_logarithms(problem)
    ours = np.log(values("resoo", variant, problem))
    test = stats.ttest_ind_from_stats(
        ours.mean(), ours.std(ddof=1), ours.size, mean, sd, runs, equal_var=False
    )
    return float(test.pvalue)


def against_the_hunter(variant: str, problem: str) -> tuple[float, bool]:
    """The p-value of RESOO against EmbeddedHunter as released, and whether its median is less."""
    ours, theirs = (
        values("resoo", variant, problem),
        values("embedded_hunter", "as-released", problem),
    )
    p = float(stats.mannwhitneyu(ours, theirs).pvalue)
    return p, bool(np.median(ours) < np.median(theirs))


def shown(x: float) -> str:
    """As the errata print it: three digits, the small ones with three decimals."""
    if x >= 100:
        return f"{float(f'{x:.3g}'):,.0f}"
    return f"{x:.1f}" if x >= 10 else f"{x:.3f}"


@pytest.mark.parametrize(
    ("row", "variant"),
    [("1", "eta"), ("3", "strict"), ("4", "cap-in-y"), ("8", "equal-norms"), ("9", "all")],
)
def test_a_row_of_the_errata_has_the_means_of_its_variant(row: str, variant: str) -> None:
    means = [shown(values("embedded_hunter", variant, name).mean()) for name in PROBLEM_NAMES]
    (line,) = re.findall(rf"\| {row} \| [^\n]*?\| {re.escape(' / '.join(means))} \|", ERRATA)
    assert line.count(" / ") <= 4


def test_the_row_of_the_cells_and_the_baselines_have_their_means() -> None:
    for algorithm, name in (("embedded_hunter", "EmbeddedHunter"), ("resoo", "RESOO")):
        tiling = [shown(values(algorithm, "tiling-cells", p).mean()) for p in PROBLEM_NAMES]
        assert f"{name} {' / '.join(tiling)}" in ERRATA
        released = [shown(values(algorithm, "as-released", p).mean()) for p in PROBLEM_NAMES]
        assert f"**{' / '.join(released)}**" in ERRATA


@pytest.mark.parametrize("problem", PROBLEM_NAMES)
def test_resoo_as_recreated_agrees_with_the_published_one(problem: str) -> None:
    """Level .01 for each function; Rosenbrock's values are all next to f(0)."""
    assert against_published("as-released", problem) > 0.01


@pytest.mark.parametrize("problem", ["ellipsoid", "fletcher_powell", "ackley"])
def test_resoo_with_cells_that_tile_is_not_the_published_one(problem: str) -> None:
    assert against_published("tiling-cells", problem) < 0.001


def test_the_cells_turn_the_comparison_around() -> None:
    """Two-sided Mann-Whitney tests at .01, 20 runs against 20."""
    for problem in PROBLEM_NAMES:
        p, less = against_the_hunter("as-released", problem)
        assert p < 0.01
        assert not less
    for problem in ("fletcher_powell", "ackley"):
        p, less = against_the_hunter("tiling-cells", problem)
        assert p < 0.01
        assert less
    for problem in ("ellipsoid", "rosenbrock"):
        assert against_the_hunter("tiling-cells", problem)[0] > 0.01


def test_other_pages_have_the_mean_of_ackley() -> None:
    mean = values("resoo", "tiling-cells", "ackley").mean()
    published = np.exp(published_logarithms("ackley")[0])
    for name in ("results.md", "experiments.md"):
        text = page(name)
        assert re.search(rf"reaches .{{0,80}}\b{mean:.1f}\b", text), name
        assert "7.6" in text
    assert published == pytest.approx(7.6, abs=0.1)
