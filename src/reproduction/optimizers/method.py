"""The entry of a method in the registry."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo


class Style(NamedTuple):
    """How a method is drawn."""

    color: str
    marker: str
    line: str = "-"


@dataclass(frozen=True)
class Method:
    """Something that minimises a black box.

    Attributes
    ----------
    label
        Its name in tables and figures.
    run
        Minimises a black box, until the box raises `Exhausted` or nothing is left to do.
    style
        How figures draw it; chosen for it if there is none.
    figure_1
        Its name in the files of Figure 1; None if it takes no part.
    sets
        The problem sets of the benchmark in which it takes part.
    anytime
        Whether it would do the same with any greater budget.
    needs
        An optional module that it imports.
    embeds
        Whether it searches few variables, and a random map makes the n coordinates of them.
    full
        Whether its runs need all n coordinates, because what it does in the effective ones depends
        on the others.
    told_d_e
        Whether it uses d_e.
    seeded_as
        The name that seeds its runs in the benchmark, if it is not that of the registry: stored
        runs keep their seeds.
    text
        A hash of its file, of a method of one's own.
    """

    label: str
    run: Callable[[BlackBox, ProblemInfo, np.random.Generator], None]
    style: Style | None = None
    figure_1: str | None = None
    sets: tuple[str, ...] = ()
    anytime: bool = False
    needs: str | None = None
    embeds: bool = True
    full: bool = False
    told_d_e: bool = True
    seeded_as: str | None = None
    text: str = ""

    @property
    def installed(self) -> bool:
        """Whether the module that it needs is there."""
        return self.needs is None or find_spec(self.needs) is not None

    def minimize(self, box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
        """Run it until the budget ends it, or nothing is left to do."""
        with suppress(Exhausted):
            self.run(box, info, rng)
