"""What a run of Figure 1 gives to its method, and what it keeps of the run.

Methods and programs are replaced by ones that only look at what they are given.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.figure_1 import runs
from reproduction.figure_1.plan import Task
from reproduction.landscapes import OF_PAPER
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo
from reproduction.seeds import seed_of


class Watched:
    """A method that keeps what it is given and evaluates three points."""

    def __init__(self, full: bool = False) -> None:
        self.full = full

    def minimize(self, box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
        self.box, self.info, self.rng = box, info, rng
        with suppress(Exhausted):
            self.values = [box(np.linspace(-a, a, box.rows)) for a in (0.9, 0.1, 0.7)]


def given(monkeypatch: pytest.MonkeyPatch, task: Task, full: bool, of: bool = False) -> Any:
    """The method that the task names, and the outcome."""
    method = Watched(of)
    monkeypatch.setattr(runs, "in_figure_1", lambda: {task.algorithm: method})
    return method, runs.perform(task, full) if full else runs.perform(task)


@pytest.mark.parametrize(
    ("experiment", "x", "info", "v"),
    [
        ("convergence", 50, ProblemInfo(10_000, 10, 10, 5, 10_000), 50),
        ("scalability", 500, ProblemInfo(500, 10, 10, 5, 500), 10_000),
        ("scalability", 10**6, ProblemInfo(10**6, 10, 10, 5, 10**6), 10_000),
        ("number-of-embeddings", 20, ProblemInfo(10_000, 10, 10, 20, 10_000), 10_000),
        ("effective-dimension", 75, ProblemInfo(10_000, 75, 75, 5, 10_000), 10_000),
        # Y = [-d_e/eta, d_e/eta]^10 instead of R = 10/eta, and [-1, 1]^10 for SRESOO
        ("effective-dimension-knowledge", 25,
         ProblemInfo(10_000, 25, 10, 5, 10_000, 2.5, 9), 10_000),
    ],
)  # fmt: skip
def test_what_a_method_is_told(
    monkeypatch: pytest.MonkeyPatch, experiment: str, x: int, info: ProblemInfo, v: int
) -> None:
    for problem in OF_PAPER:
        task = Task("paper", experiment, problem, "resoo", x, 3)
        method, outcome = given(monkeypatch, task, full=False)
        assert method.info == replace(info, function=problem)
        assert (method.box.v, method.box.rows) == (v, info.d_e)
        state = np.random.default_rng(task.seed()).bit_generator.state
        assert method.rng.bit_generator.state == state
        (line,) = outcome
        assert line.items() >= {"value": min(method.values), "evaluations": 3}.items()
        names = ("set", "method", "function", "n", "d", "d_e", "M", "v", "run")
        at = (info.n, info.d, info.d_e, info.M, v)
        assert tuple(map(line.get, names)) == (experiment, "resoo", problem, *at, 3)
        assert line["seed"] == f"paper/{experiment}/{problem}/resoo/{x}/3"


@pytest.mark.parametrize("name", OF_PAPER)
@pytest.mark.parametrize(("full", "of", "rows"), [(False, False, 10), (True, False, 500),
                                                  (False, True, 500)])  # fmt: skip
def test_the_problem_has_all_coordinates_if_asked_or_if_the_method_needs_them(
    monkeypatch: pytest.MonkeyPatch, name: str, full: bool, of: bool, rows: int
) -> None:
    """The instance is that of its name and d_e, for every run, method, n, v and M."""
    task = Task("paper", "scalability", name, "sresoo", 500, 7)
    method, _ = given(monkeypatch, task, full, of)
    assert method.box.rows == rows
    rng = np.random.default_rng(seed_of("paper", name, 10))
    problem = PROBLEMS[name](rows, 10, rng=rng)
    f = problem.effective if rows == 10 else problem
    points = [np.linspace(-a, a, rows) for a in (0.9, 0.1, 0.7)]
    assert method.values == [float(f(point)) for point in points]
