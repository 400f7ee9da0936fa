"""The effect of a repeated effective coordinate on EmbeddedHunter on Rosenbrock at n = 100.

The program draws the effective coordinates with replacement, once for a cell. At n = 100 it draws
some coordinate twice with probability 0.37, and the draws of the published runs are not known. This
cell of the scalability experiment is the one in which published and re-created runs differ. Here it
is run again for each draw with at most one repetition: no repetition, or the i-th and j-th
arguments of the function read the same coordinate, for all 45 pairs.

``python -m reproduction results --make repeated`` makes the runs; a run's seed is a function of its
names.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from embedded_hunter.problems.functions import Rosenbrock
from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.kept_runs import Line, kept, samples_of
from reproduction.released.hunter import embedded_hunter_released
from reproduction.released.problems import released_problem
from reproduction.seeds import seed_of
from reproduction.statistics import Sample

PROBLEM, ALGORITHM, N = "rosenbrock", "embedded_hunter", 100
CELL = EXPERIMENTS["scalability"].parameters(N)
RUNS = 20


class Draw(NamedTuple):
    """Which two arguments read the same coordinate; both 0 if none do."""

    first: int
    second: int

    @property
    def coordinates(self) -> list[int]:
        """Coordinates of X for the d_e arguments."""
        drawn = list(range(CELL.d_e))
        drawn[self.second] = drawn[self.first]
        return drawn


NONE = Draw(0, 0)
DRAWS = (NONE, *(Draw(i, j) for i, j in combinations(range(CELL.d_e), 2)))


class Trial(NamedTuple):
    """The names of one run."""

    variant: str
    """The two arguments, such as ``0, 9``."""
    run: int


def plan(runs: int = RUNS) -> Iterator[Trial]:
    """All runs, in the order of the table."""
    for first, second in DRAWS:
        for run in range(runs):
            yield Trial(f"{first}, {second}", run)


def line_of(trial: Trial) -> Line:
    """Return the line of a run in the table of runs."""
    return {
        "method": ALGORITHM, "told": "d_e", "function": PROBLEM, "kind": "axis-aligned",
        **CELL._asdict(), **trial._asdict(),
        "seed": "/".join(map(str, ("repeated", *_draw_of(trial.variant), trial.run))),
    }  # fmt: skip


def perform(trial: Trial) -> float:
    """Make one run; return its best value."""
    draw = _draw_of(trial.variant)
    problem = released_problem(Rosenbrock(CELL.d_e), np.array(draw.coordinates), n=N)
    rng = np.random.default_rng(seed_of("repeated", *draw, trial.run))
    return embedded_hunter_released(problem, n=N, d=CELL.d, v=CELL.v, M=CELL.M, rng=rng).best


def _draw_of(variant: str) -> Draw:
    return Draw(*map(int, variant.split(", ")))


def stored() -> dict[Draw, Sample]:
    """Return the kept runs by draw."""
    found = samples_of(kept("repeated"), ["variant"])
    return {_draw_of(variant): np.array(values) for (variant,), values in found.items()}
