"""The policies: from a name and parameters to settings, and from settings to a search."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, Literal, NamedTuple, TypedDict, TypeGuard, get_args

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import NO_KEY, hunt_forest
from embedded_hunter.forest.settings import ForestSettings, searched_dimension
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.projection import MEMORY, Fresh, Indexed, Projection, generator, projection_of
from embedded_hunter.settings import Real, Sampler, Settings, one_of

Policy = Literal["fresh", "indexed", "forest"]
"""The paper's policy, its variant with fixed matrices, and the policy beyond the paper."""
POLICIES: tuple[Policy, ...] = get_args(Policy)
DEFAULT: Policy = "fresh"
"""The policy of `minimize` unless given."""
Parameters = Settings | ForestSettings
"""The parameters of a run, whatever its policy."""


class Given(TypedDict, total=False):
    """The parameters of all policies that `minimize` hands to its policy, see `HAS`."""

    d: int | None
    effective_dimension: int
    eta: Real
    K: int
    M: Real
    h_max: int | None
    sigma: float | None
    sampler: Sampler
    scale: Real | None
    n_embeddings: int
    refine: bool


HAS: dict[Policy, frozenset[str]] = {
    "fresh": frozenset(signature(Settings).parameters) - {"n", "v", "policy"},
    "indexed": frozenset(signature(Settings).parameters) - {"n", "v", "policy", "sampler"},
    "forest": frozenset(signature(ForestSettings).parameters) - {"n", "v"}
    | {"effective_dimension"},
}
"""The parameters of each policy, besides n and v."""


class Search(NamedTuple):
    """A search: what it asks for, and where its points lie."""

    run: Hunt
    """The generator that requests evaluations."""
    projection: Projection
    """What computes the points of its evaluations."""
    key: list[int] | None = None
    """The key of all random numbers of a search that `search_of` has made. Its generator can be
    made again: see `run_of`."""


def search_of(
    settings: Parameters, rng: object = None, rows: int | None = None, memory: int = MEMORY
) -> Search:
    """Return the search that the settings describe.

    Parameters
    ----------
    settings
        `ForestSettings` for a forest, else `Settings` for Algorithm 1.
    rng
        Source of all random numbers of the search: a generator, a seed, or any other argument of
        `numpy.random.default_rng`.
    rows
        Number of coordinates of its points, n unless given.
    memory
        Bytes for what the projection keeps; see `projection.Indexed`.
    """
    rows, rng = settings.n if rows is None else rows, generator(rng)
    if settings.policy == "forest":
        points: Fresh | Indexed = ForestPoints(settings, rng, rows, memory)
    else:
        points = projection_of(settings, rng, rows, memory)
    return Search(run_of(settings, points.key), points, points.key)


def run_of(settings: Parameters, key: list[int] = NO_KEY) -> Hunt:
    """Return the generator of the search that the settings describe, without its projection."""
    return hunt_forest(settings, key) if settings.policy == "forest" else hunt(settings)


def is_forest(settings: Parameters) -> TypeGuard[ForestSettings]:
    """Tell whether this is a run of the policy ``forest``. Other files ask here."""
    return settings.policy == "forest"


def is_algorithm_1(settings: Parameters) -> TypeGuard[Settings]:
    """Tell whether this is a run of Algorithm 1, with either of its policies."""
    return settings.policy != "forest"


def trees_of(settings: Parameters) -> int:
    """Return P, the number of trees of a run; 1 for Algorithm 1."""
    return settings.n_embeddings if settings.policy == "forest" else 1


def refines(settings: Parameters) -> bool:
    """Tell whether a run has local searches."""
    return settings.policy == "forest" and settings.refine


def settings_of(policy: Policy, n: int, d: int | None, v: int, **given: Any) -> Parameters:
    """Return the settings of a policy.

    Parameters
    ----------
    policy
        One of `POLICIES`.
    n, d, v
        As for `Settings`. With policy ``"forest"``, give either d or `effective_dimension`.
    **given
        Further parameters of the policy, see `HAS`.

    Raises
    ------
    TypeError, ValueError
        As `Settings` and `ForestSettings`. Also if the policy does not have a parameter, or if d is
        missing.
    """
    one_of("policy", policy, POLICIES)
    for name in given:
        if name not in HAS[policy]:
            has = ", ".join(sorted(HAS[policy], key=str.lower))
            raise TypeError(f"policy {policy!r} has no parameter {name}; it has {has}")
    effective = given.pop("effective_dimension", None)
    if d is None and effective is None:
        what = "d or effective_dimension must be given" if policy == "forest" else "d must be given"
        other = "" if policy == "forest" else "; policy 'forest' takes effective_dimension instead"
        raise TypeError(f"{what}: the dimension of the search space{other}")
    if effective is not None:
        if d is not None:
            raise ValueError(
                "d and effective_dimension must not both be given, "
                f"got d={d!r} and effective_dimension={effective!r}"
            )
        d = searched_dimension(n, effective)
    assert d is not None
    if policy == "forest":
        return ForestSettings(n, d, v, **given)
    return Settings(n, d, v, policy=policy, **given)


def settings_from_json(fields: Mapping[str, object]) -> Parameters:
    """Return the settings that `as_json` has written.

    Raises
    ------
    TypeError, ValueError
        If a name is missing or unknown, or a value is not allowed.
    """
    kind = ForestSettings if fields.get("policy") == "forest" else Settings
    return kind.from_json(fields)
