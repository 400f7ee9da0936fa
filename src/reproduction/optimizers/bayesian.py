"""Bayesian optimisation with botorch (the extra ``bayes``): a Gaussian process, and TuRBO-1.

Both search [0, 1]^d: all n coordinates, or the variables of a count sketch (as HeSBO does). They
begin with `FIRST` points of a scrambled Sobol sequence. The model is botorch's Gaussian process
with a lengthscale for each variable and the prior of Hvarfner, Hellsten and Nardi (2024), *Vanilla
Bayesian optimization performs great in high dimensions*, which grows with sqrt(d).

What is less than the papers have, because of the time it takes: the parameters of the model are
fitted again whenever there are `GROWTH` times as many points (they start at the values of the last
fit); `CANDIDATES` and `ACQUISITION` are smaller. All values must be finite.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedded_hunter.extras import extra
from embedded_hunter.matrices import Floats
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.embeddings import CountSketch

FIRST = 20
"""Points before the first model."""
GROWTH = 1.05
"""The parameters of a model are fitted again when it has so many times the points."""
FIT: dict[str, Any] = {"options": {"maxiter": 50}}
"""How they are fitted, by L-BFGS-B."""
CANDIDATES = 1_000
"""Points among which Thompson sampling chooses; 100 d, at most 5,000, in the paper of TuRBO."""
PERTURBED = 20
"""Variables, on average, in which a candidate differs from the best point, as in that paper."""
ACQUISITION: dict[str, Any] = {
    "num_restarts": 2,
    "raw_samples": 128,
    "options": {"sample_around_best": True, "maxiter": 20},
}
"""How the expected improvement is maximised."""
INITIAL, LONGEST, SHORTEST = 0.8, 1.6, 2.0**-7
"""Side lengths of a trust region."""
SUCCESSES, LEAST_FAILURES = 3, 4
"""In sequence: so many successes double a trust region; at least so many failures halve it."""


@dataclass
class TrustRegion:
    """The size of the trust region of TuRBO-1, one evaluation at a time.

    Eriksson, Pearce, Gardner, Turner and Poloczek (2019), *Scalable global optimization via local
    Bayesian optimization*.

    Attributes
    ----------
    d
        Number of variables.
    length
        The geometric mean of its sides.
    successes, failures
        Evaluations in sequence that improved the best value, or did not.
    """

    d: int
    length: float = INITIAL
    successes: int = 0
    failures: int = 0

    def tell(self, improved: bool) -> None:
        """Take note of an evaluation: the region may be doubled or halved."""
        if improved:
            self.successes, self.failures = self.successes + 1, 0
        else:
            self.successes, self.failures = 0, self.failures + 1
        if self.successes == SUCCESSES:
            self.length, self.successes = min(2 * self.length, LONGEST), 0
        elif self.failures == max(LEAST_FAILURES, self.d):
            self.length, self.failures = self.length / 2, 0

    @property
    def ended(self) -> bool:
        """Whether it is too small to go on."""
        return self.length < SHORTEST

    def sides(self, center: Floats, lengthscales: Floats) -> tuple[Floats, Floats]:
        """Return its least and its greatest corner, each of shape (d,), cut to [0, 1]^d.

        The sides are proportional to the lengthscales of the model.
        """
        weights = lengthscales / math.exp(np.log(lengthscales).mean())
        half = self.length * weights / 2
        return np.clip(center - half, 0.0, 1.0), np.clip(center + half, 0.0, 1.0)


def candidates(
    rng: np.random.Generator, center: Floats, low: Floats, high: Floats, points: Floats
) -> Floats:
    """Return points of a trust region for Thompson sampling, shape (S, d).

    Parameters
    ----------
    center
        The best point, shape (d,).
    low, high
        Corners of the region.
    points
        Points of [0, 1]^d, shape (S, d). Each is moved into the region, and then has the
        coordinates of the center but for `PERTURBED` on average, and at least one.
    """
    count, d = points.shape
    changed = rng.random((count, d)) < min(1.0, PERTURBED / d)
    changed[np.arange(count), rng.integers(d, size=count)] = True
    return np.where(changed, low + (high - low) * points, center)


def gaussian_process(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, factor: int | None = None
) -> None:
    """Maximise the expected improvement (qLogEI) of a Gaussian process, evaluation by evaluation.

    In all n coordinates, or in a count sketch of `factor` d_e variables.

    Raises
    ------
    UsageError
        If botorch is missing.
    """
    botorch, f, model = _begin(box, info, rng, factor)
    torch = extra("torch", "bayes")
    bounds = torch.stack((torch.zeros(model.d), torch.ones(model.d))).double()
    improvement = extra("botorch.acquisition.logei", "bayes").qLogExpectedImprovement
    for u in model.sobol(FIRST):
        model.add(u, f(u))
    while True:
        found = improvement(model.fitted(), best_f=-min(model.values))
        u, _ = botorch.optim.optimize_acqf(found, bounds, 1, **ACQUISITION)
        u = u[0].numpy().clip(0.0, 1.0)
        model.add(u, f(u))


def turbo(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, factor: int | None = None
) -> None:
    """TuRBO-1 with Thompson sampling, one evaluation at a time.

    In all n coordinates, or in a count sketch of `factor` d_e variables. When the region has become
    too small, a new one begins with new Sobol points in the same coordinates.

    Raises
    ------
    UsageError
        If botorch is missing.
    """
    botorch, f, model = _begin(box, info, rng, factor)
    torch = extra("torch", "bayes")
    while True:
        model.clear()
        for u in model.sobol(FIRST):
            model.add(u, f(u))
        region = TrustRegion(model.d)
        while not region.ended:
            fitted = model.fitted()
            best = int(np.argmin(model.values))
            low, high = region.sides(model.points[best], model.lengthscales())
            tried = candidates(rng, model.points[best], low, high, model.sobol(CANDIDATES))
            sampling = botorch.generation.MaxPosteriorSampling(fitted, replacement=False)
            with torch.no_grad():
                u = sampling(torch.from_numpy(tried), num_samples=1)[0].numpy()
            value = f(u)
            region.tell(value < min(model.values))
            model.add(u, value)


def _begin(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, factor: int | None
) -> tuple[Any, Callable[[Floats], float], "_Model"]:
    """Return botorch, the function on [0, 1]^d, and a model without points."""
    botorch, torch = extra("botorch", "bayes"), extra("torch", "bayes")
    torch.manual_seed(int(rng.integers(2**31)))
    if factor is None:
        return botorch, lambda u: box(2 * u - 1), _Model(box.rows)
    embedding = CountSketch(rng, box.rows, factor * info.d_e)
    return botorch, lambda u: box(embedding(2 * u - 1)), _Model(factor * info.d_e)


class _Model:
    """A Gaussian process of the values at some points of [0, 1]^d."""

    def __init__(self, d: int) -> None:
        self.d = d
        self.clear()

    def clear(self) -> None:
        """Forget all points, and the parameters."""
        self.points: list[Floats] = []
        self.values: list[float] = []
        self._parameters: Any = None
        self._fitted_with = 0

    def add(self, u: Floats, value: float) -> None:
        """Add a point, shape (d,)."""
        self.points.append(u)
        self.values.append(value)

    def sobol(self, count: int) -> Floats:
        """Return points of a new scrambled Sobol sequence, shape (count, d)."""
        engine = extra("torch", "bayes").quasirandom.SobolEngine(self.d, scramble=True)
        return np.asarray(engine.draw(count, dtype=extra("torch", "bayes").double).numpy())

    def fitted(self) -> Any:
        """Return botorch's model of -f, which it maximises."""
        torch, models = extra("torch", "bayes"), extra("botorch.models", "bayes")
        points = torch.from_numpy(np.array(self.points))
        values = -torch.tensor(self.values, dtype=torch.double).unsqueeze(-1)
        model = models.SingleTaskGP(points, values)
        parts = (model.covar_module, model.mean_module, model.likelihood)
        if self._parameters is not None:
            for part, parameters in zip(parts, self._parameters, strict=True):
                part.load_state_dict(parameters)
        if len(self.values) >= GROWTH * self._fitted_with:
            likelihood = extra("gpytorch", "bayes").mlls.ExactMarginalLogLikelihood
            extra("botorch.fit", "bayes").fit_gpytorch_mll(
                likelihood(model.likelihood, model), optimizer_kwargs=FIT
            )
            self._parameters = [part.state_dict() for part in parts]
            self._lengthscales = model.covar_module.lengthscale.detach().numpy().ravel().copy()
            self._fitted_with = len(self.values)
        return model.eval()

    def lengthscales(self) -> Floats:
        """Return those of the last fit, shape (d,)."""
        return np.asarray(self._lengthscales)
