"""What Rocq says that a statement means (`proofs/check.py`): every change of meaning is noticed.

Some files of the proofs, or a small project, are compiled here, some of them with a change.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
NAME = "EmbeddedHunter.small.Small.small"
SMALL = """From Coq Require Import Arith.
Definition far (n : nat) := n + 1.
Notation "'Near' n" := (far n) (at level 10).
Definition near (n : nat) := Near n.
Lemma by_tactics : nat. Proof. exact (near 2). Defined.
Inductive kind := one | two (n : nat) : far n = 2 -> kind.
Record pair := Pair { left : nat; right : left < 9 }.
Lemma opaque : 3 = 3. Proof. reflexivity. Qed.
Fixpoint count (n : nat) : nat := match n with 0 => near 0 | S m => S (count m) end.
Theorem small (k : kind) (p : pair) : left p < 9 /\\ count by_tactics = 4 /\\ opaque = opaque.
Proof. split. exact (right p). split; reflexivity. Qed.
"""

pytestmark = pytest.mark.skipif(
    shutil.which("coqc") is None and "EMBEDDED_HUNTER_REQUIRE_ROCQ" not in os.environ,
    reason="coqc is not installed",
)


Meanings = dict[str, tuple[str, list[str]]]


def meanings(folder: Path, files: dict[str, str], theorem: str) -> Meanings:
    """Compile files in this order; return the meanings of a theorem and of what is behind it."""
    for name in ("check.py", "meanings.ltac2"):
        shutil.copy(PROOFS / name, folder)
    for name, source in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(source, encoding="utf-8")
        subprocess.run(["coqc", "-Q", ".", "EmbeddedHunter", name], cwd=folder, check=True)
    command = ["python3", "check.py", "meanings"]
    done = subprocess.run(command, cwd=folder, input=theorem, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    return parsed(done.stdout)


def parsed(text: str) -> Meanings:
    """Read lines ``name hash : names``."""
    lines = (line.split() for line in text.splitlines() if " : " in f"{line} ")
    return {name: (hash, uses) for name, hash, _, *uses in lines}


def changed(before: Meanings, after: Meanings) -> set[str]:
    return {name for name in before | after if before.get(name) != after.get(name)}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Meanings:
    return meanings(tmp_path_factory.mktemp("small"), {"small/Small.v": SMALL}, NAME)


def test_the_meaning_of_a_statement_is_that_of_all_that_it_names(small: Meanings) -> None:
    short = ["by_tactics", "count", "far", "kind", "left", "near", "opaque", "pair", "small"]
    assert list(small) == [f"Small.{name}" for name in short]
    assert small["Small.near"][1] == small["Small.kind"][1] == ["Small.far"]
    assert small["Small.opaque"][1] == []


CHANGES = {
    "a notation that prints as the theorem": (
        "Theorem", 'Notation "a < b" := True.\nNotation "x = y" := True.\nTheorem', "left small",
    ),
    "a false hypothesis": ("(k : kind) (p", "(_ : False) (k : kind) (p", "small"),
    "a weaker statement": ("left p < 9 /\\", "left p < 10 /\\", "small"),
    "a definition behind a notation": ("n + 1", "n + 1 + 0", "far"),
    "what a notation stands for": ("(far n)", "(far (0 + n))", "near"),
    "a definition by tactics": ("exact (near 2)", "exact (near 1 + 1)", "by_tactics"),
    "a constructor": ("far n = 2", "far n = 3", "kind"),
    "a field": ("left < 9", "left < 8 + 1", "pair left"),
    "a branch": ("S (count m)", "1 + count m", "count"),
}  # fmt: skip
"""A text of `SMALL`, what takes its place, and whose meanings change."""


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_meaning_is_noticed(small: Meanings, tmp_path: Path, change: str) -> None:
    old, new, names = CHANGES[change]
    assert SMALL.count(old) == 1
    proof = "Proof. split. exact (right p). split; reflexivity. Qed."
    source = SMALL.replace(old, new).replace(proof, "Proof. Admitted.")
    after = meanings(tmp_path, {"small/Small.v": source}, NAME)
    assert changed(small, after) == {f"Small.{name}" for name in names.split()}


def test_comments_proofs_and_what_is_not_used_have_no_meaning(
    small: Meanings, tmp_path: Path
) -> None:
    source = f"(* far *) Definition unused := 1.\n{SMALL}".replace("reflexivity", "exact eq_refl")
    source = source.replace("Inductive", "Global Opaque near.\nInductive")  # hides it from tactics
    assert meanings(tmp_path, {"small/Small.v": source}, NAME) == small
