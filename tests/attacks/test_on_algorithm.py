"""Attacks on Algorithm 1, on the sentences about it, and on our reading of it."""

import copy
import math
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attacks.runs import (
    INF,
    LEVELS,
    branch,
    cell,
    classes,
    drawn_run,
    drawn_settings,
    drawn_values,
    holds,
    point,
    run,
    square,
    square_of,
)
from attacks.search import Draw, attack
from embedded_hunter.hunter import hunt
from embedded_hunter.node import children, may_be_evaluated, root
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.minimize import minimize
from embedded_hunter.settings import Settings
from spec.algorithm.brute_force import algorithm_1


@attack("partition-coverage")
def test_the_leaves_partition_the_space_at_every_step(draw: Draw) -> bool:
    """A point of Y lies in exactly one cell of the leaves, at every visit of a run."""
    found = drawn_run(draw, leaves_before=True)
    y = draw.fractions("y / R", found.d, -1, 1, 54)
    trees = [visit.before for visit in found.visits[1:]] + [found.leaves]
    return all(sum(holds(leaf, y, found.d, found.K) for leaf in tree) == 1 for tree in trees)


@attack("partition-coverage")
def test_the_cells_of_a_depth_cover_the_space(draw: Draw) -> bool:
    """Y is the union of the closed cells of depth h, and a point is in at most one open cell."""
    K, d, h = draw.choice("K", [3, 5]), draw.integer("d", 1, 3), draw.integer("h", 0, 3)
    y = draw.fractions("y / R", d, -1, 1, 54)
    cells = []  # from the package's own nodes: center c / K^s, half width 1 / K^s
    todo = [root(d)]
    for _ in range(h):
        todo = [child for node in todo for child in children(node, K)]
    for node in todo:
        splits = [sum(level % d == j for level in range(h)) for j in range(d)]
        cells.append(
            [(Fraction(2 * c - 1, K**s), Fraction(2 * c + 1, K**s))
             for c, s in zip(node.c, splits, strict=True)]
        )  # fmt: skip
    closed = sum(all(a <= t <= b for t, (a, b) in zip(y, box, strict=True)) for box in cells)
    inside = sum(all(a < t < b for t, (a, b) in zip(y, box, strict=True)) for box in cells)
    return len(cells) == K**h and closed >= 1 and inside <= 1


@attack("norm-monotonicity")
def test_the_greatest_norm_does_not_fall_with_the_depth(draw: Draw) -> bool:
    """The greatest norm of a base point of depth h is at most that of depth h + 1."""
    K, d, h = draw.choice("K", [3, 5]), draw.integer("d", 1, 4), draw.integer("h", 0, 3)
    at = [max(square_of((k, i), d, K) for i in range(K**k)) for k in (h, h + 1)]
    return at[0] <= at[1]


@attack("center-child")
def test_the_center_child_has_its_parents_base_point(draw: Draw) -> bool:
    """If K is odd, the center child has its parent's base point, and no other child has."""
    K, d, h = draw.choice("K", [3, 5, 7]), draw.integer("d", 1, 3), draw.integer("h", 0, 4)
    i = draw.integer("i", 0, K**h - 1)
    parent = root(d)
    for level in reversed(range(h)):
        parent = children(parent, K)[i // K**level % K]
    s = [sum(level % d == j for level in range(h + 1)) for j in range(d)]
    at = [Fraction(c, K ** (s[j] - (j == h % d))) for j, c in enumerate(parent.c)]
    same = [
        k for k, child in enumerate(children(parent, K))
        if [Fraction(c, K**e) for c, e in zip(child.c, s, strict=True)] == at
    ]  # fmt: skip
    return parent.i == i and same == [K // 2]


@attack("center-child")
def test_with_an_even_K_no_child_has_the_base_point(draw: Draw) -> bool:
    """If K is even, no child of a K-section has its parent's base point."""
    K = draw.choice("K", [2, 4, 6, 8])
    low = draw.fraction("lower end", -3, 3, 60)
    width = draw.fraction("width", Fraction(1, 60), 3, 60)
    centers = [low + width * Fraction(2 * k + 1, 2 * K) for k in range(K)]
    return low + width / 2 not in centers


@attack("zero-vector-once")
def test_the_zero_vector_is_evaluated_once(draw: Draw) -> bool:
    """The zero vector is evaluated once, whatever M."""
    found = drawn_run(draw)
    return sum(not any(e.y) for e in found.evaluated) == 1


@attack("evaluation-cap")
def test_a_base_point_has_at_most_floor_M_norm_plus_1_evaluations(draw: Draw) -> bool:
    """Past evaluations are at most M ||y|| before another one: floor(M ||y||) + 1 in all."""
    found = drawn_run(draw)
    caps, count = found.M_norms(), Counter(e.y for e in found.evaluated)
    # (k - 1)^2 <= (M ||y||)^2 iff k <= floor(M ||y||) + 1
    return all((k - 1) ** 2 <= caps[y] for y, k in count.items())


@attack("evaluation-cap")
def test_a_center_child_is_evaluated_iff_the_cap_allows_it(draw: Draw) -> bool:
    """A center child is evaluated again iff its past evaluations are at most M ||y||."""
    found = drawn_run(draw)
    unit = (Fraction(found.settings.M) * found.settings.radius / found.K**LEVELS) ** 2
    past: Counter[object] = Counter()
    for visit in found.visits:
        asked = {e.node for e in visit.evaluated}
        last = visit.made + len(visit.evaluated) == found.settings.v
        for _, made in visit.children:
            center = made[found.K // 2]
            y = point(center, found.d, found.K)
            allowed = past[y] ** 2 <= unit * square(y)
            if not (last and visit is found.visits[-1]) and (center in asked) != allowed:
                return False
        past.update(e.y for e in visit.evaluated)
    return True


@attack("results-embedding-cap", printed=True)
def test_M_norm_bounds_the_evaluations_of_a_base_point(draw: Draw) -> bool:
    """EmbeddedHunter evaluates a base point y with M ||y|| >= 1 at most M ||y|| times."""
    found = drawn_run(draw)
    caps, count = found.M_norms(), Counter(e.y for e in found.evaluated)
    return all(k**2 <= caps[y] for y, k in count.items() if caps[y] >= 1)


@attack("results-embedding-cap")
def test_the_corrected_cap_bounds_the_evaluations(draw: Draw) -> bool:
    """A base point has up to floor(M ||y||) + 1 evaluations, and M ||y|| bounds its past ones."""
    found = drawn_run(draw)
    caps = found.M_norms()
    return all((e.p - 1) ** 2 <= caps[e.y] for e in found.evaluated)


@attack("leaves-by-depth", "norms-of-depth", "norm-classes")
def test_the_classes_are_the_leaves_by_norm(draw: Draw) -> bool:
    """L^j is the set of the leaves of a depth with the j-th largest norm, Gamma their norms."""
    settings = drawn_settings(draw)
    g = drawn_values(draw, settings.K)
    d, K = settings.d, settings.K
    generator = hunt(settings)
    visit = next(generator)
    while True:
        level = [leaf for leaf in visit.tree.leaves() if leaf.h == visit.l]
        squares = sorted({square_of((n.h, n.i), d, K) for n in level}, reverse=True)
        wanted = [{n.i for n in level if square_of((n.h, n.i), d, K) == s} for s in squares]
        if level and [{n.i for n in c} for c in visit.tree.norm_classes(visit.l)] != wanted:
            return False
        values = [g(point((n.h, n.i), d, K), p) for n, p in visit.evaluations]
        try:
            visit = generator.send(values)
        except StopIteration:
            return True


@attack("alg1-input")
def test_the_root_is_evaluated_first(draw: Draw) -> bool:
    """The root of [-d/eta, d/eta]^d, the zero vector, is evaluated first; t is 1 after that."""
    found = drawn_run(draw)
    first, s = found.visits[0], found.settings
    return (
        [(e.node, e.p) for e in first.evaluated] == [((0, 0), 1)]
        and not any(first.evaluated[0].y)
        and s.radius == s.d / Fraction(s.eta)
        and (len(found.visits) == 1 or found.visits[1].t == 1)
    )


@attack("alg1-line-1", "budget-exact", "termination")
def test_a_run_ends_when_the_budget_is_used_or_the_tree_is_full(draw: Draw) -> bool:
    """A run makes at most v evaluations, and exactly v unless all leaves are at h_max + 1."""
    found = drawn_run(draw, infinite=True)
    v = found.settings.v
    return found.made <= v and (found.made == v or found.full)


@attack("alg1-line-2")
def test_the_first_class_of_a_sweep_that_is_met_expands_a_leaf(draw: Draw) -> bool:
    """nu_min is infinite at the start of a sweep: its first class that has a leaf expands one."""
    found = drawn_run(draw, infinite=True, leaves_before=True)
    for sweep in found.sweeps():
        for visit in sweep:
            if visit_classes := classes(visit, found.d, found.K):
                least = min(visit_classes[0].values())
                if not visit.expanded or visit.expanded[0][1] != least:
                    return False
                if visit.expanded[0][0] not in visit_classes[0]:
                    return False
                break
    return True


@attack("alg1-line-3", "loop-bound-static", "alg1-line-14")
def test_a_sweep_visits_the_depths_from_0_to_its_bound(draw: Draw) -> bool:
    """A sweep visits l = 0, ..., min(depth(T), h_max), read once; t counts the visits."""
    found = drawn_run(draw, leaves_before=True)
    sweeps = found.sweeps()
    for k, sweep in enumerate(sweeps):
        bound = min(max(h for h, _ in sweep[0].before), found.settings.h_max)
        depths = [visit.l for visit in sweep]
        whole = list(range(bound + 1))
        if depths != whole and not (k == len(sweeps) - 1 and depths == whole[: len(depths)]):
            return False
    return [visit.t for visit in found.visits] == list(range(len(found.visits)))


@attack("loop-bound-static")
def test_n_sweeps_make_at_most_a_triangle_of_iterations(draw: Draw) -> bool:
    """n sweeps make at most the sum of min(s, h_max + 1) over s = 1, ..., n iterations."""
    found = drawn_run(draw)
    made = promised = 0
    for s, sweep in enumerate(found.sweeps(), 1):
        made += len(sweep)
        promised += min(s, found.settings.h_max + 1)
        draw.target(made / promised)
        if made > promised:
            return False
    return True


@attack("alg1-line-4", "alg1-line-5", "alg1-line-6", "alg1-line-7", "ties-least-index")
def test_lines_4_to_7_choose_the_leaves(draw: Draw) -> bool:
    """By decreasing norm, the leaf of least f* (ties: least i) iff f* < nu_min, which it
    becomes."""
    found = drawn_run(draw, infinite=True, leaves_before=True)
    for k, sweep in enumerate(found.sweeps()):
        nu_min = None
        for visit in sweep:
            wanted = []
            for members in classes(visit, found.d, found.K):
                least = min(members.values())
                chosen = min(node for node, value in members.items() if value == least)
                if nu_min is None or least < nu_min:
                    nu_min = least
                    wanted.append((chosen, least))
            last = visit is found.visits[-1]
            if visit.expanded != (wanted[: len(visit.expanded)] if last else wanted):
                draw.note("sweep", k + 1)
                return False
    return True


@attack("alg1-line-8")
def test_a_leaf_is_expanded_into_its_K_children(draw: Draw) -> bool:
    """The children of (h, i) are (h + 1, K i), ..., (h + 1, K i + K - 1)."""
    found = drawn_run(draw)
    return all(
        made == [(h + 1, found.K * i + c) for c in range(found.K)]
        for visit in found.visits
        for (h, i), made in visit.children
    )


@attack("alg1-line-9")
def test_new_base_points_are_evaluated(draw: Draw) -> bool:
    """Each child with a new base point is evaluated, once, unless the budget ends."""
    found = drawn_run(draw)
    for visit in found.visits:
        asked = Counter(e.node for e in visit.evaluated)
        new = [child for _, made in visit.children for k, child in enumerate(made)
               if k != found.K // 2]  # fmt: skip
        counts = [asked[child] for child in new]
        if any(count > 1 for count in counts):
            return False
        if min(counts, default=1) == 0 and found.made < found.settings.v:
            return False
    return True


@attack("alg1-line-10", "alg1-line-13")
def test_the_children_replace_the_expanded_leaf(draw: Draw) -> bool:
    """After a visit the tree has the children as leaves, and the other leaves are unchanged."""
    found = drawn_run(draw, leaves_before=True)
    after = [visit.before for visit in found.visits[1:]]
    for visit, then in zip(found.visits[:-1], after, strict=True):
        leaves = dict(visit.before)
        values = {e.node: e.value for e in visit.evaluated}
        for (leaf, f_star), (_, made) in zip(visit.expanded, visit.children, strict=True):
            del leaves[leaf]
            for k, child in enumerate(made):
                inherited = f_star if k == found.K // 2 else INF
                leaves[child] = min(inherited, values.get(child, INF))
        if visit.t and leaves != then:
            return False
    return True


@attack("alg1-line-17")
def test_the_answer_is_the_least_value(draw: Draw) -> bool:
    """The run returns the least of all values, also if the budget cuts the last expansion."""
    found = drawn_run(draw, infinite=True)
    return found.answer == min(e.value for e in found.evaluated)


@attack("budget-exact")
def test_children_that_the_budget_cuts_do_not_enter_the_tree(draw: Draw) -> bool:
    """The leaves of the last tree are those of whole expansions: each leaf has K siblings."""
    found = drawn_run(draw)
    expanded = {node for visit in found.visits for node, _ in visit.expanded}
    parents = {(h - 1, i // found.K) for h, i in found.leaves if h > 0}
    siblings = all(
        (h + 1, found.K * i + c) in found.leaves or (h + 1, found.K * i + c) in expanded
        for h, i in parents
        for c in range(found.K)
    )
    return siblings and not parents & set(found.leaves)


@attack("nan-and-inf")
def test_a_value_of_inf_is_expanded_and_nan_is_an_error(draw: Draw) -> bool:
    """With all values +inf every sweep expands a leaf, unless the tree is full; nan is an error."""
    settings = drawn_settings(draw, max_v=40)
    found = run(settings, lambda y, p: INF)
    if not all(any(visit.expanded for visit in sweep) for sweep in found.complete_sweeps()):
        return found.full and all(
            any(visit.expanded for visit in sweep) for sweep in found.complete_sweeps()[:-1]
        )
    k = draw.integer("evaluation that is nan", 1, settings.v)
    draw.assume(k <= found.made)
    calls = [0]

    def fun(x: object) -> float:
        calls[0] += 1
        return math.nan if calls[0] == k else INF

    try:
        minimize(fun, [(-1, 1)] * settings.d, d=settings.d, maxfun=settings.v, eta=settings.eta,
                 K=settings.K, M=settings.M, h_max=settings.h_max, rng=0)  # fmt: skip
    except EvaluationError as error:
        return f"evaluation {k}" in str(error).lower()
    return False


@attack("expansions-per-iteration")
def test_a_visit_expands_at_most_one_leaf_for_each_norm(draw: Draw) -> bool:
    """An iteration expands at most |Gamma_{h,t}| nodes."""
    found = drawn_run(draw, leaves_before=True)
    for visit in found.visits[1:]:
        number = len(classes(visit, found.d, found.K))
        draw.target(len(visit.expanded) / max(1, number))
        if len(visit.expanded) > number:
            return False
    return True


@attack("strict-expansion-sentence", printed=True)
def test_a_node_is_expanded_only_if_strictly_below_all_of_higher_depths_and_norms(
    draw: Draw,
) -> bool:
    """An expanded node has an f* strictly smaller than those of the nodes of higher depths and of
    the nodes of its depth of greater or equal norm."""
    found = drawn_run(draw, leaves_before=True)
    d, K = found.d, found.K
    for visit in found.visits:
        for (h, i), value in visit.expanded:
            rivals = [
                other for node, other in visit.before.items()
                if node[0] < h
                or (node[0] == h and node != (h, i)
                    and square_of(node, d, K) >= square_of((h, i), d, K))
            ]  # fmt: skip
            if not all(value < other for other in rivals):
                return False
    return True


@attack("strict-expansion-sentence")
def test_an_expanded_leaf_is_strictly_below_those_visited_before_in_the_sweep(draw: Draw) -> bool:
    """The f* of an expanded leaf is strictly less than those of the leaves visited before in the
    sweep: at lesser depths, and of its depth with greater norm."""
    found = drawn_run(draw, leaves_before=True)
    for sweep in found.sweeps():
        seen = INF
        first = True
        for visit in sweep:
            chosen = dict(visit.expanded)
            for members in classes(visit, found.d, found.K):
                for node in members:
                    if node in chosen and not (first or chosen[node] < seen):
                        return False
                seen, first = min(seen, *members.values()), False
    return True


@attack("frozen-classes")
def test_every_class_at_the_start_of_a_visit_is_met_once(draw: Draw) -> bool:
    """A visit meets each class of the leaves that the depth has when it starts: what it leaves is
    not below the nu_min at its end."""
    found = drawn_run(draw, leaves_before=True)
    for sweep in found.complete_sweeps():
        nu_min = INF
        for visit in sweep:
            nu_min = min([nu_min, *(value for _, value in visit.expanded)])
            met = [visit.before[node] for node, _ in visit.expanded]
            # least f* of each class: either expanded or not below what nu_min was then
            for members in classes(visit, found.d, found.K):
                least = min(members.values())
                if least < nu_min and least not in met:
                    return False
    return True


@attack("sweep-expands")
def test_a_sweep_expands_a_node_no_deeper_and_no_greater(draw: Draw) -> bool:
    """Let o be a leaf at the start of a sweep that visits its depth: the sweep expands a node that
    is no deeper than o and whose f* is no greater."""
    found = drawn_run(draw, leaves_before=True)
    for sweep in found.complete_sweeps():
        expanded = [(node[0], value) for visit in sweep for node, value in visit.expanded]
        visited = max(visit.l for visit in sweep)
        for (h, _), value in sweep[0].before.items():
            if h <= visited and not any(k <= h and x <= value for k, x in expanded):
                return False
    return True


@attack("batch-equivalence", "alg1-line-9")
def test_a_run_in_visits_is_the_run_of_single_evaluations(draw: Draw) -> bool:
    """Asking for all evaluations of a visit at once gives the run that evaluates one by one."""
    settings = drawn_settings(draw, max_v=40)
    g = drawn_values(draw, settings.K, infinite=True)
    unit = settings.K**LEVELS / settings.radius
    one_by_one = algorithm_1(
        lambda k, y, p: g(tuple(int(t * unit) for t in y), p), d=settings.d, K=settings.K,
        eta=Fraction(settings.eta), M=Fraction(settings.M), h_max=settings.h_max, v=settings.v,
    )  # fmt: skip
    at_once = run(settings, g)
    return (
        [(e.node, e.p, e.value) for visit in one_by_one.visits for e in visit.evaluations]
        == [(e.node, e.p, e.value) for e in at_once.evaluated]
        and [visit.expansions for visit in one_by_one.visits]
        == [tuple(visit.expanded) for visit in at_once.visits]
        and one_by_one.leaves == at_once.leaves
        and one_by_one.answer == at_once.answer
    )


def as_it_is(hunter: EmbeddedHunter) -> EmbeddedHunter:
    """Return the run without an interruption."""
    return hunter


def pickled(hunter: EmbeddedHunter) -> EmbeddedHunter:
    """Return the run as it is restored from a file."""
    restored: EmbeddedHunter = pickle.loads(pickle.dumps(hunter))
    return restored


INTERRUPTIONS: list[Callable[[EmbeddedHunter], EmbeddedHunter]] = [
    as_it_is,
    copy.deepcopy,
    pickled,
]


@attack("determinism")
def test_portions_and_interruptions_do_not_change_a_run(draw: Draw) -> bool:
    """The same seed gives the same run, in any portions of points, and interrupted and resumed."""
    drawn = drawn_settings(draw, max_v=30)
    policy: Any = draw.choice("policy", ["fresh", "indexed"])
    sampler: Any = draw.choice("sampler", ["norm", "matrix"])
    settings = Settings(drawn.d + 2, drawn.d, drawn.v, eta=drawn.eta, K=drawn.K, M=drawn.M,
                        h_max=drawn.h_max, policy=policy, sampler=sampler)  # fmt: skip
    seed = draw.integer("seed", 0, 99)

    def f(x: Any) -> float:
        return float(abs(x - 0.3).sum())

    def points(portions: bool) -> list[tuple[float, ...]]:
        hunter = EmbeddedHunter(settings, seed)
        found: list[tuple[float, ...]] = []
        while not hunter.finished:
            most = draw.integer(f"portion {len(found)}", 1, 4) if portions else None
            queries = hunter.ask(most)
            found += [tuple(q.x.tolist()) for q in queries]
            if portions:
                hunter = draw.choice(f"after {len(found)}", INTERRUPTIONS)(hunter)
            if portions and draw.flag(f"reversed after {len(found)}"):
                queries = queries[::-1]
            for q in queries:
                hunter.tell([q], [f(q.x)])
        return found

    return points(portions=False) == points(portions=True)


@attack("evaluation-cap-idle")
def test_the_cap_is_idle_in_the_setting_of_table_1(draw: Draw) -> bool:
    """d = 10, eta = 0.3, K = 3, h_max = 100, M >= 5: a base point that appears at depth 1 to 10 may
    be evaluated at each further depth."""
    M = Fraction(draw.integer("2 M", 10, 40), 2)
    settings = Settings(10, 10, 10**4, eta=0.3, K=3, M=M, h_max=100)
    appears = draw.integer("depth of appearance", 1, 10)
    node = root(10)
    for h in range(appears):
        last = h == appears - 1
        digit = draw.choice(f"digit {h}", [0, 2] if last else [0, 1, 2])
        node = children(node, 3)[digit]
    node.evaluations = 1
    for depth in range(appears + 1, 102):
        node = children(node, 3)[1]
        if not may_be_evaluated(node, settings):
            draw.note("refused at depth", depth)
            return False
        node.evaluations += 1
    return True


@attack("definition-1")
def test_the_corrected_optimal_node_is_unique(draw: Draw) -> bool:
    """Each depth has exactly one node whose cell contains y*, each a child of the one before."""
    from embedded_hunter.regret import optimal_branch

    K, d, depth = draw.choice("K", [3, 5]), draw.integer("d", 1, 3), draw.integer("h", 0, 4)
    y = [Fraction(k, 64) for k in draw.integers("64 y*", d, -64, 64)]  # exact as floats
    for h in range(depth + 1):
        if sum(holds((h, i), y, d, K) for i in range(K**h)) != 1:
            return False
    theirs = optimal_branch([float(t) for t in y], depth, K, Fraction(1))
    return tuple(i for _, i in branch(y, depth, d, K)) == theirs


@attack("assumption-3")
def test_the_ball_about_the_base_point_is_in_the_cell(draw: Draw) -> bool:
    """A ball of the inscribed radius about the base point lies in its cell; no greater one does."""
    from embedded_hunter.regret import inscribed_radius

    K, d, h = draw.choice("K", [3, 5]), draw.integer("d", 1, 4), draw.integer("h", 0, 4)
    i = draw.integer("i", 0, K**h - 1)
    box, y = cell((h, i), d, K), point((h, i), d, K)
    room = min(min(t - low, high - t) for t, (low, high) in zip(y, box, strict=True))
    return math.isclose(inscribed_radius(h, d, K, 1.0), room / K**LEVELS, rel_tol=1e-12)
