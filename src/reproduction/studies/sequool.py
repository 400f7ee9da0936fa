"""The rule of SequOOL against sweeps, in a forest and in RESOO.

``python -m reproduction results --make sequool`` makes the runs and the table of the documentation.
All functions have ten effective variables; v = 10^4. Axis-aligned, these are coordinates, of which
alone the rows are made. Rotated, they are Q^T x for a random Q with 1,000 rows, and all rows are
made. In both cases sigma is that of n = 10^4. Run k of a function has the same instance and the
same generator for each method, so that results are paired. The forest has no local search.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import stats

from embedded_hunter.baselines.resoo import hunt_resoo
from embedded_hunter.baselines.sequool import hunt_sequool, hunt_sequool_in_embeddings
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.projection import projection_of
from embedded_hunter.run.policies import Search
from embedded_hunter.settings import Settings
from reproduction.kept_runs import Values
from reproduction.seeds import seed_of
from reproduction.statistics import holm
from reproduction.studies.study import least_value, of_rows
from reproduction.tables import number, table

N, N_ROTATED, D_E, V, RUNS = 10_000, 1_000, 10, 10_000, 20
EMBEDDINGS = 5
"""Of RESOO; the paper's M."""


class Run(NamedTuple):
    """The names of one run."""

    method: str
    function: str
    run: int


COLUMNS = (*Run._fields, "value")


def forest(rng: np.random.Generator, rows: int) -> Search:
    """The forest with its sweeps."""
    settings = ForestSettings(N, V, dimensions=(2 * D_E,), evolve=False, refine=False)
    return Search(hunt_forest(settings), ForestPoints(settings, rng, rows))


def forest_sequool(rng: np.random.Generator, rows: int) -> Search:
    """The same matrices and queues, with the rule of SequOOL in the place of sweeps."""
    settings = ForestSettings(N, V, dimensions=(2 * D_E,), evolve=False, refine=False)
    run = hunt_sequool(settings, P=settings.n_embeddings, separate_origin=True)
    return Search(run, ForestPoints(settings, rng, rows))


def resoo(rng: np.random.Generator, rows: int) -> Search:
    """RESOO with the settings of the benchmark."""
    settings = Settings(N, D_E, V, policy="indexed")
    return Search(hunt_resoo(settings, EMBEDDINGS), projection_of(settings, rng, rows))


def resoo_sequool(rng: np.random.Generator, rows: int) -> Search:
    """RESOO with SequOOL in the place of SOO."""
    settings = Settings(N, D_E, V, policy="indexed")
    run = hunt_sequool_in_embeddings(settings, EMBEDDINGS)
    return Search(run, projection_of(settings, rng, rows))


METHODS: dict[str, Callable[[np.random.Generator, int], Search]] = {
    "forest": forest,
    "forest, SequOOL's rule": forest_sequool,
    "RESOO": resoo,
    "RESOO, SequOOL's rule": resoo_sequool,
}
PAIRS = (("forest", "forest, SequOOL's rule"), ("RESOO", "RESOO, SequOOL's rule"))
"""Sweeps against SequOOL's rule."""
FUNCTIONS = {
    "ackley": "Ackley",
    "ellipsoid": "Ellipsoid",
    "rosenbrock": "Rosenbrock",
    "fletcher_powell": "FletcherPowell",
    "distance": "Euclidean distance",
    "absolute": "sum of absolute values",
    "rotated ackley": "Ackley, rotated",
    "rotated fletcher_powell": "FletcherPowell, rotated",
    "rotated distance": "Euclidean distance, rotated",
    "rotated absolute": "sum of absolute values, rotated",
}
"""`distance` and `absolute` have their optimum at a place that is uniform in [-1/2, 1/2]^10, in the
effective variables, for each run."""


def objective(name: str, rng: np.random.Generator) -> Callable[[Floats], Floats]:
    """Return an instance of a function of points, shape (k, rows); the least value is 0."""
    landscape, rotated = name.removeprefix("rotated "), rows_of(name) == N_ROTATED
    if landscape in PROBLEMS:
        problem = PROBLEMS[landscape](N_ROTATED if rotated else N, D_E, rng, rotated)
        return of_rows(problem if rotated else problem.effective)
    order = {"distance": 2, "absolute": 1}[landscape]
    x_star = rng.uniform(-0.5, 0.5, D_E)
    if not rotated:
        return lambda x: np.asarray(np.linalg.norm(x - x_star, ord=order, axis=1))
    Q = np.linalg.qr(rng.standard_normal((N_ROTATED, D_E)))[0]
    return lambda x: np.asarray(np.linalg.norm(x @ Q - x_star, ord=order, axis=1))


def rows_of(function: str) -> int:
    """Return how many coordinates of a point are made for a function."""
    return N_ROTATED if function.startswith("rotated ") else D_E


def plan() -> Iterator[Run]:
    """All runs, in the order of the file."""
    for method in METHODS:
        for function in FUNCTIONS:
            for run in range(RUNS):
                yield Run(method, function, run)


def perform(run: Run) -> float:
    """Make a run; return its best value."""
    f = objective(run.function, np.random.default_rng(seed_of("sequool", *run[1:])))
    rng = np.random.default_rng(seed_of("sequool-matrices", *run[1:]))
    return least_value(METHODS[run.method](rng, rows_of(run.function)), f)


def table_of(values: Values) -> str:
    """Return the table of the page: means with standard errors, medians and paired tests.

    The test is Wilcoxon's signed-rank test of the logarithms, two-sided, with Holm's correction
    over the functions of a pair.
    """
    rows = []
    for sweeps, sequool in PAIRS:
        samples = {
            function: np.array(
                [[values[method, function, str(run)] for run in range(RUNS)]
                 for method in (sweeps, sequool)]
            )
            for function in FUNCTIONS
            if all((m, function, str(r)) in values for m in (sweeps, sequool) for r in range(RUNS))
        }  # fmt: skip
        p_values = holm([signed_rank_p(a, b) for a, b in samples.values()])
        adjusted = dict(zip(samples, p_values, strict=True))
        for function, (a, b) in samples.items():
            verdict = "no difference shown"
            if adjusted[function] <= 0.05:
                logs = np.log(np.maximum(a, 1e-300)) - np.log(np.maximum(b, 1e-300))
                verdict = "SequOOL's rule is better" if np.median(logs) > 0 else "sweeps are better"
            wins = f"{int(np.sum(b < a))}:{int(np.sum(a < b))}"
            rows.append([sweeps, FUNCTIONS[function], summary(a), summary(b), wins,
                         number(adjusted[function]), verdict])  # fmt: skip
    header = ["method", "function", "sweeps: mean ± standard error (median)", "SequOOL's rule",
              "runs won by SequOOL's rule : by sweeps", "p", "verdict"]  # fmt: skip
    return table(header, rows)


def summary(sample: Floats) -> str:
    """Return mean, standard error and median."""
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    return f"{sample.mean():.3g} ± {error:.2g} ({np.median(sample):.3g})"


def signed_rank_p(a: Floats, b: Floats) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test of the logarithms.

    Exact, given the ranks: SciPy's test is not, where differences tie. Differences of 0 are left
    out, equal ones have their mean rank; 1 if all are 0.
    """
    gaps = np.log(np.maximum(a, 1e-300)) - np.log(np.maximum(b, 1e-300))
    gaps = gaps[gaps != 0]
    twice = np.rint(2 * stats.rankdata(np.abs(gaps))).astype(int)  # the ranks may be halves
    law = np.ones(1)  # of the sum of those with a positive sign
    for rank in twice:
        law = (np.pad(law, (0, rank)) + np.pad(law, (rank, 0))) / 2
    least = min(twice[gaps > 0].sum(), twice[gaps < 0].sum())
    return min(1.0, 2 * float(law[: least + 1].sum()))
