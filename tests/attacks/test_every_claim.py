"""Each claim has an attack or a reason why not, and each attack a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from attacks import __main__, report
from attacks.every import attacks
from attacks.reasons import REASONS
from attacks.search import NIGHTLY, Attack, Outcome, lines_of, search
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
CLAIMS = registry.load(ROOT)
ATTACKS = attacks()
ATTACKED = {id for this in ATTACKS for id in this.claims}


def test_each_claim_has_an_attack_or_a_reason() -> None:
    assert set(CLAIMS) == ATTACKED | set(REASONS)
    assert set() == ATTACKED & set(REASONS)


def test_each_attack_has_its_name_and_says_its_sentence() -> None:
    names = [this.name for this in ATTACKS]
    assert len(names) == len(set(names))
    assert all(this.sentence.endswith(".") and len(this.sentence) > 20 for this in ATTACKS)


def test_a_false_sentence_that_is_attacked_belongs_to_a_claim() -> None:
    """A claim that is corrected is attacked in its corrected form too."""
    for this in ATTACKS:
        for id in this.claims if this.printed else ():
            held = [other for other in ATTACKS if id in other.claims and not other.printed]
            assert held, id


@pytest.mark.parametrize("id", [c.id for c in CLAIMS.values() if c.correction])
def test_the_printed_form_of_a_corrected_claim_is_attacked(id: str) -> None:
    if id not in REASONS:
        assert any(this.printed for this in ATTACKS if id in this.claims)


@pytest.mark.slow
@pytest.mark.parametrize("this", ATTACKS, ids=lambda this: this.name)
def test_nightly(this: Attack) -> None:
    """With other seeds than the tests: `NIGHTLY` instances."""
    outcome = search(this.predicate, NIGHTLY, seed=1)
    assert (outcome.counterexample is not None) == this.printed, "\n".join(lines_of(this, outcome))


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "attacks", *arguments]
    return subprocess.run(
        command, cwd=ROOT / "tests", capture_output=True, text=True, check=False, timeout=300
    )


def test_the_program_prints_a_shrunk_counterexample_and_ends_with_0() -> None:
    found = program("eq-3", "--examples", "500")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "counterexample, after" in found.stdout
    assert "no counterexample in 500 instances" in found.stdout
    assert "3 attacks, 0 not as the claims say" in found.stdout


def test_the_program_ends_with_2_if_there_are_too_few_instances() -> None:
    """Instance 554 refutes the printed Theorem 2."""
    found = program("theorem-2", "--examples", "1", "--only", "printed_theorem_2")
    assert found.returncode == 2
    assert "TOO FEW INSTANCES: 554 instances refuted this sentence before" in found.stdout
    assert "1 attack, 0 not as the claims say, 1 with too few instances" in found.stdout


def test_the_program_ends_with_1_if_a_false_sentence_is_not_refuted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__, "search", lambda *args, **given: Outcome(10_000))
    assert __main__.main(["theorem-2", "--only", "printed_theorem_2"]) == 1
    assert "NOT REFUTED" in capsys.readouterr().out


def test_the_program_gives_the_reason_why_there_is_no_attack() -> None:
    found = program("alg1-line-11")
    assert found.returncode == 0
    assert "alg1-line-11: no attack. The line ends a loop" in found.stdout


def test_the_program_refuses_an_unknown_claim() -> None:
    found = program("lemma-9")
    assert found.returncode == 2
    assert "no claim lemma-9" in found.stderr


def test_lines_say_what_was_found() -> None:
    this = Attack(("a",), True, lambda draw: False, "A sentence.", "1e-9")
    assert lines_of(this, Outcome(3, 0, {"x": 1}))[-2:] == [
        "    counterexample, after 3 instances:", "      x = 1",
    ]  # fmt: skip
    assert "    false alarms: 1e-9" in lines_of(this, Outcome(3))


def test_the_page_is_written_from_what_is_kept() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.page(report.read())


def test_what_is_kept_is_about_the_present_sentences() -> None:
    """A changed sentence has to be attacked again: python -m attacks --store --only NAME."""
    kept = report.read()
    assert list(kept) == [this.name for this in ATTACKS]
    for this in ATTACKS:
        found = kept[this.name]
        same = report.row(this, Outcome())
        assert all(found[key] == same[key] for key in report.SENTENCE), this.name
        assert (found["counterexample"] is not None) == this.printed
        assert this.printed or found.get("all") or found["examples"] >= 100


def test_the_kept_searches_of_a_sentence_are_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    this = Attack(("a",), False, lambda draw: True, "A sentence.", "")
    found = report.row(this, Outcome(300, seconds=1.5), seeds=2)
    monkeypatch.setattr(report, "read", lambda: {this.name: found})
    assert report.so_far(this) == (Outcome(300, seconds=1.5), 2)
    assert report.so_far(this._replace(sentence="Another one.")) == (None, 0)
    found["counterexample"] = "x = 1"
    assert report.so_far(this) == (None, 0)


def test_the_page_lists_the_slow_searches_by_their_recorded_times() -> None:
    this = Attack(("a",), False, lambda draw: True, "A sentence.", "")
    rows = {
        "quick": report.row(this, Outcome(1000, seconds=1.9)),
        "slow": report.row(this, Outcome(1000, seconds=2.0)),
        "slowest": report.row(this, Outcome(50, seconds=0.25, all=True)),
        "old": {"examples": 400, **{k: v for k, v in report.row(this, Outcome()).items()
                                    if k not in ("seconds", "examples")}},
    }  # fmt: skip
    listed = [line for line in report.page(rows).splitlines() if " ms " in line]
    assert listed == [
        "- Slowest: 5.0 ms for each of all 50 instances.",
        "- Slow: 2.0 ms for each of 1,000 instances.",
    ]
