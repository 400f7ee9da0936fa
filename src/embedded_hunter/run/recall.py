"""Which points a resumed run makes again.

A run whose values are known needs two things to go on: the best point, and a projection that is
ready for the next one. How many points that takes depends on the policy:

- ``indexed`` and ``forest``: a point is a function of its node. Only the best one is made.
- ``fresh``: the points are drawn one after another from one generator. If states of the generator
  are known, only the points after the last state before the best point, and after the last state of
  all, are made.
- a projection that the user has given: all points are made.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from embedded_hunter.hunter import Evaluation
from embedded_hunter.projection import Floats, Fresh, Indexed, Projection

Streams = Mapping[int, Mapping[str, Any]]
"""{number of points: state of the generator after them}."""


class Recall:
    """Take the evaluations 1, ..., `last` of a run in their order; make the points that are needed.

    Parameters
    ----------
    projection
        The projection of the run, which has made no point. After the last evaluation it is ready
        for the next one.
    best, last
        Numbers of the best and of the last evaluation.
    streams
        Known states of the generator; only policy ``fresh`` uses them.

    Attributes
    ----------
    x
        The best point, shape (rows,), once its evaluation has been taken.
    made
        How many evaluations have been taken.
    """

    x: Floats

    def __init__(self, projection: Projection, best: int, last: int, streams: Streams) -> None:
        self._projection, self._best, self.made = projection, best, 0
        self._states: Streams = {}
        self._needed: tuple[range, ...]
        if isinstance(projection, Fresh):
            before_best = max((k for k in streams if k < best), default=0)
            before_next = max((k for k in streams if k <= last), default=0)
            self._states = {k: streams[k] for k in (before_best, before_next) if k > 0}
            self._needed = (range(before_best + 1, best + 1), range(before_next + 1, last + 1))
        elif isinstance(projection, Indexed):
            self._needed = (range(best, best + 1),)
        else:
            self._needed = (range(1, last + 1),)

    def take(self, evaluations: Sequence[Evaluation]) -> None:
        """Take the next evaluations.

        Raises
        ------
        ValueError
            If a state is not one of the run's generator.
        """
        first, last = self.made + 1, self.made + len(evaluations)
        if not any(first <= k <= last for k in self._states) and not any(
            needed.start <= last and first < needed.stop for needed in self._needed
        ):
            self.made = last  # the way of most calls
            return
        for evaluation in evaluations:
            self.made += 1
            if any(self.made in needed for needed in self._needed):
                x = self._projection.project([evaluation])
                if self.made == self._best:
                    self.x = x[0].copy()
            if self.made in self._states:
                self._restore(self._states[self.made])

    def _restore(self, state: Mapping[str, Any]) -> None:
        assert isinstance(self._projection, Fresh)
        try:
            self._projection.rng.bit_generator.state = state
        except (TypeError, ValueError, KeyError, OverflowError, IndexError) as error:
            raise ValueError(
                f"the state after {self.made} points is not valid for the run's generator: {error}"
            ) from None
