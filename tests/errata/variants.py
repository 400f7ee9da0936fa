"""Algorithm 1 read in other ways, for counterexamples: `brute_force` with one line changed."""

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType

from paper import brute_force
from paper.brute_force import Node, Point, Run, squared_norm

BasePoint = Callable[[Node], Point]
Leaves = dict[Node, float]


def variant(old: str, new: str, helper: Callable[..., object]) -> Callable[..., Run]:
    """Return `algorithm_1` with the text `old` replaced by `new`, which calls the helper."""
    source = inspect.getsource(brute_force)
    assert source.count(old) == 1
    module = ModuleType("variant")
    vars(module)[helper.__name__] = helper
    exec(compile(source.replace(old, new), "variant", "exec"), vars(module))
    algorithm_1: Callable[..., Run] = vars(module)["algorithm_1"]
    return algorithm_1


def depths_read_again(leaves: Leaves, h_max: int) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read again after each visit."""
    l = 0
    while l <= min(max(h for h, _ in leaves), h_max):
        yield l
        l += 1


def classes_read_again(leaves: Leaves, l: int, base_point: BasePoint) -> Iterator[set[Node]]:
    """Yield the j-th class of the leaves of depth l at that moment, for j = 1, 2, ..."""
    j = 0
    while True:
        norms = {node: squared_norm(base_point(node)) for node in leaves if node[0] == l}
        gammas = sorted(set(norms.values()), reverse=True)
        if j >= len(gammas):
            return
        yield {node for node in norms if norms[node] == gammas[j]}
        j += 1


def strictly_smaller(leaves: Leaves, l: int, base_point: BasePoint) -> Iterator[set[Node]]:
    """Yield the leaves of depth l that the sentence of the text expands, largest norm first.

    The f* of such a leaf is strictly smaller than that of every leaf of smaller depth and of every
    other leaf of its depth whose norm is greater or equal, when the visit begins.
    """
    before = dict(leaves)
    norms = {node: squared_norm(base_point(node)) for node in before if node[0] == l}
    for node in sorted(norms, key=lambda node: (-norms[node], node)):
        others = {x for x in norms if x != node and norms[x] >= norms[node]}
        others |= {x for x in before if x[0] < l}
        if all(before[node] < before[x] for x in others):
            yield {node}


WITH_THE_BOUND_READ_AGAIN = variant(
    "range(min(max(h for h, _ in leaves), h_max) + 1)",
    "depths_read_again(leaves, h_max)",
    depths_read_again,
)
WITH_THE_CLASSES_READ_AGAIN = variant(
    "for L_j in classes:",
    "for L_j in classes_read_again(leaves, l, base_point):",
    classes_read_again,
)
BY_THE_TEXT = variant(
    "for L_j in classes:\n",
    "for L_j in strictly_smaller(leaves, l, base_point):\n                nu_min = None\n",
    strictly_smaller,
)
"""The test of line 6 is passed by each leaf that `strictly_smaller` yields."""
