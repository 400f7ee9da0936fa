"""Table 1 as data: the five experiments, their settings, and every run of a campaign.

A task is run, stored and repeated as a whole. It is one run of one algorithm and gives one row; in
the convergence experiment of the profile ``released`` it gives one row for each budget. Its random
seed is a function of the task's names alone. So the results depend neither on the number of jobs,
nor on the order of the tasks, nor on earlier runs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from reproduction.kept_runs import Line
from reproduction.methods import in_figure_1
from reproduction.problems.registry import OF_PAPER
from reproduction.seeds import seed_of

Profile = Literal["paper", "released"]
PROFILES: tuple[Profile, ...] = get_args(Profile)

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
    """One run. `x` is None where one run serves all values of the axis."""

    profile: str
    experiment: str
    problem: str
    algorithm: str
    x: int | None
    run: int

    def seed(self) -> np.random.SeedSequence:
        """Return the seed of the run: of what names it, and of nothing else."""
        return seed_of(*self.seeded_as)

    @property
    def seeded_as(self) -> tuple[object, ...]:
        """The names of which the seed is a function."""
        return self._replace(algorithm=SEEDED_AS.get(self.algorithm, self.algorithm))

    def xs(self) -> tuple[int, ...]:
        """Return the values on the axis that the run serves."""
        return EXPERIMENTS[self.experiment].values if self.x is None else (self.x,)

    def lines(self) -> list[Line]:
        """Return the lines of the run in the table of runs, without its values."""
        policies = {"embedded_hunter": "fresh", "indexed": "indexed"}
        method = in_figure_1()[self.algorithm]
        return [
            {
                "part": self.profile,
                "set": self.experiment,
                "method": self.algorithm,
                "policy": policies.get(self.algorithm, "") if self.profile == "paper" else "",
                "told": "d_e" if method.told_d_e else "",
                "function": self.problem,
                "kind": "axis-aligned",
                **EXPERIMENTS[self.experiment].parameters(x)._asdict(),
                "run": self.run,
                "seed": "/".join(map(str, self.seeded_as)),
            }
            for x in self.xs()
        ]


def values_of(experiment: Experiment, profile: Profile) -> tuple[int, ...]:
    """Return the x values of a profile; only ``paper`` has values that the paper does not have."""
    return experiment.values + (experiment.beyond if profile == "paper" else ())


def algorithms_of(profile: Profile) -> tuple[str, ...]:
    """Return the algorithms that a profile runs."""
    beyond = tuple(name for name in in_figure_1() if name not in PUBLISHED)
    return PUBLISHED + (beyond if profile == "paper" else ())


def tasks(
    names: Iterable[str],
    profile: Profile,
    runs: int = RUNS,
    problems: Iterable[str] = OF_PAPER,
    algorithms: Iterable[str] | None = None,
    values: Iterable[int] | None = None,
) -> Iterator[Task]:
    """List the tasks of some experiments, the slowest first, so that no job waits at the end.

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
    algorithms = algorithms_of(profile) if algorithms is None else tuple(algorithms)
    for what, given, known in (
        ("experiment", names := tuple(names), tuple(EXPERIMENTS)),
        ("problem", problems, OF_PAPER),
        ("algorithm", algorithms, algorithms_of(profile)),
    ):
        for name in given:
            if name not in known:
                raise ValueError(f"{what} must be one of {', '.join(known)}, got {name!r}")
    wanted = None if values is None else frozenset(values)
    axes = {name: _axis(EXPERIMENTS[name], profile) for name in names}
    if wanted is not None:
        there = sorted({x for axis in axes.values() for x in axis if x is not None})
        if unknown := sorted(wanted - set(there)):
            raise ValueError(
                f"value must be one of {', '.join(map(str, there)) or 'none'}, got {unknown[0]}: "
                f"profile {profile!r}, {', '.join(names)}"
            )
    listed = [
        Task(profile, name, problem, algorithm, x, run)
        for name in names
        for x in axes[name]
        if wanted is None or x in wanted
        for problem in problems
        for algorithm in algorithms
        for run in range(runs)
    ]
    return iter(sorted(listed, key=lambda task: -cost(task)))


def _axis(experiment: Experiment, profile: Profile) -> tuple[int | None, ...]:
    if profile == "released" and experiment.name == "convergence":
        return (None,)
    return values_of(experiment, profile)


def cost(task: Task) -> float:
    """Estimate how long a task takes, for the order of the tasks and for the time left."""
    experiment = EXPERIMENTS[task.experiment]
    at = experiment.parameters(experiment.values[-1] if task.x is None else task.x)
    return at.v * (1 + at.d * at.d_e / 500) * (1.0 if in_figure_1()[task.algorithm].embeds else 0.2)
