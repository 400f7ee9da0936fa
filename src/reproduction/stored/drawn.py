"""Stored runs that are drawn at random and made again: a result is valid while they come out again.

The tests draw some runs of each part by the commit. So at a commit the same runs are made on every
machine, and over time every run is.
"""

from collections.abc import Sequence

import numpy as np

from reproduction.stored.catalogue import Part, Run


def draw(part: Part, count: int, seed: np.random.SeedSequence) -> list[Run]:
    """Draw some runs of a part, a run of twice as many evaluations half as often."""
    listed = list(part.stored())
    weights = np.array([1 / part.size(run) for run in listed])
    rng = np.random.default_rng(seed)
    chosen = rng.choice(
        len(listed), min(count, len(listed)), replace=False, p=weights / weights.sum()
    )
    return [listed[k] for k in chosen]


def differing(part: Part, runs: Sequence[Run]) -> list[str]:
    """Make some runs again; say of each whose values differ, in any bit, what they are."""
    stored = part.stored()
    again = {run: part.again(run) for run in runs}
    return [
        f"{part.name}, {', '.join(map(str, run))}: {stored[run]} is stored, {text} comes out today"
        for run, text in again.items()
        if text != stored[run]
    ]
