"""Random search at the best fixed radius: what it is best at, and what it is not.

With fresh matrices no rule reaches a given value more probably. In the mean a rule can do better.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from embedded_hunter.node import norm
from embedded_hunter.projection import clip
from embedded_hunter.run.asktell import Search
from embedded_hunter.settings import Settings
from regression.kept_results import published
from reproduction.problems.functions import Ackley, Ellipsoid
from reproduction.theory.cone import fresh_regret_floor

pytestmark = pytest.mark.claim("fresh-ceiling")

ETA, V = 1e-4, 3


def f(x: float) -> float:
    """Piecewise linear through (-1, 10), (0, 1), (1, 0); the least value is 0."""
    return 1 - x if x > 0 else 1 - 9 * x


def scales_of_the_run(signs: tuple[float, ...]) -> list[float]:
    """The radii sigma ||y|| of Algorithm 1's first evaluations if the matrices have these signs."""
    settings = Settings(1, 1, V, eta=ETA)
    search, scales, sent = Search(settings, 0), [], iter(signs)
    while queries := search.ask():
        radii = [settings.sigma * norm(node, settings) for node, _ in search.visit.evaluations]
        scales += radii
        search.tell(queries, [f(next(sent)) if r else f(0.0) for r in radii])
    return scales


def mean_at_fixed_radius(s: float) -> float:
    """E of the least of f(clip(s z_1)), .., f(clip(s z_V)): the integral of its survival function.

    f decreases; it exceeds u < 1 at x < 1 - u, and u >= 1 at x < (1 - u)/9.
    """
    return float(
        integrate.quad(
            lambda t: stats.norm.cdf(t / s) ** V + 9 * stats.norm.cdf(-t / s) ** V,
            0,
            1,
            points=sorted({min(1.0, k * s) for k in (0.5, 1, 2, 4)}),
        )[0]
    )


@pytest.mark.long
def test_algorithm_1_beats_every_fixed_radius_in_the_mean() -> None:
    """Whatever the signs, the run evaluates 0 and two points at one huge radius s.

    Its regret is the least of 1, f(clip(s z)) and f(clip(s z')), whose mean is the integral of
    Phi(t/s)^2 over t in [0, 1]: between Phi(0)^2 = 1/4 and Phi(1/s)^2. At a fixed radius the mean
    is the integral of (1 - q)^3 + 9 q^3, q = Phi(-t/s) <= 1/2, which is at least 9/16:
    (1 - q)^3 + 9 q^3 - 9/16 = (q - 1/4)^2 (8 q + 7).
    """
    radius = 2 / (3 * ETA)
    for signs in product((-1.0, 1.0), repeat=2):
        assert scales_of_the_run(signs) == pytest.approx([0, radius, radius])
    exact = sum(min(1.0, *map(f, signs)) for signs in product((-1.0, 1.0), repeat=2)) / 4
    assert exact == 0.25
    assert 0.25 < stats.norm.cdf(1 / radius) ** 2 < 0.2501

    for q in (Fraction(k, 20) for k in range(11)):
        difference = (1 - q) ** 3 + 9 * q**3 - Fraction(9, 16)
        assert difference == (q - Fraction(1, 4)) ** 2 * (8 * q + 7) >= 0
    means = [mean_at_fixed_radius(s) for s in np.geomspace(1e-3, 1e4, 141)]
    assert min(means) == pytest.approx(0.70, abs=0.005)
    assert min(means) > 9 / 16


def mean_published(problem: str) -> tuple[float, float]:
    """Mean and standard error of the published EmbeddedHunter, d = 10, value read at v = 10^4.

    The cells are those of the number of embeddings, that of the effective dimension 10 and that of
    n = 10^4; the convergence experiment is left out, since its values look ahead.
    """
    places = [*(("number-of-embeddings", M) for M in (1, 2, 5, 8, 10, 20)),
              ("effective-dimension", 10), ("scalability", 10_000)]  # fmt: skip
    cells = [published(name)[problem, "embedded_hunter", x] for name, x in places]
    n, means, sds, *_ = np.array(cells).T
    mean = n @ means / n.sum()
    spread = ((n - 1) @ sds**2 + n @ (means - mean) ** 2) / (n.sum() - 1)
    assert n.sum() == 160
    return float(mean), math.sqrt(spread / n.sum())


@pytest.mark.long
@pytest.mark.parametrize(
    ("landscape", "scale", "paper", "error", "search", "differ"),
    [(Ackley(10), 0.4, 5.50, 0.034, 5.38, True), (Ellipsoid(10), 0.36, 35.7, 0.71, 35.8, False)],
    ids=["ackley", "ellipsoid"],
)
def test_the_published_runs_beside_random_search_at_a_good_radius(
    landscape: Ackley | Ellipsoid,
    scale: float,
    paper: float,
    error: float,
    search: float,
    differ: bool,
) -> None:
    """800 runs of random search with v = 10^4 at one radius sigma ||y||, seed fixed.

    For Ackley the published mean lies above by 3 standard errors of the difference: one-sided, a
    false alarm has a probability of .0014. For Ellipsoid a difference of 2 is not reached.
    """
    rng = np.random.default_rng(20)
    least = np.concatenate(
        [
            np.asarray(landscape(np.clip(scale * rng.standard_normal((10, 400_000)), -1, 1)))
            .reshape(40, 10_000)
            .min(axis=1)
            for _ in range(20)
        ]
    )
    mean, se = mean_published(landscape.name)
    assert mean == pytest.approx(paper, rel=0.001)
    assert se == pytest.approx(error, rel=0.1)
    assert least.mean() == pytest.approx(search, rel=0.001)
    z = (mean - least.mean()) / math.hypot(se, least.std() / math.sqrt(least.size))
    assert z > 3 if differ else abs(z) < 2


def gain(s: float, ratio: float, d_e: int) -> float:
    """E[(1 - ||ratio e_1 + s z||)^+] for a standard normal z in d_e dimensions, by quadrature."""

    def within(t: float) -> float:
        return float(stats.ncx2.cdf((t / s) ** 2, d_e, (ratio / s) ** 2))

    return float(integrate.quad(within, 0, 1, epsabs=1e-12)[0])


@pytest.mark.claim("new-matrices-about-the-best-point")
@pytest.mark.parametrize(("d_e", "ratio"), [(1, 1.0), (2, 1.0), (2, 2.0), (10, 1.0)])
def test_the_mean_regret_about_the_best_point_falls_by_gamma_in_each_step(
    d_e: int, ratio: float
) -> None:
    """One step from each of 20 points: z-test at 5 standard errors, false alarms below 1e-5.

    f lies between two multiples of the distance, and clipping counts at the last points, which are
    corners of the cube. For a cone far from the faces the mean is attained.
    """
    rng, x_star, samples = np.random.default_rng([d_e, 7]), np.full(d_e, 0.3), 40_000
    s = {(1, 1.0): 0.91, (2, 1.0): 0.57, (2, 2.0): 1.36, (10, 1.0): 0.126}[d_e, ratio]
    gamma = gain(s, ratio, d_e)
    if d_e in (1, 10):  # the numbers of the page
        assert gamma == pytest.approx({1: 0.242, 10: 0.0215}[d_e], rel=0.003)
        assert d_e == 1 or (1 - gamma) ** 299 * np.linalg.norm(x_star) < 0.0015
        assert d_e == 1 or fresh_regret_floor(x_star, 300) > 0.5  # of every rule at the origin
    assert gamma > max(gain(s * 0.8, ratio, d_e), gain(s * 1.25, ratio, d_e))

    def excess(x: np.ndarray) -> np.ndarray:
        away = x - x_star
        r = np.linalg.norm(away, axis=-1)
        return np.asarray(r * np.where(away[..., 0] > 0, 1.0, 1 / ratio))  # L = 1, c = 1 / ratio

    inside = x_star + 1e-3 * rng.standard_normal((10, d_e))
    corners = np.sign(rng.standard_normal((10, d_e)))
    for p in (*inside, *corners):
        r = float(excess(p))
        new = excess(clip(p + s * r * rng.standard_normal((samples, d_e))))
        kept = np.minimum(1, new / r)
        error = kept.std() / math.sqrt(samples)
        assert kept.mean() <= 1 - gamma + 5 * error
        if ratio == 1 and r < 0.1:
            assert kept.mean() >= 1 - gamma - 5 * error
            assert kept.mean() > 1 - 2 * gamma + 5 * error  # twice the gain would be found
