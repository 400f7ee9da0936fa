"""The parameters of a forest: those of Algorithm 1 that it uses, and its own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal

from embedded_hunter.common.arguments import (
    GREATEST,
    LEAST,
    Real,
    decimal,
    exact,
    flag,
    integer,
    one_of,
    real,
    with_names,
)
from embedded_hunter.settings import WIDEST, deviation, parameters_of_a_tree

N_EMBEDDINGS = 20
"""Number of random matrices unless given."""
DIMENSIONS = (5, 10, 20, 40)
"""The dimensions of the trees unless given, if n is greater than all of them; else n alone."""
REACH = 5
"""sigma R times the dimension of a tree, unless the scale is given."""


@dataclass(frozen=True)
class TreeSpace:
    """The cube Y = [-R, R]^d of a tree, and how it is mapped to X.

    R = d/eta is exact. `sigma` is the standard deviation of the entries of the tree's matrix. With
    `identity` Y is X in another scale, so that d = n; the matrix is I / R then, and sigma is 1 / R.
    """

    d: int
    K: int
    radius: Fraction
    sigma: float
    identity: bool

    @cached_property
    def side(self) -> Fraction:
        """2 R, exactly."""
        return 2 * self.radius

    @cached_property
    def side_as_float(self) -> float:
        """2 R as a float."""
        return float(self.side)


@dataclass(frozen=True, init=False)
class ForestSettings:
    """The parameters of the :term:`forest`, the policy ``forest`` at the front door.

    Only n and v must be given. There is no M: a forest evaluates no base point twice in a tree.

    Parameters
    ----------
    n, v, eta, K, h_max
        As for `Settings`.
    effective_dimension
        A guess k of the number of directions that matter, if there is one. It stands for
        ``dimensions=[min(n, 2 k)]``.
    dimensions
        The dimensions of the trees, in increasing order: each below n, or n alone. Trees with
        random matrices take them in turn. If n is the only one, there is one tree, that of the
        cube X itself. `DIMENSIONS` unless given, n alone if n <= 40.
    scale
        sigma R of all trees with random matrices; 5/d in a tree of dimension d unless given.
    n_embeddings
        P >= 1, the number of trees: `N_EMBEDDINGS` unless given. It is 1 if n is the dimension.
    refine
        Whether three quarters of the evaluations of the forest go to local searches from its best
        points (True).
    evolve
        Whether an evolution strategy in all n coordinates takes part (True).
    sample
        Whether one evaluation in 32 is at a uniform point (True).
    batch
        B >= 1: the run requests about this many points at once, as far as its rules allow, for B
        processors. Another B is another run, whatever evaluates the points.
    first_step
        Standard deviation of the first samples of the evolution strategy about the zero vector, as
        a part of the range of each variable, in (0, 1]. Give it if the zero vector stands for a
        good point. Unless given, it is 0.1.

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
    v: int
    eta: Real
    K: int
    h_max: int
    policy: Literal["forest"] = field(default="forest", init=False)
    dimensions: tuple[int, ...]
    scale: Real | None
    n_embeddings: int
    refine: bool
    evolve: bool
    sample: bool
    batch: int
    first_step: float | None

    def __init__(
        self,
        n: int,
        v: int,
        *,
        effective_dimension: int | None = None,
        dimensions: Iterable[int] | None = None,
        eta: Real = 0.3,
        K: int = 3,
        h_max: int | None = None,
        scale: Real | None = None,
        n_embeddings: int | None = None,
        refine: bool = True,
        evolve: bool = True,
        sample: bool = True,
        batch: int = 1,
        first_step: Real | None = None,
    ) -> None:
        n = integer("n", n, 1)
        if effective_dimension is not None:
            if dimensions is not None:
                raise ValueError("give either effective_dimension or dimensions (d), not both")
            dimensions = (min(n, 2 * _guess(n, effective_dimension)),)
        given = _dimensions(n, dimensions)
        most = 1 if given == (n,) else max(N_EMBEDDINGS, WIDEST // given[-1])
        if n_embeddings is None:
            n_embeddings = min(N_EMBEDDINGS, most)
        n_embeddings = integer("n_embeddings", n_embeddings, 1)
        if n_embeddings > most:
            why = "there is one cube X" if most == 1 else "a run begins with as many nodes"
            raise ValueError(
                f"n_embeddings must be at most {most} if a dimension is {given[-1]}: {why}, "
                f"got {n_embeddings}"
            )
        if first_step is not None:
            allowed = "a number > 0 and <= 1, a part of the range"
            first_step = float(real("first_step", first_step, allowed, lambda x: LEAST <= x <= 1))
        if scale is not None:
            allowed = "a finite number > 0"
            scale = real("scale", scale, allowed, lambda x: LEAST <= x <= GREATEST)
        put = partial(object.__setattr__, self)  # the dataclass is frozen
        of_the_widest = parameters_of_a_tree(n, given[-1], v, eta, K, h_max)
        for name in ("n", "v", "eta", "K", "h_max"):
            put(name, of_the_widest[name])
        put("dimensions", given)
        put("scale", scale)
        put("n_embeddings", n_embeddings)
        put("refine", flag("refine", refine))
        put("evolve", flag("evolve", evolve))
        put("sample", flag("sample", sample))
        put("batch", integer("batch", batch, 1))
        put("first_step", first_step)
        assert self.trees  # makes and checks the deviations

    @property
    def d(self) -> int:
        """The greatest dimension of a tree."""
        return self.dimensions[-1]

    @cached_property
    def trees(self) -> tuple[TreeSpace, ...]:
        """The cubes of all P trees."""
        spaces = [self._space(d) for d in self.dimensions]
        return tuple(spaces[q % len(spaces)] for q in range(self.n_embeddings))

    def _space(self, d: int) -> TreeSpace:
        radius = d / exact(self.eta)
        identity = d == self.n
        scale = Fraction(REACH, d) if self.scale is None else exact(self.scale)
        sigma = float(1 / radius if identity else scale / radius)
        return TreeSpace(d, self.K, radius, deviation(sigma, d, self.eta), identity)

    def as_json(self) -> dict[str, object]:
        """Return the parameters for JSON; exact numbers are strings such as "3/10".

        `first_step` is left out unless it is given.
        """
        written = {one.name: getattr(self, one.name) for one in fields(self)}
        if self.first_step is None:
            del written["first_step"]
        scale = None if self.scale is None else str(exact(self.scale))
        eta = str(exact(self.eta))
        return written | {"eta": eta, "scale": scale, "dimensions": list(self.dimensions)}

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> "ForestSettings":
        """Return the settings that `as_json`, or another program, has written.

        TypeError or ValueError if a name is missing or unknown, or a value is not allowed.
        """
        names = {one.name for one in fields(cls)}
        given = with_names(names, {"first_step": None, **written})
        one_of("policy", given.pop("policy"), ("forest",))
        for name in ("eta", "scale"):
            if given[name] is not None:
                given[name] = decimal(name, given[name])
        return cls(**given)


def _dimensions(n: int, dimensions: Iterable[int] | None) -> tuple[int, ...]:
    """Return the dimensions of the trees, in increasing order; see `ForestSettings`."""
    if dimensions is None:
        return DIMENSIONS if n > DIMENSIONS[-1] else (n,)
    allowed = f"dimensions must be integers >= 1, increasing, each below n = {n}, or n alone"
    if isinstance(dimensions, str | bytes | Mapping) or not isinstance(dimensions, Iterable):
        raise TypeError(f"{allowed}, got {dimensions!r:.80}")
    given = tuple(integer("each of dimensions", d, 1) for d in dimensions)
    increasing = all(a < b for a, b in pairwise(given))
    if not given or not increasing or (given[-1] >= n and given != (n,)):
        raise ValueError(f"{allowed}, got {given!r:.80}")
    return given


def _guess(n: int, effective_dimension: int) -> int:
    """Return a guess of the number of directions that matter.

    TypeError or ValueError if it is not an integer from 1 to n.
    """
    guess = integer("effective_dimension", effective_dimension, 1)
    if guess > n:
        raise ValueError(
            f"effective_dimension must be at most n = {n}, the number of variables, got {guess}"
        )
    return guess
