"""Write the report of a campaign in Markdown: its cells, its sentences, and head-to-head tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reproduction.figure_1.agreement import (
    CellComparison,
    by_runs,
    compare_cells,
)
from reproduction.figure_1.figures import figure
from reproduction.figure_1.head_to_head import HeadToHead, head_to_head
from reproduction.figure_1.samples import Cells, cells_of
from reproduction.figure_1.statements import ALPHA, findings
from reproduction.statistics import (
    Interval,
    Sample,
    ratio_of_geometric_means,
    ratio_of_medians,
)
from reproduction.tables import table

if TYPE_CHECKING:
    import pandas as pd


RATE = 0.05
SENTENCES_SAY = f"""\
For each function the runs show what the sentence asserts, contradict it, or do neither. The tests
of a sentence share an error rate of {ALPHA} (Bonferroni), for what they show and for what they
contradict. How each sentence is read: `reproduction/figure_1/sentence_tests.py`.
"""
AGREEMENT_SAYS = f"""\
Two-sample tests of Mann-Whitney (MW) and Kolmogorov-Smirnov (KS) on the best values. A cell differs
if a p-value, adjusted by Benjamini and Hochberg over all cells of this report, is at most {RATE}: a
false discovery rate of {RATE:.0%} for each test, and of at most {2 * RATE:.0%} for both together.
"""
EQUAL_SAYS = """\
That a cell does not differ is no proof of equality. The columns "ratio" say how large a difference
can be. They have 90 % confidence intervals of the ratio of reproduced to published values: of the
geometric means (Welch's test of the logarithms), and of the medians (Hodges-Lehmann, for two laws
that differ by a factor). An interval between 1/f and f shows that the ratio is between 1/f and f
(two one-sided tests at 5 %, for this cell alone).
"""
FACTORS = {1.01: "within 1 %", 1.1: "within 10 %", 1.5: "within a factor 1.5", 2.0: "within 2"}
HEAD_TO_HEAD_SAYS = f"""\
Mann-Whitney, one-sided both ways, Holm-adjusted over all cells of a table: with probability at
least {1 - ALPHA} no verdict of a table is wrong. `p better`: of EmbeddedHunter being better. The
column "ratio" says how large a difference can be: a 90 % confidence interval of the ratio of
medians, EmbeddedHunter's to the other's (Hodges-Lehmann), for the cell alone.
"""
QUESTIONS = (
    ("radial_random_search", "random search over radii, best fixed scale"),
    ("radial_random_search_uniform", "random search over radii, uniform scale"),
    ("resoo", "RESOO"),
    ("uniform_random_search", "random search on the cube, without an embedding"),
)
NOT_INDEPENDENT = """\
Parts of the description of the program were found from these published results. So agreement shows
that the description suffices; it is not an independent test of it. The algorithms of the profile
`paper` take nothing from the description but the test functions.
"""
BY_CONSTRUCTION = """\
These runs follow the paper's text, and the published ones do not. What differs by construction:
RESOO and SRESOO, whose cells tile here; EmbeddedHunter, by eta = 0.3 instead of 0.2, by its
cells and its cap, which under fresh matrices changes the law of the radii only; FletcherPowell,
another random function, one for each effective dimension; and the convergence experiment, which
reads the value at the budget, with the h_max of that budget, not the first improvement after it.
The profile `released` follows the published program in all of these.
"""


def report(
    ours: Mapping[str, Cells],
    theirs: Mapping[str, Cells],
    made_by: str,
    profile: str,
) -> str:
    """Return the report of a campaign, compared with published results if there are any.

    Parameters
    ----------
    ours, theirs
        The samples of each experiment, and the published ones.
    made_by
        A line that says how the runs were made, for example the command and the commit.
    profile
        Of the campaign.
    """
    parts = ["# Reproduced experiments\n", made_by + "\n"]
    if theirs:
        parts += _comparisons(ours, theirs, profile)
    parts += ['## The sentences of "Results & Discussion"\n', SENTENCES_SAY]
    parts.append(_sentences("these runs", ours))
    if theirs:
        parts.append(_sentences("the published runs", theirs))
    tables = [
        (words, head_to_head(ours.get("scalability", {}), other)) for other, words in QUESTIONS
    ]
    if any(table for _, table in tables):
        parts += [
            "## EmbeddedHunter (fresh matrices) against others, at each n\n",
            HEAD_TO_HEAD_SAYS,
        ]
        for words, table in tables:
            if table:
                parts += [f"### {words}\n", _head_to_head(table)]
    return "\n".join(parts)


def present(
    folder: str | os.PathLike[str],
    lines: pd.DataFrame,
    published: Mapping[str, Cells],
    made: str | None = None,
    note: str = "",
) -> list[Path]:
    """Draw the figure and write ``report.md``, of the lines of a campaign; return the files.

    Parameters
    ----------
    published
        The published samples of each experiment, if there are any.
    made
        Says how the runs were made; their cost and the version unless given.
    note
        A line below the figure.
    """
    ours = cells_of(lines)
    path, profile = Path(folder) / "report.md", lines["part"].iloc[0]
    text = report(ours, published, made or made_by(lines), profile)
    path.write_text(text, encoding="utf-8")
    by = ", released" if profile == "released" else ""
    return [*figure(folder, ours, published, note, by), path]


def made_by(lines: pd.DataFrame) -> str:
    """Return how the runs of a campaign were made, and what they took."""
    profile, version = (lines[name].iloc[0] for name in ("part", "version"))
    return (
        f"Profile {profile}, effective rows, version {version}: {len(lines):,} values, "
        f"{lines['evaluations'].sum():,} evaluations, {lines['seconds'].sum():,.0f} seconds of "
        "processor time. The seed of a run is the SHA-256 hash of the text in the column `seed`, "
        "its profile, experiment, problem, algorithm, value on the axis and number."
    )


def _comparisons(ours: Mapping[str, Cells], theirs: Mapping[str, Cells], profile: str) -> list[str]:
    common = [name for name in theirs if name in ours]
    if not common:
        return []
    cells = compare_cells(theirs, ours, rate=RATE)
    parts = [
        "## Published and reproduced, cell by cell\n",
        AGREEMENT_SAYS,
        BY_CONSTRUCTION if profile == "paper" else NOT_INDEPENDENT,
        f"In all, {_differing([cell.differs for cell in cells], 'cells')} The cells of a curve "
        "along the budget v are values of the same runs. Counted as one comparison (Bonferroni "
        f"within the curve), {_differing(by_runs(cells, rate=RATE), 'comparisons')}\n",
        _without_correction(cells),
        _equal(cells),
    ]
    for name in common:
        mine = [cell for cell in cells if cell.experiment == name]
        parts.append(f"### {name}\n\n{_differing([cell.differs for cell in mine], 'cells')}\n")
        parts += [_by_algorithm(mine), _cells(mine)]
    return parts


def _differing(differs: Sequence[bool], what: str) -> str:
    """Return a sentence: how many differ, of how many."""
    return (
        f"{sum(differs)} of {len(differs)} {what} differ "
        f"({100 * sum(differs) / len(differs):.1f} %)."
    )


def _without_correction(cells: Sequence[CellComparison]) -> str:
    """Return a paragraph: how many p-values of the Mann-Whitney test are small, as they are.

    A correction for many tests makes it easier to agree, so agreement is also judged without it.
    """
    small = Counter(cell.algorithm for cell in cells if cell.mann_whitney <= RATE)
    of = Counter(cell.algorithm for cell in cells)
    parts = [
        f"{name} {small[name]} of {count} ({RATE * count:.1f} expected)"
        for name, count in of.items()
    ]
    return (
        f"Without a correction, the Mann-Whitney test has p <= {RATE} in {small.total()} of "
        f"{len(cells)} cells, where {RATE * len(cells):.1f} are expected if all laws are the same: "
        f"{', '.join(parts)}.\n"
    )


def _equal(cells: Sequence[CellComparison]) -> str:
    """Return a table: in how many cells the two sides are shown to be nearly equal."""
    lines = []
    for name, ratio in (
        ("geometric means", ratio_of_geometric_means),
        ("medians", ratio_of_medians),
    ):
        intervals = [ratio(cell.reproduced, cell.published) for cell in cells]
        counts = [sum(interval.within(factor) for interval in intervals) for factor in FACTORS]
        lines.append([name, *(f"{count} of {len(cells)}" for count in counts)])
    head = ["90 % interval of the ratio of", *(words for words in FACTORS.values())]
    return f"{EQUAL_SAYS}\n{table(head, lines)}\n"


def _by_algorithm(cells: Sequence[CellComparison]) -> str:
    """Return a table of how many cells differ, by algorithm and problem."""
    problems = list(dict.fromkeys(cell.problem for cell in cells))
    lines = []
    for algorithm in dict.fromkeys(cell.algorithm for cell in cells):
        mine = [cell for cell in cells if cell.algorithm == algorithm]
        counts = [[cell.differs for cell in mine if cell.problem == name] for name in problems]
        lines.append([algorithm, *(f"{sum(c)} of {len(c)}" for c in counts)])
    return table(["cells that differ", *problems], lines) + "\n"


def _cells(cells: Sequence[CellComparison]) -> str:
    head = ["problem", "algorithm", "x", "published mean (sd)", "reproduced mean (sd)"]
    lines = [
        [
            cell.problem,
            cell.algorithm,
            f"{cell.axis} = {cell.x:g}",
            _mean_and_sd(cell.published),
            _mean_and_sd(cell.reproduced),
            _interval(ratio_of_geometric_means(cell.reproduced, cell.published)),
            _interval(ratio_of_medians(cell.reproduced, cell.published)),
            f"{cell.mann_whitney:.3g}",
            f"{cell.kolmogorov_smirnov:.3g}",
            "differs" if cell.differs else "",
        ]
        for cell in cells
    ]
    head += ["ratio of geometric means", "ratio of medians", "MW p", "KS p", ""]
    return table(head, lines) + "\n"


def _mean_and_sd(values: Sample) -> str:
    """Return the mean and the standard deviation (n - 1), nan for a single run."""
    sd = np.std(values, ddof=1) if len(values) > 1 else np.nan
    return f"{np.mean(values):.4g} ({sd:.2g})"


def _interval(interval: Interval) -> str:
    return f"{interval.low:.4g} to {interval.high:.4g}"


def _sentences(whose: str, cells_of: Mapping[str, Cells]) -> str:
    lines = [f"### By {whose}\n"]
    for finding in findings(cells_of):
        lines.append(f"- **{finding.verdict}** ({finding.claim}): {finding.sentence}")
        for problem, judged in finding.judged.items():
            lines.append(f"    - {problem}, {judged.word}: {judged.numbers}")
    return "\n".join(lines) + "\n"


def _head_to_head(cells: Sequence[HeadToHead]) -> str:
    head = ["problem", "n", "EmbeddedHunter", "other", "ratio", "p better", "p worse", "verdict"]
    lines = [
        [
            row.problem,
            f"{row.n}",
            f"{row.ours:.4g}",
            f"{row.theirs:.4g}",
            _interval(row.ratio),
            f"{row.p_smaller:.2g}",
            f"{row.p_greater:.2g}",
            row.verdict,
        ]
        for row in cells
    ]
    count = Counter(row.verdict for row in cells)
    total = ", ".join(f"{verdict}: {times}" for verdict, times in sorted(count.items()))
    return f"Of {len(cells)} cells, {total}.\n\n{table(head, lines)}\n"
