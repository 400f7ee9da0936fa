"""``embedded-hunter kit``: write the conformance kit, for those who implement Algorithm 1."""

import argparse
import json
import shutil
from pathlib import Path

from embedded_hunter import traces
from embedded_hunter.common.extras import UsageError
from embedded_hunter.traces.schema import schema

FOLDER = Path(traces.__file__).parent / "kit"
"""The README with the format, the golden traces, and a program in plain Python."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--out", metavar="DIR", default="kit", help="a new folder (default: kit)")


def run(args: argparse.Namespace) -> int:
    """Copy the kit into a new folder, and write the schema of a trace there."""
    try:
        shutil.copytree(FOLDER, args.out, ignore=shutil.ignore_patterns("__pycache__"))
        text = json.dumps(schema(), indent=2)
        Path(args.out, "trace.schema.json").write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {args.out} cannot be written: {error.strerror}") from None
    print(Path(args.out) / "README.md")
    return 0
