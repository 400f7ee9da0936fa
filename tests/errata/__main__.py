"""Attack claims: ``python -m errata ID ... [--examples N]``, in the folder ``tests``."""

import argparse
import sys
from collections.abc import Sequence

from errata.search import MOST, attacks, lines_of, search


def main(arguments: Sequence[str]) -> int:
    """Run the attacks on some claims, or on all.

    Return 1 if a sentence that we hold is refuted, or a false one is not.
    """
    parser = argparse.ArgumentParser(prog="python -m errata", description=__doc__)
    parser.add_argument("id", nargs="*", help="claims to attack (default: all)")
    parser.add_argument(
        "--examples", type=int, default=1000,
        help="instances for each sentence that we hold; a false one gets instances until it is "
        f"refuted, at most {MOST}",
    )  # fmt: skip
    args = parser.parse_args(arguments)
    chosen = [this for this in attacks() if not args.id or set(this.claims) & set(args.id)]
    for id in args.id:
        if all(id not in this.claims for this in chosen):
            print(f"{id}: no attack; pytest --claim {id} runs its tests")
    bad = 0
    for this in chosen:
        outcome = search(this.predicate, MOST if this.printed else args.examples)
        print("\n".join(lines_of(this, outcome)), flush=True)
        if (outcome.counterexample is not None) != this.printed:
            bad += 1
            wrong = "NOT REFUTED" if this.printed else "REFUTED: the claim or the attack is wrong"
            print(f"    {wrong}")
    print(f"{len(chosen)} attack{'s' * (len(chosen) != 1)}, {bad} not as the claims say")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
