r"""
The tree and the partition grow
===============================

EmbeddedHunter does not search the space :math:`X = [-1, 1]^n` of all variables. It searches a small
box :math:`Y = [-R, R]^d`. A random matrix :math:`A` turns each :math:`y` of :math:`Y` into a point
:math:`x` of :math:`X`: multiply, then clip every coordinate to :math:`[-1, 1]`.

The box is cut into cells, and each cell is a node of a tree. A cell is judged by one point only,
its center, the *base point*. To *expand* a cell is to cut it into :math:`K = 3` equal parts along
one coordinate; the next level cuts along the next coordinate.

Here the function has 100 variables, two of which matter. The search space has :math:`d = 2`
dimensions, so :math:`Y` is a square that can be drawn. To keep the first picture simple, all
evaluations use one matrix (policy ``indexed`` with :math:`M = 0`); then each :math:`y` has one
value.

Claims: ``partition-coverage``, ``center-child``.
"""

# %%
# The run
# -------
#
# ``grow`` runs the search and remembers in which sweep each cell was made and cut.
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import Normalize

from embedded_hunter import Settings
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.plots.player import Player
from embedded_hunter.projection import Indexed
from reproduction.growth import (
    CMAP,
    NEW,
    draw_lowest_values,
    draw_partition,
    last_sweep,
    steps_of_run,
    values_of,
    values_on,
)
from reproduction.problems.registry import PROBLEMS

plt.rcParams.update(STYLE)
problem = PROBLEMS["ackley"](n=100, d_e=2, rng=0)
settings = Settings(problem.n, d=2, v=250, M=0, h_max=8, policy="indexed")
run = steps_of_run(settings, problem.effective, rng=3, rows=problem.d_e)

# %%
# Step by step
# ------------
#
# Move the slider, or press Play. A sweep goes from the top of the tree to the bottom. At each depth
# it expands the best leaves, each only if it is better than everything expanded before in the same
# sweep. The player shows the first sweeps of the run.
Player(steps_of_run(settings, problem.effective, rng=3, rows=problem.d_e, most=1000))

# %%
# The same on paper
# -----------------
#
# Cells are coloured by their values, blue where they are low; the last sweep has made the orange
# ones. The curved lines, which the search does not know, surround the lowest 2, 10 and 30 % of
# :math:`Y`; the star is the lowest point. The cells become small within the lines.
A = Indexed(settings, np.random.default_rng(3), problem.d_e).matrix(1)
values = values_on(run, problem.effective, A, side=90)
sweeps = [1, 2, 3, 5, 7, last_sweep(run)]
colors = Normalize(*values_of(run))

# Leaves stand side by side, in the order of i / K^h, each parent above the middle of its children.
nodes = {k: node for k, node in enumerate(run.nodes) if node.born < np.inf}
children = {k: [c for c, node in nodes.items() if node.parent == k] for k in nodes}
leaves = sorted([k for k in nodes if not children[k]], key=lambda k: nodes[k].i / 3 ** nodes[k].h)
place = {k: rank / len(leaves) for rank, k in enumerate(leaves)}
for k in reversed(nodes):
    if children[k]:
        place[k] = sum(place[c] for c in children[k]) / len(children[k])


def draw_tree(ax, sweep):
    """Draw the tree after a sweep, its nodes coloured by f*."""
    shown = [k for k, node in nodes.items() if run.sweep_of(node) <= sweep]
    for c in shown[1:]:
        color, k = NEW if run.sweep_of(nodes[c]) == sweep else "#999999", nodes[c].parent
        ax.plot([place[k], place[c]], [nodes[k].h, nodes[c].h], color=color, lw=0.8, zorder=1)
    x, y = [place[k] for k in shown], [nodes[k].h for k in shown]
    values = [nodes[k].f_star[-1][1] for k in shown]
    ax.scatter(x, y, c=values, cmap=CMAP, norm=colors, s=9, lw=0.3, edgecolors="black", zorder=2)
    ax.set(ylim=(max(node.h for node in nodes.values()) + 0.5, -0.5), xticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)


figure, axes = plt.subplots(4, 3, figsize=(6.4, 7.6), height_ratios=[2, 1.3] * 2)
for k, sweep in enumerate(sweeps):
    above, below = axes[2 * (k // 3) : 2 * (k // 3) + 2, k % 3]
    draw_partition(above, run, sweep, points=sweep <= 3)
    draw_lowest_values(above, run, values)
    draw_tree(below, sweep)
    above.set_title(f"after sweep {sweep}")
for ax in axes[1::2, 0]:
    ax.set_ylabel("depth")
plt.show()

# %%
# Cells stay large where values are poor and become small where values are good. But no region is
# ever given up, because a large cell is compared only with cells that are at least as large. That
# is the whole idea of *optimistic* search: nobody told the algorithm how smooth the function is.
