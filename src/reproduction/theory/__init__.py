"""Theory beyond the paper, as numbers: bounds on every rule and on the policy forest.

The theory of the paper is in `embedded_hunter.regret`. There is one module for each idea:

- ``ceiling``: bounds on every rule when each evaluation draws a new matrix; ``cone``: the same in
  closed form for a distance;
- ``rotated``: the coverage, by simulation, for a subspace that is not axis-aligned;
- ``forest_bounds``: regret bounds of the policy forest, and its success probability;
- ``evaluations``: the bounds in evaluations, end to end, and the price of norm classes;
  ``told_nothing``: the bound of the forest with trees of several dimensions.
"""
