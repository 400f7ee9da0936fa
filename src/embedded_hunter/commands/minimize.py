"""``embedded-hunter minimize``: minimise a function of a Python file, or what a program computes.

After a failure or an interrupt the result so far is printed, and the exit code is that of
`EXIT_CODE`. With --json, what the objective prints goes to stderr.
"""

import argparse
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.commands import integer, seed
from embedded_hunter.common.extras import UsageError
from embedded_hunter.matrices import Floats
from embedded_hunter.run.errors import EvaluationError
from embedded_hunter.run.jsonlines import value_to_json
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.status import Status

STOPS = (KeyboardInterrupt, EvaluationError)
EXIT_CODE = {Status.INTERRUPTED: 130, Status.FAILED: 1, Status.UNWRITTEN: 1, Status.INFINITE: 1}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    what, size = (parser.add_mutually_exclusive_group(required=True) for _ in range(2))
    what.add_argument(
        "function", nargs="?", metavar="FILE.py:FUNCTION", help="f(x), x of shape (n,), a float"
    )
    what.add_argument("--exec", metavar="COMMAND", dest="command",
        help="instead of a function: a program, started for each evaluation, that reads x from "
        "its standard input, one number on each line, and prints the value")  # fmt: skip
    size.add_argument("--n", type=integer, help="number of variables")
    size.add_argument("--bounds-file", metavar="FILE", help="instead of --n: n lines LOW HIGH")
    add = parser.add_argument
    add("--bounds", nargs=2, type=float, metavar=("LOW", "HIGH"), default=(-1.0, 1.0),
        help="bounds of every variable (default: -1 1)")  # fmt: skip
    add("--maxfun", type=integer, default=1000, help="evaluation budget (default: 1000)")
    add("--seed", type=seed, help="the same seed gives the same run (default: a random seed)")
    add("--checkpoint", metavar="FILE",
        help="log every value at once. If the file exists, its run is resumed; a greater --maxfun "
        "extends it")  # fmt: skip
    add("--set", metavar="NAME=VALUE", action="append", default=[], dest="others",
        help="any other argument of minimize in Python, such as --set policy=indexed --set d=10, "
        "--set workers=4 or --set timeout=60; VALUE is JSON or a word")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object, with all coordinates of x")


def run(args: argparse.Namespace) -> int:
    """Minimise and print the result. Return the exit code."""
    with _stdout_on_stderr() if args.json else nullcontext():
        try:
            result = minimize(
                _objective(args), _bounds(args), maxfun=args.maxfun, rng=args.seed,
                checkpoint=args.checkpoint, **dict(map(_setting, args.others)),
            )  # fmt: skip
        except (*STOPS, TypeError, ValueError, OverflowError, OSError) as error:
            result = getattr(error, "result", None)
            interrupted = isinstance(error, KeyboardInterrupt)
            if result is None:
                if interrupted:
                    raise
                raise UsageError(str(error)) from None
            words = "interrupted" if interrupted else f"{error}{_place_of(error.__cause__)}"
            print(f"embedded-hunter minimize: {words}", file=sys.stderr)
    print(_as_json(result) if args.json else _as_text(result), flush=True)
    return EXIT_CODE.get(result.status, 0)


def _bounds(args: argparse.Namespace) -> Floats:
    """Return the bounds, shape (n, 2)."""
    if args.bounds_file is None:
        if args.n < 1:
            raise UsageError(f"--n must be an integer >= 1, got {args.n}")
        return np.tile(args.bounds, (args.n, 1))
    option = f"--bounds-file {args.bounds_file}"
    try:
        with warnings.catch_warnings(action="ignore"):  # of an empty file
            bounds = np.loadtxt(args.bounds_file, ndmin=2)
    except (OSError, ValueError) as error:
        raise UsageError(f"{option}: {error}") from None
    if bounds.shape[1] != 2:
        raise UsageError(f"{option} must have n >= 1 lines LOW HIGH")
    return bounds


def _objective(args: argparse.Namespace) -> Callable[[Floats], Any]:
    """Return the function of the file or, with --exec, one that starts the program."""
    if args.command is not None:
        try:
            command = shlex.split(args.command)
        except ValueError as error:
            raise UsageError(f"--exec {args.command}: {error}") from None
        if not command:
            raise UsageError("--exec must name a program")
        return partial(_printed_value, command)
    place, _, name = args.function.rpartition(":")
    if not place or not name:
        raise UsageError(f"the function must be given as FILE.py:FUNCTION, got {args.function}")
    try:
        function: Callable[[Floats], Any] = getattr(_module_of(Path(place)), name)
    except (Exception, SystemExit) as error:
        where = _place_of(error) if Path(place).is_file() else ""
        raise UsageError(f"{args.function}: {type(error).__name__}: {error}{where}") from None
    return function


def _module_of(file: Path) -> ModuleType:
    """Import a file, whatever other module has its name, and let it import those beside it."""
    folder, name = str(file.parent.absolute()), file.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(file.absolute()):
        return loaded
    if name in sys.stdlib_module_names or name in sys.modules:
        sys.path.append(folder)  # whoever imports the other module must get that one
        name = f"{name} of {folder}"
    else:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, file.absolute())
    if spec is None or spec.loader is None:
        raise ImportError("it must be a file FILE.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _printed_value(command: list[str], x: Floats) -> float:
    """Return the number that a program prints for a point."""
    text = "\n".join(map(repr, x.tolist()))
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    try:
        return float(done.stdout)
    except ValueError:
        raise RuntimeError(f"the program printed {done.stdout!r:.80}, not one number") from None


OPTIONS = {
    "fun": "FILE.py:FUNCTION", "bounds": "--bounds", "maxfun": "--maxfun", "rng": "--seed",
    "checkpoint": "--checkpoint",
}  # fmt: skip
"""The arguments of `minimize` that have an option of their own."""


def _setting(text: str) -> tuple[str, Any]:
    """Return the name and the value of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set must be NAME=VALUE, got {text}")
    if name in OPTIONS:
        raise UsageError(f"--set {text}: give {OPTIONS[name]} instead")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _as_json(result: OptimizeResult) -> str:
    """Return the result as JSON. Infinite values are "inf" and "-inf"."""
    fields = {name: value for name, value in result.items() if name not in ("history", "run")}
    fields["fun"] = value_to_json(float(result.fun))
    fields["x"] = None if result.x is None else result.x.tolist()
    return json.dumps(fields, allow_nan=False)


def _as_text(result: OptimizeResult) -> str:
    """Return the result as lines ``name  value``, with at most 8 coordinates of x."""
    lines = {name: result[name] for name in ("message", "fun", "nfev", "seed")}
    if result.x is not None:
        more = " ... (--json prints all)" if result.x.size > 8 else ""
        lines["x"] = " ".join(f"{value:.6g}" for value in result.x[:8]) + more
    return "\n".join(f"{name:<8} {value}" for name, value in lines.items())


def _place_of(error: BaseException | None) -> str:
    """Return the place in the user's code that raised an exception, in brackets; "" if unknown."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    mine = not frames or frames[-1].filename == __file__
    return "" if mine else f" ({frames[-1].filename}, line {frames[-1].lineno})"


@contextmanager
def _stdout_on_stderr() -> Iterator[None]:
    """Send what is printed on stdout to stderr, also by other processes and by libraries in C."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
