"""The methods of the benchmark: those of the registry, and variants of their settings.

The sets ``settings`` and ``pilot`` vary what the papers and libraries leave open.
"""

from collections.abc import Mapping
from functools import partial

from reproduction.methods import METHODS
from reproduction.optimizers import embedded, libraries
from reproduction.optimizers.method import Method

D_E = 10
"""Effective dimension of the functions."""
OUR_SETTINGS = {
    **{
        f"forest_{guess}": Method(
            f"forest, guess {guess} of d_e = {D_E}",
            partial(embedded.forest, guess=guess),
            sets=("settings",),
            seeded_as=f"family_{guess}",
        )
        for guess in (2, 5, 10, 20, 50)
    },
    **{
        f"indexed_{d}_{scale:g}": Method(
            f"indexed, d = {d}, sigma R = {scale:g}",
            partial(embedded.indexed, d=d, scale=scale),
            sets=("settings",),
        )
        for d in (5, 10, 20)
        for scale in (0.125, 0.25, 0.5)
    },
    "resoo_20_0.25": Method(
        "RESOO, d = 20, sigma R = 0.25",
        partial(embedded.resoo, d=20, scale=0.25),
        sets=("settings",),
    ),
}
"""The set ``settings``: of our own methods d and sigma R, and what a guess of d_e brings to the
forest. The forest that is told nothing is in this set too."""
PILOT = {
    **{
        f"rembo_cma_{factor}_{step:g}": Method(
            f"REMBO-CMA, d = {factor * D_E}, step {step:g}",
            partial(libraries.rembo_cma, factor=factor, step=step),
            needs="cma",
            sets=("pilot",),
        )
        for factor in (1, 2)
        for step in (0.05, 0.15, 0.5, 1.5)
    },
    **{
        f"hesbo_cma_{factor}_{step:g}": Method(
            f"HeSBO-CMA, d = {factor * D_E}, step {step:g}",
            partial(libraries.hesbo_cma, factor=factor, step=step),
            anytime=True,
            needs="cma",
            sets=("pilot",),
        )
        for factor in (2, 5)
        for step in (0.1, 0.2, 0.5)
    },
    **{
        f"direct_l_{scale:.3g}": Method(
            f"DIRECT-L, box [-{scale:.3g}, {scale:.3g}]^10",
            partial(libraries.direct_l, scale=scale),
            needs="nlopt",
            sets=("pilot",),
        )
        for scale in (0.125, 0.25, 0.5, 1.0, 10**0.5)
    },
    **{
        f"sep_cma_{step:g}": Method(
            f"sep-CMA, step {step:g}",
            partial(libraries.sep_cma, step=step),
            anytime=True,
            needs="cma",
            embeds=False,
            full=True,
            sets=("pilot",),
        )
        for step in (0.1, 0.2, 0.5)
    },
    **{
        f"differential_evolution_{population}": Method(
            f"differential evolution, {population} members",
            partial(libraries.evolution, population=population),
            anytime=True,
            embeds=False,
            full=True,
            sets=("pilot",),
        )
        for population in (10, 20, 50)
    },
}
"""The set ``pilot``: settings of other methods, from which those of the registry were chosen."""


def in_benchmark() -> Mapping[str, Method]:
    """Return the methods of the benchmark by name."""
    registered = {name: method for name, method in METHODS.items() if method.sets}
    return registered | OUR_SETTINGS | PILOT


def method_of(name: str) -> Method:
    """Return a method of the benchmark."""
    return in_benchmark()[name]
