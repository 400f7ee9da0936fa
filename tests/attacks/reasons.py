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
