"""`local_search` once more, straight from its rules: one sample at a time, numbers for constants.

The model is that of the package (`fit`, `trust_region_step`): `model_features` has it once more.
All else is written again. The names are those of Beyer and Sendhoff: y is the mean, z a sample, s
the path.
"""

import math

import numpy as np

from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.matrices import Floats


def to_ten_bits(step: Floats) -> Floats:
    """Round all entries to a multiple of 2^-10 times the power of 2 above the greatest one."""
    greatest = max(abs(entry) for entry in step.tolist())
    unit = 2.0 ** (math.floor(math.log2(greatest)) + 1 - 10) if greatest else 1.0
    return np.array([round(entry / unit) * unit for entry in step.tolist()])


def to_18_places(z: Floats) -> Floats:
    """Round all entries to multiples of 2^-18."""
    return np.asarray(np.rint(2**18 * z) / 2**18)


class ExplicitSearch:
    """Minimise a function of w in R^d, from w = 0, where it is `value`.

    Attributes
    ----------
    seen
        Which special cases of the rules the search has come across.
    """

    def __init__(self, value: float, d: int, seed: int, step: float = 1.0) -> None:
        self.d, self.rng = d, np.random.default_rng(seed)
        self.y, self.s, self.M = np.zeros(d), np.zeros(d), np.eye(d)
        self.sigma = (step if step < 0.3 else 0.3) / d**0.5
        self.known = [(np.zeros(d), value)]
        self.best, self.least = np.zeros(d), value
        self.model: QuadraticModel | None = None
        self.seen: set[str] = set()

    def ask(self) -> list[Floats]:
        """Return eight points."""
        self.z = [to_18_places(self.rng.standard_normal(self.d)) for _ in range(8)]
        self.points = [self.y + self.sigma * self.M @ z for z in self.z]
        self.step = self.model_step()
        if self.step is not None:
            self.points[0] = self.best + self.sigma * self.d**0.5 * self.M @ self.step
            back = np.linalg.solve(self.M, self.best - self.y) / self.sigma
            self.z[0] = to_ten_bits(back) + self.d**0.5 * self.step
        return self.points

    def model_step(self) -> Floats | None:
        """Where the model of the last 6 d values is least, in units of the trust region."""
        near, rises = [], []
        for w, value in self.known[-6 * self.d :]:
            v = np.linalg.solve(self.M, w - self.best) / (self.sigma * self.d**0.5)
            rise = value - self.least if value < math.inf else math.inf
            if rise < math.inf:
                near.append(v)
                rises.append(rise)
        if len(near) < 2 or len(near) < self.d // 2:
            return None
        model = fit(np.array(near), np.array(rises), self.model)
        if model is None:
            self.seen.add("no model")
            return None
        self.model = model
        step = to_ten_bits(model.trust_region_step(1.0))
        return step if any(step) else None

    def tell(self, values: list[float]) -> None:
        """Take eight values."""
        self.known += zip(self.points, values, strict=True)
        order = sorted(range(8), key=lambda k: values[k])
        model_is_first = self.step is not None and order[0] == 0
        improves = values[order[0]] < self.least
        if improves:
            self.least, self.best = values[order[0]], self.points[order[0]]
        factor = self.adapt(order[:4], model_is_first)
        if self.step is not None and model_is_first and improves:
            length = math.hypot(*self.step)
            if length < 0.5:
                self.seen.add("short step")
                factor *= 2 * length
        if self.step is not None and self.model is not None:
            self.contract(self.model)
        self.sigma *= factor

    def adapt(self, better: list[int], model_is_first: bool) -> float:
        """Move the mean, the path and M by the MA-ES; return the factor of sigma."""
        d, one = self.d, np.eye(self.d)
        w = to_18_places(math.log(4.5) - np.log([1, 2, 3, 4])).tolist()
        w = [weight / sum(w) for weight in w]
        mu_eff = 1 / sum(weight**2 for weight in w)
        c_s = (mu_eff + 2) / (d + mu_eff + 5)
        c_1 = 2 / ((d + 1.3) ** 2 + mu_eff)
        c_w = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((d + 2) ** 2 + mu_eff))
        damping = 1 + c_s + 2 * max(0, math.sqrt((mu_eff - 1) / (d + 1)) - 1)
        chi = math.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d**2))

        z = list(self.z)
        longest = math.sqrt(d) + 2 * d / (d + 2)
        if self.step is not None and math.hypot(*z[0]) > longest:
            z[0] = z[0] * (longest / math.hypot(*z[0]))
            if 0 in better:
                self.seen.add("long step")
        chosen = [z[k] for k in better]
        z_w = np.array(sum(a * z_m for a, z_m in zip(w, chosen, strict=True)))
        spread = sum(a * np.outer(z_m, z_m) for a, z_m in zip(w, chosen, strict=True))
        self.y = self.points[0] if model_is_first else self.y + self.sigma * self.M @ z_w
        self.s = (1 - c_s) * self.s + math.sqrt(mu_eff * c_s * (2 - c_s)) * z_w
        self.M = self.M @ (
            one + c_1 / 2 * (np.outer(self.s, self.s) - one) + c_w / 2 * (spread - one)
        )
        exponent = c_s / damping * (math.hypot(*self.s) / chi - 1)
        if exponent > 1:
            self.seen.add("fast growth")
        return float(to_18_places(np.exp(min(1.0, exponent))))

    def contract(self, model: QuadraticModel) -> None:
        """Make M shorter along the eigenvectors of the model in which it is stiff."""
        curvatures, vectors = np.linalg.eigh(model.H)
        usual = sum(abs(curvatures)) / self.d
        K = np.eye(self.d)
        for curvature, q in zip(abs(curvatures), vectors.T, strict=True):
            if curvature > 2 * usual:
                self.seen.add("contraction")
                K += ((curvature / (2 * usual)) ** -0.15 - 1) * np.outer(q, q)
        K = np.round(K * 1024) / 1024
        self.M = self.M @ K
        self.model = QuadraticModel(model.g @ K, K @ model.H @ K)
