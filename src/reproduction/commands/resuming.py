"""``python -m reproduction bench resume``: measure how long it takes to open a checkpoint.

A run writes a checkpoint. The complete file is opened, and so is the file without its last line,
the answer: then `minimize` makes the tree again from the values, and the points that it needs.
"""

import argparse
import json
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from embedded_hunter.commands import integer
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.policies import POLICIES, Policy
from reproduction.commands.overhead import D_E, SEED, D, N
from reproduction.commands.provenance import provenance


@dataclass
class Resumed:
    """Seconds of a whole run, of opening its file, and of resuming it without the answer."""

    policy: Policy
    run: float
    complete: float
    incomplete: float


def measure(policy: Policy, n: int, v: int) -> Resumed:
    """Make a run with a checkpoint; open the file twice."""
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"

        def seconds() -> float:
            begun = time.perf_counter()
            minimize(
                problem, problem.bounds, d=D, maxfun=v, policy=policy, rng=SEED, checkpoint=path
            )
            return time.perf_counter() - begun

        run, complete = seconds(), seconds()
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        return Resumed(policy, run, complete, seconds())


def add_bench(benches: Any) -> None:
    """Declare the bench and its options."""
    resume = benches.add_parser(
        "resume",
        help="measure how long it takes to open a checkpoint",
        description="Measure the time of a run with a checkpoint, of opening the complete file, "
        "and of resuming the run if the file lacks the answer.",
    )
    resume.add_argument("--n", type=integer, default=N, help=f"number of variables (default: {N})")
    resume.add_argument(
        "--maxfun", type=integer, default=100_000, help="evaluations (default: 100000)"
    )
    resume.add_argument("--json", action="store_true", help="print one JSON object")
    resume.set_defaults(measure=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print the results."""
    found = []
    for policy in POLICIES:
        row = measure(policy, args.n, args.maxfun)
        found.append(asdict(row))
        if not args.json:
            print(
                f"{policy:<8} run {row.run:7.2f} s, complete file {row.complete:6.2f} s, "
                f"file without the answer {row.incomplete:6.2f} s",
                flush=True,
            )
    if args.json:
        command = f"python -m reproduction bench resume --n {args.n} --maxfun {args.maxfun}"
        report = {"n": args.n, "v": args.maxfun, "policies": found}
        print(json.dumps(report | provenance(command), indent=2))
    return 0
