"""The released program.

The module must ask for the same evaluations, in the same order, as a plain model (`plain_run`) on
scripted values. The model is written from the same description with none of the module's
machinery: nodes are mutable objects, a depth is a list sorted at each visit, y is kept as such.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reproduction.problems.functions import Ackley
from reproduction.released import hunter as released_program
from reproduction.released import resoo as released_resoo
from reproduction.released.hunter import Record, embedded_hunter_released
from reproduction.released.problems import ReleasedProblem, released_problem
from reproduction.released.resoo import resoo_released, sresoo_released

pytestmark = pytest.mark.claim("released-program")

N = 10_000
SCRIPTS = 12  # scripted runs per comparison of traces


@dataclass
class Node:
    base: list[float]
    value: float = math.inf
    visits: int = 1


def norm(base: list[float]) -> float:
    return math.dist(base, [0.5] * len(base))


def plain_run(
    evaluate: Callable[[list[float]], float],
    *,
    d: int,
    budget: int,
    M: float,
    half_width: float,
    hunter: bool,
) -> int:
    """Run EmbeddedHunter (`hunter`) or the SOO of RESOO; give the evaluations counted.

    `evaluate` sees y in Y coordinates and must keep whatever the caller wants to know.
    """

    def ask(base: list[float]) -> float:
        return evaluate([2 * half_width * (x - 0.5) for x in base])

    root = Node([0.5] * d)
    root.value = ask(root.base)
    count = 0  # the root is not counted
    tree: dict[int, list[Node]] = {0: [root]}
    h_max = math.sqrt(budget)
    min_depth = 0
    while count < budget:
        nu_min = math.inf
        start, h = count, min_depth
        while h <= h_max and count < budget:
            if not tree.get(h):
                if h > max(tree):
                    break
                h += 1
                continue
            alone = len(tree[h]) == 1
            expanded = False
            for node in candidates(tree[h], hunter):
                if node.value > nu_min:
                    continue
                nu_min = node.value
                expanded = True
                tree[h].remove(node)
                step = (1 / 3) ** (h + 1)
                below = tree.setdefault(h + 1, [])
                for sign in (1, -1):
                    base = list(node.base)
                    base[h % d] += sign * step
                    below.append(Node(base, ask(base)))
                    count += 1
                if hunter:
                    size = norm(node.base)
                    if size >= 1e-7 and node.visits <= M * size:
                        node.value = min(node.value, ask(node.base))
                        node.visits += 1
                        count += 1
                below.append(node)
                if count >= budget:
                    break
            if alone and (expanded or hunter):
                min_depth += 1
            h += 1
        if count == start:
            break
    return count


def candidates(leaves: list[Node], hunter: bool) -> list[Node]:
    """The leaves that a visit considers, in order: one per norm, or for SOO one in all."""
    if not hunter:
        return [min(leaves, key=lambda node: node.value)]
    ordered = sorted(leaves, key=lambda node: (-norm(node.base), node.value))
    chosen: list[Node] = []
    for node in ordered:
        if not chosen or norm(chosen[-1].base) != norm(node.base):
            chosen.append(node)
    return chosen


def script(seed: int) -> NDArray[np.float64]:
    """Values to be handed out in order; every second script is full of ties."""
    rng = np.random.default_rng(seed)
    if seed % 2:
        return rng.standard_normal(3000)
    return rng.integers(0, 12, 3000).astype(float)


def blank_problem(d_e: int = 1) -> ReleasedProblem:
    return ReleasedProblem(lambda x: np.zeros(x.shape[1]), np.arange(d_e), d_e)


def hunter_trace(
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    *,
    d: int,
    v: int,
    M: int,
) -> tuple[list[float], int]:
    """sigma ||y|| of every evaluation of the module, and its number of evaluations."""
    values = iter(script(seed))
    radii: list[float] = []

    def evaluate(wanted: list[float]) -> list[float]:
        radii.extend(wanted)
        return [float(next(values)) for _ in wanted]

    monkeypatch.setattr(released_program, "fresh_evaluations", lambda *_: evaluate)
    record = embedded_hunter_released(
        blank_problem(), n=N, d=d, v=v, M=M, rng=np.random.default_rng(0)
    )
    return radii, record.evaluations


def plain_hunter_trace(seed: int, *, d: int, v: int, M: int) -> list[float]:
    values = iter(script(seed))
    radii: list[float] = []

    def evaluate(y: list[float]) -> float:
        radii.append(math.hypot(*y) / math.sqrt(N))
        return float(next(values))

    plain_run(evaluate, d=d, budget=v, M=M, half_width=d / 0.2, hunter=True)
    return radii


def soo_trace(seed: int, *, d: int, budget: int) -> NDArray[np.float64]:
    """Points of every evaluation of the module's SOO on [-1/2, 1/2]^d, shape (evaluations, d)."""
    values = iter(script(seed))
    points: list[list[float]] = []

    def objective(x: NDArray[np.float64]) -> NDArray[np.float64]:
        points.extend(x.T.tolist())
        return np.array([next(values) for _ in x.T])

    problem = ReleasedProblem(objective, np.arange(d), d)
    recorder = released_program.Recorder()
    released_resoo.soo(problem, np.eye(d), 0.5, budget, recorder)
    return np.array(points)


def plain_soo_trace(seed: int, *, d: int, budget: int) -> NDArray[np.float64]:
    values = iter(script(seed))
    points: list[list[float]] = []

    def evaluate(y: list[float]) -> float:
        points.append(y)
        return float(next(values))

    plain_run(evaluate, d=d, budget=budget, M=0, half_width=0.5, hunter=False)
    return np.array(points)


def same(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-9, atol=1e-12))


HUNTER_CASES: list[tuple[int, dict[str, Any]]] = [
    (s, {"d": 1 + s % 4, "v": 60 + 37 * s, "M": (5, 20, 1, 3)[s // 3]}) for s in range(SCRIPTS)
]
SOO_CASES: list[tuple[int, dict[str, Any]]] = [
    (s, {"d": 1 + s % 4, "budget": 60 + 37 * s}) for s in range(SCRIPTS)
]


@pytest.mark.parametrize(("seed", "case"), HUNTER_CASES)
def test_hunter_follows_the_description(
    monkeypatch: pytest.MonkeyPatch, seed: int, case: dict[str, Any]
) -> None:
    radii, evaluations = hunter_trace(monkeypatch, seed, **case)
    assert same(np.array(radii), np.array(plain_hunter_trace(seed, **case)))
    assert evaluations == len(radii)


@pytest.mark.parametrize(("seed", "case"), SOO_CASES)
def test_soo_follows_the_description(seed: int, case: dict[str, Any]) -> None:
    assert same(soo_trace(seed, **case), plain_soo_trace(seed, **case))


@pytest.mark.parametrize("v", [1, 2, 3, 50, 101, 1000])
@pytest.mark.parametrize("M", [1, 5, 20])
def test_the_root_is_not_counted_and_the_last_expansion_is_finished(v: int, M: int) -> None:
    problem = released_problem(Ackley(4), np.arange(4), n=N)
    rng = np.random.default_rng(v + M)
    made = embedded_hunter_released(problem, n=N, d=4, v=v, M=M, rng=rng).evaluations
    assert v + 1 <= made <= v + 3
    if M == 1:
        assert made == 1 + v + v % 2  # no center is ever re-evaluated: norms are below 1
    per_tree = math.ceil(v / M)
    made = resoo_released(problem, n=N, d=4, v=v, M=M, rng=rng).evaluations
    assert made == M * (1 + per_tree + per_tree % 2)
    assert sresoo_released(problem, n=N, d=4, v=v, M=M, rng=rng).evaluations == made


def test_the_history_holds_improvements_only() -> None:
    recorder = released_program.Recorder()
    recorder.note([5.0, 5.0, 6.0])
    recorder.note([4.0])
    assert recorder.record() == Record(((1, 5.0), (4, 4.0)), 4)


def test_a_value_at_a_budget_looks_ahead() -> None:
    record = Record(((1, 9.0), (7, 5.0), (12, 4.0)), 20)
    assert [record.at(b) for b in (1, 2, 7, 8, 12, 13, 20)] == [9, 5, 5, 4, 4, 4, 4]
    assert record.best == 4.0
