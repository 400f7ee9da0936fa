"""RESOO and SRESOO as the authors' program ran them, with the SOO inside both.

See `released.hunter` for the description of the whole program and for the quirks shared with
EmbeddedHunter: the steps that do not tile, ties that expand (as in the paper's SOO), and the count
of evaluations.
"""

import math
from heapq import heappop, heappush

import numpy as np

from embedded_hunter.matrices import Floats
from reproduction.released.hunter import ETA, Record, Recorder, step
from reproduction.released.problems import ReleasedProblem


def resoo_released(
    problem: ReleasedProblem,
    *,
    n: int,
    d: int,
    v: int,
    M: int,
    rng: np.random.Generator,
) -> Record:
    """RESOO as released: `M` SOO trees of ceil(v/M) evaluations on Y = [-d/ETA, d/ETA]^d.

    Parameters are those of `embedded_hunter_released`; M is the number of trees.
    """
    recorder = Recorder()
    for _ in range(M):
        matrix = effective_rows(problem, n, d, rng)
        soo(problem, matrix, d / ETA, math.ceil(v / M), recorder)
    return recorder.record()


def sresoo_released(
    problem: ReleasedProblem,
    *,
    n: int,
    d: int,
    v: int,
    M: int,
    rng: np.random.Generator,
) -> Record:
    """SRESOO as released: M SOO rounds of ceil(v/M) evaluations on [-1, 1]^(d+1).

    Parameters are those of `embedded_hunter_released`; M is the number of rounds.
    """
    recorder = Recorder()
    x = np.zeros(problem.d_e)
    for _ in range(M):
        matrix = effective_rows(problem, n, d, rng)
        x = soo(problem, np.column_stack([matrix, x]), 1.0, math.ceil(v / M), recorder)
    return recorder.record()


def effective_rows(problem: ReleasedProblem, n: int, d: int, rng: np.random.Generator) -> Floats:
    """The effective rows, (d_e, d), of a matrix with N(0, 1/n) entries."""
    drawn = rng.standard_normal((problem.row_count, d)) / math.sqrt(n)
    return drawn[problem.rows]


def soo(
    problem: ReleasedProblem,
    matrix: Floats,
    half_width: float,
    budget: int,
    recorder: Recorder,
) -> Floats:
    """SOO as released over f(P_X(C y)), y in the cube of that half-width; C is `matrix`, (d_e, D).

    The loop is not that of `released.hunter`, which has classes by norm, evaluates center children
    again, and lets `min_depth` grow at other visits (7).

    Leaves carry C y, not y: an expansion shifts it by a multiple of one column of C. Gives C y, not
    clipped, of the best node.
    """
    h_max = math.sqrt(budget)
    columns, d = matrix.T, matrix.shape[1]
    best_point: Floats = np.zeros(len(matrix))
    values = problem.values(best_point[None, :])
    recorder.note(values)
    best = values[0]
    heaps: list[list[tuple[float, int, Floats]]] = [[(best, 0, best_point)]]
    moves: list[Floats] = []
    made, count, min_depth = 0, 0, 0
    while count < budget:
        nu_min = math.inf
        before = count
        h = min_depth
        while h <= h_max and h < len(heaps) and count < budget:
            heap = heaps[h]
            if heap and heap[0][0] <= nu_min:
                if len(heap) == 1:
                    min_depth += 1
                if h == len(moves):
                    shift = 2.0 * half_width * step(h) * columns[h % d]
                    moves.append(np.array([shift, -shift]))
                    heaps.append([])
                nu_min, _, point = heappop(heap)
                outer = point + moves[h]
                values = problem.values(outer)
                recorder.note(values)
                count += 2
                for value, child in zip(values, outer, strict=True):
                    made += 1
                    heappush(heaps[h + 1], (value, made, child))
                    if value < best:
                        best, best_point = value, child
                made += 1
                heappush(heaps[h + 1], (nu_min, made, point))
            h += 1
        if count == before:
            break
    return best_point
