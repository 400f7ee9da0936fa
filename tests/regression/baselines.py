"""What the specifications of the baselines share: spies, ways of calling, and runs in pieces."""

from collections.abc import Callable
from fractions import Fraction
from hashlib import blake2b

import hypothesis.strategies as st
import numpy as np

from embedded_hunter.matrices import Floats
from paper.definitions import Point
from paper.instances import INF
from regression.brute_force_soo import Function


class Spy:
    """An objective that keeps its points and values."""

    def __init__(self, f: Callable[[Floats], float]) -> None:
        self.f = f
        self.points: list[Floats] = []
        self.values: list[float] = []

    def __call__(self, x: Floats) -> float:
        self.points.append(x.copy())
        self.values.append(self.f(x))
        return self.values[-1]


def crooked(x: Floats) -> float:
    """A function without symmetries; of its values on coarse grids few are equal."""
    weights = np.sqrt(np.arange(2, len(x) + 2))
    return float(np.abs(x - 0.37 / weights) @ weights + np.sin(3 * x).sum())


def hashed(seed: int, palette: list[float]) -> Function:
    """Return one of `palette`, an arbitrary but fixed function of the point: ties, infinities."""

    def f(x: Point) -> float:
        name = f"{seed} " + " ".join(map(str, x))
        digest = blake2b(name.encode(), digest_size=4).digest()
        return palette[int.from_bytes(digest) % len(palette)]

    return f


def distance(target: list[Fraction], power: float) -> Function:
    """Return a power of the greatest distance to a point."""
    return lambda x: float(max(abs(a - b) for a, b in zip(x, target, strict=False))) ** power


def functions() -> st.SearchStrategy[Function]:
    """Return functions of points of [-1, 1]^d, d <= 3: tied, infinite, arbitrary, or sloping."""
    numbers = st.fractions(-1, 1, max_denominator=1000)
    return st.one_of(
        st.builds(
            hashed,
            st.integers(0, 2**32),
            st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, INF, -INF]), min_size=1, max_size=6),
        ),
        st.builds(hashed, st.integers(0, 2**32), st.just([float(k) for k in range(1000)])),
        st.builds(
            distance, st.lists(numbers, min_size=3, max_size=3), st.sampled_from([0.5, 1.0, 2.0])
        ),
    )
