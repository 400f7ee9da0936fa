"""The forest as it is shipped, with one thing changed: ``results --make forest-variants``.

The defaults are ``ForestSettings(n, v)``: trees of four dimensions, local searches and the
evolution strategy. Each variant of `VARIANTS` changes one constant, one parameter, or one rule.
Every constant of `forest.constants` has a variant, and so has the reach of the trees.

Run k of a function has the same instance and the same generator in every variant, so a variant is
compared with the defaults run by run. Runs with an even number have their effective variables along
the axes, the others in a random subspace. No constant was chosen on these functions, and none of
them is in the benchmark or in another study. (COCO has its own forms of three of them.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS, EVOLUTION, SHARES
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import ForestHunt, hunt_forest
from embedded_hunter.forest.settings import ForestSettings, TreeSpace
from embedded_hunter.forest.trees import Forest
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.projection import drive
from reproduction import kept_runs
from reproduction.kept_runs import Line
from reproduction.seeds import seed_of
from reproduction.statistics import RATE, PairedTest, paired_tests
from reproduction.tables import number, table

if TYPE_CHECKING:
    import pandas as pd

PART = "forest-variants"
"""The part of the table of runs, and the first of the names of a run."""
N, N_ROTATED, D_E, SPREAD = 1_000, 200, 10, 0.7
V = 2_000
RUNS = 4


class StudiedRun(NamedTuple):
    """The names of one run."""

    variant: str
    function: str
    run: int


Values: TypeAlias = Mapping[StudiedRun, float]


def _bohachevsky(t: Floats) -> Floats:
    a, b = math.pi * t[:-1], math.pi * t[1:]
    waves = 0.7 - 0.3 * np.cos(3 * a) - 0.4 * np.cos(4 * b)
    return np.asarray((t[:-1] ** 2 + 2 * t[1:] ** 2 + waves).sum(axis=0))


def _powell(t: Floats) -> Floats:
    a, b, c, d = t[:-3], t[1:-2], t[2:-1], t[3:]
    squares = (a + 10 * b) ** 2 + 5 * (c - d) ** 2
    return np.asarray((squares + (b - 2 * c) ** 4 + 10 * (a - d) ** 4).sum(axis=0))


def _happy_cat(t: Floats) -> Floats:
    square, d = ((t - 1) ** 2).sum(axis=0), len(t)
    rest = (square / 2 + (t - 1).sum(axis=0)) / d + 0.5
    return np.asarray(np.abs(square - d) ** 0.25 + rest)


def _schaffer(t: Floats) -> Floats:
    s = np.hypot(t[:-1], t[1:])
    return np.asarray((np.sqrt(s) * (1 + np.sin(50 * s**0.2) ** 2)).mean(axis=0) ** 2)


def _weierstrass(t: Floats) -> Floats:
    k = np.arange(12.0)
    return np.asarray(((1 - np.cos(2 * math.pi * 3**k * t[..., None])) @ 0.5**k).sum(axis=0))


FUNCTIONS: dict[str, Callable[[Floats], Floats]] = {
    "bent cigar": lambda t: np.asarray(t[0] ** 2 + 1e6 * (t[1:] ** 2).sum(axis=0)),
    "Bohachevsky": _bohachevsky,
    "Powell": _powell,
    "happy cat": _happy_cat,
    "Salomon": lambda t: _salomon(np.sqrt((t * t).sum(axis=0))),
    "Schaffer F7": _schaffer,
    "greatest entry": lambda t: np.asarray(np.abs(t).max(axis=0)),
    "Weierstrass": _weierstrass,
}
"""Functions of t = 5 (x - x*), shape (d_e, S), with the least value 0 at t = 0. x* is uniform in
[-`SPREAD`, `SPREAD`]^d_e."""


def _salomon(r: Floats) -> Floats:
    return np.asarray(1 - np.cos(2 * math.pi * r) + 0.1 * r)


class NormClasses(Forest):
    """The leaves with one norm are a class of their depth; the queues are those of rule F5."""

    def rank_of(self, node: Node) -> int:
        """Return the norm, in units of the depth."""
        return node.nrm

    def queue_of(self, leaf: Node) -> int:
        """Return 0 for a leaf of the zero vector, 1 for another one."""
        return int(leaf.nrm > 0)


class OneQueue(Forest):
    """All leaves of a depth are one class."""

    def rank_of(self, node: Node) -> int:
        """Return 0."""
        return 0


class OtherReach(ForestSettings):
    """The defaults, with sigma R times the dimension multiplied by `reach`."""

    reach = 1.0

    @cached_property
    def trees(self) -> tuple[TreeSpace, ...]:
        """The cubes of all P trees."""
        return tuple(replace(tree, sigma=self.reach * tree.sigma) for tree in super().trees)


class HalfReach(OtherReach):
    """`REACH` is halved."""

    reach = 0.5


class DoubleReach(OtherReach):
    """`REACH` is doubled."""

    reach = 2.0


@dataclass(frozen=True)
class Variant:
    """The one thing that a variant changes: a field of one of these, the others as shipped."""

    constants: Mapping[str, Any] = field(default_factory=dict)
    """Of the local searches."""
    evolution: Mapping[str, Any] = field(default_factory=dict)
    """Constants of the evolution strategy."""
    shares: Mapping[str, Any] = field(default_factory=dict)
    """Constants of rule F6."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of a user."""
    kind: type[ForestSettings] = ForestSettings
    forest: type[Forest] = Forest


def warps(candidates: int) -> tuple[float, ...]:
    """Return 0 and numbers as far apart as those of the policy."""
    least, greatest = CONSTANTS.warps[1], CONSTANTS.warps[-1]
    return (0.0, *np.geomspace(least, greatest, candidates).tolist())


LOCAL: dict[str, tuple[Any, ...]] = {
    "generation": (4, 16),
    "first_step": (0.15, 0.6),
    "history": (3, 12),
    "ridge": (5e-5, 2e-4, 1e-6),
    "prior_weight": (50.0, 200.0, 0.0),
    "warps": (warps(3), warps(12), (0.0,)),
    "damping": (0.015, 0.06, 1e-9),
    "step_bits": (5, 20),
    "metric_bits": (5, 20),
    "contraction": (0.15, 0.6, 0.0),
    "age": (5, 20, 10**9),
}
"""Half, double and, where this has a meaning, the value that switches a constant off. (Without the
ridge, rounding errors would decide, so 10^-6 stands for it. Damping 0 could divide by 0, so 10^-9
stands for it.)"""
OF_STRATEGY: dict[str, tuple[Any, ...]] = {
    "population": (6, 24),
    "greatest_population": (12, 48),
    "divisor": (1, 2),
    "first_step": (0.1, 0.4),
    "greatest_step": (1.0, 4.0),
    "patience": (15, 60),
    "compared": (0.15, 0.6),
    "smoothing": (0.15, 0.6),
    "coordinates": (20, 80, N),
    "outside": (0.5, 2.0, 0.0),
}
OF_SHARES: dict[str, tuple[Any, ...]] = {
    "least": (16, 64),
    "each": (2, 8),
    "head": (25, 100),
}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "effective_dimension": (D_E,),
    "dimensions": ((10, 20), (8, 16, 32, 64), (5, 10, 20, 40, 80)),
    "n_embeddings": (10, 40),
    "K": (5,),
    "refine": (False,),
    "evolve": (False,),
    "sample": (False,),
}


def shown(value: Any) -> str:
    """Return a value as the table has it; of candidates that begin with 0, the others' number."""
    if isinstance(value, tuple):
        if value[0] != 0:
            return ", ".join(map(str, value))
        return f"{len(value) - 1} and 0" if len(value) > 1 else "0 alone"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _each(changes: Mapping[str, tuple[Any, ...]], label: str = "") -> dict[str, dict[str, Any]]:
    """Return the changes by their names, one value of one constant or parameter each."""
    return {
        f"{label}{name} = {shown(value)}": {name: value}
        for name, values in changes.items()
        for value in values
    }


DEFAULT, STRATEGY = "defaults", "evolution strategy: "
VARIANTS: dict[str, Variant] = {
    DEFAULT: Variant(),
    **{name: Variant(constants=one) for name, one in _each(LOCAL, "local search: ").items()},
    **{name: Variant(evolution=one) for name, one in _each(OF_STRATEGY, STRATEGY).items()},
    **{name: Variant(shares=one) for name, one in _each(OF_SHARES, "shares: ").items()},
    **{name: Variant(settings=one) for name, one in _each(PARAMETERS).items()},
    "REACH = 2.5": Variant(kind=HalfReach),
    "REACH = 10": Variant(kind=DoubleReach),
    "norm classes": Variant(forest=NormClasses),
    "one queue": Variant(forest=OneQueue),
}


def plan() -> list[StudiedRun]:
    """Return all runs: run 0 of all variants first."""
    return [
        StudiedRun(variant, function, run)
        for run in range(RUNS)
        for function in FUNCTIONS
        for variant in VARIANTS
    ]


def search_of(
    variant: Variant, rotated: bool, rng: np.random.Generator
) -> tuple[ForestHunt, ForestPoints]:
    """Return the search of a variant; its points have the coordinates that the function needs."""
    n, rows = (N_ROTATED, N_ROTATED) if rotated else (N, D_E)
    settings = variant.kind(n, V, **variant.settings)
    points = ForestPoints(settings, rng, rows)
    hunt = hunt_forest(
        settings,
        points.key,
        replace(CONSTANTS, **variant.constants),
        variant.forest,
        rows=rows,
        evolution=replace(EVOLUTION, **variant.evolution),
        shares=replace(SHARES, **variant.shares),
    )
    return hunt, points


def objective(function: str, run: int) -> Callable[[Floats], Floats]:
    """Return the instance of a run, a function of points, shape (k, rows)."""
    rng = np.random.default_rng(seed_of(PART, function, run, "instance"))
    x_star, f = rng.uniform(-SPREAD, SPREAD, D_E), FUNCTIONS[function]
    if run % 2 == 0:
        return lambda x: f(5 * (x - x_star).T)
    Q = np.linalg.qr(rng.standard_normal((N_ROTATED, D_E)))[0]
    return lambda x: f(5 * (x @ Q - x_star).T)


def perform(run: StudiedRun) -> float:
    """Make a run; return its best value."""
    rng = np.random.default_rng(seed_of(PART, run.function, run.run, "search"))
    hunt, points = search_of(VARIANTS[run.variant], run.run % 2 == 1, rng)
    visits = drive(hunt, points.project, objective(run.function, run.run))
    return min(value for _, values in visits for value in values)


def line_of(run: StudiedRun) -> Line:
    """Return the line of a run in the table of runs."""
    rotated = run.run % 2 == 1
    return {
        "method": "forest", "policy": "forest", "variant": run.variant,
        "told": "d_e" if "effective_dimension" in run.variant else "", "function": run.function,
        "kind": "rotated" if rotated else "axis-aligned", "n": N_ROTATED if rotated else N,
        "d_e": D_E, "v": V, "run": run.run,
        "seed": f"forest-variants/{run.function}/{run.run}/search",
    }  # fmt: skip


def lines_of(run: StudiedRun) -> list[Line]:
    """Make a run; return its line."""
    begun = process_time()
    return [{**line_of(run), "value": perform(run), "seconds": process_time() - begun}]


def values_of(lines: pd.DataFrame) -> Values:
    """Return the value of each run of the plan that some lines have."""
    found = kept_runs.values_of(lines, ["variant", "function", "run"])
    return {run: found[run] for run in plan() if run in found}


def comparisons(values: Values) -> list[PairedTest]:
    """Compare the defaults with each variant, over all runs of all functions: one family.

    A variant without runs is left out: the stored runs may be older than it.
    """
    there = {run.variant for run in values}
    of = {
        variant: [values[StudiedRun(variant, f, run)] for f in FUNCTIONS for run in range(RUNS)]
        for variant in VARIANTS
        if variant in there
    }
    return paired_tests(of.pop(DEFAULT), of)


def report(values: Values) -> str:
    """Return the table of the page and what it shows, in Markdown."""
    tests = comparisons(values)
    rows = []
    for test in tests:
        assert test.factor is not None
        low, high = 1 / test.factor.high, 1 / test.factor.low  # of the variant to the defaults
        interval = f"{number(low)} to {number(high)}"
        rows.append([test.other, interval, f"{test.losses} : {test.wins}", number(test.adjusted)])
    head = ["variant", "factor", "better : worse", "p"]
    # The tests are those of the defaults: where these are worse, the variant is better.
    better, worse = (
        "; ".join(test.other for test in tests if test.verdict == of_defaults) or "none"
        for of_defaults in ("worse", "better")
    )
    return (
        f"{table(head, rows, aligned=True)}\n\nAt the level {RATE:g}:\n\n"
        f"- better than the defaults: {better};\n- worse than the defaults: {worse}.\n"
    )
