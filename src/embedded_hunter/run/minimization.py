"""The loop of `minimize`: evaluate the points that a search asks for, and tell it the values.

`Minimization.go` runs until the end, until one of the `Limits` is reached, or until something stops
it. What stops it loses no known value: every exception leaves the loop with the attributes `result`
and `resume`.
"""

import inspect
import math
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import Real, integer, real
from embedded_hunter.matrices import Floats
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.errors import CheckpointWriteError, EvaluationError, Resume
from embedded_hunter.run.outcomes import Evaluator, Failure, Outcome
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.run.position import Query
from embedded_hunter.run.status import Status

if TYPE_CHECKING:
    from embedded_hunter.run.checkpoint import Checkpoint

Callback = Callable[..., object]
Report = Callable[[OptimizeResult], object]
OnError = Literal["raise", "inf"]
"""How to treat an evaluation that raises an exception or returns NaN."""


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

    def reached(self, search: Search) -> Status | None:
        """Return the status of a run that has reached `f_target` or `patience`, else None."""
        if self.f_target > -math.inf and search.fun <= self.f_target:
            return Status.TARGET
        return Status.PATIENCE if search.since_the_best >= self.patience else None


@dataclass
class Minimization:
    """A run that evaluates the points of a search. After an exception, `go` can be called again."""

    begun: Search
    """The search, unless it is that of a file."""
    log: "Checkpoint | None"
    """The file of the run."""
    evaluator: Evaluator
    report: Report | None
    """The callback, see `as_report`."""
    limits: Limits
    on_error: OnError
    disp: bool
    visit: AnyVisit = field(init=False)
    """The visit after which the callback is called next."""
    reported: int = field(init=False)
    """Number of evaluations of the visits after which it was called."""
    failed: set[int] = field(init=False)
    """Numbers of the evaluations that failed and count as +inf."""
    why: str = field(init=False, default="")
    """The reason of the last one of them."""

    def __post_init__(self) -> None:
        self.visit, self.reported = self.search.visit, self.search.visited
        self.failed = set() if self.log is None else self.log.failed

    @property
    def search(self) -> Search:
        """The search; that of a file is another one if the file has more values."""
        return self.begun if self.log is None else self.log.search

    def go(self) -> OptimizeResult:
        """Run until the end, until a limit is reached, or until the callback stops the run.

        Any exception has the attributes `result` and `resume`: EvaluationError if an evaluation
        failed, CheckpointWriteError if a value could not be written, KeyboardInterrupt after
        Ctrl-C, or what the callback raised.
        """
        try:
            self.limits.restart()
            self.search.go_on()  # completes a call that an interrupt has cut short
            log = None if self.log is None or self.log.is_open else self.log
            with self.evaluator, log or nullcontext():
                if self.log is not None:
                    self.log.write_missing()
                result = self.ended(*self.loop())
                if self.disp:
                    print(result.message, flush=True)
                return result
        except BaseException as error:
            self.explain(error)
            raise

    def loop(self) -> tuple[Status | None, Search]:
        """Evaluate visit after visit; return why that ended, None if the run is complete.

        The search that is returned has ended there.
        """
        before = self.in_order()
        if before.nfev < self.search.nfev and (reached := self.limits.reached(before)) is not None:
            return reached, before
        progress = None
        if self.disp and not self.search.finished:
            from embedded_hunter.run.progress import Progress

            progress = Progress(self.search)
        while True:
            if (visited := self.search.visited) > self.reported:
                if progress is not None:
                    progress.visited(self.visit, self.reported)
                if self.asks_to_stop():
                    return Status.STOPPED, self.search
                self.visit, self.reported = self.search.visit, visited
            if self.search.nfev == visited > 0:  # at the end of a visit
                reached = self.limits.reached(self.search)
                if reached is not None:
                    return reached, self.search
            if self.search.finished:
                return None, self.search
            if self.limits.time_is_up:
                return Status.TIMEOUT, self.search
            self.evaluate(self.unanswered())

    def in_order(self) -> Search:
        """Return the search without values of a visit whose first value is not known.

        There are some if the values of the visit came in another order when the run was stopped.
        Whether a limit was reached before the visit does not depend on them.
        """
        run, visited = self.search.run, self.search.visited
        if visited in (0, self.search.nfev) or len(run.known) != visited:
            return self.search
        return Search(replace(run, values=run.known))

    def asks_to_stop(self) -> bool:
        """Call the callback, without the history; return whether it asks to stop."""
        if self.report is None:
            return False
        result = self.ended(Status.RUNNING)
        try:
            answer = self.report(result)
        except StopIteration:
            return True
        except Exception as error:
            error.add_note("The callback of minimize has raised this exception.")
            raise
        return isinstance(answer, bool | np.bool_) and bool(answer)

    def explain(self, error: BaseException) -> None:
        """Set `result` and `resume` of an exception; say in an interrupt how to go on.

        An interrupt stays a `KeyboardInterrupt` itself: only then does Python end like a program
        that Ctrl-C has ended, and a loop of the shell over programs ends too.
        """
        vars(error).update(result=None, resume=Resume(self.go))
        of_kind = (status for kind, status in REASONS.items() if isinstance(error, kind))
        reason = next(of_kind, Status.BROKEN)
        with suppress(MemoryError):  # then only `resume` is known
            self.search.go_on()
            vars(error)["result"] = result = self.ended(reason)
            if isinstance(error, KeyboardInterrupt):
                known = f"{result.nfev} of {self.search.settings.v} evaluations were made"
                if result.nfev:
                    known += f", the best value is {result.fun:.10g}"
                how = (
                    "call resume() of this exception"
                    if self.log is None
                    else f"give the same arguments again, with checkpoint {str(self.log.path)!r}"
                )
                error.args = (f"{known}. To go on, {how}.",)

    def unanswered(self) -> list[Query]:
        """Return the points that have no value; ask for further ones if there are none."""
        at_most = max(1, self.evaluator.batch_limit // self.search.settings.n)
        return self.search.unanswered or self.search.ask(at_most)

    def evaluate(self, queries: list[Query]) -> None:
        """Evaluate points, and tell the search their values.

        If evaluations failed, the error names the failed point of the smallest position.
        """
        failures: dict[int, Failure] = {}
        unwritten: CheckpointWriteError | None = None

        def points() -> Iterator[Floats]:
            for query in queries:
                if unwritten is not None or self.limits.time_is_up:  # begin no further evaluation
                    return
                yield query.x.copy()

        try:
            for k, outcome in self.evaluator.outcomes(points()):
                number = queries[k].number
                value = self.counted(number, outcome)
                if isinstance(value, Failure):
                    failures[k] = value
                    continue
                self.search.note(number, value)
                if self.log is not None:
                    try:
                        self.log.log(number, value, number in self.failed)
                    except CheckpointWriteError as error:
                        unwritten = error
        finally:
            self.search.go_on()  # whatever ends the loop, including Ctrl-C
        if unwritten is not None:
            raise unwritten
        if failures:
            k = min(failures)
            number, x = queries[k]
            raise EvaluationError(number, x.copy(), failures[k].why) from failures[k].cause

    def counted(self, number: int, outcome: Outcome) -> Outcome:
        """Return the outcome of an evaluation; +inf for a failure that counts as a value."""
        if not isinstance(outcome, Failure) or self.on_error == "raise" or not outcome.at_point:
            return outcome
        self.failed.add(number)
        self.why = outcome.why
        return math.inf

    def ended(self, reason: Status | None, search: Search | None = None) -> OptimizeResult:
        """Return `Search.ended`, with the number of failed evaluations."""
        result = (search or self.search).ended(reason)
        result.nfailed = len(self.failed)
        if self.failed:
            last = f"; the last time {self.why}" if self.why else ""
            result.message += f" Evaluations that failed and count as +inf: {result.nfailed}{last}."
        return result


REASONS = {
    EvaluationError: Status.FAILED,
    CheckpointWriteError: Status.UNWRITTEN,
    KeyboardInterrupt: Status.INTERRUPTED,
}
"""The status of a run that such an exception has ended; that of another one is `BROKEN`."""


def as_report(callback: Callback | None) -> Report | None:
    """Return the callback as a function of the result so far.

    As in SciPy, it is called by name if its only parameter is named `intermediate_result`.
    TypeError if it cannot be called with one argument.
    """
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError(f"callback must be callable or None, got {callback!r}")
    try:
        signature = inspect.signature(callback)
    except (TypeError, ValueError):  # some built-in functions have no signature
        return callback
    if set(signature.parameters) == {"intermediate_result"}:
        return lambda result: callback(intermediate_result=result)
    try:
        signature.bind(None)
    except TypeError:
        raise TypeError(
            "callback must take one argument, the result so far: callback(result), or "
            f"callback(*, intermediate_result); got the parameters {signature}"
        ) from None
    return callback
