"""The evaluations that the sweeps of the forest take; the proof is in ``docs/paper/forest.md``."""

from embedded_hunter.forest.constants import SHARES
from reproduction.theory.finite_time import iterations_of_sweeps


def forest_evaluations_of_sweeps(
    sweeps: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0
) -> int:
    """Evaluations after which `sweeps` sweeps of the forest are complete, or the forest is full.

    S sweeps of a forest with one class for each depth and queue make at most ``E(S) = 1 + (K - 1)
    sum_{s <= S} min(s, h_max + 1)`` evaluations. Before sweep S ends, a local search that makes at
    most B evaluations each time it is asked has made at most ``3 E(S - 1) + B - 1`` under rule F6,
    and none if ``S <= P``. The result is one more than their sum (claim forest-sweeps).
    With P = 1 it is valid for any number of trees.
    """
    most = 1 + (K - 1) * iterations_of_sweeps(sweeps, h_max)
    if local_search > 0 and sweeps > P:
        before = 1 + (K - 1) * iterations_of_sweeps(sweeps - 1, h_max)
        most += (SHARES.each - 1) * before + local_search - 1
    return 1 + most
