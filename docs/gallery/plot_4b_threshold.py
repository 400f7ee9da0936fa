r"""
The scale at which a matrix begins to cover
===========================================

One random matrix covers an optimum :math:`x^*` with a probability that depends on
:math:`\sigma R\, d / \lVert x^* \rVert` and on :math:`d_e` and :math:`d`. For :math:`d = 2 d_e` the
picture shows it against this number. The more variables the small space has, the steeper is the
rise. The dashed line is its place in the limit, :math:`1 / \psi(1/2) = 2.13` (claim
``coverage-threshold``).
"""

# %%
# Lines are the law of the coverage; beyond d = 100 it is the law at d = 60, moved and stretched.
# Dots are shares of 200 matrices, by linear programs.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter.plots.pictures import STYLE
from reproduction.theory.coverage import sample_covering_radii
from reproduction.theory.coverage_law import coverage_threshold, law_of_coverage

plt.rcParams.update(STYLE)
rng = np.random.default_rng(4)
at = np.linspace(0.8, 4.5, 75)
figure, axes = plt.subplots(figsize=(5, 3.2))
for d, color in ((4, "#999999"), (20, "#0072b2"), (100, "#009e73"), (1000, "#d55e00")):
    law = [law_of_coverage(1.0, d, 1.0, a / d, d // 2) for a in at]
    axes.plot(at, law, color=color, label=f"d = {d}")
    if d <= 20:
        x_star = np.full(d // 2, 0.5)
        radii = sample_covering_radii(x_star, d, 200, rng) / np.linalg.norm(x_star)
        shares = [np.mean(radii <= a / d) for a in at[5::10]]
        axes.plot(at[5::10], shares, "o", ms=3.5, color=color)
axes.axvline(1 / coverage_threshold(0.5), color="black", ls="--", lw=1)
axes.set(xlabel="$\\sigma R\\,d\\,/\\,\\|x^*\\|$", title="one matrix covers, $d = 2 d_e$")
axes.legend(fontsize=7, loc="lower right")
plt.show()
