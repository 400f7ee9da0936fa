"""``python -m reproduction bench``: measure what a run costs; see `performance`."""

import argparse
import json

from embedded_hunter.extras import UsageError
from reproduction.performance.benches import BENCHES
from reproduction.provenance import provenance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "bench",
        choices=BENCHES,
        help="overhead: the cost of an evaluation beside a floor, and the memory; scaling: the "
        "cost along n, v, d and M; resume: how long it takes to open a checkpoint; workers: what "
        "several workers save",
    )
    parser.add_argument(
        "--quick", action="store_true", help="overhead, scaling: only some small values"
    )
    parser.add_argument(
        "--large",
        action="store_true",
        help="overhead: also a run of 10^6 evaluations and two runs in 10^6 dimensions, with "
        "their peak memory",
    )


def run(args: argparse.Namespace) -> int:
    """Measure; print the results and how they were made as one JSON object."""
    measure, switches = BENCHES[args.bench]
    given = [name for name in ("quick", "large") if getattr(args, name)]
    for name in given:
        if name not in switches:
            raise UsageError(f"bench {args.bench} has no --{name}")
    found = measure(**dict.fromkeys(given, True))
    options = "".join(f" --{name}" for name in given)
    made = provenance(f"python -m reproduction bench {args.bench}{options}")
    print(json.dumps(found | made._asdict(), indent=2))
    return 0
