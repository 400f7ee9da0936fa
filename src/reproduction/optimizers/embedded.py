"""How the experiments run the methods of this project: EmbeddedHunter and the paper's baselines.

Each function minimises a black box. What the paper has is run as the paper has it: eta = 0.3,
h_max = floor(sqrt(v)), and what `ProblemInfo` says of d, M and sigma.
"""

import math

import numpy as np

from embedded_hunter.baselines.random_search import Radial, Uniform, hunt_nothing
from embedded_hunter.baselines.resoo import hunt_resoo
from embedded_hunter.baselines.sresoo import sresoo_parts
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.projection import Indexed
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import Search, search_of
from embedded_hunter.settings import MatrixPolicy, Settings
from reproduction.optimizers.best_scale import best_scale
from reproduction.optimizers.black_box import BlackBox, ProblemInfo


def evaluate_all(box: BlackBox, search: Search) -> None:
    """Evaluate what a search asks for, to its end."""
    for _ in drive(search, box.many):
        pass


def settings_of(
    box: BlackBox,
    info: ProblemInfo,
    policy: MatrixPolicy = "fresh",
    *,
    d: int | None = None,
    scale: float | None = None,
) -> Settings:
    """Return the paper's settings; `scale` is sigma R, sigma d/eta unless given."""
    d = info.searched if d is None else d
    n, M, sigma = max(info.n, d), info.M * info.box_scale, info.sigma
    settings = Settings(n, d, box.v, M=M, sigma=sigma, policy=policy)
    if scale is None:
        return settings
    return Settings(n, d, box.v, M=M, sigma=scale / float(settings.radius), policy=policy)


def fresh(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Algorithm 1 as printed: a fresh matrix for every evaluation."""
    evaluate_all(box, search_of(settings_of(box, info), rng, box.rows))


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
    evaluate_all(box, search_of(settings, rng, box.rows))


def forest(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, guess: int | None = None
) -> None:
    """The policy ``forest`` with its defaults: told nothing, or a guess of d_e."""
    settings = ForestSettings(info.n, box.v, effective_dimension=guess)
    evaluate_all(box, search_of(settings, rng, box.rows))


def resoo(
    box: BlackBox,
    info: ProblemInfo,
    rng: np.random.Generator,
    *,
    d: int | None = None,
    scale: float | None = None,
) -> None:
    """SOO in M embeddings, v/M evaluations in each."""
    settings = settings_of(box, info, "indexed", d=d, scale=scale)
    points = Indexed(settings, rng, box.rows)
    evaluate_all(box, Search(hunt_resoo(settings, info.M), points))


def sresoo(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """SOO in M sequential embeddings, v/M evaluations in each."""
    d = info.searched if info.d_sresoo is None else info.d_sresoo
    settings = Settings(max(info.n, d), d, box.v, sigma=1 / math.sqrt(info.sigma_n))
    evaluate_all(box, Search(*sresoo_parts(settings, info.M, rng, box.rows)))


def uniform_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points uniform on the cube."""
    evaluate_all(box, Search(hunt_nothing(box.v), Uniform(rng, box.rows)))


def radial_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points P_X(s z), s uniform on [0, sigma R sqrt(d)], the reach of `fresh`: no knowledge."""
    points = Radial(rng, box.rows, info.reach, "uniform")
    evaluate_all(box, Search(hunt_nothing(box.v), points))


def radial_random_search_best(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points P_X(s z), s the best fixed scale within the reach of `fresh`.

    It is chosen with knowledge of the function from draws of its own: the best that one fixed
    radius can do.
    """
    assert info.function is not None
    scale = best_scale(info.function, info.d_e, box.v, info.reach)
    points = Radial(rng, box.rows, scale, "fixed")
    evaluate_all(box, Search(hunt_nothing(box.v), points))
