"""Progress bars on terminals."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]
"""A function that takes the total number of evaluations made so far."""


@contextmanager
def progress(total: int, label: str) -> Iterator[Advance]:
    """Show a progress bar on stderr if tqdm is installed and stderr is a terminal.

    Parameters
    ----------
    total
        Number of evaluations of the run.
    label
        Text in front of the bar.

    Yields
    ------
    Advance
        Call it with the number of evaluations made so far.
    """
    try:
        from tqdm import tqdm
    except ImportError:
        yield lambda done: None
        return
    with tqdm(total=total, desc=label, unit="evals", disable=None, leave=False) as bar:
        yield lambda done: bar.update(done - bar.n) and None
