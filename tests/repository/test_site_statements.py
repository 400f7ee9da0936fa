"""The site's pages on theory and proofs: what can be computed is not typed."""

import json
import os
import re
import shutil
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from cffconvert import Citation

import embedded_hunter
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PROOFS = ROOT / "proofs"
sys.path.insert(0, str(DOCS / "_ext"))
goals = import_module("goals")  # without Sphinx
MODULES = sorted({name.partition(".")[0] for name in goals.PAGES})
QUICK = {"Ceiling", "Theorem2"}


# ---------------------------------------------------------------- goals of the steps


def test_a_proof_that_has_changed_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goals, "ROOT", tmp_path)
    (tmp_path / "proofs").mkdir()
    (tmp_path / "docs" / "proofs" / "goals").mkdir(parents=True)
    source = tmp_path / "proofs" / "A.v"
    proof = ("Lemma x : True.", "\nProof.", " (* By\n [I]. *) exact (* it *) I.", " Qed.")
    source.write_text(f"(* x *) {''.join(proof)}\n", encoding="utf-8")
    steps = [{"text": text, "goals": ""} for text in proof]
    goals.cache("A").write_text(json.dumps({"x": steps}), encoding="utf-8")
    found = goals.recorded("A")["x"]
    sentences = ["Lemma x : True.", "Proof.", "exact  I.", "Qed."]
    assert [step["sentence"] for step in found] == sentences
    assert [step.get("idea") for step in found] == [None, None, "By [I]. it", None]
    for changed in ("exact", "By", "True"):
        text = "".join(proof).replace(changed, "auto")
        source.write_text(text, encoding="utf-8")
        with pytest.raises(goals.GoalsError, match=r"A\.x has changed"):
            goals.recorded("A")


@pytest.mark.long
@pytest.mark.parametrize(
    "module", [m if m in QUICK else pytest.param(m, marks=pytest.mark.slow) for m in MODULES]
)
def test_rocq_says_what_is_recorded(module: str) -> None:
    """Skipped where the proofs have not been built (``make -C proofs``)."""
    built = all(
        (vo := path.with_suffix(".vo")).is_file() and vo.stat().st_mtime >= path.stat().st_mtime
        for path in PROOFS.glob("*/*.v")
        if path.name in (PROOFS / "_CoqProject").read_text(encoding="utf-8")
    )
    if not (built and shutil.which("coqtop")):
        assert not os.environ.get("EMBEDDED_HUNTER_REQUIRE_ROCQ"), "build the proofs first"
        pytest.skip("the proofs have not been built")
    kept = json.loads(goals.cache(module).read_text("utf-8"))
    assert goals.record(PROOFS, module, goals.theorems_of(module)) == kept


# ---------------------------------------------------------------- statements


def stated(text: str) -> list[str]:
    return re.findall(r"^```\{evidence\} (\S+)$", text, re.MULTILINE)


PAGES = {page.stem: page.read_text("utf-8") for page in sorted((DOCS / "paper").glob("*.md"))}
CLAIMS = registry.load(ROOT)


def test_every_claim_of_the_theory_is_stated_once() -> None:
    found = [id for text in PAGES.values() for id in stated(text)]
    assert len(found) == len(set(found))
    theory = {c.id for c in CLAIMS.values() if c.kind not in ("algorithm", "empirical")}
    assert len(theory) > 40
    assert theory - set(found) == set(), "state it on a page of docs/paper, with {evidence}"
    assert set(found) - theory == set()


# ---------------------------------------------------------------- notation, citation


def bibtex(text: str) -> dict[str, str]:
    return dict(re.findall(r"^\s+(\w+)\s*=\s*\{(.*)\},?$", text, re.MULTILINE))


def test_the_version_and_how_to_cite_it_are_the_same_everywhere() -> None:
    """In the package, its metadata, the citation file, the changelog, the deposit and the page."""
    page = (DOCS / "cite.md").read_text("utf-8")
    citation = Citation((ROOT / "CITATION.cff").read_text("utf-8"))
    citation.validate()
    cff = citation.cffobj
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == cff["version"] == embedded_hunter.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## (\S+) \((\d.*)\)$", changelog, re.MULTILINE)
    assert released[0] == (cff["version"], str(cff["date-released"]))
    deposit = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert (deposit["version"], deposit["publication_date"]) == released[0]
    assert deposit["description"] == " ".join(cff["abstract"].split())
    assert project["license"] == cff["license"] == deposit["license"]
    paper, software = (
        bibtex(block) for block in re.findall(r"```bibtex\n(.*?)```", page, re.DOTALL)
    )
    assert f"EmbeddedHunter, policy fresh, version {cff['version']}" in page
    assert software["version"] == cff["version"]
    date = (software["year"], software["month"], software["day"])
    assert "-".join(part.zfill(2) for part in date) == released[0][1]
    (entry,) = re.findall(
        r"^@inproceedings\{embedded-bandits,\n(.*?)^\}",
        (DOCS / "refs.bib").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert bibtex(entry) == paper


def test_every_name_of_the_notation_stands_in_the_file_that_it_leads_to() -> None:
    """The build looks up the links; here are the names, also those of parameters and variables."""
    page = (DOCS / "notation.md").read_text("utf-8")
    named = re.findall(r"\[`(?:\w+\.)?(\w+)`\]\(source:([\w/.]+)#", page)
    assert len(named) == page.count("](source:") > 40
    for name, file in named:
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")), name
