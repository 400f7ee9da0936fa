"""Methods that use other libraries: pycma, NLopt, SciPy.

Each function takes a black box, a `ProblemInfo` and a generator, and runs until the budget is used.
Settings that the methods' papers leave open were chosen by a pilot study on other seeds;
docs/benchmark.md lists them and the candidates. All other settings are the library's defaults.
"""

import inspect
import itertools
import math
import warnings
from collections.abc import Callable

import numpy as np
from scipy.optimize import differential_evolution

from embedded_hunter.matrices import Floats
from embedded_hunter.projection import clip
from reproduction.baselines.resoo import shares
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.embeddings import CountSketch, Gaussian

EMBEDDINGS = 5
"""Embeddings of the methods that divide their budget, M of Table 1."""
FULL_COVARIANCE = 200
"""Coordinates up to which `cma_es` has a full covariance matrix."""
EVALUATIONS_A_DIMENSION = 100
"""Evaluations of X-REGO in an embedding of dimension d, divided by d."""
PARTS = 4
"""Buckets into which a bucket is split, 3 more as in BAxUS."""
A_STAGE = 50
"""Least number of evaluations for each variable of all stages of `nested_cma`."""
POPULATION = 20
"""Population of differential evolution. SciPy's default, 15 n, exceeds the whole budget."""


def rembo_cma(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """CMA-ES in random embeddings of dimension d_e, v/5 evaluations in each.

    The matrices, with entries N(0, 1), and the box [-sqrt(d), sqrt(d)]^d are those of REMBO. CMA-ES
    starts at the center of the box. Its initial step gives a coordinate of A y the standard
    deviation 0.15. If CMA-ES stops before its share of the budget is used, it starts again in the
    same embedding with twice the population.
    """
    d = info.d_e
    for share in shares(box.v, EMBEDDINGS):
        embedding = Gaussian(rng, box.rows, d)
        _restarted(
            lambda y, embedding=embedding: box(embedding(y)),  # type: ignore[misc]
            d,
            share,
            rng,
            half_width=math.sqrt(d),
            step=0.15 / math.sqrt(d),
        )


def hesbo_cma(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, factor: int, step: float = 0.2
) -> None:
    """CMA-ES on [-1, 1]^d behind a count sketch, d = `factor` d_e.

    Whenever CMA-ES stops before the budget is used, a new sketch is drawn and it starts again.
    """
    d = factor * info.d_e
    while True:
        embedding = CountSketch(rng, box.rows, d)
        # The function is called in this turn of the loop only.
        run_cma(lambda y: box(embedding(y)), d, box.left + 1, rng, step=step)  # noqa: B023


def x_rego_cma(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """X-REGO with CMA-ES: random embeddings of dimension 1, 2, 3, .. about the best point so far.

    Cartis, Massart and Otemissov (2022), *Global optimization using random embeddings*: the k-th
    problem is to minimise f(p + A y) with a new Gaussian A, where p is the best point so far. Here
    its points are clipped into the cube. CMA-ES starts at y = 0, with the first step of
    `rembo_cma`, and gets `EVALUATIONS_A_DIMENSION` d evaluations in dimension d. d_e is not used.
    """
    best, p = math.inf, np.zeros(box.rows)
    for d in itertools.count(1):
        embedding = Gaussian(rng, box.rows, d)
        center = p

        def f(y: Floats) -> float:
            nonlocal best, p
            # Called in this turn of the loop only.
            x = clip(center + embedding.matrix @ y)  # noqa: B023
            value = box(x)
            if value < best:
                best, p = value, x
            return value

        share = EVALUATIONS_A_DIMENSION * d
        run_cma(f, d, share, rng, half_width=math.inf, step=0.15 / math.sqrt(d))


def nested_cma(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """CMA-ES behind a count sketch whose buckets are split in four whenever a stage ends.

    The nested subspaces of BAxUS (`CountSketch.split`), d = 4, 16, 64, .., with CMA-ES in the place
    of Bayesian optimisation. A stage starts at the best point of the one before, and gets a share
    of the evaluations proportional to d. There are as many stages as leave `A_STAGE` evaluations
    for each variable. If evaluations are left, all begins again with a new sketch. d_e is not used.
    """
    while True:
        dimensions = [PARTS]
        while A_STAGE * sum((*dimensions, PARTS * dimensions[-1])) <= box.left:
            dimensions.append(PARTS * dimensions[-1])
        each, sketch = max(box.left, 1) / sum(dimensions), CountSketch(rng, box.rows, PARTS)
        y = np.zeros(PARTS)
        for stage, d in enumerate(dimensions):
            if stage > 0:
                sketch.split(rng, PARTS)
                y = np.repeat(y, PARTS)
            least = math.inf

            def f(z: Floats) -> float:
                nonlocal least, y
                value = box(sketch(z))  # noqa: B023 - called in this turn of the loop only
                if value < least:
                    least, y = value, z.copy()
                return value

            run_cma(f, d, math.ceil(each * d), rng, step=0.1, start=y)


def sep_cma(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """CMA-ES with a diagonal covariance matrix in all n coordinates, from the center of the cube.

    Points are clipped into the cube, because at n = 10,000 pycma's own treatment of bounds takes
    twice the time of everything else. If CMA-ES stops early, it starts again with twice the
    population.
    """
    _restarted(
        lambda x: box(clip(x.copy())),
        box.rows,
        box.left + 1,
        rng,
        step=0.2,
        diagonal=True,
        half_width=math.inf,
    )


def cma_es(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """CMA-ES on the cube in all n coordinates, from its center, within pycma's own bounds.

    The covariance matrix is full up to `FULL_COVARIANCE` coordinates and diagonal beyond. Whenever
    CMA-ES stops before the budget is used, it starts again from a random point with twice the
    population.
    """
    n = box.rows
    start, popsize = np.zeros(n), _popsize(n)
    while True:
        diagonal = n > FULL_COVARIANCE
        v = box.left + 1
        run_cma(box, n, v, rng, step=0.5, diagonal=diagonal, popsize=popsize, start=start)
        start, popsize = rng.uniform(-1.0, 1.0, n), 2 * popsize


def direct_l(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """NLopt's DIRECT-L in random embeddings of dimension d_e, v/5 evaluations in each.

    Matrices N(0, 1), searched box [-0.25, 0.25]^d.
    """
    import nlopt

    d = info.d_e
    while True:  # a share may be left over if NLopt stops early
        for share in shares(max(box.left, 1), EMBEDDINGS):
            embedding = Gaussian(rng, box.rows, d)
            search = nlopt.opt(nlopt.GN_DIRECT_L, d)
            search.set_lower_bounds(-0.25)
            search.set_upper_bounds(0.25)
            search.set_maxeval(share)
            search.set_min_objective(lambda y, _, embedding=embedding: box(embedding(y)))
            search.optimize(np.zeros(d))


def evolution(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, population: int = POPULATION
) -> None:
    """Differential evolution of SciPy in all n coordinates, from a uniform population."""
    named = "rng" if "rng" in inspect.signature(differential_evolution).parameters else "seed"
    differential_evolution(
        box,
        [(-1.0, 1.0)] * box.rows,
        init=rng.uniform(-1.0, 1.0, (population, box.rows)),
        maxiter=10**9,
        tol=0.0,
        polish=False,
        **{named: rng},
    )


def _restarted(
    f: Callable[[Floats], float],
    d: int,
    v: int,
    rng: np.random.Generator,
    *,
    step: float,
    half_width: float = 1.0,
    diagonal: bool = False,
) -> None:
    """Run CMA-ES with v evaluations; if it stops early, restart it with twice the population."""
    popsize = _popsize(d)
    while v > 0:
        v -= run_cma(
            f, d, v, rng, step=step, half_width=half_width, diagonal=diagonal, popsize=popsize
        )
        popsize *= 2


def run_cma(
    f: Callable[[Floats], float],
    d: int,
    v: int,
    rng: np.random.Generator,
    *,
    step: float,
    half_width: float = 1.0,
    diagonal: bool = False,
    popsize: int | None = None,
    start: Floats | None = None,
) -> int:
    """Run pycma on [-half_width, half_width]^d, from 0 unless a start is given.

    `diagonal` is for a diagonal covariance matrix. Returns the number of evaluations, at most v.
    """
    import cma

    options = {
        "bounds": [-half_width, half_width] if math.isfinite(half_width) else [None, None],
        "CMA_diagonal": diagonal,
        "popsize": _popsize(d) if popsize is None else popsize,
        "seed": int(rng.integers(1, 2**31)),
        "verbose": -9,
        "verb_log": 0,
    }
    es = cma.CMAEvolutionStrategy(np.zeros(d) if start is None else start, step, options)
    made = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pycma warns about large numbers of its own
        while made < v and not es.stop():
            points = es.ask()
            values = [f(np.asarray(y)) for y in points[: v - made]]
            made += len(values)
            if len(values) == len(points):
                es.tell(points, values)
    return made


def _popsize(d: int) -> int:
    """Return the default population size of pycma."""
    return 4 + int(3 * math.log(d))
