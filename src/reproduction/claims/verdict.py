"""The rules that turn evidence into verdicts.

The registry determines the verdict of a claim if its evidence is complete (`registry.Claim.rule`):

- ``proved``: every Rocq theorem of `proof` is in the built proofs, carries the id of the claim and
  assumes at most the axioms of Rocq's real numbers;
- ``tested``: every test that carries the id passed;
- ``implemented``: every test that carries the id passed, and the claim is a definition or an
  instruction, which is neither true nor false;
- ``not decided``: no experiment here decides the claim; every test that carries the id passed;
- ``refuted``: every counterexample to the printed form passed (a test) or is in the built proofs
  (a theorem), and carries the id of the claim;
- ``corrected``: the same, and the theorems that prove the correction are in the built proofs;
- ``corrected (tested)``: as ``refuted``, and the tests of the correction passed; no theorem states
  the correction.

A theorem is about Rocq's objects, also where one of them is the text of `hunter`, `tree` and `node`
(claim ``python-text``). So a claim with theorems that names Python objects also requires tests of
these objects: at least one test that carries the id, and a test in ``tests/differential``
(which compares the program with the model) if an object belongs to `registry.MODELLED`.

Otherwise the verdict is one of these:

- ``failing``: a test that carries the id failed, or a theorem assumes more than the axioms of the
  reals;
- ``unchecked``: evidence that the rule requires is missing, or was obtained for other code, or it
  depends on a claim that is unchecked or failing;
- ``open``: no test has been written for a claim about experiments.

Every test that carries the id must have passed, and every theorem that carries it must be in the
built proofs, whatever the rule; a skipped test counts as missing. Tests marked ``slow`` are no part
of the report of ``pytest --long``. So less evidence never gives a better verdict. That a test or a
theorem no longer exists, or says something else, is seen in the diff of the tests and of
``proofs/statements.txt`` and ``proofs/meanings.txt``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Literal

from reproduction.claims import references
from reproduction.claims.evidence import SuiteReport, Theorems, read_report, read_theorems
from reproduction.claims.registry import DIFFERENTIAL, Claim, load

State = Literal["there", "failed", "missing"]
VERDICTS = (
    "proved", "tested", "implemented", "refuted", "corrected", "corrected (tested)",
    "not decided", "open", "unchecked", "failing",
)  # fmt: skip

NOT_CHECKED = ("unchecked", "failing")
BAD = ("open", *NOT_CHECKED)
"""The verdicts that no claim may have in a release."""


@dataclass(frozen=True)
class ClaimVerdict:
    """A claim with its verdict and its evidence."""

    claim: Claim
    verdict: str
    tests: Mapping[str, State]
    """The tests that carry the id, by node id."""
    theorems: Mapping[str, State]
    """The theorems that carry the id, as ``File.theorem``."""
    commits: tuple[str, ...]
    """The commits at which the evidence was obtained."""
    waits_for: tuple[str, ...] = ()
    """The claims on which it depends that are unchecked or failing."""
    run_here: bool = True
    """Whether the verdict is computed from the evidence of the checkout (see `shown`)."""

    def as_dict(self) -> dict[str, Any]:
        """Return the claim with its verdict as a dictionary for JSON."""
        own = {name: value for name, value in vars(self).items() if name != "claim"}
        return {**vars(self.claim), "rule": self.claim.rule, **own}


def rows(root: Path) -> list[ClaimVerdict]:
    """Return every claim of a checkout with its verdict, in the order of the registry."""
    theorems = references.theorems(root)
    return waiting(judge(load(root), theorems, read_report(root), read_theorems(root)))


def shown(table: Sequence[ClaimVerdict]) -> list[ClaimVerdict]:
    """Return what readers are shown of all claims: their verdicts, or those of the release.

    Where no claim is checked, each has the verdict that it has with complete evidence.
    """
    if any(row.verdict not in ("open", "unchecked") for row in table):
        return list(table)
    return [
        replace(row, verdict=row.claim.rule, commits=(), waits_for=(), run_here=False)
        for row in table
    ]


def waiting(table: Iterable[ClaimVerdict]) -> list[ClaimVerdict]:
    """Return claims with their verdicts, ``unchecked`` if one depends on one that is not checked.

    A claim that is failing is not checked, either.
    """
    found = {row.claim.id: row for row in table}
    depends = {id: row.claim.depends for id, row in found.items()}
    for id in TopologicalSorter(depends).static_order():
        row = found[id]
        bad = tuple(other for other in depends[id] if found[other].verdict in NOT_CHECKED)
        if bad and row.verdict != "failing":
            found[id] = replace(row, verdict="unchecked", waits_for=bad)
    return list(found.values())


def judge(
    claims: Mapping[str, Claim],
    theorems: Mapping[str, Sequence[str]],
    tests: SuiteReport,
    proved: Theorems,
) -> list[ClaimVerdict]:
    """Return every claim with its verdict.

    Parameters
    ----------
    claims
        The registry.
    theorems
        The ids of every theorem (`references.theorems`).
    tests, proved
        The evidence.
    """
    found = []
    for claim in claims.values():
        of_tests = {
            test: _state_of_test(tests.outcomes[test])
            for test, ids in sorted(tests.claims.items())
            if claim.id in ids
        }
        of_theorems: dict[str, State] = {
            name: _state_of_theorem(name, proved)
            for name, ids in theorems.items()
            if claim.id in ids
        }
        commits = {tests.commit} if of_tests else set()
        commits |= {proved.commit for name in of_theorems if name in proved.assumptions}
        word = verdict(claim, of_tests, of_theorems, reported=bool(tests.commit))
        found.append(ClaimVerdict(claim, word, of_tests, of_theorems, tuple(sorted(commits))))
    return found


def verdict(
    claim: Claim, tests: Mapping[str, State], theorems: Mapping[str, State], *, reported: bool
) -> str:
    """Return the verdict of a claim.

    Parameters
    ----------
    claim
        The claim.
    tests, theorems
        The states of the tests and theorems that carry its id.
    reported
        Whether there is a report, so that `tests` is complete.
    """
    if "failed" in tests.values() or "failed" in theorems.values():
        return "failing"
    if claim.kind == "empirical" and claim.rule == "tested" and reported and not tests:
        return "open"
    refuting = [test for test in tests if function(test) in claim.refuting_tests]
    supporting = [test for test in tests if test not in refuting]
    decisive = [reported, all(state == "there" for state in tests.values())]
    decisive += [theorems.get(name) == "there" for name in {*claim.theorems, *theorems}]
    decisive += [name in functions(refuting) for name in claim.refuting_tests]
    if claim.rule in ("tested", "implemented", "corrected (tested)", "not decided"):
        decisive.append(bool(supporting))
    if claim.proof and claim.python:
        decisive.append(bool(supporting))
        if claim.modelled:
            decisive.append(any(test.startswith(DIFFERENTIAL) for test in supporting))
    return claim.rule if all(decisive) else "unchecked"


def function(test: str) -> str:
    """Return the part ``file::function`` of a pytest node id."""
    return test.partition("[")[0]


def functions(tests: Iterable[str]) -> list[str]:
    """Return the test functions of some node ids in their order, each once."""
    return list(dict.fromkeys(function(test) for test in tests))


def _state_of_test(outcome: str) -> State:
    states: dict[str, State] = {"passed": "there", "failed": "failed"}
    return states.get(outcome, "missing")


def _state_of_theorem(name: str, proved: Theorems) -> State:
    if name not in proved.assumptions:
        return "missing"
    return "there" if proved.allowed(name) else "failed"
