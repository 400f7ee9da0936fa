"""``python -m reproduction``: the table of its subcommands, and its entry point `main`.

A subcommand is an entry of `COMMANDS` and a module with two functions, ``add_arguments(parser)``
and ``run(args) -> exit code`` (see `reproduction.commands`).
"""

from embedded_hunter.commands.program import Command, Program

COMMANDS = {
    "reproduce": Command(
        "run the experiments of the paper's Table 1, draw Figure 1 and write a report",
        "reproduction.commands.reproduce",
    ),
    "race": Command(
        "compare many methods, also your own, on functions of the experiments or your own",
        "reproduction.commands.race",
    ),
    "results": Command(
        "say which stored results are stale, and make runs of them again",
        "reproduction.commands.results",
    ),
    "claims": Command(
        "show the registered claims of the paper and their verdicts",
        "reproduction.commands.claims",
    ),
}
PROGRAM = Program(
    "python -m reproduction",
    "The experiments of the paper, the benchmark, and the claims with their verdicts. It needs a "
    "checkout.",
    COMMANDS,
)
parser, main = PROGRAM.parser, PROGRAM.main
