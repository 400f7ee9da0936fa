"""``python -m reproduction figure``: draw Figure 1 from a campaign and write its report."""

import argparse
from pathlib import Path

from embedded_hunter.extras import UsageError, extra
from reproduction.figure_1.figures import figure
from reproduction.figure_1.report import made_by, report
from reproduction.figure_1.samples import cells_of, published_cells
from reproduction.kept_runs import FILE, read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", metavar="DIR", help="folder of the campaign (reproduce --out)")
    parser.add_argument(
        "--published",
        metavar="DIR2",
        help="folder of the published curves, one file <experiment>.csv each",
    )


def run(args: argparse.Namespace) -> int:
    """Write figure-1.svg, figure-1.png and report.md into the folder."""
    extra("matplotlib")
    extra("pandas")
    try:
        table = Path(args.folder) / FILE
        if not table.exists():
            raise UsageError(
                f"{args.folder} holds no {FILE}, as `python -m reproduction reproduce` writes it"
            )
        lines = read(table)
        ours = cells_of(lines)
        theirs = {} if args.published is None else published_cells(args.published)
        text = report(ours, theirs, made_by(lines), lines["part"].iloc[0])
        written = figure(args.folder, ours, theirs)
        path = Path(args.folder) / "report.md"
        path.write_text(text, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from None
    for name in (*written, path):
        print(name)
    return 0
