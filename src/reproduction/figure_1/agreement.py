"""Compare published with reproduced results, cell by cell and curve by curve.

A cell is (experiment, problem, algorithm, x) and has some 20 runs on each side. Each cell gets two
two-sample tests: Mann-Whitney's (are values of one side larger?) and Kolmogorov-Smirnov's (do the
distributions differ in any way?). The p-values of each test are adjusted by the procedure of
Benjamini and Hochberg over all cells. A cell *differs* if either adjusted p-value is at most the
false discovery rate. A cell that does not differ is not shown to be equal: two confidence intervals
of the ratio of the two sides say how large a difference can still be.

The budgets of the convergence experiment are read off the same runs, so its cells are not
independent: `by_runs` counts all cells of one curve as one comparison.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.samples import Cells
from reproduction.statistics import Sample, two_sample_p

SHARED_RUNS = "v"
"""The axis whose values are read off the same runs."""


class CellComparison(NamedTuple):
    """The published and the reproduced best values of one cell of an experiment."""

    experiment: str
    problem: str
    algorithm: str
    x: int
    published: Sample
    reproduced: Sample
    mann_whitney: float
    """Two-sided p-value; so is the next."""
    kolmogorov_smirnov: float
    differs: bool
    """Whether one of them, adjusted, is at most the false discovery rate."""

    @property
    def axis(self) -> str:
        """The name of the parameter x: v, n, M, d or d_e."""
        return EXPERIMENTS[self.experiment].axis


def compare_cells(
    published: Mapping[str, Cells],
    reproduced: Mapping[str, Cells],
    *,
    rate: float = 0.05,
) -> list[CellComparison]:
    """Compare two sets of runs at a false discovery rate.

    Return all published cells of the experiments that both have, in the published order. Reproduced
    cells without a published counterpart are left out.

    Raises
    ------
    ValueError
        If they have no experiment in common, if a published cell of a common experiment was not
        reproduced.
    """
    common = [name for name in published if name in reproduced]
    if not common:
        raise ValueError("the two tables have no experiment in common")
    theirs, ours = (
        {(name, *cell): x for name in common for cell, x in table[name].items()}
        for table in (published, reproduced)
    )
    missing = [key for key in theirs if key not in ours]
    if missing:
        raise ValueError(f"{len(missing)} published cells were not reproduced, first {missing[0]}")
    tests = [two_sample_p(values, ours[key]) for key, values in theirs.items()]
    mw = stats.false_discovery_control([p for p, _ in tests])
    ks = stats.false_discovery_control([p for _, p in tests])
    return [
        CellComparison(*key, values, ours[key], *tests[i], bool(min(mw[i], ks[i]) <= rate))
        for i, (key, values) in enumerate(theirs.items())
    ]


def by_runs(cells: Iterable[CellComparison], *, rate: float = 0.05) -> list[bool]:
    """Tell of each set of runs whether it differs: of a cell, or of a curve along the budget v.

    The least p-value of a set is multiplied by the number of its tests (Bonferroni); over all sets
    follows the procedure of Benjamini and Hochberg.
    """
    groups: dict[tuple[object, ...], list[CellComparison]] = {}
    for cell in cells:
        x = None if cell.axis == SHARED_RUNS else cell.x
        groups.setdefault((cell.experiment, cell.problem, cell.algorithm, x), []).append(cell)
    p = [
        min(1.0, 2 * len(group) * min(min(c.mann_whitney, c.kolmogorov_smirnov) for c in group))
        for group in groups.values()
    ]
    return [bool(adjusted <= rate) for adjusted in stats.false_discovery_control(p)]
