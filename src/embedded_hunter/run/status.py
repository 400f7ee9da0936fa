"""How a run has ended, as its result says it: `status`, `success`, `message`, `policy`, `history`.

`success` means that the run has ended as it should, and that no warning applies to its best point:
the point does not lie at the edge of what was searched, and its value is finite and is not that of
all evaluations. It does not mean that the best point is an optimum.
"""

import math
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult

from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import POLICIES

(
    USED, FULL, STOPPED, INTERRUPTED, FAILED, RUNNING, UNWRITTEN, AT_EDGE, INFINITE, EXHAUSTED,
    TARGET, TIMEOUT, PATIENCE, FLAT, UNBOUNDED,
) = range(15)  # fmt: skip

MESSAGES = {
    USED: "The evaluation budget is used.",
    FULL: "The tree is full: every leaf lies below depth h_max.",
    STOPPED: "The callback asked to stop.",
    INTERRUPTED: "Interrupted.",
    FAILED: "An evaluation of the objective failed.",
    RUNNING: "The run continues.",
    UNWRITTEN: "The checkpoint could not be written.",
    AT_EDGE: "The run has ended, but its best point lies at the edge of what it searched: better "
    "points may lie beyond.",
    INFINITE: "The run has ended, but every value was +inf.",
    EXHAUSTED: "Every point within the bounds was evaluated.",
    TARGET: "A value is at most f_target.",
    TIMEOUT: "The time limit is reached.",
    PATIENCE: "The best value has not improved for as many evaluations as `patience` says.",
    FLAT: "The run has ended, but all its values were equal: they do not say where f is low.",
    UNBOUNDED: "The run has ended, but its least value is -inf: f has no least number, or a fault.",
}
"""The message for each `status` of a result."""

SUCCESS = (USED, FULL, STOPPED, EXHAUSTED, TARGET, TIMEOUT, PATIENCE)
"""Where `success` is true."""
COMPLETE = (USED, FULL, AT_EDGE, INFINITE, EXHAUSTED, FLAT, UNBOUNDED)
"""Terminal statuses: the run cannot be continued. A time limit can end with four of them."""

HISTORY = np.dtype([("evaluation", np.int64), ("value", np.float64)])
History: TypeAlias = npt.NDArray[np.void]


def verdict(reason: int, fun: float, *, flat: bool, at_edge: bool) -> int:
    """Return the status of a run that has ended for this reason, one of the numbers above.

    `reason` disregards its values, of which `fun` is the least; `flat`: there are several and all
    are equal; `at_edge`: the best point lies at the edge of what was searched, see
    `Policy.at_edge`.
    """
    if reason not in SUCCESS:
        return reason
    if fun == math.inf:
        return INFINITE
    if fun == -math.inf:
        return UNBOUNDED
    if reason in (USED, FULL, TIMEOUT, PATIENCE):
        if flat:
            return FLAT
        if at_edge:
            return AT_EDGE
    return reason


def result(
    status: int,
    policy: str | None,
    box: Box | None,
    best: tuple[float, int, Floats] | None,
    nfev: int,
    **counts: int,
) -> OptimizeResult:
    """Return the result of a run, without its history.

    `best` is the least value, the number of its evaluation, and its point. `policy` is None for a
    search that was put together by hand.
    """
    fun, number, x = (math.inf, 0, None) if best is None else best
    first = "the middle of the bounds" if box is None or box.x0 is None else "x0"
    return OptimizeResult(
        x=None if x is None else x.copy(),
        fun=fun,
        nfev=nfev,
        **counts,
        success=status in SUCCESS,
        status=status,
        message=message_of(status, policy, first if number == 1 < nfev else None),
        **({} if policy is None else {"policy": policy}),
    )


def message_of(status: int, policy: str | None, best_is: str | None = None) -> str:
    """Return the message of a result; that of a run that has ended names its policy.

    `best_is` is a name of the first point of the run if no later one was better.
    """
    if policy is None or status not in (*SUCCESS, *COMPLETE):
        return MESSAGES[status]
    advice = f" Try a greater {POLICIES[policy].reaches_farther}." if status == AT_EDGE else ""
    if best_is is not None and status not in (INFINITE, FLAT):
        advice += f" The best point is the first one, {best_is}: no later point was better."
    return f"{MESSAGES[status]}{advice} {POLICIES[policy].says}"


def history_of(
    values: Mapping[int, float], points: Mapping[int, tuple[int, Floats]] | None = None
) -> History:
    """Return {number of an evaluation: value} as an array with these two columns.

    With `points`, {number: (generation, point)}, the array has two more columns, ``"generation"``
    and ``"x"``, of shape (n,).
    """
    if points is None:
        return np.array(sorted(values.items()), HISTORY)
    n = len(next(iter(points.values()), (0, ()))[1])
    more = [("generation", np.int64), ("x", np.float64, (n,))]
    history = np.empty(len(values), [*HISTORY.descr, *more])
    history["evaluation"] = numbers = sorted(values)
    for row, k in zip(history, numbers, strict=True):
        row["value"], (row["generation"], row["x"]) = values[k], points[k]
    return history
