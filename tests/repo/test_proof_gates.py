"""The gates of proofs/: ways to claim more than is proved, and the gate that stops each.

Nothing here needs Rocq but the last test, which asks its checker about files that cheat.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROOFS = Path(__file__).parents[2] / "proofs"

CHEATS = {
    "a proof is left open": ("Theorem t : False.\nProof.\nAdmitted.\n", "Admitted"),
    "a step is left open": ("Theorem t : False.\nProof.\n  admit.\nAdmitted.\n", "admit"),
    "obligations are left open": ("Admit Obligations.\n", "Admit"),
    "an axiom": ("Local Axiom t : False.\n", "Axiom"),
    "an axiom by another name": ("Parameter t : False.\n", "Parameter"),
    "a conjecture": ("Conjecture t : False.\n", "Conjecture"),
    "an axiom between strings that look like a comment": (
        'Definition a := "(*".\nAxiom t : False.\nDefinition b := "*)".\n',
        "Axiom",
    ),
    "an axiom after a comment that seems to go on": (
        '(* "*)" (* *) *)\nAxiom t : False.\n(* *)\n',
        "Axiom",
    ),
    "a hypothesis of nothing": ("Hypothesis t : False.\n", "Hypothesis outside a section"),
    "a hypothesis after the section": (
        "Section S.\nVariable n : nat.\nEnd S.\nHypotheses t u : False.\n",
        "Hypotheses outside a section",
    ),
    "a variable of nothing": ("#[local]\nVariable t : False.\n", "Variable outside a section"),
    "a context of nothing": ("Global Context (t : False).\n", "Context outside a section"),
    "a declared module": ("Declare Module M : T.\n", "Module"),
    "a parameter of a functor": ("Module F (M : T).\nEnd F.\n", "Module"),
    "recursion without end": ("Unset Guard Checking.\n", "Unset Guard Checking"),
    "types that contain themselves": ("Unset Universe\n  Checking.\n", "Unset Universe Checking"),
    "negative types": ("#[local] Unset Positivity Checking.\n", "Unset Positivity Checking"),
    "a check that is bypassed": (
        "#[bypass_check(guard)]\nFixpoint t (n : nat) : False := t n.\n",
        "bypass_check",
    ),
    "a definition that is not looked at": ("Opaque Nat.add.\n", "Opaque"),
    "a definition that is looked at last": ("#[global] Strategy opaque [Nat.add].\n", "Strategy"),
    "text of another file": ('Load "axioms".\n', "Load"),
    "a plugin": ('Declare ML Module "p".\n', "Declare ML"),
}

HONEST = """(** An Axiom, a Parameter: words of a comment; (* Admitted. *) "Hypothesis *)" too. *)
Section S.
Variable n : nat.
Hypothesis n_pos : 0 < n.
Section T.
Context {A : Type}.
Lemma parameters_of_axiom' : "Axiom (*" = "Axiom (*".
Proof. reflexivity. Qed.
End T.
End S.
"""

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


ABOUT = """Classical_Prop.classic : forall P : Prop, P \\/ ~ P

Classical_Prop.classic is not universe polymorphic
Arguments Classical_Prop.classic P%type_scope
Expands to: Constant Coq.Logic.Classical_Prop.classic
ClassicalDedekindReals.sig_not_dec :
forall P : Prop,
{~ ~ P} + {~ P}

ClassicalDedekindReals.sig_not_dec is not universe polymorphic
Arguments ClassicalDedekindReals.sig_not_dec P%type_scope
Expands to: Constant
Coq.Reals.ClassicalDedekindReals.sig_not_dec
"""

NO_AXIOM_OF_THE_REALS = {
    "the name of an axiom of the library in a file of ours": (
        "Constant Coq.Logic.Classical_Prop.classic",
        "Constant EmbeddedHunter.Classical_Prop.classic",
    ),
    "another axiom of the library": (
        "Constant Coq.Logic.Classical_Prop.classic",
        "Constant Coq.Logic.ClassicalEpsilon.constructive_indefinite_description",
    ),
    "another type": ("P \\/ ~ P", "P"),
    "a stronger type": ("{~ ~ P} + {~ P}", "{P} + {~ P}"),
    "no path": ("Expands to: Constant Coq.Logic.Classical_Prop.classic\n", ""),
    "an axiom without an answer": (ABOUT[ABOUT.index("ClassicalDedekind") :], ""),
}


def axioms(about: str) -> subprocess.CompletedProcess[str]:
    """Run axioms.pl on what Rocq says about two axioms."""
    command = ["perl", str(PROOFS / "axioms.pl"), "2"]
    return subprocess.run(command, input=about, capture_output=True, text=True, check=False)


def words(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run words.pl on a source."""
    (folder / "Cheat.v").write_text(source)
    command = ["perl", str(PROOFS / "words.pl"), "Cheat.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def checked(summary: str) -> subprocess.CompletedProcess[str]:
    """Run checked.pl on what coqchk says."""
    command = ["perl", str(PROOFS / "checked.pl")]
    return subprocess.run(command, input=summary, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_source_that_cheats_is_refused(cheat: str, tmp_path: Path) -> None:
    source, reason = CHEATS[cheat]
    done = words(HONEST + source, tmp_path)
    assert done.returncode == 1
    assert reason in done.stdout


def test_an_honest_source_is_not_refused(tmp_path: Path) -> None:
    done = words(HONEST, tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_sources_are_not_refused() -> None:
    listed = (PROOFS / "_CoqProject").read_text().split()
    sources = [name for name in listed if name.endswith(".v")]
    done = subprocess.run(
        ["perl", "words.pl", *sources], cwd=PROOFS, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert len(sources) > 60


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


@pytest.mark.parametrize("cheat", NO_AXIOM_OF_THE_REALS)
def test_an_axiom_is_known_by_its_path_and_type(cheat: str) -> None:
    old, new = NO_AXIOM_OF_THE_REALS[cheat]
    assert ABOUT.count(old) == 1
    done = axioms(ABOUT.replace(old, new))
    assert done.returncode == 1
    assert done.stdout


def test_axioms_of_the_reals_are_known_by_path_and_type() -> None:
    done = axioms(ABOUT)
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
    "a folder in two places": (
        "model/Aside.v", "", "theory/Lemma1.v", "_CoqProject comes back to the folder model\n",
    ),
}  # fmt: skip
"""A new file, what is in it, the file before which the project lists it, and what the gate says."""


@pytest.mark.parametrize("change", DISORDER)
def test_a_project_in_disorder_is_refused(change: str, tmp_path: Path) -> None:
    file, source, later, said = DISORDER[change]
    copy = tmp_path / "proofs"
    shutil.copytree(PROOFS, copy, ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*", "Check.*"))
    command = ["perl", "check.pl", "--list"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    (copy / file).write_text(source)
    if later:
        project = (copy / "_CoqProject").read_text()
        assert project.count(f"\n{later}\n") == 1
        (copy / "_CoqProject").write_text(project.replace(f"\n{later}\n", f"\n{file}\n{later}\n"))
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, said)


def test_a_theorem_of_no_claim_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "proofs"
    shutil.copytree(PROOFS, copy, ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*", "Check.*"))
    lines = (copy / "headline.txt").read_text().splitlines()
    (number,) = [k for k, line in enumerate(lines) if line.startswith("sweep_expands |")]
    lines[number] = lines[number].replace("| sweep-expands |", "| |")
    (copy / "headline.txt").write_text("\n".join(lines))
    command = ["perl", "check.pl", "--list"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("Sweep.sweep_expands names no claim: ")


def test_the_instances_of_the_hypotheses_are_theorems() -> None:
    table = (PROOFS / "README.md").read_text().split("## Instances of the hypotheses")[1]
    named = set(re.findall(r"`(\w+)`", table.split("\n## ")[0]))
    listed = {line.split(" | ")[0] for line in (PROOFS / "headline.txt").read_text().splitlines()}
    assert len(named) > 10
    assert named <= listed


@pytest.mark.skipif(
    shutil.which("coqc") is None and "EMBEDDED_HUNTER_REQUIRE_ROCQ" not in os.environ,
    reason="coqc is not installed",
)
@pytest.mark.parametrize(
    ("source", "rubric"),
    [
        ("Inductive none : Prop := .\nAxiom t : none.\n", "Axioms"),
        (
            "Unset Guard Checking.\nInductive none : Prop := .\n"
            "Inductive nat : Set := O : nat | S : forall n : nat, nat.\n"
            "Fixpoint t (n : nat) : none := t n.\n",
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
    """A cheat that words.pl would have missed reaches checked.pl by coqchk."""
    (tmp_path / "Cheat.v").write_text(source)
    for command in (
        ["coqc", "-q", "-noinit", "-Q", ".", "Cheats", "Cheat.v"],
        ["coqchk", "-silent", "-o", "-Q", ".", "Cheats", "Cheats.Cheat"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"coqchk: {rubric}: " in checked(done.stderr).stdout
    assert "Cheats.Cheat.t" in done.stderr
