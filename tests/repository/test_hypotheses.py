"""Each proved claim has an instance of its hypotheses: on the page, or as a theorem on small data.

The comment before such a theorem ends in ``Instance of [File.theorem].``; several are joined by
``and``. Rocq checks that the data satisfy the hypotheses: the proof uses the other theorem.
"""

import re
from pathlib import Path

import pytest

from reproduction.claims import references, registry

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "paper"
PAGE = (FOLDER / "hypotheses.md").read_text(encoding="utf-8")
CLAIMS = registry.load(ROOT)
THEOREMS = references.theorems(ROOT)
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
    printed = (ROOT / references.STATEMENTS).read_text(encoding="utf-8")
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


# --- theorems that are instances of others -------------------------------------------------------

FILES = {path.stem: path for path in (ROOT / "proofs").glob("*/*.v")}
HEADLINES = references.headlines(ROOT)
NAMED = re.compile(r"Instance of (\[[\w.']+\](?:,? (?:and )?\[[\w.']+\])*)\.$")


def instances() -> dict[str, list[str]]:
    """Return for each theorem that is an instance the theorems of which it is one."""
    found = {name: NAMED.search(head.sentence) for name, head in HEADLINES.items()}
    return {name: re.findall(r"\[([\w.']+)\]", said[1]) for name, said in found.items() if said}


def proof(theorem: str) -> str:
    """Return the proof of a theorem."""
    file, name = theorem.split(".")
    source = FILES[file].read_text(encoding="utf-8")
    text = re.split(rf"^\s*(?:Theorem|Corollary) {re.escape(name)}(?![\w'])", source, flags=re.M)[1]
    return text.partition("Proof.")[2].partition("Qed.")[0]


def test_every_theorem_on_small_data_names_the_theorem_of_which_it_is_an_instance() -> None:
    small = {name for name in HEADLINES if name.partition(".")[0] in INSTANCES}
    assert len(small) > 20
    assert small <= set(instances())


@pytest.mark.parametrize("instance", instances())
def test_an_instance_is_proved_by_the_theorem_that_it_names(instance: str) -> None:
    for theorem in instances()[instance]:
        assert theorem in HEADLINES
        assert theorem.partition(".")[2] in re.findall(r"[\w']+", proof(instance))
