"""
A start that was tuned by hand
==============================

A motor balances a pendulum. A table gives its torque for 20 angles and 50 speeds: 1,000 numbers.
Somebody has filled it with a rule of thumb, and the search begins there.
"""

import matplotlib.pyplot as plt
import numpy as np

from embedded_hunter import influence, minimize, plot

angles, speeds = np.linspace(-1, 1, 20), np.linspace(-4, 4, 50)


def motion(table):
    """Let the pendulum go at an angle of 0.5; return the cost and the visited entries."""
    angle, speed, cost, visited = 0.5, 0.0, 0.0, set()
    for _ in range(200):
        row = min(max(round((angle + 1) / 2 * 19), 0), 19)
        column = min(max(round((speed + 4) / 8 * 49), 0), 49)
        entry = 50 * row + column
        visited.add(entry)
        torque = table[entry]
        speed += 0.02 * (9.81 * np.sin(angle) + torque)
        angle += 0.02 * speed
        cost += 0.02 * (angle**2 + 0.001 * torque**2)
    return cost, visited


def cost(table):
    """Return the distance of the pendulum from the top, plus a small cost of the torque."""
    return motion(table)[0]


# %%
# The first samples lie about `x0`, by default at 0.01 of the range in each variable. `first_step`
# changes it. A start in the middle, where the motor does nothing, is there to compare.
by_hand = np.clip(-12 * angles[:, None] - 3 * speeds, -10, 10).ravel()
bounds = [(-10, 10)] * 1000
result = minimize(cost, bounds, x0=by_hand, maxfun=1000, rng=1)
middle = minimize(cost, bounds, maxfun=1000, rng=1)
print(f"cost {cost(by_hand):.3f} by hand, {result.fun:.3f} from there, {middle.fun:.3f} from 0")
plt.figure(plot(result))
plt.show()

# %%
# What matters are the entries that the motion visits:
found = influence(cost, bounds, result, maxfun=400, rng=1)
print(found)
print(f"{len(motion(result.x)[1])} entries are visited")
plt.figure(plot(found))
plt.show()
