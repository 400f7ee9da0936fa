"""
Fit an ODE with 500 parameters
==============================

Two species react. The model has 500 parameters, but the measured curve depends on three of them.
The fit minimises the squared distance from the curve, and is not told which parameters matter.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from embedded_hunter import influence, minimize, plot

times = np.linspace(0, 10, 30)


def simulated(p):
    """The second species at the measured times."""
    grow, decay = 0.5 * np.exp(p[12]), 0.2 * np.exp(2 * p[340])
    feed = 1 + 0.5 * p[100]

    def rates(t, y):
        return [feed - grow * y[0], grow * y[0] - decay * y[1]]

    return solve_ivp(rates, (0, 10), [0.0, 0.0], t_eval=times).y[1]


truth = np.zeros(500)
truth[[12, 100, 340]] = 0.6, -0.4, 0.3
measured = simulated(truth)


def misfit(p):
    """Mean squared distance from the measurements."""
    return float(np.mean((simulated(p) - measured) ** 2))


# %%
# The truth has the value 0, so the picture shows the misfit on a logarithmic scale.
bounds = [(-1, 1)] * 500
result = minimize(misfit, bounds, maxfun=1500, rng=1)
plt.figure(plot(result, optimum=0))
plt.show()

# %%
# Which parameters the data say something about, and what the fit makes of them:
found = influence(misfit, bounds, result, maxfun=200, rng=1)
print(found)
for i in found.order[:3]:
    print(f"parameter {i}: fitted {result.x[i]:.3f}, true {truth[i]:.1f}")

# %%
plt.figure(plot(found))
plt.show()
