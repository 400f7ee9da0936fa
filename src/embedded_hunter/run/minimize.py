"""The front door: `minimize`, in the manner of `scipy.optimize`.

It maps the points of `asktell.EmbeddedHunter` into the user's bounds, has the objective called,
and collects the outcome in an `OptimizeResult`. No decision of the algorithm is taken here.
"""

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypedDict, Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.hunter import Visit
from embedded_hunter.projection import Floats, generator
from embedded_hunter.run.asktell import MESSAGES, EmbeddedHunter, Query
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.checkpoint import Checkpoint, CheckpointWriteError
from embedded_hunter.run.evaluators import Evaluator, Failure, Map, Objective, evaluator
from embedded_hunter.run.search import Policy, settings_of
from embedded_hunter.settings import Real, Sampler, integer

Callback = Callable[[OptimizeResult], object]


class EvaluationError(RuntimeError):
    """An evaluation of the objective failed; nothing that was evaluated is lost.

    Attributes
    ----------
    evaluation
        Number of the evaluation, from 1 to the budget.
    x
        The point, in the user's bounds, shape (n,).
    result
        `OptimizeResult` of all evaluations that succeeded.
    resume
        A function without arguments that evaluates what has failed once more and goes on with the
        run; it returns what `minimize` returns.
    """

    def __init__(
        self,
        evaluation: int,
        x: Floats,
        why: str,
        result: OptimizeResult,
        resume: Callable[[], OptimizeResult],
    ) -> None:
        super().__init__(f"evaluation {evaluation} failed: {why}")
        self.evaluation, self.x, self.result, self.resume = evaluation, x, result, resume


def minimize(
    fun: Objective,
    bounds: BoundsLike,
    *,
    d: int | None = None,
    args: object = (),
    maxfun: int,
    eta: Real = 0.3,
    K: int = 3,
    M: Real = 5,
    h_max: int | None = None,
    sigma: float | None = None,
    policy: Policy = "fresh",
    sampler: Sampler = "norm",
    effective_dimension: int | None = None,
    scale: Real | None = None,
    n_embeddings: int | None = None,
    rng: np.random.Generator | int | None = None,
    callback: Callback | None = None,
    workers: int | Map = 1,
    vectorized: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    objective: str | None = None,
    fsync: bool = False,
) -> OptimizeResult:
    """Minimise a function of many variables, few of which matter, by EmbeddedHunter.

    Parameters
    ----------
    fun
        ``fun(x, *args) -> float`` with x of shape (n,). +inf is a value, nan an error.
    bounds
        `scipy.optimize.Bounds` or n pairs (low, high), finite.
    d
        Dimension of the search space Y, 1 <= d <= n: the effective dimension, or a guess of it.
        With policy ``"forest"`` better twice that: give `effective_dimension` instead.
    args
        Further arguments of `fun`, a tuple; anything else is the only one.
    maxfun
        Evaluation budget v >= 1, never exceeded, and used up unless the tree is full.
    eta, K, M, h_max, sigma, policy, sampler
        See `embedded_hunter.settings.Settings`.
    effective_dimension
        A guess of how many variables (or directions) matter, for policy ``"forest"``, in the
        place of d: then d = min(n, 2 effective_dimension). An embedding of d_e directions into d
        has a preimage y of the optimum x* with ||y||^2 = ||x*||^2/(sigma^2 chi^2), chi^2 of
        d - d_e + 1 degrees of freedom (claim ``coverage``): one degree with d = d_e, so that y is
        often far away, and d_e + 1 with d = 2 d_e. For x* = (.46, ..., .46), d_e = 10 and the
        default scale an embedding covers x* with probability .001 (d = d_e, exact) or at least .67
        (d = 2 d_e, a lower bound).
    scale, n_embeddings
        Of policy ``"forest"``: sigma R (0.25), how far from 0 the points of an embedding lie, and
        the number P of embeddings (20); see `Settings`.
    rng
        Seed or `numpy.random.Generator`. The same seed gives the same run, whatever `workers` and
        `vectorized`.
    callback
        Called with the `OptimizeResult` so far after each visit of a depth that evaluated
        something; raising StopIteration ends the run.
    workers
        Number of processes (-1: one for each processor; at most 1024), or a map-like callable;
        they evaluate the points of one visit at a time. The processes end with this one. Not
        together with `vectorized`. A map-like callable is called as ``workers(function, tasks)``;
        it calls the function once for each task and returns what the function returned, in any
        order.
    vectorized
        Whether `fun` takes points as columns, shape (n, S), and returns S values.
    checkpoint
        A file that keeps every value as soon as it is known to this process. If it exists, the
        run is resumed: the same run, no logged evaluation repeated. Its random generator is taken
        from the file if `rng` is None.
    objective
        A name for `fun` and `args`, kept in the checkpoint. A checkpoint that was begun with
        another name, or with none, is refused. Without a name a checkpoint of another objective
        cannot be recognised.
    fsync
        Whether every value is forced to the storage device before the run goes on. Without it a
        checkpoint survives the end of this process, however that comes about, but not a power
        cut.

    Returns
    -------
    OptimizeResult
        x (shape (n,), within the bounds), fun, nfev, nit, nsweep, depth (of the tree),
        nleaves, success, status, message. nit counts the visits of a depth that are complete, also
        those that expanded no leaf; the evaluation of the root is not one of them.

    Raises
    ------
    TypeError, ValueError
        For a bad argument; the message names it and says what is allowed.
    CheckpointError
        If `checkpoint` is not one of this run, or in use; the file is left as it was.
    CheckpointWriteError
        If `checkpoint` cannot be written, for example because the disk is full.
    EvaluationError
        When `fun` raises, returns nan, or returns something of a wrong shape or type.
    """
    box = Box(bounds)
    settings = settings_of(
        policy, box.n, searched_dimension(box.n, d, effective_dimension, policy), maxfun,
        eta=eta, K=K, M=M, h_max=h_max, sigma=sigma, sampler=sampler,
        scale=scale, n_embeddings=n_embeddings,
    )  # fmt: skip
    rng = None if rng is None else generator(rng)
    calling: Calling = {
        "args": args, "callback": callback, "workers": workers, "vectorized": vectorized,
    }  # fmt: skip
    if checkpoint is None:
        if objective is not None or fsync is not False:
            raise ValueError("objective and fsync are for a checkpoint: give one")
        return solve(fun, EmbeddedHunter(settings, rng), box, **calling)
    how = evaluator_of(fun, calling)  # nothing is written before all arguments are good
    log = Checkpoint(checkpoint, settings, box, rng, objective=objective, fsync=fsync)
    with log:
        return Minimization(EmbeddedHunter(settings, log.rng), box, how, callback, log).go()


def searched_dimension(n: int, d: int | None, effective: int | None, policy: Policy) -> int:
    """Return d, or what stands for it: min(n, 2 `effective`) with policy ``forest``."""
    if d is None and effective is None:
        other = " or effective_dimension" if policy == "forest" else ""
        raise TypeError(f"d{other} must be given: the dimension of the search space")
    if effective is None:
        return d  # type: ignore[return-value]
    if d is not None or policy != "forest":
        raise ValueError("effective_dimension is for policy 'forest', in the place of d")
    return min(n, 2 * integer("effective_dimension", effective, 1))


class Calling(TypedDict, total=False):
    """How the objective is called: arguments that every front door shares (see `minimize`)."""

    args: object
    callback: Callback | None
    workers: int | Map
    vectorized: bool


def solve(
    fun: Objective, hunter: EmbeddedHunter, box: Box, **calling: Unpack[Calling]
) -> OptimizeResult:
    """Evaluate `fun` wherever `hunter` asks for it, to the end of the run; see `minimize`.

    Raises
    ------
    TypeError, ValueError, EvaluationError
        As `minimize`.
    RuntimeError
        If somebody else has asked `hunter` for points and has not told their values.
    """
    how = evaluator_of(fun, calling)
    return Minimization(hunter, box, how, calling.get("callback")).go()


def evaluator_of(fun: Objective, calling: Calling) -> Evaluator:
    """Return how `fun` is called, all arguments checked, the callback too."""
    if unknown := set(calling) - set(Calling.__annotations__):
        raise TypeError(f"unknown arguments: {', '.join(sorted(unknown))}")
    if not callable(fun):
        raise TypeError(f"fun must be callable, got {fun!r} of type {type(fun).__name__}")
    callback = calling.get("callback")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable or None, got {callback!r}")
    args = calling.get("args", ())
    return evaluator(
        fun,
        args if isinstance(args, tuple) else (args,),
        calling.get("workers", 1),
        calling.get("vectorized", False),
    )


@dataclass
class Minimization:
    """A run that evaluates what the hunter asks for; `go` can be called again after a failure."""

    hunter: EmbeddedHunter
    box: Box
    evaluator: Evaluator
    callback: Callback | None = None
    log: Checkpoint | None = None
    unanswered: list[Query] = field(default_factory=list)
    """Points that were asked for and have no value yet."""
    visit: Visit = field(init=False)
    """The visit whose end the callback has not seen."""

    def __post_init__(self) -> None:
        self.visit = self.hunter.visit

    def go(self) -> OptimizeResult:
        """Run to the end, or to where the callback, the keyboard or a failure stops it."""
        hunter = self.hunter
        at_most = max(1, self.evaluator.floats // self.box.n)
        try:
            with self.evaluator, self.log or nullcontext():
                while True:
                    if hunter.finished or hunter.visit is not self.visit:
                        self.visit = hunter.visit
                        try:
                            if self.callback is not None:
                                self.callback(self.result(5))
                        except StopIteration:
                            return self.result(2)
                    if hunter.finished:
                        break
                    if not self.unanswered:
                        self.unanswered = hunter.ask(at_most)
                    if not self.unanswered:
                        raise RuntimeError(
                            "the run cannot go on: evaluations were asked for whose values are "
                            "neither told nor awaited here"
                        )
                    self.evaluate()
        except KeyboardInterrupt:
            return self.result(3)
        except CheckpointWriteError as error:
            error.result, error.resume = self.result(6), self.go
            raise
        return self.result(0 if "maxfun" in hunter.stop() else 1)

    def evaluate(self) -> None:
        """Tell the hunter every value that can be had; raise for the first that cannot."""
        self._answer_from_log()
        queries = self.unanswered
        if not queries:
            return
        values: dict[int, float] = {}
        failures: dict[int, Failure] = {}
        unwritten: CheckpointWriteError | None = None
        # Once a value could not be written, no other evaluation is begun.
        points = (
            self.box.from_cube(query.x) for query in takewhile(lambda _: unwritten is None, queries)
        )
        try:
            for k, outcome in self.evaluator.outcomes(points):
                if isinstance(outcome, Failure):
                    failures[k] = outcome
                    continue
                if self.log is not None:
                    try:
                        self.log.append(queries[k].number, outcome)
                    except CheckpointWriteError as error:
                        unwritten = error
                values[k] = outcome
        finally:
            # Whatever stops the loop, the keyboard included: what has a value is told.
            self.unanswered = [query for k, query in enumerate(queries) if k not in values]
            self.hunter.tell([queries[k] for k in values], list(values.values()))
        if unwritten is not None:
            raise unwritten
        if failures:
            k = min(failures)
            x = self.box.from_cube(queries[k].x)
            raise EvaluationError(
                queries[k].number, x, failures[k].why, self.result(4), self.go
            ) from failures[k].cause

    def _answer_from_log(self) -> None:
        """Tell what the checkpoint knows of the unanswered points; the others remain."""
        if self.log is None:
            return
        known = [query for query in self.unanswered if query.number in self.log.values]
        self.unanswered = [
            query for query in self.unanswered if query.number not in self.log.values
        ]
        self.hunter.tell(known, [self.log.values[query.number] for query in known])

    def result(self, status: int) -> OptimizeResult:
        """Return the outcome so far, in the user's bounds."""
        result = self.hunter.result
        if result.x is not None:
            result.x = self.box.from_cube(result.x)
        result.status, result.message = status, MESSAGES[status]
        result.success = status in (0, 1)
        return result
