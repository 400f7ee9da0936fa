r"""
What an evaluation costs
========================

The cost was measured with ``python -m reproduction bench scaling`` and stored; this page
only draws it. :doc:`/performance` has the same numbers as tables, and says how they were made.
"""

# %%
# Cost beside the floor
# ---------------------
#
# The floor (dashed) is the cost that no method with random matrices can avoid: make the point, clip
# it, call the objective. Look at the distance of each line from the dashed line of its colour.
import json
from pathlib import Path

import matplotlib.pyplot as plt

from embedded_hunter.plots.pictures import STYLE
from reproduction.performance.benches import AXES, POLICIES

plt.rcParams.update(STYLE)
stored = Path("../results/performance/scaling.json")  # from docs/gallery, where the build runs this
found = json.loads(stored.read_text(encoding="utf-8"))
colors = dict(zip(POLICIES, ("#0072b2", "#d55e00"), strict=True))
names = {"n": "variables n", "v": "evaluations v", "d": "searched dimension d", "M": "cap factor M"}

figure, axes = plt.subplots(2, 2, figsize=(6.4, 4.6))
for ax, axis in zip(axes.flat, AXES, strict=True):
    for policy, color in colors.items():
        points = [p for p in found["points"] if (p["axis"], p["policy"]) == (axis, policy)]
        at = [p["value"] for p in points]
        ax.plot(at, [p["run"] for p in points], "o-", ms=4, color=color, label=policy)
        ax.plot(at, [p["floor"] for p in points], "--", lw=1, color=color, label="its floor")
    ax.set(xscale="log", yscale="log", xlabel=names[axis])
    if axis in ("d", "M"):
        ax.set_xticks(at, [str(value) for value in at])
        ax.minorticks_off()
    ax.set_ylim(2, 4000)
for ax in axes[:, 0]:
    ax.set_ylabel("µs per evaluation")
axes[0, 0].legend(fontsize=7)
plt.show()

# %%
# The ratios
# ----------
#
# The same costs, each divided by its floor. The dotted line is the floor itself.
figure, axes = plt.subplots(1, 4, figsize=(6.4, 2.1), sharey=True)
for ax, axis in zip(axes, AXES, strict=True):
    for policy, color in colors.items():
        points = [p for p in found["points"] if (p["axis"], p["policy"]) == (axis, policy)]
        at = [p["value"] for p in points]
        ax.plot(at, [p["ratio"] for p in points], "o-", ms=4, color=color, label=policy)
    ax.axhline(1, color="black", ls=":", lw=1)
    ax.set(xscale="log", xlabel=axis)
    if axis in ("d", "M"):
        ax.set_xticks([1, 5, 20] if axis == "M" else [2, 10, 50], labels=None)
        ax.xaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
axes[0].set_ylabel("cost / floor")
axes[0].legend(fontsize=7)
plt.show()
