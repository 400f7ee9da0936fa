"""``{player}``: Algorithm 1 at work, step by step, with a run that this extension makes.

The element is that of `embedded_hunter.plots.player`, with its style and its script.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from embedded_hunter import Settings
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.player import Player
from reproduction.growth import steps_of_run
from reproduction.problems.registry import PROBLEMS

N, V, SEED = 100, 60, 3
SHADES = "0123456789abcdef"


def shades(function: Callable[[Floats], Any], side: int = 24) -> str:
    """Return the values of a function of two variables on a grid over the square [-1, 1]^2.

    Returns
    -------
    str
        One hexadecimal digit for each of the side^2 middles of the grid's squares, row by row
        upwards: the rank of the value in 16 parts, "f" for the lowest values.
    """
    at = (2 * np.arange(side) + 1) / side - 1
    values = np.array([float(function(np.array([x, y]))) for y in at for x in at])
    ranks = np.argsort(np.argsort(-values, kind="stable"), kind="stable")
    return "".join(SHADES[len(SHADES) * int(rank) // values.size] for rank in ranks)


class PlayerDirective(SphinxDirective):
    """The player of a run on a test problem with two effective coordinates."""

    def run(self) -> list[nodes.Node]:
        """Return the element."""
        self.env.note_reread()
        problem = PROBLEMS["ackley"](N, 2, SEED)
        steps = steps_of_run(Settings(N, 2, V, M=5), problem.effective, SEED, rows=2)
        player = Player(steps, shades(problem.effective))
        return [nodes.raw("", player._repr_html_(), format="html")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("player", PlayerDirective)
