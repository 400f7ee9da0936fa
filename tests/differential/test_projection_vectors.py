"""The vectors of the projection are exact, and tell plausible bugs apart."""

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from embedded_hunter.commands.kit import FOLDER
from embedded_hunter.run.jsonlines import dump

Floats = npt.NDArray[np.float64]
Program = Callable[[Floats, Floats], Floats]

VECTORS = (FOLDER / "projection.jsonl").read_text(encoding="utf-8")
LINES = [json.loads(line) for line in VECTORS.splitlines()]
"""Zero, clipping, cancellation, a square A that is not its transpose, and matrices at random."""
ROUNDING = Fraction(1, 2**53)
"""u, the unit roundoff of 64-bit floats."""


def products(row: Sequence[float], y: Sequence[float]) -> list[Fraction]:
    return [Fraction(a) * Fraction(c) for a, c in zip(row, y, strict=True)]


def tolerance(row: Sequence[float], y: Sequence[float]) -> Fraction:
    """The largest error of a dot product in 64-bit floats, in any order of the summands."""
    gamma = len(y) * ROUNDING / (1 - len(y) * ROUNDING)
    least = Fraction(1, 2**1074)  # of the products that underflow
    return gamma * sum(map(abs, products(row, y)), Fraction(0)) + len(y) * least


def test_the_file_has_rounded_points_and_tolerances_that_allow_for_it() -> None:
    written = []
    for line in LINES:
        A, y = line["A"], line["y"]
        x = [max(Fraction(-1), min(Fraction(1), sum(products(row, y), Fraction(0)))) for row in A]
        errors = [
            tolerance(row, y) + abs(right) * ROUNDING for row, right in zip(A, x, strict=True)
        ]
        allowed = [math.nextafter(float(error), math.inf) for error in errors]
        written.append(dump({"A": A, "y": y, "x": list(map(float, x)), "tolerance": allowed}))
    assert "".join(written) == VECTORS


def conforms(program: Program) -> bool:
    """Whether the points of a program are those of the file, as its README says."""
    for line in LINES:
        x, right = program(np.array(line["A"]), np.array(line["y"])), np.array(line["x"])
        if x.shape != right.shape or (np.abs(x) > 1).any():
            return False
        if (np.abs(x - right) > line["tolerance"]).any():
            return False
    return True


def clip(x: Floats) -> Floats:
    return np.clip(x, -1, 1)


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
    assert conforms(program)


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
    assert not conforms(program)
