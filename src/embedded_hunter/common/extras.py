"""Import of optional packages, the extras of ``pyproject.toml``; hints in messages."""

import importlib
from collections.abc import Iterable
from difflib import get_close_matches
from types import ModuleType


class UsageError(Exception):
    """The command line is wrong. The command prints the message on stderr and exits with 2."""


def extra(module: str, name: str = "experiments") -> ModuleType:
    """Import an optional module, which the extra `name` installs.

    UsageError, with the command that installs it, if it is missing.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UsageError(
            f"{package} is not installed; it comes with: pip install -e '.[{name}]' in a checkout"
        ) from None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the most similar known name, or "" if none is similar."""
    found = get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""
