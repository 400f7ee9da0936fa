"""The vectors of the projection tell plausible bugs apart."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from embedded_hunter.cli import main
from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.traces.check_projection import (
    ROUNDING,
    VECTORS,
    check_points,
    projected,
    tolerance,
)

Floats = npt.NDArray[np.float64]
Program = Callable[[Floats, Floats], Floats]


LINES = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
"""Zero, clipping, cancellation, a square A that is not its transpose, and matrices at random."""


def points(program: Program) -> list[str]:
    """What a program writes for the vectors of the kit."""
    return [
        json.dumps({"x": [float(c) for c in program(np.array(line["A"]), np.array(line["y"]))]})
        for line in LINES
    ]


def clip(x: Floats) -> Floats:
    return np.clip(x, -1, 1)


def test_the_file_has_rounded_points_and_tolerances_that_allow_for_it() -> None:
    written = []
    for line in LINES:
        A, y = line["A"], line["y"]
        x = projected(A, y)
        errors = [
            tolerance(row, y) + abs(right) * ROUNDING for row, right in zip(A, x, strict=True)
        ]
        allowed = [math.nextafter(float(error), math.inf) for error in errors]
        written.append(dump({"A": A, "y": y, "x": list(map(float, x)), "tolerance": allowed}))
    assert VECTORS.read_text(encoding="utf-8") == "".join(written)


@pytest.mark.parametrize(
    "program",
    [
        lambda A, y: clip(A @ y),
        lambda A, y: clip(A[:, ::-1] @ y[::-1]),
        lambda A, y: clip(np.array([math.fsum(row * y) for row in A])),
        lambda A, y: clip(np.array([math.fsum(sorted(row * y)) for row in A])),
    ],
    ids=["numpy", "backwards", "one rounding", "sorted"],
)
def test_any_order_of_the_summands_conforms(program: Program) -> None:
    assert check_points(points(program)) == ""


@pytest.mark.parametrize(
    "program",
    [
        lambda A, y: A @ y,
        lambda A, y: clip((A.astype("f4") @ y.astype("f4")).astype("f8")),
        lambda A, y: A @ clip(y),
        lambda A, y: clip(A @ clip(y)),
        lambda A, y: np.where(np.abs(np.resize(y, len(A))) <= 1, A @ y, np.sign(A @ y)),
        lambda A, y: A @ y / max(1.0, float(np.max(np.abs(A @ y)))),
        lambda A, y: A @ y / max(1.0, float(np.linalg.norm(A @ y))),
        lambda A, y: clip(A @ y / math.sqrt(len(A))),
        lambda A, y: clip((A.T if A.shape[0] == A.shape[1] else A) @ y),
        lambda A, y: clip(np.round(A @ y, 12)),
        lambda A, y: np.tanh(A @ y),
        lambda A, y: np.clip(A @ y, 0, 1),
        lambda A, y: np.clip(A @ y, -1 - 1e-15, 1 + 1e-15),
        lambda A, y: clip(A @ y)[:-1],
    ],
    ids=range(14),
)
def test_a_wrong_projection_is_found(program: Program) -> None:
    assert "x" in check_points(points(program))


@pytest.mark.parametrize("x", ["1", ["1"], [True], None, {}])
def test_points_that_are_no_lists_of_numbers_are_refused(x: object) -> None:
    lines = points(lambda A, y: clip(A @ y))
    lines[2] = json.dumps({"x": x})
    with pytest.raises(FormatError, match="line 3: x must be a list of numbers"):
        check_points(lines)


def test_the_number_of_points_must_be_right() -> None:
    with pytest.raises(FormatError, match="there must be 11 points"):
        check_points(points(lambda A, y: A @ y)[1:])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--projection", str(VECTORS)]) == 0
    assert "All points conform" in capsys.readouterr().out
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(points(lambda A, y: A @ y)))
    assert main(["check", "--projection", str(file)]) == 1
    assert "Line 2: x[2] must be 1.0" in capsys.readouterr().out
    file.write_text("hello")
    assert main(["check", "--projection", str(file)]) == 2
    assert main(["check", "--projection", str(tmp_path / "none")]) == 2
