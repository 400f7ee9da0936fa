"""The search: it finds, follows targets, shrinks, rejects and repeats."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from attacks.search import (
    BY_HYPOTHESIS,
    Draw,
    Rejected,
    attack,
    by_chance,
    by_enumeration,
    by_hypothesis,
    number_of_instances,
    replayed,
    search,
)


def sums_stay_small(draw: Draw) -> bool:
    numbers = draw.integers("numbers", draw.integer("size", 0, 9), 0, 100)
    draw.target(sum(numbers))
    return sum(numbers) < 300


@pytest.mark.parametrize("engine", [by_hypothesis, by_chance])
def test_both_engines_find_and_shrink(engine: Callable[..., Any]) -> None:
    outcome = engine(sums_stay_small, 5000)
    assert outcome.counterexample is not None
    assert sum(outcome.counterexample["numbers"]) == 300
    assert outcome.counterexample["size"] <= 9


def test_the_random_search_follows_the_target() -> None:
    """Chosen blindly, all 12 numbers are 0 once in 20^12 instances or, with the ends more
    probable, once in 10^11."""

    def never_all_zero(draw: Draw) -> bool:
        numbers = draw.integers("numbers", 12, 0, 19)
        draw.target(sum(k == 0 for k in numbers))
        return any(numbers)

    assert by_chance(never_all_zero, 5000).counterexample == {"numbers": [0] * 12}


def test_a_true_sentence_is_left_standing() -> None:
    outcome = search(lambda draw: draw.integer("x", 0, 9999) >= 0, 900)
    assert outcome.counterexample is None
    assert outcome.examples == 900


@pytest.mark.parametrize("engine", [by_hypothesis, by_chance])
def test_rejected_instances_do_not_count(engine: Callable[..., Any]) -> None:
    def odd(draw: Draw) -> bool:
        x = draw.integer("x", 0, 10**6)
        draw.assume(x % 2)
        return True

    outcome = engine(odd, 100)
    assert outcome.counterexample is None
    assert outcome.rejected > 0
    assert 0 < outcome.examples <= 100
    assert outcome.examples == 100 or engine is by_hypothesis


def test_the_random_search_gives_up_if_nearly_all_instances_are_rejected() -> None:
    def few(draw: Draw) -> bool:
        draw.assume(draw.integer("x", 0, 10**6) == 77)
        return True

    outcome = by_chance(few, 50)
    assert (outcome.examples, outcome.rejected) == (0, 1000)


def test_a_sentence_without_instances_does_not_pass_as_a_test() -> None:
    @attack("eq-1")
    def test_nothing(draw: Draw) -> bool:
        """There is no instance."""
        raise Rejected

    try:
        with pytest.raises(AssertionError, match="every instance was rejected"):
            test_nothing()
    finally:
        forget(1)


def forget(count: int) -> None:
    from attacks.search import REGISTRY

    del REGISTRY.attacks[-count:]


def test_a_test_fails_if_a_held_sentence_is_refuted_and_if_a_false_one_is_not() -> None:
    @attack("eq-1")
    def test_held(draw: Draw) -> bool:
        """All numbers are less than 5."""
        return draw.integer("x", 0, 9) < 5

    @attack("eq-1", printed=True)
    def test_false(draw: Draw) -> bool:
        """All numbers are less than 10."""
        return draw.integer("x", 0, 9) < 10

    try:
        with pytest.raises(AssertionError, match=r"counterexample, after \d+ instances:\s+x = 5"):
            test_held()
        with pytest.raises(AssertionError, match="not refuted"):
            test_false()
    finally:
        forget(2)


def test_the_same_seed_makes_the_same_search() -> None:
    seen: list[list[int]] = [[], []]
    for run in seen:

        def keep(draw: Draw, run: list[int] = run) -> bool:
            run.append(draw.integer("x", 0, 10**9))
            return True

        search(keep, BY_HYPOTHESIS + 300, seed=3)
    assert seen[0] == seen[1]
    assert len(seen[0]) == BY_HYPOTHESIS + 300 + 1  # one more to estimate how many there are


def below(draw: Draw) -> bool:
    """A list of n < 4 digits below 3: 1 + 3 + 9 + 27 instances, of which those with a 0 are not."""
    numbers = draw.integers("numbers", draw.integer("size", 0, 3), 0, 2)
    draw.assume(0 not in numbers)
    return len(numbers) < 9


def test_an_enumeration_tries_each_instance_once() -> None:
    seen: list[tuple[int, ...]] = []

    def keep(draw: Draw) -> bool:
        seen.append(tuple(draw.integers("numbers", draw.integer("size", 0, 3), -1, 1)))
        return True

    outcome = by_enumeration(keep, 40)
    assert (outcome.examples, outcome.all) == (40, True)
    assert len(seen) == len(set(seen)) == 40
    assert {len(numbers) for numbers in seen} == {0, 1, 2, 3}
    assert {x for numbers in seen for x in numbers} == {-1, 0, 1}
    outcome = by_enumeration(below, 40)
    assert (outcome.examples, outcome.rejected, outcome.all) == (1 + 2 + 4 + 8, 25, True)


def test_an_enumeration_that_is_cut_or_refutes_has_not_tried_all() -> None:
    assert not by_enumeration(lambda draw: draw.integer("x", 0, 99) >= 0, 49).all
    assert not by_enumeration(below, 40, seconds=-1.0).all
    found = by_enumeration(lambda draw: draw.integer("x", 0, 9) < 7, 40)
    assert (found.counterexample, found.all) == ({"x": 7}, False)


def test_the_search_tries_all_instances_if_they_are_few() -> None:
    found = search(below, 1000)
    assert (found.examples, found.all, found.counterexample) == (15, True, None)
    many = search(lambda draw: draw.integer("x", 0, 10**6) >= 0, 1000)
    assert (many.all, many.examples) == (False, 1000)


def test_the_number_of_instances_is_estimated_without_bias() -> None:
    """For `below`, paths is 4 * 3^size with mean 40: standard error 4.1 for 100 instances."""
    assert number_of_instances(below) == pytest.approx(40, abs=4 * 4.1)
    assert number_of_instances(lambda draw: draw.integer("x", 3, 14) > 0) == 12
    assert math.isinf(number_of_instances(lambda draw: bool(draw.integers("x", 9, 0, 99))))


@pytest.mark.parametrize(("low", "high"), [(1, 60), (0, 0), (2, 20), (5, 6)])
def test_a_size_is_any_number_between_its_bounds_and_small_ones_more_often(
    low: int, high: int
) -> None:
    """False alarm: below 1e-9 for the range of 60 numbers (binomial law), fixed seed."""
    rng = random.Random(3)
    found = [Draw(rng.randint).size("v", low, high) for _ in range(3000)]
    assert set(found) == set(range(low, high + 1))
    digits = (high - low + 1).bit_length()
    for k in range(digits):
        share = sum((x - low + 1).bit_length() == k + 1 for x in found) / 3000
        assert share == pytest.approx(1 / digits, abs=6.5 * math.sqrt(1 / digits / 3000))


def test_what_can_be_drawn() -> None:
    draw = Draw(replayed([2, 1, 3, 0, 1, 0, 4, 2, 1, 0]))
    assert draw.choice("letter", "abc") == "c"
    assert draw.flag("flag") is True
    assert draw.fraction("third", 0, 1, 4) == Fraction(3, 4)
    assert draw.real("half", -1, 1) == 0
    assert draw.permutation("order", 3) == [1, 0, 2]
    assert draw.fractions("parts", 2, 0, 1, 2) == [1, Fraction(1, 2)]
    assert draw.integer("in bounds", 5, 9) == 5
    assert list(draw.shown) == ["letter", "flag", "third", "half", "order", "parts", "in bounds"]


def test_a_search_is_continued_with_a_new_seed_up_to_a_number_of_instances() -> None:
    seen: list[int] = []

    def keep(draw: Draw) -> bool:
        seen.append(draw.integer("x", 0, 10**9))
        return True

    first = search(keep, 300)
    old, n = set(seen), len(seen)
    then = search(keep, 500, seed=1, before=first)
    new = seen[n + 1 :]  # without the one that estimates how many there are
    assert (first.examples, then.examples, len(new)) == (300, 500, 200)
    assert len(set(new) - old) > 150
    assert then.seconds > first.seconds
    assert search(keep, 500, before=then) is then
    found = search(lambda draw: draw.integer("x", 0, 10**9) < 0, 900, before=then)
    assert (found.examples, found.counterexample) == (501, {"x": 0})
