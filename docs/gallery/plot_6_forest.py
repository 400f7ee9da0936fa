r"""
One search over several embeddings
==================================

This is a step beyond the paper. With fresh matrices the tree can learn nothing but a radius. One
fixed matrix may miss the optimum. The policy ``forest`` keeps :math:`P` fixed matrices and gives
each its own tree. Trees of one dimension, as here, are swept at once: at each depth, only the best
leaf of *all* trees may be expanded. An embedding that is worse at every depth gets no more
evaluations, and nobody has to divide the budget beforehand.

Claim: ``forest-rules``.
"""

# %%
# Twelve lines in a square
# ------------------------
#
# There are two variables, and :math:`d = 1`. So an embedding is a straight line through the center
# of the square, bent where it is clipped at the border. None of the lines meets the optimum (the
# star); a random line seldom does. Each dot is an evaluation. The search evaluates a few points of
# every line and then stays with the lines that pass near the star. The right picture shows the
# number of evaluations of each line and its best value.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import Search, Settings
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.plots.pictures import STYLE
from reproduction.problems.registry import PROBLEMS
from reproduction.theory.simple import regret_curve

plt.rcParams.update(STYLE)
x_star = np.array([0.46, 0.46])


def squared_distance(x):
    """Squared distance to the optimum, for a point (2,) or points as columns (2, k)."""
    return ((x.T - x_star) ** 2).sum(axis=-1)


settings = ForestSettings(
    n=2,
    v=150,
    dimensions=[1],
    n_embeddings=12,
    scale=1.0,
    refine=False,
    evolve=False,
    sample=False,
    h_max=8,
)
search = Search(settings, rng=7)
points, trees, values = [], [], []
while queries := search.ask():
    answers = [float(squared_distance(query.x)) for query in queries]
    trees += [p for _, p in search.visit.evaluations]  # which matrix: 1, ..., P
    points += [query.x for query in queries]
    values += answers
    search.tell(queries, answers)
points, trees, values = np.array(points), np.array(trees), np.array(values)

grid = np.linspace(-1, 1, 200)
landscape = squared_distance(np.array(np.meshgrid(grid, grid)).reshape(2, -1)).reshape(200, 200)
color = plt.colormaps["tab20"]
figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.2), width_ratios=[1.15, 1])
left.contourf(grid, grid, np.sqrt(landscape), levels=12, cmap="Greys_r", alpha=0.35)
for p in range(1, 13):
    mine = np.vstack([points[trees == p], [[0.0, 0.0]]])  # all trees share the middle
    far = mine[np.argsort(mine @ mine[np.argmax((mine**2).sum(axis=1))])]
    left.plot(*far.T, "-", lw=0.6, color=color(p - 1))
    left.plot(*mine.T, "o", ms=2.5, color=color(p - 1))
    if np.any(trees == p):
        right.plot(np.sum(trees == p), values[trees == p].min(), "o", ms=6, color=color(p - 1))
left.plot(*x_star, "*", ms=13, color="#d55e00", mec="white")
left.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
right.set(xlabel="evaluations of the line", ylabel="its best value", yscale="log")
plt.show()

# %%
# Against the other policies
# --------------------------
#
# Ten of 10,000 variables matter. The picture shows medians and ranges of three runs; look for the
# number of evaluations at which the green line leaves the others. ``forest`` is told nothing. It
# has twenty embeddings of four dimensions, local searches with quadratic models from the best
# points of several trees, and an evolution strategy in all coordinates. The other policies are
# that of the paper and its indexed variant, with :math:`d = 10`.
n, d_e, v, runs = 10_000, 10, 10_000, 3
policies = {
    "fresh": ("#0072b2", Settings(n, 10, v)),
    "indexed": ("#d55e00", Settings(n, 10, v, policy="indexed")),
    "forest": ("#009e73", ForestSettings(n, v)),
}
shown = np.unique(np.geomspace(1, v, 200).astype(int)) - 1
figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.0))
for ax, name in zip(axes, ("ackley", "rosenbrock"), strict=True):
    problem = PROBLEMS[name](n, d_e, rng=0)
    for label, (color, settings) in policies.items():
        curves = []
        for seed in range(runs):
            search, values = Search(settings, seed, rows=d_e), []
            while queries := search.ask():
                answers = problem.effective(np.array([query.x for query in queries]).T)
                values.extend(answers)
                search.tell(queries, answers)
            curves.append(regret_curve(values, problem.f_star)[shown])
        ax.plot(shown + 1, np.median(curves, axis=0), color=color, label=label)
        ax.fill_between(
            shown + 1, np.min(curves, axis=0), np.max(curves, axis=0), color=color, alpha=0.15, lw=0
        )
    ax.set(xscale="log", xlabel="evaluations", title=name.capitalize())
    ax.margins(x=0)
axes[0].set_yscale("log")
axes[0].set_ylabel("regret $r(v)$")
axes[0].legend(fontsize=7, loc="lower left")
plt.show()
