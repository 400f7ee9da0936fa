r"""The bound on the regret of a forest that is told nothing (claim dimension-rate).

The trees have several dimensions, and d_e is not among the parameters of the run. For each
dimension d >= d_e the sweeps over its trees give a bound, and the regret is at most the least one.

Let ``c ||x - x*|| <= f(x) - f*``, and let f be L-Lipschitz on the cube, in d_e effective
coordinates, with x* strictly inside. Let ``P_d`` trees have the dimension d, one of G. Then with
probability at least ``1 - (1 - (pi - exp(-t^2/2)))^P_d - P_d sqrt(2/pi) d_e^{3/2} a`` the regret is
at most ``L Lambda r_{h+1}`` after ``2 G P_d sum_{k <= h} (1 + N_k)`` sweeps (half as many over G if
G = 1). N_k bounds the near-optimal nodes of depth k in one tree: as in claim end-to-end if
``d = d_e``, and as on the page of the forest (more dimensions than effective coordinates) if
``d > d_e``. The evaluations of these sweeps are those of claim forest-sweeps, and of all
evaluations of a run the forest has the share of claim constant-share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from embedded_hunter.common.arguments import integer
from embedded_hunter.forest.constants import CONSTANTS, EVOLUTION, SHARES
from embedded_hunter.forest.settings import DIMENSIONS, N_EMBEDDINGS, REACH
from reproduction.theory.coverage import coverage_of_matrices
from reproduction.theory.coverage_law import coverage_at_least
from reproduction.theory.evaluations import near_optimal_nodes_of_depth
from reproduction.theory.forest_bounds import forest_sweeps_within
from reproduction.theory.geometry import circumscribed_radius

WEIGHTS = np.linspace(1, 6, 26)
"""The candidates for t."""
LEAST = 1e-12
"""The bounds are computed down to cells of this radius; those of lesser depths hold too."""


@dataclass(frozen=True)
class Cone:
    """The objectives of the table: ``c r <= f - f* <= L r`` at the distance r from x*.

    Attributes
    ----------
    d_e
        Number of effective coordinates.
    norm
        ``||x*||``; all coordinates of x* are equal.
    growth, lipschitz
        c and L.
    """

    d_e: int
    norm: float = 0.3
    growth: float = 1.0
    lipschitz: float = 1.0

    @property
    def room(self) -> float:
        """``1 - ||x*||_inf``."""
        return 1 - self.norm / math.sqrt(self.d_e)

    def coverage(self, d: int) -> float:
        """Coverage of one matrix with d columns and the default ``sigma R``."""
        return _coverage(self.d_e, self.norm, d)


@cache
def _coverage(d_e: int, norm: float, d: int) -> float:
    return coverage_at_least(np.full(d_e, norm / math.sqrt(d_e)), d, 1.0, REACH / d)


@dataclass(frozen=True)
class DimensionBound:
    """A regret that is not exceeded with a given probability, by the trees of one dimension."""

    d: int
    regret: float
    depth: int
    """Depth of the optimal node that is expanded; -1 if only the root is evaluated."""
    sweeps: int
    """Number of sweeps, of all kinds, that are complete."""


def evaluations_of_the_forest(v: int, P: int = N_EMBEDDINGS) -> int:
    """Return the least number of evaluations of the forest and its local searches, of v.

    Of them at most ``v/32 + 1`` are uniform points, and the zero vector counts for the strategy
    too. The forest is sure of its share of the others but for the greatest generation of the
    strategy, at most ``24 + v/30`` (claim constant-share).
    """
    generation = EVOLUTION.greatest_population + -(-v // EVOLUTION.patience)
    N = v - v // SHARES.least - generation
    return max(0, SHARES.of_forest(N, SHARES.start(P, math.isqrt(v))))


def nodes_of_depth(k: int, cone: Cone, d: int, K: int, stretch: float, least: float) -> int:
    """Bound the near-optimal nodes of depth k in one tree of dimension ``d >= d_e``.

    `stretch` is Lambda and `least` is a, both for sigma = 1.
    """
    R, d_e = REACH / d, cone.d_e
    if d == d_e:
        return near_optimal_nodes_of_depth(
            k, d=d, K=K, R=R, stretch=stretch, least_stretch=least,
            lipschitz=cone.lipschitz, growth=cone.growth, room=cone.room,
        )  # fmt: skip
    near = cone.lipschitz * stretch * circumscribed_radius(k, d, K, R)
    if near >= cone.growth * cone.room:
        return int(K**k)
    kappa = cone.lipschitz * stretch / (cone.growth * least)
    ball = [math.pi ** (j / 2) / math.gamma(j / 2 + 1) for j in (d_e, d - d_e)]
    constant = ball[0] * ball[1] * d ** (d / 2) / 2**d * ((1 + kappa) * K) ** d_e
    count = math.log(constant) + k * (d - d_e) / d * math.log(K)
    return math.ceil(math.exp(min(count, k * math.log(K))))


def dimension_bound(
    v: int,
    cone: Cone,
    d: int,
    *,
    dimensions: Sequence[int] = DIMENSIONS,
    P: int = N_EMBEDDINGS,
    K: int = 3,
    confidence: float = 0.5,
) -> DimensionBound:
    """Bound the regret after v evaluations by the trees of dimension d, with a given probability.

    The other parameters of the run are the defaults. For each t, a is the greatest number for which
    the probability is at least `confidence`; the best t counts. The regret is infinite if there is
    none.
    """
    v, h_max, d_e = integer("v", v, 1), math.isqrt(integer("v", v, 1)), cone.d_e
    trees = sum(dimensions[q % len(dimensions)] == d for q in range(P))
    G = len(dimensions[:P])
    period = 2 * G if G > 1 else 1
    share = evaluations_of_the_forest(v, P)
    complete = forest_sweeps_within(share, K, h_max, P=P, local_search=CONSTANTS.generation)
    best, pi = DimensionBound(d, math.inf, -1, complete), cone.coverage(d)
    for t in WEIGHTS:
        one = max(0.0, pi - math.exp(-(t**2) / 2))
        spare = coverage_of_matrices(one, trees) - confidence
        if spare <= 0:
            continue
        least = spare / (trees * math.sqrt(2 / math.pi) * d_e**1.5)
        stretch = math.sqrt(d) + math.sqrt(d_e) + float(t)
        depth = _depth(complete // (period * trees), cone, d, K, h_max, stretch, least)
        regret = cone.lipschitz * stretch * circumscribed_radius(depth + 1, d, K, REACH / d)
        if regret < best.regret:
            best = DimensionBound(d, regret, depth, complete)
    return best


def _depth(most: int, cone: Cone, d: int, K: int, h_max: int, stretch: float, least: float) -> int:
    """Return the greatest h with ``sum_{k <= h} (1 + N_k) <= most``, -1 if there is none.

    Depths whose cells are smaller than `LEAST` are left out.
    """
    total = 0
    for h in range(h_max + 1):
        total += 1 + nodes_of_depth(h, cone, d, K, stretch, least)
        if total > most or circumscribed_radius(h + 1, d, K, REACH / d) < LEAST:
            return h - 1
    return h_max


def told_nothing_bound(
    v: int,
    cone: Cone,
    *,
    dimensions: Sequence[int] = DIMENSIONS,
    P: int = N_EMBEDDINGS,
    confidence: float = 0.5,
) -> DimensionBound:
    """Return the least of the bounds of all dimensions ``d >= d_e``."""
    return min(
        (
            dimension_bound(v, cone, d, dimensions=dimensions, P=P, confidence=confidence)
            for d in dimensions
            if d >= cone.d_e
        ),
        key=lambda bound: bound.regret,
    )
