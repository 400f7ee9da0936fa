"""Rule F6: who has the next turn, and what each member is sure of."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.trees import ForestVisit
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import check
from embedded_hunter.traces.writing import trace_of
from paper.instances import visits_of

Told = Callable[[str, int], float]
"""From a member and the number of its evaluation to the value."""


def told(settings: ForestSettings, values: Told) -> Iterator[list[tuple[str, list[float]]]]:
    """Answer a run; yield the members and the values of each batch."""
    made = Counter[str]()
    batch: list[tuple[str, list[float]]] = []

    def answers(visit: ForestVisit) -> list[float]:
        batch.clear()
        for part in visit.parts or [visit]:
            member = part.local.mode if part.local else "trees"
            first = made[member] + 1
            made[member] += len(part.evaluations)
            batch.append((member, [values(member, k) for k in range(first, made[member] + 1)]))
        return [value for _, of_part in batch for value in of_part]

    for _ in visits_of(hunt_forest(settings), answers):
        yield list(batch)


def visits(settings: ForestSettings, values: Told) -> list[tuple[str, list[float]]]:
    return [one for batch in told(settings, values) for one in batch]


FALLS: dict[str, Told] = {
    "the trees": lambda member, k: -float(k) * (member == "trees"),
    "the strategy": lambda member, k: -float(k) * (member == "evolve"),
    "nobody": lambda member, k: 0.0,
    "all": lambda member, k: float(37 * k % 101 - k),
}


def due(N: int, start: int) -> Fraction:
    """The share of the forest of N evaluations."""
    return max(Fraction(N, 32), min(Fraction(N, 4), Fraction(N - start)))


@pytest.mark.claim("constant-share", "uniform-share")
@pytest.mark.parametrize("who", FALLS)
@pytest.mark.parametrize(("dimensions", "h_max"), [((2, 4), 54), ((2, 4), 14), ((9,), 54)])
def test_each_member_gets_its_share(who: str, dimensions: tuple[int, ...], h_max: int) -> None:
    """After each visit, but for the most that the others make in one turn.

    The trees have a quarter of the forest's, once each has been evaluated, but for a generation.
    """
    settings = ForestSettings(
        9, 3000, dimensions=dimensions, n_embeddings=1 + (len(dimensions) > 1), h_max=h_max
    )
    start = {(2, 54): 100, (2, 14): 200, (1, 54): 50}[len(settings.trees), h_max]
    sweep = 2 * (settings.K - 1) * (settings.h_max + 1)
    made = Counter(trees=1, evolve=1)  # the zero vector counts for both
    generation = EVOLUTION.population
    for member, values in visits(settings, FALLS[who])[1:]:
        made[member] += len(values)
        if member == "evolve":
            generation = max(generation, len(values))
        forest, N = made["trees"] + made["refine"], made.total() - made["sample"]
        longest = max(sweep, generation)
        assert made["sample"] >= Fraction(made.total() - 1 - longest, 32)
        assert forest >= due(N - generation, start)
        assert made["evolve"] >= Fraction(N - sweep, 4)
        assert made["refine"] < 3 * made["trees"] + 8
    assert made.total() == settings.v + 1
    assert made["sample"] <= settings.v / 32 + 1
    if who == "the trees":
        assert forest > 0.7 * settings.v
    if who == "the strategy":
        assert made["evolve"] > 0.7 * settings.v


@pytest.mark.claim("constant-share")
@pytest.mark.parametrize("who", FALLS)
@pytest.mark.parametrize("batch", [1, 7, 40])
def test_a_member_does_what_it_does_alone(who: str, batch: int) -> None:
    """The trees: visit by visit as without the others, until the budget cuts the last visit.

    The strategy, the local searches and the uniform points: `test_forest_points`.
    """
    alone = ForestSettings(
        9,
        900,
        dimensions=[2, 4],
        n_embeddings=2,
        h_max=30,
        evolve=False,
        refine=False,
        sample=False,
    )
    both = visits(
        ForestSettings(9, 900, dimensions=[2, 4], n_embeddings=2, batch=batch), FALLS[who]
    )
    of_trees = [values for member, values in both if member == "trees"]
    assert len(of_trees) > 20
    expected = [values for _, values in visits(alone, FALLS[who])]
    assert of_trees[:-1] == expected[: len(of_trees) - 1]


def test_the_strategy_has_the_rest_when_the_forest_is_full() -> None:
    found = visits(ForestSettings(3, 500, h_max=1, refine=False), FALLS["the trees"])
    assert sum(len(values) for _, values in found) == 500
    assert {member for member, _ in found[-20:]} == {"evolve", "sample"}


@pytest.mark.parametrize(("first_step", "least", "most"), [(0.1, 0.7, 1.0), (None, 0.0, 0.3)])
def test_the_value_of_the_start_counts_for_both_members_or_with_a_first_step_for_none(
    first_step: float | None, least: float, most: float
) -> None:
    """It is below all others. The strategy falls, and the forest does not: if the value counts, the
    members are equal for ever."""
    settings = ForestSettings(9, 1000, dimensions=[2], n_embeddings=1, first_step=first_step)

    def values(member: str, k: int) -> float:
        return -float(k) if member == "evolve" else -1e9 * (k == 1 and member == "trees")

    made = [len(told) for member, told in visits(settings, values) if member == "evolve"]
    assert least * settings.v < sum(made) < most * settings.v


def test_a_sweep_is_one_turn() -> None:
    """No other member has a turn between two depths of a sweep, unless in a batch."""
    settings = ForestSettings(9, 900, dimensions=[2, 4], n_embeddings=2)
    open_sweep = False
    for visit, _ in visits_of(hunt_forest(settings), lambda visit: [0.0] * len(visit.evaluations)):
        if visit.t > 0:
            assert not (open_sweep and visit.local)
            limit = min(visit.tree.depth, settings.h_max)
            open_sweep = visit.local is None and visit.l < limit


@given(
    st.integers(1, 45), st.integers(1, 300), st.integers(2, 70), st.booleans(), st.booleans(),
    st.booleans(), st.sampled_from(sorted(FALLS)),
)  # fmt: skip
def test_a_batch_asks_for_as_many_points_as_its_rules_have(
    n: int, v: int, batch: int, refine: bool, evolve: bool, sample: bool, who: str
) -> None:
    """It uses the budget, unless the forest is full and there is no strategy.

    A further visit is there only if it fits, or if more than a quarter of the points was free.
    """
    settings = ForestSettings(
        n, v, batch=batch, refine=refine, evolve=evolve, sample=sample, n_embeddings=1
    )
    evaluations = 0
    for visits_at_once in told(settings, FALLS[who]):
        sizes = [len(values) for _, values in visits_at_once]
        evaluations += sum(sizes)
        modes = Counter(member for member, _ in visits_at_once)
        assert modes["trees"] <= 1
        assert modes["evolve"] <= 1
        assert modes["refine"] <= 2
        if len(sizes) > 1:
            assert sum(sizes) <= batch or sum(sizes[:-1]) <= 3 * batch / 4
    assert evaluations == v or not evolve


@pytest.mark.parametrize("batch", [16, 64])
@pytest.mark.parametrize("who", FALLS)
def test_most_places_of_a_batch_are_used(batch: int, who: str) -> None:
    """At least 70 % of the places of `batch` processors that work in turns."""
    settings = ForestSettings(1000, 1000, batch=batch)
    turns = sum(
        -(-sum(len(values) for _, values in at_once) // batch)
        for at_once in told(settings, FALLS[who])
    )
    assert settings.v >= 0.7 * batch * turns


@pytest.mark.parametrize("batch", [2, 16, 50])
def test_the_trace_of_a_run_in_batches_is_checked(batch: int) -> None:
    """The visits of a batch follow one another, and a wrong one is named."""
    settings = ForestSettings(9, 300, dimensions=[2, 4], n_embeddings=2, batch=batch)
    run = Run(settings, values=[float(37 * k % 101 - k) for k in range(300)])
    lines = [dump(event) for event in trace_of(run)]
    assert check(lines).conforms
    last = max(k for k, line in enumerate(lines) if '"refine"' in line)
    without = check([*lines[:last], *lines[last + 1 :]]).deviation
    assert without is not None
    assert without.line == last + 1
