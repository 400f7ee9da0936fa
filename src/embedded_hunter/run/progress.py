"""The progress of a run, as `minimize(..., disp=True)` prints it."""

import math
import time
from datetime import timedelta

from embedded_hunter.run.asktell import Search
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import AnyVisit

LINES = 20
"""Number of parts of the budget after each of which a line is printed."""
MINUTE = 60.0
"""Seconds after which a line is printed in any case, at the end of the next visit."""


class Progress:
    """Prints the best value, where it was found, the time, and an estimate of the time left.

    It prints a line after every twentieth part of the budget, and after each minute. The estimate
    supposes that the evaluations go on as fast as they have been since this start.
    """

    def __init__(self, search: Search) -> None:
        self._search, self._best, self._found = search, search.fun, "before this start"
        self._step = -(-search.settings.v // LINES)
        self._next = (search.nfev // self._step + 1) * self._step
        self._made, self._begin = search.nfev, time.monotonic()
        self._due = self._begin + MINUTE
        print(
            _line("evaluations", "best value", "sweep", "depth", "time", "left", "best found in"),
            flush=True,
        )

    def visited(self, visit: AnyVisit, before: int) -> None:
        """Take a visit that is complete; print a line if one is due.

        `before` is the number of evaluations of all earlier visits.
        """
        search = self._search
        if search.fun < self._best:
            request = visit.evaluations[search.best_number - 1 - before]
            origin = policy_of(search.settings).origin(search.settings, request)
            self._best, self._found = search.fun, origin.phrase
        now = time.monotonic()
        if search.nfev >= self._next or search.finished or now >= self._due:
            self._next = (search.nfev // self._step + 1) * self._step
            self._due = now + MINUTE
            value, visit = f"{search.fun:.6e}", search.visit
            spent, made = now - self._begin, search.nfev - self._made
            left = spent * (search.settings.v - search.nfev) / made if made else math.inf
            print(
                _line(
                    search.nfev, value, visit.sweep, visit.tree.depth,
                    _duration(spent), _duration(left), self._found,
                ),
                flush=True,
            )  # fmt: skip


def _duration(seconds: float) -> str:
    """Return a time as h:mm:ss, "?" if it is not known."""
    return "?" if math.isinf(seconds) else str(timedelta(seconds=round(seconds)))


def _line(
    made: object, value: object, sweep: object, depth: object, spent: str, left: str, found: str
) -> str:
    return (
        f"{made!s:>11}  {value!s:>14}  {sweep!s:>6}  {depth!s:>5}  {spent:>8}  {left:>8}  {found}"
    )
