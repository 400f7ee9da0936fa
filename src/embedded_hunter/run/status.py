"""How a run has ended, as its result says it: `status`, `success`, `message`, `history`.

`success` means that the run has ended as it should, and that no warning applies to its best point:
the point does not lie at the edge of what was searched, and its value is finite and is not that of
all evaluations. It does not mean that the best point is an optimum.
"""

import math
from enum import IntEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import POLICIES


class Status(IntEnum):
    """Why a run has ended: a number, and a `message`."""

    message: str

    def __new__(cls, number: int, message: str = "") -> "Status":
        """Return the number with its message."""
        status = int.__new__(cls, number)
        status._value_, status.message = number, message
        return status

    USED = 0, "The evaluation budget is used."
    FULL = 1, "The tree is full: every leaf lies below depth h_max."
    STOPPED = 2, "The callback asked to stop."
    INTERRUPTED = 3, "Interrupted."
    FAILED = 4, "An evaluation of the objective failed."
    RUNNING = 5, "The run continues."
    UNWRITTEN = 6, "The checkpoint could not be written."
    AT_EDGE = (
        7,
        "The run has ended, but its best point lies at the edge of what it searched: better points "
        "may lie beyond.",
    )
    INFINITE = 8, "The run has ended, but every value was +inf."
    TARGET = 10, "A value is at most f_target."
    TIMEOUT = 11, "The time limit is reached."
    PATIENCE = 12, "The best value has not improved for `patience` evaluations."
    FLAT = 13, "The run has ended, but all its values were equal: they do not say where f is low."
    UNBOUNDED = (
        14,
        "The run has ended, but its least value is -inf: f has no least number, or a fault.",
    )
    BROKEN = 15, "An exception ended the run, which was none of the objective."


SUCCESS = (
    Status.USED, Status.FULL, Status.STOPPED, Status.TARGET, Status.TIMEOUT, Status.PATIENCE,
)  # fmt: skip
"""Where `success` is true, if there is a value."""
WARNINGS = (Status.AT_EDGE, Status.INFINITE, Status.FLAT, Status.UNBOUNDED)
"""The run has ended as it should, but a warning applies to its best point."""

HISTORY = np.dtype([("evaluation", np.int64), ("value", np.float64)])
History: TypeAlias = npt.NDArray[np.void]


def verdict(reason: Status, fun: float, *, flat: bool, at_edge: bool) -> Status:
    """Return the status of a run that has ended for this reason and has values.

    `reason` disregards its values, of which `fun` is the least; `flat`: there are several and all
    are equal; `at_edge`: the best point lies at the edge of what was searched, see
    `Policy.at_edge`.
    """
    if reason not in SUCCESS:
        return reason
    if fun == math.inf:
        return Status.INFINITE
    if fun == -math.inf:
        return Status.UNBOUNDED
    if reason not in (Status.STOPPED, Status.TARGET):
        if flat:
            return Status.FLAT
        if at_edge:
            return Status.AT_EDGE
    return reason


def message_of(
    status: Status,
    policy: str,
    box: Box | None = None,
    nfev: int = 1,
    best: int = 1,
    better_part: float = 1.0,
) -> str:
    """Return the message of a result; that of a run that has ended names its policy.

    `nfev` is the number of its evaluations, `best` that of its best point; `better_part` is that of
    the result.
    """
    if status not in (*SUCCESS, *WARNINGS):
        return status.message
    parts = [status.message]
    if nfev == 0:
        parts.append("Nothing was evaluated.")
    if status == Status.AT_EDGE:
        parts.append(f"Try a greater {POLICIES[policy].reaches_farther}.")
    if best == 1 < nfev and status not in (Status.INFINITE, Status.FLAT):
        first = "the middle of the bounds" if box is None or box.x0 is None else "x0"
        parts.append(f"The best point is the first one, {first}: no later point was better.")
    if box is not None and (fixed := np.count_nonzero(box.low == box.high)):
        parts.append(f"Equal bounds fix {fixed} of {box.n} variables.")
    if better_part < 0.5:
        digits = 1 - math.floor(math.log10(100 * better_part))  # two, rounded upwards
        part = math.ceil(100 * better_part * 10**digits) / 10**digits
        parts.append(f"With probability 95 %, less than {part:.2g} % of the box is better.")
    return " ".join([*parts, POLICIES[policy].says])


def history_of(values: Floats) -> History:
    """Return the values of evaluations 1, 2, ..., nan where there is none, as two columns."""
    told = np.flatnonzero(~np.isnan(values))
    history = np.empty(len(told), HISTORY)
    history["evaluation"], history["value"] = told + 1, values[told]
    return history
