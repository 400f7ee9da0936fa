"""The parameters of a run, validated once and frozen.

The search itself never checks an argument: a `Settings` that exists is a valid one. Whatever the
cap on evaluations needs is kept exact, as `fractions.Fraction`: a float given for eta or M stands
for the shortest decimal that prints it, so that eta = 0.3 is 3/10 and R = d/eta is the number that
the reader of the paper computes.
"""

import math
import numbers
import operator
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, SupportsIndex, TypeVar, get_args

Policy = Literal["fresh", "indexed"]
Sampler = Literal["norm", "matrix"]
Real = float | Fraction
LEAST, GREATEST = math.ulp(0.0), sys.float_info.max  # of the positive floats
WITHIN_FLOATS = 10**305
"""Upper limit of 2 d R and of sigma 2 d R. Up to it, A y is computed without overflow."""
WIDEST = 10**6
"""Upper limit of K d, unless K = 3. An expansion makes K nodes of d numbers each, whatever v is."""
T = TypeVar("T", bound=str)


@dataclass(frozen=True, init=False)
class Settings:
    """The parameters of EmbeddedHunter (claim ``alg1-input``; Algorithm 1, "Input").

    Parameters
    ----------
    n
        Dimension of the decision space X = [-1, 1]^n, n >= 1.
    d
        Dimension of the search space Y = [-d/eta, d/eta]^d, 1 <= d <= n.
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
        ``"matrix"``, the n x d matrix itself.

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
    policy: Policy
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
        policy: Policy = "fresh",
        sampler: Sampler = "norm",
    ) -> None:
        set_field = object.__setattr__  # the dataclass is frozen
        set_field(self, "n", integer("n", n, 1))
        set_field(self, "d", integer("d", d, 1))
        if self.d > self.n:
            raise ValueError(
                f"d must be at most n, the dimension of the decision space (n = {n}), got d = {d}"
            )
        set_field(self, "v", integer("v (the evaluation budget, maxfun)", v, 1))
        in_interval = "a number in the open interval (0, 1)"
        set_field(self, "eta", real("eta", eta, in_interval, lambda x: 0 < x < 1))
        if self.d * self.side > WITHIN_FLOATS:
            raise ValueError(f"eta must keep d/eta within the floats, got eta = {eta!r}")
        set_field(self, "K", integer("K", K, 3))
        if self.K % 2 == 0:
            raise ValueError(f"K must be an odd integer >= 3, got {K}")
        widest = max(3, WIDEST // self.d)
        if widest < self.K:
            raise ValueError(
                f"K must be at most {widest} if d = {self.d}: an expansion makes K nodes of d "
                f"numbers each, got {self.K}"
            )
        set_field(self, "M", real("M", M, "a finite number >= 0", lambda x: 0 <= x < math.inf))
        h_max = math.isqrt(self.v) if h_max is None else h_max
        set_field(self, "h_max", integer("h_max", h_max, 0))
        set_field(self, "policy", one_of("policy", policy, get_args(Policy)))
        if sigma is None:
            if self.n > GREATEST:
                raise ValueError("sigma must be given if 1/sqrt(n) is no float")
            sigma = 1 / math.sqrt(self.n)
        sigma = float(real("sigma", sigma, "a finite number > 0", lambda x: LEAST <= x <= GREATEST))
        if exact(sigma) * self.d * self.side > WITHIN_FLOATS:
            raise ValueError(f"sigma must keep sigma d/eta within the floats, got sigma = {sigma}")
        set_field(self, "sigma", sigma)
        set_field(self, "sampler", one_of("sampler", sampler, get_args(Sampler)))

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
        """(2 R M)^2, exactly: what the evaluation cap compares with (theory: C.8)."""
        return (self.side * exact(self.M)) ** 2

    def as_json(self) -> dict[str, object]:
        """Return the parameters as JSON has them: exact numbers as strings such as "3/10"."""
        written = {field.name: getattr(self, field.name) for field in fields(self)}
        return written | {"eta": str(exact(self.eta)), "M": str(exact(self.M))}

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> "Settings":
        """Return the settings that `as_json` has written, or another program: see there.

        Raises
        ------
        TypeError, ValueError
            For a name that is missing or unknown, or a value that is not allowed.
        """
        given = with_names({field.name for field in fields(cls)}, written)
        return cls(**given | {name: decimal(name, given[name]) for name in ("eta", "M")})


def with_names(names: set[str], written: Mapping[str, object]) -> dict[str, Any]:
    """Return a copy of `written`; ValueError unless it has these names and no others."""
    if set(written) != names:
        raise ValueError(f"the names must be {sorted(names)}, got {sorted(written)}")
    return dict(written)


def exact(x: Real) -> Fraction:
    """Return the rational number that x stands for; a float stands for its shortest decimal."""
    return Fraction(repr(float(x))) if isinstance(x, float) else Fraction(x)


def integer(name: str, value: SupportsIndex, least: int) -> int:
    """Return `value` as an int, or raise TypeError or ValueError, naming the argument."""
    allowed = f"{name} must be an integer >= {least}"
    if isinstance(value, bool):
        raise TypeError(f"{allowed}, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{allowed}, got {value!r} of type {type(value).__name__}") from None
    if number < least:
        raise ValueError(f"{allowed}, got {number}")
    return number


def decimal(name: str, value: object) -> Real:
    """Read an exact number: a number, or a string such as "3/10" or "0.3", at most 1000 digits."""
    if isinstance(value, float):
        return value
    text = value if isinstance(value, str) else repr(value)
    if not re.fullmatch(r"(?=.{1,1000}$)[0-9]+(/0*[1-9][0-9]*|\.[0-9]+)?", text):
        raise ValueError(f'{name} must be a number, or a string such as "3/10", got {value!r:.100}')
    return Fraction(text)


def real(name: str, value: object, allowed: str, valid: Callable[[Real], bool]) -> Real:
    """Return `value` as an exact number or a float, or raise, naming the argument."""
    wrong = f"{name} must be {allowed}, got {value!r}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{wrong} of type {type(value).__name__}")
    if isinstance(value, numbers.Rational):
        number: Real = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = float(value)
    if not valid(number):
        raise ValueError(wrong)
    return number


def one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    """Return `value`, or raise ValueError, naming the argument and what is allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
    return value
