"""Rule F7 one by one: how scales change, when deep begins a chain, which one has its turns."""

import math

import pytest

from embedded_hunter.forest.local_search import Chain, LocalTree, Refinement
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
        """LocalTree a tree; its values are these, the last one again until there are 4."""
        local_tree, _ = self.refinement.alive(self.zero, self.found)
        nodes = [node(value) for value in (values + values[-1:] * 4)[:4]]
        self.refinement.take([Evaluation(made, local_tree.q + 1) for made in nodes])
        self.refinement.swept(True)
        return local_tree

    def trees(self, count: int, *values: float) -> list[LocalTree]:
        return [self.tree(*values) for _ in range(count)]

    def until_a_chain_begins(self, value: float, its_value: float | None = None) -> LocalTree:
        """All trees have this value, but the first one of the new chain if it is given another."""
        chains = {id(local_tree.chain) for local_tree in self.local_trees}
        for _ in range(200):
            local_tree, _ = self.refinement.alive(self.zero, self.found)
            if id(local_tree.chain) not in chains:
                return self.tree(value if its_value is None else its_value)
            self.tree(value)
        pytest.fail("no chain begins")

    @property
    def on_deep(self) -> bool:
        return self.refinement._on_deep


def grown(*outcomes: float) -> list[float]:
    """Scales of the trees of the first chain while they find these values; it begins at 0."""
    played = Played(1, 0.0)
    local_trees = [played.tree(value) for value in outcomes]
    assert len({id(local_tree.chain) for local_tree in local_trees}) == 1
    return [local_tree.scale for local_tree in local_trees]


def test_the_scale_grows_by_a_quarter_to_its_cap_and_falls_to_six_tenths() -> None:
    better_each_time = grown(*range(-1, -9, -1))
    assert better_each_time == [0.4, 0.5, 0.625, 0.78125, 0.9765625, 1.2, 1.2, 1.2]
    assert grown(1.0, 0.0, -1.0, 5.0) == [0.4, 0.24, 0.24 * 0.6, 0.24 * 0.6 * 1.25]


def test_the_scale_of_a_long_chain_is_a_float() -> None:
    """After each product: exact fractions would have one more factor for each tree."""
    played = Played(1, 0.0)
    scales, expected = [], 0.4
    for tree in range(600):
        better = tree % 7 < 4  # 1.25^4 0.6^3 is less than 1: about half
        scale = played.tree(-1.0 - tree if better else 1e9).scale
        assert type(scale) is float
        assert scale == expected
        expected = min(1.2, expected * 1.25) if better else expected * 0.6
        scales.append(scale)
        if scale < 0.02:
            break
    assert len(scales) > 20


def test_an_infinite_center_is_improved_by_any_number() -> None:
    played = Played(1, math.inf, math.inf)
    local_trees = [*played.trees(2, math.inf, 1e300), *played.trees(1, 1e300)]
    assert [local_tree.center.f_star for local_tree in local_trees] == [math.inf, 1e300, 1e300]
    assert [local_tree.scale for local_tree in local_trees] == [0.4, 0.5, 0.3]
    played = Played(1, math.inf, math.inf)
    assert [local_tree.scale for local_tree in played.trees(2, math.inf)] == [0.4, 0.24]


def test_a_tree_says_on_which_account_it_is() -> None:
    """The first on wide, then on that with fewer evaluations, deep if equal: all have four."""
    played = Played(1, 0.0)
    accounts = [local_tree.deep for local_tree in played.trees(9, 50.0)]
    assert accounts == [False, True, True, False, True, False, True, False, True]


# --- deep begins a chain -------------------------------------------------------------------------


def test_a_better_point_of_the_forest_begins_a_chain_at_once() -> None:
    """On deep, in the place of the best chain; also where the tree has begun one before."""
    played = Played(2, 5.0, 4.0, 9.0)
    first = played.tree(50.0)
    assert first.center is played.found[0]
    for better in (3.0, 2.0, 1.0):  # deep's turn comes after at most two trees
        played.found[0] = node(better)
        local_tree = played.until_a_chain_begins(50.0)
        assert played.on_deep
        assert local_tree.center is played.found[0]
        assert local_tree.scale == 0.4
        assert played.local_trees[-2].scale > 0.01  # wide would not have begun one
        assert len([p for p in played.local_trees if p.center is local_tree.center]) == 1
    assert len(played.local_trees) <= 10


def test_deep_begins_at_the_first_of_equal_trees() -> None:
    played = Played(3, 5.0, 9.0, 9.0, 9.0)
    played.tree(50.0)
    played.found = {2: node(1.0), 1: node(1.0), 0: node(3.0)}
    assert played.tree(50.0).center is played.found[1]
    assert played.on_deep


def test_an_equal_point_of_the_forest_begins_none() -> None:
    played = Played(1, 5.0, 9.0)
    chain = played.tree(50.0).chain
    played.found[0] = node(5.0)
    assert {id(local_tree.chain) for local_tree in played.trees(5, 50.0)} == {id(chain)}
    played.found[0] = node(math.nextafter(5.0, 0.0))
    assert played.until_a_chain_begins(50.0).center is played.found[0]


def test_the_forest_is_held_against_all_centers_not_only_those_that_live() -> None:
    """The best chain is below 10^-14: better than the others is not enough."""
    played, first, _ = two_chains(150.0)
    first.scale = 9e-15
    played.found[1] = node(101.0)
    assert all(local_tree.center is not played.found[1] for local_tree in played.trees(4, 150.0))
    played.found[1] = node(99.0)
    assert any(local_tree.center is played.found[1] for local_tree in played.trees(2, 150.0))


def test_wide_counts_the_chains_that_deep_began() -> None:
    """A tree in which deep began one has had its chain of the round."""
    played = Played(2, 0.0, 9.0, 8.0)
    played.tree(50.0)
    played.found[1] = node(-1.0)
    assert played.tree(50.0).center is played.found[1]
    following = played.until_a_chain_begins(50.0)
    assert not played.on_deep
    assert following.center is played.found[0]  # 9.0, not -1.0 again
    assert played.until_a_chain_begins(50.0).center is played.found[1]  # the next round


# --- settled chains ------------------------------------------------------------------------------


def settled(center: float, *values: float) -> bool:
    """Is a chain settled by a tree with these values?"""
    played = Played(1, center)
    return played.tree(*values).chain.settled


@pytest.mark.parametrize(
    ("center", "values", "is_settled"),
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
def test_settled_is_a_spread_of_one_per_cent(
    center: float, values: list[float], is_settled: bool
) -> None:
    assert settled(center, *values) is is_settled


def test_settled_is_about_the_last_tree_alone() -> None:
    played = Played(1, 100.0)
    chain = played.tree(100.0).chain
    found = [chain.settled]
    for values in ([100.5, 200.0], [100.5]):
        assert played.tree(*values).chain is chain
        found.append(chain.settled)
    assert found == [True, False, True]


def deep_trees(played: Played, count: int, best: float, other: float) -> list[Chain]:
    """Chains of the next trees on deep; values of the tree of the first chain, and of others."""
    first = played.local_trees[0].chain
    deep: list[Chain] = []
    for _ in range(10 * count):
        chain = played.refinement.alive(played.zero, played.found)[0].chain
        played.tree(best if chain is first else other)
        if played.on_deep:
            deep.append(chain)
        if len(deep) == count:
            break
    return deep


def two_chains(best: float) -> tuple[Played, Chain, Chain]:
    """One about 100.0, its values are `best`, and another about 102.0, at its beginning."""
    played = Played(2, 100.0, 102.0, 150.0)
    first = played.tree(best).chain
    second = played.until_a_chain_begins(best, 150.0).chain
    assert not played.on_deep
    assert [first.center.f_star, second.center.f_star] == [100.0, 102.0]
    return played, first, second


def test_a_settled_chain_shares_the_turns_of_deep() -> None:
    """From the first tree on which it is settled; the others are of the best that is not."""
    played, first, second = two_chains(150.0)  # not settled until here
    assert deep_trees(played, 1, 100.5, 150.0) == [first]
    assert deep_trees(played, 5, 100.5, 150.0) == [second, first, second, first, second]
    first.settled = False
    assert deep_trees(played, 2, 150.0, 150.0) == [first] * 2
    assert deep_trees(played, 4, 100.5, 150.0) == [first, first, second, first]  # it goes on


def test_a_settled_chain_keeps_its_turns_if_all_others_are_settled() -> None:
    played, first, _ = two_chains(100.5)
    played.refinement.chains[1].settled = True
    assert deep_trees(played, 5, 100.5, 102.0) == [first] * 5


def test_the_best_of_those_not_settled_has_the_turn() -> None:
    """Of four chains: the two best are settled, of the others the better one has the turn."""
    played = Played(3, 100.0, 102.0, 104.0, 106.0)
    first = played.tree(100.5).chain
    for _ in range(3):
        played.until_a_chain_begins(150.0)
    chains = played.refinement.chains
    assert [chain.center.f_star for chain in chains] == [100.0, 102.0, 104.0, 106.0]
    chains[0].settled = chains[1].settled = True
    chains[2].settled = chains[3].settled = False
    third = chains[2]
    deep = {id(chain) for chain in deep_trees(played, 6, 100.5, 150.0)}
    assert deep == {id(first), id(third)}


# --- where the scale is small ---------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "lives"), [(1e-14, True), (9.99e-15, False)])
def test_deep_ends_below_its_least_scale(scale: float, lives: bool) -> None:
    played, first, second = two_chains(150.0)
    first.scale = scale
    assert deep_trees(played, 1, 150.0, 150.0) == [first if lives else second]


@pytest.mark.parametrize(("scale", "lives"), [(1e-14, True), (9.99e-15, False)])
def test_a_turn_is_given_to_no_chain_that_has_ended(scale: float, lives: bool) -> None:
    played, first, second = two_chains(100.5)
    second.scale, first.settled = scale, True
    played.refinement._deep, played.refinement._wide = 0, 99
    played.refinement._turns = 0
    assert played.tree(100.5).chain is (second if lives else first)
    assert played.on_deep


@pytest.mark.parametrize(("scale", "goes_on"), [(0.01, True), (0.00999, False)])
def test_wide_ends_below_its_least_scale(scale: float, goes_on: bool) -> None:
    played, _, second = two_chains(150.0)
    second.scale = scale
    played.refinement._deep, played.refinement._wide = 99, 0
    assert (played.tree(150.0).chain is second) == goes_on


def test_wide_plants_the_tree_if_no_chain_lives() -> None:
    """Though it is deep's turn, and the forest has found better than all centers."""
    played, first, second = two_chains(150.0)
    first.scale = second.scale = 9e-15
    played.refinement._deep, played.refinement._wide = 0, 99
    played.found = {0: node(50.0), 1: node(60.0)}
    local_tree = played.tree(150.0)
    assert not played.on_deep
    assert local_tree.center is played.found[1]  # the zero vector and tree 0 have had theirs
    assert (played.refinement._deep, played.refinement._wide) == (0, 103)
