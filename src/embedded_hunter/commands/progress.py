"""A progress bar for terminals."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]
"""Takes how much has been done in all."""


@contextmanager
def progress(total: int, label: str) -> Iterator[Advance]:
    """Show a bar on stderr: with tqdm if it is installed, and on a terminal only.

    Yields
    ------
    Advance
        To be called with the number of evaluations made so far.
    """
    try:
        from tqdm import tqdm
    except ImportError:
        yield lambda done: None
        return
    with tqdm(total=total, desc=label, unit="evals", disable=None, leave=False) as bar:
        yield lambda done: bar.update(done - bar.n) and None
