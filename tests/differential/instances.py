"""Instances of `differential.strategies`, drawn once, and their runs by each implementation."""

from functools import cache, lru_cache
from typing import TypeVar

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, given, settings

from differential import oracle, package
from differential.forest_instances import ForestInstance, forest_instances
from differential.oracle import Name, Objective
from differential.strategies import Instance, instances
from embedded_hunter.forest.requests import TreePoint
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node, children

T = TypeVar("T")


def drawn(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """Draw the same instances every time."""
    found: list[T] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def take(instance: T) -> None:
        found.append(instance)

    take()
    return found


@cache
def of_algorithm_1(count: int = 200) -> list[Instance]:
    """Return instances of Algorithm 1."""
    return drawn(instances(), count)


@cache
def of_the_forest(count: int = 200) -> list[ForestInstance]:
    """Return instances of the forest. In the first one a dimension is full before the other."""
    full = ForestSettings(3, 40, dimensions=[1, 2], h_max=0, n_embeddings=6)
    return [ForestInstance(full, lambda request: 0.0), *drawn(forest_instances(max_P=8), count)]


def descend(name: Name, tree: int, d: int, K: int) -> Node:
    """Return the node (h, i) of a tree, whose root is (0, tree)."""
    h, i = name
    node = Node(0, tree, (0,) * d, 0)
    for level in reversed(range(h)):
        node = children(node, K)[i // K**level % K]
    return node


def objective(instance: Instance) -> Objective:
    """Return the oracle as a function of the first node with a base point."""
    s, g = instance
    return cache(lambda name, p: g(descend(name, 0, s.d, s.K), p))


def forest_objective(instance: ForestInstance) -> Objective:
    """Return the values of a forest as a function of the first node with a base point."""
    s = instance.settings

    def g(name: Name, p: int) -> float:
        tree = p - 1
        return instance.g(TreePoint(descend(name, tree, s.trees[tree].d, s.K), tree))

    return cache(g)


def by_the_package(instance: Instance) -> oracle.Trace:
    """Run the package."""
    return package.run(instance.settings, objective(instance))


@lru_cache(maxsize=200)
def by_the_model(instance: Instance) -> oracle.Trace:
    """Run the model of Rocq."""
    return oracle.run(instance.settings, objective(instance))


@lru_cache(maxsize=200)
def forest_by_the_model(instance: ForestInstance) -> oracle.Trace:
    """Run the model of the forest, which has no local search."""
    return oracle.run_forest(instance.settings, forest_objective(instance))
