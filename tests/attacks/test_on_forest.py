"""Attacks on the bounds of the policy forest, beyond the paper."""

import math
from collections.abc import Callable
from itertools import cycle

import numpy as np
from hypothesis import assume

from attacks.runs import INF, drawn_branch, drawn_values, nodes, point
from attacks.search import Draw, attack
from embedded_hunter.forest.search import ForestVisit, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.regret import end_to_end_bound, sweeps_to_expand
from spec.algorithm.brute_force import Node


def played(
    settings: ForestSettings, value: Callable[[int, Node], float], local: Callable[[], float],
    sweeps: float = INF,
) -> list[tuple[ForestVisit, list[float]]]:  # fmt: skip
    """Run the first sweeps of a forest, and return its own visits with their values.

    value(q, node) is the value of a node of tree q, and local() the next one of a local search.
    """
    run, found = hunt_forest(settings), []
    visit = next(run)
    while visit.sweep <= sweeps:
        assert isinstance(visit, ForestVisit)
        if visit.local is None:
            values = [value(p - 1, (n.h, n.i % settings.K**n.h)) for n, p in visit.evaluations]
            found.append((visit, values))
        else:
            values = [local() for _ in visit.evaluations]
        try:
            visit = run.send(values)
        except StopIteration:
            break
    return found


@attack("forest-lemma-1", "forest-theorem-2")
def test_the_optimal_node_of_any_tree_is_expanded_within_S_sweeps(draw: Draw) -> bool:
    """The optimal node of depth h <= h_max of any tree is expanded within S_h complete sweeps, so
    within (h_max + 1) S_h iterations, and then the least value is at most f* + eps_(h+1). The
    computed S_h is this number, and at most P (h + 1) and the near-optimal nodes whose base point
    is not zero. All this holds with or without local searches."""
    d, P, h_max = draw.integer("d", 1, 2), draw.integer("P", 1, 4), draw.integer("h_max", 0, 2)
    settings = ForestSettings(d + 1, 900, dimensions=[d], eta=0.5, K=3, h_max=h_max, n_embeddings=P,
                              refine=draw.flag("local searches"), evolve=False)  # fmt: skip
    g = drawn_values(draw)
    local = cycle(draw.integers("values of the local searches", 5, -2, 9))

    def zero(node: Node) -> bool:
        return not any(point(node, d, 3))

    def value(q: int, node: Node) -> float:  # that of the zero vector is common to all trees
        return g(0, point(node, d, 3), 1 if zero(node) else q + 1)

    q, h = draw.integer("tree", 0, P - 1), draw.integer("h", 0, h_max)
    o = drawn_branch(draw, h + 1, 3, lambda node: value(q, node))
    slack = draw.integer("slack", 0, 1)
    eps = [value(q, node) + slack for node in o]
    everything = [(n, value(p, n)) for k in range(h + 1) for n in nodes(k, 3) for p in range(P)]
    # a node counts if a node of the branch that is no less deep has its queue and an eps for it
    S = sum(
        any(x <= eps[l] and zero(n) == zero(o[l]) for l in range(n[0], h + 1))
        for n, x in everything
    )
    found = played(settings, value, lambda: float(next(local)), S)
    name = h, q * 3**h + o[h][1]
    at = next(
        (k for k, (visit, _) in enumerate(found)
         if name in [(leaf.h, leaf.i) for leaf, _ in visit.expansions]), None,
    )  # fmt: skip
    if at is None or at > (h_max + 1) * S:
        return False
    draw.target(found[at][0].sweep / S)
    levels = [[[value(p, n) for n in nodes(k, 3)] for p in range(P)] for k in range(h + 1)]
    last_zero = sum(zero(n) for n in o[: h + 1]) - 1
    near = sum(x <= max(eps[n[0] : h + 1]) for n, x in everything if not zero(n))
    return (
        sweeps_to_expand(levels, 0, eps[: h + 1], last_zero)[h] == S <= P * (h + 1) + near
        and min(x for _, values in found for x in values) <= eps[h + 1]
    )


@attack("end-to-end")
def test_the_end_to_end_bound_on_its_event(draw: Draw) -> bool:
    """Where some matrix covers x* and has a norm of at most sigma (2 sqrt(d) + t), and all least
    singular values exceed a sigma, the regret after v evaluations is at most the stated one."""
    d, P = draw.integer("d", 1, 2), draw.integer("P", 1, 3)
    h_max, v = draw.integer("h_max", 0, 4), draw.integer("v", 1, 1000)
    t, a = draw.real("t", 0, 2), draw.real("a", 0.05, 1)
    sigma = draw.choice("sigma", [0.1, 0.3, 1.0])
    settings = ForestSettings(d + 1, v, dimensions=[d], eta=0.5, K=3, h_max=h_max, n_embeddings=P,
                              refine=False, evolve=False)  # fmt: skip
    R = float(settings.trees[0].radius)
    B = sigma * np.array(draw.reals("B_1, ..., B_P / sigma", P * d * d, -3, 3)).reshape(P, d, d)
    singular = np.linalg.svd(B, compute_uv=False)
    q = draw.integer("tree that covers", 0, P - 1)
    x_star = B[q] @ (R * np.array(draw.reals("y* / R", d, -1, 1)))
    room = 1 - float(np.max(abs(x_star)))
    assume(room > 1e-6 and singular[q][0] <= sigma * (2 * math.sqrt(d) + t))
    assume(np.all(singular > a * sigma))
    bound = end_to_end_bound(
        v, coverage=0.9, P=P, d=d, K=3, R=R, sigma=sigma, h_max=h_max, lipschitz=1.0, growth=1.0,
        room=room, t=t, least=a,
    )  # fmt: skip

    def distance(p: int, node: Node) -> float:
        y = R * np.array([float(s) for s in point(node, d, 3)])
        return math.dist(np.clip(B[p] @ y, -1, 1), x_star)

    regret = min(x for _, values in played(settings, distance, lambda: INF) for x in values)
    draw.target(regret / bound.regret)
    return regret <= bound.regret * (1 + 1e-9)
