"""``python -m reproduction bench workers``: measure what several workers save; see `speedup`."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from embedded_hunter.commands import integer
from reproduction.commands.provenance import provenance
from reproduction.studies.speedup import KINDS, measure

WORKERS = (1, 2, 4, 8)


def add_bench(benches: Any) -> None:
    """Declare the bench and its options."""
    workers = benches.add_parser(
        "workers",
        help="measure what several workers save",
        description="Measure the time of a run with 1, 2, 4 and 8 workers. The objective waits, so "
        "that the number of processors hardly matters.",
    )
    workers.add_argument("--maxfun", type=integer, default=200, help="evaluations (default: 200)")
    workers.add_argument(
        "--milliseconds", type=float, default=50, help="time of an evaluation (default: 50)"
    )
    workers.add_argument("--json", action="store_true", help="print one JSON object")
    workers.set_defaults(measure=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print the results."""
    found = []
    for kind in KINDS:
        row = measure(kind, args.maxfun, WORKERS, args.milliseconds / 1000)
        found.append(asdict(row))
        if not args.json:
            cells = [
                f"{w:4}: {turns:4} turns,{seconds:6.2f} s"
                for w, turns, seconds in zip(row.workers, row.turns, row.seconds, strict=True)
            ]
            print(f"{kind:<16}{''.join(cells)}", flush=True)
    if args.json:
        command = (
            f"python -m reproduction bench workers --maxfun {args.maxfun} "
            f"--milliseconds {args.milliseconds}"
        )
        report = {"milliseconds": args.milliseconds, "kinds": found}
        print(json.dumps(report | provenance(command), indent=2))
    return 0
