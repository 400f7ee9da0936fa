"""Why a claim has no attack: the one list of reasons."""

PLAN = "It says which experiments the paper plans; no instance can be drawn."
FIGURE = (
    "It is about a published figure and stored runs. These are fixed data: no instance can be "
    "drawn. The tests of the claim judge the data with a stated error rate."
)
SENTENCE = (
    "It is about the means of stored runs of three algorithms. These are fixed data: no instance "
    "can be drawn. The tests of the claim judge the data with a stated error rate."
)
END = "The line ends a loop or a branch of the listing and computes nothing."

EXPERIMENTS = (
    "convergence", "scalability", "embedding-number", "effective-dimension", "knowledge",
)  # fmt: skip
PROBLEMS = ("ellipsoid", "fletcher-powell", "rosenbrock", "ackley")

REASONS: dict[str, str] = {
    **{f"alg1-line-{k}": END for k in (11, 12, 15, 16)},
    **{f"table-1-{experiment}": PLAN for experiment in EXPERIMENTS},
    **{f"fig-1-{x}-{problem}": FIGURE for x in EXPERIMENTS for problem in PROBLEMS},
    **{
        f"results-{name}": SENTENCE
        for name in (
            "clear-gain", "convergence-gap", "convergence-refine", "scalability-degrades",
            "sresoo-robust", "embedding-number", "sweet-spot", "effective-dimension-suitability",
            "effective-dimension-degrades", "effective-dimension-gap", "knowledge-degrades",
            "knowledge-gap",
        )
    },
    "released-program": (
        "It compares runs with published results, which are fixed data: no instance can be drawn."
    ),
    "kept-results": "It is about files of the repository, which are fixed.",
}  # fmt: skip

RUNS = "An instance is one or more runs through the public interface."
TWICE = "An instance is a run and a second program, or the values of all nodes."
LAW = "An instance computes laws by numerical integration, or counts over many matrices."

FEWER: dict[str, str] = {
    "the_objective_is_the_error_on_the_validation_part": "An instance fits a Lasso twice.",
    "p_values_are_corrected_for_the_number_of_cells": "An instance makes up to ten exact tests.",
    **dict.fromkeys(
        (
            "resoo_makes_M_searches_of_v_over_M_evaluations",
            "resoo_evaluates_the_zero_vector_in_each_tree",
            "with_M_equal_to_v_both_evaluate_the_zero_vector",
            "portions_and_interruptions_do_not_change_a_run",
            "runs_depend_on_sigma_R_and_the_effective_rows",
        ),
        RUNS,
    ),
    **dict.fromkeys(
        (
            "a_run_in_visits_is_the_run_of_single_evaluations",
            "the_run_of_a_forest_without_refinement_is_that_of_its_rules",
            "a_recorded_value_is_at_most_the_first",
            "the_regret_of_the_policy_indexed",
            "the_computed_regret_bound_of_the_policy_indexed",
            "the_regret_bound_of_a_forest",
            "a_forest_finds_an_optimum_that_one_embedding_covers",
            "the_printed_lemma_1_with_h_max_plus_1",
            "the_corrected_theorem_2",
        ),
        TWICE,
    ),
    **dict.fromkeys(
        (
            "coverage_depends_on_sigma_R",
            "the_coverage_has_the_corrected_law",
            "with_variance_1_over_n_the_coverage_tends_to_0",
        ),
        LAW,
    ),
}
"""Why an attack is slow, 2 milliseconds and more for each instance, by its name."""
