"""The command ``embedded-hunter``: the table of its subcommands, and its entry point `main`.

A subcommand is an entry of `COMMANDS` and a module with two functions, ``add_arguments(parser)``
and ``run(args) -> exit code`` (see `embedded_hunter.commands`).
"""

from embedded_hunter.commands.program import Command, Program

COMMANDS = {
    "demo": Command(
        "compare the policies with random search in 10,000 dimensions",
        "embedded_hunter.commands.demo",
    ),
    "minimize": Command(
        "minimise your own function, or what a program computes",
        "embedded_hunter.commands.minimize",
    ),
    "solve": Command(
        "minimise, find which variables matter, and write one page about both",
        "embedded_hunter.commands.solve",
    ),
    "trace": Command(
        "write the trace of a run from its file: every event, as JSON lines",
        "embedded_hunter.commands.trace",
    ),
    "check": Command(
        "check whether a trace is a run of Algorithm 1 or of the policy forest",
        "embedded_hunter.commands.check",
    ),
    "plot": Command(
        "show where the evaluations of a run went: a table and a picture",
        "embedded_hunter.commands.plot",
    ),
    "play": Command(
        "write a run as a web page that steps through it",
        "embedded_hunter.commands.play",
    ),
    "kit": Command(
        "write the conformance kit: the trace format, golden traces, an example program",
        "embedded_hunter.commands.kit",
    ),
}

PROGRAM = Program(
    "embedded-hunter",
    "EmbeddedHunter: black-box minimisation of functions of many variables, few of which matter.",
    COMMANDS,
)
parser, main = PROGRAM.parser, PROGRAM.main
