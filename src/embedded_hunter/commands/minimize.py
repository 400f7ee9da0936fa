"""``embedded-hunter minimize``: minimise a function of the user, or a test problem.

The exit code is 0 for a result, 1 if an evaluation failed, a file could not be written or every
value was +inf, 2 if the command line is wrong, and 130 after an interrupt. With 1 and 130 the
result so far is printed, if there is one. With --json, what the objective prints and the progress
of the run go to stderr.
"""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO, get_args

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.commands import given, integer, integers
from embedded_hunter.commands import seed as a_seed
from embedded_hunter.commands.objectives import (
    effective_dimension_and_seed,
    numbers_in,
    objective,
    place_of,
    stdout_on_stderr,
)
from embedded_hunter.commands.policy import add_policy
from embedded_hunter.commands.printed_result import as_json, as_text
from embedded_hunter.extras import UsageError
from embedded_hunter.forest.settings import DIMENSIONS, REACH
from embedded_hunter.matrices import MEMORY
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.run.box import BoundsLike
from embedded_hunter.run.locked_file import CheckpointWriteError
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.policies import DEFAULT
from embedded_hunter.run.status import (
    AT_EDGE,
    FAILED,
    FLAT,
    INFINITE,
    INTERRUPTED,
    UNBOUNDED,
    UNWRITTEN,
)
from embedded_hunter.settings import Sampler

PARAMETERS = (
    "d", "eta", "K", "M", "h_max", "sigma", "sampler",
    "effective_dimension", "dimensions", "scale", "n_embeddings", "evolve",
)  # fmt: skip
"""The options that are parameters of a policy."""
EXIT_CODE = {INTERRUPTED: 130, FAILED: 1, UNWRITTEN: 1, INFINITE: 1}

DESCRIPTION = """\
Minimise a function of n variables, few of which matter, by EmbeddedHunter.

  embedded-hunter minimize mymodule:f --n 1000 --maxfun 5000 --bounds 0 10
  embedded-hunter minimize --problem ackley --n 10000
  embedded-hunter minimize --problem ackley --n 10000 --policy fresh --d 10

f(x, *args) takes a numpy array of shape (n,) and returns a float. +inf is allowed, NaN is an error.
MODULE can be a module of the current directory.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: the objective, the parameters of `minimize`, and the output."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = DESCRIPTION
    what = parser.add_argument_group("what to minimise")
    what.add_argument("function", nargs="?", metavar="MODULE:FUNCTION", help="your own function f")
    what.add_argument("--problem", choices=sorted(PROBLEMS), help="a test problem instead")
    what.add_argument("--n", type=integer, help="number of variables")
    what.add_argument(
        "--bounds",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="bounds of every variable (default: -1 1)",
    )
    what.add_argument(
        "--bounds-file",
        metavar="FILE",
        help="file of bounds: n lines LOW HIGH, or a .npy file of shape (n, 2)",
    )
    what.add_argument("--args", metavar="JSON", help="further arguments of f, a JSON array")
    what.add_argument("--d-e", type=integer, help="test problem: effective dimension (default: 10)")
    what.add_argument(
        "--rotated", action="store_true", help="test problem: rotate the effective subspace"
    )
    what.add_argument(
        "--problem-seed",
        type=a_seed,
        help="test problem: seed of its random part (default: 0)",
    )
    search = parser.add_argument_group("the search")
    search.add_argument(
        "--d",
        type=integer,
        help="policies fresh and indexed: dimension of the search space Y, which they need",
    )
    search.add_argument(
        "--effective-dimension",
        type=integer,
        help="policy forest: a guess of the number of variables that matter (default: none)",
    )
    search.add_argument(
        "--dimensions",
        type=integers,
        metavar="D,D,..",
        help="policy forest: the dimensions of its trees, integers >= 1, increasing, each below "
        f"n, or n alone (default: {','.join(map(str, DIMENSIONS))}; n alone if n <= "
        f"{DIMENSIONS[-1]})",
    )
    search.add_argument(
        "--maxfun", type=integer, default=1000, help="evaluation budget v (default: 1000)"
    )
    add_policy(search, DEFAULT)
    search.add_argument(
        "--sigma",
        type=float,
        help="policies fresh and indexed: standard deviation of the matrix entries (default: "
        "1/sqrt(n))",
    )
    search.add_argument(
        "--sampler",
        choices=get_args(Sampler),
        help="policy fresh: how it draws its points (default: norm)",
    )
    search.add_argument("--scale", type=float, help=f"policy forest: sigma R (default: {REACH}/d)")
    search.add_argument(
        "--no-evolve",
        action="store_const",
        const=False,
        dest="evolve",
        help="policy forest: without the evolution strategy in all n coordinates",
    )
    search.add_argument(
        "--memory",
        type=integer,
        default=MEMORY,
        metavar="BYTES",
        help="policies indexed and forest: memory for the matrices that they keep (default: "
        f"{MEMORY})",
    )
    search.add_argument(
        "--seed", type=a_seed, help="the same seed gives the same run (default: a random seed)"
    )
    search.add_argument(
        "--x0", metavar="FILE", help="file of n numbers: the point that is evaluated first"
    )
    search.add_argument(
        "--integrality",
        metavar="FILE",
        help="file of n numbers 0 or 1: which variables must be integers",
    )
    search.add_argument("--f-target", type=float, help="stop when a value is at most this one")
    search.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="begin no evaluation after this time"
    )
    search.add_argument(
        "--patience", type=integer, help="stop after so many evaluations without a lower value"
    )
    search.add_argument(
        "--workers",
        type=integer,
        default=1,
        help="number of processes; -1: one for each processor (default: 1)",
    )
    search.add_argument(
        "--vectorized",
        action="store_true",
        help="f takes points as the columns of an array of shape (n, S) and returns S values",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--disp", action="store_true", help="print the progress of the run")
    output.add_argument(
        "--json", action="store_true", help="print one JSON object, with all coordinates of x"
    )
    output.add_argument("--save-x", metavar="FILE", help="write the best x to a .npy file")
    output.add_argument(
        "--save-history",
        metavar="FILE",
        help="write number and value of each evaluation to a CSV file",
    )
    output.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="log every evaluation at once, as JSON lines {evaluation, value}. x is not stored (n "
        "numbers each), except the best one when the run is complete: the first line and the "
        "values determine the run. If the file exists, its run is resumed; a greater --maxfun "
        "extends it",
    )
    output.add_argument(
        "--objective",
        metavar="NAME",
        help="name of your function, stored in the checkpoint. A checkpoint with another name is "
        "refused (default: none; for a test problem, its name and options)",
    )
    output.add_argument(
        "--fsync",
        action="store_true",
        help="force every value of the checkpoint to the storage device, so that it survives a "
        "power failure",
    )
    output.add_argument(
        "--anyway",
        action="store_true",
        help="resume the checkpoint of a machine that computes other points than this one; without "
        "it, such a checkpoint is refused",
    )


def run(args: argparse.Namespace) -> int:
    """Minimise and print the result. Return the exit code."""
    with stdout_on_stderr() if args.json else nullcontext():
        function, bounds, further = objective(args)
        for option in SAVED:
            _try_to_write(option, args)
        seed = args.seed
        if seed is None and args.checkpoint is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        result = _minimize(args, function, bounds, further, seed)
    regret = result.fun - function.f_star if isinstance(function, Problem) else None
    if result.status in (AT_EDGE, INFINITE, FLAT, UNBOUNDED):
        print(f"embedded-hunter minimize: warning: {result.message}", file=sys.stderr)
    if args.json:
        print(as_json(result, seed, regret), flush=True)  # before anything else can fail
    elif result.nfev > 0:
        print(as_text(result, seed, regret), flush=True)
    for option, save in SAVED.items():
        name = getattr(args, option)
        if name is not None and result.nfev > 0:
            try:
                with Path(name).open("wb") as file:
                    save(file, result)
            except OSError as error:
                print(f"embedded-hunter minimize: {flag(option)} {name}: {error}", file=sys.stderr)
                return 1
    return EXIT_CODE.get(result.status, 0)


SAVED: dict[str, Callable[[BinaryIO, OptimizeResult], None]] = {
    "save_x": lambda file, result: np.save(file, result.x),
    "save_history": lambda file, result: np.savetxt(
        file, result.history, "%d,%.17g", header="evaluation,value", comments=""
    ),
}
"""What is written to a file if this option is given."""


def _try_to_write(option: str, args: argparse.Namespace) -> None:
    """Check before the run that the file of an option can be written. Create no file.

    Raises
    ------
    UsageError
        If the file cannot be written, or if it is that of another option.
    """
    if (name := getattr(args, option)) is None:
        return
    path = Path(name)
    for other in ("checkpoint", *(set(SAVED) - {option})):
        used = getattr(args, other)
        if used is not None and path.resolve() == Path(used).resolve():
            raise UsageError(
                f"{flag(option)} and {flag(other)} must be different files, got {name} for both"
            )
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{flag(option)} must be in an existing folder, got {name}")
    new = not os.path.exists(path)
    if not new and not os.path.isfile(path):
        raise UsageError(f"{flag(option)} must be a file, got {name}, which is not a file")
    try:
        with path.open("ab"):
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise UsageError(f"{flag(option)} {name}: {error}") from None


def flag(option: str) -> str:
    """Return an option as it stands on the command line."""
    return f"--{option.replace('_', '-')}"


def _objective_name(args: argparse.Namespace) -> str | None:
    """Return the name of the objective for the checkpoint.

    For a test problem without --objective, it contains all options that determine the problem.
    """
    name: str | None = args.objective
    if name is None and args.problem is not None and args.checkpoint is not None:
        rotated = ", rotated" if args.rotated else ""
        d_e, seed = effective_dimension_and_seed(args)
        name = f"{args.problem}, d_e {d_e}, problem seed {seed}{rotated}"
    return name


def _minimize(
    args: argparse.Namespace,
    function: Callable[..., Any],
    bounds: BoundsLike,
    further: tuple[Any, ...],
    seed: int | None,
) -> OptimizeResult:
    """Call `minimize`. If something stops it, say so on stderr and return the result so far.

    Raises
    ------
    UsageError
        If `minimize` refuses an argument or the checkpoint.
    """
    try:
        return minimize(
            function,
            bounds,
            args=further,
            maxfun=args.maxfun,
            policy=args.policy,
            rng=seed,
            x0=numbers_in("--x0", args.x0),
            integrality=numbers_in("--integrality", args.integrality, int),
            f_target=args.f_target,
            timeout=args.timeout,
            patience=args.patience,
            workers=args.workers,
            vectorized=args.vectorized,
            checkpoint=args.checkpoint,
            objective=_objective_name(args),
            fsync=args.fsync,
            check_machine=not args.anyway,
            memory=args.memory,
            disp=args.disp,
            **given(args, *PARAMETERS),
        )
    except EvaluationError as error:
        print(f"embedded-hunter minimize: {error}{place_of(error.__cause__)}", file=sys.stderr)
        return error.result
    except KeyboardInterrupt as error:
        result: OptimizeResult | None = getattr(error, "result", None)
        if result is None:
            raise
        print(f"embedded-hunter minimize: {interrupted(result, args)}", file=sys.stderr)
        return result
    except CheckpointWriteError as error:
        if error.result is None:  # the header of the checkpoint could not be written
            raise UsageError(f"--checkpoint {error}") from None
        print(f"embedded-hunter minimize: {error}", file=sys.stderr)
        return error.result
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"--checkpoint {args.checkpoint}: {error}") from None


def interrupted(result: OptimizeResult, args: argparse.Namespace) -> str:
    """Return what is said after Ctrl-C: the best value so far, and how to resume."""
    best = f", best value {result.fun:.10g}" if result.nfev > 0 else ""
    how = (
        "to resume, give the same command again"
        if args.checkpoint is not None
        else "a run without --checkpoint cannot be resumed"
    )
    return f"interrupted after {result.nfev} of {args.maxfun} evaluations{best}; {how}"
