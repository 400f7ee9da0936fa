"""The overhead of a method: its processor time outside the objective.

The runs of the campaign leave out the coordinates that do not matter. A user cannot do so; hence
every method computes all n coordinates here.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.problems.hidden import PROBLEMS
from reproduction import csv_files
from reproduction.benchmark.plan import PROFILE
from reproduction.methods import D_E, METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.seeds import seed_of

NAME = "overhead.csv"
N, V, REPEATS = 10_000, 2000, 3


class Overhead(NamedTuple):
    """Time of a method."""

    method: str
    n: int
    v: int
    microseconds: float
    """Time of an evaluation, the least of the repeats."""


class Timed(BlackBox):
    """A black box that knows how much processor time was spent in it."""

    inside = 0.0

    def __call__(self, x: Floats) -> float:
        """Return the value at one point."""
        start = process_time()
        try:
            return super().__call__(x)
        finally:
            self.inside += process_time() - start

    def many(self, points: Floats) -> list[float]:
        """Return the values at some points."""
        start = process_time()
        try:
            return super().many(points)
        finally:
            self.inside += process_time() - start


def measure(
    methods: Iterable[str], n: int = N, v: int = V, repeats: int = REPEATS
) -> dict[str, Overhead]:
    """Run methods on Ackley, hidden along coordinates; return the least of some repeats.

    Work that a run does once, such as drawing matrices, is divided by its v evaluations.
    """
    measured = {}
    for name in methods:
        times = []
        for run in range(repeats):
            problem = PROBLEMS["ackley"](n, D_E, np.random.default_rng(run))
            box = Timed(problem, n, v)
            rng = np.random.default_rng(seed_of(PROFILE, "overhead", name, run))
            start = process_time()
            METHODS[name].minimize(box, ProblemInfo(n, D_E), rng)
            times.append((process_time() - start - box.inside) / box.evaluations * 1e6)
        measured[name] = Overhead(name, n, v, float(f"{min(times):.4g}"))
    return measured


def write(measured: dict[str, Overhead], folder: str | os.PathLike[str]) -> Path:
    """Write the file."""
    path = Path(folder) / NAME
    csv_files.write(path, Overhead._fields, measured.values())
    return path


def read(folder: str | os.PathLike[str]) -> dict[str, Overhead]:
    """Read the file of a folder; empty if there is none."""
    path = Path(folder) / NAME
    if not path.exists():
        return {}
    return {
        method: Overhead(method, int(n), int(v), float(microseconds))
        for method, n, v, microseconds in csv_files.read(path, Overhead._fields)
    }
