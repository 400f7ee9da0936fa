"""The registry of methods: what Figure 1 and the benchmark run.

A method minimises a black box, given what `ProblemInfo` says and a generator. To add one, write a
file with such a function and add a row to `METHODS`. Other settings of a method are further rows.
`IN_FIGURE_1` lists the methods of Figure 1, and the names under which it stores and seeds their
runs.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from reproduction.optimizers import embedded, libraries
from reproduction.optimizers.method import Method, Style

COMPARING = ("axis-aligned", "rotated", "rotated-large", "wider", "wider-rotated")
"""The benchmark's problem sets that compare methods (`benchmark.plan.SETS` has all of them)."""
SPARSE, LARGE = ("sparse-bbob", "sparse-bbob-rotated"), ("bbob-80", "bbob-160")
"""Those with COCO's functions: of ten variables hidden in many, and of 80 and 160 that matter."""
REAL = ("real", "real-large")
"""Those with problems of practice, of at most 200 variables and of more."""
SETTINGS = "settings"
"""The problem set that shows what a guess of d_e brings to the forest."""
D_E = 10
"""Effective dimension of the functions of the benchmark."""
POLICIES = ("fresh", "indexed", "forest")
"""Methods that are policies of this project, by the first word of their names."""
MARKERS = "dXsov^"
"""Of methods without a style of their own."""

IN_FIGURE_1 = {
    "fresh": "embedded_hunter",
    "indexed": "indexed",
    "resoo": "resoo",
    "sresoo": "sresoo",
    "uniform_random_search": "uniform_random_search",
    "radial_random_search_best": "radial_random_search",
    "radial_random_search": "radial_random_search_uniform",
}


def _row(
    name: str,
    label: str,
    run: Any,
    style: str = "",
    words: str = "",
    sets: tuple[str, ...] = COMPARING,
    seeded_as: str | None = None,
) -> tuple[str, Method]:
    """Return a row: its style is "colour marker line"; words are fields, modules, more sets."""
    has = set(words.split())
    sets += (SPARSE if "sparse" in has else ()) + (LARGE if "large" in has else ())
    sets += REAL if "real" in has else ()
    return name, Method(
        label,
        run,
        Style(*style.split()) if style else None,
        IN_FIGURE_1.get(name),
        sets,
        anytime="anytime" in has,
        needs=next((module for module in ("cma", "nlopt") if module in has), None),
        embeds="embeds" in has,
        full="full" in has,
        told_d_e="told" in has,
        seeded_as=seeded_as,
    )


hesbo, evolution = libraries.hesbo_cma, libraries.evolution
METHODS: dict[str, Method] = dict([
    _row("forest", "forest", embedded.forest, "#111111 o", "embeds sparse large real",
         (*COMPARING, SETTINGS), seeded_as="family"),
    _row("fresh", "EmbeddedHunter", embedded.fresh, "#c1121f o", "embeds told sparse real"),
    _row("indexed", "indexed", embedded.indexed, "#f4a261 D", "embeds told sparse real"),
    _row("resoo", "RESOO", embedded.resoo, "#0b6e4f s", "embeds told sparse real"),
    _row("sresoo", "SRESOO", embedded.sresoo, "#1d4e89 ^", "embeds told"),
    _row("uniform_random_search", "random search, uniform", embedded.uniform_random_search,
         "#8d99ae v :", "anytime sparse large real"),
    _row("radial_random_search_best", "random search, radial, best scale",
         embedded.radial_random_search_best, "#2b2d42 x :", "told", ()),
    _row("radial_random_search", "random search, radial", embedded.radial_random_search,
         "#9d6b9d + :", "anytime told"),
    _row("rembo_cma", "REMBO-CMA, 5 embeddings", libraries.rembo_cma, "#4361ee P --",
         "embeds told cma"),
    _row("hesbo_cma_2", "HeSBO-CMA, d = 2 d_e", partial(hesbo, factor=2), "#4ea8de < --",
         "anytime embeds told cma sparse real"),
    _row("hesbo_cma_5", "HeSBO-CMA, d = 5 d_e", partial(hesbo, factor=5), "#90c8ee > --",
         "anytime embeds told cma"),
    _row("hesbo_cma_2_small", "HeSBO-CMA, d = 2 d_e, step 0.1", partial(hesbo, factor=2, step=0.1),
         "#0077b6 1 --", "anytime embeds told cma"),
    _row("hesbo_cma_5_small", "HeSBO-CMA, d = 5 d_e, step 0.1", partial(hesbo, factor=5, step=0.1),
         "#48cae4 2 --", "anytime embeds told cma"),
    _row("x_rego_cma", "X-REGO-CMA, d = 1, 2, 3, ..", libraries.x_rego_cma, "#bc4b51 3 --",
         "anytime embeds cma"),
    _row("nested_cma", "nested sketches, CMA, d = 4, 16, ..", libraries.nested_cma, "#8cb369 4 --",
         "embeds cma"),
    _row("direct_l", "DIRECT-L, 5 embeddings", libraries.direct_l, "#7b2cbf h --",
         "embeds told nlopt"),
    _row("sep_cma", "sep-CMA, all n", libraries.sep_cma, "#606c38 * -.",
         "anytime full cma sparse large real"),
    _row("differential_evolution", "differential evolution (20), all n", evolution, "#9c6644 p -.",
         "anytime full sparse large real"),
    _row("differential_evolution_small", "differential evolution (10), all n",
         partial(evolution, population=10), "#ddb892 p -.", "anytime full"),
    _row("soo", "SOO, all n", embedded.soo, "", "full", ()),
    _row("cma", "CMA-ES, all n", libraries.cma_es, "#e07a5f X -.", "anytime full cma large",
         REAL[:1]),
    *(_row(f"forest_{guess}", f"forest, guess {guess} of d_e = {D_E}",
           partial(embedded.forest, guess=guess), "", "embeds told", (SETTINGS,), f"family_{guess}")
      for guess in (2, 5, 10, 20, 50)),
])  # fmt: skip
"""The methods by name. Words: `anytime`, `embeds`, `full`, `told` (of d_e), `cma`, `nlopt`, and
`sparse`, `large`, `real` for more sets."""


def in_figure_1() -> Mapping[str, Method]:
    """Return the methods of Figure 1 by their names in its files."""
    return {m.figure_1: m for m in METHODS.values() if m.figure_1 is not None}


def style_of(method: Method) -> Style:
    """Return how a method is drawn; methods without a style get colours and markers in turn."""
    if method.style is not None:
        return method.style
    k = [other for other in METHODS.values() if other.style is None].index(method)
    return Style(f"C{k % 10}", MARKERS[k % len(MARKERS)])
