"""The golden traces of the kit: small runs, of which at least two tell each bug of `bugs` apart.

A run follows from its settings and its values, and a file has both. In the folder ``tests``,
``python -m differential.goldens`` writes all files again, and the table of bugs in the README.
"""

import json
import sys
from collections.abc import Sequence
from functools import cache
from itertools import islice

from differential import bugs, package
from differential.oracle import Name, Objective
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.run import Run
from embedded_hunter.traces.reading import open_trace
from embedded_hunter.traces.writing import trace_of

README = KIT / "README.md"
PATHS = {path.stem: path for path in sorted((KIT / "golden").rglob("*.jsonl"))}
FORESTS = [name for name, path in PATHS.items() if path.parent.name == "forest"]
PAPER = [name for name in PATHS if name not in FORESTS]


def events(name: str) -> list[Fields]:
    """Return the header and the events of a golden trace."""
    return [json.loads(line) for line in PATHS[name].read_text(encoding="utf-8").splitlines()]


def settings(name: str) -> Parameters:
    """Return the settings of a golden trace."""
    return open_trace(PATHS[name].read_text(encoding="utf-8").splitlines())[0]


def values(name: str) -> list[float]:
    """Return the values of a golden trace, in the order of its evaluations."""
    return [float(event["value"]) for event in events(name)[1:] if event["event"] == "evaluate"]


def text(of: Parameters, known: Sequence[float]) -> str:
    """Run the package on these values, and return the trace as a file has it."""
    return "".join(map(dump, trace_of(Run(of, values=known))))


def objective(name: str) -> Objective:
    """Return the values by the first node with a base point; 1 where Algorithm 1 does not ask."""
    K = settings(name).K
    table = {
        (package.birth((event["h"], event["i"]), K), event["p"]): float(event["value"])
        for event in events(name)[1:]
        if event["event"] == "evaluate"
    }

    def g(node: Name, p: int) -> float:
        return table.get((node, p), 1.0)

    return g


@cache
def caught() -> dict[str, list[str]]:
    """For each bug the two shortest golden traces that the changed program does not give."""
    traces = {name: events(name) for name in PAPER}
    order = sorted(traces, key=lambda name: len(traces[name]))
    found = {}
    for bug in bugs.BUGS:
        others = (n for n in order if bugs.first_difference(bug, traces[n]) is not None)
        found[bug.name] = list(islice(others, 2))
    return found


def readme() -> str:
    """Return the README with its table of bugs made again."""
    rows = [
        f"| {name} | {', '.join(f'`{each}`' for each in names)} |\n"
        for name, names in caught().items()
    ]
    table = "| bug | traces |\n| --- | --- |\n" + "".join(rows)
    head, rest = README.read_text(encoding="utf-8").split("<!-- bugs: ", 1)
    mark, rest = rest.split("-->\n", 1)
    _, tail = rest.split("<!-- end of bugs -->", 1)
    return f"{head}<!-- bugs: {mark}-->\n{table}<!-- end of bugs -->{tail}"


def main() -> int:
    """Write all files and the table of bugs."""
    for name, path in PATHS.items():
        path.write_text(text(settings(name), values(name)), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
