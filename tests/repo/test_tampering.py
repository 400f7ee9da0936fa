"""Ways to keep a verdict that is no longer deserved; the verdict must notice each of them.

A copy of the tree is changed. The tests and the proofs are then granted: the verdict is computed as
if each test had passed and each theorem had been built with the changed files. So a change is found
by what was read of it, not because something would have to run again. Changes of the package itself
are not among these: the tests run again after them. What becomes of tests that are skipped, fail or
are gone, and of axioms, is specified in `test_claims_verdict` and `test_claims_review`.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reproduction.claims import references, registry, review
from reproduction.claims.evidence import Code, Suite, Theorems
from reproduction.claims.texts import CHECKS, HYPOTHESES, MEANINGS, STATEMENTS
from reproduction.claims.verdict import BAD, as_read, judge, waiting

ROOT = Path(__file__).parents[2]
CODE = Code("commit", "sources", "proofs")
Collected = dict[str, list[str]]
COPIED = ("docs/claims.toml", HYPOTHESES, "proofs", "tests", *CHECKS)
IGNORED = shutil.ignore_patterns("__pycache__", "*.vo*", "*.glob", "*.aux")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the tree and read all claims, so that only the tampering is new."""
    root = tmp_path_factory.mktemp("copy")
    for path in (path for pattern in COPIED for path in ROOT.glob(pattern)):
        new = root / path.relative_to(ROOT)
        new.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, new, ignore=IGNORED)
        elif not new.exists():
            shutil.copy(path, new)
    now = review.Present(root, granted(root))
    read = {id: now.of(id, "commit") for id in now.texts.claims}
    review.write(root, review.Reviews(read, ("commit", now.checks)))
    return root


def granted(root: Path) -> Collected:
    """Return tests of each claim: its counterexamples and some in two other files."""
    found: Collected = {}
    for id, claim in registry.load(root).items():
        others = [f"{DIFFERENTIAL}::test_it", f"{LEMMA_1}::test_it"]
        for test in (*claim.refuting_tests, *others):
            for k in range(2):
                found[f"{test}[{id} {k}]"] = [id]
    return found


def verdicts(root: Path) -> dict[str, tuple[str, str]]:
    """Return the verdict and the rule of each claim if its evidence is granted."""
    claims, theorems, collected = registry.load(root), references.theorems(root), granted(ROOT)
    tests = Suite()
    tests.collect(CODE, collected)
    tests.record(CODE, dict.fromkeys(collected, "passed"))
    built = Theorems(CODE.proofs, CODE.commit, dict.fromkeys(theorems, frozenset[str]()))
    problems = review.Present(root, collected).problems(review.read(root))
    rows = waiting(as_read(judge(claims, theorems, tests, built, CODE), problems))
    return {row.claim.id: (row.verdict, row.claim.rule) for row in rows}


def test_without_tampering_each_claim_has_its_verdict(copy: Path) -> None:
    assert [id for id, (verdict, rule) in verdicts(copy).items() if verdict != rule] == []


LEMMA_1 = "tests/examples/test_printed_lemma_1.py"
DIFFERENTIAL = "tests/conformance/test_differential.py"
AGAINST = "test_the_printed_lemma_1_is_false"
ENTRY = r'(?s)(id = "{}"\n.*?)'
T2 = "CorrectedTheorem2.theorem_2_is_true_with_h_max_plus_1"
BLOCK = rf"(?s)(?<=\n){re.escape(T2)}\n(.*?)\n\n"
TAMPERINGS = {
    # The claim.
    "weaken its correction": (
        "theorem-2", "docs/claims.toml", "(?s)" + "The theorem holds with h_max",
        "The theorem holds with 2 h_max",
    ),
    "cite fewer theorems": ("theorem-2", "docs/claims.toml", f'  "{T2}",\n', ""),
    "drop the counterexample": (
        "eq-7", "docs/claims.toml",
        ENTRY.format("eq-7") + r"correction = .*?counterexample = .*?\n", r"\1",
    ),
    "refute by another test": (
        "lemma-1", "docs/claims.toml", f"{LEMMA_1}::{AGAINST}",
        "tests/examples/test_optimal_node.py::test_it",
    ),
    # The theorem.
    "weaken a theorem": ("theorem-2", STATEMENTS, BLOCK, f"{T2}\n     : True\n\n"),
    "delete a theorem's statement": ("theorem-2", STATEMENTS, BLOCK, ""),
    "say other hypotheses in prose": (
        "theorem-2", HYPOTHESES, rf"(?s)({re.escape(T2)}.*?\n\| 1 \| )[^|]*", r"\1nothing ",
    ),
    "take the id from a theorem": (
        "center-child", "proofs/headline.txt",
        r"(center_child_same_base \| Geometry \|) center-child", r"\1 eq-1",
    ),
    # Its meaning, as `make update` writes it after a change (test_meanings.py makes such changes).
    "mean something else": ("theorem-2", MEANINGS, rf"(?m)^{re.escape(T2)} ", r"\g<0>0"),
    "prove nothing of the model": (
        "budget-exact", MEANINGS, r"(?m)^SpecIsModel\.hunt_is_algorithm_1 ", r"\g<0>0",
    ),
    "prove nothing of the program": (
        "sweep-expands", MEANINGS, r"(?m)^ProgramIsModel\.the_program_is_the_model ", r"\g<0>0",
    ),
    "change a theorem that a claim does not cite": (
        "norms-of-depth", MEANINGS, r"(?m)^NormIsEuclidean\.equal_integers\w+ ", r"\g<0>0",
    ),
    "change what a command of the listing means": (
        "one-run", MEANINGS, r"(?m)^Commands\.for_each ", r"\g<0>0",
    ),
    "change what ends with Defined": (
        "fresh-ceiling", MEANINGS, r"(?m)^Expectation\.finite_expectation ", r"\g<0>0",
    ),
    # The test.
    "return before the assertions": (
        "lemma-1", LEMMA_1, rf"(?m)^def {AGAINST}\(\) -> None:\n", r"\g<0>    return\n",
    ),
    "weaken a helper in another file": (
        "lemma-1", "tests/attacks/runs.py", r"(?m)^def expansion\(.*:\n",
        r"\g<0>    return None\n",
    ),
    "replace the model": (
        "budget-exact", "tests/conformance/oracle.py", r"(?m)^def run\(", "def run_as_told(",
    ),
    "deselect by a hook": (
        "lemma-1", "tests/conftest.py", r"(?m)^def pytest_collection_modifyitems\(.*:\n",
        r"\g<0>    del items[:]\n",
    ),
    "extract another model": (
        "budget-exact", "tests/conformance/Extract.v", r"\Z", "\nDefinition hunt := 0.\n",
    ),
    # The checks.
    "pass every test by a conftest.py of the root": (
        "lemma-1", "conftest.py", r"\A",
        "def pytest_runtest_logreport(report):\n    report.outcome = 'passed'\n",
    ),
    "deselect by the settings of pytest": ("lemma-1", "pytest.ini", r"\A", "[pytest]\n"),
    "let CI only show the claims": ("lemma-1", ".ci/run", "claims --check", "claims"),
    "allow an axiom": ("lemma-1", "proofs/check.py", r"\Z", "# more\n"),
    "judge by other rules": (
        "lemma-1", "src/reproduction/claims/verdict.py", r"all\(decisive\)", "True",
    ),
    # The review.
    "drop a claim from the reviews": ("lemma-1", review.PATH, r"(?m)^lemma-1 = .*\n", ""),
    "store another hash": (
        "lemma-1", review.PATH, r"(?m)^(lemma-1 = .*) \w+ (\d+)", r"\1 0 \2",
    ),
}  # fmt: skip


@pytest.fixture
def untouched(copy: Path) -> Iterator[Path]:
    """Give the copy and restore its files after the test."""
    names = {file for _, file, _, _ in TAMPERINGS.values()}
    before = {name: text_of(copy / name) for name in names}
    yield copy
    for name, text in before.items():
        if text:
            (copy / name).write_text(text, encoding="utf-8")
        else:
            (copy / name).unlink(missing_ok=True)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_change_of_the_tree_is_noticed(untouched: Path, name: str) -> None:
    id, file, pattern, replacement = TAMPERINGS[name]
    path = untouched / file
    before = text_of(path)
    after = re.sub(pattern, replacement, before, count=1)
    assert after != before, "the tampering no longer applies"
    path.write_text(after, encoding="utf-8")
    assert verdicts(untouched)[id][0] in BAD
