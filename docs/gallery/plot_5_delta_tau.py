r"""
Delta, tau and the set of near-optimal nodes
============================================

How fast can the search be? The paper's answer needs two numbers for each depth :math:`h`. The
first, :math:`\delta(h)`, says how much a function :math:`g_p(y) = f(P_X(A_p y))` can differ between
the base point of an optimal cell and the rest of the cell. The second, :math:`\tau(h)`, says how
much the functions of two matrices can differ at this base point. A node is *near-optimal* at its
depth if its value is at most :math:`f^* + \tau(h) + \delta(h)`. These nodes form the set
:math:`I_h`. Only they can delay the search.

As printed, the two definitions range over all matrices that a Gaussian can produce. Then they are
useless, because every cell is optimal (see the errata). Here they range over three given matrices.
This is the figure of the paper's supplement, drawn from computed numbers.

Claims: ``near-optimal-points``, ``definition-2``, ``assumption-4``.
"""

# %%
# Three matrices, one variable
# ----------------------------
#
# With :math:`d = 1` a matrix is a number, and the three curves are one function, stretched by three
# factors. They agree at :math:`y = 0` and differ more for larger :math:`|y|`; :math:`\tau` is
# this difference. The search uses the blue curve. Dots are nodes; those in the orange band are
# near-optimal. With depth the band becomes narrow, and a smaller share of the nodes is in it.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter.plots.pictures import STYLE
from reproduction.theory.finite_time import (
    iterations_of_sweeps,
    multiples_of_delta,
    near_optimal_nodes,
    sweeps_to_expand,
)
from reproduction.theory.geometry import base_points
from reproduction.theory.indexed import indexed_delta, indexed_node_values, indexed_tau

plt.rcParams.update(STYLE)
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#999999"
K, R, h_max = 3, 2.0, 7
B = np.array([[[0.45]], [[0.42]], [[0.48]]])  # A_1, A_2, A_3: d_e = d = 1
y_star = 0.9
x_star = B[0] @ [y_star]


def ripples(x):
    """A distance with ripples, Lipschitz with constant 1 + 0.08 * 20 = 2.6."""
    r = np.abs(x[:, 0] - x_star[0])
    return r + 0.08 * np.abs(np.sin(20 * r))


f, f_star, lipschitz = ripples, 0.0, 2.6
depths = range(h_max + 1)
widest = max(abs(B - B[0]).ravel())
delta = [indexed_delta(h, 1, K, R, lipschitz, abs(B[0, 0, 0])) for h in depths]
tau = [indexed_tau(h, 1, K, R, lipschitz, widest) for h in depths]
eps = np.add(delta, tau)
values = [indexed_node_values(f, B[:1], h, K, R, 0) for h in depths]

line = np.linspace(-R, R, 2000)
figure, axes = plt.subplots(2, 2, figsize=(6.4, 4.6), sharex=True, sharey=True)
for ax, h in zip(axes.flat, (1, 2, 3, 5), strict=True):
    for k in (1, 2, 0):
        ax.plot(line, f(line[:, None] @ B[k]), color=GREY if k else BLUE, lw=0.7 if k else 1.2)
    level = f_star + eps[h]
    near = values[h] <= level
    ax.axhspan(f_star, level, color=ORANGE, alpha=0.12, lw=0)
    middle = base_points(h, 1, K, R)[:, 0]
    if h <= 3:  # deeper, the borders of the cells would be one grey bar
        ax.vlines(middle + R / K**h, -0.08, 0.0, color=GREY, lw=0.6)
    ax.plot(
        middle[~near], values[h][~near], "o", ms=9 / (h + 2), mfc="white", color="black", mew=0.4
    )
    ax.plot(middle[near], values[h][near], "o", ms=12 / (h + 2), color=ORANGE)
    ax.set_title(f"depth {h}: {near.sum()} of {near.size} nodes in $I_{h}$")
    assert near.sum() == near_optimal_nodes(values[h], level)
axes[0, 0].set(xlim=(-R, R), ylim=(-0.08, 1.5))
for ax in axes[1]:
    ax.set_xlabel("$y$")
for ax in axes[:, 0]:
    ax.set_ylabel("$g_p(y)$")
plt.show()

# %%
# The two numbers against depth
# -----------------------------
#
# :math:`\delta` falls with the size of the cells. :math:`\tau` rises, because deeper base points
# lie farther out. Their sum has a floor; no guarantee can be below it. The paper bounds the sum by
# a falling sequence, :math:`\hat m \delta(h)` with a whole number :math:`\hat m`. This bound is
# easy to write and very loose at the top of the tree, where all nodes are within it.
m_hat = multiples_of_delta(tau, delta)[-1]
figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.0))
left.plot(depths, delta, "v-", ms=4, color=BLUE, label=r"$\delta(h)$")
left.plot(depths[1:], tau[1:], "^-", ms=4, color=GREY, label=r"$\tau(h)$")
left.plot(depths, eps, "o-", ms=4, color=ORANGE, label=r"$\tau(h) + \delta(h)$")
printed = m_hat * np.array(delta)
left.plot(depths, printed, "k:", label=rf"$\hat m \delta(h)$, $\hat m = {m_hat}$")
left.set(yscale="log", xlabel="depth h", title="how far from the optimum")
left.legend(fontsize=7)


def counts(widths):
    """Number of nodes within each width of the optimum, depth by depth."""
    return [near_optimal_nodes(v, f_star + w) for v, w in zip(values, widths, strict=True)]


right.plot(depths, [K**h for h in depths], "k-", lw=0.8, label="all nodes")
right.plot(depths, counts(printed), "k:", label=r"within $\hat m \delta(h)$")
right.plot(depths, counts(eps), "o-", ms=4, color=ORANGE, label=r"$|I_h|$: within $\tau + \delta$")
right.plot(depths, counts(delta), "v-", ms=4, color=BLUE, label=r"within $\delta$ alone")
right.set(yscale="log", xlabel="depth h", title="how many nodes")
right.legend(fontsize=7)
plt.show()

# %%
# From nodes to time
# ------------------
#
# The corrected Lemma 1 adds up the nodes: the optimal node of depth :math:`h` is expanded within
# the first :math:`S_h` sweeps. A sweep visits at most :math:`h_{\max} + 1` depths (the paper counts
# :math:`h_{\max}`). With one matrix, :math:`\tau = 0`, and far fewer sweeps than
# nodes are enough.
print(" h  nodes to depth h   S_h, three matrices   S_h, one matrix   iterations, one matrix")
three = sweeps_to_expand(values, f_star, eps)
one = sweeps_to_expand(values, f_star, delta)
for h in depths:
    print(
        f"{h:2} {(K ** (h + 1) - 1) // (K - 1):14} {three[h]:18} {one[h]:17} "
        f"{iterations_of_sweeps(one[h], h_max):18}"
    )
