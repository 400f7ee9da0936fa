"""The outcome of an evaluation, and what every evaluator has.

An outcome is a float, or a `Failure` if the evaluation has no value.
"""

import math
import pickle
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats

Objective = Callable[..., Any]

BATCH_LIMIT = 2**23
"""Numbers made at a time when points are evaluated together: 64 MiB."""


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


def outcome_of(value: object) -> Outcome:
    """Return the value of the objective as a float, or a `Failure` if it is not allowed.

    Allowed are a real number and an array of exactly one real number. Infinite values are allowed,
    NaN is not.
    """
    if type(value) is not float and type(value) is not np.float64:
        try:
            array = np.array(None) if np.ma.is_masked(value) else np.asarray(value)
        except Exception:  # nested lists of different lengths, or any error of a foreign object
            array = np.array(None)
        if array.size != 1 or array.dtype.kind not in "iuf":
            shape = f" of shape {array.shape}" if array.ndim else ""
            return Failure(
                f"the objective must return one real number, got {type(value).__name__}{shape}"
            )
        value = float(array.reshape(()))
    if math.isnan(value):
        return Failure("the objective returned nan", at_point=True)
    return float(value)


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


def values_of(
    queries: Sequence[object], values: Sequence[object], waiting: Container[int]
) -> dict[int, float]:
    """Return {number of the evaluation: value} for points whose values are told.

    `queries` are numbers of evaluations, or objects with the attribute `number`; `waiting` has the
    numbers of the points that have no value yet. Errors are those of `EmbeddedHunter.tell`.
    """
    if hasattr(queries, "number") or np.ndim(values) == 0:  # type: ignore[arg-type]
        raise TypeError(
            "queries and values must be sequences of the same length; for one point, "
            f"tell([query], [value]), got {queries!r:.50} and {values!r:.50}"
        )
    if len(queries) != len(values):
        raise ValueError(
            "queries and values must have the same length, "
            f"got {len(queries)} queries and {len(values)} values"
        )
    told: dict[int, float] = {}
    for query, value in zip(queries, values, strict=True):
        given: object = getattr(query, "number", query)
        number = given if type(given) is int else _integer(given)
        if number not in waiting or number in told:
            raise ValueError(f"evaluation {given!r:.50} was not asked for, or was already told")
        outcome = outcome_of(value)
        if isinstance(outcome, Failure):
            raise ValueError(f"the value of evaluation {number}: {outcome.why}")
        told[number] = outcome
    return told


def _integer(number: object) -> int:
    """Return the number of an evaluation as an int; 0 if `number` is not an integer >= 1."""
    try:
        return integer("number", number, 1)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0
