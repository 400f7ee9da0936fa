"""Rule F7 one by one: radii, new local searches, and which local search has the next tree."""

import math

import pytest

from embedded_hunter.forest.local_search import LocalSearch, LocalTree, Refinement
from embedded_hunter.hunter import Evaluation
from spec.algorithm.test_forest_local_search import node, settings_of


class Played:
    """A run of `Refinement` with trees of 4 evaluations, told one by one."""

    def __init__(self, P: int, zero: float, *forest: float) -> None:
        self.local_trees: list[LocalTree] = []
        self.refinement = Refinement(settings_of(P), self.local_trees)
        self.zero = node(zero)
        self.found = {p: node(value) for p, value in enumerate(forest or [math.inf] * P)}

    def tree(self, *values: float) -> LocalTree:
        """Grow a tree; its values are these, the last one again until there are 4."""
        local_tree, _ = self.refinement.alive(self.zero, self.found)
        nodes = [node(value) for value in (values + values[-1:] * 4)[:4]]
        self.refinement.take([Evaluation(made, local_tree.q + 1) for made in nodes])
        self.refinement.swept(True)
        return local_tree

    def trees(self, count: int, *values: float) -> list[LocalTree]:
        return [self.tree(*values) for _ in range(count)]

    def until_a_search_begins(self, value: float, its_value: float | None = None) -> LocalTree:
        """All trees have this value, but the first of the new local search if it is given one."""
        searches = {id(local_tree.search) for local_tree in self.local_trees}
        for _ in range(200):
            local_tree, _ = self.refinement.alive(self.zero, self.found)
            if id(local_tree.search) not in searches:
                return self.tree(value if its_value is None else its_value)
            self.tree(value)
        pytest.fail("no local search begins")

    @property
    def intensifies(self) -> bool:
        return self.local_trees[-1].intensify


def grown(*outcomes: float) -> list[float]:
    """Radii of the first local search, begun at 0, while its trees find these values."""
    played = Played(1, 0.0)
    local_trees = [played.tree(value) for value in outcomes]
    assert len({id(local_tree.search) for local_tree in local_trees}) == 1
    return [local_tree.radius for local_tree in local_trees]


def test_the_radius_grows_by_a_quarter_to_its_cap_and_falls_to_six_tenths() -> None:
    better_each_time = grown(*range(-1, -9, -1))
    assert better_each_time == [0.4, 0.5, 0.625, 0.78125, 0.9765625, 1.2, 1.2, 1.2]
    assert grown(1.0, 0.0, -1.0, 5.0) == [0.4, 0.24, 0.24 * 0.6, 0.24 * 0.6 * 1.25]


def test_the_radius_of_a_long_local_search_is_a_float() -> None:
    """After each product: exact fractions would have one more factor for each tree."""
    played = Played(1, 0.0)
    radii, expected = [], 0.4
    for tree in range(600):
        better = tree % 7 < 4  # 1.25^4 0.6^3 is less than 1: about half
        radius = played.tree(-1.0 - tree if better else 1e9).radius
        assert type(radius) is float
        assert radius == expected
        expected = min(1.2, expected * 1.25) if better else expected * 0.6
        radii.append(radius)
        if radius < 0.02:
            break
    assert len(radii) > 20


def test_an_infinite_center_is_improved_by_any_number() -> None:
    played = Played(1, math.inf, math.inf)
    local_trees = [*played.trees(2, math.inf, 1e300), *played.trees(1, 1e300)]
    assert [local_tree.center.f_star for local_tree in local_trees] == [math.inf, 1e300, 1e300]
    assert [local_tree.radius for local_tree in local_trees] == [0.4, 0.5, 0.3]
    played = Played(1, math.inf, math.inf)
    assert [local_tree.radius for local_tree in played.trees(2, math.inf)] == [0.4, 0.24]


def test_a_tree_says_in_which_mode_it_is_grown() -> None:
    """First diversify, then the one with fewer evaluations, intensify if equal: all have four."""
    played = Played(1, 0.0)
    modes = [local_tree.intensify for local_tree in played.trees(9, 50.0)]
    assert modes == [False, True, True, False, True, False, True, False, True]


# --- intensify begins a local search -------------------------------------------------------------


def test_a_better_point_of_the_forest_begins_a_local_search_at_once() -> None:
    """In the place of the best one; also where the tree has begun one before."""
    played = Played(2, 5.0, 4.0, 9.0)
    first = played.tree(50.0)
    assert first.center is played.found[0]
    for better in (3.0, 2.0, 1.0):  # a turn of intensify comes after at most two trees
        played.found[0] = node(better)
        local_tree = played.until_a_search_begins(50.0)
        assert played.intensifies
        assert local_tree.center is played.found[0]
        assert local_tree.radius == 0.4
        assert played.local_trees[-2].radius > 0.01  # diversify would not have begun one
        assert len([p for p in played.local_trees if p.center is local_tree.center]) == 1
    assert len(played.local_trees) <= 10


def test_intensify_begins_at_the_first_of_equal_trees() -> None:
    played = Played(3, 5.0, 9.0, 9.0, 9.0)
    played.tree(50.0)
    played.found = {2: node(1.0), 1: node(1.0), 0: node(3.0)}
    assert played.tree(50.0).center is played.found[1]
    assert played.intensifies


def test_an_equal_point_of_the_forest_begins_none() -> None:
    played = Played(1, 5.0, 9.0)
    search = played.tree(50.0).search
    played.found[0] = node(5.0)
    assert {id(local_tree.search) for local_tree in played.trees(5, 50.0)} == {id(search)}
    played.found[0] = node(math.nextafter(5.0, 0.0))
    assert played.until_a_search_begins(50.0).center is played.found[0]


def test_the_forest_is_held_against_all_centers_not_only_those_that_live() -> None:
    """The radius of the best one is below 10^-14: better than the others is not enough."""
    played, first, _ = two_searches(150.0)
    first.radius = 9e-15
    played.found[1] = node(101.0)
    assert all(local_tree.center is not played.found[1] for local_tree in played.trees(4, 150.0))
    played.found[1] = node(99.0)
    assert any(local_tree.center is played.found[1] for local_tree in played.trees(2, 150.0))


def test_diversify_counts_the_searches_that_intensify_began() -> None:
    """A tree in which intensify began one has had its local search of the round."""
    played = Played(2, 0.0, 9.0, 8.0)
    played.tree(50.0)
    played.found[1] = node(-1.0)
    assert played.tree(50.0).center is played.found[1]
    following = played.until_a_search_begins(50.0)
    assert not played.intensifies
    assert following.center is played.found[0]  # 9.0, not -1.0 again
    assert played.until_a_search_begins(50.0).center is played.found[1]  # the next round


# --- stagnated local searches --------------------------------------------------------------------


def stagnated(center: float, *values: float) -> bool:
    """Has a local search stagnated after a tree with these values?"""
    played = Played(1, center)
    return played.tree(*values).search.stagnated


@pytest.mark.parametrize(
    ("center", "values", "is_stagnated"),
    [
        (100.0, [101.0], True),
        (100.0, [101.00000000000001], False),
        (100.0, [100.0, 101.5, 100.0], False),  # one is enough
        (101.0, [100.0], True),  # the center counts: here as the greatest
        (101.5, [100.0], False),
        (-100.0, [-99.0], True),
        (-100.0, [-98.99999999999999], False),
        (-99.0, [-100.0], True),
        (0.0, [0.0], True),
        (0.0, [5e-324], False),
        (-1.0, [1.0], False),
        (1e308, [-1e308], False),
        (1.0, [math.inf], False),
        (math.inf, [1.0], False),
        (math.inf, [math.inf], False),
        (1.0, [-math.inf], True),
        (math.inf, [-math.inf], True),
        (-math.inf, [-math.inf], False),
    ],
)
def test_stagnated_is_a_spread_of_one_per_cent(
    center: float, values: list[float], is_stagnated: bool
) -> None:
    assert stagnated(center, *values) is is_stagnated


def test_stagnated_is_about_the_last_tree_alone() -> None:
    played = Played(1, 100.0)
    search = played.tree(100.0).search
    found = [search.stagnated]
    for values in ([100.5, 200.0], [100.5]):
        assert played.tree(*values).search is search
        found.append(search.stagnated)
    assert found == [True, False, True]


def intensified(played: Played, count: int, best: float, other: float) -> list[LocalSearch]:
    """Those of the next trees of intensify; values of the trees of the first one, and of others."""
    first = played.local_trees[0].search
    found: list[LocalSearch] = []
    for _ in range(10 * count):
        search = played.refinement.alive(played.zero, played.found)[0].search
        played.tree(best if search is first else other)
        if played.intensifies:
            found.append(search)
        if len(found) == count:
            break
    return found


def two_searches(best: float) -> tuple[Played, LocalSearch, LocalSearch]:
    """One about 100.0, its values are `best`, and another about 102.0, at its beginning."""
    played = Played(2, 100.0, 102.0, 150.0)
    first = played.tree(best).search
    second = played.until_a_search_begins(best, 150.0).search
    assert not played.intensifies
    assert [first.center.f_star, second.center.f_star] == [100.0, 102.0]
    return played, first, second


def test_a_stagnated_search_shares_the_turns_of_intensify() -> None:
    """From its first tree after it has; the others are of the best that has not stagnated."""
    played, first, second = two_searches(150.0)  # it has not stagnated until here
    assert intensified(played, 1, 100.5, 150.0) == [first]
    assert intensified(played, 5, 100.5, 150.0) == [second, first, second, first, second]
    first.stagnated = False
    assert intensified(played, 2, 150.0, 150.0) == [first] * 2
    assert intensified(played, 4, 100.5, 150.0) == [first, first, second, first]  # it goes on


def test_a_stagnated_search_keeps_its_turns_if_all_others_are_stagnated() -> None:
    played, first, _ = two_searches(100.5)
    played.refinement.searches[1].stagnated = True
    assert intensified(played, 5, 100.5, 102.0) == [first] * 5


def test_the_best_of_those_not_stagnated_has_the_turn() -> None:
    """Of four the two best have stagnated: the better one of the others has the turn."""
    played = Played(3, 100.0, 102.0, 104.0, 106.0)
    first = played.tree(100.5).search
    for _ in range(3):
        played.until_a_search_begins(150.0)
    searches = played.refinement.searches
    assert [search.center.f_star for search in searches] == [100.0, 102.0, 104.0, 106.0]
    searches[0].stagnated = searches[1].stagnated = True
    searches[2].stagnated = searches[3].stagnated = False
    third = searches[2]
    found = {id(search) for search in intensified(played, 6, 100.5, 150.0)}
    assert found == {id(first), id(third)}


# --- where the radius is small -------------------------------------------------------------------


@pytest.mark.parametrize(("radius", "lives"), [(1e-14, True), (9.99e-15, False)])
def test_intensify_ends_below_its_least_radius(radius: float, lives: bool) -> None:
    played, first, second = two_searches(150.0)
    first.radius = radius
    assert intensified(played, 1, 150.0, 150.0) == [first if lives else second]


@pytest.mark.parametrize(("radius", "lives"), [(1e-14, True), (9.99e-15, False)])
def test_a_turn_is_given_to_no_search_that_has_ended(radius: float, lives: bool) -> None:
    played, first, second = two_searches(100.5)
    second.radius, first.stagnated = radius, True
    played.refinement.intensified, played.refinement.diversified = 0, 99
    played.refinement.turns = 0
    assert played.tree(100.5).search is (second if lives else first)
    assert played.intensifies


@pytest.mark.parametrize(("radius", "goes_on"), [(0.01, True), (0.00999, False)])
def test_diversify_ends_below_its_least_radius(radius: float, goes_on: bool) -> None:
    played, _, second = two_searches(150.0)
    second.radius = radius
    played.refinement.intensified, played.refinement.diversified = 99, 0
    assert (played.tree(150.0).search is second) == goes_on


def test_diversify_grows_the_tree_if_no_search_lives() -> None:
    """Though it is the turn of intensify, and the forest has found better than all centers."""
    played, first, second = two_searches(150.0)
    first.radius = second.radius = 9e-15
    played.refinement.intensified, played.refinement.diversified = 0, 99
    played.found = {0: node(50.0), 1: node(60.0)}
    local_tree = played.tree(150.0)
    assert not played.intensifies
    assert local_tree.center is played.found[1]  # the zero vector and tree 0 have had theirs
    assert (played.refinement.intensified, played.refinement.diversified) == (0, 103)
