"""The two policies of Algorithm 1: ``fresh``, as the paper has it, and ``indexed``."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from embedded_hunter.hunter import Evaluation, Visit, hunt
from embedded_hunter.matrices import Key
from embedded_hunter.node import Node, may_be_evaluated
from embedded_hunter.projection import Fresh, Indexed
from embedded_hunter.run.events import Class, Evaluate, Event, Fate, Sweep, events_of_a_depth
from embedded_hunter.run.policy import AnyHunt, Origin, Policy, narrows_in_on_the_boundary
from embedded_hunter.settings import MatrixPolicy, Settings


class Algorithm1(Policy[Settings]):
    """Common parts of both policies: all but the matrices."""

    name: ClassVar[MatrixPolicy]
    settings = Settings
    reaches_farther = "sigma"

    def make(self, n: int, d: int | None, v: int, **given: Any) -> Settings:
        if d is None:
            raise TypeError(
                f"policy {self.name!r} needs d, the dimension of the search space: an integer from "
                "1 to n"
            )
        return Settings(n, d, v, policy=self.name, **given)

    def from_json(self, written: Mapping[str, object]) -> Settings:
        """Return the parameters. What no decision depends on may be missing."""
        completed = {"n": written.get("d"), "sigma": None, "sampler": "norm", **written}
        return Settings.from_json(completed | {"policy": self.name})

    def run(self, settings: Settings, key: Key, rows: int) -> AnyHunt:
        return hunt(settings)

    def trees(self, settings: Settings) -> tuple[Settings]:
        return (settings,)

    def narrate(self, settings: Settings, visit: Visit) -> Iterator[Event]:
        if visit.t == 0:
            yield _evaluation(visit.evaluations[0])
            return
        if visit.l == 0:
            yield Sweep(visit.sweep, min(visit.tree.depth, settings.h_max), None)
        classes = [Class([L_j], 0) for L_j in visit.tree.norm_classes(visit.l)]
        yield from events_of_a_depth(visit, classes, partial(_fate, settings), _evaluation)

    def origin(self, settings: Settings, request: Evaluation) -> Origin:
        h = request.node.h
        return Origin("tree", h, f"depth {h}", f"depth {h}" if h else "the zero vector")


def _fate(settings: Settings, child: Node) -> Fate:
    """Decide whether a child is evaluated; say how often its base point was, and may be."""
    past = child.evaluations
    if past == 0:
        return Fate(True)
    is_evaluated, m = may_be_evaluated(child, settings), -(-child.h // settings.d)
    sign, bound = "<=" if is_evaluated else ">", settings.cap * child.nrm / settings.K ** (2 * m)
    why = f"past evaluations of its base point: {past}, and {past}^2 {sign} (M ||y||)^2 = {bound}"
    return Fate(is_evaluated, why)


def _evaluation(request: Evaluation, why: str = "") -> Evaluate:
    node, p = request
    return Evaluate(request, node, node.h, node.i, node.c, p, why)


class FreshPolicy(Algorithm1):
    """A new matrix for each evaluation.

    It has no edge: only the norm of a base point matters, and each norm stands for points in all
    directions.
    """

    name: ClassVar[MatrixPolicy] = "fresh"
    says = "Policy: fresh, the paper's algorithm as printed."
    draws_in_order = True

    def points(self, settings: Settings, key: Key, rows: int, memory: int) -> Fresh:
        return Fresh(settings, key, rows)


class IndexedPolicy(Algorithm1):
    """The p-th evaluation of every base point has the same matrix."""

    name: ClassVar[MatrixPolicy] = "indexed"
    says = "Policy: indexed, the paper's algorithm with matrices that are kept."

    @property
    def parameters(self) -> frozenset[str]:
        return super().parameters - {"sampler"}

    def points(self, settings: Settings, key: Key, rows: int, memory: int) -> Indexed:
        return Indexed(settings, key, rows, memory)

    def at_edge(self, settings: Settings, asked: Sequence[Evaluation], k: int) -> bool:
        return narrows_in_on_the_boundary(asked[k].node, settings.K)
