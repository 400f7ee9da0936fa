"""Table 1 as data, and the runs of a campaign as pure functions of what names them."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import search_of
from embedded_hunter.settings import Settings
from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PUBLISHED,
    AxisPoint,
    Task,
    algorithms_of,
    tasks,
)
from reproduction.figure_1.runs import perform
from reproduction.landscapes import OF_PAPER
from reproduction.optimizers.best_scale import best_scale, weights_of_the_best
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


def test_every_cell_has_its_runs_once() -> None:
    listed = list(tasks(EXPERIMENTS, "paper"))
    cells = sum(len(e.values) + len(e.beyond) for e in EXPERIMENTS.values())
    assert len(listed) == len(set(listed)) == cells * 4 * len(algorithms_of("paper")) * 20
    released = list(tasks(EXPERIMENTS, "released"))
    assert len(released) == len(set(released)) == (1 + 6 + 6 + 6 + 6) * 4 * 3 * 20


@pytest.mark.long
def test_seeds_differ_and_do_not_depend_on_the_process() -> None:
    listed = list(tasks(EXPERIMENTS, "paper", runs=2))
    states = {tuple(task.seed().generate_state(4)) for task in listed}
    assert len(states) == len(listed)
    task = listed[7]
    code = (
        "from reproduction.figure_1.plan import Task;"
        f"print(list(Task{tuple(task)!r}.seed().generate_state(4)))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(list(task.seed().generate_state(4)))


@pytest.mark.parametrize(
    ("experiment", "problem", "algorithm", "said"),
    [
        ("convergance", "ackley", "resoo", f"experiment must be one of {', '.join(EXPERIMENTS)}"),
        ("convergence", "sphere", "resoo", f"problem must be one of {', '.join(OF_PAPER)}"),
        ("convergence", "ackley", "cma", f"algorithm must be one of {', '.join(PUBLISHED)}"),
    ],
)
def test_unknown_names_are_refused(
    experiment: str, problem: str, algorithm: str, said: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{said}, got '(convergance|sphere|cma)'$"):
        tasks([experiment], "released", problems=[problem], algorithms=[algorithm])


def test_some_values_of_an_axis_can_be_chosen() -> None:
    names = ["scalability", "effective-dimension"]
    chosen = list(tasks(names, "paper", 2, values=[100, 50, 10**9]))
    assert {(task.experiment, task.x) for task in chosen} == {
        ("scalability", 100), ("scalability", 10**9), ("effective-dimension", 50)
    }  # fmt: skip
    every = list(tasks(names, "paper", 2))
    assert set(chosen) < set(every)
    assert len(chosen) == 3 * 4 * 7 * 2
    for some, profile, value, known in (
        (["scalability"], "released", 10**9, "100, 500, 1000, 10000, 50000, 100000"),
        (["convergence"], "released", 1000, "none"),
        (["effective-dimension", "number-of-embeddings"], "paper", 7,
         "1, 2, 5, 8, 10, 20, 50, 75"),
    ):  # fmt: skip
        said = f"value must be one of {known}, got {value}: profile '{profile}', {', '.join(some)}"
        with pytest.raises(ValueError, match=rf"^{said}$"):
            tasks(some, profile, values=[value])  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.claim("table-1-knowledge", "n-invariance")
def test_scaling_sigma_and_m_searches_the_larger_cube() -> None:
    """Y = [-d_e/eta, d_e/eta]^10 by sigma and M, against the same cube by eta: one run."""
    d_e, v = 8, 10_000
    task = Task("paper", "effective-dimension-knowledge", "rosenbrock", "embedded_hunter", d_e, 0)

    problem = PROBLEMS["rosenbrock"](
        d_e, d_e, rng=np.random.default_rng(seed_of("paper", "rosenbrock", d_e))
    )
    settings = Settings(10_000, 10, v, eta=0.3 * 10 / d_e, M=5)
    assert float(settings.radius) == pytest.approx(d_e / 0.3)
    search = search_of(settings, np.random.default_rng(task.seed()), d_e)
    visits = drive(search, lambda x: [float(problem.effective(point)) for point in x])
    direct = min(min(values) for _, values in visits)
    assert perform(task)[0]["value"] == pytest.approx(direct, rel=1e-9)


def test_weights_give_the_mean_of_the_least_of_v() -> None:
    """Against all 4^3 samples of three values out of four."""
    values = np.array([0.5, 1.0, 4.0, 7.0])
    samples = np.array(np.meshgrid(values, values, values)).reshape(3, -1)
    expected = samples.min(axis=0).mean()
    assert values @ weights_of_the_best(3, 4) == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
def test_the_best_scale_is_better_than_its_neighbours_and_within_reach() -> None:
    s = best_scale("ackley", 10, 10_000, 10.0)
    assert 0.2 < s < 0.8  # the optimum has |x*_i| = .4634; theory of the radial law: about .4
    assert best_scale("ackley", 10, 10_000, 0.1) <= 0.1


@pytest.mark.long
def test_released_values_come_from_one_run() -> None:
    lines = perform(Task("released", "convergence", "rosenbrock", "resoo", None, 0))
    assert [line["v"] for line in lines] == list(EXPERIMENTS["convergence"].values)
    values = [line["value"] for line in lines]
    assert values == sorted(values, reverse=True)
    assert lines[-1]["evaluations"] >= 100_000
