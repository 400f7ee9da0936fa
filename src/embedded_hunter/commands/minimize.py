"""``embedded-hunter minimize``: minimise a function of the user's own, or a test problem.

Exit code 0: a result; 1: an evaluation failed, or a file could not be written, the result so far is
printed; 2: the command makes no sense; 130: interrupted, the result so far is printed.
"""

import argparse
import contextlib
import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.commands import did_you_mean
from embedded_hunter.commands import seed as a_seed
from embedded_hunter.commands.progress import progress
from embedded_hunter.extras import UsageError
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.run.asktell import MESSAGES
from embedded_hunter.run.box import BoundsLike
from embedded_hunter.run.checkpoint import CheckpointWriteError
from embedded_hunter.run.jsonlines import value_to_json
from embedded_hunter.run.minimize import EvaluationError, minimize
from embedded_hunter.run.search import Policy
from embedded_hunter.settings import Sampler

INTERRUPTED, FAILED, UNWRITTEN = 3, 4, 6  # status of a result, see MESSAGES
EXIT_CODE = {INTERRUPTED: 130, FAILED: 1, UNWRITTEN: 1}

DESCRIPTION = """\
Minimise a function of n variables, few of which matter, by EmbeddedHunter.

  embedded-hunter minimize mymodule:f --n 1000 --d 4 --maxfun 5000 --bounds 0 10
  embedded-hunter minimize --problem ackley --n 10000 --d 10 --maxfun 5000 --policy indexed
  embedded-hunter minimize --problem ackley --n 10000 --policy forest --effective-dimension 10

f(x, *args) takes a numpy array of shape (n,) and returns a float; +inf is a value, nan an error.
Modules of the current directory can be named.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: what to minimise, the parameters of `minimize`, and what to print."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = DESCRIPTION
    what = parser.add_argument_group("what to minimise")
    what.add_argument("function", nargs="?", metavar="MODULE:FUNCTION", help="your function")
    what.add_argument("--problem", choices=sorted(PROBLEMS), help="or a test problem")
    what.add_argument("--n", type=int, help="number of variables")
    what.add_argument(
        "--bounds",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="of every variable (default: -1 1)",
    )
    what.add_argument(
        "--bounds-file", metavar="FILE", help="n lines LOW HIGH, or a .npy file of shape (n, 2)"
    )
    what.add_argument("--args", metavar="JSON", help="further arguments of f, a JSON array")
    what.add_argument(
        "--d-e", type=int, default=10, help="of the test problem: its effective dimension (10)"
    )
    what.add_argument(
        "--rotated", action="store_true", help="of the test problem: rotate its effective subspace"
    )
    what.add_argument(
        "--problem-seed", type=a_seed, default=0, help="of the test problem: its random part (0)"
    )
    search = parser.add_argument_group("the search")
    search.add_argument("--d", type=int, help="dimension of the search space Y")
    search.add_argument(
        "--effective-dimension",
        type=int,
        help="of policy forest, in the place of --d: a guess of how many variables matter",
    )
    search.add_argument("--maxfun", type=int, default=1000, help="evaluation budget v (1000)")
    search.add_argument("--eta", type=float, default=0.3, help="bounds Y, in (0, 1) (0.3)")
    search.add_argument("--K", type=int, default=3, help="partition factor, odd (3)")
    search.add_argument("--M", type=float, default=5, help="cap on evaluations, >= 0 (5)")
    search.add_argument("--h-max", type=int, help="greatest depth expanded (floor sqrt maxfun)")
    search.add_argument("--sigma", type=float, help="of the random matrices (1/sqrt n)")
    search.add_argument("--policy", choices=get_args(Policy), default="fresh", help="(fresh)")
    search.add_argument("--sampler", choices=get_args(Sampler), default="norm", help="(norm)")
    search.add_argument("--scale", type=float, help="of policy forest: sigma R (0.25)")
    search.add_argument("--n-embeddings", type=int, help="of policy forest: matrices (20)")
    search.add_argument("--seed", type=a_seed, help="the same seed gives the same run (random)")
    search.add_argument(
        "--workers", type=int, default=1, help="processes, -1: one for each processor (1)"
    )
    search.add_argument(
        "--vectorized", action="store_true", help="f takes points as columns, shape (n, S)"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="one JSON object, x in full")
    output.add_argument("--save-x", metavar="FILE", help="keep the best x, a .npy file")
    output.add_argument(
        "--checkpoint",
        "--log",
        metavar="FILE",
        help="keep every evaluation, as JSON lines {evaluation, value}, written at once. x is not "
        "stored (n numbers each): the run is determined by the first line and the values. If the "
        "file exists, its run is resumed",
    )
    output.add_argument(
        "--objective",
        metavar="NAME",
        help="of your function, kept in the checkpoint: one of another name is refused (none; of a "
        "test problem: its name and its options)",
    )
    output.add_argument(
        "--fsync",
        action="store_true",
        help="force every value of the checkpoint to the storage device, against power cuts",
    )


def run(args: argparse.Namespace) -> int:
    """Minimise and print the result; return the exit code."""
    function, bounds, further = objective(args)
    if args.save_x is not None:
        _try_to_write(args.save_x, args.checkpoint)
    seed = args.seed
    if seed is None and args.checkpoint is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    with progress(args.maxfun, "minimize") as advance:
        result = _minimize(args, function, bounds, further, seed, advance)
    regret = result.fun - function.f_star if isinstance(function, Problem) else None
    text = as_json(result, seed, regret) if args.json else as_text(result, seed, regret)
    print(text, flush=True)  # before anything else can go wrong
    if args.save_x is not None and result.x is not None:
        try:
            with Path(args.save_x).open("wb") as file:
                np.save(file, result.x)
        except OSError as error:
            print(f"embedded-hunter minimize: --save-x {args.save_x}: {error}", file=sys.stderr)
            return 1
    return EXIT_CODE.get(result.status, 0)


def _try_to_write(name: str, checkpoint: str | None) -> None:
    """Find out before the run whether --save-x can be written; leave no file behind."""
    path = Path(name)
    if checkpoint is not None and path.resolve() == Path(checkpoint).resolve():
        raise UsageError(f"--save-x {name}: this is the checkpoint")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--save-x {name}: there is no such folder")
    new = not os.path.exists(path)
    if not new and not os.path.isfile(path):
        raise UsageError(f"--save-x {name}: this is not a file")
    try:
        with path.open("ab"):
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise UsageError(f"--save-x {name}: {error}") from None


def _objective_name(args: argparse.Namespace) -> str | None:
    """Return the name that the checkpoint compares: of a test problem, all that determines it."""
    name: str | None = args.objective
    if name is None and args.problem is not None and args.checkpoint is not None:
        rotated = ", rotated" if args.rotated else ""
        name = f"{args.problem}, d_e {args.d_e}, problem seed {args.problem_seed}{rotated}"
    return name


def _minimize(
    args: argparse.Namespace,
    function: Callable[..., Any],
    bounds: BoundsLike,
    further: tuple[Any, ...],
    seed: int | None,
    advance: Callable[[int], None],
) -> OptimizeResult:
    """Call `minimize`; an evaluation that fails is told on stderr, and gives a result too."""
    try:
        return minimize(
            function,
            bounds,
            d=args.d,
            args=further,
            maxfun=args.maxfun,
            eta=args.eta,
            K=args.K,
            M=args.M,
            h_max=args.h_max,
            sigma=args.sigma,
            policy=args.policy,
            sampler=args.sampler,
            effective_dimension=args.effective_dimension,
            scale=args.scale,
            n_embeddings=args.n_embeddings,
            rng=seed,
            callback=lambda intermediate_result: advance(intermediate_result.nfev),
            workers=args.workers,
            vectorized=args.vectorized,
            checkpoint=args.checkpoint,
            objective=_objective_name(args),
            fsync=args.fsync,
        )
    except EvaluationError as error:
        print(f"embedded-hunter minimize: {error}{_place(error.__cause__)}", file=sys.stderr)
        return error.result
    except CheckpointWriteError as error:
        if error.result is None:  # not even the header
            raise UsageError(f"--checkpoint {error}") from None
        print(f"embedded-hunter minimize: {error}", file=sys.stderr)
        return error.result
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"--checkpoint {args.checkpoint}: {error}") from None


def objective(
    args: argparse.Namespace,
) -> tuple[Callable[..., Any], BoundsLike, tuple[Any, ...]]:
    """Return the function to minimise, its bounds and its further arguments.

    Raises
    ------
    UsageError
        If they are not given, or not there.
    """
    if (args.function is None) == (args.problem is None):
        raise UsageError("give either MODULE:FUNCTION or --problem NAME")
    if args.problem is not None:
        if args.n is None or args.bounds or args.bounds_file or args.args:
            raise UsageError("--problem needs --n and has bounds and arguments of its own")
        try:
            problem = PROBLEMS[args.problem](args.n, args.d_e, args.problem_seed, args.rotated)
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"--problem {args.problem}: {error}") from None
        return problem, problem.bounds, ()
    return named(args.function), given_bounds(args), given_args(args.args)


def named(name: str) -> Callable[..., Any]:
    """Return the function MODULE:FUNCTION; modules of the current directory are found."""
    module_name, colon, path = name.partition(":")
    if not (module_name and colon and path):
        raise UsageError(f"the function must be given as MODULE:FUNCTION, got {name}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        place = _place(error) if not isinstance(error, ImportError) else ""
        raise UsageError(
            f"cannot import {module_name}: {type(error).__name__}: {error}{place}"
        ) from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{module_name} has no {path}{did_you_mean(part, dir(found))}")
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{name} is not callable, but of type {type(found).__name__}")
    function: Callable[..., Any] = found
    return function


def given_bounds(args: argparse.Namespace) -> BoundsLike:
    """Return the bounds of the user's function, shape (n, 2)."""
    if args.bounds_file is None:
        if args.n is None or args.n < 1:
            raise UsageError(f"--n must be an integer >= 1, got {args.n}")
        try:
            return np.tile(args.bounds or (-1.0, 1.0), (args.n, 1))
        except (MemoryError, OverflowError, ValueError):
            raise UsageError("--n: so many variables do not fit into memory") from None
    if args.bounds is not None:
        raise UsageError("give either --bounds or --bounds-file")
    path = Path(args.bounds_file)
    try:
        pairs = np.load(path) if path.suffix == ".npy" else np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as error:
        raise UsageError(f"--bounds-file {path}: {error}") from None
    if args.n not in (None, len(pairs)):
        raise UsageError(f"--n is {args.n}, but {path} has {len(pairs)} pairs of bounds")
    return np.asarray(pairs)


def given_args(text: str | None) -> tuple[Any, ...]:
    """Return the further arguments of the user's function."""
    if text is None:
        return ()
    with contextlib.suppress(ValueError, RecursionError):
        values = json.loads(text)
        if isinstance(values, list):
            return tuple(values)
    raise UsageError(f"--args must be a JSON array such as '[1, \"a\"]', got {text:.60}")


def as_json(result: OptimizeResult, seed: int | None, regret: float | None) -> str:
    """Return the result as one JSON object; an infinite value is the string "inf"."""
    fields = {name: value for name, value in result.items() if name not in ("x", "fun")}
    fields["fun"] = value_to_json(float(result.fun))
    fields["seed"] = seed
    if regret is not None:
        fields["regret"] = value_to_json(float(regret))
    fields["x"] = None if result.x is None else result.x.tolist()
    return json.dumps(fields, allow_nan=False)


def as_text(result: OptimizeResult, seed: int | None, regret: float | None) -> str:
    """Return the result as lines ``name  value``; of a long x, the first numbers."""
    lines = {
        "message": MESSAGES[result.status],
        "fun": f"{result.fun:.10g}",
        **({} if regret is None else {"regret": f"{regret:.10g}"}),
        "nfev": result.nfev,
        "nit": f"{result.nit} visits of a depth in {result.nsweep} sweeps",
        "depth": f"{result.depth}, {result.nleaves} leaves",
        **({} if seed is None else {"seed": seed}),
    }
    if result.x is not None:
        shown = " ".join(f"{value:.6g}" for value in result.x[:8])
        more = result.x.size - 8
        lines["x"] = shown + (f" ... ({more} more; --json or --save-x)" if more > 0 else "")
    return "\n".join(f"{name:<8} {value}" for name, value in lines.items())


def _place(error: BaseException | None) -> str:
    """Return where an exception was raised, if that is known here."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    if not frames:
        return ""
    last = frames[-1]
    return f" ({last.filename}, line {last.lineno}, in {last.name})"
