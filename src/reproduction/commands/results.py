"""``python -m reproduction results``: the stored results, and which are stale; see `stored`."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.extras import UsageError
from reproduction.arithmetic import ENVIRONMENT, standard
from reproduction.commands import add_jobs, check_counts, one_of
from reproduction.stored import stamps
from reproduction.stored.catalogue import Part, parts
from reproduction.stored.making import MAKERS, TOGETHER, Work, make


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    known = parts()
    parser.add_argument(
        "names",
        nargs="*",
        type=one_of({*known, *(part.result for part in known.values())}, "result"),
        metavar="NAME",
        help="results, such as benchmark, or parts of them, such as benchmark/resoo (default: all)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="say which are stale (default); exit code 1 if any is"
    )
    what.add_argument(
        "--confirm",
        action="store_true",
        help="make randomly drawn runs of what is stale again; where all have the same bits, "
        "store that they have",
    )
    what.add_argument(
        "--make",
        action="store_true",
        help="make the results again; without names, all that were not made with the present "
        "code. A command that was stopped goes on",
    )
    parser.add_argument(
        "--runs", type=integer, default=20, help="--confirm: runs of each part (default: 20)"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("results-made"),
        metavar="DIR",
        help="--make: keeps finished runs (default: results-made)",
    )
    parser.add_argument(
        "--published",
        type=Path,
        metavar="DIR",
        help="--make paper, released or repeated: folder of the published raw results",
    )
    add_jobs(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line about each part."""
    check_counts(args.runs, args.jobs)
    chosen = [
        part for name, part in parts().items()
        if not args.names or name in args.names or part.result in args.names
    ]  # fmt: skip
    if args.make:
        return _make(chosen, args)
    there = stamps.read()
    old = [part for part in chosen if stamps.stale(part, there[part.name])]
    if args.confirm:
        return _confirm(old, args.runs)
    for part in chosen:
        print(f"{part.name}: {stamps.sentence(part, there[part.name])}")
    return int(bool(old))


def _confirm(old: list[Part], runs: int) -> int:
    if not standard():
        return _standard([part.name for part in old], ["--confirm", f"--runs={runs}"])
    commit, failed = _commit(), False
    for part in old:
        if part.is_time:
            print(f"{part.name}: a time cannot be confirmed")
            failed = True
            continue
        there = stamps.read()
        start = time.process_time()
        there[part.name], found = stamps.confirm(part, there[part.name], runs, commit)
        seconds = time.process_time() - start
        stamps.write(there)
        failed |= bool(found)
        line = f"{part.name}: {len(found)} of {runs} runs differ; {seconds:.1f} s"
        print(line, *found, sep="\n  ", flush=True)
    return int(failed)


def _make(chosen: list[Part], args: argparse.Namespace) -> int:
    commit, there = _commit(), stamps.read()
    if not args.names:
        chosen = [
            part for part in chosen
            if there[part.name].confirmed or stamps.stale(part, there[part.name])
        ]  # fmt: skip
    for result in MAKERS:
        wanted = [part for part in chosen if part.result == result]
        if wanted and result in TOGETHER:
            wanted = [part for part in parts().values() if part.result == result]
        if wanted and not wanted[0].is_time and not standard():
            options = ["--make", f"--folder={args.folder}", f"--jobs={args.jobs}"]
            if args.published is not None:
                options.append(f"--published={args.published}")
            if code := _standard([part.name for part in wanted], options):
                return code
        elif wanted:
            try:
                make(result, Work(args.folder / result, wanted, args.jobs, args.published), commit)
            except (ValueError, OSError) as error:
                raise UsageError(f"{result}: {error}") from None
            there = stamps.read()
            for part in wanted:
                print(f"{part.name}: {stamps.sentence(part, there[part.name])}", flush=True)
    return 0


def _standard(names: list[str], options: list[str]) -> int:
    """Do the same in a process with the standard arithmetic; return its exit code."""
    if not names:
        return 0
    command = [sys.executable, "-m", "reproduction", "results", *options, *names]
    return subprocess.run(command, env=os.environ | ENVIRONMENT, check=False).returncode


def _commit() -> str:
    try:
        return stamps.commit_of_source()
    except ValueError as error:
        raise UsageError(str(error)) from None
