"""Refinement of the policy ``forest``, rule F7: chains of small trees about the best points.

Where a forest has found good points in several of its trees, a local search from each of them
finds more than a long one from the best. So there are chains of trees, and two accounts:

- A *chain* begins at a point of the forest, with scale 0.4 (in units of the forest's sigma).
- Its trees follow one another. Tree q = P, P + 1, ..., in the order in which they begin, has
  root (0, q) with the value of its center, a point evaluated before. It ends with the sweep in
  which its evaluations reach 2 (K - 1), or nothing is expanded. If it has found better, the next
  tree of the chain has its first best evaluation as the center and 1.25 of its scale, at most 1.2;
  else the same center and 0.6 of the scale (in floats).
- Each tree is on the account that had made fewer evaluations when it began, `deep` if equal;
  but on `wide` if no chain has a scale of at least 10^-14 (so is the first one).
- *Deep* begins a chain if the best point of the forest's trees is better than the centers of all
  chains that are kept, at that point (of equal trees that of least number), with its first tree.
  Else it begins a tree of the best chain, the one with the least value at its center (the older one
  of equals), among those of scale at least 10^-14; unless that one is settled: then the
  first, third, ... such tree of the run is of the best of these chains that is not, if any.
- A chain is *settled* if in its last tree the greatest value was above the least (the center's
  counts for both) by 1 % of the least one's absolute value or less, in floats: with +inf it is not.
- *Wide* begins a tree of the youngest chain, or of a new one if there is none or its scale is
  below 0.01. That begins at the best of the zero vector and the best other points of each tree
  that have not begun one, on deep or here; if all have, all may again. Of equal values the zero
  vector is first, then the tree of least number.
- Besides the youngest, the P best chains are kept (the older ones of equals).
"""

from collections.abc import Iterable, Mapping, MutableSequence
from typing import NamedTuple

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node
from embedded_hunter.tree import Tree

START, LARGEST = 0.4, 1.2
"""The scales of a chain, in units of the forest's sigma: first, greatest."""
LEAST, COARSE = 1e-14, 0.01
"""The least scales of the trees on the accounts deep and wide."""
GROW, SHRINK = 1.25, 0.6
"""The next scale over this one, if a tree has improved its center, and if it has not."""
SETTLED = 0.01
"""How far apart the values of a settled chain's last tree are, over the least one, at most."""
LIFE = 2
"""A tree ends with the sweep in which its evaluations reach LIFE (K - 1)."""


class Chain:
    """A chain of refinement trees: the center and the scale of the next one."""

    def __init__(self, center: Node) -> None:
        self.center, self.scale = center, START
        self.settled = False


class LocalTree(NamedTuple):
    """Refinement tree q >= P of a chain, about a center: see `points` for its points."""

    q: int
    center: Node
    """A node that was evaluated, of the chain's tree before this one or of the forest."""
    scale: float
    chain: Chain
    deep: bool
    """Whether it is on the account deep."""


class Refinement:
    """The chains of a run, and the tree that is alive."""

    def __init__(self, settings: ForestSettings, local_trees: MutableSequence[LocalTree]) -> None:
        self.settings, self.local_trees = settings, local_trees
        self.made = 0  # evaluations
        self.chains: list[Chain] = []  # by age
        self._P = settings.n_embeddings
        self._q = self._P  # the next tree's number
        self._deep = self._wide = 0  # evaluations on the two accounts
        self._turns = 0  # of deep while its best chain is settled
        self._tried: set[int] = set()  # which trees (-1: the zero vector) began a chain
        self._tree: Tree | None = None  # the tree that is alive, its evaluations, the best one
        self._made = 0
        self._least: Node | None = None
        self._most = 0.0  # the greatest value
        self._on_deep = True

    def alive(self, zero: Node, found: Mapping[int, Node]) -> tuple[LocalTree, Tree]:
        """Return the tree that is alive; it begins now if there is none.

        Parameters
        ----------
        zero
            The root of the zero vector.
        found
            The best evaluation of each tree of the forest.
        """
        if self._tree is None:
            chain = self._chain(zero, found)
            local_tree = LocalTree(self._q, chain.center, chain.scale, chain, self._on_deep)
            self.local_trees.append(local_tree)
            self._q += 1
            self._tree, self._made, self._least = Tree(by_norm=False), 0, chain.center
            self._most = chain.center.f_star
            c = (0,) * self.settings.d
            self._tree.add(Node(0, local_tree.q, c, 0, chain.center.f_star, evaluations=1))
        return self.local_trees[-1], self._tree

    def _chain(self, zero: Node, found: Mapping[int, Node]) -> Chain:
        """Return the chain whose turn it is."""
        live = self._live()
        self._on_deep = live is not None and self._deep <= self._wide
        if live is not None and self._on_deep:
            p = _best(found)
            if found[p].f_star >= min(map(_value, self.chains)):
                return live if not live.settled else self._unsettled(live)
            self._begin(p, found[p])
        elif not self.chains or self.chains[-1].scale < COARSE:
            centers = {-1: zero, **found}
            if self._tried >= set(centers):
                self._tried.clear()
            p = _best({p: node for p, node in centers.items() if p not in self._tried})
            self._begin(p, centers[p])
        return self.chains[-1]

    def _live(self, *, settled: bool = True) -> Chain | None:
        """Return the best chain of scale at least LEAST, or of those of them not settled."""
        best = sorted(self.chains, key=_value)  # stable: the older one of equals is first
        wanted = (chain for chain in best if settled or not chain.settled)
        return next((chain for chain in wanted if chain.scale >= LEAST), None)

    def _unsettled(self, best: Chain) -> Chain:
        """Return in turns the best chain that is not settled, if any, and the best of all."""
        self._turns += 1
        return (self._turns % 2 and self._live(settled=False)) or best

    def _begin(self, p: int, center: Node) -> None:
        """Begin a chain at the best point of tree p, and give up the worst chain."""
        self._tried.add(p)
        if len(self.chains) > self._P:
            self.chains.remove(max(reversed(self.chains), key=_value))
        self.chains.append(Chain(center))

    def take(self, evaluations: Iterable[Evaluation]) -> None:
        """Take evaluations of the tree that is alive."""
        for node, _ in evaluations:
            self.made += 1
            self._made += 1
            self._most = max(self._most, node.f_star)
            if self._least is None or node.f_star < self._least.f_star:
                self._least = node

    def swept(self, expanded: bool) -> None:
        """End the tree that is alive, unless it lives on after this sweep."""
        if expanded and self._made < LIFE * (self.settings.K - 1):
            return
        chain, least = self.local_trees[-1].chain, self._least or self.local_trees[-1].center
        if least is not chain.center:
            chain.center, chain.scale = least, min(LARGEST, chain.scale * GROW)
        else:
            chain.scale *= SHRINK
        chain.settled = self._most - least.f_star <= SETTLED * abs(least.f_star)
        if self._on_deep:
            self._deep += self._made
        else:
            self._wide += self._made
        self._tree = None


def _value(chain: Chain) -> float:
    return chain.center.f_star


def _best(centers: Mapping[int, Node]) -> int:
    return min(centers, key=lambda p: (centers[p].f_star, p))
