r"""
Does the small space contain an optimum?
========================================

A search of :math:`Y` can find an optimum :math:`x^*` only if the matrix sends some :math:`y` of
:math:`Y` to it. Then we say that :math:`Y` *covers* the optimum. The paper says that
:math:`Y = [-d/\eta, d/\eta]^d` covers it with probability :math:`1 - \eta`. That is true for matrix
entries of variance 1. For the paper's own variance :math:`1/n` it fails once :math:`n` is large
(claim ``coverage``).
"""

# %%
# What a random matrix makes of Y
# -------------------------------
#
# Two of :math:`n` variables matter, and :math:`d = 2`. Each parallelogram is the image of :math:`Y`
# under one random matrix, in the two variables that matter. The star is the optimum; the
# square is :math:`X`. Blue parallelograms contain the star. All pictures show the same matrices,
# divided by :math:`\sqrt n`. The images shrink as :math:`n` grows, until none contains the star.
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binomtest

from embedded_hunter.plots.pictures import STYLE
from reproduction.theory.coverage import (
    box_that_keeps_the_promise,
    coverage_probability,
    covering_radius,
    sample_covering_radii,
)
from reproduction.theory.coverage_law import law_of_coverage

plt.rcParams.update(STYLE)
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#999999"
eta, rng = 0.3, np.random.default_rng(2)
x_star, R = np.array([0.4634, 0.4634]), 2 / eta
matrices = rng.standard_normal((12, 2, 2))
corners = R * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])

figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.5))
for ax, n in zip(axes, (10, 100, 1000), strict=True):
    covering = 0
    for A in matrices / np.sqrt(n):
        covers = covering_radius(A, x_star) <= R
        covering += covers
        color = BLUE if covers else GREY
        ax.fill(*(A @ corners.T), facecolor=color, alpha=0.12, zorder=1 + covers)
        ax.fill(*(A @ corners.T), fill=False, edgecolor=color, lw=0.8, zorder=1 + covers)
    ax.plot(*x_star, "*", color=ORANGE, ms=12, mec="white", zorder=3)
    ax.add_patch(plt.Rectangle((-1, -1), 2, 2, fill=False, lw=1.2, zorder=3))
    ax.set(xlim=(-2, 2), ylim=(-2, 2), aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.set_title(f"n = {n}: {covering} of {len(matrices)} cover")
plt.show()

# %%
# The exact law
# -------------
#
# Here ten variables matter, so :math:`n \ge 10`, and :math:`d = 10`. The picture shows the
# paper's bound, the exact probability for variance :math:`1/n`, and the share counted with random
# matrices (dots, with 95 % intervals). The probability depends on :math:`n` only through
# :math:`\sigma R = d / (\eta \sqrt n)`. So the paper's experiment on large :math:`n` measures the
# size of the box, not the number of variables. Right: how wide the box would have to be; above
# the dashed line it is wider than the paper's.
d = 10
dimensions = np.geomspace(d, 1e5, 41)
counted = (10, 100, 1000, 10_000)
optima = {
    "0.2 everywhere (Rosenbrock)": (0.2, BLUE),
    "0.4634 everywhere (Ackley)": (0.4634, ORANGE),
}


def share_and_bar(hits, draws):
    """Return a share, and its distances from the ends of its 95 % interval."""
    low, high = binomtest(int(hits), draws).proportion_ci()
    return hits / draws, [[hits / draws - low], [high - hits / draws]]


def exact(a, n):
    """Coverage of the optimum (a, ..., a) in n variables with the paper's sigma and R."""
    return coverage_probability(np.full(d, a), 1 / np.sqrt(n), d / eta)


figure, (ax, wide) = plt.subplots(1, 2, figsize=(6.4, 3.2), width_ratios=[1.7, 1])
ax.axhline(1 - eta, color="black", ls="--", lw=1, label=r"the paper, $1 - \eta$")
for name, (a, color) in optima.items():
    ax.plot(dimensions, [exact(a, n) for n in dimensions], color=color, label=name)
    radii = sample_covering_radii(np.full(d, a), d, 1000, rng)
    for n in counted:
        share, bar = share_and_bar(np.sum(radii <= d / eta / np.sqrt(n)), radii.size)
        ax.errorbar(n, share, bar, fmt="o", ms=3.5, color=color, capsize=2)
ax.set(xscale="log", xlabel="variables $n$", ylabel="probability", title="optimum covered")
ax.legend(fontsize=7, loc="lower left")
needed = [box_that_keeps_the_promise(eta, d, 1 / np.sqrt(n)) / (d / eta) for n in dimensions[::4]]
wide.plot(dimensions[::4], needed, color=BLUE)
wide.axhline(1, color="black", ls="--", lw=1)
wide.set(
    xscale="log", yscale="log", xlabel="variables $n$", title="box that keeps the promise\n"
    r"($R$ in units of $d/\eta$)",
)  # fmt: skip
plt.show()

# %%
# The remedy is simple: entries of variance 1 (``sigma=1``), or a box that is wider by the factor
# :math:`\sqrt n`.
#
# More dimensions than variables that matter
# ------------------------------------------
#
# Another remedy is a larger :math:`d`. Then the optimum has many preimages, and the law is
# :math:`P(D \ge \lVert x^*\rVert / (\sigma R))`, where :math:`D` is the residual of a fit of least
# absolute deviations to normal data. The lines show it for the same optimum
# :math:`(0.4634, \dots, 0.4634)`: from quadrature for :math:`d = 10`, otherwise from 4,000 samples
# (standard error at most 0.0022). The dots are shares of 200 matrices, each decided by a linear
# program, with 95 % intervals.
scales = np.geomspace(0.05, 20, 60)
norm = 0.4634 * np.sqrt(d)
figure, third = plt.subplots(figsize=(6.4, 3.2))
for more, color in ((10, GREY), (11, GREEN), (15, BLUE), (20, ORANGE)):
    law = [law_of_coverage(norm, more, 1.0, s, d) for s in scales]
    third.plot(scales, law, color=color, label=f"d = {more}")
    radii = sample_covering_radii(np.full(d, 0.4634), more, 200, rng)
    for s in (0.1, 0.2, 0.4, 0.8, 1.6, 6.4):
        share, bar = share_and_bar(np.sum(radii <= s), radii.size)
        third.errorbar(s, share, bar, fmt="o", ms=3.5, color=color, capsize=2)
third.set(xscale="log", xlabel="scale $\\sigma R$", ylabel="probability", title="optimum covered")
third.legend(fontsize=7)
plt.show()
