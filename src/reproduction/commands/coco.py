"""``python -m reproduction coco``: methods on hidden BBOB functions; see `reproduction.coco`."""

import argparse
import re
from pathlib import Path

from embedded_hunter.commands import integer, require_folder
from embedded_hunter.extras import UsageError, extra
from reproduction.coco import Setting, available, benchmark, render
from reproduction.methods import in_coco


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    numbers = "numbers and ranges such as 1,3,8-14"
    default = Setting()
    parser.add_argument(
        "--functions",
        type=numbers_of,
        default="1-24",
        help=f"BBOB functions: {numbers} (default: 1-24)",
    )
    parser.add_argument(
        "--instances",
        type=numbers_of,
        default="1-15",
        help=f"instances of each function: {numbers} (default: 1-15)",
    )
    parser.add_argument(
        "--dimensions",
        type=numbers_of,
        default="2,5,10",
        help="effective dimensions, some of 2, 3, 5, 10, 20 and 40 (default: 2,5,10)",
    )
    parser.add_argument(
        "--n",
        type=integer,
        default=default.n,
        help=f"number of coordinates in which the functions are hidden (default: {default.n})",
    )
    parser.add_argument(
        "--multiplier",
        type=integer,
        default=default.multiplier,
        help="evaluations of a run divided by the effective dimension "
        f"(default: {default.multiplier})",
    )
    parser.add_argument("--d", type=integer, help="searched dimension (default: the effective one)")
    parser.add_argument("--M", type=integer, default=default.M, help=f"(default: {default.M})")
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=in_coco(),
        help=f"methods to run (default, those installed here: {' '.join(available())})",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        default="results-coco",
        help="folder of the results (default: results-coco)",
    )
    parser.add_argument(
        "--no-figures", action="store_true", help="do not draw the figures of cocopp"
    )


def run(args: argparse.Namespace) -> int:
    """Run the methods, draw the figures, and print where they are."""
    require_folder("--out", args.out)
    extra("cocoex", "coco")
    if not args.no_figures:
        extra("cocopp", "coco")
    if "cma" in (args.algorithms or ()) and "cma" not in available():
        raise UsageError("pycma is not installed: pip install cma")
    try:
        folders = benchmark(
            args.out,
            Setting(args.n, args.multiplier, args.M, args.d),
            functions=args.functions,
            instances=args.instances,
            dimensions=args.dimensions,
            algorithms=args.algorithms,
            report=lambda line: print(line, flush=True),
        )
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    if not args.no_figures:
        print(render(folders, Path(args.out) / "ppdata"))
    return 0


def numbers_of(text: str) -> list[int]:
    """Return the numbers in a list of numbers and ranges, such as "1,3,8-14"."""
    numbers: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part.strip())
        if not found:
            raise argparse.ArgumentTypeError(
                f"must be a list of numbers and ranges such as 1,3,8-14, got {text!r}"
            )
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            raise argparse.ArgumentTypeError(f"the range {part!r} must not decrease")
        numbers += range(first, last + 1)
    return numbers
