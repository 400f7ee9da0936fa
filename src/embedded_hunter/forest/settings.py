"""The parameters of a forest: those of Algorithm 1 that it uses, and its own."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

from embedded_hunter.settings import (
    GREATEST,
    LEAST,
    WIDEST,
    Real,
    Settings,
    decimal,
    exact,
    integer,
    one_of,
    real,
    with_names,
)

ClassRule = Literal["depth", "norm"]
N_EMBEDDINGS = 20
"""P unless given. A greater one is allowed while P d <= `WIDEST`: a run begins with P roots."""
SCALE = 0.25
"""sigma R unless given."""
OWN = ("n_embeddings", "class_rule", "separate_origin", "refine")
"""The parameters that Algorithm 1 does not have. (`scale` is another way to give sigma.)"""


@dataclass(frozen=True, init=False)
class ForestSettings(Settings):
    """The parameters of the :term:`forest`, the policy ``forest`` at the front door.

    M is 0, because a forest evaluates no base point twice in a tree. Its matrices are those of the
    policy ``indexed``, one for each tree.

    Parameters
    ----------
    n, d, v, eta, K, h_max
        As for `Settings`.
    sigma, scale
        Standard deviation of the entries of the matrices, or sigma R in its place; not both.
        sigma R = 0.25 unless given.
    n_embeddings
        P >= 1, the number of matrices and of trees (20).
    class_rule
        ``"depth"`` (default): the leaves of a depth are one class; ``"norm"``: classes by norm.
    separate_origin
        Whether the leaves of the zero vector are a queue, with a nu_min of their own (True).
    refine
        Whether half of the evaluations go to local searches from what the forest has found (True).

    Raises
    ------
    TypeError, ValueError
        Naming the argument, the value and what is allowed.
    """

    n_embeddings: int
    class_rule: ClassRule
    separate_origin: bool
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
        class_rule: ClassRule = "depth",
        separate_origin: bool = True,
        refine: bool = True,
    ) -> None:
        if sigma is not None and scale is not None:
            raise ValueError("give either sigma or scale (sigma R), not both")
        space = Settings(n, d, v, eta=eta, sigma=LEAST)
        if sigma is None:
            scale = real(
                "scale",
                SCALE if scale is None else scale,
                "a finite number > 0",
                lambda x: LEAST <= x <= GREATEST,
            )
            sigma = float(exact(scale) / space.radius)
        super().__init__(n, d, v, eta=eta, K=K, M=0, h_max=h_max, sigma=sigma, policy="indexed")
        n_embeddings = integer("n_embeddings", n_embeddings, 1)
        most = max(N_EMBEDDINGS, WIDEST // self.d)
        if n_embeddings > most:
            raise ValueError(
                f"n_embeddings must be at most {most} if d = {self.d}: a run begins with as many "
                f"nodes of d numbers each, got {n_embeddings}"
            )
        one_of("class_rule", class_rule, get_args(ClassRule))
        for name, value in (("separate_origin", separate_origin), ("refine", refine)):
            if not isinstance(value, bool):
                raise TypeError(f"{name} must be True or False, got {value!r}")
        own = (n_embeddings, class_rule, separate_origin, refine)
        for name, own_value in zip(OWN, own, strict=True):
            object.__setattr__(self, name, own_value)  # the dataclass is frozen

    def as_json(self) -> dict[str, object]:
        """Return the parameters for JSON; exact numbers are strings such as "3/10"."""
        written = super().as_json() | {"policy": "forest"}
        del written["M"], written["sampler"]
        return written

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> "ForestSettings":
        """Return the settings that `as_json`, or another program, has written.

        Raises
        ------
        TypeError, ValueError
            If a name is missing or unknown, or a value is not allowed.
        """
        given = with_names({field.name for field in fields(cls)} - {"M", "sampler"}, written)
        one_of("policy", given.pop("policy"), ("forest",))
        return cls(**given | {"eta": decimal("eta", given["eta"])})
