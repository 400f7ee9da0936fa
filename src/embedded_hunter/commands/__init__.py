"""The subcommands of ``embedded-hunter``, one module each, imported when they are called.

Such a module has two functions: ``add_arguments(parser)`` and ``run(args) -> int``, which returns
the exit code of the process (0 for success). It is entered in the table of `embedded_hunter.cli`.
"""

import argparse
from collections.abc import Callable, Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question with the most similar of some names; empty if none is similar."""
    found = get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def seed(text: str) -> int:
    """Read a seed, an integer >= 0."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 1000):
        raise argparse.ArgumentTypeError(f"a seed is an integer >= 0, got {text:.50}")
    return int(text)


def one_of(known: Iterable[str], kind: str) -> Callable[[str], str]:
    """Return a reader of names, for lists that are too long for `choices`."""
    names = tuple(known)

    def name(text: str) -> str:
        if text not in names:
            question = did_you_mean(text, names)
            raise argparse.ArgumentTypeError(f"there is no {kind} {text!r:.50}{question}")
        return text

    return name
