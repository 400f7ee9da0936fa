"""The Rocq forest as an oracle: what the policy forest does, event by event.

`extracted/forest_model.txt` is the model of proofs/forest/Forest.v, in Python; see `oracle` for how
it computes.
Nothing enters between its sweeps (no refinement).
"""

import operator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from differential.oracle import (
    Name,
    Objective,
    Trace,
    deep_recursion,
    linked,
    listed,
    load_forest,
    trace_of,
)


@dataclass(frozen=True)
class ForestInstance:
    """The input of the policy forest; an objective's p is the number of the tree, plus 1.

    The trees have the dimensions in turns.
    """

    K: int
    dimensions: tuple[int, ...]
    h_max: int
    v: int
    P: int

    def d(self, tree: int) -> int:
        """Return the dimension of a tree."""
        return self.dimensions[tree % len(self.dimensions)]

    @property
    def turns(self) -> tuple[int, ...]:
        """The dimensions that have sweeps of their own, in order: none if there is one."""
        several = sorted({self.d(tree) for tree in range(self.P)})
        return tuple(several) if len(several) > 1 else ()


_FOREST = load_forest()


def run(instance: ForestInstance, g: Objective, model: ModuleType = _FOREST) -> Trace:
    """Run the model of the forest."""
    K, P = instance.K, instance.P
    k = K // 2
    # Of the first part the dimension 0 and the cap (0, 1) are not read.
    config = ((k, 0, instance.h_max, instance.v, 0, 1), instance.d, linked(instance.turns))

    def name(path: Any) -> Name:
        return len(listed(path)) - 1, model.index(k, path)

    def value(tree: int, inner: Any) -> float:
        h = len(listed(inner))
        return g((h, tree * K**h + model.index(k, inner)), tree + 1)

    def later(state: Any, path: Any) -> float:
        raise AssertionError(f"nothing enters, but {name(path)} is evaluated")

    queue, rank = partial(model.separate_origin, P), model.one_class
    with deep_recursion():
        state = model.hunt(operator.lt, config, P, value, later, model.nothing, queue, rank)

    def numerators(path: Any) -> Any:
        return model.numerators(k, instance.d(model.tree_of(path)), model.inner()(path))

    return trace_of(state, name, numerators)
