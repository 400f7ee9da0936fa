"""The Rocq models as oracles: what Algorithm 1 and the forest do, event by event.

`extracted/model.txt` and `extracted/forest_model.txt` are the models themselves, in Python. Rocq
computes with numbers digit by digit; here Python's integers take over through the one-liners of
`NATIVE`, and nothing else is replaced. `native=False` leaves Rocq's own arithmetic in place, with
which each one-liner is compared. Nothing enters between the sweeps of the forest (no refinement).
"""

import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings

Name = tuple[int, int]
"""A node (h, i)."""

Objective = Callable[[Name, int], float]
"""g(name, p): the value of the p-th evaluation of a base point, named by the first node with it."""

NATIVE: dict[str, Callable[..., Any]] = {
    "Nat_add": operator.add,
    "Nat_mul": operator.mul,
    "Nat_sub": lambda n, m: max(n - m, 0),
    "PeanoNat_Nat_sub": lambda n, m: max(n - m, 0),
    "PeanoNat_Nat_eqb": operator.eq,
    "PeanoNat_Nat_leb": operator.le,
    "PeanoNat_Nat_ltb": operator.lt,
    "PeanoNat_Nat_max": max,
    "PeanoNat_Nat_min": min,
    "PeanoNat_Nat_div": lambda n, m: n // m if m else 0,
    "PeanoNat_Nat_modulo": lambda n, m: n % m if m else n,
    "BinInt_Z_add": operator.add,
    "BinInt_Z_sub": operator.sub,
    "BinInt_Z_mul": operator.mul,
    "BinInt_Z_opp": operator.neg,
    "BinInt_Z_pow": lambda x, y: x**y if y >= 0 else 0,
    "BinInt_Z_eqb": operator.eq,
    "BinInt_Z_leb": operator.le,
    "BinInt_Z_ltb": operator.lt,
    "BinInt_Z_of_nat": lambda n: n,
}

Event = tuple[Any, ...]
"""What happens: ("sweep", lim), ("visit", l), ("expand", node, nu_min), or
("evaluate", node, numerators of its base point, p, value)."""


@dataclass
class Trace:
    """Everything that a run does and ends with."""

    events: list[Event]
    answer: float
    evaluations: int
    t: int
    sweeps: int
    depth: int
    leaves: list[tuple[Name, float, int]]  # node, f*, count; from left to right in Y


def load(*, native: bool = True) -> ModuleType:
    """Return a new copy of the model of Algorithm 1, with or without Python's integers."""
    model = copy_of("model")
    if native:
        for name, function in NATIVE.items():
            if not hasattr(model, name):
                raise AttributeError(f"the model has no function {name} to replace")
            setattr(model, name, function)
    return model


def load_forest() -> ModuleType:
    """Return a new copy of the model of the forest, which imports a copy from `load`."""
    with patch.dict(sys.modules, {"model": load()}):
        return copy_of("forest_model")


def copy_of(name: str) -> ModuleType:
    """Return a new module made from an extracted text."""
    path = Path(__file__).parent / "extracted" / f"{name}.txt"
    module = ModuleType(name)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
    return module


MODEL, FOREST = load(), load_forest()


def run(s: Settings, g: Objective) -> Trace:
    """Run the model of Algorithm 1."""
    k = s.K // 2

    def name(path: Any) -> Name:
        return len(listed(path)), MODEL.index(k, path)

    config = (k, s.d, s.h_max, s.v, *s.cap.as_integer_ratio())
    with deep_recursion():
        state = MODEL.hunt(operator.lt, lambda path, p: g(name(path), p), config)
    return trace_of(state, name, lambda path: MODEL.numerators(k, s.d, path))


def run_forest(s: ForestSettings, g: Objective) -> Trace:
    """Run the model of the forest; an objective's p is the number of the tree, plus 1."""
    K, P, k = s.K, s.n_embeddings, s.K // 2
    dimensions = [tree.d for tree in s.trees]
    several = sorted(set(dimensions))
    turns = several if len(several) > 1 else []  # the dimensions that have sweeps of their own

    def name(path: Any) -> Name:
        return len(listed(path)) - 1, FOREST.index(k, path)

    def value(tree: int, inner: Any) -> float:
        h = len(listed(inner))
        return g((h, tree * K**h + FOREST.index(k, inner)), tree + 1)

    def later(state: Any, path: Any) -> float:
        raise AssertionError(f"nothing enters, but {name(path)} is evaluated")

    # Of the first part the dimension 0 and the cap (0, 1) are not read.
    config = ((k, 0, s.h_max, s.v, 0, 1), dimensions.__getitem__, linked(turns))
    queue, rank = partial(FOREST.separate_origin, P), FOREST.one_class
    with deep_recursion():
        state = FOREST.hunt(operator.lt, config, P, value, later, FOREST.nothing, queue, rank)

    def numerators(path: Any) -> Any:
        return FOREST.numerators(k, dimensions[FOREST.tree_of(path)], FOREST.inner()(path))

    return trace_of(state, name, numerators)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let functions call themselves 100,000 times: Rocq's lists are walked by recursion."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def trace_of(state: Any, name: Callable[[Any], Name], numerators: Callable[[Any], Any]) -> Trace:
    """Return what the last state of a run tells; its log stands last."""
    leaves, _, answer, made, t, sweeps, *_, log = state
    events: list[Event] = []
    for kind, *arguments in reversed(listed(log)):
        if kind in ("Expand", "Evaluate"):
            path, *rest = arguments
            arguments = [name(path), *rest]
            if kind == "Evaluate":
                arguments.insert(1, tuple(listed(numerators(path))))
        events.append((kind.lower(), *arguments))
    found = [(name(place), best, count) for _, place, _, best, count in listed(leaves)]
    depth = max(node[0] for node, _, _ in found)
    return Trace(events, answer, made, t, sweeps, depth, found)


def listed(coq_list: Any) -> list[Any]:
    """Turn () and (head, tail) into a Python list."""
    items = []
    while coq_list:
        head, coq_list = coq_list
        items.append(head)
    return items


def linked(items: Iterable[Any]) -> Any:
    """Turn Python's items into () and (head, tail)."""
    coq_list: Any = ()
    for item in reversed([*items]):
        coq_list = item, coq_list
    return coq_list
