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
from scipy import stats

from regression.kept_results import RESULTS, samples
from reproduction.arithmetic import arithmetic
from reproduction.problems.functions import Ackley
from reproduction.problems.registry import PROBLEMS
from reproduction.released import hunter as released_program
from reproduction.released.hunter import Record, ReleasedProblem, embedded_hunter_released
from reproduction.seeds import seed_of
from reproduction.stored import headers

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
    evaluate: Callable[[list[float]], float], *, d: int, budget: int, M: float, half_width: float
) -> None:
    """Run EmbeddedHunter; `evaluate` sees y in Y coordinates and keeps what the caller wants."""

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
            for node in candidates(tree[h]):
                if node.value > nu_min:
                    continue
                nu_min = node.value
                tree[h].remove(node)
                step = (1 / 3) ** (h + 1)
                below = tree.setdefault(h + 1, [])
                for sign in (1, -1):
                    base = list(node.base)
                    base[h % d] += sign * step
                    below.append(Node(base, ask(base)))
                    count += 1
                size = norm(node.base)
                if size >= 1e-7 and node.visits <= M * size:
                    node.value = min(node.value, ask(node.base))
                    node.visits += 1
                    count += 1
                below.append(node)
                if count >= budget:
                    break
            if alone:
                min_depth += 1
            h += 1
        if count == start:
            break


def candidates(leaves: list[Node]) -> list[Node]:
    """The leaves that a visit considers, in order: one per norm."""
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

    plain_run(evaluate, d=d, budget=v, M=M, half_width=d / 0.2)
    return radii


HUNTER_CASES: list[tuple[int, dict[str, Any]]] = [
    (s, {"d": 1 + s % 4, "v": 60 + 37 * s, "M": (5, 20, 1, 3)[s // 3]}) for s in range(SCRIPTS)
]


@pytest.mark.parametrize(("seed", "case"), HUNTER_CASES)
def test_hunter_follows_the_description(
    monkeypatch: pytest.MonkeyPatch, seed: int, case: dict[str, Any]
) -> None:
    radii, evaluations = hunter_trace(monkeypatch, seed, **case)
    np.testing.assert_allclose(radii, plain_hunter_trace(seed, **case), rtol=1e-9, atol=1e-12)
    assert evaluations == len(radii)


@pytest.mark.parametrize("v", [1, 2, 3, 50, 101, 1000])
@pytest.mark.parametrize("M", [1, 5, 20])
def test_the_root_is_not_counted_and_the_last_expansion_is_finished(v: int, M: int) -> None:
    problem, rng = ReleasedProblem(Ackley(4), np.arange(4), 4), np.random.default_rng(v + M)
    made = embedded_hunter_released(problem, n=N, d=4, v=v, M=M, rng=rng).evaluations
    assert v + 1 <= made <= v + 3
    if M == 1:
        assert made == 1 + v + v % 2  # no center is ever re-evaluated: norms are below 1


def test_the_history_holds_improvements_only() -> None:
    recorder = released_program.Recorder()
    recorder.note([5.0, 5.0, 6.0])
    recorder.note([4.0])
    assert recorder.record() == Record(((1, 5.0), (4, 4.0)), 4)


@pytest.mark.parametrize("problem", ["ellipsoid", "rosenbrock", "ackley"])
def test_a_kept_run_of_figure_1_comes_out_again(problem: str) -> None:
    """Version 1.1.0 has the program of these runs. Its draw of coordinates repeated some."""
    header = headers.read(RESULTS)["released"]
    if not header.made.machine.endswith(f"arithmetic {arithmetic()}"):
        pytest.skip("made with another arithmetic")
    names = ("released", "scalability", problem)
    coordinates = np.random.default_rng(seed_of(*names, 100)).integers(100, size=10)
    distinct, rows = np.unique(coordinates, return_inverse=True)
    function = ReleasedProblem(PROBLEMS[problem](10, 10).landscape, rows, len(distinct))
    rng = np.random.default_rng(seed_of(*names, "embedded_hunter", 100, 3))
    record = embedded_hunter_released(function, n=100, d=10, v=10_000, M=5, rng=rng)
    kept = samples("released", "scalability")[problem, "embedded_hunter", 100]
    assert record.best == kept[3]


# The law of its matrices


class Seen:
    """An objective that keeps its points, as rows."""

    def __init__(self) -> None:
        self.points: list[NDArray[np.float64]] = []

    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        self.points.append(x.T.copy())
        return np.zeros(x.shape[1])


def test_a_fresh_evaluation_has_the_law_of_a_new_matrix() -> None:
    """Kolmogorov-Smirnov at level 1e-3 (fixed seed); reused rows are detected as correlation."""
    f = Seen()
    problem = ReleasedProblem(f, np.array([1, 0, 1]), 2)
    evaluate = released_program.fresh_evaluations(problem, np.random.default_rng(5))
    for _ in range(700):
        evaluate([0.1, 0.2, 0.05])
    x = np.concatenate(f.points) / np.tile([0.1, 0.2, 0.05], 700)[:, None]
    assert np.array_equal(x[:, 0], x[:, 2])  # one ambient coordinate, drawn twice
    assert stats.kstest(x[:, 0], "norm").pvalue > 1e-3
    assert stats.kstest(x[:, 0] * 1.1, "norm").pvalue < 1e-3  # the test's power
    for lag in (1, 2, 3):
        assert stats.pearsonr(x[:-lag, 0], x[lag:, 0]).pvalue > 1e-3
    assert stats.pearsonr(x[:, 0], x[:, 1]).pvalue > 1e-3


def test_matrices_are_new_when_a_block_of_rows_is_smaller_than_a_visit() -> None:
    f = Seen()
    problem = ReleasedProblem(f, np.array([39_999, 0]), 40_000)
    evaluate = released_program.fresh_evaluations(problem, np.random.default_rng(6))
    assert evaluate([0.1, 0.1, 0.1]) == [0.0] * 3
    assert evaluate([0.1, 0.1]) == [0.0] * 2
    assert len(np.unique(np.concatenate(f.points))) == 10
