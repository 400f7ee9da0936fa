"""The theory as numbers: statements of the paper, their corrections, and bounds of our own.

There is one module for each idea. The statements of the paper, in the order in which to read them:

- ``simple``: the simple regret of equation (2), its curve, the b-value;
- ``variation``: Theorem 1, from its printed constant to the sharp one;
- ``coverage`` (with ``sphere``): the probability that some y is projected onto an optimiser;
- ``geometry``: radii and norms of the cells, Assumption 3;
- ``finite_time``: Lemma 1, Lemma 2 and Theorem 2, printed and corrected;
- ``indexed``: the policy for which the corrected Theorem 2 is a number.

Beyond the paper, bounds on every rule and on the policy forest:

- ``ceiling``: bounds on every rule when each evaluation draws a new matrix; ``cone``: the same in
  closed form for a distance;
- ``coverage_law`` (with ``least_deviations``): the coverage if fewer variables matter than Y has,
  and that by a forest.
"""
