"""Every sentence of the paper: with its claims, or with the reason why it makes none."""

import tomllib
from pathlib import Path
from typing import Any

from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
LIST: dict[str, Any] = tomllib.loads(
    (ROOT / "docs" / "paper" / "sentences.toml").read_text(encoding="utf-8")
)
SENTENCES = [(part["name"], said) for part in LIST["part"] for said in part["sentences"]]
CLAIMS = registry.load(ROOT)


def test_each_sentence_makes_claims_that_exist_or_has_one_of_the_reasons() -> None:
    assert len(SENTENCES) > 240
    for part, said in SENTENCES:
        assert set(said) in ({"begins", "claims"}, {"begins", "reason"}), (part, said)
        if "reason" in said:
            assert said["reason"] in LIST["reasons"], (part, said)
        else:
            assert said["claims"], (part, said)
            assert set(said["claims"]) <= set(CLAIMS), (part, said)
            assert len(set(said["claims"])) == len(said["claims"]), (part, said)


def test_every_claim_of_the_paper_is_made_by_a_sentence() -> None:
    made = {id for _, said in SENTENCES for id in said.get("claims", ())}
    of_the_paper = {claim.id for claim in CLAIMS.values() if claim.kind != "ours"}
    assert len(of_the_paper) >= 90
    assert of_the_paper - made == set()
