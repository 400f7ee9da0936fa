r"""
Figure 1, row by row
====================

The pictures show the paper's five experiments, drawn from the stored runs. The left column follows
the paper's text to the letter (profile ``paper``). The right column follows the behaviour of the
authors' program (profile ``released``). Lines are means of 20 runs. Dashed lines are the published
means, where the authors published raw results.
"""

# %%
# The stored runs
# ---------------
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter.plots.pictures import STYLE
from reproduction.figure_1.figures import LABELS, styles
from reproduction.figure_1.plan import EXPERIMENTS, PUBLISHED
from reproduction.figure_1.samples import cells_of, published_means
from reproduction.kept_runs import kept
from reproduction.problems.registry import OF_PAPER, PROBLEMS

plt.rcParams.update(STYLE)
profiles = {name: cells_of(kept(name)) for name in ("paper", "released")}
published = published_means()


def means(cells, problem, algorithm):
    """Values on the axis, and the mean of the runs at each."""
    xs = [x for *curve, x in cells if curve == [problem, algorithm]]
    return xs, [np.mean(cells[problem, algorithm, x]) for x in xs]


def draw(name):
    """Draw one experiment: a row for each function, a column for each profile."""
    experiment = EXPERIMENTS[name]
    figure, grid = plt.subplots(
        len(OF_PAPER),
        len(profiles),
        figsize=(6.4, 7.4),
        sharex=True,
        sharey="row",
        squeeze=False,
    )
    for line, problem in zip(grid, OF_PAPER, strict=True):
        for ax, cells in zip(line, profiles.values(), strict=True):
            for algorithm in PUBLISHED:
                label, color, marker = styles()[algorithm]
                x, y = means(cells.get(name, {}), problem, algorithm)
                ax.plot(x, y, marker=marker, ms=3.5, lw=1.2, color=color, label=label)
                theirs = means(published[name], problem, algorithm)
                ax.plot(*theirs, "--", lw=1, color=color, alpha=0.6)
            ax.set(xscale="log")
            if name.startswith("effective-dimension"):  # less than two powers of ten
                ax.set_xticks(experiment.values, list(map(str, experiment.values)))
                ax.minorticks_off()
            ax.grid(alpha=0.25)
        drawn = [value for ax in line for curve in ax.get_lines() for value in curve.get_ydata()]
        if max(drawn) > 20 * min(drawn):
            line[0].set_yscale("log")
        line[0].set_ylabel(PROBLEMS[problem].title)
    for ax in grid[-1]:
        ax.set_xlabel(LABELS[name])
    for ax, profile in zip(grid[0], profiles, strict=True):
        ax.set_title(f"profile {profile}")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    plt.show()


# %%
# Convergence
# -----------
#
# Compare red and green at the right end. By the text, RESOO is lower there on FletcherPowell,
# Rosenbrock and Ackley; by the released program's behaviour, EmbeddedHunter is lower on all four
# functions.
draw("convergence")

# %%
# Scalability
# -----------
#
# This experiment is the paper's argument for large :math:`n`. What varies is in fact the width of
# the search box in units of the matrix entries, :math:`\sigma R = d / (\eta \sqrt n)`. The profile
# ``paper`` also has values of :math:`n` beyond the paper's largest. By the text, RESOO (green) is
# below EmbeddedHunter (red) in most cells.
draw("scalability")

# %%
# Number of embeddings
# --------------------
#
# By the text, the red lines are nearly level: :math:`M` makes little difference to EmbeddedHunter.
# On the right, FletcherPowell has another random instance for each :math:`M`.
draw("number-of-embeddings")

# %%
# Effective dimension, known
# --------------------------
#
# The values of EmbeddedHunter and RESOO grow with the effective dimension, but on Ellipsoid they
# are lower at :math:`d = 75` than at :math:`d = 2`.
draw("effective-dimension")

# %%
# Effective dimension, not known
# ------------------------------
#
# The search always has ten dimensions. From 25 to 250 effective dimensions the values of
# EmbeddedHunter and RESOO grow; from 8 down to 2, at least one of the two improves on every
# function.
draw("effective-dimension-knowledge")
