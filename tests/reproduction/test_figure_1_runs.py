"""What a run of Figure 1 gives to its method, and what it keeps of the run.

Methods and programs are replaced by ones that only look at what they are given.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from embedded_hunter.problems.functions import Ackley
from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.figure_1 import runs
from reproduction.figure_1.plan import PROBLEM_NAMES, Task
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo
from reproduction.released.hunter import Record
from reproduction.released.problems import (
    draw_effective_coordinates,
    fletcher_powell_instances,
    released_problem,
)
from reproduction.seeds import seed_of

BUDGETS = (10, 50, 100, 1000, 10_000, 50_000, 100_000)


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
        # Y = [-d_e/eta, d_e/eta]^10 in the place of R = 10/eta, and [-1, 1]^10 for SRESOO
        ("effective-dimension-knowledge", 25,
         ProblemInfo(10_000, 25, 10, 5, 10_000, 2.5, 9), 10_000),
    ],
)  # fmt: skip
def test_what_a_method_is_told(
    monkeypatch: pytest.MonkeyPatch, experiment: str, x: int, info: ProblemInfo, v: int
) -> None:
    for problem in PROBLEM_NAMES:
        task = Task("paper", experiment, problem, "resoo", x, 3)
        method, outcome = given(monkeypatch, task, full=False)
        assert method.info == replace(info, function=problem)
        assert (method.box.v, method.box.rows) == (v, info.d_e)
        state = np.random.default_rng(task.seed()).bit_generator.state
        assert method.rng.bit_generator.state == state
        assert outcome[:3] == (task, ((x, min(method.values)),), 3)


@pytest.mark.parametrize("name", PROBLEM_NAMES)
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


RELEASED = {
    "embedded_hunter": "embedded_hunter_released",
    "resoo": "resoo_released",
    "sresoo": "sresoo_released",
}
"""The function that runs each algorithm as the authors' program does."""


class Program:
    """The authors' program, which keeps what it is given and returns a record made by hand."""

    record = Record(((1, 9.0), (60, 5.0), (2000, 1.0)), 4321)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, problem: Any, **given: Any) -> Record:
        self.problem, self.given = problem, given
        return self.record


def watched(monkeypatch: pytest.MonkeyPatch, task: Task, full: bool = False) -> Any:
    """What was given to the program or method that the task names, and the outcome."""
    programs = {name: Program(name) for name in RELEASED}
    for name, program in programs.items():
        monkeypatch.setattr(runs, RELEASED[name], program)
    if task.profile == "paper":
        return given(monkeypatch, task, full)
    outcome = runs.perform(task, full) if full else runs.perform(task)
    (called,) = [program for program in programs.values() if hasattr(program, "given")]
    assert called.name == task.algorithm
    return called, outcome


@pytest.mark.parametrize("algorithm", ["embedded_hunter", "resoo", "sresoo"])
@pytest.mark.parametrize(
    ("experiment", "x", "said"),
    [
        ("scalability", 500, {"n": 500, "d": 10, "v": 10_000, "M": 5}),
        ("number-of-embeddings", 8, {"n": 10_000, "d": 10, "v": 10_000, "M": 8}),
        ("effective-dimension", 50, {"n": 10_000, "d": 50, "v": 10_000, "M": 5}),
        ("effective-dimension-knowledge", 2, {"n": 10_000, "d": 10, "v": 10_000, "M": 5}),
        ("convergence", None, {"n": 10_000, "d": 10, "v": 100_000, "M": 5}),
    ],
)
def test_what_the_released_program_is_given(
    monkeypatch: pytest.MonkeyPatch,
    experiment: str,
    x: int | None,
    said: Mapping[str, int],
    algorithm: str,
) -> None:
    task = Task("released", experiment, "rosenbrock", algorithm, x, 3)
    program, outcome = watched(monkeypatch, task)
    rng = program.given.pop("rng")
    assert program.given == said
    assert rng.bit_generator.state == np.random.default_rng(task.seed()).bit_generator.state
    # A reading at v is the first improvement at or after v, or the last value.
    readings = tuple(zip(BUDGETS, (5.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0), strict=True))
    assert outcome[:3] == (task, readings if x is None else ((x, 1.0),), 4321)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    ("experiment", "x", "at", "place", "sweep"),
    [
        ("convergence", None, 100_000, 0, [(10_000, 10)]),
        ("scalability", 100, 100, 0,
         [(n, 10) for n in (100, 500, 1000, 10_000, 50_000, 100_000)]),
        ("effective-dimension", 10, 10, 2, [(10_000, d_e) for d_e in (2, 5, 10, 20, 50, 75)]),
    ],
)  # fmt: skip
def test_the_problem_of_a_released_cell(
    monkeypatch: pytest.MonkeyPatch,
    experiment: str,
    x: int | None,
    at: int,
    place: int,
    sweep: list[tuple[int, int]],
    full: bool,
) -> None:
    """Coordinates belong to experiment, function and x; FletcherPowell also to the place of x."""
    n, d_e = sweep[place]
    instances = [*fletcher_powell_instances(d_e for _, d_e in sweep)]
    for name, landscape in (("fletcher_powell", instances[place]), ("ackley", Ackley(d_e))):
        rng = np.random.default_rng(seed_of("released", experiment, name, at))
        coordinates = draw_effective_coordinates(n, d_e, rng)
        expected = released_problem(landscape, coordinates, n=n, full=full)
        task = Task("released", experiment, name, "resoo", x, 5)
        problem = watched(monkeypatch, task, full)[0].problem
        assert (problem.d_e, problem.row_count) == (expected.d_e, expected.row_count)
        assert problem.rows.tolist() == expected.rows.tolist()
        point = np.linspace(-0.9, 0.7, d_e)[np.newaxis]
        assert problem.values(point) == expected.values(point)
