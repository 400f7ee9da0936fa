"""The numbers that the site gives to statements are the paper's, or the build fails.

sphinx-proof numbers the statements of each kind in the order of the pages. A statement whose label
is the id of a numbered claim must get the number in the claim's ``place`` ("Lemma 1, Eq. (8)"), be
of that kind, and be there.
"""

import re
from collections.abc import Iterator
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


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every difference."""
    for text in wrong(getattr(env, "proof_list", {}), env.toc_fignumbers):
        log.warning(text, type="paper_numbers")


def setup(app: Sphinx) -> dict[str, Any]:
    """Check when all pages have been read."""
    app.connect("env-check-consistency", check)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
