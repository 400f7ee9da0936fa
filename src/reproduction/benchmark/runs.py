"""One run of a comparison, a pure function of its task.

A function of d_e known coordinates sees only d_e rows of an embedding, and rows are independent:
if a method treats each coordinate independently of the others, the other coordinates are left out.
The law of the run stays the same (claim ``n-invariance``; the rows of a count sketch are
independent too). Methods marked `full`, and all of them on rotated problems,
get all n coordinates.
"""

from time import process_time

import numpy as np

from reproduction.benchmark.methods import D_E, method_of
from reproduction.benchmark.plan import SETS, problem_of, read_at, seed_of_method
from reproduction.figure_1.plan import Task
from reproduction.figure_1.runs import BestAt, Outcome
from reproduction.optimizers.black_box import ProblemInfo, black_box


def perform(task: Task) -> Outcome:
    """Make the run."""
    start = process_time()
    method, problem_set = method_of(task.algorithm), SETS[task.experiment]
    assert task.x is not None
    problem = problem_of(task, n=None if method.full or problem_set.rotated else D_E)
    box = black_box(problem, task.x, read_at(task))
    info = ProblemInfo(problem_set.n, D_E)
    method.minimize(box, info, np.random.default_rng(seed_of_method(task)))
    best_values = tuple(BestAt(v, box.best_at.get(v, box.best)) for v in read_at(task))
    return Outcome(task, best_values, box.evaluations, process_time() - start)
