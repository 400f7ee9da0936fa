"""Runs and their floors as streams of evaluations, whose costs are compared in turns.

The floor of a run is the cost that it cannot avoid. It makes no decision and stores nothing. It
draws as many numbers at a time as fit into a cache and calls the objective on one point after
another, as the run does.

- ``fresh``: draw n normal numbers with the same generator, SFC64, scale, clip, call the objective.
- ``indexed``: multiply a stored matrix by a vector, clip, call the objective. The matrices come in
  the order in which a run needs them. (A run also draws them, each once: some ten for v = 1000,
  little more for larger budgets.)
- ``forest``: as ``indexed``, one product for each evaluation. A run draws P matrices, and
  refinement fits small models.
- effective rows only: as ``fresh``, with d_e numbers and the objective of d_e coordinates.

Streams take turns of some hundred evaluations in one process. So other load of the machine slows
all of them alike. Times are CPU time of the thread.
"""

import time
from collections.abc import Iterator

import numpy as np

from embedded_hunter.matrices import key_from, stream
from embedded_hunter.problems.hidden import Problem
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.evaluators import SERIAL_LIMIT, make_evaluator
from embedded_hunter.run.minimization import Minimization
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import PolicyName, policy_of, search_of, settings_of
from embedded_hunter.settings import Settings

N, D, D_E, SEED = 10_000, 10, 10, 0
TURN = 1_000
"""Least number of evaluations of a turn. A turn also ends at the end of a run."""

Stream = Iterator[int]
"""An endless iterator. Each step makes some evaluations and yields their number."""


def front_door(
    problem: Problem, v: int, policy: PolicyName, d: int = D, M: int | None = None
) -> Stream:
    """Runs of `minimize` on the full x, in turns."""
    rng = np.random.default_rng(SEED)
    settings = settings_of(policy, problem.n, d, v, **({} if M is None else {"M": M}))
    serial = make_evaluator(problem, (), 1, False)
    while True:
        hunter = EmbeddedHunter(settings, rng, bounds=problem.bounds)
        run = Minimization(hunter, serial)
        before = 0
        while not hunter.finished:  # what Minimization.go does
            run.evaluate(run.ask())
            if hunter.nfev - before >= TURN:
                yield hunter.nfev - before
                before = hunter.nfev
        yield hunter.nfev - before


def effective_rows(problem: Problem, v: int) -> Stream:
    """Runs that make the effective coordinates only, in turns."""
    rng = np.random.default_rng(SEED)
    settings, objective = Settings(problem.n, D, v), problem.effective
    at_most = SERIAL_LIMIT // problem.d_e
    while True:
        hunter = EmbeddedHunter(settings, rng, rows=problem.d_e)
        before = 0
        while queries := hunter.ask(at_most):  # by hand: what asking and telling takes is measured
            hunter.tell(queries, [float(objective(x)) for _, x in queries])
            if hunter.nfev - before >= TURN:
                yield hunter.nfev - before
                before = hunter.nfev
        yield hunter.nfev - before


def drawing(rows: int, objective: Objective) -> Stream:
    """Floor of ``fresh``: draw, scale, clip, call the objective."""
    rng = stream(key_from(np.random.default_rng(SEED)))
    block = np.empty((max(1, SERIAL_LIMIT // rows), rows))
    points = list(block)
    while True:
        made = 0
        while made < TURN:
            rng.standard_normal(out=block)
            np.multiply(block, 0.3, out=block)
            block.clip(-1.0, 1.0, out=block)
            for x in points:
                objective(x)
            made += len(points)
        yield made


def multiplying(rows: int, objective: Objective, order: list[int], d: int = D) -> Stream:
    """Floor of ``indexed``: multiply by A_p, clip, call the objective, for each p in `order`."""
    rng = np.random.default_rng(SEED)
    A = {p: np.asfortranarray(rng.standard_normal((rows, d))) for p in set(order)}
    y, x = rng.standard_normal(d), np.empty(rows)
    while True:
        for first in range(0, len(order), TURN):
            turn = order[first : first + TURN]
            for p in turn:
                np.matmul(A[p], y, out=x)
                x.clip(-1.0, 1.0, out=x)
                objective(x)
            yield len(turn)


def order_of_matrices(
    problem: Problem, v: int, d: int = D, M: int | None = None, policy: PolicyName = "indexed"
) -> list[int]:
    """Return the number of the matrix of each evaluation of a run, in their order.

    An evaluation of a local search has the number of the matrix with which the search began.
    """
    settings = settings_of(policy, problem.n, d, v, **({} if M is None else {"M": M}))
    search = search_of(settings, np.random.default_rng(SEED), problem.d_e)
    record, order = policy_of(settings).record, list[int]()
    for visit, _ in drive(search, one_by_one(problem.effective)):
        local = getattr(visit, "local", None)
        order += [
            record(request)["p"] if local is None else local.center.tree + 1
            for request in visit.evaluations
        ]
    return order


def take_turns(streams: list[Stream], evaluations: int) -> list[float]:
    """Advance the streams in turns until each has made `evaluations` evaluations.

    Returns
    -------
    list of float
        CPU microseconds per evaluation of each stream.
    """
    made, spent = [0] * len(streams), [0.0] * len(streams)
    while min(made) < evaluations:
        for k, runs in enumerate(streams):
            if made[k] < evaluations:
                start = time.thread_time()
                made[k] += next(runs)
                spent[k] += time.thread_time() - start
    return [1e6 * seconds / count for seconds, count in zip(spent, made, strict=True)]
