"""The loop of `minimize`: evaluate the points that a hunter asks for, and tell it the values.

`Minimization.go` runs until the end, until one of the `Limits` is reached, or until something stops
it. What stops it loses no known value: `EvaluationError`, `CheckpointWriteError` and
`KeyboardInterrupt` leave the loop with the attributes `result` and `resume`.
"""

import inspect
import math
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import Real, integer, real
from embedded_hunter.matrices import Floats
from embedded_hunter.policy import AnyVisit
from embedded_hunter.run import status
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.locked_file import CheckpointWriteError
from embedded_hunter.run.outcomes import Evaluator, Failure, Outcome
from embedded_hunter.run.progress import Progress
from embedded_hunter.run.queries import Query

Callback = Callable[..., object]
OnError = Literal["raise", "inf"]
"""How to treat an evaluation that raises an exception or returns NaN."""


class EvaluationError(RuntimeError):
    """An evaluation of the objective failed. No known value is lost.

    Attributes
    ----------
    evaluation
        Number of the evaluation, from 1 to the budget.
    x
        The point, in the user's bounds, shape (n,).
    result
        `OptimizeResult` of all evaluations that succeeded.
    resume
        A function without arguments. It evaluates the failed points again, continues the run and
        returns what `minimize` returns.
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


class Limits:
    """Conditions that end a run before its budget is used, and their errors; see `minimize`."""

    def __init__(
        self,
        f_target: Real | None = None,
        timeout: Real | None = None,
        patience: int | None = None,
    ) -> None:
        self.f_target, self.seconds, self.patience = -math.inf, math.inf, math.inf
        if f_target is not None:
            self.f_target = float(real("f_target", f_target, "a finite number", math.isfinite))
        if timeout is not None:
            allowed = "a finite number of seconds > 0"
            self.seconds = float(real("timeout", timeout, allowed, lambda s: 0 < s < math.inf))
        if patience is not None:
            self.patience = integer("patience", patience, 1)
        self.restart()

    def restart(self) -> None:
        """Start the clock of `timeout`."""
        self._begin = time.monotonic()

    @property
    def time_is_up(self) -> bool:
        """Whether no further evaluation may begin."""
        return time.monotonic() - self._begin >= self.seconds

    def reached(self, hunter: EmbeddedHunter) -> int | None:
        """Return the status of a run that has reached `f_target` or `patience`, else None."""
        if self.f_target > -math.inf and hunter.fun <= self.f_target:
            return status.TARGET
        return status.PATIENCE if hunter.since_the_best >= self.patience else None


@dataclass
class Minimization:
    """A run that evaluates the points of a hunter. After a failure, `go` can be called again."""

    hunter: EmbeddedHunter
    evaluator: Evaluator
    callback: Callback | None = None
    limits: Limits = field(default_factory=Limits)
    on_error: OnError = "raise"
    log: Checkpoint | None = None
    disp: bool = False
    visit: AnyVisit = field(init=False)
    """The visit after which the callback is called next."""
    reported: int = field(init=False)
    """Number of evaluations of the visits after which it was called."""
    known: dict[int, float] = field(init=False)
    """Values that may not have been told yet, by number of the evaluation."""
    failed: set[int] = field(init=False)
    """Numbers of the evaluations that failed and count as +inf."""
    why: str = field(init=False, default="")
    """The reason of the last one of them."""

    def __post_init__(self) -> None:
        self.visit, self.reported = self.hunter.visit, self.visited
        self.known = {} if self.log is None else self.log.values
        self.failed = set() if self.log is None else self.log.failed
        self._by_name = self.callback is not None and takes_it_by_name(self.callback)
        self._elsewhere = {query.number for query in self.hunter.unanswered}

    @property
    def unanswered(self) -> list[Query]:
        """The points that were asked for here and whose values were not told.

        The hunter keeps them, so that an interrupt between `ask` and `tell` loses none.
        """
        return [query for query in self.hunter.unanswered if query.number not in self._elsewhere]

    def go(self) -> OptimizeResult:
        """Run until the end, until a limit is reached, or until the callback stops the run.

        EvaluationError or CheckpointWriteError if an evaluation failed, or a value could not be
        written; KeyboardInterrupt after Ctrl-C, see `explain`.
        """
        progress = Progress(self.hunter) if self.disp else None
        self.limits.restart()
        try:
            self.hunter.ask(0)  # completes a call that an interrupt has cut short
            log = None if self.log is None or self.log.is_open else self.log
            with self.evaluator, log or nullcontext():
                while True:
                    if (visited := self.visited) > self.reported:
                        if progress is not None:
                            progress.visited(self.visit, self.reported)
                        if not self.report():
                            return self.end(status.STOPPED)
                        self.visit, self.reported = self.hunter.visit, visited
                    if self.hunter.nfev == visited > 0:  # at the end of a visit
                        reached = self.limits.reached(self.hunter)
                        if reached is not None:
                            return self.end(reached)
                    if self.complete:
                        break
                    if self.limits.time_is_up:
                        return self.end(status.TIMEOUT)
                    self.evaluate(self.ask())
                result = self.end(status.EXHAUSTED if self.hunter.repeats.exhausted else None)
                if self.log is not None:
                    self.log.finish(result)
                return result
        except KeyboardInterrupt as error:
            self.explain(error)
            raise
        except CheckpointWriteError as error:
            error.result, error.resume = self.ended(status.UNWRITTEN), self.go
            raise

    @property
    def visited(self) -> int:
        """Number of evaluations of the complete visits."""
        hunter = self.hunter
        if hunter.finished:
            return hunter.nfev
        asked = hunter.nfev + len(hunter.unanswered)
        return asked + hunter.waiting - len(hunter.visit.evaluations)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to evaluate."""
        return self.hunter.finished or self.hunter.repeats.exhausted

    def report(self) -> bool:
        """Call the callback, without the history; return whether the run goes on."""
        if self.callback is None:
            return True
        result = self.ended(status.RUNNING)
        try:
            if self._by_name:
                answer = self.callback(intermediate_result=result)
            else:
                answer = self.callback(result)
        except StopIteration:
            return False
        return not (isinstance(answer, bool | int | np.bool_ | np.integer) and answer)

    def explain(self, error: KeyboardInterrupt) -> None:
        """Say in an interrupt what is known and how to resume; set its `result` and `resume`.

        The exception stays a `KeyboardInterrupt` itself: only then does Python end like a program
        that Ctrl-C has ended, and a loop of the shell over programs ends too.
        """
        result = self.ended(status.INTERRUPTED)
        known = f"{result.nfev} of {self.hunter.settings.v} evaluations were made"
        if result.nfev:
            known += f", the best value is {result.fun:.10g}"
        how = (
            "call resume() of this exception"
            if self.log is None
            else f"give the same arguments again, with checkpoint {str(self.log.path)!r}"
        )
        error.args = (f"{known}. To go on, {how}.",)
        vars(error).update(result=result, resume=self.go)

    def ask(self) -> list[Query]:
        """Return the points that have no value; ask for further ones if there are none.

        RuntimeError if the hunter waits for the values of points that were asked for elsewhere.
        """
        if waiting := self.unanswered:
            return waiting
        at_most = max(1, self.evaluator.batch_limit // self.hunter.settings.n)
        queries = self.hunter.ask(at_most)
        if not queries:
            raise RuntimeError(
                "the run cannot continue: points of the hunter were asked for elsewhere, and their "
                "values were not told"
            )
        return queries

    def evaluate(self, queries: list[Query]) -> None:
        """Evaluate points whose values are not known, and tell the hunter the values of all.

        A point of integers that was evaluated before is not evaluated again: its value is told. If
        evaluations failed, the error names the failed point of the smallest position.
        """
        queries = self.tell(queries)
        repeated, queries_left = self.hunter.repeats.among(queries)
        try:
            for number, value in repeated.items():
                self.keep(number, value)
        finally:
            self.tell(queries)
        queries = queries_left
        if not queries:
            return
        failures: dict[int, Failure] = {}
        unwritten: CheckpointWriteError | None = None

        def points() -> Iterator[Floats]:
            for query in queries:
                if unwritten is not None or self.limits.time_is_up:  # begin no further evaluation
                    return
                yield query.x.copy()

        try:
            for k, outcome in self.evaluator.outcomes(points()):
                counted = self.counted(queries[k].number, outcome)
                if isinstance(counted, Failure):
                    failures[k] = counted
                    continue
                try:
                    self.keep(queries[k].number, counted)
                except CheckpointWriteError as error:
                    unwritten = error
        finally:
            self.tell(queries)  # whatever ends the loop, including Ctrl-C
        if unwritten is not None:
            raise unwritten
        if failures:
            k = min(failures)
            number, x = queries[k]
            raise EvaluationError(
                number, x.copy(), failures[k].why, self.ended(status.FAILED), self.go
            ) from failures[k].cause

    def counted(self, number: int, outcome: Outcome) -> Outcome:
        """Return the outcome of an evaluation; +inf for a failure that counts as a value."""
        if not isinstance(outcome, Failure) or self.on_error == "raise" or not outcome.at_point:
            return outcome
        self.failed.add(number)
        self.why = outcome.why
        return math.inf

    def keep(self, number: int, value: float) -> None:
        """Make a value known, and log it if there is a checkpoint.

        If it cannot be written, it is known all the same.
        """
        if self.log is None:
            self.known[number] = value
        else:
            self.log.append(number, value, number in self.failed)  # to `known` too

    def tell(self, queries: list[Query]) -> list[Query]:
        """Tell the hunter the values that are known; return the points whose values are not."""
        found = [query for query in queries if query.number in self.known]
        if not found:
            return queries
        left = [query for query in queries if query.number not in self.known]
        self.hunter.tell(found, [self.known[query.number] for query in found])
        if self.log is None:
            self.known.clear()
        return left

    def end(self, reason: int | None) -> OptimizeResult:
        """Return the outcome; print its message if `disp`."""
        result = self.ended(reason)
        if self.disp:
            print(result.message, flush=True)
        return result

    def ended(self, reason: int | None) -> OptimizeResult:
        """Return `EmbeddedHunter.ended`, with the seed and the number of failed evaluations."""
        result = self.hunter.ended(reason)
        result.update(seed=self.hunter.seed, nfailed=len(self.failed))
        if self.failed:
            last = f"; the last time {self.why}" if self.why else ""
            result.message += f" Evaluations that failed and count as +inf: {result.nfailed}{last}."
        return result


def takes_it_by_name(callback: Callback) -> bool:
    """Tell whether the only parameter of a callback is named `intermediate_result`, as in SciPy."""
    try:
        return set(inspect.signature(callback).parameters) == {"intermediate_result"}
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
