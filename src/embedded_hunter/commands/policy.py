"""The options of a search that the commands `minimize` and `trace` share."""

import argparse

from embedded_hunter.commands import integer
from embedded_hunter.forest.settings import N_EMBEDDINGS
from embedded_hunter.run.policies import POLICIES, Policy


def add_policy(parser: argparse._ActionsContainer, default: Policy) -> None:
    """Declare the options: the policy, and parameters that most policies have."""
    parser.add_argument("--policy", choices=POLICIES, default=default, help=f"(default: {default})")
    parser.add_argument("--eta", type=float, help="sets the size of Y, in (0, 1) (default: 0.3)")
    parser.add_argument("--K", type=integer, help="partition factor, odd (default: 3)")
    parser.add_argument(
        "--M",
        type=float,
        help="policies fresh and indexed: factor of the evaluation cap, >= 0 (default: 5)",
    )
    parser.add_argument(
        "--h-max", type=integer, help="greatest depth expanded (default: floor(sqrt(maxfun)))"
    )
    parser.add_argument(
        "--n-embeddings",
        type=integer,
        help=f"policy forest: number of matrices (default: {N_EMBEDDINGS})",
    )
