"""The points that a run asks for, and those that it asks for again.

With integers, different points of X are the same point of the user's bounds.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box


class Query(NamedTuple):
    """A point to be evaluated."""

    number: int
    """Number of the evaluation in the run, from 1 to v."""
    x: Floats
    """The point, shape (n,), read-only: within the bounds if they were given, else in [-1, 1]^n."""


class Repeats:
    """The values of all points of a run, where the search can ask for a point twice."""

    def __init__(self, box: Box | None) -> None:
        self._box = box
        self.possible = box is not None and (box.integers is not None or box.points == 1)
        self._values: dict[bytes, float] = {}  # by `digest`

    def note(self, x: Floats, value: float) -> None:
        """Keep the value of a point if the search can ask for it again."""
        if self.possible:
            self._values.setdefault(digest(x), value)

    def among(self, queries: Iterable[Query]) -> tuple[dict[int, float], list[Query]]:
        """Return which of some points need no evaluation, and each of the others once.

        The first are returned as {number: value}.
        """
        if not self.possible:
            return {}, list(queries)
        known: dict[int, float] = {}
        new: dict[bytes, Query] = {}
        for query in queries:
            if (value := self._values.get(name := digest(query.x))) is not None:
                known[query.number] = value
            else:
                new.setdefault(name, query)
        return known, list(new.values())

    @property
    def exhausted(self) -> bool:
        """Whether every point within the bounds has a value."""
        return self._box is not None and len(self._values) == self._box.points


def digest(x: Floats) -> bytes:
    """Return a name of a point: equal points have equal names."""
    return hashlib.blake2b(x.tobytes(), digest_size=16).digest()
