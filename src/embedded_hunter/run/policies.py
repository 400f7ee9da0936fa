"""The policies: from a name and parameters to settings, and from settings to a search."""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any, Literal, NamedTuple, TypedDict, TypeGuard, get_args

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import NO_KEY, hunt_forest, tree_of
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.matrices import (
    MEMORY,
    Key,
    generator,
    key_from,
    raise_trim_threshold,
    seed_behind,
)
from embedded_hunter.node import Node
from embedded_hunter.projection import Fresh, Indexed, Projection, projection_of
from embedded_hunter.settings import Real, Sampler, Settings, Space, one_of

Policy = Literal["fresh", "indexed", "forest"]
"""The paper's policy, its variant with matrices that are kept, and the policy beyond the paper."""
POLICIES: tuple[Policy, ...] = get_args(Policy)
DEFAULT: Policy = "forest"
"""The policy of `minimize` unless given."""
Parameters = Settings | ForestSettings
"""The parameters of a run, whatever its policy."""


class Given(TypedDict, total=False):
    """The parameters of all policies that `minimize` hands to its policy, see `HAS`."""

    d: int | None
    effective_dimension: int | None
    eta: Real
    K: int
    M: Real
    h_max: int | None
    sigma: float | None
    sampler: Sampler
    scale: Real | None
    dimensions: Iterable[int] | None
    n_embeddings: int | None
    refine: bool
    evolve: bool
    first_step: Real | None


HAS: dict[Policy, frozenset[str]] = {
    "fresh": frozenset(signature(Settings).parameters) - {"n", "v", "policy"},
    "indexed": frozenset(signature(Settings).parameters) - {"n", "v", "policy", "sampler"},
    "forest": frozenset(signature(ForestSettings).parameters) - {"n", "v"},
}
"""The parameters of each policy, besides n and v."""


class Search(NamedTuple):
    """A search: what it asks for, and where its points lie."""

    run: Hunt
    """The generator that requests evaluations."""
    projection: Projection
    """What computes the points of its evaluations."""
    key: Key | None = None
    """The key of a search that `search_of` has made: settings and key make the same search."""
    rows: int = 0
    """Number of coordinates of its points, if `search_of` has made it."""
    seed: int | None = None
    """The seed that makes the same search again, if there is one."""
    memory: int = MEMORY
    """Bytes for what its projection keeps."""


def search_of(
    settings: Parameters,
    rng: object = None,
    rows: int | None = None,
    memory: int = MEMORY,
    *,
    key: Key | None = None,
    seed: int | None = None,
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
    key, seed
        Instead of `rng`: the key of the search, and the seed that it came from, if there is one.
    """
    raise_trim_threshold()
    rows = settings.n if rows is None else rows
    if key is None:
        source = generator(rng)
        seed, key = seed_behind(source), key_from(source)
    if settings.policy == "forest":
        points: Fresh | Indexed | ForestPoints = ForestPoints(settings, key, rows, memory)
    else:
        points = projection_of(settings, key, rows, memory)
    return Search(run_of(settings, key, rows), points, key, rows, seed, memory)


def run_of(settings: Parameters, key: Key = NO_KEY, rows: int = 0) -> Hunt:
    """Return the generator of the search that the settings describe, without its projection."""
    return hunt_forest(settings, key, rows=rows) if settings.policy == "forest" else hunt(settings)


def is_forest(settings: Parameters) -> TypeGuard[ForestSettings]:
    """Tell whether this is a run of the policy ``forest``. Other files ask here."""
    return settings.policy == "forest"


def is_algorithm_1(settings: Parameters) -> TypeGuard[Settings]:
    """Tell whether this is a run of Algorithm 1, with either of its policies."""
    return settings.policy != "forest"


def space_of(settings: Parameters, node: Node) -> Space:
    """Return the cube Y of the tree that a node belongs to, with its partition and matrices."""
    if settings.policy == "forest":
        return settings.trees[tree_of(node, settings.K)]
    return settings


def trees_of(settings: Parameters) -> int:
    """Return P, the number of trees of a run; 1 for Algorithm 1."""
    return len(settings.trees) if settings.policy == "forest" else 1


def refines(settings: Parameters) -> bool:
    """Tell whether a run makes points that no node of a tree stands for."""
    return settings.policy == "forest" and (settings.refine or settings.evolve)


def settings_of(policy: Policy, n: int, d: int | None, v: int, **given: Any) -> Parameters:
    """Return the settings of a policy.

    Parameters
    ----------
    policy
        One of `POLICIES`.
    n, d, v
        As for `Settings`. With policy ``"forest"``, d may be None; otherwise it is the only
        dimension of the trees.
    **given
        Further parameters of the policy, see `HAS`.

    Raises
    ------
    TypeError, ValueError
        As `Settings` and `ForestSettings`. Also if the policy does not have a parameter, or if it
        needs d and d is missing.
    """
    one_of("policy", policy, POLICIES)
    for name in given:
        if name not in HAS[policy]:
            has = ", ".join(sorted(HAS[policy], key=str.lower))
            raise TypeError(f"policy {policy!r} has no parameter {name}; it has {has}")
    if policy == "forest":
        if d is not None:
            if given.get("dimensions") is not None:
                raise ValueError("give either d or dimensions, not both")
            given["dimensions"] = (d,)
        return ForestSettings(n, v, **given)
    if d is None:
        raise TypeError(
            f"policy {policy!r} needs d, the dimension of the search space: an integer from 1 to n"
        )
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
