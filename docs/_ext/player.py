"""``{player}``: Algorithm 1 at work, step by step, with runs that this extension makes.

The element and its script are those of `embedded_hunter.plots.player`. The run that is shown first
is part of the page; each other one is a file, ``_static/player/NAME.js``, which the script loads
when it is chosen.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from embedded_hunter import Settings
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.player import WEB, Player
from reproduction.growth import steps_of_run
from reproduction.problems.hidden import Problem
from reproduction.problems.registry import PROBLEMS

N, V, SEED = 100, 60, 3
SHADES = "0123456789abcdef"


@dataclass
class Menu:
    """A menu above the player: a label, and the values with their texts."""

    label: str
    values: Mapping[str, str]
    chosen: str


FILES = "_static/player/"
MENUS = (
    Menu(
        "function",
        {"ackley": "Ackley", "rosenbrock": "Rosenbrock", "ellipsoid": "Ellipsoid",
         "fletcher_powell": "Fletcher-Powell"},
        "ackley",
    ),
    Menu(
        "matrices",
        {"fresh": "new for each evaluation (the paper)", "indexed": "kept (policy indexed)"},
        "fresh",
    ),
    Menu("<i>M</i>", {"0": "0", "5": "5"}, "5"),
)  # fmt: skip


@cache
def problem(name: str) -> Problem:
    """Return a test problem with two effective coordinates."""
    return PROBLEMS[name](N, 2, SEED)


@cache
def background(name: str) -> str:
    """Return the picture of a test problem on the plane of the effective coordinates."""
    return shades(problem(name).effective)


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


def player(chosen: tuple[str, ...]) -> Player:
    """Return the player of the run that the values of the menus name."""
    name, policy, M = chosen
    settings = Settings(N, 2, V, M=int(M), policy=policy)
    steps = steps_of_run(settings, problem(name).effective, SEED, rows=2)
    return Player(steps, background(name))


def form(menus: Sequence[Menu]) -> str:
    """Return the menus as HTML. The values that are chosen, joined by "-", name a run."""
    selects = []
    for menu in menus:
        options = "".join(
            f'<option value="{html.escape(value)}"{" selected" * (value == menu.chosen)}>'
            f"{html.escape(text)}</option>"
            for value, text in menu.values.items()
        )
        selects.append(f"<label>{menu.label} <select>{options}</select></label>")
    return f'<form class="eh-choices" hidden autocomplete="off">{"".join(selects)}</form>'


class PlayerDirective(SphinxDirective):
    """The player, with the first value of each menu that `MENUS` chooses."""

    def run(self) -> list[nodes.Node]:
        """Return the element."""
        self.env.note_reread()
        chosen = tuple(menu.chosen for menu in MENUS)
        shown = player(chosen)
        runs = "../" * self.env.docname.count("/") + FILES
        shown.menus = form(MENUS)
        shown.attributes = f' data-run="{"-".join(chosen)}" data-runs="{runs}"'
        return [nodes.raw("", shown.element(), format="html", classes=["player"])]


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the files of the runs."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, FILES)
    folder.mkdir(parents=True, exist_ok=True)
    for chosen in product(*(menu.values for menu in MENUS)):
        name = "-".join(chosen)
        text = f'embeddedHunter.arrived("{name}", {player(chosen).data()});\n'
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


def add_files(app: Sphinx, page: str, template: str, context: Any, doctree: Any) -> None:
    """Let the pages that have a player load its style and its script."""
    if doctree is not None and any(
        "player" in raw["classes"] for raw in doctree.findall(nodes.raw)
    ):
        app.add_css_file("player.css")
        app.add_js_file("player.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Register the directive and its files."""
    app.add_directive("player", PlayerDirective)
    app.config.html_static_path.append(str(WEB))
    app.connect("html-page-context", add_files)
    app.connect("build-finished", write)
