r"""
Which variables mattered?
=========================

A run of the forest with 1,000 variables, five of which matter. Left: what the 2,000 values of the
run tell without further evaluations. Right: what 200 further evaluations tell at the best point.
The two effects are different quantities; :func:`~embedded_hunter.run.influence.influence` says
which.
"""

# %%
# The dots are the variables that are found, with 95 % intervals, from the greatest effect to the
# least. The crosses are variables that matter and are not found. In one run of twenty a variable
# that does not matter may be found.
import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import influence, minimize
from embedded_hunter.plots.pictures import STYLE

plt.rcParams.update(STYLE)
weights = {17: 1.0, 256: 0.5, 400: 0.25, 731: 0.1, 900: 0.03}


def cost(x):
    """Five variables matter, with different weights."""
    return sum(weight * abs(x[i] - 0.3) for i, weight in weights.items())


bounds = [(-1, 1)] * 1000
result = minimize(cost, bounds, maxfun=2000, rng=3)
figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.8))
for ax, maxfun in zip(axes, (0, 200), strict=True):
    found = influence(cost, bounds, result, maxfun=maxfun, rng=1)
    missed = [i for i in weights if i not in found.order]
    low, high = found.interval.T
    places = np.arange(len(found.order))
    bars = [found.effect - low, high - found.effect]
    ax.errorbar(places, found.effect, bars, fmt="o", ms=4, color="#0072b2", capsize=2)
    ax.plot(len(places) + np.arange(len(missed)), np.zeros(len(missed)), "x", color="#d55e00")
    shown = [*found.order, *missed]
    ax.set_xticks(range(len(shown)), [f"$x_{{{i}}}$" for i in shown])
    ax.set(title=f"{maxfun} further evaluations", xlabel="variable")
axes[0].set_ylabel("effect")
plt.show()
