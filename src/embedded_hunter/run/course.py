"""The course of a run: its generator, the visit that is being evaluated, and what is known of it.

A run is a function of its settings, its key and its values. `Course` makes this function: it sends
the generator the values that are known, one visit after another.
"""

import math
from collections.abc import Sequence

from embedded_hunter.policy import AnyHunt, Parameters
from embedded_hunter.run.policies import policy_of


class Course:
    """The visits of a run, each of which begins when the values of the last one are known.

    `run` is a generator that has not started, `visit` the visit that is being evaluated or the last
    one, `first` the number of its first evaluation.
    """

    def __init__(self, run: AnyHunt, settings: Parameters) -> None:
        self._run, self._settings = run, settings
        self.visit, self.first, self.finished = next(run), 1, False
        self._best = (math.inf, False)  # least value of the complete visits; is it at the edge?

    @property
    def end(self) -> int:
        """Number of the first evaluation after the visit."""
        return self.first + len(self.visit.evaluations)

    def step(self, values: Sequence[float]) -> bool:
        """Send the values of the visit, and begin the next one.

        `values` are those of evaluations 1, 2, ..., as far as they are known. Return False if
        values of the visit are missing, or if the run has ended.
        """
        if self.finished or self.end > len(values) + 1:
            return False
        end = self.end
        known = list(values[self.first - 1 : end - 1])
        if (least := min(known, default=math.inf)) < self._best[0]:
            asked, place = self.visit.evaluations, known.index(least)
            policy = policy_of(self._settings)
            self._best = (least, policy.at_edge(self._settings, asked, place))
        try:
            self.visit, self.first = self._run.send(known), end
        except StopIteration:
            self.finished = True
        return not self.finished

    def best_is_at_edge(self, fun: float) -> bool:
        """Tell whether the best point, of value `fun`, lies at the edge of what was searched."""
        return self._best == (fun, True)
