r"""
How many trees, how many variables, what scale?
===============================================

The page on choosing explains what is shown here. Left: the least scale :math:`\sigma R` at which
the trees that a budget allows cover an optimum with probability 0.95, against the budget. Right:
how often one matrix covers an optimum, against the scale, for :math:`d = 2 d_e`.
"""

# %%
# The blue lines are the law of the coverage for a subspace along the axes, from 4,000 samples that
# every call uses again (standard error at most 0.0022). The dots are simulations with 95 %
# intervals: linear programs for a subspace along the axes. For a rotated subspace
# (:math:`n = 1{,}000`) they show how often a search finds a covering point, which is at most how
# often there is one. The dotted line is a count sketch, which has no scale.
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binomtest

from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.regret import (
    box_for_coverage,
    choose,
    count_sketch_coverage,
    coverage_of_norm,
    sample_covering_radii,
)
from reproduction.theory.rotated import (
    count_rotated_coverage,
)

plt.rcParams.update(STYLE)
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#999999"
d_e, a, n = 10, 0.4634, 1000
norm = a * np.sqrt(d_e)
rng = np.random.default_rng(12)


def share_and_bar(hits, draws):
    """Return a share, and its distances from the ends of its 95 % interval."""
    low, high = binomtest(int(hits), draws).proportion_ci()
    return hits / draws, [[hits / draws - low], [high - hits / draws]]


figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.2))
budgets = np.unique(np.geomspace(50, 50_000, 60).astype(int))
for d, color in ((10, GREY), (15, GREEN), (20, BLUE), (30, ORANGE)):
    trees = [choose(int(v), d_e, norm=norm, d=d).P for v in budgets]
    ones = [1 - 0.05 ** (1 / P) for P in trees]
    scales = [box_for_coverage(one, norm, d, 1.0, d_e) for one in ones]
    left.plot(budgets, scales, color=color, label=f"d = {d}", drawstyle="steps-post")
left.axhspan(0.15, 0.5, color=GREY, alpha=0.15, lw=0)
left.axhline(0.25, color="black", ls="--", lw=1)
left.set(xscale="log", yscale="log", xlabel="budget $v$", title="least scale $\\sigma R$")
left.legend(fontsize=7)

scales = np.linspace(0.05, 0.6, 56)
law = [coverage_of_norm(norm, 2 * d_e, 1.0, s, d_e) for s in scales]
right.plot(scales, law, color=BLUE, label="along the axes, law")
right.axhline(count_sketch_coverage(2 * d_e, d_e), color=GREY, ls=":", label="count sketch")
radii = sample_covering_radii(np.full(d_e, a), 2 * d_e, 200, rng)
for s in (0.15, 0.2, 0.25, 0.35, 0.5):
    axes = share_and_bar(np.sum(radii <= s), radii.size)
    rotated = share_and_bar(count_rotated_coverage(norm, d_e, 2 * d_e, s, n, 40, rng), 40)
    for (share, bar), color, shift in ((axes, BLUE, -0.004), (rotated, ORANGE, 0.004)):
        right.errorbar(s + shift, share, bar, fmt="o", ms=3.5, color=color, capsize=2)
right.plot([], [], "o", ms=3.5, color=BLUE, label="along the axes, counted")
right.plot([], [], "o", ms=3.5, color=ORANGE, label="rotated, found")
right.axvline(0.25, color="black", ls="--", lw=1)
right.set(xlabel="scale $\\sigma R$", title="one matrix covers, d = 20")
right.legend(fontsize=7, loc="center right")
plt.show()
