"""The processor time and the memory of a run, of our methods and of others in the same run.

The objective is Ackley with ten effective variables. A user cannot leave out the variables that do
not matter, so all methods compute all n coordinates. Each run is made in a process of its own. The
methods take turns, so that other work of the machine slows all of them alike.
"""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from reproduction.methods import D_E, METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.problems.functions import Values
from reproduction.problems.registry import PROBLEMS
from reproduction.seeds import seed_of
from reproduction.tables import table

FILE = "costs.csv"
MEASURED = (
    "uniform_random_search", "hesbo_cma_2", "rembo_cma", "differential_evolution", "sep_cma",
    "fresh", "indexed", "forest",
)  # fmt: skip
SIZES = ((100, 1_000), (100, 100_000), (10_000, 1_000), (10_000, 100_000), (1_000_000, 1_000))
"""Variables n and evaluations v. A run with 10^6 of the one and 10^5 of the other takes hours."""
REPEATS = 2


class Cost(NamedTuple):
    """Time and memory of a run of a method."""

    method: str
    n: int
    v: int
    microseconds: float
    """Processor time of an evaluation without the objective, the least of the repeats."""
    mebibytes: float
    """Greatest memory of the process, with interpreter and libraries; nan if not measured."""


def cost(name: str, n: int, v: int) -> Cost:
    """Make a run in this process. Work that it does once, such as drawing matrices, counts too."""
    problem, inside = PROBLEMS["ackley"](n, D_E, 0), 0.0

    def timed(x: Floats) -> Values:
        nonlocal inside
        start = process_time()
        values = problem(x)
        inside += process_time() - start
        return values

    for box, info in (
        (BlackBox(lambda x: x[0], D_E, 9), ProblemInfo(D_E, D_E)),  # imports what it needs
        (BlackBox(timed, n, v), ProblemInfo(n, D_E)),
    ):
        start = process_time()
        METHODS[name].minimize(box, info, np.random.default_rng(seed_of("costs", name)))
        seconds = process_time() - start - inside
    status = Path("/proc/self/status").read_text(encoding="utf-8")  # of Linux
    memory = int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 2**10
    return Cost(name, n, v, seconds / box.evaluations * 1e6, memory)


def measure(
    names: Iterable[str] = MEASURED,
    sizes: Iterable[tuple[int, int]] = SIZES,
    repeats: int = REPEATS,
) -> Iterator[Cost]:
    """Make runs of some methods, each in a process of its own."""
    names = tuple(names)
    for size in sizes:
        found: list[Cost] = []
        for name in names * repeats:
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                found.append(process.submit(cost, name, *size).result())
        yield from (
            min((one for one in found if one.method == name), key=lambda one: one.microseconds)
            for name in names
        )


def write(costs: Iterable[Cost], folder: Path) -> None:
    """Write the file, numbers with four digits."""
    import pandas

    pandas.DataFrame(costs).to_csv(folder / FILE, index=False, float_format="%.4g", na_rep="nan")


def read(folder: Path) -> list[Cost]:
    """Return what a folder's file has."""
    import pandas

    return [Cost(*row) for row in pandas.read_csv(folder / FILE).itertuples(index=False)]


def table_of(costs: Iterable[Cost]) -> str:
    """Return the table of the page: microseconds by n and v, and memory at the greatest n."""
    cells = {one[:3]: one for one in costs}
    sizes = list(dict.fromkeys((n, v) for _, n, v in cells))
    largest = max(sizes)
    head = ["method", *(f"n = {n:,}, v = {v:,}" for n, v in sizes), f"MiB at n = {largest[0]:,}"]
    rows = [
        [
            METHODS[name].label,
            *(f"{cells[name, n, v].microseconds:,.0f}" for n, v in sizes),
            f"{cells[name, *largest].mebibytes:,.0f}".replace("nan", "not measured"),
        ]
        for name in dict.fromkeys(name for name, _, _ in cells)
    ]
    return table(head, rows)
