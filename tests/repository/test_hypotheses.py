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


def supposes_nothing(theorem: str) -> bool:
    """Return whether a theorem has no hypotheses: no arrow but in the types of its variables."""
    printed = (ROOT / sources.STATEMENTS).read_text(encoding="utf-8")
    statement = printed.partition(f"\n{theorem} | ")[2].partition("\n\n")[0].partition("\n")[2]
    return "->" not in re.sub(r"\([^()]*\)", "", statement)


def test_an_instance_is_a_theorem_unless_nothing_is_supposed() -> None:
    """The page may also refer to another claim, whose instance is shown."""
    described = {
        id
        for id, instance in TYPED.items()
        if "{rocq}" not in instance and not instance.startswith("as for `")
    }
    assert [id for id in described if not supposes_nothing(CLAIMS[id].proof[0])] == []
    assert supposes_nothing("Batch.hunting_in_batches_is_hunting")
    assert not supposes_nothing("Sweep.sweep_expands")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_theorem_that_a_page_names_exists(path: Path) -> None:
    named = set(re.findall(r"`([A-Z]\w+\.[a-z][\w']{2,})`", path.read_text(encoding="utf-8")))
    assert named <= THEOREMS.keys()
