"""Attacks on the claims about the policy forest, beyond the paper."""

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Any

import numpy as np

from attacks.runs import (
    ETAS,
    LEVELS,
    Name,
    drawn_settings,
    drawn_values,
    half_widths,
    nodes,
    point,
    run,
    triangle,
)
from attacks.search import Draw, attack
from attacks.test_on_analysis import drawn_block
from attacks.test_on_embeddings import drawn_function
from embedded_hunter.forest.constants import CONSTANTS, Constants
from embedded_hunter.forest.model import QuadraticModel
from embedded_hunter.forest.search import ForestVisit, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.regret import end_to_end_bound, forest_sweeps_to_expand
from spec.algorithm.brute_force_forest import Forest as ForestOfTheRules


def within(node: Name, K: int) -> tuple[int, Name]:
    """Return the tree of a node, and its name there."""
    h, i = node
    return i // K**h, (h, i % K**h)


@dataclass
class Step:
    """A visit of the forest, or a generation of a local search."""

    sweep: int
    t: int
    l: int
    local: bool
    kept: dict[Name, float] | None
    """The leaves of the forest, with their values, if they were kept."""
    expanded: list[tuple[Name, float]]
    evaluated: list[tuple[Name, int, float]]

    @property
    def before(self) -> dict[Name, float]:
        """The leaves of the forest, with their values."""
        assert self.kept is not None, "the run does not keep the leaves"
        return self.kept


@dataclass
class Forest:
    """A run of a forest. The values of the forest are g(p, y), y in units of R / K^12."""

    settings: ForestSettings
    steps: list[Step]
    answer: float
    leaves: dict[Name, float]

    @property
    def made(self) -> int:
        return sum(len(step.evaluated) for step in self.steps)

    def zero(self, node: Name) -> bool:
        """Return whether the base point of a node is the zero vector."""
        return not any(point(within(node, self.settings.K)[1], self.settings.d, self.settings.K))

    def sweeps(self) -> list[list[Step]]:
        """Return the visits of each complete sweep of the forest."""
        own = [step for step in self.steps if not step.local and step.sweep]
        last = max((step.sweep for step in own), default=0)
        found = [[step for step in own if step.sweep == s] for s in range(1, last + 1)]
        if found and self.made == self.settings.v and not self.steps[-1].local:
            found.pop()
        return found


def drawn_forest_settings(draw: Draw, **given: Any) -> ForestSettings:
    """Draw settings of a forest."""
    d = given.get("d") or draw.integer("d", 1, 2)
    h_max = given["h_max"] if "h_max" in given else draw.integer("h_max", 0, 3)
    class_rule: Any = given.get("class_rule") or draw.choice("class_rule", ["depth", "norm"])
    return ForestSettings(
        d,
        d,
        given.get("v") or draw.size("v", 1, 80),
        eta=draw.choice("eta", ETAS),
        K=given.get("K") or draw.choice("K", [3, 5]),
        h_max=h_max,
        n_embeddings=given.get("P") or draw.integer("P", 1, 4),
        class_rule=class_rule,
        separate_origin=(
            given["separate_origin"] if "separate_origin" in given else draw.flag("separate_origin")
        ),
        refine=given["refine"] if "refine" in given else draw.flag("refine"),
    )


def forest_run(
    settings: ForestSettings, g: Any, local: Any, *, leaves_before: bool = False,
    sweeps: float = math.inf,
) -> Forest:  # fmt: skip
    """Run a forest, or its first sweeps: g(p, y) is the value in tree p - 1, local() the next one
    of a local search."""
    d, K = settings.d, settings.K
    generator = hunt_forest(settings)
    visit = next(generator)
    steps: list[Step] = []
    while True:
        assert isinstance(visit, ForestVisit)
        kept = None
        if leaves_before:
            kept = {(leaf.h, leaf.i): leaf.f_star for leaf in visit.tree.leaves()}
        evaluated = []
        for node, p in visit.evaluations:
            name = (node.h, node.i)
            if visit.local is not None:
                evaluated.append((name, p, local()))
            else:
                evaluated.append((name, p, g(p, point(within(name, K)[1], d, K))))
        expanded = [((leaf.h, leaf.i), leaf.f_star) for leaf, _ in visit.expansions]
        steps.append(
            Step(visit.sweep, visit.t, visit.l, visit.local is not None, kept, expanded,
                 evaluated)
        )  # fmt: skip
        answer = None
        try:
            visit = generator.send([value for _, _, value in evaluated])
        except StopIteration as end:
            answer = end.value
        if answer is None and visit.sweep > sweeps:
            answer = min(value for step in steps for _, _, value in step.evaluated)
        if answer is not None:
            leaves = {(leaf.h, leaf.i): leaf.f_star for leaf in visit.tree.leaves()}
            return Forest(settings, steps, answer, leaves)


def drawn_forest(draw: Draw, *, leaves_before: bool = False, **given: Any) -> Forest:
    """Draw settings and values, the same for all trees at the zero vector, and run the forest."""
    settings = drawn_forest_settings(draw, **given)
    values = drawn_values(draw, settings.K)

    def g(p: int, y: tuple[int, ...]) -> float:
        return values(y, p if any(y) else 1)

    def of_local_search() -> float:
        return float(draw._choose(-2, 9))

    return forest_run(settings, g, of_local_search, leaves_before=leaves_before)


@attack("forest-queues")
def test_a_sweep_expands_a_node_of_the_queue_no_deeper_and_no_greater(draw: Draw) -> bool:
    """Let o be a leaf at the start of a sweep that visits its depth: the sweep expands a leaf of
    o's queue that is no deeper than o and whose value is no greater."""
    found = drawn_forest(draw, leaves_before=True)
    apart = found.settings.separate_origin

    def queue(node: Name) -> bool:
        return apart and found.zero(node)

    for sweep in found.sweeps():
        expanded = [(n, x) for step in sweep for n, x in step.expanded]
        deepest = max(step.l for step in sweep)
        for o, value in sweep[0].before.items():
            if o[0] <= deepest and not any(
                n[0] <= o[0] and x <= value and queue(n) == queue(o) for n, x in expanded
            ):
                return False
    return True


@attack("forest-zero-vector-once")
def test_the_zero_vector_is_evaluated_once_by_all_trees(draw: Draw) -> bool:
    """The P trees evaluate the zero vector exactly once, together, at the start."""
    found = drawn_forest(draw)
    own = [(k, name) for k, step in enumerate(found.steps) if not step.local
           for name, _, _ in step.evaluated]  # fmt: skip
    return [k for k, name in own if found.zero(name)] == [0]


@attack("forest-evaluated-once")
def test_no_base_point_is_evaluated_twice_in_a_tree(draw: Draw) -> bool:
    """No base point is evaluated twice with the embedding of one tree."""
    found = drawn_forest(draw)
    s = found.settings
    count = Counter(
        (p, point(within(name, s.K)[1], s.d, s.K))
        for step in found.steps
        if not step.local
        for name, p, _ in step.evaluated
    )
    return max(count.values()) == 1


@attack("forest-budget-exact", "forest-termination")
def test_a_forest_uses_its_budget_exactly_or_is_full(draw: Draw) -> bool:
    """A run makes at most v evaluations, and exactly v unless all leaves of all trees are deeper
    than h_max; its answer is the least of the values; it ends within v sweeps."""
    found = drawn_forest(draw)
    v, full = found.settings.v, all(h > found.settings.h_max for h, _ in found.leaves)
    values = [value for step in found.steps for _, _, value in step.evaluated]
    return (
        found.made <= v
        and (found.made == v or full)
        and found.answer == min(values)
        and max(step.sweep for step in found.steps) <= v
    )


@attack("forest-algorithm-1")
def test_a_forest_of_one_tree_with_norm_classes_is_algorithm_1(draw: Draw) -> bool:
    """With P = 1, one queue and norm classes the forest does what Algorithm 1 does with M = 0,
    event by event."""
    settings = drawn_settings(draw, M=0)
    g = drawn_values(draw, settings.K, infinite=True)
    other = ForestSettings(
        settings.d, settings.d, settings.v, eta=settings.eta, K=settings.K, h_max=settings.h_max,
        n_embeddings=1, class_rule="norm", separate_origin=False, refine=False,
    )  # fmt: skip
    one = run(settings, g)
    forest = forest_run(other, lambda p, y: g(y, p), None)
    theirs = [(v.sweep, v.t, v.l, v.expanded, [(e.node, e.p, e.value) for e in v.evaluated])
              for v in one.visits]  # fmt: skip
    ours = [(s.sweep, s.t, s.l, s.expanded, s.evaluated) for s in forest.steps]
    return theirs == ours and one.answer == forest.answer and one.leaves == forest.leaves


class Instance:
    """A forest with values of all nodes, a tree q and a branch of it."""

    def __init__(self, draw: Draw, *, default: bool) -> None:
        given: dict[str, Any] = {"separate_origin": True, "class_rule": "depth"} if default else {}
        self.h_max = draw.integer("h_max", 0, 2)
        self.settings = drawn_forest_settings(draw, K=3, h_max=self.h_max, v=900, P=None, **given)
        s = self.settings
        values = drawn_values(draw, 3)
        self.values = values
        self.P = s.n_embeddings
        self.q = draw.integer("tree", 0, self.P - 1)
        self.h = draw.integer("h", 0, self.h_max)
        self.o: list[Name] = [(0, 0)]
        for level in range(self.h_max + 1):
            self.o.append((level + 1, 3 * self.o[-1][1] + draw.integer(f"digit {level}", 0, 2)))
        self.eps = [self.value(self.q, n) + draw.integer(f"slack {k}", 0, 1)
                    for k, n in enumerate(self.o)]  # fmt: skip

    def g(self, p: int, y: Any) -> float:
        """Return the value of a base point of tree p - 1; that of the zero vector is common."""
        return self.values(y, p if any(y) else 1)

    def value(self, q: int, node: Name) -> float:
        """Return the value of a node of tree q."""
        return float(self.g(q + 1, point(node, self.settings.d, 3)))

    def zero(self, node: Name) -> bool:
        return not any(point(node, self.settings.d, 3))

    def S(self) -> int:
        """Return S_h: the near-optimal nodes of all trees in the queues of the branch.

        A node of depth k counts if its value is at most the greatest eps_l, k <= l <= h, over those
        nodes o_l of the branch that are in its queue.
        """
        apart, total = self.settings.separate_origin, 0
        for k in range(self.h + 1):
            most = {
                own: max((self.eps[l] for l in range(k, self.h + 1)
                          if (apart and self.zero(self.o[l])) == own), default=-math.inf)
                for own in (False, True)
            }  # fmt: skip
            for node in nodes(k, 3):
                limit = most[apart and self.zero(node)]
                total += sum(self.value(q, node) <= limit for q in range(self.P))
        return total

    def global_name(self, node: Name) -> Name:
        """Return the name of a node of the tree in the forest."""
        return node[0], self.q * 3 ** node[0] + node[1]

    def run(self, draw: Draw, sweeps: int) -> Forest:
        """Run the first sweeps of the forest."""
        return forest_run(self.settings, self.g, lambda: float(draw._choose(-2, 9)), sweeps=sweeps)


@attack("forest-lemma-1")
def test_lemma_1_for_forests(draw: Draw) -> bool:
    """The optimal node of depth h <= h_max of any tree is expanded within S_h complete sweeps,
    so within (h_max + 1) S_h iterations; the computed S_h is this number, and with the default
    queues at most P (h + 1) and the near-optimal nodes whose base point is not zero."""
    instance = Instance(draw, default=draw.flag("default"))
    S, h, s = instance.S(), instance.h, instance.settings
    found = instance.run(draw, S)
    o = instance.global_name(instance.o[h])
    own = [step for step in found.steps if not step.local]
    at = next((k for k, step in enumerate(own) if o in dict(step.expanded)), None)
    if at is None:
        return found.made == s.v and len(found.sweeps()) < S
    draw.target(own[at].sweep / S)
    if own[at].sweep > S or at > (instance.h_max + 1) * S:
        return False
    if s.separate_origin:
        values = [
            np.array([[instance.value(q, n) for n in nodes(k, 3)] for q in range(instance.P)])
            for k in range(h + 1)
        ]
        last_zero = sum(instance.zero(n) for n in instance.o[: h + 1]) - 1
        if forest_sweeps_to_expand(values, 0, instance.eps[: h + 1], last_zero)[h] != S:
            return False
        near = sum(
            instance.value(q, n) <= max(instance.eps[k : h + 1])
            for k in range(h + 1) for q in range(instance.P) for n in nodes(k, 3)
            if not instance.zero(n)
        )  # fmt: skip
        return instance.P * (h + 1) + near >= S
    return True


@attack("forest-theorem-2")
def test_theorem_2_for_forests(draw: Draw) -> bool:
    """After S_h complete sweeps, and ever after, the least value is at most f* + eps_(h+1), for the
    branch of each tree, with or without refinement."""
    instance = Instance(draw, default=draw.flag("default"))
    S, eps = instance.S(), instance.eps[instance.h + 1]
    found = instance.run(draw, S)
    sweeps = found.sweeps()
    if len(sweeps) < S and found.made == found.settings.v:
        return True
    last = sweeps[min(S, len(sweeps)) - 1][-1].t
    best = min(x for step in found.steps if step.t <= last for _, _, x in step.evaluated)
    return best <= eps


class Embedded:
    """A forest over drawn matrices, R = d / eta with eta = 1/2, and a Lipschitz function."""

    def __init__(self, draw: Draw, *, refine: bool) -> None:
        self.d, self.d_e = draw.integer("d", 1, 2), draw.integer("d_e", 1, 2)
        self.P, self.h_max = draw.integer("P", 1, 3), draw.integer("h_max", 0, 2)
        self.settings = ForestSettings(self.d, self.d, 900, eta=0.5, K=3, h_max=self.h_max,
                                       n_embeddings=self.P, refine=refine)  # fmt: skip
        self.R = float(self.settings.radius)
        size = draw.choice("size of B", [0.3, 0.1, 1.0])
        self.B = [drawn_block(draw, f"B_{p + 1}", self.d_e, self.d, size) for p in range(self.P)]
        f, self.L = drawn_function(draw, self.d_e)
        # f* is the least value that the bound may use: a lower bound of all values is enough
        grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 9)] * self.d_e), -1).reshape(-1, self.d_e)
        self.f, self.f_star = f, float(np.min(f(grid))) - self.L * 0.25 * math.sqrt(self.d_e)

    def value(self, p: int, y: Any) -> float:
        return float(self.f(np.clip(self.B[p] @ y, -1, 1)))

    def at(self, node: Name) -> Any:
        return np.array(point(node, self.d, 3)) / 3**LEVELS * self.R

    def radius(self, h: int) -> float:
        return math.hypot(*[w / 3**LEVELS * self.R for w in half_widths(h, self.d, 3)])


@attack("forest-regret-bound")
def test_the_regret_bound_of_a_forest(draw: Draw) -> bool:
    """After P (h + 1) complete sweeps and one more for each near-optimal node of depth at most h of
    the P trees, the regret is at most (g_t(y) - f*) + L ||B_t|| r_(h+1), for each tree t and y."""
    instance = Embedded(draw, refine=draw.flag("refine"))
    t, h = draw.integer("t", 0, instance.P - 1), draw.integer("h", 0, instance.h_max)
    y = instance.R * np.array(draw.reals("y / R", instance.d, -1, 1))
    gap = instance.value(t, y) - instance.f_star
    norm = float(np.linalg.norm(instance.B[t], 2))
    eps = [gap + instance.L * norm * instance.radius(k) + 1e-9 for k in range(h + 2)]
    near = sum(
        instance.value(p, instance.at(n)) - instance.f_star <= eps[k]
        for k in range(h + 1) for p in range(instance.P) for n in nodes(k, 3)
    )  # fmt: skip
    S = instance.P * (h + 1) + near
    found = forest_run(
        instance.settings,
        lambda p, y: instance.value(p - 1, np.array(y) / 3**LEVELS * instance.R),
        lambda: instance.f_star + 100, sweeps=S,
    )  # fmt: skip
    sweeps = found.sweeps()
    if len(sweeps) < S and found.made == found.settings.v:
        return True
    last = sweeps[min(S, len(sweeps)) - 1][-1].t
    best = min(x for s in found.steps if s.t <= last for _, _, x in s.evaluated) - instance.f_star
    draw.target(best / eps[h + 1])
    return best <= eps[h + 1]


def distances(B: list[Any], R: float, x_star: Any) -> Callable[[int, Any], float]:
    """Return (p, y) -> ||clip(B_p y) - x*||, y in units of R / K^12, K = 3."""
    goal = x_star.tolist()
    blocks = [[[b * R / 3**LEVELS for b in row] for row in block.tolist()] for block in B]

    def f(p: int, y: tuple[int, ...]) -> float:  # plain floats: numpy is slow for so few numbers
        x = [sum(map(mul, row, y)) for row in blocks[p - 1]]
        return math.dist([min(max(t, -1.0), 1.0) for t in x], goal)

    return f


@attack("forest-coverage", "end-to-end")
def test_a_forest_finds_an_optimum_that_one_embedding_covers(draw: Draw) -> bool:
    """If one of P embeddings covers the optimiser, then a run that fills the trees to depth h +
    1 has a regret of at most L ||B|| r_(h+1) (d = d_e, f between cones)."""
    d, P, h_max = draw.integer("d", 1, 2), draw.integer("P", 1, 3), draw.integer("h_max", 0, 3)
    settings = ForestSettings(d, d, 10**5, eta=0.5, K=3, h_max=h_max, n_embeddings=P, refine=False)
    R = float(settings.radius)
    B = [drawn_block(draw, f"B_{p + 1}", d, d, draw.choice("size", [0.3, 1.0])) for p in range(P)]
    q = draw.integer("tree that covers", 0, P - 1)
    y_star = R * np.array(draw.reals("y* / R", d, -1, 1))
    x_star = np.clip(B[q] @ y_star, -1, 1)
    found = forest_run(settings, distances(B, R, x_star), None)
    norm = float(np.linalg.norm(B[q], 2))
    halves = [w / 3**LEVELS * R for w in half_widths(h_max + 1, d, 3)]
    bound = norm * math.hypot(*halves)
    draw.target(found.answer / (bound + 1e-300))
    return found.made < settings.v and found.answer <= bound + 1e-12


@attack("end-to-end")
def test_the_end_to_end_bound_on_its_event(draw: Draw) -> bool:
    """Where some matrix covers x* and has a norm of at most sigma (2 sqrt(d) + t), and all least
    singular values exceed a sigma, the regret after v evaluations is at most the stated one."""
    d, P = draw.integer("d", 1, 2), draw.integer("P", 1, 3)
    h_max, v = draw.integer("h_max", 0, 4), draw.size("v", 1, 3000)
    t, a = draw.real("t", 0, 2), draw.real("a", 0.05, 1)
    sigma = draw.choice("sigma", [0.1, 0.3, 1.0])
    settings = ForestSettings(d, d, v, eta=0.5, K=3, h_max=h_max, n_embeddings=P, sigma=sigma,
                              refine=False)  # fmt: skip
    R = float(settings.radius)
    B = [sigma * drawn_block(draw, f"B_{p + 1} / sigma", d, d, 3.0) for p in range(P)]
    singular = [np.linalg.svd(block, compute_uv=False) for block in B]
    q = draw.integer("tree that covers", 0, P - 1)
    y_star = R * np.array(draw.reals("y* / R", d, -1, 1))
    x_star = B[q] @ y_star
    room = 1 - float(np.max(abs(x_star)))
    draw.assume(room > 1e-6 and singular[q][0] <= sigma * (2 * math.sqrt(d) + t))
    draw.assume(all(s[-1] > a * sigma for s in singular))
    bound = end_to_end_bound(
        v, coverage=0.9, P=P, d=d, K=3, R=R, sigma=sigma, h_max=h_max, lipschitz=1.0, growth=1.0,
        room=room, t=t, least=a,
    )  # fmt: skip
    found = forest_run(settings, distances(B, R, x_star), None)
    draw.target(found.answer / bound.regret)
    return found.answer <= bound.regret * (1 + 1e-9)


@attack("forest-rules")
def test_the_run_of_a_forest_without_refinement_is_that_of_its_rules(draw: Draw) -> bool:
    """For each g, with values in a total order, the forest without refinement makes the one run
    that its rules allow: the evaluations and the leaves of a second program, written from the
    rules."""
    settings = drawn_forest_settings(draw, refine=False)
    values = drawn_values(draw, settings.K, infinite=True)
    unit = settings.K**LEVELS

    def g(p: int, y: Any) -> float:
        return values(y, p if any(y) else 1)

    found = forest_run(settings, g, None)
    other = ForestOfTheRules(
        lambda k, p, y: g(p, tuple(int(t * unit) for t in y)), P=settings.n_embeddings,
        d=settings.d, K=settings.K, h_max=settings.h_max, v=settings.v,
        class_rule=settings.class_rule, separate_origin=settings.separate_origin, refine=False,
    )  # fmt: skip
    made = [value for step in found.steps for _, _, value in step.evaluated]
    return made == other.values and found.leaves == other.forest


@attack("forest-refinement-share")
def test_refinement_makes_no_more_evaluations_than_the_forest_and_one_ask(
    draw: Draw,
) -> bool:
    """After every sweep of the forest refinement has made at most as many evaluations as the forest
    and B more, B the most of one generation; the answer is at most that of the forest alone
    with a budget w, 2 w + B <= v."""
    settings = drawn_forest_settings(draw, refine=True)
    values = drawn_values(draw, settings.K)

    def g(p: int, y: Any) -> float:
        return values(y, p if any(y) else 1)

    def of_local_search() -> float:
        return float(draw._choose(-2, 9))

    found = forest_run(settings, g, of_local_search)
    own = made = B = 0
    shares = []
    for step in found.steps:
        if step.local:
            made, B = made + len(step.evaluated), max(B, len(step.evaluated))
        else:
            if step.l == 0:
                shares.append((made, own))
            own += len(step.evaluated)
    if any(refined > forest + B for refined, forest in [*shares, (made, own)]):
        return False
    w = (settings.v - B) // 2
    if w < 1:
        return True
    names = ("eta", "K", "h_max", "n_embeddings", "class_rule", "separate_origin")
    given: dict[str, Any] = {name: getattr(settings, name) for name in names}
    alone = ForestSettings(settings.d, settings.d, w, refine=False, **given)
    return found.answer <= forest_run(alone, g, None).answer


@attack("forest-sweeps")
def test_the_evaluations_of_sweeps_of_a_forest(draw: Draw) -> bool:
    """With one class for each depth and queue, S sweeps make at most E(S) = 1 + (K - 1) (min(1,
    h_max + 1) + ... + min(S, h_max + 1)) evaluations. All evaluations up to the end of sweep S are
    at most E(S) + E(S - 1) + B - 1, B >= 1 the most of one generation, and at most E(S) for
    S <= P."""
    found = drawn_forest(draw, class_rule="depth")
    s = found.settings
    sweeps = max(step.sweep for step in found.steps if not step.local)
    E = [1 + (s.K - 1) * triangle(S, s.h_max) for S in range(sweeps + 1)]
    made = own = asked = 0
    B = 1
    ends = {0: (0, 0)}  # sweep: the evaluations of the forest, and all, up to its end
    for step in found.steps:
        made += len(step.evaluated)
        if step.local:
            asked = len(step.evaluated) + (asked if step.l else 0)
            B = max(B, asked)
        else:
            own += len(step.evaluated)
            ends[step.sweep] = own, made
    for S, (forest, both) in ends.items():
        draw.target(forest / E[S])
        more = E[S - 1] + B - 1 if s.n_embeddings < S else 0
        if forest > E[S] or both > E[S] + more:
            return False
    return True


@attack("forest-sweeps")
def test_falling_values_cost_as_many_evaluations_as_stated(draw: Draw) -> bool:
    """With one class for each depth and queue, no local search and values each of which is less
    than all before it, S <= P sweeps make E(S) evaluations."""
    P, h_max = draw.integer("P", 1, 12), draw.integer("h_max", 0, 6)
    K = draw.choice("K", [3, 5])
    v = 2 + (K - 1) * triangle(P, h_max)
    settings = drawn_forest_settings(
        draw, P=P, h_max=h_max, K=K, v=v, class_rule="depth", refine=False
    )
    values = itertools.count(0, -1)
    made = dict.fromkeys(range(P + 1), 1)
    total = 0
    for step in forest_run(settings, lambda p, y: next(values), None, sweeps=P).steps:
        total += len(step.evaluated)
        made[step.sweep] = total
    return all(made[S] == 1 + (K - 1) * triangle(S, h_max) for S in range(P + 1))


@attack("local-search-step")
def test_a_step_of_the_model_lowers_a_quadratic_function(draw: Draw) -> bool:
    """If the model is a quadratic function that is bounded below, its step lowers the function,
    unless the best point is a minimiser. If the damped minimiser lies in the trust region, the
    excess falls to at most (delta kappa / (1 + delta kappa))^2 of its value."""
    d = draw.integer("d", 1, 4)
    rank = draw.integer("r", 1, d)
    curvatures = 10.0 ** np.array(draw.integers("decades of the curvatures", rank, -3, 3))
    axes = np.linalg.qr(drawn_block(draw, "axes", d, d))[0][:, :rank]
    size = draw.choice("size", [1.0, 0.1, 30.0, 1e5])
    # in the coordinates of the axes, from the best point
    minimiser = size * np.array(draw.reals("minimiser / size", rank, -1, 1))
    draw.assume(minimiser.any())
    radius = draw.choice("radius", [1.0, 0.3, 3.0])
    delta = draw.choice("delta", [CONSTANTS.damping, 0.001, 0.3])
    H = (axes * curvatures) @ axes.T
    model = QuadraticModel(-H @ (axes @ minimiser), H)
    step = model.trust_region_step(radius, Constants(damping=delta))

    before = float(curvatures @ minimiser**2)
    after = float(curvatures @ (axes.T @ step - minimiser) ** 2)
    if not after < before:
        return False
    greatest = float(curvatures.max())
    damped = curvatures / (curvatures + delta * greatest) * minimiser
    if np.linalg.norm(damped) > radius * (1 - 1e-9):  # out of the region, or too near its boundary
        return True
    ratio = delta * greatest / float(curvatures.min())
    bound = (ratio / (1 + ratio)) ** 2 * before
    draw.target(after / bound)
    return after <= bound * (1 + 1e-6)
