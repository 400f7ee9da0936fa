r"""
From practice: a penalty for each feature
=========================================

A Lasso fit has one penalty for all features. Why not one for each? Because nobody can search 495
penalties by hand, though most of them do not matter. ``WeightedLasso`` is that problem for the
breast-cancer data that come with scikit-learn: 30 measurements of 569 patients, all their products
of two, and the error on patients the fit has not seen as the value to be minimised.
"""

# %%
# Few of many matter
# ------------------
#
# Begin with the one penalty that cross-validation chooses, and exclude one feature after another (a
# penalty of 1 does). Excluding a feature that the fit does not use changes nothing at all, so few
# of the 495 coordinates matter here.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import minimize
from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.problems.lasso import WeightedLasso

plt.rcParams.update(STYLE)
objective = WeightedLasso()
shared = np.full(objective.n, objective.shared_x)
reference = objective(shared)
used = np.flatnonzero(objective.coefficients(shared))

effects = np.zeros(objective.n)
for j in used:  # the others are excluded already
    x = shared.copy()
    x[j] = 1.0
    effects[j] = abs(objective(x) - reference)

figure, ax = plt.subplots(figsize=(6.4, 2.4))
ax.vlines(np.arange(objective.n), 0, effects, color="#0072b2", lw=1)
ax.set(
    xlabel=f"feature, 1 to {objective.n}", ylabel="change of the error", xlim=(0, objective.n),
    ylim=(0, None), title=f"{len(used)} of {objective.n} features are in use",
)  # fmt: skip
plt.show()

# %%
# The search
# ----------
#
# 150 evaluations, :math:`d = 10`, two runs of each method. The searches choose by this error, so it
# flatters them; the table has the error on patients that no choice saw as well. That one does not
# fall: 495 penalties chosen on 114 patients fit those patients. As a test of a search the problem
# is real, as a way to better predictions it needs more data.
methods = {
    "fresh": ("#0072b2", lambda fun, **kw: minimize(fun, objective.bounds, d=10, **kw)),
    "indexed": (
        "#d55e00",
        lambda fun, **kw: minimize(fun, objective.bounds, d=10, policy="indexed", **kw),
    ),
    "uniform random": ("#555555", lambda fun, **kw: random_search(fun, objective.bounds, **kw)),
}
figure, ax = plt.subplots(figsize=(6.4, 3.0))
print("                 validation     test")
print(f"one penalty      {reference:10.4f} {objective.test_error(shared):8.4f}")
for name, (color, search) in methods.items():
    for seed in range(2):
        values = []

        def recorded(x, values=values):
            """Evaluate and keep the value."""
            values.append(objective(x))
            return values[-1]

        result = search(recorded, maxfun=150, rng=seed)
        ax.plot(
            np.minimum.accumulate(values), color=color, drawstyle="steps-post",
            label=name if seed == 0 else None,
        )  # fmt: skip
        print(f"{name:16} {result.fun:10.4f} {objective.test_error(result.x):8.4f}")
ax.axhline(reference, color="black", ls=":", label="one penalty, by cross-validation")
ax.set(xlabel="evaluations", ylabel="best validation error", xlim=(0, 150), ylim=(0.046, 0.07))
ax.legend()
plt.show()
