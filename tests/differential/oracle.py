"""The Rocq model as an oracle: what Algorithm 1 does, event by event.

`extracted/model.txt` is the model itself, in Python. Rocq computes with numbers digit by
digit; here Python's integers take over through the one-liners of `NATIVE`, and nothing else is
replaced. `native=False` leaves Rocq's own arithmetic in place, with which each one-liner is
compared.
"""

import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

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


@dataclass(frozen=True)
class Instance:
    """The input of Algorithm 1; `cap` is (2 R M)^2."""

    K: int
    d: int
    h_max: int
    v: int
    cap: Fraction


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


_MODEL = load()


def run(instance: Instance, g: Objective, model: ModuleType = _MODEL) -> Trace:
    """Run the model."""
    K, d = instance.K, instance.d
    config = (K // 2, d, instance.h_max, instance.v, *instance.cap.as_integer_ratio())

    def name(path: Any) -> Name:
        digits = listed(path)
        return len(digits), model.index(K // 2, path)

    with deep_recursion():
        state = model.hunt(operator.lt, lambda path, p: g(name(path), p), config)
    return trace_of(state, name, lambda path: model.numerators(K // 2, d, path))


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
