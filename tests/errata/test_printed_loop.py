"""Algorithm 1 to the letter: where the printed loop goes on for ever without an evaluation."""

import math

import pytest

from paper.instances import Instance, Listed, package_run


def evaluations_of_sweeps(value: float, h_max: int, sweeps: int) -> list[int]:
    """Evaluations in each sweep of the printed loop, d = 1, K = 3, M = 0, all values alike."""
    leaves = {(0, 0)}
    counts = []
    for _ in range(sweeps):
        nu_min, made = math.inf, 0
        for l in range(min(max(h for h, _ in leaves), h_max) + 1):
            norms = {abs(c) for h, c in leaves if h == l}
            for norm in sorted(norms, reverse=True):
                c = min(c for h, c in leaves if h == l and abs(c) == norm)
                if value < nu_min:
                    nu_min = value
                    leaves.remove((l, c))
                    leaves |= {(l + 1, 3 * c + k) for k in (-1, 0, 1)}
                    made += 2
        counts.append(made)
    return counts


@pytest.mark.claim("termination")
def test_the_printed_loop_spins_on_a_full_tree() -> None:
    """h_max = 1: four expansions and the tree is full; the budget is never exhausted."""
    counts = evaluations_of_sweeps(1.0, h_max=1, sweeps=50)
    assert counts == [2] * 4 + [0] * 46
    ours = package_run(Instance(1, 3, 0.3, 0, 1, 1000), Listed([1.0]))
    assert sum(len(visit.evaluations) for visit in ours.visits) == 1 + 8
    assert ours.sweeps == 5  # the sweep that expands nothing is the last


@pytest.mark.claim("nan-and-inf", "termination")
def test_the_printed_loop_spins_on_infinite_values() -> None:
    """inf < nu_min = inf is false: not even the root is expanded."""
    assert evaluations_of_sweeps(math.inf, h_max=9, sweeps=50) == [0] * 50
    ours = package_run(Instance(1, 3, 0.3, 0, 9, 50), Listed([math.inf]))
    assert sum(len(visit.evaluations) for visit in ours.visits) == 50
