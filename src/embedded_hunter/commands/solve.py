"""``embedded-hunter solve``: minimise, find what mattered, write one page about both.

Three quarters of the budget are for `minimize`, the rest for `influence`, in which an evaluation
that fails counts as +inf.
"""

import argparse
import math
import re
import shlex
from pathlib import Path

from embedded_hunter.commands.minimize import (
    EXIT_CODE,
    add_problem,
    as_text,
    bounds_of,
    given_arguments,
    minimized,
    objective_of,
    stdout_on_stderr,
    write,
)
from embedded_hunter.common.extras import UsageError, extra
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.report import report
from embedded_hunter.run.influence import influence
from embedded_hunter.run.outcomes import Failure, Guarded

LEAST = 20
"""Least budget: `influence` needs ten evaluations."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_problem(parser)
    parser.add_argument("--out", metavar="FILE", default="report.html",
        help="the page (default: %(default)s)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Minimise, print the result and what mattered, write the page. Return the exit code."""
    extra("matplotlib")
    write(args.out, "a")  # before any work
    given = given_arguments(args)
    budget = given["maxfun"]
    if budget < LEAST:
        raise UsageError(f"--maxfun must be at least {LEAST}, got {budget}")
    what = args.function or args.command
    name = re.split(r"[/:\s]", what)[-1] if args.function else Path(shlex.split(what)[0]).name
    tests = max(LEAST // 2, budget // 4)
    given = {"checkpoint": f"{name}.run"} | given | {"maxfun": budget - tests}
    result = minimized(args, given, "solve")
    print(as_text(result))
    line = re.sub(r" --maxfun[ =]\S+", "", shlex.join(["embedded-hunter", *args.words]))
    if result.status in EXIT_CODE:
        print(f"To go on: {line} --maxfun {budget}")
        return EXIT_CODE[result.status]
    guarded = Guarded(objective_of(args), given.get("args", ()))

    def value(x: Floats) -> float:
        outcome = guarded(x[:, None] if given.get("vectorized") else x)
        return math.inf if isinstance(outcome, Failure) else outcome

    with stdout_on_stderr():
        found = influence(value, bounds_of(args), result, maxfun=tests, rng=result.seed)
    print(found)
    again = f"{line} --maxfun {2 * budget}"
    write(args.out, "w", report(result, found, title=what, again=again))
    print(f"{args.out}\nTo go on: {again}")
    return 0
