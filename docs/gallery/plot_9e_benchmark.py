r"""
Six methods on nine functions
=============================

The median of the best values against the budget :math:`v`, drawn from the stored runs of the
:doc:`benchmark </benchmark>`. Lower is better. Left: ten coordinates matter. Right: ten directions
matter that are not along the axes. The first picture shows the paper's four functions, the second
five others.
"""

# %%
# The six are the policy ``forest``, the paper's algorithm EmbeddedHunter and its baseline RESOO,
# uniform random search, differential evolution, and HeSBO-CMA with :math:`d = 2 d_e`. Values below
# :math:`10^{-8}` are drawn there. The thick line is the forest: compare at which budget each line
# falls.
from statistics import median

import matplotlib.pyplot as plt

from embedded_hunter.plots.pictures import STYLE
from reproduction.benchmark.results import kept_results
from reproduction.problems.registry import OF_PAPER, PROBLEMS, WIDER
from reproduction.statistics import FLOOR

plt.rcParams.update(STYLE)
SHOWN = {
    "forest": ("forest", "#d55e00", "-"),
    "fresh": ("EmbeddedHunter", "#0072b2", "-"),
    "resoo": ("RESOO", "#56b4e9", "--"),
    "uniform_random_search": ("uniform random search", "#777777", ":"),
    "differential_evolution": ("differential evolution (20)", "#009e73", "-"),
    "hesbo_cma_2": ("HeSBO-CMA", "#cc79a7", "--"),
}
found = kept_results()


def draw(problems, sets):
    """A row for each function; left and right the two ways to hide it."""
    height = 0.6 + 1.75 * len(problems)
    figure, grid = plt.subplots(
        len(problems), 2, figsize=(4.1, height), sharex=True, sharey="row", squeeze=False
    )
    for problem, row in zip(problems, grid, strict=True):
        for problem_set, title, ax in zip(sets, ("axis-aligned", "rotated"), row, strict=True):
            here = {
                cell: values
                for cell, values in found.items()
                if cell[:2] == (problem_set, problem) and cell.method in SHOWN and len(values) == 20
            }
            for method, (label, color, line) in SHOWN.items():
                cells = sorted(
                    (cell.v, max(median(values), FLOOR))
                    for cell, values in here.items()
                    if cell.method == method
                )
                width = 2.4 if method == "forest" else 1.4
                ax.plot(*zip(*cells, strict=True), line, color=color, lw=width, label=label)
            ax.set(xscale="log", yscale="log")
            ax.set_title(f"{PROBLEMS[problem].title}, {title}", fontsize=8)
            ax.grid(alpha=0.25, lw=0.6)
    for ax in grid[-1]:
        ax.set_xlabel("budget $v$")
    lines = grid[0, 0].get_lines()
    figure.legend(handles=lines, loc="outside upper center", ncols=2, fontsize=8, columnspacing=1)


draw(OF_PAPER, ("axis-aligned", "rotated"))
plt.show()

# %%
# In the paper's functions, FletcherPowell excepted, all coordinates of the optimum are equal. Here
# the optimum is at a random place. Each point is the median of 20 runs. ``fresh`` and RESOO have so
# many at :math:`v = 1000` and 10,000 only.
draw(WIDER, ("wider", "wider-rotated"))
plt.show()
