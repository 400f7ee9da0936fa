"""Attack claims: ``python -m attacks ID ... [--examples N]``, in the folder ``tests``.

``python -m reproduction claims --attack`` calls this program. ``--store`` keeps the outcomes in
``docs/attacks.json`` and writes the page ``docs/attacks.md`` from this file.
"""

import argparse
import sys
from collections.abc import Sequence

from attacks import report
from attacks.every import attacks
from attacks.reasons import REASONS
from attacks.search import Attack, Outcome, lines_of, search


def deserved(this: Attack, outcome: Outcome) -> bool:
    """Return whether a held sentence stands, or a false one is refuted."""
    return (outcome.counterexample is not None) == this.printed


def main(arguments: Sequence[str]) -> int:
    """Run the attacks on some claims, or on all.

    Return 1 if a sentence that we hold is refuted, or a false one is not; 2 if, instead, there were
    too few instances to refute a false one.
    """
    parser = argparse.ArgumentParser(prog="python -m attacks", description=__doc__)
    parser.add_argument("id", nargs="*", help="claims to attack (default: all)")
    parser.add_argument("--examples", type=int, default=10_000, help="instances for each attack")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="time limit for each attack"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="attacks whose name contains this text")
    parser.add_argument("--part", default="0/1", help="K/N: each N-th attack, from number K on")
    parser.add_argument(
        "--store", action="store_true", help=f"keep each outcome in {report.RECORD.name}"
    )
    parser.add_argument(
        "--more",
        action="store_true",
        help="continue the searches that are kept, with a new seed, up to --examples",
    )
    parser.add_argument(
        "--page", action="store_true", help=f"only write {report.PAGE.name} from what is kept"
    )
    args = parser.parse_args(arguments)
    if args.page:
        report.write(report.read())
        return 0
    known = {id for this in attacks() for id in this.claims} | set(REASONS)
    if unknown := [id for id in args.id if id not in known]:
        parser.error(f"no claim {', '.join(unknown)}")
    chosen = [this for this in attacks() if args.only in this.name]
    if args.id:
        chosen = [this for this in chosen if set(this.claims) & set(args.id)]
    first, step = map(int, args.part.split("/"))
    chosen = chosen[first::step]
    for id in args.id:
        if id in REASONS:
            print(f"{id}: no attack. {REASONS[id]}")
    bad = undecided = 0
    for this in chosen:
        before, seeds = report.so_far(this) if args.more else (None, 0)
        outcome = search(
            this.predicate, args.examples,
            seed=args.seed + seeds, seconds=args.seconds, before=before,
        )  # fmt: skip
        if args.store and outcome is not before:
            report.keep(this.name, report.row(this, outcome, seeds + 1))
        print("\n".join(lines_of(this, outcome)), flush=True)
        if deserved(this, outcome):
            continue
        if needed := report.needed(this, outcome):
            undecided += 1
            print(f"    TOO FEW INSTANCES: {needed} instances refuted this sentence before")
        else:
            bad += 1
            wrong = "NOT REFUTED" if this.printed else "REFUTED: the claim or the attack is wrong"
            print(f"    {wrong}")
    number = f"{len(chosen)} attack{'s' * (len(chosen) != 1)}"
    too_few = f", {undecided} with too few instances" if undecided else ""
    print(f"{number}, {bad} not as the claims say{too_few}")
    return 1 if bad else 2 if undecided else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
