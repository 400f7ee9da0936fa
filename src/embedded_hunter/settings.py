"""The parameters of a run, validated once and frozen.

The search itself never checks an argument: a `Settings` that exists is a valid one. Whatever the
cap on evaluations needs is kept exact, as `fractions.Fraction`: a float given for eta or M stands
for the shortest decimal that prints it, so that eta = 0.3 is 3/10 and R = d/eta is the number that
the reader of the paper computes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, partial
from typing import Literal, Protocol, get_args

from embedded_hunter.common.arguments import (
    GREATEST,
    Real,
    decimal,
    exact,
    integer,
    one_of,
    positive,
    real,
    with_names,
)

MatrixPolicy = Literal["fresh", "indexed"]
Sampler = Literal["norm", "matrix"]


@dataclass(frozen=True, init=False)
class Settings:
    """The parameters of EmbeddedHunter (claim ``alg1-input``; Algorithm 1, "Input").

    Parameters
    ----------
    n
        Dimension of the decision space X = [-1, 1]^n, n >= 1.
    d
        Dimension of the search space Y = [-d/eta, d/eta]^d, 1 <= d <= n: the effective dimension,
        or a guess of it.
    v
        Evaluation budget (`maxfun` at the front door), v >= 1; the root's evaluation counts.
    eta
        In (0, 1): it bounds Y.
    K
        Partition factor, odd, 3 <= K <= max(3, 10^6 / d): an expansion makes K nodes at once.
    M
        M >= 0: a base point y is evaluated again while its past evaluations are <= M ||y||.
    h_max
        Greatest depth at which a node is expanded, >= 0; floor(sqrt(v)) unless given (Table 1).
    sigma
        Standard deviation of the entries of the random matrices, > 0; 1/sqrt(n) unless given
        (the paper's Notation).
    policy
        ``"fresh"``: a new matrix for every evaluation (the paper's text). ``"indexed"``: the p-th
        evaluation of every base point uses the same matrix A_p.
    sampler
        How ``"fresh"`` draws the projection: ``"norm"``, n numbers whose law is that of A y, or
        ``"matrix"``, the n x d matrix itself. ``"indexed"`` allows only ``"norm"``, which it does
        not use.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, the value and what is allowed.
    """

    n: int
    d: int
    v: int
    eta: Real
    K: int
    M: Real
    h_max: int
    sigma: float
    policy: MatrixPolicy
    sampler: Sampler

    def __init__(
        self,
        n: int,
        d: int,
        v: int,
        *,
        eta: Real = 0.3,
        K: int = 3,
        M: Real = 5,
        h_max: int | None = None,
        sigma: float | None = None,
        policy: MatrixPolicy = "fresh",
        sampler: Sampler = "norm",
    ) -> None:
        if str(policy) == "forest":
            raise ValueError(
                "policy must be one of 'fresh', 'indexed', got 'forest': the parameters of a "
                "forest are a ForestSettings (embedded_hunter.forest.settings)"
            )
        one_of("policy", policy, get_args(MatrixPolicy))
        one_of("sampler", sampler, get_args(Sampler))
        if policy == "indexed" and sampler != "norm":
            raise ValueError(f"policy 'indexed' has no parameter sampler, got sampler={sampler!r}")
        put = partial(object.__setattr__, self)  # the dataclass is frozen
        for name, value in parameters_of_a_tree(n, d, v, eta, K, h_max).items():
            put(name, value)
        put("M", real("M", M, "a finite number >= 0", lambda x: 0 <= x < math.inf))
        put("policy", policy)
        put("sampler", sampler)
        if sigma is None:
            if self.n > GREATEST:
                raise ValueError("sigma must be given if 1/sqrt(n) is no float")
            sigma = 1 / math.sqrt(self.n)
        put("sigma", deviation(sigma, self.d, self.eta))

    @cached_property
    def radius(self) -> Fraction:
        """R = d/eta, exactly: Y = [-R, R]^d."""
        return self.d / exact(self.eta)

    @cached_property
    def side(self) -> Fraction:
        """2 R, exactly: the side of the cube Y."""
        return 2 * self.radius

    @cached_property
    def side_as_float(self) -> float:
        """2 R as a float."""
        return float(self.side)

    @cached_property
    def cap(self) -> Fraction:
        """(2 R M)^2, exactly: what the cap compares with (claim ``evaluation-cap``)."""
        return (self.side * exact(self.M)) ** 2

    def as_json(self) -> dict[str, object]:
        """Return the parameters as JSON has them: exact numbers as strings such as "3/10"."""
        written = {field.name: getattr(self, field.name) for field in fields(self)}
        return written | {"eta": str(exact(self.eta)), "M": str(exact(self.M))}

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> "Settings":
        """Return the settings that `as_json` has written, or another program: see there.

        TypeError or ValueError for a name that is missing or unknown, or a value that is not
        allowed.
        """
        given = with_names({field.name for field in fields(cls)}, written)
        return cls(**given | {name: decimal(name, given[name]) for name in ("eta", "M")})


class Space(Protocol):
    """Parameters of every policy: Y, its partition and the law of the matrices."""

    @property
    def d(self) -> int:
        """Dimension of Y."""

    @property
    def K(self) -> int:
        """Partition factor."""

    @property
    def sigma(self) -> float:
        """Standard deviation of the entries of the matrices."""

    @property
    def side(self) -> Fraction:
        """Side of the cube Y, exactly."""

    @property
    def side_as_float(self) -> float:
        """The same as a float."""


WITHIN_FLOATS = 10**305
"""Upper limit of 2 d R and of sigma 2 d R. Up to it, A y is computed without overflow."""
WIDEST = 10**6
"""Upper limit of K d, unless K = 3. An expansion makes K nodes of d numbers each, whatever v is."""


def parameters_of_a_tree(
    n: int, d: int, v: int, eta: Real, K: int, h_max: int | None
) -> dict[str, int | Real]:
    """Return n, d, v, eta, K and h_max as the parameters of every policy have them.

    The errors are those of `Settings`.
    """
    n, d = integer("n", n, 1), integer("d", d, 1)
    if d > n:
        raise ValueError(
            f"d must be at most n, the dimension of the decision space (n = {n}), got d = {d}"
        )
    v = integer("v (the evaluation budget, maxfun)", v, 1)
    eta = real("eta", eta, "a number in the open interval (0, 1)", lambda x: 0 < x < 1)
    if 2 * d * d / exact(eta) > WITHIN_FLOATS:
        raise ValueError(f"eta must keep d/eta within the floats, got eta = {eta!r}")
    K = integer("K", K, 3)
    if K % 2 == 0:
        raise ValueError(f"K must be an odd integer >= 3, got {K}")
    widest = max(3, WIDEST // d)
    if widest < K:
        raise ValueError(
            f"K must be at most {widest} if d = {d}: an expansion makes K nodes of d "
            f"numbers each, got {K}"
        )
    h_max = integer("h_max", math.isqrt(v) if h_max is None else h_max, 0)
    return {"n": n, "d": d, "v": v, "eta": eta, "K": K, "h_max": h_max}


def deviation(sigma: Real, d: int, eta: Real) -> float:
    """Return sigma as a float; TypeError or ValueError, see `Settings`, if it is not allowed."""
    number = positive("sigma", sigma)
    if exact(number) * 2 * d * d / exact(eta) > WITHIN_FLOATS:
        raise ValueError(f"sigma must keep sigma d/eta within the floats, got sigma = {number}")
    return number
