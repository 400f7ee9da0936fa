r"""
A real problem: a penalty for each feature
==========================================

A Lasso fit usually has one penalty for all features. One penalty for each feature would be more
flexible, but nobody can search 495 penalties by hand, although most of them do not matter.
``WeightedLasso`` is this problem for the breast-cancer data that come with scikit-learn. The
features are 30 measurements of 569 patients and all products of two of them. The value to be
minimised is the error on patients that the fit has not seen.

Claim: ``practice-lasso``.
"""

# %%
# Few of many matter
# ------------------
#
# Begin with the one penalty that cross-validation chooses. Then exclude each feature in turn, by
# setting its penalty to 1. If the fit does not use a feature, excluding it changes nothing at all.
# So few of the 495 coordinates matter here: the bars in the picture.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import minimize
from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.plots.pictures import STYLE
from reproduction.lasso import WeightedLasso

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
# Each method makes two runs of 150 evaluations, with :math:`d = 10`. The searches choose penalties
# by the validation error, so this error flatters them. The table also gives the error on patients
# that were not used for any choice. That error does not fall: 495 penalties chosen on 114 patients
# fit these patients. The problem is a real test of a search. For better predictions it needs more
# data. A line below the dotted one has a smaller validation error than one penalty for all
# features.
methods = {
    "fresh": (
        "#0072b2",
        lambda fun, **kw: minimize(fun, objective.bounds, policy="fresh", d=10, **kw),
    ),
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
