r"""
Fresh matrices know only the radius
===================================

In the paper every evaluation draws a new matrix :math:`A` with independent entries
:math:`N(0, \sigma^2)`. Each coordinate of :math:`A y` is then a sum of independent normal numbers.
Therefore

.. math:: A y \quad\text{has exactly the law of}\quad \sigma \|y\| z, \qquad z \sim N(0, I_n).

The direction of :math:`y` has no effect. Only the norm of a point of :math:`Y` counts, and the
tree, which divides :math:`Y` by place, can learn nothing but a radius. This is proved in Rocq,
for continuous objectives, and tested here and in the test suite (claim ``radial-collapse``).

What follows for every rule of choice is the claim ``fresh-ceiling``.
"""

# %%
# Two points of one norm
# ----------------------
#
# The left picture shows three base points of :math:`Y`, two of which have the same norm. The middle
# one shows where 200 fresh matrices send them. The right one shows the values there of Ackley's
# function in ten variables. The two points of equal norm cannot be distinguished. The dotted line
# is the law of :math:`\sigma \|y\| z`, drawn without any matrix.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import Search, Settings
from embedded_hunter.node import base_point, children, root
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.projection import Fresh, Indexed
from reproduction.growth import (
    draw_lowest_values,
    draw_partition,
    last_sweep,
    steps_of_run,
    values_on,
)
from reproduction.problems.registry import PROBLEMS
from reproduction.theory.ceiling import (
    ceiling,
    sample_radial_values,
    scale_grid,
    success_probabilities,
)

plt.rcParams.update(STYLE)
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
rng = np.random.default_rng(1)
deep = Settings(n=100, d=2, v=100, sampler="matrix")  # draws the whole matrix
short = Settings(n=100, d=2, v=100, sampler="norm")  # draws sigma ||y|| z
left, middle, _ = children(root(2), K=3)
corner, west, _ = children(left, K=3)
south, _, _ = children(middle, K=3)
points = {"west": (west, BLUE, "o"), "south": (south, ORANGE, "x"), "corner": (corner, GREEN, ".")}
ten = PROBLEMS["ackley"](n=100, d_e=10, rng=0)

figure, (first, second, third) = plt.subplots(1, 3, figsize=(6.4, 2.5))
for name, (node, color, marker) in points.items():
    first.plot(*base_point(node, deep), marker, color=color, ms=7, label=name)
    x = Fresh(deep, rng, rows=2).project([(node, 1)] * 200)
    second.plot(*x.T, marker, color=color, ms=2.5, alpha=0.6, mew=0.6)
    values = ten.effective(Fresh(deep, rng, rows=10).project([(node, 1)] * 2000).T)
    third.ecdf(values, color=color, label=name)
    values = ten.effective(Fresh(short, rng, rows=10).project([(node, 1)] * 2000).T)
    third.ecdf(values, color="black", ls=":", lw=1)
R = float(deep.radius)
first.set(xlim=(-R, R), ylim=(-R, R), aspect="equal", title="$y$ in $Y$")
first.legend(fontsize=7, loc="upper right")
second.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal", title="$P_X(Ay)$, two of $n$")
third.set(title="their values", xlabel="$f$", ylabel="share below")
plt.show()

# %%
# What the tree makes of it
# -------------------------
#
# The problem is that of :doc:`plot_1_growing`. In three runs with fresh matrices, cells become
# small where chance leads the run, in another place each time. With one fixed matrix (right) they
# become small where the function is low: the lines surround the lowest 2, 10 and 30 % of :math:`Y`,
# the star is the lowest point. With fresh matrices there is no such picture of :math:`Y`: the mean
# value at a point depends on its norm alone.
problem = PROBLEMS["ackley"](n=100, d_e=2, rng=0)
figure, axes = plt.subplots(1, 4, figsize=(6.4, 1.95))
for ax, seed in zip(axes[:3], (1, 2, 3), strict=True):
    fresh = Settings(problem.n, d=2, v=150, M=0, h_max=8)
    grown = steps_of_run(fresh, problem.effective, rng=seed, rows=problem.d_e)
    draw_partition(ax, grown, last_sweep(grown) + 1, points=False)
    ax.set_title(f"fresh, run {seed}")
fixed = Settings(problem.n, d=2, v=150, M=0, h_max=8, policy="indexed")
grown = steps_of_run(fixed, problem.effective, rng=3, rows=problem.d_e)
draw_partition(axes[3], grown, last_sweep(grown) + 1, points=False)
A = Indexed(fixed, np.random.default_rng(3), problem.d_e).matrix(1)
draw_lowest_values(axes[3], grown, values_on(grown, problem.effective, A, side=90))
axes[3].set_title("one fixed matrix")
plt.show()

# %%
# A ceiling for every rule
# ------------------------
#
# Call an evaluation a success if its value is at most some level. With fresh matrices its
# probability is a function of the scale :math:`s = \sigma \|y\|` alone (left, for Ackley's function
# in ten variables). Let :math:`\bar p` be its largest value over the scales. No rule, however
# clever, succeeds more often than one that always uses the scale that is best for this level. So
# any rule succeeds in :math:`v` evaluations with probability at most :math:`1 - (1 - \bar p)^v`
# (right). This ceiling need not be attained at all levels by the same scale. EmbeddedHunter with
# fresh matrices stays below the ceiling, up to chance (40 runs). With indexed matrices, the tree
# can learn more than a radius, and the curve rises above it. The ceiling is estimated from 100,000
# samples for each scale.
levels = np.linspace(5.0, 8.0, 25)
scales = scale_grid(0.05, 1.0, ratio=1.25)
samples = sample_radial_values(lambda x: ten.effective(x.T), 10, scales, 100_000, rng)
pbar = success_probabilities(samples, levels).max(axis=0)

v, runs = 1000, 40
best = {}
for policy in ("fresh", "indexed"):
    settings = Settings(n=10_000, d=10, v=v, policy=policy)
    best[policy] = []
    for seed in range(runs):
        search = Search(settings, seed, rows=10)
        while queries := search.ask():
            search.tell(queries, ten.effective(np.array([q.x for q in queries]).T))
        best[policy].append(search.fun)

figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 2.8))
shown = [6.0, 6.5, 7.0]
for level, p in zip(shown, success_probabilities(samples, shown).T, strict=True):
    left.plot(scales[p > 0], p[p > 0], "o-", ms=3, label=f"$f \\leq {level:g}$")
left.set(xscale="log", yscale="log", xlabel=r"scale $s = \sigma\|y\|$", title="one evaluation")
left.set_ylim(bottom=4e-6)
left.legend(fontsize=7, loc="lower center", ncols=3)
right.plot(levels, ceiling(pbar, v), color="black", label="ceiling, fresh matrices")
for policy, color, label in (("fresh", BLUE, "EmbeddedHunter"), ("indexed", ORANGE, "indexed")):
    right.ecdf(best[policy], color=color, label=label)
right.set(xlim=(1, 8), xlabel="level", ylabel="share of successful runs", title=f"{v} evaluations")
right.legend(fontsize=7, loc="upper left")
plt.show()
