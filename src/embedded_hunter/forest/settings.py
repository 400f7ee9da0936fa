"""The parameters of a forest: those of Algorithm 1 that it uses, and its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Literal

from embedded_hunter.settings import (
    GREATEST,
    LEAST,
    WIDEST,
    Real,
    decimal,
    deviation,
    exact,
    integer,
    one_of,
    parameters_of_a_tree,
    real,
    with_names,
)

N_EMBEDDINGS = 20
"""P unless given. A greater one is allowed while P d <= `WIDEST`: a run begins with P roots."""
SCALE = 0.25
"""sigma R unless given."""


@dataclass(frozen=True, init=False)
class ForestSettings:
    """The parameters of the :term:`forest`, the policy ``forest`` at the front door.

    There is no M: a forest evaluates no base point twice in a tree. Its matrices are those of the
    policy ``indexed``, one for each tree.

    Parameters
    ----------
    n, d, v, eta, K, h_max
        As for `Settings`.
    sigma, scale
        Standard deviation of the entries of the matrices, or sigma R in its place; not both.
        sigma R = `SCALE` unless given.
    n_embeddings
        P >= 1, the number of matrices and of trees (`N_EMBEDDINGS`).
    refine
        Whether half of the evaluations go to local searches from what the forest has found (True).

    Attributes
    ----------
    policy
        ``"forest"``.

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
    h_max: int
    sigma: float
    policy: Literal["forest"] = field(default="forest", init=False)
    n_embeddings: int
    refine: bool

    def __init__(
        self,
        n: int,
        d: int,
        v: int,
        *,
        eta: Real = 0.3,
        K: int = 3,
        h_max: int | None = None,
        sigma: float | None = None,
        scale: Real | None = None,
        n_embeddings: int = N_EMBEDDINGS,
        refine: bool = True,
    ) -> None:
        if sigma is not None and scale is not None:
            raise ValueError("give either sigma or scale (sigma R), not both")
        vars(self).update(  # the dataclass is frozen
            parameters_of_a_tree(n, d, v, eta, K, h_max),
            n_embeddings=integer("n_embeddings", n_embeddings, 1),
            refine=refine,
        )
        if not isinstance(refine, bool):
            raise TypeError(f"refine must be True or False, got {refine!r}")
        if sigma is None:
            allowed = "a finite number > 0"
            scale = SCALE if scale is None else scale
            scale = real("scale", scale, allowed, lambda x: LEAST <= x <= GREATEST)
            sigma = float(exact(scale) / self.radius)
        vars(self).update(sigma=deviation(sigma, self.d, self.eta))
        most = max(N_EMBEDDINGS, WIDEST // self.d)
        if self.n_embeddings > most:
            raise ValueError(
                f"n_embeddings must be at most {most} if d = {self.d}: a run begins with as many "
                f"nodes of d numbers each, got {self.n_embeddings}"
            )

    @cached_property
    def radius(self) -> Fraction:
        """R = d/eta, exactly."""
        return self.d / exact(self.eta)

    @cached_property
    def side(self) -> Fraction:
        """2 R, exactly."""
        return 2 * self.radius

    @cached_property
    def side_as_float(self) -> float:
        """2 R as a float."""
        return float(self.side)

    def as_json(self) -> dict[str, object]:
        """Return the parameters for JSON; exact numbers are strings such as "3/10"."""
        written = {one.name: getattr(self, one.name) for one in fields(self)}
        return written | {"eta": str(exact(self.eta))}

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> "ForestSettings":
        """Return the settings that `as_json`, or another program, has written.

        Raises
        ------
        TypeError, ValueError
            If a name is missing or unknown, or a value is not allowed.
        """
        given = with_names({one.name for one in fields(cls)}, written)
        one_of("policy", given.pop("policy"), ("forest",))
        return cls(**given | {"eta": decimal("eta", given["eta"])})


def searched_dimension(n: int, effective_dimension: int) -> int:
    """Return the d of a forest for a guess of the number of directions that matter: twice as many.

    Raises
    ------
    TypeError, ValueError
        If the guess is not an integer from 1 to n.
    """
    return min(n, 2 * guess_of(n, effective_dimension))


def guess_of(n: int, effective_dimension: int) -> int:
    """Return a guess of the number of directions that matter, an integer from 1 to n."""
    guess = integer("effective_dimension", effective_dimension, 1)
    if guess > n:
        raise ValueError(
            f"effective_dimension must be at most n = {n}, the number of variables, got {guess}"
        )
    return guess
