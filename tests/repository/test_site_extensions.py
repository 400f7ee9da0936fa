"""What the extensions behind docs/paper and docs/proofs refuse, drop and find."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from reproduction.claims import references as sources
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
pytest.importorskip("sphinx_proof", reason="Sphinx is not installed: pip install -e '.[docs]'")
goals, links, rocq, specification = map(import_module, ("goals", "links", "rocq", "specification"))


def test_a_text_of_the_registry_has_formulas_and_code() -> None:
    text = r"If $x_1 \le 2$, `f_*` is > 0."
    assert links.escaped(text) == r"If $x_1 \le 2$, `f_*` is \> 0."


def test_no_sentence_of_a_claim_keeps_a_formula_as_prose() -> None:
    mark = re.compile(r"[_^|=+*{}\\]|\b(sqrt|floor|pbar|sum_|eta|eps|tau|sigma|delta|lambda|pi)\b")
    texts = [
        text
        for claim in registry.load(ROOT).values()
        for text in (claim.statement, claim.correction, claim.reason, claim.undecided)
    ]
    prose = [part for text in texts for part in re.split(r"\$[^$]*\$|`[^`]*`", text)]
    assert len(prose) > 500
    assert [text for text in prose if mark.search(text)] == []


def test_every_theorem_is_listed_once_with_what_it_assumes() -> None:
    listed = [f"{m}.{name}" for m, names in rocq.headlines().items() for name in names]
    assert len(listed) == len(set(listed)) > 200
    assert set(listed) == set(sources.theorems(ROOT)) == set(rocq.assumptions())
    assert set(rocq.assumptions().values()) == {"no axioms", "axioms of the reals"}
    in_parts = [module for modules in rocq.parts().values() for module in modules]
    assert set(rocq.headlines()) <= set(in_parts)
    assert [module for module in in_parts if not rocq.first_sentence(module)] == []


def test_a_statement_is_what_rocq_prints_of_the_theorem() -> None:
    said = rocq.printed()
    assert set(said) == set(sources.theorems(ROOT))
    assert said["Geometry.center_child_same_base"] == (
        "forall k d : nat,\n"
        "(1 <= d)%nat -> forall (a : nat) (p : list nat), same_point k d (a :: p) p <-> a = k"
    )


def test_a_sentence_of_rocq_becomes_markdown() -> None:
    said = rocq.prose("The best f* of [K^s] in f[0] is `kept`.")
    assert said == r"The best f\* of `K^s` in f\[0\] is `kept`."


def test_a_fold_is_an_idea_with_the_goals_before_and_after() -> None:
    goal = "1 goal\n\n  n : nat\n  ============================\n  n = n -> True"
    after = "1 goal\n\n  n : nat\n  H : n = n\n  ============================\n  True"
    said = [("Lemma a : x.", goal), ("Proof.", ""), ("intros <H>.", after),
            ("exact I.", "No more goals."), ("Qed.", "")]  # fmt: skip
    steps = [{"sentence": sentence, "goals": text} for sentence, text in said]
    with pytest.raises(goals.GoalsError, match="a: no comment at the beginning"):
        goals.to_html("a", steps)
    steps[2]["idea"] = "Suppose [n = n]."
    steps[3]["idea"] = "The rest is trivial."
    statement, first, second = goals.to_html("a", steps).split("<details class='gl-idea'>")
    assert "n : nat" in statement
    assert first.startswith("<summary>Suppose <code>n = n</code>.</summary>")
    assert "n : nat" not in first
    before, _, rest = first.partition("<div>After")
    assert "H : n = n" not in before
    assert rest.index("H : n = n") < rest.index("<summary>1 step</summary>")
    assert "intros &lt;H&gt;." in rest
    assert "This part is proved." in second


def test_the_specification_shows_every_test_of_the_paper_and_every_line() -> None:
    page = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
    sections = [ids.split() for ids in re.findall(r"^```\{specification\} (.+)$", page, re.M)]
    shown = {test.place for ids in sections for test in specification.listed(ids)}
    assert shown == {test.place for test in specification.stated()}
    closing = {11, 12, 15, 16}
    assert {f"alg1-line-{k}" for k in {*range(1, 18)} - closing} <= {
        id for ids in sections for id in ids
    }
    assert all(specification.listed(ids) for ids in sections)
