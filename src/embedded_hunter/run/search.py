"""What a policy's name stands for: its settings, its generator, and what makes its points."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from embedded_hunter.forest.local_search import LocalTree
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.projection import Projection, projection_of
from embedded_hunter.settings import Settings, one_of

Policy = Literal["fresh", "indexed", "forest"]
"""The paper's policy, its corrected form, and what is beyond the paper."""
POLICIES: tuple[Policy, ...] = get_args(Policy)
OF_THE_FOREST = ("scale", "n_embeddings")
OF_ALGORITHM_1 = ("M", "sampler")


class Search(NamedTuple):
    """A generator that asks for evaluations, and the projection that makes their points."""

    run: Hunt
    projection: Projection


def search_of(settings: Settings, rng: np.random.Generator, rows: int | None = None) -> Search:
    """Return the search that `settings` describe, its points with `rows` coordinates (default: n).

    `ForestSettings` describe a forest, `Settings` Algorithm 1.
    """
    if not isinstance(settings, ForestSettings):
        return Search(hunt(settings), projection_of(settings, rng, rows))
    local_trees: deque[LocalTree] = deque(maxlen=1)
    points = ForestPoints(settings, rng, settings.n if rows is None else rows, local_trees)
    return Search(hunt_forest(settings, local_trees), points)


def run_of(settings: Settings) -> Hunt:
    """Return the generator that `settings` describe, without its points."""
    return hunt_forest(settings) if isinstance(settings, ForestSettings) else hunt(settings)


def settings_of(policy: Policy, n: int, d: int, v: int, **given: Any) -> Settings:
    """Return the settings of a policy; arguments that are None take their defaults.

    Raises
    ------
    TypeError, ValueError
        As `Settings` and `ForestSettings`, and for `scale` or `n_embeddings` without a forest.
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
    """Return the settings that their `as_json` has written.

    Raises
    ------
    TypeError, ValueError
        For a name that is missing or unknown, or a value that is not allowed.
    """
    kind = ForestSettings if fields.get("policy") == "forest" else Settings
    return kind.from_json(fields)
