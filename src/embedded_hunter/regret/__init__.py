"""The theory as numbers: functions that compute the paper's statements and their corrections.

There is one module for each idea. Read them in this order. The search does not import them.

- ``simple``: the simple regret of equation (2), its curve, the b-value;
- ``variation``: Theorem 1, from its printed constant to the sharp one;
- ``coverage`` (with ``sphere``): the probability that some y is projected onto an optimiser;
- ``geometry``: radii and norms of the cells, Assumption 3;
- ``finite_time``: Lemma 1, Lemma 2 and Theorem 2, printed and corrected;
- ``indexed``: the policy for which the corrected Theorem 2 is a number.
"""
