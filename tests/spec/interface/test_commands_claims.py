"""`embedded-hunter claims`: the verdicts of the release, for those who have the package alone."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter.cli import main
from embedded_hunter.commands import claims as command
from reproduction.claims.registry import table_of

ROOT = Path(__file__).parents[3]
RELEASE = json.loads(json.dumps({"version": "1.2.3", "claims": table_of(ROOT)}))
CLAIMS = {claim["id"]: claim for claim in RELEASE["claims"]}


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The table as a wheel has it."""
    path = tmp_path / "claims.json"
    path.write_text(json.dumps(RELEASE), encoding="utf-8")
    monkeypatch.setattr(command, "TABLE", path)
    return path


def test_a_checkout_has_no_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.unlink()
    assert main(["claims"]) == 2
    assert "use python -m reproduction claims" in capsys.readouterr().err


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["claims", *argv]) == 0
    return capsys.readouterr().out


def test_every_claim_is_listed_with_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    *lines, empty, last = printed(capsys).splitlines()
    assert empty == ""
    assert lines == [f"{id}: {claim['verdict']}" for id, claim in CLAIMS.items()]
    assert last.startswith(f"At version {RELEASE['version']}: ")
    counts = [int(number) for number in re.findall(r"(\d+) [a-z]", last.partition(": ")[2])]
    assert sum(counts) == len(CLAIMS) > 100


def test_a_claim_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    shown = printed(capsys, "lemma-1")
    claim = CLAIMS["lemma-1"]
    words = " ".join(shown.split())
    assert shown.startswith(f"lemma-1: {claim['verdict']}    Lemma 1, Eq. (8)\n")
    for text in (claim["statement"], f"Corrected: {claim['correction']}", *claim["proof"]):
        assert text in words
    assert shown.endswith(f"At version {RELEASE['version']}: 1 {claim['verdict']}\n")


def test_claims_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    fields: dict[str, Any] = json.loads(printed(capsys, "--json", "theorem-1", "lemma-1"))
    assert fields == {
        "version": RELEASE["version"], "claims": [CLAIMS["theorem-1"], CLAIMS["lemma-1"]],
    }  # fmt: skip
    assert json.loads(printed(capsys, "--json")) == RELEASE


def test_an_unknown_claim_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "lema-1"]) == 2
    assert "no claim lema-1; did you mean lemma-1?" in capsys.readouterr().err
