r"""
What several workers save
=========================

The points of one visit are evaluated at the same time, those of two visits never. So the number of
turns of a run depends on the sizes of its visits. Lines: evaluations divided by turns, computed
from these sizes. Dots: the measured speedup, stored by
``python -m reproduction bench workers``. Look for the number of workers from which
a line is level: more workers have nothing to do.
:doc:`/performance` has the measured times.
"""

# %%
# With :math:`K = 3`, the visits of this forest have at most two points, so a third worker has
# nothing to do. With :math:`K = 11` the visits are larger.
import json
from pathlib import Path

import matplotlib.pyplot as plt

from embedded_hunter.plots.pictures import STYLE
from reproduction.performance.workers import batches, turns

plt.rcParams.update(STYLE)
stored = Path("../results/performance/workers.json")  # from docs/gallery, where the build runs this
found = json.loads(stored.read_text(encoding="utf-8"))
colors = ("#0072b2", "#56b4e9", "#009e73", "#d55e00", "#e69f00")

figure, ax = plt.subplots(figsize=(6.4, 3.4))
counts = range(1, 17)
for row, color in zip(found["kinds"], colors, strict=True):
    sizes = batches(row["kind"], row["maxfun"])
    ax.plot(counts, [sum(sizes) / turns(sizes, w) for w in counts], color=color, label=row["kind"])
    measured = [row["seconds"][0] / seconds for seconds in row["seconds"]]
    ax.plot(row["workers"], measured, "o", ms=4, color=color)
ax.axline((1, 1), slope=1, color="black", ls=":", lw=1)
ax.set(xlabel="workers", ylabel="speedup", xlim=(1, 16), ylim=(0, 14), xticks=(1, 2, 4, 8, 16))
ax.legend(fontsize=7)
plt.show()
