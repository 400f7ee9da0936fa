"""The page of hypotheses: each proved claim has an entry, and each entry an instance."""

import re
from pathlib import Path

import pytest

from reproduction.claims import references as sources
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "paper"
PAGE = (FOLDER / "hypotheses.md").read_text(encoding="utf-8")
CLAIMS = registry.load(ROOT)
THEOREMS = sources.theorems(ROOT)
TYPED = dict(re.findall(r"^([a-z0-9-]+): (.+\.)$", PAGE.split("```{hypotheses}")[1], re.MULTILINE))
INSTANCES = {path.stem for path in (ROOT / "proofs" / "instances").glob("*.v")}


@pytest.mark.parametrize("id", [claim.id for claim in CLAIMS.values() if claim.proof])
def test_every_proved_claim_has_an_instance(id: str) -> None:
    """It is a theorem of `proofs/instances` that names the claim, or the page describes it."""
    named = [name for name, ids in THEOREMS.items() if id in ids]
    assert id in TYPED or any(name.partition(".")[0] in INSTANCES for name in named)


def test_the_page_describes_instances_of_claims_by_theorems_that_exist() -> None:
    assert TYPED.keys() <= CLAIMS.keys()
    for id, instance in TYPED.items():
        assert set(re.findall(r"\{rocq\}`([^`]+)`", instance)) <= THEOREMS.keys()
        assert set(re.findall(r" `([a-z0-9-]+)`", instance)) <= CLAIMS.keys() - {id}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_theorem_that_a_page_names_exists(path: Path) -> None:
    named = set(re.findall(r"`([A-Z]\w+\.[a-z][\w']{2,})`", path.read_text(encoding="utf-8")))
    assert named <= THEOREMS.keys()
