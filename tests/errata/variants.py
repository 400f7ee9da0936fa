"""Algorithm 1 read in other ways, for counterexamples: the kit's program with one line changed."""

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from paper.definitions import KIT

Leaves = list[Any]
"""Nodes of the kit's program."""
Norm = Callable[[Any], Any]


def variant(old: str, new: str, helper: Callable[..., object]) -> Callable[..., float]:
    """Return `hunt` with the text `old` replaced by `new`, which calls the helper."""
    source = inspect.getsource(KIT)
    assert source.count(old) == 1
    module = ModuleType("variant")
    vars(module)[helper.__name__] = helper
    exec(compile(source.replace(old, new), "variant", "exec"), vars(module))
    hunt: Callable[..., float] = vars(module)["hunt"]
    return hunt


def depths_read_again(leaves: Leaves, h_max: int) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read again after each visit."""
    l = 0
    while l <= min(max(leaf.h for leaf in leaves), h_max):
        yield l
        l += 1


def classes_read_again(leaves: Leaves, l: int, norm: Norm) -> Iterator[Leaves]:
    """Yield the j-th class of the leaves of depth l at that moment, for j = 1, 2, ..."""
    j = 0
    while True:
        norms = {leaf: norm(leaf) for leaf in leaves if leaf.h == l}
        gammas = sorted(set(norms.values()), reverse=True)
        if j >= len(gammas):
            return
        yield [leaf for leaf in norms if norms[leaf] == gammas[j]]
        j += 1


def strictly_smaller(leaves: Leaves, l: int, norm: Norm) -> Iterator[Leaves]:
    """Yield the leaves of depth l that the sentence of the text expands, largest norm first.

    The f* of such a leaf is strictly smaller than that of every leaf of smaller depth and of every
    other leaf of its depth whose norm is greater or equal, when the visit begins.
    """
    before = {leaf: leaf.f_star for leaf in leaves}
    norms = {leaf: norm(leaf) for leaf in leaves if leaf.h == l}
    for leaf in sorted(norms, key=lambda leaf: (-norms[leaf], leaf.i)):
        others = {x for x in norms if x is not leaf and norms[x] >= norms[leaf]}
        others |= {x for x in before if x.h < l}
        if all(before[leaf] < before[x] for x in others):
            yield [leaf]


LOOP = "for norm in sorted(classes, reverse=True):\n                leaf = min(classes[norm], "
NORM = "lambda leaf: squared_norm(leaf, K, side)"
WITH_THE_BOUND_READ_AGAIN = variant(
    "for l in range(limit + 1):", "for l in depths_read_again(leaves, h_max):", depths_read_again
)
WITH_THE_CLASSES_READ_AGAIN = variant(
    LOOP,
    f"for L_j in classes_read_again(leaves, l, {NORM}):\n                leaf = min(L_j, ",
    classes_read_again,
)
BY_THE_TEXT = variant(
    LOOP,
    f"for L_j in strictly_smaller(leaves, l, {NORM}):\n                nu_min = None\n"
    "                leaf = min(L_j, ",
    strictly_smaller,
)
"""The test of line 6 is passed by each leaf that `strictly_smaller` yields."""
