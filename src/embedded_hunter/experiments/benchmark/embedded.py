"""Methods of this project, on a black box: the policies of EmbeddedHunter and its baselines.

All of them are told n and d_e. What the paper has is run as the paper has it (d = d_e, eta = 0.3,
M = 5, h_max = floor(sqrt(v)), sigma = 1/sqrt(n)), on the rotated problems, which are smaller, with
the sigma of `SIGMA_N` coordinates: sigma R alone matters, not n, and it stays the same.
"""

import math

import numpy as np

from embedded_hunter.baselines.random_search import Radial, Uniform, hunt_nothing
from embedded_hunter.baselines.resoo import hunt_resoo
from embedded_hunter.baselines.sresoo import sresoo_parts
from embedded_hunter.experiments.benchmark.black_box import BlackBox
from embedded_hunter.experiments.benchmark.libraries import EMBEDDINGS, ProblemInfo
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.projection import projection_of
from embedded_hunter.run.drive import drive
from embedded_hunter.run.minimize import searched_dimension
from embedded_hunter.run.search import Search, search_of
from embedded_hunter.settings import Policy, Settings

SIGMA_N = 10_000


def minimize(box: BlackBox, search: Search) -> None:
    """Evaluate what a search asks for, to its end."""
    for _ in drive(search, box.many):
        pass


def settings_of(
    box: BlackBox,
    info: ProblemInfo,
    policy: Policy = "fresh",
    *,
    d: int | None = None,
    scale: float | None = None,
) -> Settings:
    """Return the paper's settings; `scale` is sigma R, sigma d/eta unless given."""
    d = info.d_e if d is None else d
    settings = Settings(
        max(info.n, d), d, box.v, M=EMBEDDINGS, sigma=1 / math.sqrt(SIGMA_N), policy=policy
    )
    if scale is None:
        return settings
    sigma = scale / float(settings.radius)
    return Settings(settings.n, d, box.v, M=EMBEDDINGS, sigma=sigma, policy=policy)


def fresh(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Algorithm 1 as printed: a fresh matrix for every evaluation."""
    settings = settings_of(box, info)
    minimize(box, search_of(settings, rng, box.rows))


def indexed(
    box: BlackBox,
    info: ProblemInfo,
    rng: np.random.Generator,
    *,
    d: int | None = None,
    scale: float | None = None,
) -> None:
    """Algorithm 1, the p-th evaluations of all base points with the same matrix A_p."""
    settings = settings_of(box, info, "indexed", d=d, scale=scale)
    minimize(box, search_of(settings, rng, box.rows))


def forest(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, guess: int | None = None
) -> None:
    """The policy ``forest`` with its defaults, told d_e (or a wrong `guess` of it)."""
    d = searched_dimension(info.n, None, info.d_e if guess is None else guess, "forest")
    settings = ForestSettings(info.n, d, box.v)
    minimize(box, search_of(settings, rng, box.rows))


def resoo(
    box: BlackBox,
    info: ProblemInfo,
    rng: np.random.Generator,
    *,
    d: int | None = None,
    scale: float | None = None,
) -> None:
    """SOO in five embeddings, v/5 evaluations in each."""
    settings = settings_of(box, info, "indexed", d=d, scale=scale)
    minimize(box, Search(hunt_resoo(settings, EMBEDDINGS), projection_of(settings, rng, box.rows)))


def sresoo(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """SOO in five sequential embeddings."""
    minimize(box, Search(*sresoo_parts(settings_of(box, info), EMBEDDINGS, rng, box.rows)))


def uniform_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points uniform on the cube."""
    minimize(box, Search(hunt_nothing(box.v), Uniform(rng, box.rows)))


def radial_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points P_X(s z), s uniform on [0, sigma R sqrt(d)], the reach of `fresh`."""
    settings = settings_of(box, info)
    reach = settings.sigma * float(settings.radius) * math.sqrt(settings.d)
    minimize(box, Search(hunt_nothing(box.v), Radial(rng, box.rows, reach, "uniform")))
