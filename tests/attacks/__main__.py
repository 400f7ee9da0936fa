"""Attack claims: ``python -m attacks ID ... [--examples N]``, in the folder ``tests``.

``embedded-hunter claims --attack`` calls this program.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from attacks.every import attacks
from attacks.reasons import REASONS
from attacks.search import Attack, Outcome, lines_of, search


def deserved(this: Attack, outcome: Outcome) -> bool:
    """Return whether a held sentence stands, or a false one is refuted."""
    return (outcome.counterexample is not None) == this.printed


def main(arguments: Sequence[str]) -> int:
    """Run the attacks on some claims, or on all. Return 1 if one shows what it must not."""
    parser = argparse.ArgumentParser(prog="python -m attacks", description=__doc__)
    parser.add_argument("id", nargs="*", help="claims to attack (default: all)")
    parser.add_argument("--examples", type=int, default=10_000, help="instances for each attack")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="time limit for each attack"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="attacks whose name contains this text")
    parser.add_argument("--store", type=Path, help="write the outcomes to this JSON file")
    args = parser.parse_args(arguments)
    known = {id for this in attacks() for id in this.claims} | set(REASONS)
    if unknown := [id for id in args.id if id not in known]:
        parser.error(f"no claim {', '.join(unknown)}")
    chosen = [this for this in attacks() if args.only in this.name]
    if args.id:
        chosen = [this for this in chosen if set(this.claims) & set(args.id)]
    for id in args.id:
        if id in REASONS and not any(id in this.claims for this in chosen):
            print(f"{id}: no attack. {REASONS[id]}")
    bad, stored = 0, []
    for this in chosen:
        outcome = search(this.predicate, args.examples, seed=args.seed, seconds=args.seconds)
        print("\n".join(lines_of(this, outcome)), flush=True)
        if not deserved(this, outcome):
            bad += 1
            print(
                "    "
                + (
                    "NOT REFUTED"
                    if this.printed
                    else "REFUTED: the claim is wrong, or the attack is"
                )
            )
        stored.append(record(this, outcome))
    if args.store:
        args.store.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{len(chosen)} attacks, {bad} not as the claims say")
    return int(bad > 0)


def record(this: Attack, outcome: Outcome) -> dict[str, object]:
    """Return what is stored about an attack."""
    shown = outcome.counterexample
    return {
        "attack": this.name,
        "claims": list(this.claims),
        "printed": this.printed,
        "sentence": this.sentence,
        "rate": this.rate,
        "examples": outcome.examples,
        "counterexample": None if shown is None else {k: str(v) for k, v in shown.items()},
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
