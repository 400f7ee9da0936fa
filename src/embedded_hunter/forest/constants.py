"""The constants inside the rules of the local searches and of the evolution strategy.

They are no parameters of a search: a user cannot change them.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Constants:
    """The constants of `local_search`, `model` and `refinement`, with their values.

    Attributes
    ----------
    generation
        Number of points of a generation, >= 2.
    first_step
        sigma sqrt(d) at the start, about the length of the first samples.
    history
        The model is fitted to the last `history` d evaluations, at most `local_search.LONGEST`.
    ridge
        How much misfit the fit allows, > 0: a greater ridge smooths more. In units of the median
        rise, a misfit e of the rise r counts e^2 / (ridge (1 + r)^2), so great rises count less.
    prior_weight
        Weight of the earlier model: the greater, the more of H may be a multiple of the earlier H.
    warps
        Candidates for b in `model`, in units in which the median of the rises is 1; 0 is first.
    damping
        This part of the greatest curvature is added to the curvatures of the model, > 0.
    bits
        The model's step is rounded to this many bits of its greatest entry, a contraction of the
        metric to this many after the binary point. LAPACK's rounding errors, which depend on the
        processor, are much less than both.
    contraction
        The squared metric contracts by the excess of an eigenvalue to this power.
    age
        A local search that has not improved in `age` d evaluations is not live.
    """

    generation: int = 8
    first_step: float = 0.3
    history: int = 6
    ridge: float = 1e-4
    prior_weight: float = 100.0
    warps: tuple[float, ...] = (0.0, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0)
    damping: float = 0.03
    bits: int = 10
    contraction: float = 0.3
    age: int = 10


CONSTANTS = Constants()
"""Those of the policy ``forest``."""


@dataclass(frozen=True)
class EvolutionConstants:
    """The constants of `evolution`, with their values.

    Attributes
    ----------
    population, greatest_population
        The least and the greatest number of points of a generation before the first restart; even,
        >= 4. If n <= 40 it is the least.
    divisor
        If n > 40, a generation has about h_max/`divisor` points, within these limits.
    first_step, greatest_step
        sigma at the start, and the greatest one: the side of the cube.
    patience
        Generations without an improvement before a restart.
    collapse, damping
        If n > 40, the strategy also restarts when sigma is less than this part of the first one.
        The damping of sigma then is `damping`. If n <= 40, `collapse` is 0.
    compared, smoothing
        Of the median success rule: the part of the last generation, and the weight of the new one.
    coordinates
        The rates of path and D are those for n coordinates, but for at most this many with
        `population` points, and for half as many with twice as many points.
    """

    population: int = 12
    greatest_population: int = 24
    divisor: int = 4
    first_step: float = 0.2
    greatest_step: float = 2.0
    patience: int = 30
    collapse: float = 0.0
    damping: float = 4.0
    compared: float = 0.3
    smoothing: float = 0.3
    coordinates: int = 40

    def size_of(self, h_max: int, batch: int) -> int:
        """Return the number of points of a generation: in a batch most are the strategy's."""
        planned = min(self.greatest_population, 2 * (h_max // (2 * self.divisor)))
        return max(self.population, planned, 2 * (3 * batch // 8))

    def greatest(self, size: int, v: int) -> int:
        """Return the greatest number of points of a generation, if the first one has `size`.

        Each restart doubles it. One takes at least 20 generations: in fewer, sigma cannot fall
        below 2^-24 of its first value, since the factor of a generation is at least
        exp(0.7^k - 1), k = 0, 1, 2, ...
        """
        made = 0
        while (made := made + 20 * size) < v:
            size *= 2
        return size

    def planned(self, h_max: int, batch: int = 1) -> "EvolutionConstants":
        """Return the constants with the number of points and the rates for h_max, n > 40.

        h_max follows from the budget that the run begins with, unless it is given. It stays when
        the run is extended. So it says how long the run was planned to be, and v does not.
        """
        size = self.size_of(h_max, batch)
        coordinates = max(2, self.coordinates * self.population // size)
        return replace(self, population=size, coordinates=coordinates, collapse=2.0**-24)


EVOLUTION = EvolutionConstants()
"""Those of the policy ``forest``."""


@dataclass(frozen=True)
class Shares:
    """The constants of rule F6, with their values.

    Attributes
    ----------
    least
        One evaluation in `least` is a uniform point. At the start the forest has one in `least` of
        the evaluations of forest and strategy.
    each
        Later forest and strategy have at least one in `each` of these evaluations, and the trees
        one in `each` of those of the forest, >= 2.
    head
        The start is the first `head` P evaluations of forest and strategy, or twice as many in a
        run that is planned for no more.
    """

    least: int = 32
    each: int = 4
    head: int = 50

    def start(self, P: int, h_max: int) -> int:
        """Return the length of the start. h_max**2 says how long the run was planned to be."""
        longer = 2 * self.head * P
        return longer if h_max**2 <= longer else self.head * P

    def of_forest(self, N: int, start: int) -> int:
        """Return the share of the forest in N evaluations of forest and strategy, rounded up."""
        return max(-(-N // self.least), min(-(-N // self.each), N - start))


SHARES = Shares()
"""Those of the policy ``forest``."""
