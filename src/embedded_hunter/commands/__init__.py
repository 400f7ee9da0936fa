"""The subcommands of ``embedded-hunter``, one module each, imported when they are called.

Such a module has two functions: ``add_arguments(parser)`` and ``run(args) -> int``, which returns
the exit code of the process (0 for success). It is entered in the table of `embedded_hunter.cli`.
"""

import importlib
from types import ModuleType


class UsageError(Exception):
    """The command cannot be carried out as given: one line for stderr, exit code 2."""


def extra(module: str, name: str = "experiments") -> ModuleType:
    """Import a module of the extra of that name.

    Raises
    ------
    UsageError
        If it is not installed, saying how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UsageError(
            f"{package} is not installed; it comes with: pip install 'embedded-hunter[{name}]'"
        ) from None
