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
from embedded_hunter.experiments.benchmark.libraries import Told
from embedded_hunter.experiments.benchmark.plan import (
    D_E,
    METHODS,
    SETS,
    marks_of,
    problem_of,
    seed_of_method,
)
from embedded_hunter.experiments.figure_1.plan import Task
from embedded_hunter.experiments.figure_1.runs import Outcome, Row


def perform(task: Task) -> Outcome:
    """Make the run."""
    start = process_time()
    method, where = METHODS[task.algorithm], SETS[task.experiment]
    assert task.x is not None
    if method.full or where.rotated:
        problem = problem_of(task)
        box = BlackBox(problem, problem.n, task.x, marks_of(task))
    else:
        problem = problem_of(task, n=D_E)
        box = BlackBox(problem.effective, D_E, task.x, marks_of(task))
    # What ends a run is the budget, or a search that has nothing left to do.
    with suppress(Exhausted):
        method.run(box, Told(where.n, D_E), np.random.default_rng(seed_of_method(task)))
    rows = tuple(Row(v, box.best_at.get(v, box.best)) for v in marks_of(task))
    return Outcome(task, rows, box.evaluations, process_time() - start)
