"""Random instances of the policy forest, and of objectives: ties, cuts, a zero vector that wins."""

import random
from fractions import Fraction

from forest_oracle import ForestInstance
from instances import objective
from oracle import Name, Objective

from embedded_hunter.forest.settings import ForestSettings


def instance(seed: int) -> tuple[ForestInstance, Objective]:
    """Return an instance and an objective, made from the seed alone."""
    rnd = random.Random(f"forest {seed}")
    K = rnd.choice([3, 3, 3, 5, 7])
    v = rnd.choice([rnd.randint(1, 12), rnd.randint(1, 80), rnd.randint(1, 300)])
    P = rnd.choice([1, 2, 2, 3, 5, 8])
    dimensions = tuple(sorted(rnd.sample(range(1, 5), rnd.choice([1, 1, 2, 3]))))
    made = ForestInstance(K, dimensions, rnd.randint(0, 6), v, P)
    g = objective(rnd, K)
    return made, (least_at_zero(g) if rnd.random() < 0.3 else g)


def least_at_zero(g: Objective) -> Objective:
    """The objective, but with its zero vector better than nearly all other points."""

    def changed(node: Name, p: int) -> float:
        return -0.5 if node[0] == 0 else g(node, p)

    return changed


def settings_of(instance: ForestInstance, *, refine: bool = False) -> ForestSettings:
    """The settings of an instance."""
    return ForestSettings(
        n=5,
        v=instance.v,
        dimensions=instance.dimensions,
        eta=Fraction(1, 2),
        K=instance.K,
        h_max=instance.h_max,
        n_embeddings=instance.P,
        refine=refine,
        evolve=False,
    )
