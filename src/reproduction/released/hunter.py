"""The behaviour of the authors' released program, re-created from its description.

Kept apart from the reference: this module shares no code with `hunter.py` and differs from the
paper on purpose. It exists so that the published raw results can be told from the paper's text.
It was written from a description of the program's behaviour; the program itself was not consulted.

What it does, and where the paper says otherwise:

1. eta = 0.2 (Table 1: 0.3), so Y = [-d/eta, d/eta]^d has half-width 50 for d = 10.
2. The cube is coded as [0, 1]^d. Depth h splits coordinate h mod d with step (1/3)^(h+1), where
   cells that tile need (1/3)^(h div d + 1): coordinate j reaches only about (2/3) 3^-j R.
3. Norms, and the cap on evaluations M ||y||, are taken in the [0, 1] coordinates about 1/2, so
   M ||y|| <= M sqrt(1/8). Norms are floats, compared as floats.
4. A leaf is skipped only if its value > nu_min; a tie expands. Hence the drill: the center child of
   the leaf just expanded has its value, and is expanded at every depth down to h_max.
5. A center child is re-evaluated iff its norm >= 1e-7 and its evaluations so far <= M ||y||.
6. An expansion counts 2 evaluations, or 3 with the center's; the root is not counted. The run
   stops after the expansion with which the count reaches the budget: at most v + 2 are counted.
7. A sweep starts at `min_depth`, which grows by one at every visit to a depth with exactly one
   leaf, whatever that depth, expanded or not. The sweep goes on until an empty depth below the
   deepest leaf, read anew at each depth, or past h_max, the real square root of the budget.
8. Per depth: classes by norm, largest first; in a class the least value, ties to the earliest
   created. Children are evaluated upper, lower, center.
9. EmbeddedHunter draws a new matrix N(0, 1/n) for every evaluation. A y then has independent
   N(0, ||y||^2 / n) coordinates (theory: radial collapse), which is what is drawn.

The errata have the whole description, with RESOO and SRESOO. Version 1.1.0 has these two, and the
profile ``released`` of Figure 1. A run is a pure function of its settings and its generator.

Where the description leaves room, this was decided:

- Evaluations are numbered with the root, which no budget counts; published values cannot tell
  (moving every budget by one evaluation changes no cell's verdict).
- Ties go to the leaf that arrived first at its depth (upper, lower, center). Whether the center,
  the older object, would win instead cannot be seen: exact ties of different points come from
  clipping only.
- Base points are kept in [0, 1] coordinates as floats, so that equal norms may differ in the last
  digit; a split class has no visible effect.
"""

import math
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from embedded_hunter.matrices import Floats

ETA = 0.2
ZERO_NORM = 1e-7
_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedProblem:
    """A function and the rows of A that it reads.

    Rows of A are independent, so only these are drawn. The law of every run is that of the full
    matrix, whatever n is.

    Attributes
    ----------
    landscape
        The function of the effective coordinates. It maps an array of shape (d_e, k), with values
        in [-1, 1], to k floats.
    rows
        Shape (d_e,): for each effective coordinate, which of the drawn rows it reads. The program
        drew these coordinates with replacement: two entries are equal if one was drawn twice.
    row_count
        The number of rows of A that are drawn.
    """

    landscape: Callable[[Floats], np.float64 | Floats]
    rows: NDArray[np.intp]
    row_count: int

    def values(self, x: Floats) -> list[float]:
        """Return f(P_X(x)) of k points in effective coordinates, shape (k, d_e), not changing x."""
        clipped = np.minimum(x, 1.0)
        np.maximum(clipped, -1.0, out=clipped)
        values: list[float] = np.asarray(self.landscape(clipped.T)).tolist()
        return values


@dataclass(frozen=True, slots=True)
class Record:
    """One run: its improvements and its number of evaluations.

    Attributes
    ----------
    history
        (k, value) for every evaluation k = 1, 2, .. that improved on all before it; k = 1 is the
        root, which is numbered here although no budget counts it.
    evaluations
        All evaluations made, the root included.
    """

    history: tuple[tuple[int, float], ...]
    evaluations: int

    @property
    def best(self) -> float:
        """The least value evaluated."""
        return self.history[-1][1]


def step(h: int) -> float:
    """From a base point at depth h to its outer children, in [0, 1] coordinates."""
    return float((1.0 / 3.0) ** (h + 1))


class Recorder:
    """Counts evaluations and keeps the improvements."""

    def __init__(self) -> None:
        self.evaluations = 0
        self.best = math.inf
        self.history: list[tuple[int, float]] = []

    def note(self, values: list[float]) -> None:
        """Take the values of the next evaluations, in order."""
        for value in values:
            self.evaluations += 1
            if value < self.best:
                self.best = value
                self.history.append((self.evaluations, value))

    def record(self) -> Record:
        """The run so far."""
        return Record(tuple(self.history), self.evaluations)


class _LeavesOfDepth:
    """The leaves of one depth: a heap (value, order, base point, evaluations) per norm."""

    __slots__ = ("classes", "least", "norms", "size")

    def __init__(self) -> None:
        self.classes: dict[float, list[_Leaf]] = {}
        self.norms: list[float] = []  # of the classes, negated, ascending: largest norm first
        self.size = 0
        self.least = math.inf  # the least value of a leaf

    def add(self, norm: float, leaf: "_Leaf") -> None:
        heap = self.classes.get(norm)
        if heap is None:
            self.classes[norm] = [leaf]
            insort(self.norms, -norm)
        else:
            heappush(heap, leaf)
        self.size += 1
        if leaf[0] < self.least:
            self.least = leaf[0]

    def remove_first(self, norm: float) -> "_Leaf":
        heap = self.classes[norm]
        leaf = heappop(heap)
        if not heap:
            del self.classes[norm]
            self.norms.remove(-norm)
        self.size -= 1
        return leaf


_Leaf = tuple[float, int, tuple[float, ...], int]


def embedded_hunter_released(
    problem: ReleasedProblem,
    *,
    n: int,
    d: int,
    v: int,
    M: int,
    rng: np.random.Generator,
) -> Record:
    """EmbeddedHunter as released.

    Parameters
    ----------
    problem
        The test problem.
    n
        Ambient dimension; the entries of A have variance 1/n.
    d
        Dimension of the search space Y = [-d/ETA, d/ETA]^d.
    v
        Budget of evaluations, as the program counts them (item 6 above).
    M
        Factor of the cap on the evaluations of a base point.
    rng
        Source of the matrices.
    """
    width = 2.0 * d / ETA / math.sqrt(n)
    h_max = math.sqrt(v)
    recorder = Recorder()
    evaluate = fresh_evaluations(problem, rng)
    center = (0.5,) * d
    value = evaluate([0.0])
    recorder.note(value)
    levels = [_LeavesOfDepth()]
    levels[0].add(0.0, (value[0], 0, center, 1))
    made, count, min_depth = 0, 0, 0
    while count < v:
        nu_min = math.inf
        before = count
        h = min_depth
        while h <= h_max and h < len(levels) and count < v:
            level = levels[h]
            if level.size == 1:
                min_depth += 1
            chosen: list[tuple[float, bool]] = []
            if level.least <= nu_min:
                for negated in level.norms:
                    norm = -negated
                    first = level.classes[norm][0]
                    if first[0] <= nu_min:
                        nu_min = first[0]
                        again = norm >= ZERO_NORM and first[3] <= M * norm
                        chosen.append((norm, again))
                        count += 3 if again else 2
                        if count >= v:
                            break
            if chosen:
                if h + 1 == len(levels):
                    levels.append(_LeavesOfDepth())
                made = _expand_all(level, chosen, levels[h + 1], h, made, width, evaluate, recorder)
            h += 1
        if count == before:
            break
    return recorder.record()


def _expand_all(
    level: _LeavesOfDepth,
    chosen: list[tuple[float, bool]],
    below: _LeavesOfDepth,
    h: int,
    made: int,
    width: float,
    evaluate: Callable[[list[float]], list[float]],
    recorder: Recorder,
) -> int:
    """Expand the first leaf of each chosen class; give the number of nodes made so far.

    Nothing that is decided in a visit depends on the children it makes, so all its evaluations are
    done together, in the program's order.
    """
    leaves = [level.remove_first(norm) for norm, _ in chosen]
    level.least = min((heap[0][0] for heap in level.classes.values()), default=math.inf)
    d = len(leaves[0][2])
    size = step(h)
    j = h % d
    center = (0.5,) * d
    children: list[tuple[tuple[float, ...], float]] = []
    radii: list[float] = []
    for (norm, again), (_, _, base, _) in zip(chosen, leaves, strict=True):
        for x in (base[j] + size, base[j] - size):
            child = (*base[:j], x, *base[j + 1 :])
            radius = math.dist(child, center)
            children.append((child, radius))
            radii.append(radius * width)
        if again:
            radii.append(norm * width)
    values = evaluate(radii)
    recorder.note(values)
    outer, fresh = iter(children), iter(values)
    for (norm, again), (value, _, base, evaluations) in zip(chosen, leaves, strict=True):
        for _ in range(2):
            child, radius = next(outer)
            made += 1
            below.add(radius, (next(fresh), made, child, 1))
        made += 1
        if again:
            value, evaluations = min(value, next(fresh)), evaluations + 1
        below.add(norm, (value, made, base, evaluations))
    return made


def fresh_evaluations(
    problem: ReleasedProblem, rng: np.random.Generator
) -> Callable[[list[float]], list[float]]:
    """Evaluations at points of given sigma ||y||, each with a matrix of its own."""
    rows = problem.rows
    block_rows = max(1, _BLOCK // problem.row_count)
    identity = len(rows) == problem.row_count and bool((rows == np.arange(len(rows))).all())
    block = np.empty((0, problem.row_count))
    used = 0

    def evaluate(radii: list[float]) -> list[float]:
        nonlocal block, used
        k = len(radii)
        if used + k > len(block):
            block = rng.standard_normal((max(k, block_rows), problem.row_count))
            used = 0
        z = block[used : used + k]
        used += k
        if not identity:
            z = z[:, rows]
        return problem.values(z * np.array(radii)[:, None])

    return evaluate
