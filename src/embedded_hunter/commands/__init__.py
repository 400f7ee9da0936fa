"""The subcommands of ``embedded-hunter``, one module each. A module is imported when it is called.

Each module has two functions: ``add_arguments(parser)`` declares the options, and
``run(args) -> int`` returns the exit code of the process (0 for success). The table of
`embedded_hunter.cli` lists the modules.
"""

import argparse
from contextlib import suppress
from decimal import Decimal


def integer(text: str) -> int:
    """Return the integer in an argument, of at most 100 digits; 1e4 is one too."""
    with suppress(ArithmeticError, ValueError):
        number = Decimal(text)
        if number.is_finite() and number.adjusted() < 100 and number == number.to_integral_value():
            return int(number)
    raise argparse.ArgumentTypeError(
        f"an integer is required, such as 10000 or 1e4, got {text:.50}"
    )


def seed(text: str) -> int:
    """Return the seed in an argument, an integer >= 0."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 1000):
        raise argparse.ArgumentTypeError(f"a seed must be an integer >= 0, got {text:.50}")
    return int(text)
