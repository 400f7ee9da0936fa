"""The table of runs: what is stored at once, what a kill leaves, and which files are refused."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from regression.kept_results import RESULTS
from reproduction.kept_runs import (
    COLUMNS,
    FLOATS,
    INTEGERS,
    KEPT,
    NAMES,
    Line,
    RunFile,
    frame,
    keep,
    kept,
    read,
    samples_of,
    write,
)


def line(method: str, run: int, value: float, **more: object) -> Line:
    """A line of a run."""
    return {"method": method, "v": 10, "run": run, "value": value, **more}


def pairs(lines: pd.DataFrame) -> list[tuple[str, int, float]]:
    return list(zip(lines["method"], lines["run"], lines["value"], strict=True))


# The file of a campaign


def test_lines_are_read_as_they_were_stored(tmp_path: Path) -> None:
    """To the last bit; of equal names the last line counts."""
    path = tmp_path / "a" / "b" / "runs.csv"
    file = RunFile(path, part="x", version="1")
    assert not path.parent.exists()  # whoever only reads writes nothing
    assert file.cost() == (0, 0.0)
    values = [0.1 + 0.2, 1 / 3, 5e-324, 1e300, 0.0, np.inf]
    for run, value in enumerate(values):
        file.add([line('a, "b"', run, value, evaluations=10 * run, seconds=0.25)])
    file.add([line('a, "b"', 0, 7.5, evaluations=1, seconds=1.0)])
    again = RunFile(str(path), part="x", version="1").lines()
    assert sorted(again["value"]) == sorted([7.5, *values[1:]])
    assert set(again["part"]) == {"x"}
    assert again["d"].isna().all()
    assert (again["variant"] == "").all()
    assert RunFile(path).cost() == (1 + 150, 1.0 + 5 * 0.25)
    assert line('a, "b"', 3, 0.0) in file
    assert line('a, "b"', 6, 0.0) not in file
    assert line("a", 3, 0.0) not in file
    header, first, *_ = path.read_text(encoding="utf-8").splitlines()
    assert tuple(header.split(",")) == COLUMNS
    assert "0.30000000000000004" in first


def test_a_kill_loses_nothing_but_the_line_that_is_being_stored(tmp_path: Path) -> None:
    """The file is cut within its last line, after each third byte; the next line mends it."""
    path = tmp_path / "runs.csv"
    file = RunFile(path, part="x")
    file.add([line("a", 0, 1 / 3)])
    before = path.read_bytes()
    file.add([line("a", 1, 0.5)])
    whole = path.read_bytes()
    for end in {*range(len(before), len(whole), 3), len(whole) - 1}:
        path.write_bytes(whole[:end])
        again = RunFile(path, part="x")
        assert pairs(again.lines()) == [("a", 0, 1 / 3)]
        again.add([line("a", 1, 0.5)])
        assert path.read_bytes() == whole
    for end in range(0, before.index(b"\n") + 1, 9):  # killed in the first line
        path.write_bytes(before[:end])
        RunFile(path, part="x").add([line("a", 0, 1 / 3)])
        assert path.read_bytes() == before


def test_a_file_of_another_campaign_or_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    RunFile(path, part="x", version="1").add([line("a", 0, 1.0)])
    RunFile(path, part="x", version="1")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
        RunFile(path, part="x", version="2")
    assert str(caught.value) == (
        f"{path} holds a campaign whose version is '1', not '2': choose another folder"
    )
    header = path.read_bytes().splitlines(keepends=True)[0]
    short, wrong = b"x,,a\n", header.replace(b"part", b"profile")
    for text in (b"no table\n", b"\xff\n", wrong, header + short, header + b"," * 30 + b"\n"):
        path.write_bytes(text)
        with pytest.raises(ValueError, match=r"cannot be used: it is not a table of runs$"):
            RunFile(path, part="x")
        assert path.read_bytes() == text


def test_a_cell_has_its_runs_in_order_up_to_the_first_gap() -> None:
    def of(*runs: int) -> dict[tuple[str, ...], tuple[float, ...]]:
        return samples_of(frame(line("a", k, 0.5 + k) for k in runs), ["method"])

    assert of(2, 0, 1) == {("a",): (0.5, 1.5, 2.5)}
    assert of(0, 1, 3) == {("a",): (0.5, 1.5)}
    assert of(1, 2) == of() == {}


# All kept runs


def test_a_part_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    a = frame(line("a", k, k / 3, part="a") for k in range(3))
    b = frame([line(m, 0, 1 / 7, part="b") for m in ("x", "y")])
    path = tmp_path / KEPT
    write(path, pd.concat([b, a]))
    first = path.read_bytes()
    keep("b", frame([line("x", 0, 2.5, part="b")]), tmp_path, method="x")
    assert pairs(kept("b", tmp_path)) == [("y", 0, 1 / 7), ("x", 0, 2.5)]
    assert pairs(kept("a", tmp_path)) == pairs(a)
    keep("b", b, tmp_path)
    assert path.read_bytes() == first
    assert [name.name for name in tmp_path.iterdir()] == [KEPT]


def test_every_kept_line_is_named_once_and_has_a_value() -> None:
    path = RESULTS / KEPT
    with gzip.open(path, "rt", encoding="utf-8") as file:
        count = sum(1 for _ in file) - 1
    lines = read(path)
    assert len(lines) == count > 80_000
    assert set(COLUMNS) == {*NAMES, "version", "policy", "told", "seed", *FLOATS, *INTEGERS}
    assert (lines["value"][lines["part"] != "noise"] >= 0.0).all()
    assert lines["n"].notna().all()
    assert (lines["d_e"] <= lines["n"]).all()
    assert list(lines["part"]) == sorted(lines["part"])
    assert (lines["version"] != "").all()
