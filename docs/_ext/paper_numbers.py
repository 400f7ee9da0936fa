"""The numbers that the site gives to statements are the paper's, or the build fails.

sphinx-proof numbers the statements of each kind in the order of the pages. A statement whose label
is the id of a numbered claim must get the number in the claim's ``place`` ("Lemma 1, Eq. (8)"), be
of that kind, and be there. An equation ``eq-N`` must get the number N.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from claims_data import ROOT
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from reproduction.claims import registry

log = logging.getLogger(__name__)
PLACE = re.compile(r"(Theorem|Lemma|Definition|Assumption|Corollary|Proposition) (\d+)\b")


def numbered() -> dict[str, tuple[str, int]]:
    """Return the claims that the paper numbers, with kind and number."""
    found = {}
    for id, claim in registry.load(ROOT).items():
        match = PLACE.match(claim.place)
        if match and id == f"{match[1].lower()}-{match[2]}":
            found[id] = match[1].lower(), int(match[2])
    return found


def wrong(
    stated: dict[str, dict[str, Any]], numbers: dict[str, dict[str, dict[str, tuple[int, ...]]]]
) -> Iterator[str]:
    """Yield what differs from the paper.

    Parameters
    ----------
    stated
        By label what sphinx-proof knows of each statement: page, ``realtype``, ``countertype``.
    numbers
        Sphinx's numbers, by page, kind and label.
    """
    for id, (kind, number) in numbered().items():
        entry = stated.get(id)
        if entry is None:
            yield f"{id}: the paper's {kind} {number} is stated on no page"
            continue
        got = numbers.get(entry["docname"], {}).get(entry["countertype"], {}).get(id)
        if entry["realtype"] != kind or got != (number,):
            text = ".".join(map(str, got or ("?",)))
            yield f"{id}: the page says {entry['realtype']} {text}, the paper {kind} {number}"


def misnumbered(
    equations: Mapping[str, tuple[str, int]],
    numbers: Mapping[str, Mapping[str, Mapping[str, tuple[int, ...]]]],
) -> Iterator[str]:
    """Yield the equations ``eq-N`` that have another number than N, or none.

    Parameters
    ----------
    equations
        Sphinx's labelled equations: by label the page.
    numbers
        Sphinx's numbers, by page, kind and label.
    """
    for label, (docname, _) in equations.items():
        if paper := re.fullmatch(r"eq-(\d)", label):
            given = numbers.get(docname, {}).get("displaymath", {}).get(f"equation-{label}", ())
            if given != (int(paper[1]),):
                yield f"equation {label} has the number {'.'.join(map(str, given)) or 'none'}"


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every difference."""
    equations = env.get_domain("math").data["objects"]
    for text in (
        *wrong(env.proof_list, env.toc_fignumbers), *misnumbered(equations, env.toc_fignumbers)
    ):  # fmt: skip
        log.warning(text, type="paper_numbers")


def setup(app: Sphinx) -> None:
    """Check when all pages have been read."""
    app.connect("env-check-consistency", check)
