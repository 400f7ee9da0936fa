"""The Lasso objective, against a second construction of its features and the Lasso's own theory."""

import sys
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import Lasso
from sklearn.model_selection import KFold, train_test_split

from embedded_hunter.extras import UsageError
from embedded_hunter.problems.functions import FloatArray
from reproduction.lasso import WeightedLasso

OBJECTIVE = WeightedLasso()
N = 495


class Part(NamedTuple):
    features: FloatArray
    target: FloatArray


def standardised(like: FloatArray, *parts: FloatArray) -> list[FloatArray]:
    return [(part - like.mean(axis=0)) / like.std(axis=0) for part in parts]


def monomials(measurements: FloatArray) -> FloatArray:
    pairs = combinations_with_replacement(range(measurements.shape[1]), 2)
    return np.column_stack(
        [measurements, *(measurements[:, i] * measurements[:, j] for i, j in pairs)]
    )


def data() -> tuple[Part, Part, Part]:
    """Training, validation and test part, built without scikit-learn's transformers."""
    x, y = load_breast_cancer(return_X_y=True)
    train, rest, y0, y_rest = train_test_split(
        x, y.astype(float), train_size=0.6, stratify=y, random_state=0
    )
    valid, test, y1, y2 = train_test_split(
        rest, y_rest, train_size=0.5, stratify=y_rest, random_state=0
    )
    squares = [monomials(part) for part in standardised(train, train, valid, test)]
    features = standardised(squares[0], *squares)
    return Part(features[0], y0), Part(features[1], y1), Part(features[2], y2)


TRAIN, VALID, TEST = data()
MEAN = float(TRAIN.target.mean())


def sample_points() -> list[FloatArray]:
    """The weakest penalties, and points as a random embedding makes them: many at the bounds."""
    rng = np.random.default_rng(0)
    clipped = [np.clip(s * rng.standard_normal(N), -1.0, 1.0) for s in (0.1, 0.5, 1.0, 3.0)]
    return [np.full(N, -1.0), *clipped, np.where(rng.uniform(size=N) < 0.1, 1.0, -1.0)]


@pytest.mark.claim("practice-lasso")
def test_penalties_run_over_two_and_a_half_decades() -> None:
    x = np.resize([-1.0, 0.0, 1.0], N)
    expected = np.resize([10.0**-2.5, 10.0**-1.25, 1.0], N)
    assert OBJECTIVE.penalties(x) == pytest.approx(expected, rel=1e-12)


@pytest.mark.claim("practice-lasso")
@pytest.mark.parametrize("x", sample_points())
def test_the_fit_solves_the_weighted_lasso(x: FloatArray) -> None:
    """Its duality gap, computed here, is at most the documented 1e-5 ||y||^2.

    Weak duality: for any theta with |X_j^T theta| <= m lambda_j the least objective is at least
    (||y||^2 - ||y - theta||^2) / 2.
    """
    y = TRAIN.target - MEAN
    weights = y.size * OBJECTIVE.penalties(x)
    w = OBJECTIVE.coefficients(x)
    residual = y - TRAIN.features @ w
    theta = residual * min(1.0, np.min(weights / np.abs(TRAIN.features.T @ residual)))
    primal = residual @ residual / 2.0 + weights @ np.abs(w)
    dual = (y @ y - (y - theta) @ (y - theta)) / 2.0
    assert 0.0 <= primal - dual <= 1.001e-5 * (y @ y)


@pytest.mark.claim("practice-lasso")
@pytest.mark.parametrize("x", sample_points())
def test_values_are_mean_squared_errors(x: FloatArray) -> None:
    w = OBJECTIVE.coefficients(x)
    for part, value in ((VALID, OBJECTIVE(x)), (TEST, OBJECTIVE.test_error(x))):
        expected = np.mean((part.target - MEAN - part.features @ w) ** 2)
        assert value == pytest.approx(expected, rel=1e-9)


@pytest.mark.claim("practice-lasso")
def test_the_largest_penalty_excludes_a_feature() -> None:
    rng = np.random.default_rng(0)
    x = np.where(rng.uniform(size=N) < 0.5, 1.0, -1.0)
    w = OBJECTIVE.coefficients(x)
    assert np.all(w[x == 1.0] == 0.0)
    assert np.count_nonzero(w) > 20
    assert OBJECTIVE(np.ones(N)) == pytest.approx(np.mean((VALID.target - MEAN) ** 2), rel=1e-12)


@pytest.mark.long
@pytest.mark.claim("practice-lasso")
def test_few_penalties_matter() -> None:
    """Raising the penalties of the features that are out (nine in ten) changes nothing.

    Nothing means at most twice the solver's accuracy of 1e-5; the others change 20 times more.
    """
    x = np.full(N, OBJECTIVE.shared_x)
    out = OBJECTIVE.coefficients(x) == 0.0
    assert np.count_nonzero(out) > 0.9 * N
    raised = np.where(out, 1.0, x)
    assert OBJECTIVE(raised) == pytest.approx(float(OBJECTIVE(x)), abs=2e-5)
    others = np.where(out, x, 1.0)
    assert abs(float(OBJECTIVE(others) - OBJECTIVE(x))) > 20 * 2e-5


@pytest.mark.claim("practice-lasso")
def test_the_shared_penalty_is_the_best_of_cross_validation() -> None:
    def cross_validated(coordinate: float) -> float:
        alpha = 10.0 ** (-1.25 * (1.0 - coordinate))
        errors = []
        for fit, check in KFold(5).split(TRAIN.features):
            model = Lasso(alpha=alpha, tol=1e-5, max_iter=100_000)
            model.fit(TRAIN.features[fit], TRAIN.target[fit])
            predicted = model.predict(TRAIN.features[check])
            errors.append(np.mean((TRAIN.target[check] - predicted) ** 2))
        return float(np.mean(errors))

    chosen = OBJECTIVE.shared_x
    best = cross_validated(chosen)
    for step in (-0.2, -0.04, 0.04, 0.2):
        assert best < cross_validated(chosen + step)


@pytest.mark.claim("practice-lasso")
def test_a_better_point_than_the_shared_penalty_exists() -> None:
    """The objective leaves something to find: the best of 60 random points beats it."""
    rng = np.random.default_rng(0)
    draws = np.clip(rng.uniform(0.0, 3.0, 60) * rng.standard_normal((N, 60)), -1.0, 1.0)
    shared = OBJECTIVE(np.full(N, OBJECTIVE.shared_x))
    assert min(map(OBJECTIVE, draws.T)) < shared - 1e-3


@pytest.mark.parametrize("shape", [(), (N - 1,), (1, N), (N, 2)])
def test_the_shape_is_checked(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"x has shape .*: must be \(495,\)"):
        OBJECTIVE(np.zeros(shape))


@pytest.mark.parametrize("bad", [1.0000001, -2.0, np.nan, np.inf])
def test_the_range_is_checked(bad: float) -> None:
    x = np.zeros(N)
    x[7] = bad
    with pytest.raises(ValueError, match=r"x\[7\] = .*: every coordinate must lie in \[-1, 1\]"):
        OBJECTIVE(x)
    with pytest.raises(ValueError, match=r"x\[7\] = .*: every coordinate must lie in \[-1, 1\]"):
        OBJECTIVE.test_error(x)


def test_a_missing_scikit_learn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    modules: dict[str, Any] = sys.modules
    monkeypatch.setitem(modules, "sklearn.datasets", None)
    with pytest.raises(UsageError, match=r"^sklearn is not installed.*\.\[experiments\]"):
        WeightedLasso()
