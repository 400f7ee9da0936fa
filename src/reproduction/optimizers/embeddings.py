"""The linear maps of REMBO and HeSBO, from a few variables to the n of the black box."""

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.projection import clip


class Gaussian:
    """REMBO's map y -> P_X(A y), the entries of A independent N(0, 1).

    Wang, Hutter, Zoghi, Matheson and de Freitas (2016), *Bayesian optimization in a billion
    dimensions via random embeddings*, search the box [-sqrt(d), sqrt(d)]^d.
    """

    def __init__(self, rng: np.random.Generator, rows: int, d: int) -> None:
        self.matrix: Floats = np.asfortranarray(rng.standard_normal((rows, d)))

    def __call__(self, y: Floats) -> Floats:
        """Return the point of X, shape (rows,)."""
        return clip(self.matrix @ y)


class CountSketch:
    """HeSBO's map: x_i = s_i y_{h(i)}, h(i) uniform on 0 .. d - 1 and s_i on {-1, 1}.

    Nayebi, Munteanu and Poloczek (2019), *A framework for Bayesian optimization in embedded
    subspaces*, search [-1, 1]^d: its image lies in X, nothing is clipped.
    """

    def __init__(self, rng: np.random.Generator, rows: int, d: int) -> None:
        self.bucket = rng.integers(d, size=rows)
        self.sign = rng.choice((-1.0, 1.0), size=rows)

    def __call__(self, y: Floats) -> Floats:
        """Return the point of X, shape (rows,)."""
        return np.asarray(self.sign * y[self.bucket])

    def split(self, rng: np.random.Generator, parts: int) -> None:
        """Split every bucket into some parts: variable k becomes parts k, .., parts k + parts - 1.

        Papenmeier, Nardi and Poloczek (2022), *Increasing the scope as you learn: adaptive Bayesian
        optimization in nested subspaces* (BAxUS), have such sketches; there the buckets have equal
        sizes, here each coordinate draws its bucket independently.
        """
        self.bucket = parts * self.bucket + rng.integers(parts, size=len(self.bucket))
