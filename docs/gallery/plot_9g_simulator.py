"""
A simulator that is a program
=============================

A program reads 4,000 parameters and prints a log; its last line is the cost. Two threads start it,
and each value is logged, so that the run can be stopped and continued.
"""

# %%
# The program stands for yours: in any language, started once for each evaluation.
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib.pyplot as plt

from embedded_hunter import influence, minimize, plot

folder = Path(tempfile.mkdtemp())
(folder / "simulator").write_text("""
import sys
x = [float(line) for line in sys.stdin]
if x[1200] + x[77] > 1.85:
    sys.exit("the mesh is degenerate")
print("iteration 1: converged")
print((x[77] - 0.4) ** 2 + abs(x[1200] - 0.8) + 0.1 * abs(x[3000] + 0.5))
""")


def cost(x):
    """The last line that the program prints. A run that fails is infeasible: its cost is +inf."""
    text = "\n".join(map(repr, x.tolist()))
    command = [sys.executable, "-S", folder / "simulator"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1]) if done.returncode == 0 else float("inf")


# %%
# After an interruption the same call goes on, and with a greater `maxfun` the run is longer. From
# the command line it is ``embedded-hunter solve --exec simulator --n 4000 --workers 2``.
bounds = [(-1, 1)] * 4000
with ThreadPoolExecutor(2) as pool:
    given = {"rng": 1, "workers": pool.map, "checkpoint": folder / "simulator.run"}
    minimize(cost, bounds, maxfun=100, **given)
    result = minimize(cost, bounds, maxfun=300, **given)
plt.figure(plot(result, optimum=0))
plt.show()

# %%
# What mattered, by 120 further evaluations at the best point:
found = influence(cost, bounds, result, maxfun=120, rng=1)
print(found)
