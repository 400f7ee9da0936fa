"""Table 1 as data: the five experiments, their settings, and every run of a campaign.

A task is one run of one algorithm. Its random seed is a function of the task's names alone. So the
results depend neither on the number of jobs, nor on the order of the tasks, nor on earlier runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reproduction.kept_runs import Line
from reproduction.methods import in_figure_1
from reproduction.problems.registry import OF_PAPER
from reproduction.seeds import seed_of

PART = "paper"
"""The part of the table of runs, and the first of the names that seed a run."""
PUBLISHED = ("resoo", "sresoo", "embedded_hunter")
"""The algorithms of the published files, in their order."""
RUNS = 20
SEEDED_AS = {"indexed": "embedded_hunter_indexed"}
"""The names that seed runs, if not those of the algorithms: stored runs keep their seeds."""


class AxisPoint(NamedTuple):
    """The parameters of one point of the x axis."""

    n: int
    v: int
    d: int
    """Dimension of the search space."""
    d_e: int
    """Effective dimension of the problem."""
    M: int


@dataclass(frozen=True)
class Experiment:
    """One row of Table 1."""

    name: str
    axis: str
    """Which parameter varies: the name of the x column."""
    values: tuple[int, ...]
    beyond: tuple[int, ...] = ()
    """Further values, which the paper does not have."""

    @property
    def all_values(self) -> tuple[int, ...]:
        """Its values and the further ones."""
        return self.values + self.beyond

    def parameters(self, x: int) -> AxisPoint:
        """Return the parameters at x; what does not vary is as in the caption of Table 1."""
        given = {"n": 10_000, "v": 10_000, "d": 10, "d_e": 10, "M": 5, self.axis: x}
        if self.name == "effective-dimension":
            given["d_e"] = x
        return AxisPoint(**given)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("convergence", "v", (10, 50, 100, 1000, 10_000, 50_000, 100_000)),
        Experiment(
            "scalability",
            "n",
            (100, 500, 1000, 10_000, 50_000, 100_000),
            beyond=(10**6, 10**7, 10**8, 10**9),
        ),
        Experiment("number-of-embeddings", "M", (1, 2, 5, 8, 10, 20)),
        Experiment("effective-dimension", "d", (2, 5, 10, 20, 50, 75)),
        Experiment("effective-dimension-knowledge", "d_e", (2, 5, 8, 25, 75, 250)),
    )
}


class Task(NamedTuple):
    """One run."""

    experiment: str
    problem: str
    algorithm: str
    x: int
    run: int

    def seed(self) -> np.random.SeedSequence:
        """Return the seed of the run: of what names it, and of nothing else."""
        return seed_of(*self.seeded_as)

    @property
    def seeded_as(self) -> tuple[object, ...]:
        """The names of which the seed is a function."""
        return (PART, *self._replace(algorithm=SEEDED_AS.get(self.algorithm, self.algorithm)))

    @property
    def parameters(self) -> AxisPoint:
        """The parameters of the run."""
        return EXPERIMENTS[self.experiment].parameters(self.x)

    def line(self) -> Line:
        """Return the line of the run in the table of runs, without its value."""
        policies = {"embedded_hunter": "fresh", "indexed": "indexed"}
        return {
            "part": PART,
            "set": self.experiment,
            "method": self.algorithm,
            "policy": policies.get(self.algorithm, ""),
            "told": "d_e" if in_figure_1()[self.algorithm].told_d_e else "",
            "function": self.problem,
            "kind": "axis-aligned",
            **self.parameters._asdict(),
            "run": self.run,
            "seed": "/".join(map(str, self.seeded_as)),
        }


def all_algorithms() -> tuple[str, ...]:
    """Return the algorithms of Figure 1: those of the paper, and ours after them."""
    return PUBLISHED + tuple(name for name in in_figure_1() if name not in PUBLISHED)


def tasks(
    names: Iterable[str],
    runs: int = RUNS,
    problems: Iterable[str] = OF_PAPER,
    algorithms: Iterable[str] | None = None,
    values: Iterable[int] | None = None,
) -> list[Task]:
    """List the tasks of some experiments.

    Parameters
    ----------
    values
        Values of the x axis; all unless given. Each must belong to one of the experiments.

    Raises
    ------
    ValueError
        For an unknown experiment, problem, algorithm or value.
    """
    problems = tuple(problems)
    algorithms = all_algorithms() if algorithms is None else tuple(algorithms)
    for what, given, known in (
        ("experiment", names := tuple(names), tuple(EXPERIMENTS)),
        ("problem", problems, OF_PAPER),
        ("algorithm", algorithms, all_algorithms()),
    ):
        for name in given:
            if name not in known:
                raise ValueError(f"{what} must be one of {', '.join(known)}, got {name!r}")
    there = {x for name in names for x in EXPERIMENTS[name].all_values}
    wanted = there if values is None else set(values)
    if unknown := sorted(wanted - there):
        raise ValueError(
            f"value must be one of {', '.join(map(str, sorted(there)))}, got {unknown[0]}: "
            f"{', '.join(names)}"
        )
    return [
        Task(name, problem, algorithm, x, run)
        for name in names
        for x in EXPERIMENTS[name].all_values
        if x in wanted
        for problem in problems
        for algorithm in algorithms
        for run in range(runs)
    ]
