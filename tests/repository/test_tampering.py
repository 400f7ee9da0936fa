"""A verdict never improves when evidence is taken away, for any claim of the project.

The evidence is granted as if every test had passed and every theorem had been built. Then parts of
it are made to fail, or are taken away. What a theorem says is not judged here: its statement and
its meaning are in `proofs/statements.txt` and `proofs/meanings.txt`, where a diff shows a change.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.claims import references, registry
from reproduction.claims.evidence import SuiteReport, Theorems
from reproduction.claims.verdict import BAD, judge, waiting

ROOT = Path(__file__).parents[2]
CLAIMS = registry.load(ROOT)
THEOREMS = references.theorems(ROOT)
COMPARED, OTHER = "tests/differential/test_implementations.py::test_it", "tests/test_a.py::test_it"
TESTS = {
    f"{test}[{id} {k}]": [id]
    for id, claim in CLAIMS.items()
    for test in (*claim.refuting_tests, COMPARED, OTHER)
    for k in range(2)
}
"""Of each claim two cases of each counterexample and of two other tests."""


class Evidence(NamedTuple):
    """Parts of the evidence, by name, that fail or are missing; all other parts are good.

    A missing test was skipped; one that the report does not contain was not written.
    """

    failed: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    reported: bool = True
    """Whether there is a report of this code."""


def without(name: str, kind: str) -> Evidence:
    """Return all evidence except one part, which failed or is missing."""
    return Evidence(**{kind: frozenset({name})})  # type: ignore[arg-type]


def verdicts(evidence: Evidence) -> dict[str, str]:
    """Return the verdict of each claim."""
    outcomes = {
        test: "failed" if test in evidence.failed
        else "skipped" if test in evidence.missing
        else "passed"
        for test in TESTS
    }  # fmt: skip
    tests = SuiteReport("commit", TESTS, outcomes) if evidence.reported else SuiteReport()
    built = {
        name: frozenset({"wishful"} if name in evidence.failed else ())
        for name in THEOREMS
        if name not in evidence.missing
    }
    rows = waiting(judge(CLAIMS, THEOREMS, tests, Theorems("commit", built)))
    return {row.claim.id: row.verdict for row in rows}


def test_with_all_evidence_each_claim_has_its_verdict() -> None:
    assert verdicts(Evidence()) == {id: claim.rule for id, claim in CLAIMS.items()}


PARTS = st.frozensets(st.sampled_from([*TESTS, *THEOREMS]), max_size=40)


@pytest.mark.long
@given(failed=PARTS, missing=PARTS, more=PARTS, reported=st.booleans())
def test_less_evidence_gives_no_better_verdict(
    failed: frozenset[str], missing: frozenset[str], more: frozenset[str], reported: bool
) -> None:
    """A claim that is failing, open or unchecked stays so, and no claim gets another good one."""
    before = verdicts(Evidence(failed, missing - failed))
    after = verdicts(Evidence(failed - more, missing | more, reported))
    for id, verdict in after.items():
        assert verdict in BAD or verdict == before[id] == CLAIMS[id].rule
