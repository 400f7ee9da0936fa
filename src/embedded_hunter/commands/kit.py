"""``embedded-hunter kit``: write the conformance kit, for those who implement Algorithm 1."""

import argparse
import shutil
from pathlib import Path

from embedded_hunter import traces
from embedded_hunter.common.extras import UsageError

FOLDER = Path(traces.__file__).parent / "kit"
"""The README with the format and its schema, the golden traces, and programs in two languages."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--out", metavar="DIR", default="kit", help="a new folder (default: kit)")


def run(args: argparse.Namespace) -> int:
    """Copy the kit into a new folder."""
    try:
        shutil.copytree(FOLDER, args.out, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise UsageError(f"--out {args.out} cannot be written: {error.strerror}") from None
    print(Path(args.out) / "README.md")
    return 0
