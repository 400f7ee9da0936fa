"""The registry of methods: what Figure 1, the benchmark and the study with COCO run.

A method minimises a black box, given what `ProblemInfo` says and a generator. To add one, write a
file with such a function and add a line to `METHODS`; its fields say in which studies it takes part
and under which name each of them stores and seeds its runs. Other settings of a method are further
entries.
"""

from collections.abc import Mapping
from functools import partial

from reproduction.optimizers import embedded, libraries
from reproduction.optimizers.method import InCoco, Method, Style

COMPARING = ("axis-aligned", "rotated", "rotated-large", "wider", "wider-rotated")
"""The benchmark's problem sets that compare methods (`benchmark.plan.SETS` has all of them)."""
D_E = 10
"""Effective dimension of the functions of the benchmark."""
POLICIES = ("fresh", "indexed", "forest")
"""Methods that are policies of this project, by the first word of their names."""
MARKERS = "dXsov^"
"""Of methods without a style of their own."""
in_all_coordinates = partial(Method, embeds=False, full=True, told_d_e=False)
"""A method that searches the n coordinates themselves."""


METHODS: dict[str, Method] = {
    "forest": Method(
        "forest",
        embedded.forest,
        Style("#111111", "o"),
        sets=(*COMPARING, "settings"),
        coco=InCoco(
            "forest",
            "forest",
            "one forest over 20 embeddings, d = 5, 10, 20, 40, refinement and evolution",
            seeded_as="embedded_hunter_family",
        ),
        told_d_e=False,
        seeded_as="family",
    ),
    "fresh": Method(
        "EmbeddedHunter",
        embedded.fresh,
        Style("#c1121f", "o"),
        figure_1="embedded_hunter",
        sets=COMPARING,
    ),
    "indexed": Method(
        "indexed",
        embedded.indexed,
        Style("#f4a261", "D"),
        figure_1="indexed",
        sets=COMPARING,
        coco=InCoco(
            "indexed",
            "indexed",
            "EmbeddedHunter, p-th evaluations with matrix A_p",
            seeded_as="embedded_hunter_indexed",
        ),
    ),
    "resoo": Method(
        "RESOO",
        embedded.resoo,
        Style("#0b6e4f", "s"),
        figure_1="resoo",
        sets=COMPARING,
        coco=InCoco("resoo", "RESOO", "SOO in M random embeddings"),
    ),
    "sresoo": Method(
        "SRESOO",
        embedded.sresoo,
        Style("#1d4e89", "^"),
        figure_1="sresoo",
        sets=COMPARING,
    ),
    "uniform_random_search": Method(
        "random search, uniform",
        embedded.uniform_random_search,
        Style("#8d99ae", "v", ":"),
        figure_1="uniform_random_search",
        sets=COMPARING,
        coco=InCoco("uniform_random_search", "RS-cube", "random search, uniform on the cube"),
        anytime=True,
        told_d_e=False,
        embeds=False,
    ),
    "radial_random_search_best": Method(
        "random search, radial, best scale",
        embedded.radial_random_search_best,
        Style("#2b2d42", "x", ":"),
        figure_1="radial_random_search",
        embeds=False,
    ),
    "radial_random_search": Method(
        "random search, radial",
        embedded.radial_random_search,
        Style("#9d6b9d", "+", ":"),
        figure_1="radial_random_search_uniform",
        sets=COMPARING,
        anytime=True,
        embeds=False,
    ),
    "rembo_cma": Method(
        "REMBO-CMA, 5 embeddings",
        libraries.rembo_cma,
        Style("#4361ee", "P", "--"),
        sets=COMPARING,
        needs="cma",
    ),
    "hesbo_cma_2": Method(
        "HeSBO-CMA, d = 2 d_e",
        partial(libraries.hesbo_cma, factor=2),
        Style("#4ea8de", "<", "--"),
        sets=COMPARING,
        anytime=True,
        needs="cma",
    ),
    "hesbo_cma_5": Method(
        "HeSBO-CMA, d = 5 d_e",
        partial(libraries.hesbo_cma, factor=5),
        Style("#90c8ee", ">", "--"),
        sets=COMPARING,
        anytime=True,
        needs="cma",
    ),
    "hesbo_cma_2_small": Method(
        "HeSBO-CMA, d = 2 d_e, step 0.1",
        partial(libraries.hesbo_cma, factor=2, step=0.1),
        Style("#0077b6", "1", "--"),
        sets=COMPARING,
        anytime=True,
        needs="cma",
    ),
    "hesbo_cma_5_small": Method(
        "HeSBO-CMA, d = 5 d_e, step 0.1",
        partial(libraries.hesbo_cma, factor=5, step=0.1),
        Style("#48cae4", "2", "--"),
        sets=COMPARING,
        anytime=True,
        needs="cma",
    ),
    "x_rego_cma": Method(
        "X-REGO-CMA, d = 1, 2, 3, ..",
        libraries.x_rego_cma,
        Style("#bc4b51", "3", "--"),
        sets=COMPARING,
        anytime=True,
        needs="cma",
        told_d_e=False,
    ),
    "nested_cma": Method(
        "nested sketches, CMA, d = 4, 16, ..",
        libraries.nested_cma,
        Style("#8cb369", "4", "--"),
        sets=COMPARING,
        needs="cma",
        told_d_e=False,
    ),
    "direct_l": Method(
        "DIRECT-L, 5 embeddings",
        libraries.direct_l,
        Style("#7b2cbf", "h", "--"),
        sets=COMPARING,
        needs="nlopt",
    ),
    "sep_cma": in_all_coordinates(
        "sep-CMA, all n",
        libraries.sep_cma,
        Style("#606c38", "*", "-."),
        sets=COMPARING,
        anytime=True,
        needs="cma",
    ),
    "differential_evolution": in_all_coordinates(
        "differential evolution (20), all n",
        libraries.evolution,
        Style("#9c6644", "p", "-."),
        sets=COMPARING,
        anytime=True,
    ),
    "differential_evolution_small": in_all_coordinates(
        "differential evolution (10), all n",
        partial(libraries.evolution, population=10),
        Style("#ddb892", "p", "-."),
        sets=COMPARING,
        anytime=True,
    ),
    "soo": in_all_coordinates("SOO, all n", embedded.soo),
    "cma": in_all_coordinates(
        "CMA-ES, all n",
        libraries.cma_es,
        coco=InCoco("cma", "CMA-ES", "pycma in all n coordinates"),
        needs="cma",
    ),
}


METHODS |= {
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


def in_figure_1() -> Mapping[str, Method]:
    """Return the methods of Figure 1 by their names in its files."""
    return {m.figure_1: m for m in METHODS.values() if m.figure_1 is not None}


def in_benchmark() -> Mapping[str, Method]:
    """Return the methods of the benchmark, and their variants, by name."""
    return {name: method for name, method in METHODS.items() if method.sets}


def in_coco() -> Mapping[str, Method]:
    """Return the methods of the study with COCO by their names there."""
    return {m.coco.name: m for m in METHODS.values() if m.coco is not None}


def style_of(method: Method) -> Style:
    """Return how a method is drawn; methods without a style get colours and markers in turn."""
    if method.style is not None:
        return method.style
    k = [other for other in METHODS.values() if other.style is None].index(method)
    return Style(f"C{k % 10}", MARKERS[k % len(MARKERS)])
