"""Stored results on a page: what is in docs/results is shown, nothing is copied by hand.

- ``{campaign} paper``: the figure and the verdicts of docs/results/paper;
- ``{measurement} overhead``: the tables of docs/results/performance/overhead.json;
- ``{measurement} coco``: the share of COCO's targets, counted in the table of runs;
- ``{made} forest``: how a result was made, by its lines of docs/results/made.csv.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction import coco
from reproduction.stored import catalogue, headers
from reproduction.tables import table

RESULTS = Path(__file__).parents[1] / "results"
EXPERIMENT = re.compile(r"^### ([a-z-]+)\n\n(\d+) of (\d+) cells differ", re.MULTILINE)
SENTENCE = re.compile(r"^- \*\*(.+?)\*\* \(([^)]+)\): (.+)$")


def campaign(profile: str, results: Path = RESULTS) -> str:
    """Return Markdown: how a campaign was made, its figure, what differs, what became of sentences.

    Parameters
    ----------
    profile
        Name of the folder below `results`.
    """
    folder = results / profile
    text = (folder / "report.md").read_text(encoding="utf-8")
    made_by = text.partition("\n## ")[0].partition("\n")[2]
    verdicts = judged(text)
    columns = list(dict.fromkeys(by for found in verdicts.values() for by in found))
    parts = [
        made_by.strip(),
        f"![Figure 1, profile {profile}](results/{profile}/figure-1.svg)",
        table(
            ("against the published runs", "cells", "cells that differ"),
            [(f"`{name}`", cells, differ) for name, differ, cells in EXPERIMENT.findall(text)],
        ),
        table(
            ('sentence of "Results & Discussion"', *columns),
            [
                (
                    f"{sentence} (`{claim}`)".replace("|", r"\|"),
                    *(f"**{found[by]}**" if by in found else "" for by in columns),
                )
                for (sentence, claim), found in verdicts.items()
            ],
        ),
        f"All numbers behind it: [the whole report](results/{profile}/report.md), every cell and "
        f"every sentence with its numbers; the runs are the part `{profile}` of the "
        "[table of all runs](experiments.md#the-table-of-runs).",
    ]
    return "\n\n".join(parts)


def made(name: str) -> str:
    """Return Markdown: how a result, or each of its parts, was made."""
    return headers.sentences(name, headers.read(RESULTS))


def judged(report: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the verdicts of a report: by sentence and claim, then by whose runs they rest on."""
    verdicts: dict[tuple[str, str], dict[str, str]] = {}
    by = ""
    for line in report.splitlines():
        if line.startswith("#"):
            by = line.lstrip("# ").lower()
        elif found := SENTENCE.fullmatch(line):
            verdict, claim, sentence = found.groups()
            verdicts.setdefault((sentence, claim), {})[by] = verdict
    return verdicts


def overhead(found: Mapping[str, Any]) -> str:
    """Return the tables of ``python -m reproduction bench overhead`` as Markdown."""
    kinds = found["kinds"]
    budgets = list(kinds[0]["ratios"])
    parts = [
        table(
            ("kind of run", "floor, µs", *(f"v = {int(v):,}" for v in budgets), "growth"),
            [
                (
                    kind["kind"],
                    f"{kind['floor']:.1f}",
                    *(
                        f"{kind['runs'][v]:.1f} µs: {kind['ratios'][v]:.2f} × floor"
                        for v in budgets
                    ),
                    f"{kind['growth']:.2f}",
                )
                for kind in kinds
            ],
        ),
        f"Memory: {found['bytes_per_leaf']:.0f} bytes for each leaf of the tree, all that a run "
        "holds included.",
        table(
            (
                "large run",
                "evaluations",
                "seconds by the clock",
                "peak memory",
                "of it before the run",
            ),
            [
                (
                    run["what"],
                    f"{run['evaluations']:,}",
                    f"{run['seconds']:.0f}",
                    f"{run['peak_bytes'] / 2**20:.0f} MiB",
                    f"{run['baseline_bytes'] / 2**20:.0f} MiB",
                )
                for run in found["large"]
            ],
        ),
    ]
    return "\n\n".join(parts)


def scaling(found: Mapping[str, Any]) -> str:
    """Return the table of ``python -m reproduction bench scaling`` as Markdown."""
    by_place: dict[tuple[str, int], dict[str, Any]] = {}
    for point in found["points"]:
        by_place.setdefault((point["axis"], point["value"]), {})[point["policy"]] = point
    policies = list(dict.fromkeys(point["policy"] for point in found["points"]))
    rows = [
        (
            f"{axis} = {value:,}",
            *(f"{points[p]['run']:.1f} µs: {points[p]['ratio']:.2f} × floor" for p in policies),
        )
        for (axis, value), points in by_place.items()
    ]
    base = ", ".join(f"{name} = {value:,}" for name, value in found["base"].items())
    return f"What does not vary: {base}.\n\n" + table(("at", *policies), rows)


def workers(found: Mapping[str, Any]) -> str:
    """Return the table of ``python -m reproduction bench workers`` as Markdown."""
    kinds = found["kinds"]
    return table(
        ("run", *(f"{w} worker{'s' * (w > 1)}" for w in kinds[0]["workers"])),
        [
            (
                kind["kind"],
                *(
                    f"{seconds:.2f} s: {turns} turns"
                    for turns, seconds in zip(kind["turns"], kind["seconds"], strict=True)
                ),
            )
            for kind in kinds
        ],
    )


def resume(found: Mapping[str, Any]) -> str:
    """Return the table of ``python -m reproduction bench resume`` as Markdown."""
    return f"n = {found['n']:,}, v = {found['v']:,}.\n\n" + table(
        ("policy", "the run", "opening the complete file", "opening it without the answer"),
        [
            (row["policy"], *(f"{row[key]:.2f} s" for key in ("run", "complete", "incomplete")))
            for row in found["policies"]
        ],
    )


TABLES = {"overhead": overhead, "scaling": scaling, "workers": workers, "resume": resume}


def measurement(name: str, results: Path = RESULTS) -> str:
    """Return Markdown: how a measurement was made, and its tables."""
    if name == "coco":
        return f"{coco.shares(catalogue.coco_gaps())}\n\n{made(name)}"
    path = results / "performance" / f"{name}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    files = f"[{name}.json](results/performance/{name}.json)"
    return f"{TABLES[name](found)}\n\n{made(f'performance/{name}')} The numbers: {files}."


def setup(app: Any) -> None:
    """Add the three directives."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    def directive(text_of: Any) -> type:
        class Stored(SphinxDirective):
            required_arguments = 1

            def run(self) -> list[nodes.Node]:
                for path in RESULTS.rglob("*"):
                    if path.suffix in (".md", ".json", ".csv"):
                        self.env.note_dependency(str(path))
                found: list[nodes.Node] = self.parse_text_to_nodes(text_of(self.arguments[0]))
                return found

        return Stored

    app.add_directive("campaign", directive(campaign))
    app.add_directive("measurement", directive(measurement))
    app.add_directive("made", directive(made))
