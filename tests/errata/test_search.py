"""The search finds and shrinks; the attacks fit the claims; the program says what was found."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume

from errata import __main__, search
from errata.search import Draw, Outcome, attack, attacks
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
CLAIMS = registry.load(ROOT)


def sums_stay_small(draw: Draw) -> bool:
    numbers = draw.integers("numbers", draw.integer("size", 0, 9), 0, 100)
    draw.target(sum(numbers))
    return sum(numbers) < 300


def test_a_counterexample_is_made_simple() -> None:
    found = search.search(sums_stay_small, 5000).counterexample
    assert found is not None
    assert list(found) == ["size", "numbers"]
    assert found["numbers"] == [0, 100, 100, 100][-int(str(found["size"])) :]


def test_a_held_sentence_must_stand_a_false_one_must_fall_and_both_need_instances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "ATTACKS", [])
    monkeypatch.setattr(search, "MOST", 50)

    @attack("eq-1")
    def test_held(draw: Draw) -> bool:
        """All numbers are less than 5."""
        return draw.integer("x", 0, 9) < 5

    @attack("eq-1", printed=True)
    def test_false(draw: Draw) -> bool:
        """All numbers are less than 10."""
        return draw.integer("x", 0, 9) < 10

    @attack("eq-1")
    def test_nothing(draw: Draw) -> bool:
        """There is no instance."""
        assume(draw.integer("x", 0, 9) > 9)
        return True

    with pytest.raises(AssertionError, match=r"counterexample, after \d+ instances:\s+x = 5"):
        test_held()
    with pytest.raises(AssertionError, match="no counterexample in 10 instances"):
        test_false()
    with pytest.raises(AssertionError, match="every instance was rejected"):
        test_nothing()


def test_each_attack_has_its_name_its_sentence_and_claims_of_the_registry() -> None:
    names = [this.name for this in attacks()]
    assert len(names) == len(set(names))
    for this in attacks():
        assert this.sentence.endswith(".")
        assert len(this.sentence) > 20
        assert set(this.claims) <= set(CLAIMS)


@pytest.mark.long
def test_the_program_prints_counterexamples_and_how_many_instances_had_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = __main__.main(["supplement-a5", "alg1-line-11", "--examples", "20"])
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert "alg1-line-11: no attack; pytest --claim alg1-line-11 runs its tests" in printed
    assert "counterexample, after" in printed
    assert "no counterexample in 20 instances" in printed
    assert "3 attacks, 0 not as the claims say" in printed


@pytest.mark.parametrize("refuted", [True, False])
def test_the_program_ends_with_1_if_a_search_does_not_do_what_the_claims_say(
    refuted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = Outcome(7, {"x": Fraction(1, 2)} if refuted else None)
    monkeypatch.setattr(__main__, "search", lambda *args: outcome)
    assert __main__.main(["lemma-2"]) == 1
    printed = capsys.readouterr().out
    assert ("REFUTED: the claim" in printed) == refuted
    assert ("NOT REFUTED" in printed) == (not refuted)
