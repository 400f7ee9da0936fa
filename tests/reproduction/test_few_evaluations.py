"""The study of few evaluations: its functions, its numbers, its tables."""

from pathlib import Path

import numpy as np
import pytest

from reproduction.studies import few_evaluations
from reproduction.studies.few_evaluations import (
    FACTORIES,
    MANY,
    RUNS_OF,
    SECONDS,
    choices,
    compared,
    levy,
    mean_ranks,
    measured,
    plan,
    read,
    report,
    seconds_in_all,
    write,
)

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def test_levys_function_is_0_at_its_optimum_and_greater_elsewhere() -> None:
    """Its value at w = 0, t = -4, is 9 (1 + 10 sin^2 1) + 1 for d_e = 10."""
    t = np.random.default_rng(1).uniform(0.5, 5, (10, 50))
    t[:, 0], t[:, 1] = 0, -4
    values = levy(t)
    assert values[0] == pytest.approx(0, abs=1e-12)
    assert values[1] == pytest.approx(10 + 90 * np.sin(1) ** 2)
    assert (values[1:] > 0).all()
    problem = FACTORIES["levy"](30, 10, np.random.default_rng(2), True)
    assert problem(problem.x_star) == pytest.approx(0, abs=1e-12)


def test_a_run_is_read_at_each_budget_and_the_forest_run_for_each() -> None:
    found = measured("uniform_random_search", "rastrigin", True, 7)
    assert list(found) == ["100", "200", "500", SECONDS]
    assert found["100"] >= found["200"] >= found["500"] > 0
    assert found[SECONDS] > 0
    again, other = (measured("forest", "levy", False, run) for run in (7, 8))
    assert again["500"] == measured("forest", "levy", False, 7)["500"] != other["500"]


def test_ranks_are_of_methods_that_are_whole_and_fast_enough() -> None:
    """Method k has the value k everywhere; it takes k + 1 seconds, or k milliseconds."""
    names = ("forest", "sep_cma", "dd_cma", "uniform_random_search")
    values = {
        tuple(map(str, run)): (
            (names.index(run.method) + 1) / (1 if run.method == names[3] else 1000)
            if run.what == SECONDS
            else float(names.index(run.method))
        )
        for run in plan(names)
    }
    ranks = {name: float(k) for k, name in enumerate(names, 1)}
    assert mean_ranks(values, 200, (True,)) == ranks
    assert list(mean_ranks(values, 200, (True,), 1)) == list(names[:3])
    assert "| 10 ms | directions | EmbeddedHunter, forest (1.0); sep-CMA, all n (2.0) |" in choices(
        values
    )
    assert choices(values).count("no slower method was run") == 9
    assert seconds_in_all(values, "sep_cma") == pytest.approx(0.002 * 500 * 8 * MANY)
    del values["forest", "levy", "True", str(MANY - 1), "200"]
    assert compared(values, 200) == (list(names), MANY - 1)
    assert compared(values, 500, 1) == (list(names[:3]), MANY)
    assert mean_ranks(values, 200, (True,)) == ranks


def test_the_report_is_that_of_the_kept_runs(tmp_path: Path) -> None:
    values = read(RESULTS)
    assert set(values) == {tuple(map(str, run)) for run in plan()}
    kept = few_evaluations.place(RESULTS)
    assert report(values) == kept.with_name("study.md").read_text(encoding="utf-8")
    again = tmp_path / "runs.csv"
    assert write(again, dict(reversed(values.items()))) == values
    assert again.read_bytes() == kept.read_bytes()
    assert all(name in choices(values) for name in ("10 ms", "1 s or more"))
    assert set(RUNS_OF) >= {"forest", "gp_sketch", "turbo_sketch"}
