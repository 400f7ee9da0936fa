"""The gates of proofs/: ways to claim more than is proved, and the gate that stops each.

Nothing here needs Rocq but the last test, which asks its checker about files that cheat.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from reproduction.claims import references

PROOFS = Path(__file__).parents[2] / "proofs"
FILES_OF_MUTANTS = (("", "txt"), ("text_", "txt"), ("text_", "md"))

SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
    Coq.Reals.ClassicalDedekindReals.sig_not_dec
    Coq.Reals.ClassicalDedekindReals.sig_forall_dec
    Coq.Logic.Classical_Prop.classic

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>

"""

CHECKED = {
    "an axiom of ours": ("    Coq.Logic.Cl", "    EmbeddedHunter.Model.t\n    Coq.Logic.Cl"),
    "an axiom with a name that is allowed elsewhere": (
        "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
        "EmbeddedHunter.ClassicalDedekindReals.sig_not_dec",
    ),
    "another axiom of the library": ("Classical_Prop.classic", "Epsilon.epsilon_statement"),
    "fewer axioms than are known": ("    Coq.Logic.Classical_Prop.classic\n", ""),
    "impredicative sets": ("Set is predicative", "Set is impredicative"),
    "type-in-type": ("type-in-type: <none>", "type-in-type:\n    EmbeddedHunter.Model.t"),
    "recursion without end": ("fixpoints: <none>", "fixpoints:\n    EmbeddedHunter.Model.t"),
    "negative types": ("assumed: <none>", "assumed:\n    EmbeddedHunter.Model.t"),
    "no summary": (SUMMARY, ""),
}


def checked(summary: str) -> subprocess.CompletedProcess[str]:
    """Run check.py on what coqchk says."""
    command = ["python3", str(PROOFS / "check.py"), "checker"]
    return subprocess.run(command, input=summary, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("cheat", CHECKED)
def test_what_the_checker_finds_is_refused(cheat: str) -> None:
    old, new = CHECKED[cheat]
    assert SUMMARY.count(old) == 1
    done = checked(SUMMARY.replace(old, new))
    assert done.returncode == 1
    assert done.stdout.startswith("coqchk: ")


def test_the_axioms_of_the_reals_are_not_refused() -> None:
    done = checked(SUMMARY)
    assert (done.returncode, done.stdout) == (0, "")


DISORDER = {
    "a file outside the project": (
        "model/Aside.v", "Axiom t : False.\n", "", "model/Aside.v is not in _CoqProject\n",
    ),
    "a file outside the folders": (
        "Aside.v", "Axiom t : False.\n", "model/Model.v", "Aside.v is not in _CoqProject\n",
    ),
    "two files of one base name": (
        "theory/Model.v", "", "theory/Lemma1.v",
        "theory/Model.v: model/Model.v has the same base name\n",
    ),
    "a file before one that it requires": (
        "model/Aside.v", "From EmbeddedHunter Require Import\n  Lattice Lemma1.\n", "model/Model.v",
        "model/Aside.v requires Lemma1, which _CoqProject lists later or not at all\n",
    ),
    "a file that make prefers to Makefile": (
        "GNUmakefile", "all:\n", "", "GNUmakefile is not in FILES of check.py\n",
    ),
    "a folder in two places": (
        "model/Aside.v", "", "theory/Lemma1.v", "_CoqProject comes back to the folder model\n",
    ),
}  # fmt: skip
"""A new file, what is in it, the file before which the project lists it, and what the gate says."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the sources of the proofs."""
    ignored = shutil.ignore_patterns("*.vo*", "*.glob", ".*", "Check.*")
    return Path(shutil.copytree(PROOFS, tmp_path / "proofs", ignore=ignored))


def listed(proofs: Path) -> tuple[int, str]:
    """Run the gate that needs no Rocq: its exit code, and what it says."""
    command = ["python3", "check.py", "list"]
    done = subprocess.run(command, cwd=proofs, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_project_in_order_is_not_refused(copy: Path) -> None:
    assert listed(copy) == (0, "")


@pytest.mark.parametrize("change", DISORDER)
def test_a_project_in_disorder_is_refused(change: str, copy: Path) -> None:
    file, source, later, said = DISORDER[change]
    (copy / file).write_text(source)
    if later:
        project = (copy / "_CoqProject").read_text()
        assert project.count(f"\n{later}\n") == 1
        (copy / "_CoqProject").write_text(project.replace(f"\n{later}\n", f"\n{file}\n{later}\n"))
    assert listed(copy) == (1, said)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_text_that_is_not_the_one_that_python_runs_is_refused(copy: Path) -> None:
    source = copy.parent / "src" / "embedded_hunter"
    source.mkdir(parents=True)
    for name in ("node", "tree", "hunter"):
        shutil.copy(PROOFS.parent / "src" / "embedded_hunter" / f"{name}.py", source)
    command = ["make", "-f", "Makefile", "list"]
    assert subprocess.run(command, cwd=copy, capture_output=True).returncode == 0
    node = source / "node.py"
    text = node.read_text(encoding="utf-8")
    node.write_text(text.replace("def ", "def other_", 1), encoding="utf-8")
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode != 0
    assert "SearchText.v is not the text of src/embedded_hunter" in done.stdout
    node.write_text(text + "\nx = 1.5\n", encoding="utf-8")  # has no term
    assert subprocess.run(command, cwd=copy, capture_output=True).returncode != 0


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ("", "Sweep.sweep_expands names no claim in the comment before it, "),
        (
            "Claim [eq-1].",
            "statements.txt differs from the comments in the sources: ",
        ),
    ],
)
def test_a_theorem_of_no_claim_or_another_is_refused(copy: Path, ids: str, said: str) -> None:
    file = copy / "model" / "Sweep.v"
    file.write_text(file.read_text().replace("Claims [sweep-expands] [sentence-after-eq-7].", ids))
    status, found = listed(copy)
    assert (status, found[: len(said)]) == (1, said)


def test_the_mutants_are_counted() -> None:
    """Of the model, of the model of the forest, and of the Python text."""
    readme, models, text, table = (
        (PROOFS / name).read_text(encoding="utf-8")
        for name in ("README.md", *(f"mutation/{x}mutants.{y}" for x, y in FILES_OF_MUTANTS))
    )
    files = re.findall(r"^\[.*\] (\S+)$", models, re.MULTILINE)
    of_forest, of_text = files.count("Forest.v"), len(re.findall(r"^\[", text, re.MULTILINE))
    counted = [int(n) for n in re.findall(r"\((\d+) mutants", readme)]
    assert counted == [len(files) - of_forest, of_forest, of_text]
    shown, page = len(table.splitlines()) - 2, PROOFS.parent / "docs" / "proofs" / "python-text.md"
    assert f"of {shown} so far" in readme
    assert f"{shown} of {of_text} changes" in page.read_text(encoding="utf-8")


def test_the_instances_of_the_hypotheses_are_theorems() -> None:
    table = (PROOFS / "README.md").read_text().split("## Instances of the hypotheses")[1]
    named = set(re.findall(r"`(\w+)`", table.split("\n## ")[0]))
    listed = {name.split(".")[1] for name in references.theorems(PROOFS.parent)}
    assert len(named) > 10
    assert named <= listed


@pytest.mark.skipif(
    shutil.which("coqc") is None and "EMBEDDED_HUNTER_REQUIRE_ROCQ" not in os.environ,
    reason="coqc is not installed",
)
@pytest.mark.parametrize(
    ("source", "rubric"),
    [
        *(
            (f"Inductive none : Prop := .\n{cheat}\n", "Axioms")
            for cheat in (
                "Axiom t : none.",
                'Definition a : Set. Admitted. (* "*)" (* *) *) Axiom t : none. (* *)',
            )
        ),
        (
            "Inductive none : Prop := .\n"
            "Inductive nat : Set := O : nat | S : forall n : nat, nat.\n"
            "#[bypass_check(guard)] Fixpoint t (n : nat) : none := t n.\n",
            "Constants/Inductives relying on unsafe (co)fixpoints",
        ),
        (
            "Unset Positivity Checking.\n"
            "Inductive t : Prop := fold : forall f : (forall x : t, t), t.\n",
            "Inductives whose positivity is assumed",
        ),
        (
            "Unset Universe Checking.\nDefinition t : Set := Type.\n",
            "Constants/Inductives relying on type-in-type",
        ),
    ],
)
def test_the_checker_tells_what_a_file_rests_on(source: str, rubric: str, tmp_path: Path) -> None:
    """Whatever is assumed, and whichever check is turned off, reaches check.py by coqchk."""
    (tmp_path / "Cheat.v").write_text(source)
    for command in (
        ["coqc", "-q", "-noinit", "-Q", ".", "Cheats", "Cheat.v"],
        ["coqchk", "-silent", "-o", "-Q", ".", "Cheats", "Cheats.Cheat"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"coqchk: {rubric}: " in checked(done.stderr).stdout
    assert "Cheats.Cheat.t" in done.stderr
