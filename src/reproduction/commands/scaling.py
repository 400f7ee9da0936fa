"""``python -m reproduction bench scaling``: measure how the cost of an evaluation grows.

One of the parameters n, v, d and M varies; the others keep their values (n = 10^4, v = 10^4,
d = 10, M = 5). At each value, runs of `minimize` alternate with the floor of their kind (see
`overhead`), with the same n and d.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.settings import MatrixPolicy
from reproduction.commands.overhead import (
    D_E,
    PAPERS_M,
    SEED,
    D,
    N,
    drawing,
    front_door,
    multiplying,
    order_of_matrices,
    take_turns,
)
from reproduction.commands.provenance import provenance

BASE: Final = {"n": N, "v": 10_000, "d": D, "M": PAPERS_M}
AXES: Final = {
    "n": (100, 1_000, 10_000, 100_000),
    "v": (100, 1_000, 10_000, 100_000),
    "d": (2, 5, 10, 20, 50),
    "M": (1, 2, 5, 8, 10, 20),
}
QUICK_AXES: Final = {"n": (100, 1_000), "v": (100, 1_000), "d": (2, 10), "M": (1, 5)}
POLICIES: Final[tuple[MatrixPolicy, ...]] = ("fresh", "indexed")
COORDINATES: Final = 2e8
"""Least number of coordinates of x that are computed at each value. At least one run is made."""


@dataclass
class Point:
    """The cost at one value of one axis, in CPU microseconds per evaluation."""

    axis: str
    value: int
    policy: MatrixPolicy
    floor: float
    run: float

    @property
    def ratio(self) -> float:
        """The cost of a run divided by the floor."""
        return self.run / self.floor


def measure(axis: str, value: int, policy: MatrixPolicy, coordinates: float = COORDINATES) -> Point:
    """Measure runs and their floor at one value of an axis."""
    n, v, d, M = (value if name == axis else default for name, default in BASE.items())
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    floor = (
        drawing(n, problem)
        if policy == "fresh"
        else multiplying(n, problem, order_of_matrices(problem, v, d, M), d)
    )
    evaluations = max(v, int(min(100_000, coordinates / n)))
    costs = take_turns([floor, front_door(problem, v, policy, d, M)], evaluations)
    return Point(axis, value, policy, *costs)


def points(quick: bool) -> Iterator[Point]:
    """Measure all axes under both policies."""
    for axis, values in (QUICK_AXES if quick else AXES).items():
        for policy in POLICIES:
            for value in values:
                yield measure(axis, value, policy, COORDINATES / 20 if quick else COORDINATES)


def add_bench(benches: Any) -> None:
    """Declare the bench and its options."""
    scaling = benches.add_parser(
        "scaling",
        help="measure how the cost of an evaluation grows with n, v, d and M",
        description="Measure the CPU time per evaluation of a run and of its floor for several "
        "values of n, v, d and M.",
    )
    scaling.add_argument(
        "--quick", action="store_true", help="measure only two small values of each parameter"
    )
    scaling.add_argument("--json", action="store_true", help="print one JSON object")
    scaling.set_defaults(measure=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print the results."""
    found = []
    for point in points(args.quick):
        found.append(asdict(point) | {"ratio": point.ratio})
        if not args.json:
            print(
                f"{point.policy:<8} {point.axis} = {point.value:<7} floor {point.floor:9.2f} us, "
                f"run {point.run:9.2f} us, {point.ratio:6.3f} x floor",
                flush=True,
            )
    if args.json:
        command = "python -m reproduction bench scaling" + (" --quick" if args.quick else "")
        print(json.dumps({"base": BASE, "points": found} | provenance(command), indent=2))
    return 0
