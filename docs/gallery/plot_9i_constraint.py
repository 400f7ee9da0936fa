"""
Integers, a constraint, a maximum, and a start by hand
======================================================

A plan says how many hours each of 1,000 machines runs, from 0 to 8. The profit is to be as great as
possible, and three machines that matter share 18 hours. Somebody has tuned a plan by hand.
"""

import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import influence, minimize, plot


def profit(hours):
    """Three machines earn; which ones is not known to the search."""
    a, b, c = hours[[5, 60, 700]]
    return 12 * np.sqrt(a + b) + 2 * c - 0.4 * (c - 5) ** 2


def cost(x):
    """Round to integers, change the sign for a maximum, and add a penalty to what is not allowed.

    A penalty that grows with the excess says where allowed plans are; +inf would say nothing.
    """
    hours = np.round(x)
    excess = max(0.0, hours[[5, 60, 700]].sum() - 18)
    return -profit(hours) + 10 * excess


# %%
# The start is evaluated first, and the search is made about it. It can be rounded, too.
by_hand = np.full(1000, 4.0)
bounds = [(0, 8)] * 1000
result = minimize(cost, bounds, x0=by_hand, first_step=0.2, maxfun=2000, rng=1)
hours = np.round(result.x)
print(f"profit {profit(by_hand):.1f} by hand, {profit(hours):.1f} found")
print(f"hours of the three machines: {hours[[5, 60, 700]]}, of 18 in all")

# %%
plt.figure(plot(result))
plt.show()

# %%
# Which machines matter:
found = influence(cost, bounds, result, maxfun=300, rng=1)
print(found)
