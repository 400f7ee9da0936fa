"""The front door: `minimize`, in the manner of `scipy.optimize`.

It maps the points of `asktell.EmbeddedHunter` into the user's bounds, has the objective called,
and collects the outcome in an `OptimizeResult`. No decision of the algorithm is taken here.
"""

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.asktell import MESSAGES, EmbeddedHunter, Query
from embedded_hunter.box import BoundsLike, Box
from embedded_hunter.checkpoint import Checkpoint
from embedded_hunter.evaluators import Evaluator, Failure, Map, Objective, evaluator
from embedded_hunter.projection import Floats, generator
from embedded_hunter.settings import Policy, Real, Sampler, Settings, integer

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
        With policy ``"family"`` better twice that: give `effective_dimension` instead.
    args
        Further arguments of `fun`, a tuple; anything else is the only one.
    maxfun
        Evaluation budget v >= 1, never exceeded, and used up unless the tree is full.
    eta, K, M, h_max, sigma, policy, sampler
        See `embedded_hunter.settings.Settings`.
    effective_dimension
        A guess of how many variables (or directions) matter, for policy ``"family"``, in the
        place of d: then d = min(n, 2 effective_dimension). An embedding of d_e directions into d
        has a preimage y of the optimum x* with ||y||^2 = ||x*||^2/(sigma^2 chi^2), chi^2 of
        d - d_e + 1 degrees of freedom (claim ``coverage``): one degree with d = d_e, so that y is
        often far away, and d_e + 1 with d = 2 d_e. For x* = (.46, ..., .46), d_e = 10 and the
        default scale an embedding covers x* with probability .001 (d = d_e, exact) or at least .67
        (d = 2 d_e, a lower bound).
    scale, n_embeddings
        Of policy ``"family"``: sigma R (0.25), how far from 0 the points of an embedding lie, and
        the number P of embeddings (20); see `Settings`.
    rng
        Seed or `numpy.random.Generator`. The same seed gives the same run, whatever `workers` and
        `vectorized`.
    callback
        Called with the `OptimizeResult` so far after each visit of a depth that evaluated
        something; raising StopIteration ends the run.
    workers
        Number of processes (-1: one for each processor), or a map-like callable; they evaluate
        the points of one visit at a time. Not together with `vectorized`.
    vectorized
        Whether `fun` takes points as columns, shape (n, S), and returns S values.
    checkpoint
        A file that keeps every value as soon as it is known. If it exists, the run is resumed:
        the same run, no logged evaluation repeated. Its random generator is taken from the file
        if `rng` is None.

    Returns
    -------
    OptimizeResult
        x (shape (n,), within the bounds), fun, nfev, nit (visits of a depth), nsweep, depth (of
        the tree), nleaves, success, status, message.

    Raises
    ------
    TypeError, ValueError
        For a bad argument; the message names it and says what is allowed.
    CheckpointError
        If `checkpoint` is not one of this run; the file is left as it was.
    EvaluationError
        When `fun` raises, returns nan, or returns something of a wrong shape or type.
    """
    box = Box(bounds)
    settings = Settings(
        box.n, searched_dimension(box.n, d, effective_dimension, policy), maxfun,
        eta=eta, K=K, M=M, h_max=h_max, sigma=sigma, policy=policy, sampler=sampler,
        scale=scale, n_embeddings=n_embeddings,
    )  # fmt: skip
    rng = None if rng is None else generator(rng)
    log = None if checkpoint is None else Checkpoint(checkpoint, settings, box, rng)
    hunter = EmbeddedHunter(settings, rng if log is None else log.rng)
    return solve(
        fun,
        hunter,
        box,
        log,
        args=args,
        callback=callback,
        workers=workers,
        vectorized=vectorized,
    )


def searched_dimension(n: int, d: int | None, effective: int | None, policy: Policy) -> int:
    """Return d, or what stands for it: min(n, 2 `effective`) with policy ``family``."""
    if d is None and effective is None:
        other = " or effective_dimension" if policy == "family" else ""
        raise TypeError(f"d{other} must be given: the dimension of the search space")
    if effective is None:
        return d  # type: ignore[return-value]
    if d is not None or policy != "family":
        raise ValueError("effective_dimension is for policy 'family', in the place of d")
    return min(n, 2 * integer("effective_dimension", effective, 1))


class Calling(TypedDict, total=False):
    """How the objective is called: arguments that every front door shares (see `minimize`)."""

    args: object
    callback: Callback | None
    workers: int | Map
    vectorized: bool


def solve(
    fun: Objective,
    hunter: EmbeddedHunter,
    box: Box,
    log: Checkpoint | None = None,
    **calling: Unpack[Calling],
) -> OptimizeResult:
    """Evaluate `fun` wherever `hunter` asks for it, to the end of the run; see `minimize`."""
    if unknown := set(calling) - set(Calling.__annotations__):
        raise TypeError(f"unknown arguments: {', '.join(sorted(unknown))}")
    if not callable(fun):
        raise TypeError(f"fun must be callable, got {fun!r} of type {type(fun).__name__}")
    callback = calling.get("callback")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable or None, got {callback!r}")
    args = calling.get("args", ())
    how = evaluator(
        fun,
        args if isinstance(args, tuple) else (args,),
        calling.get("workers", 1),
        calling.get("vectorized", False),
    )
    return Minimization(hunter, box, how, callback, log).go()


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

    def go(self) -> OptimizeResult:
        """Run to the end, or to where the callback, the keyboard or a failure stops it."""
        hunter = self.hunter
        at_most = max(1, self.evaluator.floats // self.box.n)
        try:
            with self.evaluator, self.log or nullcontext():
                while not hunter.finished:
                    visit = hunter.visit
                    if not self.unanswered:
                        self.unanswered = hunter.ask(at_most)
                    self.evaluate()
                    done = hunter.visit is not visit or hunter.finished
                    if self.callback is not None and done:
                        try:
                            self.callback(self.result(5))
                        except StopIteration:
                            return self.result(2)
        except KeyboardInterrupt:
            return self.result(3)
        return self.result(0 if "maxfun" in hunter.stop() else 1)

    def evaluate(self) -> None:
        """Tell the hunter every value that can be had; raise for the first that cannot."""
        queries, self.unanswered = self._answer_from_log(), []
        if not queries:
            return
        points = (self.box.from_cube(query.x) for query in queries)
        failed: Failure | None = None
        seen = 0
        answered: list[Query] = []
        values: list[float] = []
        outcomes = self.evaluator.outcomes(points)
        try:
            for query, outcome in zip(queries, outcomes, strict=False):
                seen += 1
                if isinstance(outcome, Failure):
                    failed = failed or outcome
                    self.unanswered.append(query)
                    continue
                if self.log is not None:
                    self.log.append(query.number, outcome)
                answered.append(query)
                values.append(outcome)
        finally:
            # Whatever stops the loop, the keyboard included: what has a value is told.
            self.hunter.tell(answered, values)
            self.unanswered += queries[seen:]
        if failed is not None:
            query = self.unanswered[0]
            raise EvaluationError(
                query.number, self.box.from_cube(query.x), failed.why, self.result(4), self.go
            ) from failed.cause

    def _answer_from_log(self) -> list[Query]:
        """Tell what the checkpoint knows; return the points that remain to be evaluated."""
        if self.log is None:
            return self.unanswered
        known = [query for query in self.unanswered if query.number in self.log.values]
        self.hunter.tell(known, [self.log.values[query.number] for query in known])
        return [query for query in self.unanswered if query.number not in self.log.values]

    def result(self, status: int) -> OptimizeResult:
        """Return the outcome so far, in the user's bounds."""
        result = self.hunter.result
        if result.x is not None:
            result.x = self.box.from_cube(result.x)
        result.status, result.message = status, MESSAGES[status]
        result.success = status in (0, 1)
        return result
