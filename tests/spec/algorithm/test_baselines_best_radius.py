"""Random search by a rule over radii (`baselines/best_radius.py`)."""

import numpy as np

from embedded_hunter.baselines.best_radius import Chosen, hunt_radii
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
