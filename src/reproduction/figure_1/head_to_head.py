"""EmbeddedHunter (fresh) against another algorithm, at each n of the scalability experiment."""

from dataclasses import dataclass

from reproduction.figure_1.samples import Cells, Runs
from reproduction.problems.registry import OF_PAPER
from reproduction.statistics import holm, smaller

ALPHA = 0.01
OURS = "embedded_hunter"


@dataclass(frozen=True)
class HeadToHead:
    """Two algorithms at one n."""

    problem: str
    n: int
    ours: float
    theirs: float
    p_smaller: float
    """That EmbeddedHunter is better: Mann-Whitney, one-sided, Holm-adjusted over the table."""
    p_greater: float
    """That the other is better, likewise."""

    @property
    def verdict(self) -> str:
        """Which one is better: over the whole table, wrong at most with probability `ALPHA`."""
        if self.p_smaller <= ALPHA:
            return "EmbeddedHunter better"
        return "other better" if self.p_greater <= ALPHA else "no difference shown"


def head_to_head(cells_of: Cells, other: str) -> list[HeadToHead]:
    """Compare EmbeddedHunter with another algorithm wherever there are runs of both."""
    runs = Runs("scalability", cells_of)
    cells = [
        (problem, n)
        for problem in OF_PAPER
        for n in (*runs.xs, *runs.beyond)
        if runs.has(problem, OURS, n) and runs.has(problem, other, n)
    ]
    pairs = [(runs.at(problem, OURS, n), runs.at(problem, other, n)) for problem, n in cells]
    adjusted = holm([smaller(a, b) for a, b in pairs] + [smaller(b, a) for a, b in pairs])
    return [
        HeadToHead(*cell, float(a.mean()), float(b.mean()), adjusted[k], adjusted[k + len(cells)])
        for k, (cell, (a, b)) in enumerate(zip(cells, pairs, strict=True))
    ]
