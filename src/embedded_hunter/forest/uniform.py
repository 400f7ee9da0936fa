"""Independent uniform points, a member of the policy ``forest``.

After N of them, with probability 1 - delta, less than 1 - delta^(1/N) of the cube has a smaller
value than the least of theirs, whatever the function: each one falls into a part p of the cube with
probability p, so all of them miss it with probability (1 - p)^N (claim ``uniform-share``).
"""

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS, EVOLUTION, SHARES
from embedded_hunter.forest.requests import MakePoint
from embedded_hunter.forest.settings import DIMENSIONS, ForestSettings
from embedded_hunter.matrices import Floats

DOUBT = 0.05
"""The probability with which the statement of a result may be wrong."""


class UniformPoints:
    """Draw points that are uniform on the cube [-1, 1]^n, from a stream of their own.

    `made` counts them, `rows` is the number of their coordinates.
    """

    size = 1

    def __init__(self, rows: int, rng: np.random.Generator) -> None:
        self._rows, self._rng, self.made = rows, rng, 0

    def ask(self) -> list[MakePoint]:
        """Draw the next point, shape (rows,); return a function that returns it."""
        self.made += 1
        x = 2 * self._rng.random(self._rows) - 1
        return [lambda: x]

    def tell(self, values: Floats) -> None:
        """Take the value: the next point does not depend on it."""


def better_part(N: int) -> float:
    """Return what part of the cube at most is better than the least of N uniform points.

    It holds with probability 1 - `DOUBT`.
    """
    return float(-np.expm1(np.log(DOUBT) / N)) if N else 1.0


def sure_points(settings: ForestSettings) -> int:
    """Return how many uniform points a run that uses its budget has, whatever its values.

    By rule F6 it is 1/32 of all evaluations but those of the longest turn of another member, which
    may be the last one: a sweep of the trees or a generation. What a run has beyond this number
    depends on its values, so nothing can be promised of it.
    """
    if not settings.sample:
        return 0
    size = EVOLUTION.size_of(settings.h_max if settings.n > DIMENSIONS[-1] else 0, settings.batch)
    sweep = (settings.K - 1) * (settings.h_max + 1)
    longest = max(sweep, CONSTANTS.generation, EVOLUTION.greatest(size, settings.v))
    return max(0, -(-(settings.v - longest) // SHARES.least))
