"""Runs in a CSV file: a file that is not whole is completed, and another file is refused.

The files of all studies are whole, and their pages are made of them.
"""

from pathlib import Path

import pytest
from kept_results import RESULTS

from reproduction.kept_runs import complete, read
from reproduction.stored.catalogue import STUDIES

COLUMNS = ("method", "run", "value")
RUNS = [(method, run) for method in ("a", "b") for run in range(3)]


def test_a_file_that_is_not_whole_is_completed(tmp_path: Path) -> None:
    """Also one whose last line was cut."""
    made: list[tuple[str, int]] = []
    said: list[str] = []

    def perform(run: tuple[str, int]) -> float:
        made.append(run)
        return run[1] + 1 / 3

    path = tmp_path / "runs.csv"
    assert read(path, COLUMNS) == {}
    values = complete(path, COLUMNS, RUNS, perform, said.append)
    assert values == {(method, str(run)): run + 1 / 3 for method, run in RUNS}
    assert made == RUNS
    assert said[-1] == "6 of 6: b, 2: 2.33"
    whole = path.read_text(encoding="utf-8")
    assert whole.splitlines()[:2] == ["method,run,value", "a,0,0.3333333333333333"]
    assert read(path, COLUMNS) == values
    made.clear()
    path.write_text("".join(whole.splitlines(keepends=True)[:-2]), encoding="utf-8")
    assert complete(path, COLUMNS, RUNS, perform) == values
    assert made == RUNS[-2:]
    assert path.read_text(encoding="utf-8") == whole
    path.write_text(whole[: whole.rindex(",")], encoding="utf-8")
    assert complete(path, COLUMNS, RUNS, perform) == values
    assert read(path, COLUMNS) == values


def test_a_finished_run_is_in_the_file_before_the_next_one_is_made(tmp_path: Path) -> None:
    """So a kill loses the run that is being made, and no other."""
    path = tmp_path / "runs.csv"

    def killed(run: tuple[str, int]) -> float:
        assert len(read(path, COLUMNS)) == RUNS.index(run)
        if run == ("b", 0):
            raise KeyboardInterrupt
        return 1.0

    path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        complete(path, COLUMNS, RUNS, killed)
    assert list(read(path, COLUMNS)) == [("a", "0"), ("a", "1"), ("a", "2")]


def test_another_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    for text in ("a,b\n", ""):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(
            ValueError, match=r"runs\.csv does not begin with the columns method, run, value$"
        ):
            complete(path, COLUMNS, RUNS, lambda run: 1.0)
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", STUDIES)
def test_every_run_of_a_study_is_stored_and_its_report_is_that_of_the_runs(name: str) -> None:
    study, place, report = STUDIES[name]
    values = read(RESULTS / place, study.COLUMNS)
    assert list(values) == [tuple(map(str, run)) for run in study.plan()]
    if report is not None:
        page = (RESULTS / place).with_name("study.md")
        assert page.read_text(encoding="utf-8") == report(values)
