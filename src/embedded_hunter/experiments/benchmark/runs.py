"""One run of a comparison, a pure function of its task.

A function of d_e known coordinates sees only d_e rows of an embedding, and rows are independent:
where a method's treatment of a coordinate depends on nothing else, the other coordinates are left
out, which changes nothing in the law of the run (claim ``n-invariance``; the same holds for a count
sketch, whose rows are independent too). Methods marked `full`, and all of them on rotated problems,
get all n coordinates.
"""

from contextlib import suppress
from time import process_time

import numpy as np

from embedded_hunter.experiments.benchmark.black_box import BlackBox, Exhausted
from embedded_hunter.experiments.benchmark.libraries import ProblemInfo
from embedded_hunter.experiments.benchmark.plan import (
    D_E,
    METHODS,
    SETS,
    problem_of,
    read_at,
    seed_of_method,
)
from embedded_hunter.experiments.figure_1.plan import Task
from embedded_hunter.experiments.figure_1.runs import Outcome, Reading


def perform(task: Task) -> Outcome:
    """Make the run."""
    start = process_time()
    method, problem_set = METHODS[task.algorithm], SETS[task.experiment]
    assert task.x is not None
    if method.full or problem_set.rotated:
        problem = problem_of(task)
        box = BlackBox(problem, problem.n, task.x, read_at(task))
    else:
        problem = problem_of(task, n=D_E)
        box = BlackBox(problem.effective, D_E, task.x, read_at(task))
    # What ends a run is the budget, or a search that has nothing left to do.
    with suppress(Exhausted):
        method.run(
            box, ProblemInfo(problem_set.n, D_E), np.random.default_rng(seed_of_method(task))
        )
    readings = tuple(Reading(v, box.best_at.get(v, box.best)) for v in read_at(task))
    return Outcome(task, readings, box.evaluations, process_time() - start)
