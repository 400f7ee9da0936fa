"""The COCO harness: hidden functions, exact budgets, records that COCO's own tools read."""

from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from reproduction.coco import Hidden, Setting, gaps, run, shares
from reproduction.methods import in_coco


class Sphere:
    """In the manner of a COCO problem."""

    id_function, id_instance = 1, 2

    def __init__(self, k: int) -> None:
        self.dimension = k
        self.lower_bounds, self.upper_bounds = np.full(k, -5.0), np.full(k, 5.0)
        self.points: list[Floats] = []

    def __call__(self, z: Floats) -> float:
        self.points.append(z.copy())
        return float(((z - 1.5) ** 2).sum())


def test_a_function_is_hidden_in_different_coordinates_of_the_cube() -> None:
    for k, n in ((2, 2), (3, 50), (5, 10**6)):
        sphere = Sphere(k)
        hidden = Hidden(sphere, n)
        assert len(set(hidden.coordinates.tolist())) == k
        assert hidden.coordinates.min() >= 0
        assert hidden.coordinates.max() < n
        x = np.random.default_rng(1).uniform(-1, 1, n)
        value = hidden(x)
        assert sphere.points[-1] == pytest.approx(5 * x[hidden.coordinates])
        assert hidden.effective(x[hidden.coordinates]) == value
        x[hidden.coordinates] = 0.3
        assert hidden(x) == pytest.approx(0, abs=1e-25)
        assert (Hidden(Sphere(k), n).coordinates == hidden.coordinates).all()


def test_other_instances_have_other_coordinates() -> None:
    one, other = Sphere(5), Sphere(5)
    other.id_instance = 3
    assert set(Hidden(one, 1000).coordinates) != set(Hidden(other, 1000).coordinates)


@pytest.mark.parametrize(
    "algorithm", [name for name, method in in_coco().items() if method.installed]
)
def test_an_algorithm_uses_its_budget_stays_in_the_box_and_can_be_repeated(algorithm: str) -> None:
    spheres = Sphere(3), Sphere(3)
    for sphere in spheres:
        assert run(algorithm, Hidden(sphere, 12), Setting(12, 21, 4)) == 63
        assert len(sphere.points) == 63
        assert np.abs(sphere.points).max() <= 5
    assert np.array_equal(spheres[0].points, spheres[1].points)
    # SOO moves one of the twelve coordinates with an expansion, mostly one without effect.
    assert len({tuple(z) for z in spheres[0].points}) > 30


RECORDS = {
    "a.info": "suite = 'bbob', funcId = 3, DIM = 5, x\n% about\ndata/a.dat, 1:50|1, 4:50|2\n"
    "suite = 'bbob', funcId = 3, DIM = 10, x\n% about\ndata/b.dat, 1:50|1",
    "data/a.tdat": "% head (9)\n1 0 +9.0e+00 +1 +1\n50 0 +2.5e+00 +1 +1\n"
    "% head (7)\n50 0 +1.0e-09 +1 +1\n",
    "data/b.tdat": "% head\n7 0 +1.0e+02 +1 +1\n",
}


def test_the_records_of_coco_are_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name, text in RECORDS.items():
        (tmp_path / name).write_text(text)
    found = gaps(tmp_path)
    assert found == {(3, 5, 1): 2.5, (3, 5, 4): 1e-9, (3, 10, 1): 100.0}
    # Of the 51 targets 10^2, 10^1.8, .., 10^-8, 2.5 reaches 9, and 10^-9 all.
    none = {(3, 5, 4): 1e3, (3, 10, 1): 1e3}
    assert shares({"resoo": none, "cma": found}).split("\n")[2:] == [
        "| CMA-ES, all n | 59 % | 2 % |", "| RESOO | 0 % | 0 % |",
    ]  # fmt: skip
