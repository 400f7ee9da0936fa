"""
The penalties of a regression
=============================

The lasso with a penalty of its own for each of 2,000 features: ten measurements of 442 patients,
from scikit-learn's data on diabetes, and 1,990 columns of noise. The penalties minimise the error
on patients that the fit has not seen.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Lasso

from embedded_hunter import influence, minimize, plot

data = load_diabetes()
rng = np.random.default_rng(0)
features = np.hstack([data.data, rng.standard_normal((442, 1990))])
features = (features - features.mean(axis=0)) / features.std(axis=0)
target = (data.target - data.target.mean()) / data.target.std()
fitted, unseen, test = np.split(rng.permutation(442), [240, 340])


def fit(x):
    """Coefficients with the penalties 0.3 * 10^x: half to twice a common one."""
    weight = 10.0**-x  # a weighted feature with one penalty is a feature with a penalty of its own
    lasso = Lasso(alpha=0.3).fit(features[fitted] * weight, target[fitted])
    return lasso.coef_ * weight


def error(coefficients, rows):
    """Mean squared error of some patients."""
    return float(np.mean((features[rows] @ coefficients - target[rows]) ** 2))


def cost(x):
    """The error on unseen patients, without the digits that the tolerance of the fit decides."""
    return round(error(fit(x), unseen), 4)


# %%
# The middle of the box, which is evaluated first, is the common penalty 0.3. A common penalty of
# 0.1 has an error as small, but it keeps noise.
bounds = [(-0.3, 0.3)] * 2000
result = minimize(cost, bounds, maxfun=400, rng=1)
for x in (np.zeros(2000), np.full(2000, np.log10(1 / 3)), result.x):
    kept = np.count_nonzero(fit(x))
    print(f"error {cost(x):.3f}, of the test patients {error(fit(x), test):.3f}, {kept} features")
plt.figure(plot(result))
plt.show()

# %%
# Which penalties matter. The lasso drops the noise whatever its penalties are.
found = influence(cost, bounds, result, maxfun=200, rng=1)
print(found)
print(*(data.feature_names[i] for i in found.order if i < 10))
