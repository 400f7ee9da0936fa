"""Table 1 as data, and the runs of a campaign as pure functions of what names them."""

from typing import Any

import numpy as np
import pytest

from embedded_hunter.projection import drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import Settings
from reproduction.figure_1.plan import (
    EXPERIMENTS,
    AxisPoint,
    Task,
    all_algorithms,
    tasks,
)
from reproduction.figure_1.runs import perform
from reproduction.problems.registry import OF_PAPER, PROBLEMS
from reproduction.seeds import seed_of


def row(experiment: str, claim: str, values: tuple[int, ...], x: int, of: AxisPoint) -> Any:
    return pytest.param(experiment, values, x, of, marks=pytest.mark.claim(f"table-1-{claim}"))


@pytest.mark.parametrize(
    ("experiment", "values", "x", "of"),
    [
        row("convergence", "convergence", (10, 50, 100, 1000, 10_000, 50_000, 100_000),
            50, AxisPoint(n=10_000, v=50, d=10, d_e=10, M=5)),
        row("scalability", "scalability", (100, 500, 1000, 10_000, 50_000, 100_000),
            500, AxisPoint(n=500, v=10_000, d=10, d_e=10, M=5)),
        row("number-of-embeddings", "embedding-number", (1, 2, 5, 8, 10, 20),
            20, AxisPoint(n=10_000, v=10_000, d=10, d_e=10, M=20)),
        row("effective-dimension", "effective-dimension", (2, 5, 10, 20, 50, 75),
            75, AxisPoint(n=10_000, v=10_000, d=75, d_e=75, M=5)),
        row("effective-dimension-knowledge", "knowledge", (2, 5, 8, 25, 75, 250),
            250, AxisPoint(n=10_000, v=10_000, d=10, d_e=250, M=5)),
    ],
)  # fmt: skip
def test_an_experiment_varies_what_table_1_says(
    experiment: str, values: tuple[int, ...], x: int, of: AxisPoint
) -> None:
    assert EXPERIMENTS[experiment].values == values
    assert EXPERIMENTS[experiment].parameters(x) == of
    assert max(EXPERIMENTS["scalability"].beyond) == 10**9


@pytest.mark.parametrize(
    ("experiment", "problem", "algorithm", "said"),
    [
        ("convergance", "ackley", "resoo", f"experiment must be one of {', '.join(EXPERIMENTS)}"),
        ("convergence", "sphere", "resoo", f"problem must be one of {', '.join(OF_PAPER)}"),
        ("convergence", "ackley", "cma", f"algorithm must be one of {', '.join(all_algorithms())}"),
    ],
)
def test_unknown_names_are_refused(
    experiment: str, problem: str, algorithm: str, said: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{said}, got '(convergance|sphere|cma)'$"):
        tasks([experiment], problems=[problem], algorithms=[algorithm])


@pytest.mark.long
@pytest.mark.claim("table-1-knowledge", "n-invariance")
def test_scaling_sigma_and_m_searches_the_larger_cube() -> None:
    """Y = [-d_e/eta, d_e/eta]^10 by sigma and M, against the same cube by eta: one run."""
    d_e, v = 8, 10_000
    task = Task("effective-dimension-knowledge", "rosenbrock", "embedded_hunter", d_e, 0)

    problem = PROBLEMS["rosenbrock"](
        d_e, d_e, rng=np.random.default_rng(seed_of("paper", "rosenbrock", d_e))
    )
    settings = Settings(10_000, 10, v, eta=0.3 * 10 / d_e, M=5)
    assert float(settings.radius) == pytest.approx(d_e / 0.3)
    parts = parts_of(settings, np.random.default_rng(task.seed()), d_e)
    visits = drive(parts.run, parts.projection.project, lambda x: list(map(problem.effective, x)))
    direct = min(min(values) for _, values in visits)
    assert perform(task)[0]["value"] == pytest.approx(direct, rel=1e-9)
