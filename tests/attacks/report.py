"""The outcomes of the attacks, ``docs/attacks.json``, and the page made from them."""

import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attacks.every import attacks
from attacks.reasons import REASONS
from attacks.search import Attack, Outcome, as_text

DOCS = Path(__file__).parents[2] / "docs"
RECORD, PAGE = DOCS / "attacks.json", DOCS / "attacks.md"
FULL = 100_000
"""Number of instances that a search for the page tries if it has the time."""
SLOW = 2
"""Milliseconds for each instance from which the page calls a search slow."""
SENTENCE = ("claims", "printed", "sentence", "rate")
"""The keys of a row that say what was attacked."""
Rows = Mapping[str, Mapping[str, Any]]
"""For each attack, by its name, what `row` returns."""


def row(this: Attack, outcome: Outcome, seeds: int = 1) -> dict[str, Any]:
    """Return what is kept of an attack: its sentence, what was found, the CPU time of the searches
    and the number of their seeds 0, 1, ..."""
    found = outcome.counterexample
    return {
        "claims": list(this.claims),
        "printed": this.printed,
        "sentence": this.sentence,
        "rate": this.rate,
        "examples": outcome.examples,
        "all": outcome.all,
        "seconds": round(outcome.seconds, 3),
        "seeds": seeds,
        "counterexample": None if found is None else as_text(found),
    }


def read() -> dict[str, Any]:
    """Return what is kept; nothing if there is no file."""
    if not RECORD.exists():
        return {}
    rows: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return rows


def so_far(this: Attack) -> tuple[Outcome | None, int]:
    """Return the outcome of the searches that are kept of an attack, and the number of their seeds.

    There are none if the sentence has changed since, or if a counterexample was found.
    """
    found, new = read().get(this.name, {}), row(this, Outcome())
    if "seeds" not in found or any(found[k] != new[k] for k in (*SENTENCE, "counterexample")):
        return None, 0
    outcome = Outcome(found["examples"], seconds=found["seconds"], all=found["all"])
    return outcome, found["seeds"]


def needed(this: Attack, outcome: Outcome) -> int:
    """Return the number of instances after which a false sentence was refuted, if a search that
    did not refute it had fewer; else 0."""
    found, new = read().get(this.name, {}), row(this, outcome)
    if not this.printed or outcome.all or any(found.get(key) != new[key] for key in SENTENCE):
        return 0
    examples: int = found["examples"]
    return examples if found["counterexample"] and outcome.examples < examples else 0


def keep(name: str, found: Mapping[str, Any]) -> None:
    """Keep the row of one attack. Several programs may do so at the same time."""
    with RECORD.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write(read() | {name: found})


def write(rows: Rows) -> None:
    """Keep the rows of attacks that exist, in their order, and write the page."""
    names = [this.name for this in attacks()]
    kept = {name: rows[name] for name in names if name in rows}
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    RECORD.write_text(text, encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")


def page(rows: Rows) -> str:
    """Return the text of the page."""
    held = [(name, r) for name, r in rows.items() if not r["printed"]]
    false = [(name, r) for name, r in rows.items() if r["printed"]]
    stood = sum(r["counterexample"] is None for _, r in held)
    refuted = sum(r["counterexample"] is not None for _, r in false)
    claims = {id for r in rows.values() for id in r["claims"]}
    tried = [r["examples"] for _, r in held if not r.get("all")]
    many = sum(n >= FULL for n in tried)
    lines = [
        "---",
        "nosearch: true",
        "---",
        "",
        "<!-- Written by `python -m attacks --store` in tests/, from docs/attacks.json. -->",
        "# Attacks on the claims",
        "",
        "Each [claim](claims.md) with computable content has its sentence as a predicate of a",
        "random instance, in {source}`tests/attacks`. A search looks for an instance for which the",
        "sentence is false. Hypothesis chooses the first instances, a random search chooses the",
        "others. Both follow a target where the predicate names one, such as the quotient of what",
        "happened and what was promised. Short runs are drawn more often than long ones, because",
        "they cost less. If the predicate can draw no more instances than the search may try, the",
        "search tries all of them.",
        "`python -m reproduction claims --attack lemma-1` repeats the search for one claim and",
        "prints a counterexample in its simplest form.",
        "",
        "A search that finds nothing proves nothing. It tried the stated number of instances, all",
        "of them small: few dimensions, short runs. An instance may be drawn more than once.",
        "",
        f"{len(rows)} sentences about {len(claims)} claims were attacked. Of {len(held)}",
        f"sentences that we hold, {stood} stood: {len(held) - len(tried)} in all instances that",
        f"the predicate can draw, {many} in {FULL:,} instances, and {len(tried) - many} in fewer,",
        f"but at least {min(tried, default=0):,}. Of",
        f"{len(false)} sentences that we hold to be false, {refuted} were refuted by the search",
        "itself.",
        "",
        "## Sentences that we hold",
        "",
        *_table(held, "no counterexample"),
        *_slow(held),
        "## Sentences that we hold to be false",
        "",
        "Sentences as the paper prints them, and sentences whose contrary we claim.",
        "",
    ]
    for name, r in false:
        lines += [f"### {_title(name)}", "", f"{_claims(r)} {_plain(r['sentence'])}", ""]
        found = r["counterexample"]
        if found is None:
            lines += [f"No counterexample in {r['examples']:,} instances.", ""]
        else:
            parts = [f"    {part}" for part in found.split("; ")]
            lines += [f"Counterexample, after {r['examples']:,} instances:", "", *parts, ""]
    lines += ["## Claims without an attack", ""]
    for reason in dict.fromkeys(REASONS.values()):
        ids = [f"`{id}`" for id in REASONS if REASONS[id] == reason]
        lines.append(f"- {reason} {', '.join(ids)}.")
    return "\n".join([*lines, ""])


def _table(rows: list[tuple[str, Mapping[str, Any]]], none: str) -> list[str]:
    lines = ["| claims | sentence | instances | found |", "| --- | --- | ---: | --- |"]
    for _, r in rows:
        found = none if r["counterexample"] is None else f"`{r['counterexample']}`"
        rate = f" False alarms: {r['rate']}." if r["rate"] else ""
        sentence = f"{r['sentence']}{rate}"
        number = f"{r['examples']:,}" + (" (all)" if r.get("all") else "")
        lines.append(f"| {_claims(r)} | {_cell(sentence)} | {number} | {_cell(found)} |")
    return [*lines, ""]


def _slow(rows: list[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return which searches took the most time for each instance, by their recorded times."""
    timed = [(1000 * r["seconds"] / r["examples"], name, r) for name, r in rows if "seconds" in r]
    slow = sorted((found for found in timed if found[0] >= SLOW), key=lambda found: -found[0])
    if not slow:
        return []
    lines = [
        "A search ends at its limit of time or of the number of instances. The CPU time was",
        f"recorded for {len(timed)} of these {len(rows)} searches. Of these {len(timed)}, the",
        f"slowest took {SLOW} milliseconds or more for each instance:",
        "",
    ]
    for each, name, r in slow:
        number = f"all {r['examples']:,}" if r["all"] else f"{r['examples']:,}"
        lines.append(f"- {_title(name)}: {each:.1f} ms for each of {number} instances.")
    return [*lines, ""]


def _claims(r: Mapping[str, Any]) -> str:
    return ", ".join(f"`{id}`" for id in r["claims"])


def _cell(text: str) -> str:
    """Return a text for a cell of a table: in Markdown | separates cells, * and _ may be read."""
    return _plain(text).replace("|", r"\|")


def _plain(text: str) -> str:
    return text.replace("\\", r"\\").replace("*", r"\*").replace("_", r"\_").replace("<", r"\<")


def _title(name: str) -> str:
    words = name.replace("_", " ")
    return words[0].upper() + words[1:]
