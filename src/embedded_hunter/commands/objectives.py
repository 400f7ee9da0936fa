"""The function that ``embedded-hunter minimize`` minimises, its bounds and its arguments."""

import argparse
import contextlib
import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from embedded_hunter.extras import UsageError, did_you_mean
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run import outcomes
from embedded_hunter.run.box import BoundsLike

NUMBERS = 9
"""Numbers for each variable that a run keeps at the same time, at least: bounds and points."""


def objective(
    args: argparse.Namespace,
) -> tuple[Callable[..., Any], BoundsLike, tuple[Any, ...]]:
    """Return the function to minimise, its bounds and its further arguments.

    Raises
    ------
    UsageError
        If an option is missing or not allowed, or if the function or a file is not found.
    """
    if (args.function is None) == (args.problem is None):
        raise UsageError("give either MODULE:FUNCTION or --problem NAME")
    if args.n is not None:
        require_memory(args.n)
    if args.problem is not None:
        if args.n is None or args.bounds or args.bounds_file or args.args:
            raise UsageError(
                "--problem requires --n and does not allow --bounds, --bounds-file or --args"
            )
        try:
            problem = PROBLEMS[args.problem](
                args.n, *effective_dimension_and_seed(args), args.rotated
            )
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"--problem {args.problem}: {error}") from None
        return problem, problem.bounds, ()
    for option, value in (("--d-e", args.d_e), ("--problem-seed", args.problem_seed)):
        if value is not None:
            raise UsageError(f"{option} is for --problem, it must not be given with a function")
    if args.rotated:
        raise UsageError("--rotated is for --problem, it must not be given with a function")
    return named(args.function), given_bounds(args), given_args(args.args)


def effective_dimension_and_seed(args: argparse.Namespace) -> tuple[int, int]:
    """Return --d-e and --problem-seed of a test problem, 10 and 0 unless given."""
    return 10 if args.d_e is None else args.d_e, args.problem_seed or 0


def require_memory(n: int) -> None:
    """Check that the machine has the memory that a run with n variables needs at least.

    Raises
    ------
    UsageError
        If not. Without this check a process with a great n is killed without a word.
    """
    needed, available = 8 * NUMBERS * n, available_memory()
    if available is not None and needed > available:
        raise UsageError(
            f"--n {n} needs at least {needed / 2**30:,.1f} GiB of memory ({8 * NUMBERS} bytes for "
            f"each variable), but {available / 2**30:,.1f} GiB are available"
        )


def available_memory() -> int | None:
    """Return the bytes of memory that this process can still get; None where it is not known."""
    found = []
    with contextlib.suppress(OSError, KeyError, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        sizes = {name: int(size.split()[0]) for name, size in (line.split(":") for line in lines)}
        found.append(1024 * (sizes["MemAvailable"] + sizes["SwapFree"]))
    with contextlib.suppress(OSError, ValueError):  # the limit of a container
        limit, used = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
        found.append(int(limit.read_text()) - int(used.read_text()))
    return min(found, default=None)


@contextlib.contextmanager
def stdout_on_stderr() -> Iterator[None]:
    """Send what is printed on stdout to stderr, also by other processes and by libraries in C."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def named(name: str) -> Callable[..., Any]:
    """Return the function MODULE:FUNCTION. MODULE can be a module of the current directory.

    Raises
    ------
    UsageError
        If the name has another form, if the module cannot be imported, or if the function does not
        exist or is not callable.
    """
    module_name, colon, path = name.partition(":")
    if not (module_name and colon and path):
        raise UsageError(f"the function must be given as MODULE:FUNCTION, got {name}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        place = place_of(error) if not isinstance(error, ImportError) else ""
        raise UsageError(
            f"cannot import {module_name}: {type(error).__name__}: {error}{place}"
        ) from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{module_name} has no {path}{did_you_mean(part, dir(found))}")
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{name} must be callable, got an object of type {type(found).__name__}")
    function: Callable[..., Any] = found
    return function


def given_bounds(args: argparse.Namespace) -> BoundsLike:
    """Return the bounds of the user's function, shape (n, 2).

    Raises
    ------
    UsageError
        If --n, --bounds and --bounds-file contradict one another, or if the file cannot be read.
    """
    if args.bounds_file is None:
        if args.n is None:
            raise UsageError("--n, the number of variables, or --bounds-file must be given")
        if args.n < 1:
            raise UsageError(f"--n must be an integer >= 1, got {args.n}")
        try:
            return np.tile(args.bounds or (-1.0, 1.0), (args.n, 1))
        except (MemoryError, OverflowError, ValueError):
            raise UsageError(f"--n {args.n}: the bounds do not fit into memory") from None
    if args.bounds is not None:
        raise UsageError("give either --bounds or --bounds-file, not both")
    pairs = numbers_in("--bounds-file", args.bounds_file, ndmin=2)
    if args.n not in (None, len(pairs)):
        raise UsageError(
            f"--n must be the number of lines of --bounds-file, got {args.n}, but "
            f"{args.bounds_file} contains {len(pairs)} pairs of bounds"
        )
    return np.asarray(pairs)


def numbers_in(option: str, name: str | None, kind: type = float, ndmin: Literal[1, 2] = 1) -> Any:
    """Return the numbers in the file of an option, a .npy file or text; None without a file.

    Raises
    ------
    UsageError
        If the file cannot be read.
    """
    if name is None:
        return None
    path = Path(name)
    try:
        return np.load(path) if path.suffix == ".npy" else np.loadtxt(path, kind, ndmin=ndmin)
    except (OSError, ValueError) as error:
        raise UsageError(f"{option} {path}: {error}") from None


def given_args(text: str | None) -> tuple[Any, ...]:
    """Return the further arguments of the user's function.

    Raises
    ------
    UsageError
        If the text is not a JSON array.
    """
    if text is None:
        return ()
    with contextlib.suppress(ValueError, RecursionError):
        values = json.loads(text)
        if isinstance(values, list):
            return tuple(values)
    raise UsageError(f"--args must be a JSON array such as '[1, \"a\"]', got {text:.60}")


def place_of(error: BaseException | None) -> str:
    """Return the file, line and function that raised an exception, in brackets.

    If it was raised by the call of the function and not inside it, as for arguments of a wrong
    number, return that. Return "" if nothing is known.
    """
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    if not frames:
        return ""
    last = frames[-1]
    if Path(last.filename).parent == Path(outcomes.__file__).parent:
        return " (in the call of the function with x and the values of --args)"
    return f" ({last.filename}, line {last.lineno}, in {last.name})"
