"""``embedded-hunter minimize``: minimise a function of a Python file, or what a program computes.

Every argument of `minimize` has an option, which is made from its signature and its docstring.

What is printed during the run, by the objective too, goes to stderr. After a failure or an
interrupt the result so far is printed, and the exit code is that of `EXIT_CODE`.
"""

import argparse
import importlib.util
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.commands import integer, seed
from embedded_hunter.common.extras import UsageError, did_you_mean
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.run.errors import EvaluationError
from embedded_hunter.run.jsonlines import value_to_json
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.policies import POLICIES, Given
from embedded_hunter.run.status import Status
from embedded_hunter.settings import Settings

STOPS = (KeyboardInterrupt, EvaluationError)
EXIT_CODE = {Status.INTERRUPTED: 130, Status.FAILED: 1, Status.UNWRITTEN: 1, Status.INFINITE: 1}
LOG = 3
"""Lines of a program's stderr that are shown when it fails."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_problem(parser)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--out", metavar="FILE", help="write x to this file, which --x0 reads")


def add_problem(parser: argparse.ArgumentParser) -> None:
    """Declare what is minimised, and an option for each argument of `minimize`."""
    what, size = (parser.add_mutually_exclusive_group(required=True) for _ in range(2))
    what.add_argument(
        "function", nargs="?", metavar="FILE.py:FUNCTION", help="f(x), x of shape (n,), a float"
    )
    what.add_argument("--exec", metavar="COMMAND", dest="command",
        help="instead of a function: a program, started for each evaluation, that reads x from "
        "its standard input, one number on each line, and prints the value on its last "
        "line")  # fmt: skip
    parser.add_argument("--value", metavar="REGEX", type=_regex,
        help="with --exec: the value is the first group of the last match")  # fmt: skip
    size.add_argument("--n", type=integer, help="number of variables")
    size.add_argument("--bounds-file", metavar="FILE", help="instead of --n: n lines LOW HIGH")
    parser.add_argument("--bounds", nargs=2, type=float, metavar=("LOW", "HIGH"),
        default=(-1.0, 1.0), help="bounds of every variable (default: -1 1)")  # fmt: skip
    general = parser.add_argument_group("arguments of minimize, with its defaults")
    policies = parser.add_argument_group("parameters of the policies")
    for name, hint in HINTS.items():
        group = policies if name in PARAMETERS else general
        how = {"help": _about(name), **_reading(hint), **SPECIAL.get(name, {})}
        option = "--" + name.replace("_", "-")
        group.add_argument(
            *(["--seed"] if name == "rng" else []), option, dest=name,
            default=argparse.SUPPRESS, **how,
        )  # fmt: skip


def given_arguments(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `minimize` on a command line."""
    given = {name: value for name, value in vars(args).items() if name in HINTS}
    return {"maxfun": 1000, "disp": sys.stderr.isatty()} | given


def run(args: argparse.Namespace) -> int:
    """Minimise and print the result. Return the exit code."""
    if args.out is not None:
        write(args.out, "a")  # before any work
    result = minimized(args, given_arguments(args), "minimize")
    if args.out is not None and result.x is not None:
        write(args.out, "w", "".join(f"{number!r}\n" for number in result.x.tolist()))
    print(_as_json(result) if args.json else as_text(result), flush=True)
    return EXIT_CODE.get(result.status, 0)


def minimized(args: argparse.Namespace, given: dict[str, Any], command: str) -> OptimizeResult:
    """Return the result of `minimize`; that so far, and why in one line, if the run has failed."""
    with stdout_on_stderr():
        try:
            if "callback" in given:
                given["callback"] = _function(given["callback"])
            return minimize(objective_of(args), bounds_of(args), **given)
        except (*STOPS, TypeError, ValueError, OverflowError, OSError) as error:
            result: OptimizeResult | None = getattr(error, "result", None)
            interrupted = isinstance(error, KeyboardInterrupt)
            if result is None:
                if interrupted:
                    raise
                raise UsageError(str(error)) from None
            words = "interrupted" if interrupted else f"{error}{_place_of(error.__cause__)}"
            print(f"embedded-hunter {command}: {words}", file=sys.stderr)
            return result


def write(name: str, mode: str, text: str = "") -> None:
    """Write a text to the file of --out."""
    try:
        with open(name, mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"--out {name}: {error.strerror}") from None


def bounds_of(args: argparse.Namespace) -> Floats:
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


def objective_of(args: argparse.Namespace) -> Callable[..., Any]:
    """Return the function of the file or, with --exec, one that starts the program."""
    if args.command is None:
        if args.value is not None:
            raise UsageError("--value is allowed only with --exec")
        return _function(args.function)
    try:
        command = shlex.split(args.command)
    except ValueError as error:
        raise UsageError(f"--exec {args.command}: {error}") from None
    if not command:
        raise UsageError("--exec must name a program")
    return partial(_printed_value, command, args.value)


def _function(given: str) -> Callable[..., Any]:
    """Return the function FILE.py:FUNCTION."""
    place, _, name = given.rpartition(":")
    if not place or not name:
        raise UsageError(f"the function must be given as FILE.py:FUNCTION, got {given}")
    if not Path(place).is_file():
        raise UsageError(f"{given}: there is no file {place}")
    try:
        module = _module_of(Path(place))
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}{_place_of(error)}"
        raise UsageError(f"{given}: {why}") from None
    if not hasattr(module, name):
        raise UsageError(
            f"{given}: {place} has no function {name}{did_you_mean(name, dir(module))}"
        )
    function: Callable[..., Any] = getattr(module, name)
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


def _printed_value(
    command: list[str], value: re.Pattern[str] | None, x: Floats, *args: object
) -> float:
    """Return the number that a program prints for a point; `args` are further words for it."""
    text = "\n".join(map(repr, x.tolist()))
    words = [*command, *map(str, args)]
    try:
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RuntimeError(f"the program cannot be started: {error}") from None
    said = [line for line in done.stderr.splitlines() if line.strip()][-LOG:]
    end = f"; stderr: {' | '.join(said)}" if said else ""
    if done.returncode:
        raise RuntimeError(f"the program ended with code {done.returncode}{end}")
    if value is None:
        found, where = [line for line in done.stdout.splitlines() if line.strip()], "the last line"
    else:
        found = [m[1 if value.groups else 0] for m in value.finditer(done.stdout)]
        where = f"the last match of {value.pattern!r}"
    try:
        return float(found[-1])
    except (IndexError, TypeError, ValueError):
        got = repr(found[-1])[:80] if found else "nothing"
        raise RuntimeError(f"{where} must be a number, the program printed {got}{end}") from None


PARAMETERS = get_type_hints(Given)
"""The parameters of the policies, and their types."""
HINTS = {
    name: hint
    for name, hint in (get_type_hints(minimize) | PARAMETERS).items()
    if name not in ("fun", "bounds", "parameters", "return")
}
"""The arguments of `minimize` that an option gives, and their types."""


def _reading(hint: Any) -> dict[str, Any]:
    """Return how argparse reads a type."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if get_origin(hint) is Literal:
        return {"choices": get_args(hint)}
    if bool in kinds:
        return {"action": argparse.BooleanOptionalAction}
    for kind, read, metavar in ((str, str, "NAME"), (float, float, "X"), (int, integer, "N")):
        if kind in kinds:
            return {"type": read, "metavar": metavar}
    return {"type": integer, "metavar": "N", "nargs": "+"} if Iterable[int] in kinds else {}


def _about(name: str) -> str:
    """Return the first sentence about an argument in the docstrings, and the policies it is of."""
    documented = (ForestSettings, Settings) if name in PARAMETERS else (minimize,)
    pages = [inspect.getdoc(each) or "" for each in documented]
    found = re.search(rf"^{name}\n((    .*\n)+)", "\n".join(pages), re.MULTILINE)
    text = " ".join(found[1].split()) if found else ""
    of = [policy for policy in POLICIES if name in POLICIES[policy].parameters]
    first = re.split(r"\.(?= |$)", text.replace("`", ""))[0]
    return (first + (f" (policies: {', '.join(of)})" if of else "")).replace("%", "%%")


def _list(text: str) -> tuple[Any, ...]:
    """Return a JSON list as a tuple."""
    with suppress(ValueError):
        if isinstance(given := json.loads(text), list):
            return tuple(given)
    raise argparse.ArgumentTypeError(f"a list such as [2, 0.5] is required, got {text:.50}")


def _point(name: str) -> Floats:
    """Return the numbers of a file."""
    try:
        return np.loadtxt(name, ndmin=1)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _regex(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None


SPECIAL: dict[str, dict[str, Any]] = {
    "args": {"type": _list, "metavar": "JSON", "help": "further arguments of the function, or "
             "words for the program: a list such as [2, 0.5]"},
    "maxfun": {"help": "evaluation budget (default: 1000)"},
    "rng": {"type": seed, "metavar": "SEED",
            "help": "the same seed gives the same run (default: a random seed)"},
    "x0": {"type": _point, "metavar": "FILE",
           "help": "a file of n numbers, the point that is evaluated first"},
    "timeout": {"metavar": "SECONDS", "help": "no evaluation begins after this time"},
    "callback": {"metavar": "FILE.py:FUNCTION",
                 "help": "called with the result so far; if it returns True, the run ends"},
    "checkpoint": {"metavar": "FILE", "help": "log every value at once. If the file exists, its "
                   "run is resumed; a greater --maxfun extends it"},
    "disp": {"help": "print the progress on stderr (default: if it is a terminal)"},
}  # fmt: skip
"""Options that differ from what the signature and the docstring say."""


def _as_json(result: OptimizeResult) -> str:
    """Return the result as JSON. Infinite values are "inf" and "-inf"."""
    fields = {name: value for name, value in result.items() if name not in ("history", "run")}
    fields["fun"] = value_to_json(float(result.fun))
    fields["x"] = None if result.x is None else result.x.tolist()
    return json.dumps(fields, allow_nan=False)


def as_text(result: OptimizeResult) -> str:
    """Return the result as lines ``name  value``, with at most 8 coordinates of x."""
    lines = {name: result[name] for name in ("message", "fun", "nfev", "seed")}
    if result.x is not None:
        more = " ... (--json or --out has all)" if result.x.size > 8 else ""
        lines["x"] = " ".join(f"{value:.6g}" for value in result.x[:8]) + more
    return "\n".join(f"{name:<8} {value}" for name, value in lines.items())


def _place_of(error: BaseException | None) -> str:
    """Return the place in the user's code that raised an exception, in brackets; "" if none did."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    if not frames or frames[-1].filename.startswith(("<", str(Path(__file__).parents[1]))):
        return ""
    return f" ({frames[-1].filename}, line {frames[-1].lineno})"


@contextmanager
def stdout_on_stderr() -> Iterator[None]:
    """Send what is printed on stdout to stderr, also by other processes and by libraries in C."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
