"""What the package uses only if it is installed: the extras of ``pyproject.toml``."""

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
            f"{package} is not installed; it comes with: pip install -e '.[{name}]' in a checkout"
        ) from None
