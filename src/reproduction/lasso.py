"""A hyperparameter problem: a Lasso with one penalty for each feature.

:class:`WeightedLasso` requires scikit-learn, which is part of the ``experiments`` extra.
"""

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import Bounds

from embedded_hunter.extras import extra
from embedded_hunter.problems.functions import FloatArray

#: ``log10`` of the penalty at ``x_j = -1`` and at ``x_j = 1``.
LOG10_PENALTY: Final = (-2.5, 0.0)
#: Relative duality gap at which the Lasso solver stops.
TOLERANCE: Final = 1e-5
#: Largest number of sweeps of the solver, some 20 times more than any run was seen to need.
MAX_ITER: Final = 100_000


class WeightedLasso:
    """Validation error of a Lasso with one penalty per feature, as a function on ``[-1, 1]^495``.

    Data: the breast-cancer data set of scikit-learn (569 patients, 30 measurements, target 0 or 1).
    It is split once, stratified and with a fixed seed, into 60 % training, 20 % validation and 20 %
    test data. The measurements are standardised, expanded to all monomials of degree 1 and 2 (495
    features) and standardised again. Means and deviations are those of the training part.

    Fit: least squares regression of the target with intercept,

        ``min_w ||y - X w||^2 / (2 m) + sum_j lambda_j |w_j|``,

    where ``log10 lambda_j = -1.25 (1 - x_j)``: penalties run from ``10^-2.5`` to 1. One penalty for
    all is best near ``10^-2``; at ``10^-3`` the error has doubled and the solver is slow. A penalty
    of 1 excludes its feature whatever the others are: at the solution ``||y - X w|| <= ||y||``,
    hence ``|X_j^T (y - X w)| / m <= ||y|| / sqrt(m) < 1/2``.

    Value: the mean squared error on the validation part. A search chooses 495 penalties by this
    value, so the value is optimistic for the chosen ``x``. Judge it by :meth:`test_error`, on
    patients whose data were not used.

    Cost: 3 to 10 ms per value. Scaling feature ``j`` by ``1 / lambda_j`` gives an ordinary Lasso
    with penalty 1, whose Gram matrix is a scaling of that of ``X``, which is computed once. The
    solver stops at the duality gap ``1e-5 ||y||^2``, which changes the value by some 1e-5. In all
    runs so far it was reached with fewer than 5000 of the 100000 sweeps allowed. So no
    ``ConvergenceWarning`` is expected, and none is hidden. Equal ``x`` give equal values.

    Attributes
    ----------
    n : int
        Number of penalties, 495.

    Raises
    ------
    UsageError
        If scikit-learn is missing.
    """

    def __init__(self) -> None:
        split = extra("sklearn.model_selection").train_test_split
        make, steps = extra("sklearn.pipeline").make_pipeline, extra("sklearn.preprocessing")
        data, target = extra("sklearn.datasets").load_breast_cancer(return_X_y=True)
        train, rest, y_train, y_rest = split(
            data, target, train_size=0.6, stratify=target, random_state=0
        )
        valid, test, y_valid, y_test = split(
            rest, y_rest, train_size=0.5, stratify=y_rest, random_state=0
        )
        features = make(
            steps.StandardScaler(),
            steps.PolynomialFeatures(degree=2, include_bias=False),
            steps.StandardScaler(),
        )
        self._train: FloatArray = np.asfortranarray(features.fit_transform(train))
        self._valid: FloatArray = features.transform(valid)
        self._test: FloatArray = features.transform(test)
        self._intercept = float(np.mean(y_train))  # the columns of the training part have mean 0
        self._y_train: FloatArray = y_train - self._intercept
        self._y_valid: FloatArray = y_valid - self._intercept
        self._y_test: FloatArray = y_test - self._intercept
        self._gram: FloatArray = self._train.T @ self._train
        self._correlations: FloatArray = self._train.T @ self._y_train
        self.n: int = self._train.shape[1]

    @property
    def bounds(self) -> Bounds:
        """``[-1, 1]^n``."""
        return Bounds(np.full(self.n, -1.0), np.full(self.n, 1.0))

    def penalties(self, x: ArrayLike) -> FloatArray:
        """Return the penalties ``lambda`` at ``x``, both of shape ``(n,)``."""
        low, high = LOG10_PENALTY
        return 10.0 ** (low + (high - low) * (self._point(x) + 1.0) / 2.0)

    def coefficients(self, x: ArrayLike) -> FloatArray:
        """Return the fitted ``w`` at ``x``, both of shape ``(n,)``, for the standardised features.

        Raises
        ------
        ValueError
            If ``x`` has another shape or lies outside ``[-1, 1]^n``.
        """
        from sklearn.linear_model import lasso_path

        scale = 1.0 / self.penalties(x)
        _, scaled, _ = lasso_path(
            self._train * scale,
            self._y_train,
            alphas=[1.0],
            precompute=self._gram * np.outer(scale, scale),
            Xy=self._correlations * scale,
            check_input=False,
            tol=TOLERANCE,
            max_iter=MAX_ITER,
        )
        coefficients: FloatArray = scaled[:, 0] * scale
        return coefficients

    def __call__(self, x: ArrayLike) -> np.float64:
        """Return the mean squared error on the validation part, at ``x`` of shape ``(n,)``.

        Raises
        ------
        ValueError
            If ``x`` has another shape or lies outside ``[-1, 1]^n``.
        """
        return self._error(x, self._valid, self._y_valid)

    def test_error(self, x: ArrayLike) -> np.float64:
        """Return the mean squared error on the test part, at ``x`` of shape ``(n,)``."""
        return self._error(x, self._test, self._y_test)

    @cached_property
    def shared_x(self) -> float:
        """The coordinate, the same for all features, of the penalty that ``LassoCV`` chooses.

        ``LassoCV`` uses five-fold cross-validation on the training part (standardised as a whole).
        It chooses among 51 penalties equally spaced in ``x``, so that its choice is a point of the
        search space.
        """
        from sklearn.linear_model import LassoCV

        xs = np.linspace(-1.0, 1.0, 51)
        low, high = LOG10_PENALTY
        grid = 10.0 ** (low + (high - low) * (xs + 1.0) / 2.0)
        model: Any = LassoCV(alphas=grid, cv=5, tol=TOLERANCE, max_iter=MAX_ITER)
        model.fit(self._train, self._y_train)
        return float(xs[np.argmin(np.abs(np.log(grid / model.alpha_)))])

    def _error(self, x: ArrayLike, features: FloatArray, y: FloatArray) -> np.float64:
        residual = y - features @ self.coefficients(x)
        return np.float64(residual @ residual / residual.size)

    def _point(self, x: ArrayLike) -> FloatArray:
        point = np.asarray(x, dtype=np.float64)
        if point.shape != (self.n,):
            raise ValueError(f"x has shape {point.shape}: must be ({self.n},)")
        outside = np.flatnonzero(~(np.abs(point) <= 1.0))  # nan included
        if outside.size:
            j = outside[0]
            raise ValueError(f"x[{j}] = {point[j]}: every coordinate must lie in [-1, 1]")
        return point
