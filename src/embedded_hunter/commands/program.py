"""A program with subcommands: its parser, and what becomes of errors. See `embedded_hunter.cli`."""

import argparse
import importlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from embedded_hunter.common.extras import UsageError, did_you_mean
from embedded_hunter.version import __version__


class Command(NamedTuple):
    """A subcommand: its help text, and the module that implements it."""

    help: str
    module: str


NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|-(inf|infinity|nan)$", re.IGNORECASE)
"""A negative number, as Python reads it."""


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that prints each error on one line, and reads any negative number."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # Python 3.11 takes -1e3 and -inf for options.
        self._negative_number_matcher = NEGATIVE

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; an unknown option is an error, which suggests one that exists."""
        found, unknown = super().parse_known_args(args, namespace)
        for word in unknown:
            if word.startswith("-"):
                name = word.partition("=")[0].replace("_", "-")
                hint = did_you_mean(name, self._option_string_actions)
                self.error(f"there is no option {word}{hint}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with code 2."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


@dataclass(frozen=True)
class Program:
    """A program with subcommands by name, which is called `name` and described by `about`.

    Only the module of the subcommand that is called is imported.
    """

    name: str
    about: str
    commands: Mapping[str, Command]

    def parser(self, command: str | None) -> Parser:
        """Return the parser. Only the named subcommand gets its options."""
        top = Parser(prog=self.name, description=self.about)
        top.add_argument("--version", action="version", version=f"embedded-hunter {__version__}")
        subparsers = top.add_subparsers(
            title="commands", dest="command", metavar="COMMAND", required=True
        )
        for name, entry in self.commands.items():
            subparser = subparsers.add_parser(name, help=entry.help, description=entry.help)
            if name == command:
                module = importlib.import_module(entry.module)
                module.add_arguments(subparser)
                subparser.set_defaults(run=module.run)
        return top

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Run the command line, ``sys.argv[1:]`` by default; return the exit code of the process.

        0 for success, 1 if the work failed, 2 if the command line is wrong, 130 if the command was
        interrupted, 141 if the output pipe was closed (as in ``embedded-hunter trace | head``).
        """
        arguments = sys.argv[1:] if arguments is None else list(arguments)
        command = next((word for word in arguments if not word.startswith("-")), None)
        try:
            if command is not None and command not in self.commands:
                question = did_you_mean(command, self.commands) or f" (see {self.name} --help)"
                raise UsageError(f"there is no such command{question}")
            args = self.parser(command).parse_args(arguments)
            args.words = arguments
            code: int = args.run(args)
            sys.stdout.flush()
        except UsageError as error:
            print(f"{self.name} {command}: error: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print(f"{self.name} {command}: interrupted", file=sys.stderr)
            return 130
        except MemoryError as error:
            why = f": {error}" if str(error) else ""
            print(f"{self.name} {command}: error: not enough memory{why}", file=sys.stderr)
            return 1
        except OSError as error:  # such as a closed pipe, or a full disk behind stdout
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                return 141
            print(f"{self.name} {command}: error: {error}", file=sys.stderr)
            return 1
        return code
