"""From evidence to verdicts.

The registry fixes which verdict a claim gets when its evidence is there (`registry.Claim.rule`):

- ``proved``: every Rocq theorem of `proof` is in the built proofs and assumes at most the axioms
  of Rocq's real numbers;
- ``tested``: every test that carries the id passed;
- ``implemented``: the same, for a definition or an instruction, which is neither true nor false;
- ``refuted``: every counterexample to the printed form passed (a theorem: is in the built proofs);
- ``corrected``: so did the counterexamples, and the theorems that prove the correction are there;
- ``corrected (tested)``: so did the counterexamples, and the tests of the correction passed; no
  theorem says the correction.

Otherwise it gets one of these:

- ``failing``: some test that carries the id failed, or a theorem assumes what it must not;
- ``unchecked``: evidence that the rule asks for is missing, or was obtained for other code;
- ``open``: a claim about experiments for which no test has been written.

Evidence that the rule does not ask for (the tests of a theorem that is proved) never raises a
verdict; when it fails, the claim is ``failing``. A test that was skipped is missing. Tests marked
``slow`` are missing only for a claim that has no others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from embedded_hunter.claims import references as sources
from embedded_hunter.claims.evidence import (
    Code,
    Suite,
    Theorems,
    code_of,
    read_tests,
    read_theorems,
)
from embedded_hunter.claims.registry import Claim, load

State = Literal["there", "failed", "missing"]
SLOW = "(slow)"
"""Stands among the claims of a test that is marked slow."""
VERDICTS = (
    "proved", "tested", "implemented", "refuted", "corrected", "corrected (tested)", "open",
    "unchecked", "failing",
)  # fmt: skip

BAD = ("open", "unchecked", "failing")
"""The verdicts that no claim may have in a release."""


@dataclass(frozen=True)
class ClaimVerdict:
    """A claim and what became of it."""

    claim: Claim
    verdict: str
    tests: Mapping[str, State]
    """The tests that carry the id, by node id."""
    theorems: Mapping[str, State]
    """The theorems that carry the id, as ``File.theorem``."""
    commits: tuple[str, ...]
    """The commits of the evidence that is there; of one that is missing, of its last check."""
    shipped: str = ""
    """The commit of the shipped evidence that the verdict rests on; empty if it rests on own."""
    stale: bool = False
    """Whether that evidence was obtained for other code (see `shipped`)."""

    def as_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        claim = self.claim
        return {
            "id": claim.id,
            "place": claim.place,
            "kind": claim.kind,
            "statement": claim.statement,
            "correction": claim.correction,
            "rule": claim.rule,
            "verdict": self.verdict,
            "depends": list(claim.depends),
            "python": list(claim.python),
            "proof": list(claim.proof),
            "counterexample": list(claim.counterexample),
            "tests": dict(self.tests),
            "theorems": dict(self.theorems),
            "commits": list(self.commits),
            "shipped": self.shipped,
            "stale": self.stale,
        }


def rows(root: Path) -> list[ClaimVerdict]:
    """Return every claim of a checkout with its verdict, in the order of the registry."""
    claims, theorems = load(root), sources.theorems(root)
    return judge(claims, theorems, read_tests(root), read_theorems(root), code_of(root))


def judge(
    claims: Mapping[str, Claim],
    theorems: Mapping[str, Sequence[str]],
    tests: Suite,
    proved: Theorems,
    code: Code,
) -> list[ClaimVerdict]:
    """Return every claim with its verdict.

    Parameters
    ----------
    claims
        The registry.
    theorems
        Every theorem of the proofs, with the ids that it carries (`sources.theorems`).
    tests, proved
        The evidence.
    code
        The code that the verdicts are about.
    """
    known = tests.collected_at == code.sources
    found = []
    for claim in claims.values():
        carrying = sorted(
            test
            for test, ids in tests.collected.items()
            if claim.id in ids or function(test) in claim.refuting_tests
        )
        of_tests = {test: _state_of_test(test, tests, code) for test in carrying}
        slow = {test for test in carrying if SLOW in tests.collected[test]}
        named = (*claim.proof, *claim.refuting_theorems)
        of_theorems: dict[str, State] = {
            name: _state_of_theorem(name, proved, code)
            for name, ids in theorems.items()
            if claim.id in ids or name in named
        }
        commits = {tests.outcomes[test]["commit"] for test in carrying if test in tests.outcomes}
        commits |= {proved.commit for name in of_theorems if name in proved.assumptions}
        word = verdict(claim, of_tests, slow, of_theorems, collected=known)
        found.append(ClaimVerdict(claim, word, of_tests, of_theorems, tuple(sorted(commits))))
    return found


def verdict(
    claim: Claim,
    tests: Mapping[str, State],
    slow: set[str],
    theorems: Mapping[str, State],
    *,
    collected: bool,
) -> str:
    """Return the verdict of a claim.

    Parameters
    ----------
    claim
        The claim.
    tests, theorems
        The state of its tests and theorems: those that carry its id, or that it names.
    slow
        Those of the tests that are marked slow.
    collected
        Whether `tests` are known to be all that there are.
    """
    if "failed" in tests.values() or "failed" in theorems.values():
        return "failing"
    if claim.kind == "empirical" and claim.rule == "tested" and collected and not tests:
        return "open"
    refuting = [test for test in tests if function(test) in claim.refuting_tests]
    supporting = [test for test in tests if test not in refuting]
    decisive = [collected or not _asks_for_tests(claim)]
    decisive += [theorems.get(name) == "there" for name in (*claim.proof, *claim.refuting_theorems)]
    decisive += [_passed([t for t in refuting if function(t) == name], tests, slow)
                 for name in claim.refuting_tests]  # fmt: skip
    if claim.rule in ("tested", "implemented", "corrected (tested)"):
        decisive.append(_passed(supporting, tests, slow))
    return claim.rule if all(decisive) else "unchecked"


def _asks_for_tests(claim: Claim) -> bool:
    return bool(claim.refuting_tests) or claim.rule in (
        "tested",
        "implemented",
        "corrected (tested)",
    )


def _passed(needed: Sequence[str], states: Mapping[str, State], slow: set[str]) -> bool:
    """Tell whether there are such tests and they passed: slow ones only if there are no others."""
    counted = [test for test in needed if test not in slow] or needed
    return bool(counted) and all(states[test] == "there" for test in counted)


def function(test: str) -> str:
    """Return ``file::function`` of a node id."""
    return test.partition("[")[0]


def functions(tests: Iterable[str]) -> list[str]:
    """Return the test functions of some node ids, each once, in order."""
    return list(dict.fromkeys(function(test) for test in tests))


def _state_of_test(test: str, tests: Suite, code: Code) -> State:
    record = tests.outcomes.get(test)
    if record is None or record["sources"] != code.sources:
        return "missing"
    states: dict[str, State] = {"passed": "there", "failed": "failed"}
    return states.get(record["outcome"], "missing")


def _state_of_theorem(name: str, proved: Theorems, code: Code) -> State:
    if proved.sources != code.proofs or name not in proved.assumptions:
        return "missing"
    return "there" if proved.allowed(name) else "failed"
