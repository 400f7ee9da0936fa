"""The COCO harness: hidden functions, exact budgets, records that COCO's own tools read."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embedded_hunter
from embedded_hunter.matrices import Floats
from reproduction.coco import Hidden, Setting, available, benchmark, gaps, run, shares
from reproduction.methods import in_coco

needs_coco = pytest.mark.skipif(
    find_spec("cocoex") is None or find_spec("cocopp") is None,
    reason="the extra coco is not installed",
)


def label_of(algorithm: str) -> str:
    names = in_coco()[algorithm].coco
    assert names is not None
    return names.label


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
    with pytest.raises(ValueError, match="at least the functions' dimension 5"):
        Hidden(one, 4)


@pytest.mark.parametrize("algorithm", available())
def test_an_algorithm_uses_its_budget_stays_in_the_box_and_can_be_repeated(algorithm: str) -> None:
    spheres = Sphere(3), Sphere(3)
    for sphere in spheres:
        assert run(algorithm, Hidden(sphere, 12), Setting(12, 21, 4)) == 63
        assert len(sphere.points) == 63
        assert np.abs(sphere.points).max() <= 5
    assert np.array_equal(spheres[0].points, spheres[1].points)
    # SOO moves one of the twelve coordinates with an expansion, mostly one without effect.
    assert len({tuple(z) for z in spheres[0].points}) > (4 if algorithm == "soo" else 30)


@needs_coco
def test_coco_reads_what_the_study_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In other processes: COCO writes into the current directory and keeps state."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(embedded_hunter.__file__).parents[1]))
    study = (
        "from reproduction.coco import Setting, benchmark\n"
        "benchmark('a folder', Setting(20, 20), functions=[1, 8], instances=[1], dimensions=[2], "
        "report=print)"
    )
    said = subprocess.run([sys.executable, "-c", study], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == [
        f"{name}: 80 evaluations, {Path('a folder', 'exdata', label_of(name))}"
        for name in available()
    ]
    read = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
import cocopp
cocopp.genericsettings.verbose = False
found = {}
os.chdir("a folder")  # `load` takes a space for the end of a name
for label in sys.argv[1:]:
    sets = cocopp.load(f"exdata/{label}")
    found[label] = [
        [s.funcId, s.dim, [int(v) for v in s.maxevals], [float(v) for v in s.finalfunvals]]
        for s in sets
    ]
json.dump(found, open("../found.json", "w"))
"""
    labels = [label_of(name) for name in available()]
    subprocess.run([sys.executable, "-c", read, *labels], capture_output=True, check=True)
    found: dict[str, list[Any]] = json.loads(Path("found.json").read_text(encoding="utf-8"))
    for name, label in zip(available(), labels, strict=True):
        assert sorted(s[:3] for s in found[label]) == [[1, 2, [40]], [8, 2, [40]]], name
        for function, _, _, (least,) in found[label]:
            assert least == pytest.approx(_least_regret(name, function), abs=1e-8, rel=1e-8)


def _least_regret(algorithm: str, function: int) -> float:
    """Run once more without the observer; BBOB's records are differences to the least value."""
    import cocoex

    suite = cocoex.Suite("bbob", "instances: 1", f"function_indices: {function} dimensions: 2")
    problem = suite[0]
    run(algorithm, Hidden(problem, 20), Setting(20, 20))
    least = float(problem.best_observed_fvalue1) - float(problem(_optimum(problem)))
    problem.free()
    return least


def _optimum(problem: Any) -> Floats:
    problem._best_parameter("print")  # COCO knows it, and says it in a file
    file = Path("._bbob_problem_best_parameter.txt")
    try:
        return np.loadtxt(file)
    finally:
        file.unlink()


def test_wrong_options_are_named(tmp_path: Path) -> None:
    few: dict[str, Any] = {"functions": [1], "instances": [1], "dimensions": [2]}
    for match, change in (
        ("function must be one of", {"functions": [25]}),
        ("at least one function", {"functions": []}),
        ("dimension must be one of", {"dimensions": [7]}),
        ("instances must be", {"instances": [0]}),
        ("algorithm must be one of", {"algorithms": ["simplex"]}),
        ("n must be at least 40", {"dimensions": [40], "setting": Setting(39)}),
        ("multiplier must be at least 1", {"setting": Setting(10, 0)}),
        ("d must be at most n", {"setting": Setting(10, 1, 5, 11)}),
        ("M must be an integer >= 1", {"setting": Setting(10, 1, 0)}),
    ):
        with pytest.raises(ValueError, match=match):
            benchmark(tmp_path, **{"setting": Setting(10), **few, **change})
    assert not (tmp_path / "exdata").exists()


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
    assert shares({"resoo": none, "soo": found}).split("\n")[2:] == [
        "| SOO, all n | 59 % | 2 % |", "| RESOO | 0 % | 0 % |",
    ]  # fmt: skip
