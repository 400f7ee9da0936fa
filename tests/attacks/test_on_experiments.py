"""Attacks on the baselines, the test problems and the rules by which runs are compared."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from attacks.search import Draw, attack
from embedded_hunter.baselines.resoo import resoo
from embedded_hunter.baselines.sresoo import sresoo
from embedded_hunter.problems.functions import Ackley, Ellipsoid, FletcherPowell, Rosenbrock
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.problems.lasso import WeightedLasso
from reproduction.figure_1 import agreement


class Calls:
    """An objective that keeps the points where it is evaluated."""

    def __init__(self, center: Any) -> None:
        self.center = center
        self.points: list[Any] = []

    def __call__(self, x: Any) -> float:
        self.points.append(x.copy())
        return float(abs(x - self.center).sum())


def drawn_call(draw: Draw, *, M: int | None = None, v: int | None = None) -> dict[str, Any]:
    """Draw the arguments of a baseline."""
    n = draw.integer("n", 1, 4)
    return {
        "d": draw.integer("d", 1, n),
        "n": n,
        "maxfun": v or draw.size("v", 1, 60),
        "n_embeddings": M or draw.integer("M", 1, 6),
        "K": draw.choice("K", [3, 5]),
        "rng": draw.integer("seed", 0, 99),
        "center": np.array(draw.reals("x*", n, -1, 1)),
    }


def points_of(method: Any, call: dict[str, Any]) -> list[Any]:
    """Run a baseline, and return the points that it evaluates."""
    given = dict(call)
    f, n = Calls(given.pop("center")), given.pop("n")
    method(f, [(-1, 1)] * n, **given)
    return f.points


@attack("supplement-a2")
def test_resoo_makes_M_searches_of_v_over_M_evaluations(draw: Draw) -> bool:
    """RESOO makes M searches of v/M evaluations (up to rounding), each in the embedding of its own
    matrix, and evaluates v points unless its trees are full."""
    call = drawn_call(draw)
    v, M = call["maxfun"], call["n_embeddings"]
    found = points_of(resoo, call)
    starts = [k for k, x in enumerate(found) if not x.any()]
    if len(starts) != min(M, v) or len(found) > v:
        return False
    lengths = [b - a for a, b in zip(starts, [*starts[1:], len(found)], strict=True)]
    if any(length > math.ceil(v / M) for length in lengths):
        return False
    if call["d"] == 1:  # the points of one search are multiples of one vector, where not clipped
        for a, b in zip(starts, [*starts[1:], len(found)], strict=True):
            free = [x for x in found[a:b] if x.any() and np.all(abs(x) < 1)]
            if len(free) > 1 and np.linalg.matrix_rank(np.array(free), tol=1e-9) > 1:
                return False
    return True


@attack("conclusion-zero-vector")
def test_resoo_evaluates_the_zero_vector_in_each_tree(draw: Draw) -> bool:
    """RESOO evaluates the zero vector M times, once in each of its M trees (v >= M)."""
    call = drawn_call(draw)
    draw.assume(call["maxfun"] >= call["n_embeddings"])
    return bool(sum(not x.any() for x in points_of(resoo, call)) == call["n_embeddings"])


@attack("results-embedding-random-search", printed=True)
def test_with_M_equal_to_v_resoo_is_a_random_search(draw: Draw) -> bool:
    """With M = v RESOO or SRESOO acts as random search: its points are not all the same."""
    v = draw.size("v", 2, 20)
    call = drawn_call(draw, M=v, v=v)
    method = draw.choice("method", [resoo, sresoo])
    return len({tuple(x) for x in points_of(method, call)}) > 1


@attack("results-embedding-random-search")
def test_with_M_equal_to_v_both_evaluate_the_zero_vector(draw: Draw) -> bool:
    """At M = v both evaluate the one point x = 0, v times; with v/M = K each tree of RESOO
    evaluates the center and the others of K fixed points of Y."""
    v = draw.size("v", 1, 20)
    call = drawn_call(draw, M=v, v=v)
    method = draw.choice("method", [resoo, sresoo])
    if draw.flag("M = v"):
        found = points_of(method, call)
        return len(found) == v and not any(x.any() for x in found)
    found = points_of(resoo, call | {"maxfun": v * call["K"]})
    zeros = [not x.any() for x in found]
    return zeros == [k % call["K"] == 0 for k in range(len(found))] and len(found) == v * call["K"]


@attack("problem-formulas")
def test_the_test_functions_have_their_formulas(draw: Draw) -> bool:
    """Ellipsoid, Rosenbrock, Ackley and FletcherPowell, written out coordinate by coordinate, with
    u = 5 x, less 2.317 for the first and the third."""
    d = draw.integer("d_e", 2, 5)
    x = draw.reals("x", d, -1, 1)
    shifted = [5 * t - 2.317 for t in x]
    u = [5 * t for t in x]
    ellipsoid = 1e5 * shifted[0] ** 2 + sum(t * t for t in shifted[1:])
    rosenbrock = sum(100 * (u[i + 1] - u[i] ** 2) ** 2 + (u[i] - 1) ** 2 for i in range(d - 1))
    root = math.sqrt(sum(t * t for t in shifted) / d)
    waves = sum(math.cos(2 * math.pi * t) for t in shifted) / d
    ackley = -20 * math.exp(-0.2 * root) - math.exp(waves) + 20 + math.e
    F = FletcherPowell.random(d, draw.rng())
    at = np.array(x)
    total = 0.0
    for i in range(d):
        A, B = (
            sum(F.a[i, j] * math.sin(math.pi * t[j]) + F.b[i, j] * math.cos(math.pi * t[j])
                for j in range(d))
            for t in (F.x_star, x)
        )  # fmt: skip
        total += (A - B) ** 2
    pairs: list[tuple[Any, float]] = [
        (Ellipsoid(d), ellipsoid),
        (Rosenbrock(d), rosenbrock),
        (Ackley(d), ackley),
        (F, total),
    ]
    return all(math.isclose(float(f(at)), value, rel_tol=1e-9, abs_tol=1e-9) for f, value in pairs)


@attack("problem-optima")
def test_the_problems_take_their_minimum_at_the_stated_point(draw: Draw) -> bool:
    """f(x) >= f* for x in X, with f* at the stated optimiser, which lies in X."""
    d_e = draw.integer("d_e", 2, 4)
    name = draw.choice("problem", sorted(PROBLEMS))
    rotated = draw.flag("rotated")
    problem = PROBLEMS[name](d_e + draw.integer("n - d_e", 0, 3), d_e, draw.rng(), rotated)
    x = np.array(draw.reals("x", problem.n, -1, 1))
    near = problem.x_star + 10.0 ** -draw.integer("closeness", 1, 8) * (x - problem.x_star)
    least = float(problem(problem.x_star))
    scale = max(1.0, float(problem(x)))
    return (
        bool(np.all(abs(problem.x_star) <= 1))
        and abs(least - problem.f_star) <= 1e-9 * scale
        and min(float(problem(x)), float(problem(near))) >= problem.f_star - 1e-12
    )


class OneFit(WeightedLasso):
    """Keeps the coefficients of the last fit."""

    def coefficients(self, x: Any) -> Any:
        self.last = super().coefficients(x)
        return self.last


LASSO = OneFit()


def drawn_penalties(draw: Draw) -> Any:
    """Draw a point of X for the Lasso."""
    scale = draw.choice("scale", [0.3, 1.0, 3.0])
    center = draw.real("center", -0.5, 1.0)
    return np.clip(center + scale * draw.rng().standard_normal(LASSO.n), -1, 1)


@attack("practice-lasso", printed=True)
def test_the_objective_is_the_cross_validated_error(draw: Draw) -> bool:
    """The value at x is the mean of the errors of five fits, each judged on the fifth of the
    training data that it does not see."""
    x = drawn_penalties(draw)
    X, y = LASSO._train, LASSO._y_train
    scale = 1 / LASSO.penalties(x)
    from sklearn.linear_model import Lasso

    errors = []
    for k in range(5):
        left_out = np.arange(len(y)) % 5 == k
        model = Lasso(alpha=1.0, fit_intercept=True, tol=1e-4, max_iter=100_000)
        model.fit(X[~left_out] * scale, y[~left_out])
        errors.append(float(np.mean((y[left_out] - model.predict(X[left_out] * scale)) ** 2)))
    draw.note("cross-validated error", np.mean(errors))
    draw.note("value", float(LASSO(x)))
    return math.isclose(float(LASSO(x)), float(np.mean(errors)), rel_tol=1e-2)


@attack("practice-lasso")
def test_the_objective_is_the_error_on_the_validation_part(draw: Draw) -> bool:
    """The value at x is the mean squared error, on the validation part, of a fit to the training
    part: for a Lasso with one penalty for each feature, its duality gap, which is 0 at a solution
    alone, is at most 1e-5 times the sum of the squared targets."""
    x = drawn_penalties(draw)
    value = float(LASSO(x))
    w, y = LASSO.last, LASSO._y_train
    penalties = 10.0 ** (-1.25 * (1 - x)) * len(y)
    residual = y - LASSO._train @ w
    primal = residual @ residual / 2 + penalties @ abs(w)
    # a multiple of the residual that is feasible in the dual problem, |X_j^T r| <= penalty of j
    r = residual / max(1.0, float((abs(LASSO._train.T @ residual) / penalties).max()))
    gap = float(primal - (r @ y - r @ r / 2))
    draw.target(gap)
    error = float(np.mean((LASSO._y_valid - LASSO._valid @ w) ** 2))
    small = gap <= 1e-5 * float(y @ y) * (1 + 1e-6)
    return small and math.isclose(value, error, rel_tol=1e-9)


@attack("published-comparison")
def test_p_values_are_corrected_for_the_number_of_cells(draw: Draw) -> bool:
    """Two tables are compared cell by cell; the adjusted p-value of a cell is the least p_(j) m / j
    over the ranks j from its own on, m the number of cells."""
    cells = draw.size("cells", 1, 5)
    rows: list[list[dict[str, str]]] = [[], []]
    rng = draw.rng()
    for k in range(cells):
        shift = draw.real(f"shift {k}", 0, 3)
        for side, sample in enumerate(
            np.exp(rng.standard_normal((2, 8)) + np.array([[0], [shift]]))
        ):
            rows[side] += [
                {"experiment": "e", "problem": "f", "algorithm": "a", "v": str(k), "run": str(r),
                 "best_value": repr(float(value))}
                for r, value in enumerate(sample)
            ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:  # the sentence is not about the intervals
        for interval in ("ratio_of_geometric_means", "ratio_of_medians"):
            patch.setattr(agreement, interval, lambda ours, theirs: None)
        found = agreement.compare_cells(*rows)
    for raw, adjusted in (("mann_whitney", "mann_whitney_adjusted"),
                          ("kolmogorov_smirnov", "kolmogorov_smirnov_adjusted")):  # fmt: skip
        p = [getattr(cell, raw) for cell in found]
        for cell in found:
            own = getattr(cell, raw)
            # ranks of values that are at least this one
            least = min(q * cells / sum(r <= q for r in p) for q in p if q >= own)
            if not math.isclose(getattr(cell, adjusted), min(1.0, least), rel_tol=1e-9):
                return False
    first = [[float(r["best_value"]) for r in side if r["v"] == "0"] for side in rows]
    p_0 = float(stats.ks_2samp(*first).pvalue)
    return len(found) == cells and math.isclose(found[0].kolmogorov_smirnov, p_0, rel_tol=1e-9)
