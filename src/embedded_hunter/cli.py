"""The command ``embedded-hunter``: the table of its subcommands, and its entry point `main`.

A subcommand is an entry of `COMMANDS` and a module with two functions, ``add_arguments(parser)``
and ``run(args) -> exit code`` (see `embedded_hunter.commands`). Only the module of the subcommand
that is called is imported.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from embedded_hunter import __version__
from embedded_hunter.commands import did_you_mean
from embedded_hunter.extras import UsageError


class Command(NamedTuple):
    """A subcommand: its help text, and the module that implements it."""

    help: str
    module: str


COMMANDS = {
    "demo": Command(
        "compare EmbeddedHunter with random search in 10,000 dimensions; draw a picture",
        "embedded_hunter.commands.demo",
    ),
    "minimize": Command(
        "minimise your own function or a test problem",
        "embedded_hunter.commands.minimize",
    ),
    "bench": Command(
        "compare the cost of a run with a floor, the cost that no run can avoid",
        "embedded_hunter.commands.bench",
    ),
    "claims": Command(
        "show the registered claims of the paper and their verdicts",
        "embedded_hunter.commands.claims",
    ),
    "reproduce": Command(
        "run the experiments of the paper's Table 1",
        "embedded_hunter.commands.reproduce",
    ),
    "figure": Command(
        "draw Figure 1 again and write the report of a campaign",
        "embedded_hunter.commands.figure",
    ),
    "compare": Command(
        "compare many optimisation methods on the same problems",
        "embedded_hunter.commands.compare",
    ),
    "coco": Command(
        "run methods on the BBOB functions of the COCO platform, hidden in many coordinates",
        "embedded_hunter.commands.coco",
    ),
    "trace": Command(
        "run on a test problem and write the run as a trace (JSON lines)",
        "embedded_hunter.commands.trace",
    ),
    "check": Command(
        "check whether a trace is a run of Algorithm 1 or of the policy forest",
        "embedded_hunter.commands.check",
    ),
    "plot": Command(
        "show where the evaluations of a run went, from its trace: a table and a picture",
        "embedded_hunter.commands.plot",
    ),
    "play": Command(
        "write a trace as a web page that steps through the run",
        "embedded_hunter.commands.play",
    ),
    "kit": Command(
        "write the conformance kit: the trace format, golden traces, an example program",
        "embedded_hunter.commands.kit",
    ),
}


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that prints each error on one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with code 2."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def parser(command: str | None) -> Parser:
    """Return the parser. Only the named subcommand gets its options."""
    top = Parser(
        prog="embedded-hunter",
        description="EmbeddedHunter: black-box minimisation of functions of many variables, few "
        "of which matter.",
    )
    top.add_argument("--version", action="version", version=f"embedded-hunter {__version__}")
    subparsers = top.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True
    )
    for name, entry in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=entry.help, description=entry.help)
        if name == command:
            module = importlib.import_module(entry.module)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code of the process.

    Parameters
    ----------
    arguments
        The arguments after the name of the program, ``sys.argv[1:]`` by default.

    Returns
    -------
    int
        0 for success, 1 if the work failed, 2 if the command line is wrong, 130 if the command was
        interrupted, 141 if the output pipe was closed (as in ``embedded-hunter trace | head``).
    """
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    command = next((word for word in arguments if not word.startswith("-")), None)
    try:
        if command is not None and command not in COMMANDS:
            question = did_you_mean(command, COMMANDS) or " (see embedded-hunter --help)"
            raise UsageError(f"there is no such command{question}")
        args = parser(command).parse_args(arguments)
        code: int = args.run(args)
        sys.stdout.flush()
    except UsageError as error:
        print(f"embedded-hunter {command}: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"embedded-hunter {command}: interrupted", file=sys.stderr)
        return 130
    except MemoryError as error:
        why = f": {error}" if str(error) else ""
        print(f"embedded-hunter {command}: error: not enough memory{why}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code
