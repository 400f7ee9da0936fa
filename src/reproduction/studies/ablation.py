"""The effect of each rule of the released program.

One cell of the published experiments, M = 5 of number-of-embeddings (n = v = 10^4, d = d_e = 10),
is run again by `released.hunter`, 20 runs of each variant: once as the program is described, and
once for each rule in which the program and the paper differ, with the paper's rule in place of the
program's and all others as they are. ``python -m reproduction results --make ablation`` makes the
runs; a run's seed is a function of its names.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.released.hunter import ETA, PaperSide, embedded_hunter_released
from reproduction.released.problems import PROBLEM_NAMES, ReleasedProblem, released_problems
from reproduction.released.resoo import resoo_released
from reproduction.seeds import seed_of

EXPERIMENT, M = "number-of-embeddings", 5
RUNS = 20
TABLE_1 = 0.3
COLUMNS = ("algorithm", "variant", "problem", "run", "best_value")


class Variant(NamedTuple):
    """The released program, with some rules replaced by the paper's."""

    eta: float = ETA
    side: PaperSide = PaperSide()


VARIANTS: Mapping[str, Mapping[str, Variant]] = {
    "embedded_hunter": {
        "as-released": Variant(),
        "eta": Variant(eta=TABLE_1),
        "tiling-cells": Variant(side=PaperSide(tiling_cells=True)),
        "strict": Variant(side=PaperSide(strict=True)),
        "cap-in-y": Variant(side=PaperSide(cap_in_y=True)),
        "equal-norms": Variant(side=PaperSide(equal_norms=True)),
        "all": Variant(TABLE_1, PaperSide(True, True, True, True, True)),
    },
    "resoo": {
        "as-released": Variant(),
        "eta": Variant(eta=TABLE_1),
        "tiling-cells": Variant(side=PaperSide(tiling_cells=True)),
    },
}
"""By algorithm, the variants that are run; "all" has also sweeps that start at depth 0."""

PROGRAMS = {"embedded_hunter": embedded_hunter_released, "resoo": resoo_released}


class Run(NamedTuple):
    """The names of one run."""

    algorithm: str
    variant: str
    problem: str
    run: int


def plan() -> Iterator[Run]:
    """All runs, in the order of the file."""
    for algorithm, variants in VARIANTS.items():
        for variant in variants:
            for problem in PROBLEM_NAMES:
                for k in range(RUNS):
                    yield Run(algorithm, variant, problem, k)


@cache
def instance(name: str) -> ReleasedProblem:
    """The instance of the published cell, shared by all variants and runs."""
    experiment = EXPERIMENTS[EXPERIMENT]
    cells = [experiment.parameters(x) for x in experiment.values]
    rngs = [
        np.random.default_rng(seed_of("released", EXPERIMENT, name, x)) for x in experiment.values
    ]
    problems = released_problems(name, [(at.n, at.d_e) for at in cells], rngs)
    return problems[experiment.values.index(M)]


def perform(run: Run) -> float:
    """Make one run; return its best value."""
    at = EXPERIMENTS[EXPERIMENT].parameters(M)
    variant = VARIANTS[run.algorithm][run.variant]
    return PROGRAMS[run.algorithm](
        instance(run.problem),
        n=at.n,
        d=at.d,
        v=at.v,
        M=at.M,
        rng=np.random.default_rng(seed_of("ablation", *run)),
        eta=variant.eta,
        side=variant.side,
    ).best
