"""Which points a resumed run makes again.

A run whose values are known needs two things to go on: the best point, and a projection that is
ready for the next one. How many points that takes depends on the policy:

- ``indexed`` and ``forest``: a point is a function of its node. Only the best one is made.
- ``fresh``: the points are drawn one after another from one generator. If states of the generator
  are known, only the points after the last state before the best point, and after the last state of
  all, are made.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from embedded_hunter.hunter import Evaluation
from embedded_hunter.projection import Floats, Fresh, Projection

Streams = Mapping[int, Mapping[str, Any]]
"""{number of points: state of the generator after them}."""


class PointsAgain:
    """The points that a run makes again whose first `last` evaluations are known.

    Parameters
    ----------
    projection
        The projection of the run, which has made no point.
    best, last
        Numbers of the best and of the last known evaluation.
    streams
        Known states of the generator; only policy ``fresh`` uses them.
    """

    def __init__(self, projection: Projection, best: int, last: int, streams: Streams) -> None:
        self._projection, self._best, self._streams = projection, best, streams
        self._evaluations: dict[int, Evaluation] = {}
        self._spans = [range(best, best + 1)]
        if isinstance(projection, Fresh):
            before_best = max((k for k in streams if k < best), default=0)
            before_next = max((k for k in streams if k <= last), default=0)
            # There is no state between best and last if both are the same one.
            ends = {before_best: best} | {before_next: last}
            self._spans = [range(known + 1, end + 1) for known, end in ends.items()]

    def note(self, first: int, evaluations: Sequence[Evaluation]) -> None:
        """Note the evaluations number `first`, `first` + 1, ... if their points are needed."""
        for span in self._spans:
            for k in range(max(first, span.start), min(first + len(evaluations), span.stop)):
                self._evaluations[k] = evaluations[k - first]

    def make(self) -> Floats:
        """Make the points; then the projection is ready for the next one. Return the best one.

        Raises
        ------
        ValueError
            If a state is not one of the run's generator.
        """
        for span in self._spans:
            if isinstance(self._projection, Fresh) and span.start > 1:
                self._restore(self._projection, span.start - 1)
            for k in span:
                (x,) = self._projection.project([self._evaluations[k]])
                if k == self._best:
                    found: Floats = x
        return found

    def _restore(self, projection: Fresh, number: int) -> None:
        try:
            projection.rng.bit_generator.state = self._streams[number]
        except (TypeError, ValueError, KeyError, OverflowError, IndexError) as error:
            raise ValueError(
                f"the state after {number} points is not valid for the run's generator: {error}"
            ) from None
