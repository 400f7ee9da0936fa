"""The study of dimensions, trees and shares: its functions and its cells."""

import numpy as np
import pytest

from embedded_hunter.forest.constants import EVOLUTION
from reproduction.benchmark.plan import FACTORIES
from reproduction.studies.forest_members import CELLS, DEFAULT, FUNCTIONS, perform
from reproduction.studies.study import Task


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_0_at_its_optimum_and_greater_elsewhere(name: str) -> None:
    """Of points as columns; it is none of the benchmark's."""
    t = np.random.default_rng(1).uniform(0.5, 3, (10, 50))
    t[:, 0] = 0
    values = FUNCTIONS[name](t)
    assert values.shape == (50,)
    assert values[0] == pytest.approx(0, abs=1e-12)
    assert (values[1:] > 0).all()
    assert name not in FACTORIES


def test_a_cell_changes_the_run() -> None:
    """But for the patience and further trees, which need more evaluations, and for the faces, which
    the mean does not pass in these runs."""

    def values(cell: str) -> list[float]:
        return [perform(Task(cell, name, False, 700, 0)) for name in ("sphere", "tablet")]

    found = {cell: values(cell) for cell in CELLS}
    assert values("P = 8") == found["P = 8"]
    same = {cell for cell in CELLS if found[cell] == found[DEFAULT]}
    assert same <= {DEFAULT, "patience 60", "P = 40", "mean in the cube"}


def test_a_cell_has_other_constants() -> None:
    for changes in CELLS.values():
        for name, value in changes.items():
            assert getattr(EVOLUTION, name, None) != value
