r"""
Classes of equal norm
=====================

The distribution of the image of a point :math:`y` of :math:`Y` under a random projection depends on
the norm :math:`\|y\|`, and on nothing else. So the algorithm looks at the leaves of one depth in
classes. All leaves whose base points have the same norm form one class. The class with the largest
norm comes first (line 4 of Algorithm 1).

Claims: ``norm-classes``, ``norms-of-depth``, ``norm-monotonicity``.
"""

# %%
# Which base points share a norm
# ------------------------------
#
# The left picture shows the base points of all cells of depth 4 for :math:`d = 2`, and circles
# through them. Norms are compared exactly, as whole numbers. Rounded norms would split classes. The
# right picture shows how many cells and how many classes a depth has.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import Search, Settings
from embedded_hunter.node import (
    splits,
)
from embedded_hunter.plots.pictures import STYLE
from reproduction.problems.registry import PROBLEMS
from reproduction.theory.geometry import base_point_numerators, base_points, norm_class_bound

plt.rcParams.update(STYLE)
problem = PROBLEMS["ackley"](n=100, d_e=2, rng=0)
settings = Settings(problem.n, d=2, v=250, M=0, h_max=8, policy="indexed")
K, R = settings.K, float(settings.radius)


def norms_of_depth(h, d):
    """Squared norms of all base points of depth h, as whole numbers in a common unit."""
    s = np.array(splits(h, d))
    lifted = base_point_numerators(h, d, K) * K ** (s.max() - s)
    return (lifted**2).sum(axis=1)


y = base_points(4, 2, K, R)
_, which = np.unique(norms_of_depth(4, 2), return_inverse=True)
place = which.max() - which  # 0: the largest norm, which is looked at first

figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.1))
left.scatter(*y.T, c=place, cmap="viridis", s=14, zorder=2)
for radius in np.unique(np.round(np.hypot(*y.T), 9)):
    left.add_patch(plt.Circle((0, 0), radius, fill=False, lw=0.4, color="#999999"))
left.set(
    xlim=(-R, R), ylim=(-R, R), aspect="equal", xlabel="$y_1$", ylabel="$y_2$",
    title=f"depth 4: {len(y)} cells, {place.max() + 1} classes",
)  # fmt: skip

depths = np.arange(9)
right.plot(depths, K**depths, "k:", label="cells, $3^h$")
for d, color in ((2, "#0072b2"), (10, "#d55e00")):
    counts = [np.unique(norms_of_depth(h, d)).size for h in depths]
    bounds = [norm_class_bound(h, d, K) for h in depths]
    right.plot(depths, counts, "o-", ms=3, color=color, label=f"classes, d = {d}")
    right.plot(depths, bounds, "--", lw=1, color=color, label=f"bound on them, d = {d}")
right.set(yscale="log", xlabel="depth h", title="classes are few")
right.legend(fontsize=7)
plt.show()

# %%
# One visit of one depth
# ----------------------
#
# A visit goes through the classes of one depth, largest norm first. In each class it looks at the
# best leaf only, and expands it if its value is below :math:`\nu_{\min}`, the least value expanded
# so far in this sweep. So :math:`\nu_{\min}` can only fall, and the best leaf of a later class has
# to be better than everything expanded before it.
#
# The picture shows the visit of a run that expanded the most leaves. Each column is a class. A leaf
# is expanded (orange ring) only where the blue line falls.
search = Search(settings, 3, rows=problem.d_e)
visits, sweep, nu_min = [], 0, np.inf
while queries := search.ask():
    visit = search.visit
    if visit.sweep != sweep:
        sweep, nu_min = visit.sweep, np.inf  # every sweep begins anew
    classes = visit.tree.norm_classes(visit.l) if sweep else []
    values = [[leaf.f_star for leaf in one_class] for one_class in classes]
    expanded = [leaf.f_star for leaf, _ in visit.expansions]
    visits.append((len(expanded), sweep, visit.l, nu_min, values, expanded))
    nu_min = min([nu_min, *expanded])
    search.tell(queries, [float(problem.effective(query.x)) for query in queries])
_, sweep, depth, nu_min, values, expanded = max(visits, key=lambda seen: seen[0])

figure, ax = plt.subplots(figsize=(6.4, 3.2))
level, steps = nu_min, []
for j, one_class in enumerate(values):
    ax.plot([j] * len(one_class), one_class, "_", color="#999999", ms=7)
    level = min(level, *[f for f in expanded if f in one_class], np.inf)
    steps.append(level)
    if min(one_class) in expanded:
        ax.plot(j, min(one_class), "o", ms=7, mfc="none", mec="#d55e00", mew=1.5)
at = np.append(np.arange(len(values)) - 0.5, len(values) - 0.5)
ax.stairs(steps, at, baseline=None, color="#0072b2", lw=1.2)
ax.plot([], [], "_", color="#999999", label="a leaf")
ax.plot([], [], "o", mfc="none", mec="#d55e00", mew=1.5, label="expanded")
ax.plot([], [], color="#0072b2", label=r"$\nu_{\min}$ after the class")
ax.set(
    xlabel="classes of the depth, largest norm first", ylabel="value $f^*_{h,i}$",
    title=f"sweep {sweep}, depth {depth}", xticks=[],
)  # fmt: skip
ax.legend()
plt.show()
