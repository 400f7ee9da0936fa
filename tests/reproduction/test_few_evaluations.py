"""The study of few evaluations: its functions, its numbers, its tables."""

import statistics
from pathlib import Path

import numpy as np
import pytest
from kept_results import RESULTS, page

from reproduction.studies import few_evaluations
from reproduction.studies.few_evaluations import (
    BUDGETS,
    COSTS,
    FACTORIES,
    KNOWN,
    RUNS_OF,
    SECONDS,
    better,
    budgets_of,
    cell,
    choices,
    compared,
    levy,
    mean_ranks,
    measured,
    pairs,
    plan,
    read,
    report,
    seconds,
    seconds_in_all,
    write,
)

GUIDE = page("guide.md")
VARIABLES, DIRECTIONS, UNKNOWN = KNOWN.values()


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


def test_what_the_guide_recommends_has_the_least_mean_rank() -> None:
    values = read(RESULTS)

    def best(v: int, hidden: tuple[bool, ...], cost: float) -> str:
        return next(iter(mean_ranks(values, v, hidden, cost)))

    assert "They have the two least mean ranks in each of these cells" in GUIDE
    for v in (100, 200):
        for hidden in KNOWN.values():
            assert set(list(mean_ranks(values, v, hidden, 0.01))[:2]) == {"dd_cma", "sep_cma"}
    assert "take dd-CMA. If a few variables matter, a Gaussian process in a sketch" in GUIDE
    assert best(100, UNKNOWN, 0.5) == best(100, DIRECTIONS, 0.5) == "dd_cma"
    assert list(mean_ranks(values, 100, VARIABLES, 0.5))[:2] == ["gp_sketch", "dd_cma"]
    assert "a smaller value than `forest` in 6 of 8 pairs of runs on the same instance" in GUIDE
    assert best(100, UNKNOWN, 2.0) == "gp"
    assert better(values, "gp", 100) == (6, 8)
    assert "if a few *directions* matter, take TuRBO-1 in a sketch. If you do not know" in GUIDE
    assert "take sep-CMA or differential evolution with 10 members" in GUIDE
    assert best(200, VARIABLES, 0.5) == "sep_cma"
    assert best(200, VARIABLES, 2.0) == "differential_evolution_small"
    for cost in (0.5, 2.0):
        assert best(200, DIRECTIONS, cost) == "turbo_sketch"
        assert best(200, UNKNOWN, cost) == "sep_cma"
    assert "in 5 of 8 pairs, but the least mean rank in no row" in GUIDE
    assert better(values, "gp", 200) == (5, 8)
    assert "- **v = 500:** take `forest` if you do not know what matters" in GUIDE
    for cost, for_directions in ((0.01, "dd_cma"), (0.5, "turbo_sketch")):
        assert best(500, UNKNOWN, cost) == "forest"
        assert best(500, VARIABLES, cost) == "differential_evolution_small"
        assert best(500, DIRECTIONS, cost) == for_directions


def test_what_the_guide_says_of_single_functions_and_of_runs() -> None:
    values = read(RESULTS)

    def median(name: str, function: str, rotated: bool, v: int) -> float:
        of_all = cell(values, name, function, rotated, v)
        return statistics.median(of_all[: compared(values, v)[1]])

    assert (
        "On Levy's function the Gaussian process in a sketch has the least median of all" in GUIDE
    )
    assert "On Zakharov it has a greater one than `forest`, sep-CMA and dd-CMA have" in GUIDE
    for rotated in (False, True):
        of_levy = {name: median(name, "levy", rotated, 500) for name in compared(values, 500)[0]}
        assert min(of_levy, key=lambda name: of_levy[name]) == "gp_sketch"
        for v in BUDGETS:
            of_zakharov = median("gp_sketch", "zakharov", rotated, v)
            for name in ("forest", "sep_cma", "dd_cma"):
                assert of_zakharov > median(name, "zakharov", rotated, v)
    assert "In a sketch, TuRBO-1 and the Gaussian process have two with 100 and 200" in GUIDE
    assert RUNS_OF["turbo_sketch"] == RUNS_OF["gp_sketch"] == (2, 2, 1)
    assert (RUNS_OF["turbo"], RUNS_OF["gp"]) == ((2, 2, 0), (1, 1, 0))
    assert "about 0.05 s in a sketch and 0.1 s in all $n$ variables" in GUIDE
    assert "for the Gaussian process 0.1 s and 1.0 s" in GUIDE
    names = ("turbo_sketch", "turbo", "gp_sketch", "gp")
    taken = [statistics.fmean(seconds(values, name)) for name in names]
    assert [round(taken[0], 2), *(round(x, 1) for x in taken[1:])] == [0.05, 0.1, 0.1, 1.0]
