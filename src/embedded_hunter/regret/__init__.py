"""The theory as numbers: functions that compute the paper's statements and their corrections.

There is one module for each idea. Read them in this order. The search does not import them.

- ``simple``: the simple regret of equation (2), its curve, the b-value;
- ``variation``: Theorem 1, from its printed constant to the sharp one;
- ``coverage`` (with ``sphere`` and ``least_deviations``): the probability that some y is projected
  onto an optimiser;
- ``rotated``: the same by simulation for a subspace that is not axis-aligned;
- ``geometry``: radii and norms of the cells, Assumption 3;
- ``finite_time``: Lemma 1, Lemma 2 and Theorem 2, printed and corrected;
- ``indexed``: the policy for which the corrected Theorem 2 is a number;
- ``forest``: the same for the policy forest, and its success probability;
- ``evaluations``: the bounds in evaluations, end to end, and the price of norm classes;
- ``sequool``: the depth at which SequOOL's rule finds the optimum, and its regret;
- ``parameters``: how many trees, how many variables and what scale for a budget;
- ``ceiling``: bounds on every rule when each evaluation draws a new matrix; ``cone``: the same
  in closed form for a distance;
- ``arguments``: what the functions of all these modules refuse.
"""

from embedded_hunter.regret.ceiling import (
    ceiling,
    certified_lower_bound,
    sample_radial_values,
    scale_grid,
    success_probabilities,
    upper_limits,
)
from embedded_hunter.regret.cone import (
    distance_regret_floor,
    distance_regret_within_reach,
    fresh_regret_floor,
)
from embedded_hunter.regret.coverage import (
    box_for_coverage,
    box_that_keeps_the_promise,
    count_sketch_coverage,
    coverage_at_least,
    coverage_of_matrices,
    coverage_of_norm,
    coverage_probability,
    covering_radius,
    mean_coverage,
    printed_coverage,
    sample_covering_radii,
)
from embedded_hunter.regret.evaluations import (
    EndToEnd,
    end_to_end_bound,
    end_to_end_event,
    evaluations_before_the_cone,
    near_optimal_nodes_bound,
    near_optimal_nodes_of_depth,
    soo_evaluations_to_expand,
)
from embedded_hunter.regret.finite_time import (
    RegretBound,
    evaluations_of_sweeps,
    exhaustive_sweeps,
    iterations_of_sweeps,
    iterations_to_expand,
    multiples_of_delta,
    near_optimal_bound,
    near_optimal_nodes,
    printed_iterations_to_expand,
    sweeps_to_expand,
    theorem_2_depth,
)
from embedded_hunter.regret.forest import (
    ForestBound,
    forest_coverage,
    forest_evaluations_of_sweeps,
    forest_node_values,
    forest_regret_bound,
    forest_sweeps_within,
)
from embedded_hunter.regret.geometry import (
    base_point_numerators,
    base_points,
    circumscribed_radius,
    evaluations_of_nodes,
    inscribed_radius,
    largest_norm,
    norm_class_bound,
    splits,
    well_shaped_factor,
)
from embedded_hunter.regret.indexed import (
    indexed_delta,
    indexed_eps,
    indexed_node_values,
    indexed_regret_bound,
    indexed_tau,
    operator_norm,
    operator_norm_bound,
    optimal_branch,
)
from embedded_hunter.regret.parameters import Choice, choose
from embedded_hunter.regret.rotated import count_rotated_coverage, covering_point
from embedded_hunter.regret.sequool import (
    sequool_depth_found,
    sequool_depth_needed,
    sequool_regret_bound,
)
from embedded_hunter.regret.simple import b_value, regret_curve, simple_regret
from embedded_hunter.regret.variation import (
    coupled_variation_bound,
    gaussian_variation_bound,
    gini_variation_bound,
    printed_variation_bound,
    second_moment_variation_bound,
)

__all__ = [
    "Choice",
    "EndToEnd",
    "ForestBound",
    "RegretBound",
    "b_value",
    "base_point_numerators",
    "base_points",
    "box_for_coverage",
    "box_that_keeps_the_promise",
    "ceiling",
    "certified_lower_bound",
    "choose",
    "circumscribed_radius",
    "count_rotated_coverage",
    "count_sketch_coverage",
    "coupled_variation_bound",
    "coverage_at_least",
    "coverage_of_matrices",
    "coverage_of_norm",
    "coverage_probability",
    "covering_point",
    "covering_radius",
    "distance_regret_floor",
    "distance_regret_within_reach",
    "end_to_end_bound",
    "end_to_end_event",
    "evaluations_before_the_cone",
    "evaluations_of_nodes",
    "evaluations_of_sweeps",
    "exhaustive_sweeps",
    "forest_coverage",
    "forest_evaluations_of_sweeps",
    "forest_node_values",
    "forest_regret_bound",
    "forest_sweeps_within",
    "fresh_regret_floor",
    "gaussian_variation_bound",
    "gini_variation_bound",
    "indexed_delta",
    "indexed_eps",
    "indexed_node_values",
    "indexed_regret_bound",
    "indexed_tau",
    "inscribed_radius",
    "iterations_of_sweeps",
    "iterations_to_expand",
    "largest_norm",
    "mean_coverage",
    "multiples_of_delta",
    "near_optimal_bound",
    "near_optimal_nodes",
    "near_optimal_nodes_bound",
    "near_optimal_nodes_of_depth",
    "norm_class_bound",
    "operator_norm",
    "operator_norm_bound",
    "optimal_branch",
    "printed_coverage",
    "printed_iterations_to_expand",
    "printed_variation_bound",
    "regret_curve",
    "sample_covering_radii",
    "sample_radial_values",
    "scale_grid",
    "second_moment_variation_bound",
    "sequool_depth_found",
    "sequool_depth_needed",
    "sequool_regret_bound",
    "simple_regret",
    "soo_evaluations_to_expand",
    "splits",
    "success_probabilities",
    "sweeps_to_expand",
    "theorem_2_depth",
    "upper_limits",
    "well_shaped_factor",
]
