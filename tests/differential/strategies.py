"""Hypothesis strategies for settings and objectives, for the tests of any implementation.

The strategies often produce the difficult cases: ties, infinite values, full trees, budgets that
end within an expansion, and integer values of M ||y||, where <= differs from <.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

import hypothesis.strategies as st

from embedded_hunter.common.arguments import Real
from embedded_hunter.node import Node, splits
from embedded_hunter.settings import MatrixPolicy, Sampler, Settings, Space

Point = tuple[Fraction, ...]
"""A base point y."""

Function = Callable[[Point, Fraction, int], float]

Oracle = Callable[[Node, int], float]
"""g(node, p): the value of the p-th evaluation of the base point of `node`, never NaN.

It depends only on the base point and p. A center child has the base point of its parent, and so its
values.
"""

ETAS: list[Real] = [0.3, 0.2, 0.5, 0.9, Fraction(1, 3), Fraction(5, 7)]
FACTORS: list[Real] = [0, 0.01, 0.3, 1, 5, Fraction(1, 7)]
VALUES = (0.0, -0.0, 1.0, 2.0, -1.0, 0.5, math.inf, -math.inf, 1e-300)


class Instance(NamedTuple):
    """The input of Algorithm 1: settings and an oracle in place of the objective."""

    settings: Settings
    g: Oracle


@st.composite
def settings(draw: st.DrawFn, max_d: int = 4, max_v: int = 120, max_h: int = 6) -> Settings:
    """Return valid settings: K in {3, 5, 7}, d <= max_d, v <= max_v, h_max <= max_h.

    In half of the cases 2 R M is an integer times a power of K. Then M ||y|| is an integer for many
    base points, and the number of evaluations equals the cap. n is between d and d + 3. Policies
    and samplers vary.
    """
    K = draw(st.sampled_from([3, 5, 7]))
    d = draw(st.integers(1, max_d))
    eta, M = draw(st.sampled_from(ETAS)), draw(st.sampled_from(FACTORS))
    if draw(st.booleans()):
        M = draw(st.integers(1, 6)) * K ** draw(st.integers(0, 2)) / Settings(d, d, 1, eta=eta).side
    policy: MatrixPolicy = draw(st.sampled_from(["fresh", "indexed"]))
    sampler: Sampler = draw(st.sampled_from(["norm", "matrix"]))
    return Settings(
        d + draw(st.integers(0, 3)),
        d,
        draw(st.integers(1, max_v)),
        eta=eta,
        K=K,
        M=M,
        h_max=draw(st.integers(0, max_h)),
        policy=policy,
        sampler=sampler if policy == "fresh" else "norm",
    )


@dataclass(frozen=True)
class Near:
    """The distance of the first coordinate to a target, told by every evaluation or each second."""

    target: Fraction
    every: int

    def __call__(self, y: Point, radius: Fraction, p: int) -> float:
        """Return the value."""
        if p % self.every > 0 or not y:
            return 20 * float(radius)
        return float(abs(y[0] - self.target * radius))


@dataclass(frozen=True)
class Hashed:
    """One of `values`, an arbitrary but fixed function of the base point and p."""

    salt: int
    values: Sequence[float]

    def __call__(self, y: Point, radius: Fraction, p: int) -> float:
        """Return the value."""
        name = f"{self.salt} {p} {y}".encode()
        place = int.from_bytes(blake2b(name, digest_size=4).digest()) % len(self.values)
        return float(self.values[place])


@dataclass(frozen=True)
class OfNode:
    """A function of the base points of a run."""

    f: Function
    settings: Settings

    def __call__(self, node: Node, p: int) -> float:
        """Return the value."""
        return self.f(exact_base_point(node, self.settings), self.settings.radius, p)


def oracles(settings: Settings, values: Sequence[float] = VALUES) -> st.SearchStrategy[Oracle]:
    """Return an oracle for a run of Algorithm 1 with these settings; see `functions`."""
    return functions(values).map(lambda f: OfNode(f, settings))


@st.composite
def functions(draw: st.DrawFn, values: Sequence[float] = VALUES) -> Function:
    """Return a function of a base point, R, and the number of the evaluation or of the matrix.

    It is of one of four kinds: a few of `values`, spread over base points and p (ties, infinite
    values, later evaluations that are better); the same value everywhere; a thousand different
    values; or `Near`, which leads the search to large depths. It prints as the code that makes it.
    """
    kind = draw(st.sampled_from(["few", "one", "many", "near"]))
    if kind == "near":
        return Near(draw(st.fractions(-1, 1, max_denominator=81)), draw(st.integers(1, 2)))
    size = {"few": draw(st.integers(2, 8)), "one": 1, "many": 1000}[kind]
    palette: Sequence[float] = range(1000)
    if kind != "many":
        palette = draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))
    return Hashed(draw(st.integers(0, 2**32)), tuple(palette))


@st.composite
def instances(draw: st.DrawFn, max_d: int = 4, max_v: int = 120, max_h: int = 6) -> Instance:
    """Return settings and an oracle for them; see `settings` and `oracles`."""
    s = draw(settings(max_d, max_v, max_h))
    return Instance(s, draw(oracles(s)))


def exact_base_point(node: Node, space: Space) -> Point:
    """Return y_{h,i} = 2 R c_j / K^s_j, shape (d,), exactly; `space` is that of the tree."""
    rounds = splits(node.h, len(node.c))
    return tuple(space.side * c / space.K**s for c, s in zip(node.c, rounds, strict=True))
