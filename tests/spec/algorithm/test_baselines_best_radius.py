"""Random search by a rule over radii (`baselines/best_radius.py`)."""

import numpy as np

from embedded_hunter.baselines.best_radius import Chosen, hunt_radii
from embedded_hunter.regret import count_radial_values, optimal_rule
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import Search


def test_the_rule_sees_what_is_left_and_the_best_value_and_its_scale_is_used() -> None:
    seen: list[tuple[int, float]] = []
    values = iter([3.0, 5.0, 2.0, 2.5])
    points: list[np.ndarray] = []

    def choose(left: int, best: float) -> float:
        seen.append((left, best))
        return 0.0 if left % 2 else 1e9

    def f(x: np.ndarray) -> list[float]:
        points.append(x[0])
        return [next(values)]

    chosen = Chosen(np.random.default_rng(1), 3)
    visits = list(drive(Search(hunt_radii(4, choose, chosen), chosen), f))
    assert seen == [(4, np.inf), (3, 3.0), (2, 3.0), (1, 2.0)]
    assert [np.abs(x).tolist() for x in points] == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert [visit.evaluations[0].p for visit, _ in visits] == [1, 2, 3, 4]
    assert visits[-1][0].evaluations[0].node.f_star == 2.0


def test_runs_of_the_best_rule_have_the_mean_that_the_programme_states() -> None:
    """f is the distance to a point of two variables; 3,000 runs with v = 8.

    A deviation of more than four standard errors has a probability below 1e-4. A constant scale
    deviates by more (power).
    """
    x_star, scales, v, runs = np.array([0.6, -0.5]), np.array([0.2, 0.6, 3.0]), 8, 3_000

    def f(x: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(x - x_star, axis=1))

    rng = np.random.default_rng(7)
    levels = np.linspace(0, 3, 1001)
    cdf = count_radial_values(f, 2, scales, levels, 200_000, rng) / 200_000
    rule = optimal_rule(levels, cdf, v)

    def deviation(constant: float | None) -> float:
        least = []
        for _ in range(runs):
            points = Chosen(rng, 2)
            run = hunt_radii(v, lambda left, b: constant or scales[rule.law(left, b)], points)
            least.append(min(value for _, (value,) in drive(Search(run, points), f)))
        error = np.std(least) / np.sqrt(runs)
        return float((np.mean(least) - rule.means[-1]) / error)

    assert abs(deviation(None)) < 4
    assert deviation(0.2) > 4
