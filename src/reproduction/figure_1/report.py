"""Write the report of a campaign in Markdown: sentences, head-to-head tables, and means."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reproduction.figure_1.figures import figure
from reproduction.figure_1.head_to_head import HeadToHead, head_to_head
from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.samples import Cells, cells_of, published_means
from reproduction.figure_1.statements import ALPHA, findings
from reproduction.statistics import Sample
from reproduction.tables import table

if TYPE_CHECKING:
    import pandas as pd


SENTENCES_SAY = f"""\
For each function the runs show what the sentence asserts, contradict it, or do neither. The tests
of a sentence share an error rate of {ALPHA} (Bonferroni), for what they show and for what they
contradict. How each sentence is read: `reproduction/figure_1/sentence_tests.py`.
"""
MEANS_SAY = """\
The mean best value of the runs of each cell, its standard deviation, and the mean that the authors
published. What differs by construction: their RESOO and SRESOO had cells that do not tile; their
eta was 0.2; FletcherPowell was another random function; and their convergence experiment read the
first improvement after a budget.
"""
HEAD_TO_HEAD_SAYS = f"""\
Mann-Whitney, one-sided both ways, Holm-adjusted over all cells of a table: with probability at
least {1 - ALPHA} no verdict of a table is wrong. `p better`: of EmbeddedHunter being better. That
no difference is shown is no proof of equality.
"""
QUESTIONS = (
    ("radial_random_search", "random search over radii, best fixed scale"),
    ("radial_random_search_uniform", "random search over radii, uniform scale"),
    ("resoo", "RESOO"),
    ("uniform_random_search", "random search on the cube, without an embedding"),
)


def report(ours: Mapping[str, Cells], published: Mapping[str, Cells], made_by: str) -> str:
    """Return the report of a campaign.

    Parameters
    ----------
    ours, published
        The samples of each experiment, and the published means.
    made_by
        A line that says how the runs were made, for example the command and the commit.
    """
    parts = ["# Reproduced experiments\n", made_by + "\n"]
    parts += ['## The sentences of "Results & Discussion"\n', SENTENCES_SAY, _sentences(ours)]
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
    parts += ["## The means\n", MEANS_SAY]
    for name, cells in ours.items():
        parts += [f"### {name}\n", _means(name, cells, published.get(name, {}))]
    return "\n".join(parts)


def present(
    folder: str | os.PathLike[str],
    lines: pd.DataFrame,
    made: str | None = None,
    note: str = "",
) -> list[Path]:
    """Draw the figure and write ``report.md``, of the lines of a campaign; return the files.

    Parameters
    ----------
    made
        Says how the runs were made; their cost and the version unless given.
    note
        A line below the figure.
    """
    ours, published, path = cells_of(lines), published_means(), Path(folder) / "report.md"
    path.write_text(report(ours, published, made or made_by(lines)), encoding="utf-8")
    return [*figure(folder, ours, published, note), path]


def made_by(lines: pd.DataFrame) -> str:
    """Return how the runs of a campaign were made, and what they took."""
    return (
        f"Effective rows, version {lines['version'].iloc[0]}: {len(lines):,} values, "
        f"{lines['evaluations'].sum():,} evaluations, {lines['seconds'].sum():,.0f} seconds of "
        "processor time. The seed of a run is the SHA-256 hash of the text in the column `seed`, "
        "`paper`, its experiment, problem, algorithm, value on the axis and number."
    )


def _means(experiment: str, cells: Cells, published: Cells) -> str:
    """Return a table: each cell with the published mean, if there is one."""
    lines = [
        [
            problem,
            algorithm,
            f"{EXPERIMENTS[experiment].axis} = {x:g}",
            _mean_and_sd(values),
            f"{theirs[0]:.4g}" if (theirs := published.get((problem, algorithm, x), ())) else "",
        ]
        for (problem, algorithm, x), values in cells.items()
    ]
    return table(["problem", "algorithm", "x", "mean (sd)", "published mean"], lines) + "\n"


def _mean_and_sd(values: Sample) -> str:
    """Return the mean and the standard deviation (n - 1), nan for a single run."""
    sd = np.std(values, ddof=1) if len(values) > 1 else np.nan
    return f"{np.mean(values):.4g} ({sd:.2g})"


def _sentences(cells_of: Mapping[str, Cells]) -> str:
    lines = []
    for finding in findings(cells_of):
        lines.append(f"- **{finding.verdict}** ({finding.claim}): {finding.sentence}")
        for problem, judged in finding.judged.items():
            lines.append(f"    - {problem}, {judged.word}: {judged.numbers}")
    return "\n".join(lines) + "\n"


def _head_to_head(cells: Sequence[HeadToHead]) -> str:
    head = ["problem", "n", "EmbeddedHunter", "other", "p better", "p worse", "verdict"]
    lines = [
        [
            row.problem,
            f"{row.n}",
            f"{row.ours:.4g}",
            f"{row.theirs:.4g}",
            f"{row.p_smaller:.2g}",
            f"{row.p_greater:.2g}",
            row.verdict,
        ]
        for row in cells
    ]
    count = Counter(row.verdict for row in cells)
    total = ", ".join(f"{verdict}: {times}" for verdict, times in sorted(count.items()))
    return f"Of {len(cells)} cells, {total}.\n\n{table(head, lines)}\n"
