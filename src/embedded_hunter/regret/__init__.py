"""The theory as numbers: functions that compute the paper's statements and their corrections.

There is one module for each idea. Read them in this order. The search does not import them.

- ``simple``: the simple regret of equation (2), its curve, the b-value;
- ``variation``: Theorem 1, from its printed constant to the sharp one;
- ``coverage`` (with ``sphere`` and ``least_deviations``): the probability that some y is projected
  onto an optimiser;
- ``geometry``: radii and norms of the cells, Assumption 3;
- ``finite_time``: Lemma 1, Lemma 2 and Theorem 2, printed and corrected;
- ``indexed``: the policy for which the corrected Theorem 2 is a number;
- ``choosing``: how many trees, how many variables and what scale for a budget;
- ``arguments``: the checks of arguments that all these modules share.

A name that is imported ``as`` itself is passed on to those who import this package.
"""

# The rules of isort would make a statement of each name.
# isort: skip_file

from embedded_hunter.regret.coverage import (
    box_for_coverage as box_for_coverage,
    box_that_keeps_the_promise as box_that_keeps_the_promise,
    count_sketch_coverage as count_sketch_coverage,
    coverage_at_least as coverage_at_least,
    coverage_of_matrices as coverage_of_matrices,
    coverage_of_norm as coverage_of_norm,
    coverage_probability as coverage_probability,
    coverage_threshold as coverage_threshold,
    covering_radius as covering_radius,
    mean_coverage as mean_coverage,
    printed_coverage as printed_coverage,
    sample_covering_radii as sample_covering_radii,
)
from embedded_hunter.regret.finite_time import (
    RegretBound as RegretBound,
    evaluations_of_sweeps as evaluations_of_sweeps,
    exhaustive_sweeps as exhaustive_sweeps,
    iterations_of_sweeps as iterations_of_sweeps,
    iterations_to_expand as iterations_to_expand,
    multiples_of_delta as multiples_of_delta,
    near_optimal_bound as near_optimal_bound,
    near_optimal_nodes as near_optimal_nodes,
    printed_iterations_to_expand as printed_iterations_to_expand,
    sweeps_to_expand as sweeps_to_expand,
    theorem_2_depth as theorem_2_depth,
)
from embedded_hunter.regret.geometry import (
    base_point_numerators as base_point_numerators,
    base_points as base_points,
    circumscribed_radius as circumscribed_radius,
    evaluations_of_nodes as evaluations_of_nodes,
    inscribed_radius as inscribed_radius,
    largest_norm as largest_norm,
    norm_class_bound as norm_class_bound,
    well_shaped_factor as well_shaped_factor,
)
from embedded_hunter.regret.indexed import (
    indexed_delta as indexed_delta,
    indexed_eps as indexed_eps,
    indexed_node_values as indexed_node_values,
    indexed_regret_bound as indexed_regret_bound,
    indexed_tau as indexed_tau,
    operator_norm as operator_norm,
    operator_norm_bound as operator_norm_bound,
    optimal_branch as optimal_branch,
)
from embedded_hunter.regret.choosing import (
    Choice as Choice,
    choose as choose,
)
from embedded_hunter.regret.simple import (
    b_value as b_value,
    regret_curve as regret_curve,
    simple_regret as simple_regret,
)
from embedded_hunter.regret.variation import (
    coupled_variation_bound as coupled_variation_bound,
    gaussian_variation_bound as gaussian_variation_bound,
    gini_variation_bound as gini_variation_bound,
    printed_variation_bound as printed_variation_bound,
    second_moment_variation_bound as second_moment_variation_bound,
)
