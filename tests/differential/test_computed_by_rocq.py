"""The translated models against the models themselves, which Rocq computes with ``vm_compute``.

The texts of `extracted` come from Rocq's extraction and from `translate.py`. Neither is
proved. Here both models run inside Rocq, without extraction, and do the same row by row. SOO
runs there too, and is compared with the program itself.
"""

import operator
import random
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from differential import oracle
from differential.oracle import listed
from differential.package import birth
from differential.translate import computed, needs_rocq
from embedded_hunter.settings import Settings
from reproduction.baselines.soo import hunt_soo

pytestmark = [needs_rocq, pytest.mark.long]
Rows = list[list[int]]


def hashed(seed: int, levels: int, digits: list[int], n: int) -> int:
    """``hash`` of Compute.v."""
    value = len(digits)
    for c in digits:
        value = (value * 31 + c * seed + 7) % 1000003
    return (value * 17 + seed * n * n + 5) % levels


def call(function: str, *arguments: int | bool | list[int]) -> str:
    """Return a call in Rocq's words; lists are of natural numbers."""
    words = (f"{a}%nat" if isinstance(a, list) else f"{a}".lower() for a in arguments)
    return f"{function} {' '.join(words)}".replace(",", ";")


def rows(summary: tuple[int, ...], leaves: Any, log: Any) -> Rows:
    """A run of a translated model as Compute.v writes it."""
    found = [list(summary)]
    for depth, place, norm, best, count in listed(leaves):
        found.append([5, depth, norm, best, count, *listed(place)])
    for kind, first, *rest in listed(log):
        number = ("Sweep", "Visit", "Expand", "Evaluate").index(kind) + 1
        found.append([number, *rest, *([first] if number < 3 else listed(first))])
    return found


def test_algorithm_1_is_translated_as_rocq_computes_it(tmp_path: Path) -> None:
    model = oracle.load()
    rnd = random.Random(20)
    calls, expected = [], []
    for _ in range(40):
        k, d, h_max = rnd.choice([1, 1, 2, 3]), rnd.randint(1, 4), rnd.randint(0, 5)
        v = rnd.choice([rnd.randint(1, 12), rnd.randint(1, 120)])
        cap = rnd.choice([0, rnd.randint(1, 40), rnd.randint(1, 400)]), rnd.choice([1, 1, 3, 9])
        seed, levels = rnd.randint(1, 97), rnd.choice([1, 2, 3, 10, 1009])
        calls.append(call("algorithm_1", k, d, h_max, v, *cap, seed, levels))

        def value(path: Any, n: int, seed: int = seed, levels: int = levels) -> int:
            return hashed(seed, levels, listed(path), n)

        s = model.hunt(operator.lt, value, (k, d, h_max, v, *cap))
        leaves, _, answer, made, t, sweeps, log = s
        expected.append(rows((answer, made, t, sweeps), leaves, log))
    assert computed("Compute", calls, tmp_path) == expected
    kinds = [row[0] for run in expected for row in run[1:]]
    assert min(kinds.count(kind) for kind in (1, 2, 3, 4, 5)) >= 100
    assert any(row[0] == 4 and row[1] > 1 for run in expected for row in run[1:])


def test_the_forest_is_translated_as_rocq_computes_it(tmp_path: Path) -> None:
    model = oracle.load_forest()
    rnd = random.Random(21)
    calls, expected = [], []
    for _ in range(40):
        k, h_max = rnd.choice([1, 1, 2, 3]), rnd.randint(0, 4)
        v = rnd.choice([rnd.randint(1, 12), rnd.randint(1, 120)])
        trees, by_norm, apart = rnd.randint(1, 5), rnd.random() < 0.5, rnd.random() < 0.5
        ds = [rnd.randint(1, 4) for _ in range(trees)]
        turns = rnd.choice([sorted(set(ds)), []])
        seed, levels = rnd.randint(1, 97), rnd.choice([1, 2, 3, 10, 1009])
        rules = trees, by_norm, apart, seed, levels
        calls.append(call("forest", k, ds, turns, h_max, v, *rules))

        def value(tree: int, inner: Any, seed: int = seed, levels: int = levels) -> int:
            return hashed(seed, levels, listed(inner), tree)

        queue = partial(model.separate_origin if apart else model.one_queue, trees)
        rank = model.norm_class if by_norm else model.one_class
        s = model.hunt(
            operator.lt,
            ((k, 0, h_max, v, 0, 1), ds.__getitem__, oracle.linked(turns)),
            trees,
            value,
            lambda state, path: 0,
            model.nothing,
            queue,
            rank,
        )
        leaves, _, answer, made, t, sweeps, _, log = s
        expected.append(rows((answer, made, t, sweeps), leaves, log))
    assert computed("Compute", calls, tmp_path) == expected
    kinds = [row[0] for run in expected for row in run[1:]]
    assert min(kinds.count(kind) for kind in (1, 2, 3, 4, 5)) >= 100


def digits(h: int, i: int, K: int) -> list[int]:
    """Return the digits of the index of a node, the last one first."""
    return [i // K**j % K for j in range(h)]


@pytest.mark.claim("no-dead-ends")
def test_soo_makes_the_tree_that_rocq_computes(tmp_path: Path) -> None:
    """The program against the functions of Soo.v, about which the theorems are.

    Only a center child has the value of another node, its parent: `Soo.v` and the program may take
    leaves of one depth with equal values in another order.
    """
    rnd = random.Random(23)
    calls: list[str] = []
    expected: list[Rows] = []
    while len(calls) < 40:
        k, h_max, sweeps = rnd.choice([1, 1, 2]), rnd.randint(0, 8), rnd.randint(1, 10)
        d, K, seed, levels = rnd.randint(1, 3), 2 * k + 1, rnd.randint(1, 97), 1000003
        nodes: Rows = [[]]
        expansions, values = 0, list[int]()
        run = hunt_soo(Settings(d, d, 1000, K=K, h_max=h_max))
        visit = next(run)
        with suppress(StopIteration):
            while visit.sweep <= sweeps:
                for leaf, new in visit.expansions:
                    nodes += [digits(child.h, child.i, K) for child in new]
                    assert digits(leaf.h, leaf.i, K) in nodes
                expansions += len(visit.expansions)
                births = [birth((node.h, node.i), K) for node, _ in visit.evaluations]
                told = [hashed(seed, levels, digits(h, i, K), 0) for h, i in births]
                values += told
                visit = run.send([float(value) for value in told])
        if len(set(values)) == len(values):
            calls.append(call("soo", k, h_max, sweeps, seed, levels))
            expected.append([[expansions], *nodes])
    assert computed("Compute", calls, tmp_path) == expected
    assert max(run[0][0] for run in expected) >= 20
