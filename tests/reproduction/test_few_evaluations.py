"""The study of few evaluations: its functions, its numbers, its tables."""

from pathlib import Path

import numpy as np
import pytest

from reproduction.studies import few_evaluations
from reproduction.studies.few_evaluations import (
    BUDGETS,
    COSTS,
    FACTORIES,
    RUNS_OF,
    SECONDS,
    better,
    budgets_of,
    choices,
    compared,
    levy,
    mean_ranks,
    measured,
    pairs,
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
    found = measured("uniform_random_search", "rastrigin", True, 7, BUDGETS)
    assert list(found) == ["100", "200", "500", SECONDS]
    assert found["100"] >= found["200"] >= found["500"] > 0
    assert found[SECONDS] > 0
    assert measured("uniform_random_search", "rastrigin", True, 7, [200])["200"] == found["200"]
    again, other = (measured("forest", "levy", False, run, BUDGETS) for run in (7, 8))
    assert again["500"] == measured("forest", "levy", False, 7, [500])["500"] != other["500"]


def test_a_method_may_have_fewer_runs_of_a_greater_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seconds of a run are those for an evaluation, so a longer run counts more."""
    monkeypatch.setitem(RUNS_OF, "turbo_sketch", (3, 3, 1))
    assert [budgets_of("turbo_sketch", run) for run in range(4)] == [
        (100, 200, 500),
        (100, 200),
        (100, 200),
        (),
    ]
    values = dict.fromkeys((tuple(map(str, run)) for run in plan(["turbo_sketch"])), 0.5)
    assert {run[3] for run in values if run[4] == "500"} == {"0"}
    assert seconds_in_all(values, "turbo_sketch") == 0.5 * 8 * (500 + 200 + 200)


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
    assert (
        "| directions | EmbeddedHunter, forest (1.0); sep-CMA, all n (2.0); runs: 5 |"
        in choices(values)
    )
    assert choices(values).count("no slower method was run") == 18
    assert seconds_in_all(values, "sep_cma") == pytest.approx(0.002 * 500 * 8 * 5)
    del values["forest", "levy", "True", "4", "200"]
    assert compared(values, 200) == (list(names), 4)
    assert compared(values, 500, 1) == (list(names[:3]), 5)
    assert mean_ranks(values, 200, (True,)) == ranks


def test_pairs_are_of_the_same_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The GP has a less value than the forest on one function, hidden in one way, in run 2."""
    for name in ("gp_sketch", "turbo_sketch"):
        monkeypatch.setitem(RUNS_OF, name, (3, 3, 1))
    values = {
        tuple(map(str, run)): 2.0 if run.method == "forest" else 3.0
        for run in plan(["forest", "gp_sketch", "turbo_sketch"])
    }
    values["gp_sketch", "levy", "True", "2", "200"] = 1.0
    assert better(values, "gp_sketch", 200) == (1, 8 * 3)
    assert better(values, "turbo_sketch", 200) == (0, 8 * 3)
    assert better(values, "gp_sketch", 500) == (0, 8)
    line = next(line for line in pairs(values).splitlines() if "GP" in line)
    assert [cell.strip() for cell in line.split("|")[2:-1]] == ["3", "0 of 24", "1 of 24", "0 of 8"]


def test_the_report_is_that_of_the_kept_runs(tmp_path: Path) -> None:
    values = read(RESULTS)
    assert set(values) == {tuple(map(str, run)) for run in plan()}
    kept = few_evaluations.place(RESULTS)
    assert report(values) == kept.with_name("study.md").read_text(encoding="utf-8")
    again = tmp_path / "runs.csv"
    assert write(again, dict(reversed(values.items()))) == values
    assert again.read_bytes() == kept.read_bytes()
    assert all(cost in choices(values) for cost in COSTS.values())
    assert set(RUNS_OF) >= {"forest", "gp_sketch", "turbo_sketch"}
