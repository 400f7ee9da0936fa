"""The study with COCO, an independent benchmark: its BBOB functions, hidden in n coordinates.

A BBOB function of k variables becomes a function of n: k different coordinates of x, drawn at
random, are mapped from [-1, 1] to its box [-5, 5], the others do nothing. COCO's observer sits
between the function and the algorithm and writes what `cocopp` reads. Neither of them knows of the
n - k other coordinates, so the results can be compared with those of any algorithm that was run on
the k variables themselves.

Our algorithms make only the k effective rows of their matrices, which has the same law (claim
``n-invariance``). `soo` and `cma` search all n coordinates; the latter is pycma, if installed: with
a full covariance matrix up to `FULL_COVARIANCE` coordinates and a diagonal one beyond, restarted
with twice the population whenever it stops before its budget is used.

An algorithm gets `multiplier` x k evaluations on each function and uses all of them, whether or not
COCO's final target is hit before.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.settings import Settings, integer
from reproduction.kept_runs import Line
from reproduction.methods import in_coco
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.seeds import seed_of
from reproduction.tables import table

FUNCTIONS = tuple(range(1, 25))
DIMENSIONS = (2, 3, 5, 10, 20, 40)
TARGETS = 10.0 ** np.linspace(2, -8, 51)
"""Those of COCO: distances from the least value."""


class BBOB(Protocol):
    """The part of a COCO problem that is used here."""

    dimension: int
    id_function: int
    id_instance: int
    lower_bounds: Floats
    upper_bounds: Floats

    def __call__(self, z: Floats) -> float:
        """Return the value at z, shape (k,), in the function's own box."""


class Hidden:
    """A BBOB function of k variables as a function on [-1, 1]^n.

    Parameters
    ----------
    function
        The COCO problem, observed or not.
    n
        Number of coordinates, at least k.

    Attributes
    ----------
    coordinates
        The effective coordinates, shape (k,), all different. They depend only on the function, the
        instance, k and n.

    Raises
    ------
    ValueError
        If n < k.
    """

    def __init__(self, function: BBOB, n: int) -> None:
        self.function, self.n, self.k = function, n, function.dimension
        if n < self.k:
            raise ValueError(f"n must be at least the functions' dimension {self.k}, got {n}")
        name = ("coco", function.id_function, function.id_instance, self.k, n)
        rng = np.random.default_rng(seed_of(*name))
        self.coordinates = rng.choice(n, self.k, replace=False)
        self._middle = (function.lower_bounds + function.upper_bounds) / 2
        self._half = (function.upper_bounds - function.lower_bounds) / 2

    def effective(self, z: Floats) -> float:
        """Return the value at the effective coordinates z of x, shape (k,)."""
        return float(self.function(self._middle + self._half * z))

    def __call__(self, x: Floats) -> float:
        """Return the value at x, shape (n,)."""
        return self.effective(x[self.coordinates])


class Setting(NamedTuple):
    """The settings that are the same for all functions."""

    n: int = 100
    multiplier: int = 100
    """Evaluations for each effective dimension."""
    M: int = 5
    d: int | None = None
    """Searched dimension; the effective dimension unless given."""


Case = tuple[int, int, int]
"""A function of COCO: its number, its number of variables, its instance."""
PART = "coco"
"""The part of the table of runs, and the first of the names of a run."""


def names_of(algorithm: str, case: Case, setting: Setting) -> tuple[object, ...]:
    """Return the names of a run, of which its seed is a function."""
    names = in_coco()[algorithm].coco
    assert names is not None
    number, k, instance = case
    return (PART, names.seeded_as or algorithm, number, instance, k, *setting)


def line_of(algorithm: str, case: Case, setting: Setting) -> Line:
    """Return the line of a run in the table of runs, without its value."""
    number, k, instance = case
    policies = {"embedded_hunter": "fresh", "embedded_hunter_indexed": "indexed"}
    policies["embedded_hunter_forest"] = "forest"
    return {
        "part": PART, "method": algorithm, "policy": policies.get(algorithm, ""),
        "told": "d_e" if in_coco()[algorithm].told_d_e else "", "function": f"f{number}",
        "kind": "axis-aligned", "n": setting.n, "d_e": k, "M": setting.M,
        "v": setting.multiplier * k, "run": instance,
        "seed": "/".join(map(str, names_of(algorithm, case, setting))),
    }  # fmt: skip


def run(algorithm: str, problem: Hidden, setting: Setting) -> int:
    """Run an algorithm on a function; return the number of evaluations.

    The seed depends only on the names of the run.
    """
    v = setting.multiplier * problem.k
    function, method = problem.function, in_coco()[algorithm]
    case = (function.id_function, problem.k, function.id_instance)
    rng = np.random.default_rng(seed_of(*names_of(algorithm, case, setting)))
    if method.full:
        box = BlackBox(problem, problem.n, v, vectorized=False)
    else:
        box = BlackBox(problem.effective, problem.k, v, vectorized=False)
    info = ProblemInfo(problem.n, problem.k, setting.d, setting.M, sigma_n=problem.n)
    method.minimize(box, info, rng)
    return box.evaluations


def available() -> tuple[str, ...]:
    """Return the algorithms that can run here: pycma only if it is installed."""
    return tuple(name for name, method in in_coco().items() if method.installed)


def benchmark(
    folder: str | os.PathLike[str],
    setting: Setting,
    *,
    functions: Sequence[int] = FUNCTIONS,
    instances: Sequence[int] = tuple(range(1, 16)),
    dimensions: Sequence[int] = (2, 5, 10),
    algorithms: Iterable[str] | None = None,
    report: Callable[[str], object] = lambda line: None,
) -> list[Path]:
    """Run algorithms on BBOB functions under COCO's observer.

    Parameters
    ----------
    folder
        COCO writes into ``exdata/<label>`` of it, or, if that is there, into a folder with a
        number added.
    setting
        n, the budget, M and d.
    functions, instances, dimensions
        Which functions of the suite; dimensions are the effective ones.
    algorithms
        Their names here (`methods.in_coco`); all that can run unless given.
    report
        Called with a line about each finished algorithm.

    Returns
    -------
    list of Path
        The folder of each algorithm, for `render`.

    Raises
    ------
    ValueError
        For an unknown number or name, or if n is smaller than a dimension.
    ModuleNotFoundError
        If ``cocoex`` (the ``coco`` extra) or pycma, when asked for, is not installed.
    """
    algorithms = available() if algorithms is None else tuple(algorithms)
    _check("function", functions, FUNCTIONS)
    _check("dimension", dimensions, DIMENSIONS)
    _check("algorithm", algorithms, tuple(in_coco()))
    if not instances or min(instances) < 1:
        raise ValueError("instances must be numbers >= 1")
    if setting.multiplier < 1:
        raise ValueError(f"the budget multiplier must be at least 1, got {setting.multiplier}")
    if setting.n < max(dimensions):
        raise ValueError(f"n must be at least {max(dimensions)}, got {setting.n}")
    Settings(setting.n, 1 if setting.d is None else setting.d, 1)
    integer("M", setting.M, 1)
    written = []
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):  # COCO's option strings cannot hold every path
        for algorithm in algorithms:
            suite, observer = _suite(functions, instances, dimensions), _observer(algorithm)
            made = 0
            for problem in suite:
                problem.observe_with(observer)
                made += run(algorithm, Hidden(problem, setting.n), setting)
                problem.free()  # before the observer takes another one
            written.append(folder / observer.result_folder)
            report(f"{algorithm}: {made} evaluations, {written[-1]}")
    return written


def _suite(functions: Sequence[int], instances: Sequence[int], dimensions: Sequence[int]) -> Any:
    import cocoex

    cocoex.log_level("error")
    return cocoex.Suite(
        "bbob",
        f"instances: {_listed(instances)}",
        f"function_indices: {_listed(functions)} dimensions: {_listed(dimensions)}",
    )


def _observer(algorithm: str) -> Any:
    import cocoex

    names = in_coco()[algorithm].coco
    assert names is not None
    return cocoex.Observer(
        "bbob",
        f"result_folder: {names.label} algorithm_name: {names.label} "
        f'algorithm_info: "{names.about}"',
    )


def render(folders: Sequence[Path], out: Path) -> Path:
    """Have cocopp draw the records of some algorithms into a folder; return its first page."""
    import cocopp
    import matplotlib

    matplotlib.use("Agg")
    out = out.resolve()
    cocopp.main(["-o", str(out), *(str(folder.resolve()) for folder in folders)])
    return out / "index.html"


def gaps(folder: Path) -> dict[Case, float]:
    """Read the records of an algorithm: how far its best value is from the least.

    Parameters
    ----------
    folder
        As `benchmark` returns it.
    """
    found = {}
    for info in sorted(folder.glob("*.info")):
        lines = info.read_text(encoding="utf-8").splitlines()
        for head, last in zip(lines[::3], lines[2::3], strict=True):
            name, *instances = last.split(", ")
            function, k = re.findall(r"(?:funcId|DIM) = (\d+)", head)
            text = (folder / name).with_suffix(".tdat").read_text(encoding="utf-8")
            runs = [run.splitlines() for run in re.split(r"(?m)^%.*\n", text) if run]
            for instance, run in zip(instances, runs, strict=True):
                found[int(function), int(k), int(instance.partition(":")[0])] = float(
                    run[-1].split()[2]
                )
    return found


def shares(gaps_of: Mapping[str, Mapping[Case, float]]) -> str:
    """Return the table of the page: the share of `TARGETS` that each algorithm reached."""
    dimensions = sorted({k for found in gaps_of.values() for _, k, _ in found})
    rows = []
    for algorithm, found in gaps_of.items():
        reached = {
            k: np.mean([gap <= TARGETS for case, gap in found.items() if case[1] == k])
            for k in dimensions
        }
        percentages = (f"{100 * reached[k]:.0f} %" for k in dimensions)
        rows.append((in_coco()[algorithm].label, *percentages))
    rows.sort(key=lambda row: -int(row[1].split()[0]))
    return table(("method", *(f"{k} effective variables" for k in dimensions)), rows)


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, sorted(set(numbers))))


def _check(what: str, given: Sequence[object], known: Sequence[object]) -> None:
    if not given:
        raise ValueError(f"at least one {what} is needed")
    for one in given:
        if one not in known:
            allowed = ", ".join(map(str, known))
            raise ValueError(f"{what} must be one of {allowed}, got {one}")
