"""``python -m reproduction claims``: show the registered claims and their verdicts.

The command works in a checkout. It computes the verdicts from the evidence that a run of the tests
(`pytest --long`) and the build of the proofs (`make -C proofs`) have left there. Where they have
left none it shows the verdicts of the release, and says so first. See `reproduction.claims` for the
rules.
"""

import argparse
import json
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from embedded_hunter.common.extras import UsageError, did_you_mean
from reproduction.claims.evidence import NotACheckout, checkout, commit_of
from reproduction.claims.registry import GRADES, RegistryError, defects, load
from reproduction.claims.verdict import (
    BAD,
    VERDICTS,
    ClaimVerdict,
    State,
    function,
    functions,
    rows,
    shown,
)

WIDTH, INDENT = 100, "    "
NOT_RUN = (
    "No claim was checked here: these are the verdicts of the release, with complete evidence."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the subcommand."""
    parser.add_argument(
        "id", nargs="*", help="ids of the claims to show in full (default: a line for each claim)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--check",
        action="store_true",
        help="show the verdicts from the evidence that is here; exit with 1 if a claim is failing, "
        "open or unchecked",
    )


def run(args: argparse.Namespace) -> int:
    """Show the claims. Return 1 if, with ``--check``, a claim is open, unchecked or failing."""
    try:
        root = checkout(Path.cwd())
        ids = list(load(root))
        if unknown := sorted(set(args.id) - set(ids)):
            question = did_you_mean(unknown[0], ids)
            raise UsageError(f"no claim {', '.join(unknown)}{question}")
        table, commit = rows(root), commit_of(root)
        if not args.check:
            table = shown(table)
        chosen = [row for row in table if not args.id or row.claim.id in args.id]
    except (NotACheckout, RegistryError) as error:
        raise UsageError(str(error)) from None
    if args.json:
        print(json.dumps([row.as_dict() for row in chosen], indent=1, ensure_ascii=False))
    else:
        if not table[0].run_here:
            print(NOT_RUN, end="\n\n")
        for row in chosen:
            print("\n".join([*lines_of(row), ""]) if args.id else line_of(row))
        print("\n".join([summary(chosen, commit), *grades_of(chosen), *to_run(chosen)]))
    bad = any(row.verdict in BAD for row in chosen)
    return int(args.check and bad)


def line_of(row: ClaimVerdict) -> str:
    """Return a claim as a line of text: id, verdict and place."""
    return f"{row.claim.id}: {row.verdict.upper()}    {row.claim.place}"


def lines_of(row: ClaimVerdict) -> list[str]:
    """Return a claim as lines of text: id, verdict, place, statement and evidence."""
    claim = row.claim
    lines = [line_of(row)]
    lines += _wrapped(claim.statement)
    if claim.correction:
        lines += _wrapped(f"Corrected: {claim.correction}")
    if claim.grade:
        lines += _wrapped(f"Grade: {claim.grade}. {claim.reason}")
    if claim.same_as:
        lines += _wrapped(f"The defect is that of {claim.same_as}.")
    if claim.undecided:
        lines += _wrapped(f"Not decided: {claim.undecided}")
    if row.verdict != claim.rule:
        lines.append(f"    verdict with complete evidence: {claim.rule}")
    lines += _listed("waits for", list(row.waits_for))
    lines += _listed("python", [name.replace(":", ".") for name in claim.python])
    theorems = row.theorems if row.run_here else None
    lines += _listed("proof", list(claim.proof), theorems)
    lines += _listed("refuted by", list(claim.counterexample), theorems)
    others = [name for name in row.theorems if name not in claim.proof + claim.counterexample]
    lines += _listed("theorems", others, theorems)
    tests = functions(row.tests)
    states = {name: _worst(row, name) for name in tests} if row.run_here else None
    lines += _listed("tests", tests, states)
    if tests:
        lines.append(f"    run them   pytest --claim {claim.id}")
    if row.commits:
        lines.append(f"    checked    at {', '.join(row.commits)}")
    return lines


def _worst(row: ClaimVerdict, name: str) -> State:
    states = {state for test, state in row.tests.items() if function(test) == name}
    return "failed" if "failed" in states else "missing" if "missing" in states else "there"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False
    )


def _listed(title: str, names: list[str], states: Mapping[str, State] | None = None) -> list[str]:
    """Return a title and names as lines, with what a name lacks."""
    lines = []
    for k, name in enumerate(names):
        state = (states or {}).get(name, "there")
        note = "" if state == "there" else f"  ({state})"
        lines.append(f"    {title if k == 0 else '':<10} {name}{note}")
    return lines


def summary(table: Sequence[ClaimVerdict], commit: str) -> str:
    """Return a sentence with the number of claims for each verdict."""
    count = Counter(row.verdict for row in table)
    words = ", ".join(f"{count[word]} {word}" for word in VERDICTS if count[word])
    where = f"at {commit}" if all(row.run_here for row in table) else f"not checked at {commit}"
    return f"{count_of_claims(len(table))} {where}: {words}"


def grades_of(table: Sequence[ClaimVerdict]) -> list[str]:
    """Say how many claims do not hold as printed, by grade; nothing if all do."""
    count = Counter(row.claim.grade for row in table if row.claim.grade)
    if not count:
        return []
    words = ", ".join(f"{count[grade]} {grade}" for grade in GRADES if count[grade])
    distinct = defects(row.claim for row in table)
    return [f"Not as printed: {count.total()}, distinct defects: {distinct}. By grade: {words}"]


def count_of_claims(number: int) -> str:
    """Return a number of claims in words."""
    return f"{number} claim{'s' * (number != 1)}"


def to_run(table: Sequence[ClaimVerdict]) -> list[str]:
    """Say what to run if a claim is unchecked."""
    if all(row.verdict != "unchecked" and row.run_here for row in table):
        return []
    return ["To produce the evidence of a commit: make -C proofs -f Makefile && pytest --long"]
