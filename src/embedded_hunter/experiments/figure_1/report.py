"""Write the report of a campaign in Markdown: its cells, its sentences, and head-to-head tables."""

import csv
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from embedded_hunter.experiments.figure_1.agreement import CellComparison, compare_cells
from embedded_hunter.experiments.figure_1.head_to_head import HeadToHead, head_to_head
from embedded_hunter.experiments.figure_1.plan import EXPERIMENTS
from embedded_hunter.experiments.figure_1.statements import ALPHA, findings
from embedded_hunter.experiments.statistics import CsvRow
from embedded_hunter.experiments.store import STORE, Store
from embedded_hunter.experiments.tables import table

RATE = 0.05
SENTENCES_SAY = f"""\
For each function the runs show what the sentence asserts, contradict it, or do neither. The tests
of a sentence share an error rate of {ALPHA} (Bonferroni), for what they show and for what they
contradict. How each sentence is read: `experiments/figure_1/hypotheses.py`.
"""
HEAD_TO_HEAD_SAYS = f"""\
Mann-Whitney, one-sided both ways, Holm-adjusted over all cells of a table: with probability at
least {1 - ALPHA} no verdict of a table is wrong. `p better`: of EmbeddedHunter being better.
"""
QUESTIONS = (
    ("radial_random_search", "random search over radii, best fixed scale"),
    ("radial_random_search_uniform", "random search over radii, uniform scale"),
    ("resoo", "RESOO"),
    ("uniform_random_search", "random search on the cube, without an embedding"),
)
BY_CONSTRUCTION = """\
These runs follow the paper's text, and the published ones do not. What differs by construction:
RESOO and SRESOO, whose cells tile here; EmbeddedHunter, by eta = 0.3 in the place of 0.2, by its
cells and its cap, which under fresh matrices changes the law of the radii only; FletcherPowell,
another random function, one for each effective dimension; and the convergence experiment, which
reads the value at the budget, with the h_max of that budget, not the first improvement after it.
The profile `released` follows the published program in all of these.
"""


def read_rows(folder: str | os.PathLike[str]) -> dict[str, list[CsvRow]]:
    """Read the ``<experiment>.csv`` files of a folder: {experiment: rows}.

    Raises
    ------
    ValueError
        If there is no such file, or if one has no rows or lacks a column.
    """
    rows: dict[str, list[CsvRow]] = {}
    for name, experiment in EXPERIMENTS.items():
        path = Path(folder) / f"{name}.csv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                rows[name] = list(csv.DictReader(file))
            columns = {"problem", "algorithm", experiment.axis, "best_value"}
            for row in rows[name][:1] or [{}]:
                if missing := sorted(columns - set(row)):
                    raise ValueError(f"{path} has no {', '.join(missing)} in its first row")
    if not rows:
        raise ValueError(
            f"{folder} holds no <experiment>.csv, such as `embedded-hunter reproduce` writes"
        )
    return rows


def report(
    folder: str | os.PathLike[str],
    published: str | os.PathLike[str] | None = None,
    made_by: str = "",
) -> str:
    """Return the report of the campaign in `folder`, compared with published results if given.

    Parameters
    ----------
    folder, published
        Folders with ``<experiment>.csv`` files.
    made_by
        A line that says how the runs were made, for example the command and the commit.

    Raises
    ------
    ValueError
        If one of the folders has no experiment.
    """
    ours = read_rows(folder)
    theirs = {} if published is None else read_rows(published)
    parts = ["# Reproduced experiments\n", *([made_by + "\n"] if made_by else []), *_made(folder)]
    if theirs:
        parts += _comparisons(ours, theirs, _facts(folder).get("profile"))
    parts += ['## The sentences of "Results & Discussion"\n', SENTENCES_SAY]
    parts.append(_sentences("these runs", ours))
    if theirs:
        parts.append(_sentences("the published runs", theirs))
    tables = [
        (words, head_to_head(ours.get("scalability", ()), other)) for other, words in QUESTIONS
    ]
    if any(table for _, table in tables):
        parts += [
            "## EmbeddedHunter (fresh matrices) against others, at each n\n",
            HEAD_TO_HEAD_SAYS,
        ]
        for words, table in tables:
            if table:
                parts += [f"### {words}\n", _head_to_head(table)]
    parts += ["## Means of all cells\n", *(_means(name, rows) for name, rows in ours.items())]
    return "\n".join(parts)


def _facts(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Return what the campaign's store knows of how the runs were made; {} without a store."""
    if not (Path(folder) / STORE).exists():
        return {}
    store = Store(folder, {})
    evaluations, seconds = store.cost()
    facts = {
        **store.facts(),
        "cost": f"{len(store.done()):,} runs, {evaluations:,} evaluations, {seconds:,.0f} seconds "
        "of processor time",
    }
    store.close()
    return facts


def _made(folder: str | os.PathLike[str]) -> list[str]:
    facts = _facts(folder)
    if not facts:
        return []
    return [
        f"Profile {facts.get('profile')}, {facts.get('rows')} rows of the matrices, version "
        f"{facts.get('version')}: {facts['cost']}. The seed of a run is a hash of its profile, "
        "experiment, problem, algorithm, value on the axis and number (`plan.seed_of`), and of "
        "nothing else.\n"
    ]


def _comparisons(
    ours: Mapping[str, list[CsvRow]], theirs: Mapping[str, list[CsvRow]], profile: str | None
) -> list[str]:
    parts = [
        "## Published and reproduced, cell by cell\n",
        "Two-sample tests of Mann-Whitney (MW) and Kolmogorov-Smirnov (KS) on the best values. A "
        "cell differs if a p-value, adjusted by Benjamini and Hochberg over the cells of its "
        f"experiment, is at most {RATE}: a false discovery rate of {RATE:.0%} for each test.\n",
        *([BY_CONSTRUCTION] if profile == "paper" else []),
    ]
    for name in theirs:
        if name not in ours:
            continue
        cells = compare_cells(theirs[name], ours[name], rate=RATE)
        differing = [cell for cell in cells if cell.differs]
        parts.append(
            f"### {name}\n\n{len(differing)} of {len(cells)} cells differ "
            f"({100 * len(differing) / max(len(cells), 1):.1f} %).\n"
        )
        parts += [_by_algorithm(cells), _cells(cells)]
    return parts


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
            f"{cell.published_mean:.4g} ({cell.published_sd:.2g})",
            f"{cell.reproduced_mean:.4g} ({cell.reproduced_sd:.2g})",
            f"{cell.mann_whitney:.3g}",
            f"{cell.kolmogorov_smirnov:.3g}",
            "differs" if cell.differs else "",
        ]
        for cell in cells
    ]
    return table([*head, "MW p", "KS p", ""], lines) + "\n"


def _sentences(whose: str, rows_of: Mapping[str, Sequence[CsvRow]]) -> str:
    lines = [f"### By {whose}\n"]
    for finding in findings(rows_of):
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


def _means(experiment: str, rows: Sequence[CsvRow]) -> str:
    axis = EXPERIMENTS[experiment].axis
    cells: dict[tuple[str, str, int], list[float]] = {}
    for row in rows:
        key = (str(row["problem"]), str(row["algorithm"]), int(row[axis]))
        cells.setdefault(key, []).append(float(row["best_value"]))
    xs = sorted({x for _, _, x in cells})
    lines = []
    for problem, algorithm in dict.fromkeys((p, a) for p, a, _ in cells):
        values = [cells.get((problem, algorithm, x)) for x in xs]
        texts = [f"{sum(v) / len(v):.4g}" if v else "" for v in values]
        lines.append([problem, algorithm, *texts])
    head = ["problem", "algorithm", *(f"{axis} = {x:g}" for x in xs)]
    return f"### {experiment}\n\n{table(head, lines)}\n"
