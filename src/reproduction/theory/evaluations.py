r"""Bounds in numbers of evaluations: the price of norm classes, and the policy ``forest``.

The page ``docs/paper/evaluations.md`` contains the statements and their proofs (claims
price-of-norm-classes and end-to-end).

Parameters of claim end-to-end: P, d, K, R, sigma and h_max are those of the run, ``d = d_e``; the
objective is L-Lipschitz on the cube (`lipschitz`) with ``c ||x - x*|| <= f(x) - f*`` (`growth`,
``0 < c <= L``); `room` is ``1 - ||x*||_inf > 0``; `coverage` is pi, or a lower bound on the
probability that one block covers x* (`~reproduction.theory.coverage.coverage_probability`);
`t` >= 0 and `least` = a > 0 weigh the probability against the bound: the greater t and the lesser
a, the greater the probability and the weaker the bound.
"""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

from embedded_hunter.node import splits
from reproduction.theory.coverage import coverage_of_matrices
from reproduction.theory.finite_time import iterations_to_expand
from reproduction.theory.forest_bounds import forest_evaluations_of_sweeps
from reproduction.theory.geometry import circumscribed_radius


def soo_evaluations_to_expand(sweeps: int, h: int, K: int, h_max: int) -> int:
    """Bound the evaluations of SOO until it has expanded the optimal node of depth h.

    An iteration of SOO expands at most one leaf, which takes K - 1 evaluations. The root takes one
    more (claim price-of-norm-classes). The parameters are those of `iterations_to_expand`.
    """
    return 1 + (K - 1) * iterations_to_expand(sweeps, h, h_max)


def evaluations_before_the_cone(h: int, K: int) -> int:
    """Least number of evaluations of Algorithm 1 before it expands the optimal node of depth h.

    For ``d = 1``, ``A = (eta)``, ``f(x) = |x|`` and any ``h_max >= h``, where ``S_h = h + 1``:
    ``K^floor((h + 1)/2)`` (claim price-of-norm-classes).
    """
    return int(K ** ((h + 1) // 2))


def near_optimal_nodes_bound(k: int, d: int, K: int, R: float, reach: float) -> int:
    """Largest number of base points of depth k within the distance `reach` of any one point.

    ``min(K^k, prod_j (floor(reach K^{s_j} / R) + 1))``: in coordinate j the base points of depth k
    are ``2R/K^{s_j}`` apart (claim end-to-end).
    """
    near = 1
    cells = Fraction(reach) / Fraction(R) * (1 + Fraction(1, 10**12))
    for s in splits(k, d):
        near *= math.floor(cells * K**s) + 1
    return int(min(K**k, near))


def near_optimal_nodes_of_depth(
    k: int,
    *,
    d: int,
    K: int,
    R: float,
    stretch: float,
    least_stretch: float,
    lipschitz: float,
    growth: float,
    room: float,
) -> int:
    """Largest number of near-optimal nodes of depth k in one tree (claim end-to-end).

    Let ``c ||x - x*|| <= f(x) - f*`` on the cube, let the tree's matrix map some point to x*, and
    ``||B z|| >= m ||z||``. If ``L Lambda r_k < c room``, a node of depth k with a value of at most
    ``f* + L Lambda r_k`` was not clipped and is within ``L Lambda r_k / (c m)`` of that point. Else
    all ``K^k`` nodes are counted.

    `stretch` is Lambda, at least the operator norm of the tree that covers x*; `least_stretch` is
    m > 0, at most the least singular value of each tree's matrix.
    """
    if growth > lipschitz:
        raise ValueError(f"the growth {growth} exceeds the Lipschitz constant {lipschitz}")
    within = lipschitz * stretch * circumscribed_radius(k, d, K, R) / growth  # of x*
    if within >= room:
        return int(K**k)
    return near_optimal_nodes_bound(k, d, K, R, within / least_stretch)


def end_to_end_event(
    *, coverage: float, P: int, d: int, sigma: float, t: float, least: float
) -> tuple[float, float]:
    """Return ``Lambda`` and the least probability of the event of claim end-to-end.

    Some tree covers x* and has a norm of at most ``Lambda = sigma (2 sqrt(d) + t)``, and all least
    singular values exceed ``a sigma``. The probability is 0 where the formula is negative.
    """
    good = coverage_of_matrices(max(0.0, coverage - math.exp(-0.5 * t**2)), P)
    miss = P * math.sqrt(2 / math.pi) * d**1.5 * least
    return sigma * (2 * math.sqrt(d) + t), max(0.0, good - miss)


@dataclass(frozen=True)
class EndToEnd:
    """A regret and the probability that it is not exceeded (claim end-to-end)."""

    probability: float
    regret: float
    depth: int
    """Depth h of the optimal node that is expanded by then; -1 if only the root is evaluated."""
    sweeps: int
    """Bound on ``S_h``; 0 if depth is -1."""


def end_to_end_bound(
    v: int,
    *,
    coverage: float,
    P: int,
    d: int,
    K: int,
    R: float,
    sigma: float,
    h_max: int,
    lipschitz: float,
    growth: float,
    room: float,
    t: float,
    least: float,
    local_search: int = 0,
) -> EndToEnd:
    """Regret of the policy ``forest`` after v evaluations, and its probability (claim end-to-end).

    P independent d x d blocks with entries ``N(0, sigma^2)``, one class for each depth and queue,
    ``d = d_e``, and ``c ||x - x*|| <= f(x) - f*`` and ``|f(x) - f(x')| <= L ||x - x'||`` on the
    cube. With probability at least ``1 - (1 - (pi - exp(-t^2/2)))^P - P sqrt(2/pi) d^{3/2} a``
    the event of `end_to_end_event` holds. Then the regret is at most ``L Lambda r_{h+1}`` after
    ``S_h`` sweeps, and ``S_h <= P (h + 1) + P sum_{k <= h} N_k`` with the N_k of
    `near_optimal_nodes_of_depth`.

    `local_search` is the most evaluations that a local search makes each time it is asked, 0 if
    there is none. The bound is that of the greatest depth ``h <= h_max`` that v evaluations suffice
    for, as long as the cells of depth h + 1 are not too small for normal floats. The probability is
    0 where the formula is negative.
    """
    size, probability = end_to_end_event(coverage=coverage, P=P, d=d, sigma=sigma, t=t, least=least)
    depth, enough, total = -1, 0, 0
    for h in range(h_max + 1):
        if circumscribed_radius(h + 1, d, K, R) < sys.float_info.min:
            break  # the bound of a lesser depth holds too
        total += P * near_optimal_nodes_of_depth(
            h, d=d, K=K, R=R, stretch=size, least_stretch=least * sigma,
            lipschitz=lipschitz, growth=growth, room=room,
        )  # fmt: skip
        sweeps = total + P * (h + 1)
        if forest_evaluations_of_sweeps(sweeps, K, h_max, P=P, local_search=local_search) > v:
            break
        depth, enough = h, sweeps
    regret = lipschitz * size * circumscribed_radius(depth + 1, d, K, R)
    return EndToEnd(probability, regret, depth, enough)
