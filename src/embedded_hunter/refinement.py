"""Refinement of the policy ``family``, rule F7: chains of small trees about the best points.

Where a forest has found good points in several of its trees, a local search from each of them
finds more than a long one from the best. So there are chains of trees, and two accounts:

- A *chain* begins at a point of the forest, with scale 2/5 (in units of the forest's sigma): at
  the best of the zero vector and the best other points of each tree that have not begun one; when
  all have, all may again. Of equal values the zero vector is first, then the tree of least number.
- Its trees follow one another. Tree q = P, P + 1, ..., in the order in which they are planted, has
  root (0, q) with the value of its center, a point evaluated before. It ends with the sweep in
  which its evaluations reach 2 (K - 1), or nothing is expanded. If it has found better, the next
  tree of the chain has its first best evaluation as the center and twice its scale, at most 6/5;
  else the same center and 3/4 of the scale.
- Each tree is on the account that had made fewer evaluations when it was planted, `deep` if equal.
  *Deep* plants trees of the two best chains in turns, the best one first: those with the least
  values at their centers (the older one of equals) among all of scale at least 10^-7. Is there
  one, all turns are its own; is there none, wide plants the tree. *Wide* plants a tree of the
  youngest chain, or of a new one if there is none or its scale is below 1/25.
- Besides the youngest, the P best chains are kept (the older ones of equals).
"""

from collections.abc import Iterable, Mapping, MutableSequence
from fractions import Fraction
from typing import NamedTuple

from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree

START, LARGEST = Fraction(2, 5), Fraction(6, 5)
"""The scales of a chain, in units of the forest's sigma: first, greatest."""
LEAST, COARSE = Fraction(1, 10**7), Fraction(1, 25)
"""The least scales of the trees on the accounts deep and wide."""
GROW, SHRINK = Fraction(2), Fraction(3, 4)
"""The next scale over this one, if a tree has improved its center, and if it has not."""
LIFE = 2
"""A tree ends with the sweep in which its evaluations reach LIFE (K - 1)."""
TOP = 2
"""How many of the best chains grow in turns."""


class Chain:
    """A chain of refinement trees: the center and the scale of the next one."""

    def __init__(self, center: Node) -> None:
        self.center, self.scale = center, START


class Plant(NamedTuple):
    """Refinement tree q >= P of a chain, about a center: see `planted` for its points."""

    q: int
    center: Node
    """A node that was evaluated, of the chain's tree before this one or of the forest."""
    scale: Fraction
    chain: Chain


class Refinement:
    """The chains of a run, and the tree that is alive."""

    def __init__(self, settings: Settings, plants: MutableSequence[Plant]) -> None:
        self.settings, self.plants = settings, plants
        self.made = 0  # evaluations
        self.chains: list[Chain] = []  # by age
        self._P = settings.n_embeddings or 1
        self._q = self._P  # the next tree's number
        self._deep = self._wide = 0  # evaluations on the two accounts
        self._turns = 0  # of deep
        self._tried: set[int] = set()  # which trees (-1: the zero vector) began a chain
        self._tree: Tree | None = None  # the tree that is alive, its evaluations, the best one
        self._made = 0
        self._least: Node | None = None
        self._on_deep = True

    def alive(self, zero: Node, found: Mapping[int, Node]) -> tuple[Plant, Tree]:
        """Return the tree that is alive, planted now if there is none.

        Parameters
        ----------
        zero
            The root of the zero vector.
        found
            The best evaluation of each tree of the forest.
        """
        if self._tree is None:
            chain = self._chain(zero, found)
            plant = Plant(self._q, chain.center, chain.scale, chain)
            self.plants.append(plant)
            self._q += 1
            self._tree, self._made, self._least = Tree(by_norm=False), 0, chain.center
            c = (0,) * self.settings.d
            self._tree.add(Node(0, plant.q, c, 0, chain.center.f_star, evaluations=1))
        return self.plants[-1], self._tree

    def _chain(self, zero: Node, found: Mapping[int, Node]) -> Chain:
        """Return the chain whose turn it is."""
        live = [chain for chain in self.chains if chain.scale >= LEAST]
        self._on_deep = bool(live) and self._deep <= self._wide
        if self._on_deep:
            best = sorted(live, key=_value)[:TOP]  # stable: the older one of equals is first
            self._turns += 1
            return best[(self._turns - 1) % len(best)]
        if not self.chains or self.chains[-1].scale < COARSE:
            self._begin({-1: zero, **found})
        return self.chains[-1]

    def _begin(self, centers: Mapping[int, Node]) -> None:
        """Begin a chain at the best center that began none, and give up the worst chain."""
        if self._tried >= set(centers):
            self._tried.clear()
        p = min(set(centers) - self._tried, key=lambda p: (centers[p].f_star, p))
        self._tried.add(p)
        if len(self.chains) > self._P:
            self.chains.remove(max(reversed(self.chains), key=_value))
        self.chains.append(Chain(centers[p]))

    def take(self, evaluations: Iterable[Evaluation]) -> None:
        """Take evaluations of the tree that is alive."""
        for node, _ in evaluations:
            self.made += 1
            self._made += 1
            if self._least is None or node.f_star < self._least.f_star:
                self._least = node

    def swept(self, expanded: bool) -> None:
        """End the tree that is alive, unless it lives on after this sweep."""
        if expanded and self._made < LIFE * (self.settings.K - 1):
            return
        chain = self.plants[-1].chain
        if self._least is not None and self._least is not chain.center:
            chain.center, chain.scale = self._least, min(LARGEST, chain.scale * GROW)
        else:
            chain.scale *= SHRINK
        if self._on_deep:
            self._deep += self._made
        else:
            self._wide += self._made
        self._tree = None


def _value(chain: Chain) -> float:
    return chain.center.f_star
