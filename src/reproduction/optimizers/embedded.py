"""How the experiments run the methods of this project: EmbeddedHunter and the paper's baselines.

Each function minimises a black box. What the paper has is run as the paper has it: eta = 0.3,
h_max = floor(sqrt(v)), and what `ProblemInfo` says of d, M and sigma.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import Indexed, drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.settings import MatrixPolicy, Settings
from reproduction.baselines.random_search import radial_points
from reproduction.baselines.resoo import hunt_resoo
from reproduction.baselines.soo import Identity, hunt_soo
from reproduction.baselines.sresoo import sresoo_parts
from reproduction.optimizers.best_scale import best_scale
from reproduction.optimizers.black_box import BlackBox, ProblemInfo

BATCH = 128
"""Number of points of random search that are evaluated together."""


def evaluate_all(box: BlackBox, run: Any, project: Callable[[Any], Floats]) -> None:
    """Evaluate what a search asks for, to its end."""
    for _ in drive(run, project, box.many):
        pass


def run_policy(box: BlackBox, settings: Parameters, rng: np.random.Generator) -> None:
    """Run the policy of some settings."""
    parts = parts_of(settings, rng, box.rows)
    evaluate_all(box, parts.run, parts.projection.project)


def evaluate_random(box: BlackBox, draw: Callable[[int], Floats]) -> None:
    """Evaluate the points that `draw` returns for their number, until the budget is used."""
    while box.left:
        box.many(draw(min(BATCH, box.left)))


def settings_of(box: BlackBox, info: ProblemInfo, policy: MatrixPolicy = "fresh") -> Settings:
    """Return the paper's settings."""
    d = info.searched
    M, sigma = info.M * info.box_scale, info.sigma
    return Settings(max(info.n, d), d, box.v, M=M, sigma=sigma, policy=policy)


def fresh(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Algorithm 1 as printed: a fresh matrix for every evaluation."""
    run_policy(box, settings_of(box, info), rng)


def indexed(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Algorithm 1, the p-th evaluations of all base points with the same matrix A_p."""
    run_policy(box, settings_of(box, info, "indexed"), rng)


def forest(
    box: BlackBox, info: ProblemInfo, rng: np.random.Generator, *, guess: int | None = None
) -> None:
    """The policy ``forest`` with its defaults: told nothing, or a guess of d_e."""
    run_policy(box, ForestSettings(info.n, box.v, effective_dimension=guess), rng)


def resoo(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """SOO in M embeddings, v/M evaluations in each."""
    settings = settings_of(box, info, "indexed")
    points = Indexed(settings, rng, box.rows)
    evaluate_all(box, hunt_resoo(settings, info.M), points.project)


def sresoo(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """SOO in M sequential embeddings, v/M evaluations in each."""
    d = info.searched if info.d_sresoo is None else info.d_sresoo
    settings = Settings(max(info.n, d), d, box.v, sigma=1 / math.sqrt(info.sigma_n))
    run, points = sresoo_parts(settings, info.M, rng, box.rows)
    evaluate_all(box, run, points.project)


def soo(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """SOO in all coordinates; it has no random numbers."""
    settings = Settings(box.rows, box.rows, box.v)
    evaluate_all(box, hunt_soo(settings), Identity(settings).project)


def uniform_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points uniform on the cube."""
    evaluate_random(box, lambda count: rng.uniform(-1.0, 1.0, (count, box.rows)))


def radial_random_search(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points P_X(s z), s uniform on [0, sigma R sqrt(d)], the reach of `fresh`: no knowledge."""
    reach = info.reach
    evaluate_random(box, lambda count: radial_points(rng, count, box.rows, reach, "uniform"))


def radial_random_search_best(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
    """Points P_X(s z), s the best fixed scale within the reach of `fresh`.

    It is chosen with knowledge of the function from draws of its own: the best that one fixed
    radius can do.
    """
    assert info.function is not None
    scale = best_scale(info.function, info.d_e, box.v, info.reach)
    evaluate_random(box, lambda count: radial_points(rng, count, box.rows, scale, "fixed"))
