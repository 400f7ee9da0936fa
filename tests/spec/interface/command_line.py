"""Every command of both programs with all its options, as text: `command_line.txt` is a copy of it.

    cd tests/spec/interface; python command_line.py > command_line.txt

It is made from the parsers and not from what ``--help`` prints, which differs between versions of
Python.
"""

import argparse
import textwrap
from collections.abc import Iterator
from typing import Any, cast
from unittest.mock import patch

from embedded_hunter.cli import PROGRAM
from reproduction import cli
from reproduction.commands import coco
from reproduction.methods import in_coco

PROGRAMS = (PROGRAM, cli.PROGRAM)


def text() -> str:
    """Return all of it, as where all extras are installed."""
    with patch.object(coco, "available", lambda: tuple(in_coco())):
        parts = [
            line
            for program in PROGRAMS
            for name in program.commands
            for line in described(f"{program.name} {name}", commands_of(program.parser(name))[name])
        ]
    return "\n".join(parts).rstrip() + "\n"


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the subcommands."""
    found = [action for action in parser._actions if kind_of(action) == "SubParsers"]
    return dict(cast(Any, found[0]).choices) if found else {}


def described(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of a command and of those below it."""
    yield f"{name}\n{'=' * len(name)}\n"
    # In one line, unless the formatter keeps the lines as they are.
    keeps = parser.formatter_class is argparse.RawDescriptionHelpFormatter
    yield str(parser.description) if keeps else wrapped(str(parser.description))
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.dest != "help"]
        if shown:
            yield f"\n{group.title}:"
        for action in shown:
            yield from option(action)
    yield "\n"
    for word, subparser in commands_of(parser).items():
        yield from described(f"{name} {word}", subparser)


def kind_of(action: argparse.Action) -> str:
    """Return what an option does: Store, StoreTrue, SubParsers."""
    return type(action).__name__.strip("_").removesuffix("Action")


def option(action: argparse.Action) -> Iterator[str]:
    """Yield the lines of an option: its names, where it goes, its values, its default, its help."""
    kind = kind_of(action)
    words = [", ".join(action.option_strings) or action.dest]
    if action.option_strings:
        words.append(f"gives {action.dest}")
    if kind == "Store":
        words += [f"nargs {action.nargs!r}"] if action.nargs is not None else []
    elif kind != "SubParsers":
        words.append(f"{kind} {action.const!r}")
    if action.type is not None:
        words.append(getattr(action.type, "__name__", repr(action.type)))
    if action.choices is not None:
        words.append(f"one of {' '.join(map(str, action.choices))}")
    for attribute in ("metavar", "default"):
        value = getattr(action, attribute)
        words += [f"{attribute} {value!r}"] if value is not None else []
    if action.required and (action.option_strings or kind == "SubParsers"):
        words.append("required")
    yield wrapped("; ".join(words), "  ", "      ")
    if action.help:
        yield wrapped(action.help % {"default": action.default}, " " * 8)
    if kind == "SubParsers":
        entries: Any = getattr(action, "_get_subactions")()  # noqa: B009 -- known to subparsers alone
        for entry in entries:
            yield wrapped(f"{entry.dest}: {entry.help}", " " * 8)


def wrapped(text: str, indent: str = "", further: str | None = None) -> str:
    """Return a text in lines of at most 96 characters."""
    after = indent if further is None else further
    return textwrap.fill(
        text, 96, initial_indent=indent, subsequent_indent=after, break_on_hyphens=False
    )


if __name__ == "__main__":
    print(text(), end="")
