"""Random search: the laws of its points, uniform on the cube and radial.

Laws are held against samples drawn here, by two-sample Kolmogorov-Smirnov tests of six statistics
of the points (`laws.STATISTICS`), each at ALPHA = 5e-9: a test of a right program fails with
probability 3e-8 at most, and its seed is fixed.
"""

from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.projection import Fresh
from paper.instances import descend
from reproduction.baselines.random_search import radial_points
from reproduction.methods import METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from theory.laws import COUNT, ROWS, disagreements, settings_of

S = 0.7


def fixed(rng: np.random.Generator, s: float = S) -> Floats:
    points: Floats = np.clip(rng.normal(0, s, (COUNT, ROWS)), -1, 1)
    return points


def radii(rng: np.random.Generator, s: float = S) -> Floats:
    scales = s * rng.random((COUNT, 1))
    points: Floats = np.clip(scales * rng.normal(size=(COUNT, ROWS)), -1, 1)
    return points


def ours(kind: str, seed: int = 1, s: float = S) -> Floats:
    rng = np.random.default_rng(seed)
    return radial_points(rng, COUNT, ROWS, s, "fixed" if kind == "fixed" else "uniform")


LAWS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "fixed": fixed,
    "radii": radii,
}


@pytest.mark.parametrize("kind", LAWS)
def test_the_law_of_the_points(kind: str) -> None:
    """False alarm: 3e-8; see the head of this file."""
    assert not disagreements(ours(kind), LAWS[kind](np.random.default_rng(100)))


@pytest.mark.claim("radial-collapse")
@pytest.mark.parametrize(("digits", "d"), [([2], 1), ([0, 2, 1], 2), ([2, 1, 0, 2], 3)])
def test_an_evaluation_with_a_fresh_matrix_is_a_radial_point(digits: list[int], d: int) -> None:
    """A y of a node has the law of s z, s = sigma ||y||: drawn with whole matrices. Alarm: 3e-8."""
    settings = settings_of(d, 0.1, sampler="matrix")
    node = descend(digits, d)
    drawn = Fresh(settings, np.random.default_rng(4), ROWS).project([(node, 1)] * COUNT)
    splits = [sum(level % d == j for level in range(node.h)) for j in range(d)]
    y = 2 * d / 0.5 * np.array([c / 3**s for c, s in zip(node.c, splits, strict=True)])
    s = 0.1 * float(np.linalg.norm(y))
    assert not disagreements(drawn, ours("fixed", s=s))
    assert disagreements(drawn, ours("fixed", s=1.2 * s))  # power


@pytest.mark.parametrize("n", [1, 6])
@pytest.mark.parametrize("name", ["uniform_random_search", "radial_random_search"])
def test_the_points_are_those_of_the_law_whatever_the_values_are(name: str, n: int) -> None:
    """And however they are divided into batches."""
    seen: list[list[float]] = []

    def noting(x: Floats) -> float:
        seen.append(x.tolist())
        return float(x[0])

    info = ProblemInfo(n, 1)
    box = BlackBox(noting, n, 300, vectorized=False)
    METHODS[name].minimize(box, info, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    if name == "uniform_random_search":
        law = rng.uniform(-1, 1, (300, n))
    else:
        law = radial_points(rng, 300, n, info.reach, "uniform")
    assert seen == law.tolist()
