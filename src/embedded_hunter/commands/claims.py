"""``embedded-hunter claims``: the claims of the release and their verdicts.

They are read from a table that comes with the package. The verdicts were computed in a checkout,
by ``python -m reproduction claims``.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from textwrap import wrap
from typing import Any

from embedded_hunter.common.extras import UsageError, did_you_mean

TABLE = Path(__file__).parents[1] / "claims.json"
"""Made when the wheel is built: the version, and the claims with their verdicts."""
WIDTH = 96


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "id", nargs="*", help="ids of claims to show in full (default: list all of them)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the claims."""
    if not TABLE.is_file():
        raise UsageError("only an installed wheel has the table; use python -m reproduction claims")
    release: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    claims = {claim["id"]: claim for claim in release["claims"]}
    if unknown := sorted(set(args.id) - set(claims)):
        raise UsageError(f"no claim {', '.join(unknown)}{did_you_mean(unknown[0], claims)}")
    chosen = [claims[id] for id in args.id] or list(claims.values())
    if args.json:
        print(json.dumps({**release, "claims": chosen}, indent=1, ensure_ascii=False))
        return 0
    for claim in chosen:
        print("\n".join(_in_full(claim)) if args.id else f"{claim['id']}: {claim['verdict']}")
    count = Counter(claim["verdict"] for claim in chosen)
    words = ", ".join(f"{number} {verdict}" for verdict, number in sorted(count.items()))
    print(f"\nAt version {release['version']}: {words}")
    return 0


def _in_full(claim: dict[str, Any]) -> list[str]:
    lines = [f"{claim['id']}: {claim['verdict']}    {claim['place']}"]
    lines += [f"    {line}" for line in wrap(claim["statement"], WIDTH)]
    if claim["correction"]:
        lines += [f"    {line}" for line in wrap(f"Corrected: {claim['correction']}", WIDTH)]
    for title, key in (("python", "python"), ("proof", "proof"), ("refuted by", "counterexample")):
        lines += [f"    {title:<10} {name}" for name in claim[key]]
    return lines
