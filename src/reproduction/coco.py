"""The study with COCO, an independent benchmark: its BBOB functions, hidden in n coordinates.

A BBOB function of k variables becomes a function of n: k different coordinates of x, drawn at
random, are mapped from [-1, 1] to its box [-5, 5], the others do nothing. COCO's observer sits
between the function and the method and writes what `cocopp` reads. Neither of them knows of the
n - k other coordinates, so the results can be compared with those of methods that were run on the
k variables themselves. Our methods make only the k effective rows of their matrices, which has the
same law (claim ``n-invariance``). All evaluations are used, whether or not a target is hit.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from reproduction.kept_runs import Line
from reproduction.methods import POLICIES, in_coco
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.seeds import seed_of
from reproduction.tables import table

PART = "coco"
"""The part of the table of runs, and the first of the names of a run."""
FUNCTIONS, INSTANCES, DIMENSIONS = tuple(range(1, 25)), (1, 2, 3), (5, 10)
"""Of the suite, those that are run; dimensions are numbers of effective variables."""
TARGETS = 10.0 ** np.linspace(2, -8, 51)
"""Those of COCO: distances from the least value."""
Case = tuple[int, int, int]  # the number of a function, of its variables, and of the instance


class Setting(NamedTuple):
    """The settings that all functions share; the names of a run end with it."""

    n: int = 1000
    multiplier: int = 1000
    """Evaluations for each effective dimension."""
    M: int = 5
    d: int | None = None  # the effective dimension


class Hidden:
    """A BBOB function of k variables as a function on [-1, 1]^n, which has k `coordinates` of x."""

    def __init__(self, function: Any, n: int) -> None:
        self.function, self.n, self.k = function, n, function.dimension
        name = ("coco", function.id_function, function.id_instance, self.k, n)
        self.coordinates = np.random.default_rng(seed_of(*name)).choice(n, self.k, replace=False)
        self._middle = (function.lower_bounds + function.upper_bounds) / 2
        self._half = (function.upper_bounds - function.lower_bounds) / 2

    def effective(self, z: Floats) -> float:
        """Return the value at the effective coordinates z of x, shape (k,)."""
        return float(self.function(self._middle + self._half * z))

    def __call__(self, x: Floats) -> float:
        """Return the value at x, shape (n,)."""
        return self.effective(x[self.coordinates])


def line_of(method: str, case: Case, setting: Setting) -> Line:
    """Return the line of a run in the table of runs; its seed is a function of its `seed`."""
    names, (number, k, instance) = in_coco()[method].coco, case
    assert names is not None
    seeded_as = (PART, names.seeded_as or method, number, instance, k, *setting)
    return {
        "part": PART, "method": method, "policy": method if method in POLICIES else "",
        "told": "d_e" if in_coco()[method].told_d_e else "", "function": f"f{number}",
        "kind": "axis-aligned", "n": setting.n, "d_e": k, "M": setting.M, "run": instance,
        "v": setting.multiplier * k, "seed": "/".join(map(str, seeded_as)),
    }  # fmt: skip


def run(name: str, problem: Hidden, setting: Setting) -> int:
    """Run a method on a function; return the number of evaluations."""
    method, function = in_coco()[name], problem.function
    case = (function.id_function, problem.k, function.id_instance)
    f, rows = (problem, problem.n) if method.full else (problem.effective, problem.k)
    box = BlackBox(f, rows, setting.multiplier * problem.k, vectorized=False)
    info = ProblemInfo(problem.n, problem.k, setting.d, setting.M, sigma_n=problem.n)
    seed = seed_of(line_of(name, case, setting)["seed"])
    method.minimize(box, info, np.random.default_rng(seed))
    return box.evaluations


def benchmark(
    folder: Path,
    method: str,
    setting: Setting,
    functions: Sequence[int] = FUNCTIONS,
    instances: Sequence[int] = INSTANCES,
    dimensions: Sequence[int] = DIMENSIONS,
) -> Path:
    """Run a method under COCO's observer; return the folder of its records, ``exdata/LABEL``."""
    import cocoex

    names = in_coco()[method].coco
    assert names is not None
    cocoex.log_level("error")
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):  # COCO's option strings cannot hold every path
        about = f'algorithm_name: {names.label} algorithm_info: "{names.about}"'
        observer = cocoex.Observer("bbob", f"result_folder: {names.label} {about}")
        listed = [",".join(map(str, given)) for given in (instances, functions, dimensions)]
        chosen = f"function_indices: {listed[1]} dimensions: {listed[2]}"
        for problem in cocoex.Suite("bbob", f"instances: {listed[0]}", chosen):
            problem.observe_with(observer)
            run(method, Hidden(problem, setting.n), setting)
            problem.free()  # before the observer takes another one
        return folder / str(observer.result_folder)


def render(folders: Sequence[Path], out: Path) -> None:
    """Have cocopp draw the records of some methods into a folder."""
    import cocopp
    import matplotlib

    matplotlib.use("Agg")
    cocopp.main(["-o", str(out.resolve()), *(str(folder.resolve()) for folder in folders)])


def gaps(folder: Path) -> dict[Case, float]:
    """Read from the records of a method how far its best value is from the least."""
    found = {}
    for info in sorted(folder.glob("*.info")):
        lines = info.read_text(encoding="utf-8").splitlines()
        for head, last in zip(lines[::3], lines[2::3], strict=True):
            name, *instances = last.split(", ")
            function, k = map(int, re.findall(r"(?:funcId|DIM) = (\d+)", head))
            text = (folder / name).with_suffix(".tdat").read_text(encoding="utf-8")
            runs = [run.splitlines() for run in re.split(r"(?m)^%.*\n", text) if run]
            for instance, run in zip(instances, runs, strict=True):
                gap = float(run[-1].split()[2])
                found[function, k, int(instance.partition(":")[0])] = gap
    return found


def shares(gaps_of: Mapping[str, Mapping[Case, float]]) -> str:
    """Return the table of the page: the share of `TARGETS` that each method reached."""
    dimensions = sorted({k for found in gaps_of.values() for _, k, _ in found})
    rows = []
    for method, found in gaps_of.items():
        by_k = [[gap <= TARGETS for case, gap in found.items() if case[1] == k] for k in dimensions]
        percentages = (f"{100 * np.mean(reached):.0f} %" for reached in by_k)
        rows.append((in_coco()[method].label, *percentages))
    rows.sort(key=lambda row: -int(row[1].split()[0]))
    return table(("method", *(f"{k} effective variables" for k in dimensions)), rows)
