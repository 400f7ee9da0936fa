"""Attacks on the paper's sentences about the runs of its algorithms, and on what is true."""

from collections import Counter
from typing import Any

import numpy as np

from attacks.runs import drawn_instance, drawn_values, point, watched
from attacks.search import Draw, attack
from embedded_hunter.baselines.resoo import resoo
from embedded_hunter.baselines.sresoo import sresoo
from spec.algorithm.brute_force import Node, squared_norm
from spec.algorithm.instances import decimal, package_run


@attack("results-embedding-cap", printed=True)
def test_M_norm_bounds_the_evaluations_of_a_base_point(draw: Draw) -> bool:
    """EmbeddedHunter evaluates a base point y with M ||y|| >= 1 at most M ||y|| times."""
    instance = drawn_instance(draw)
    found = package_run(instance, drawn_values(draw))
    count = Counter(e.y for visit in found.visits for e in visit.evaluations)
    caps = {y: decimal(instance.M) ** 2 * squared_norm(y) for y in count}
    return all(k**2 <= caps[y] for y, k in count.items() if caps[y] >= 1)


@attack("strict-expansion-sentence", printed=True)
def test_a_node_is_expanded_only_if_strictly_below_all_of_higher_depths_and_norms(
    draw: Draw,
) -> bool:
    """An expanded node has an f* strictly smaller than those of the nodes of higher depths and of
    the nodes of its depth of greater or equal norm."""
    instance = drawn_instance(draw)

    def norm(node: Node) -> object:
        return squared_norm(point(node, instance.d, instance.K))

    for visit, leaves in watched(instance, drawn_values(draw)):
        for o, value in visit.expansions:
            rivals = [
                n for n in leaves
                if n[0] < o[0] or (n[0] == o[0] and n != o and norm(n) >= norm(o))  # type: ignore[operator]
            ]  # fmt: skip
            if not all(value < leaves[n] for n in rivals):
                return False
    return True


@attack("results-embedding-random-search", printed=True)
def test_with_M_equal_to_v_resoo_is_a_random_search(draw: Draw) -> bool:
    """With M = v RESOO or SRESOO acts as random search: its points are not all the same."""
    n, v = draw.integer("n", 1, 4), draw.integer("M = v", 2, 20)
    method: Any = draw.choice("method", [resoo, sresoo])
    points = set()

    def f(x: np.ndarray) -> float:
        points.add(tuple(x))
        return float(abs(x - 0.3).sum())

    d, seed = draw.integer("d", 1, n), draw.integer("seed", 0, 99)
    method(f, [(-1, 1)] * n, d=d, maxfun=v, n_embeddings=v, rng=seed)
    return len(points) > 1
