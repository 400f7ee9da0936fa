"""From a policy's name to its settings, its generator and its projection."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.projection import MEMORY, Projection, projection_of
from embedded_hunter.settings import Settings, one_of

Policy = Literal["fresh", "indexed", "forest"]
"""The paper's policy, its variant with fixed matrices, and the policy beyond the paper."""
POLICIES: tuple[Policy, ...] = get_args(Policy)
OF_THE_FOREST = ("scale", "n_embeddings")
OF_ALGORITHM_1 = ("M", "sampler")


class Search(NamedTuple):
    """A generator that requests evaluations, and the projection that computes their points."""

    run: Hunt
    projection: Projection


def search_of(
    settings: Settings, rng: np.random.Generator, rows: int | None = None, memory: int = MEMORY
) -> Search:
    """Return the search that the settings describe.

    Parameters
    ----------
    settings
        `ForestSettings` for a forest, else `Settings` for Algorithm 1.
    rng
        Source of all random numbers of the search.
    rows
        Number of coordinates of its points, n unless given.
    memory
        Bytes for what the projection keeps; see `projection.Indexed`.
    """
    if not isinstance(settings, ForestSettings):
        return Search(hunt(settings), projection_of(settings, rng, rows, memory))
    points = ForestPoints(settings, rng, settings.n if rows is None else rows, memory)
    return Search(hunt_forest(settings, points.key), points)


def run_of(settings: Settings) -> Hunt:
    """Return the generator of the search that the settings describe, without its projection."""
    return hunt_forest(settings) if isinstance(settings, ForestSettings) else hunt(settings)


def settings_of(policy: Policy, n: int, d: int, v: int, **given: Any) -> Settings:
    """Return the settings of a policy. An argument that is None takes its default.

    Raises
    ------
    TypeError, ValueError
        As `Settings` and `ForestSettings`. Also if `scale` or `n_embeddings` is given without a
        forest.
    """
    one_of("policy", policy, POLICIES)
    given = {name: value for name, value in given.items() if value is not None}
    if policy == "forest":
        for name in OF_ALGORITHM_1:
            given.pop(name, None)
        return ForestSettings(n, d, v, **given)
    for name in OF_THE_FOREST:
        if name in given:
            raise ValueError(f"{name} is for policy 'forest' alone, got policy {policy!r}")
    return Settings(n, d, v, policy=policy, **given)


def settings_from_json(fields: Mapping[str, object]) -> Settings:
    """Return the settings that `as_json` has written.

    Raises
    ------
    TypeError, ValueError
        If a name is missing or unknown, or a value is not allowed.
    """
    kind = ForestSettings if fields.get("policy") == "forest" else Settings
    return kind.from_json(fields)
