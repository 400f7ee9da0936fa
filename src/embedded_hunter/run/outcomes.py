"""How the objective is called: the outcome of an evaluation, and the evaluators.

An outcome is a float, or a `Failure` if the evaluation has no value. An evaluator turns points into
outcomes, which are returned as soon as they are known, in any order, each with the position of its
point. A failed evaluation does not invalidate the outcomes of other points. Other evaluators than
the serial one are in `evaluators` and `processes`.
"""

import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats

Objective = Callable[..., Any]
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

BATCH_LIMIT = 2**23
"""Numbers made at a time when points are evaluated together: 64 MiB."""
SERIAL_LIMIT = 2**17
"""Numbers made at a time when points are evaluated one by one: 1 MiB, which a cache holds."""


@dataclass
class Failure:
    """An evaluation without a value: the reason, and the exception that caused it, if any."""

    why: str
    cause: BaseException | None = None
    at_point: bool = False
    """Whether the objective raised an exception or returned NaN: another point may have a value."""

    def __getstate__(self) -> dict[str, object]:
        """Drop the exception if it cannot be pickled and unpickled."""
        try:
            pickle.loads(pickle.dumps(self.cause))
        except Exception:
            return vars(self) | {"cause": None}
        return vars(self)


Outcome = float | Failure


@dataclass
class Guarded:
    """The objective as a function of x. It returns a `Failure` instead of raising."""

    fun: Objective
    args: tuple[Any, ...]

    def __call__(self, x: Floats) -> Outcome:
        """Evaluate one point, shape (n,)."""
        try:
            value = self.fun(x, *self.args)
        except (Exception, SystemExit) as error:
            return raised(error, x)
        return outcome_of(value)


class Evaluator:
    """Turns points into outcomes. Its context is entered during a run."""

    batch_limit = BATCH_LIMIT
    """How many numbers may be made at a time."""

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate points, each of shape (n,) and in the user's bounds.

        Yield the position of each point, counted from 0, and its outcome. A point that is not taken
        from `points`, or for which nothing is yielded, is evaluated later.
        """
        raise NotImplementedError

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        return None


class Serial(Evaluator):
    """One point after another, in this process."""

    batch_limit = SERIAL_LIMIT

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in turn, up to the first failure; see `Evaluator.outcomes`."""
        for k, x in enumerate(points):
            outcome = self._guarded(x)
            yield k, outcome
            if isinstance(outcome, Failure):
                return


def outcome_of(value: object) -> Outcome:
    """Return the value of the objective as a float, or a `Failure` if it is not allowed.

    Allowed are a real number of any type, as bounds take it, and an array of exactly one. Infinite
    values are allowed, NaN is not.
    """
    if type(value) is not float and type(value) is not np.float64:
        try:
            array = np.array(None) if np.ma.is_masked(value) else np.asarray(value)
        except Exception:  # nested lists of different lengths, or any error of a foreign object
            array = np.array(None)
        number = _only_number(array)
        if number is None:
            shape = f" of shape {array.shape}" if array.ndim else ""
            return Failure(
                f"the objective must return one real number, got {type(value).__name__}{shape}"
            )
        value = number
    if math.isnan(value):
        return Failure("the objective returned nan", at_point=True)
    return float(value)


def _only_number(array: npt.NDArray[Any]) -> float | None:
    """Return the only entry of an array as a float; None if it is no real number of a float's."""
    if array.size != 1 or array.dtype.kind not in "iufO":
        return None
    (one,) = array.flat
    if isinstance(one, bool) or not isinstance(one, Real | Decimal):
        return None
    try:
        return float(one)
    except (ValueError, OverflowError):  # a signaling NaN of decimals, an integer too great
        return None


def raised(error: BaseException, x: Floats, hint: str = "") -> Failure:
    """Return the failure of an objective that raised `error` for x, shape (n,) or (n, S)."""
    if isinstance(error, IndexError | ValueError) and not hint:
        hint = f" (x has shape {x.shape}: bounds are those of n = {len(x)} variables)"
    at_point = not isinstance(error, SystemExit)
    return Failure(f"the objective raised {describe(error)}{hint}", error, at_point)


def describe(error: BaseException) -> str:
    """Return the type and message of an exception; only the type if its message raises."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__
