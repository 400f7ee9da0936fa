"""The exceptions that end a run, and the way to go on. All of them can be pickled and copied."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from scipy.optimize import OptimizeResult

from embedded_hunter.matrices import Floats


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

    result: OptimizeResult
    resume: Callable[[], OptimizeResult]

    def __init__(self, evaluation: int, x: Floats, why: str) -> None:
        super().__init__(f"evaluation {evaluation} failed: {why}")
        self.evaluation, self.x, self._why = evaluation, x, why

    def __reduce__(self) -> tuple[Any, ...]:
        return EvaluationError, (self.evaluation, self.x, self._why), vars(self)


class Resume:
    """A function without arguments that continues a run, in the process in which it was stopped."""

    def __init__(self, go: Callable[[], OptimizeResult] | None) -> None:
        self._go = go

    def __call__(self) -> OptimizeResult:
        """Continue the run; return what `minimize` returns."""
        if self._go is None:
            raise RuntimeError(
                "resume works only in the process of the run; to go on elsewhere, give `minimize` "
                "the same arguments with a checkpoint"
            )
        return self._go()

    def __reduce__(self) -> tuple[type["Resume"], tuple[None]]:
        return Resume, (None,)


class CheckpointError(ValueError):
    """A checkpoint cannot be used.

    It is damaged, in use, of another run, of a machine that computes other points, or was written
    by another version.
    """


class CheckpointWriteError(OSError):
    """A value could not be written to the checkpoint. No known value is lost.

    `errno` and `strerror` are those of the error of the operating system, such as ENOSPC.

    Attributes
    ----------
    path
        The checkpoint.
    result
        `OptimizeResult` of all known values, including those that could not be written. None until
        `minimize` has set it.
    resume
        A function without arguments. It writes the missing values, continues the run and returns
        what `minimize` returns. None until `minimize` has set it.
    """

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(error.errno, error.strerror, str(path))
        self.path = path
        self.result: OptimizeResult | None = None
        self.resume: Callable[[], OptimizeResult] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return CheckpointWriteError, (self.path, OSError(self.errno, self.strerror)), vars(self)

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.strerror}"
