"""Runs against their bounds (`reproduction/bounds`): what is compared, when, and what is reported.

Here runs and bounds are written by hand, so each comparison is known. That no real run exceeds its
bound is tested in `spec/theory`.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.search import Forest, ForestVisit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, Visit, hunt
from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.regret import optimal_branch
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree
from reproduction.bounds import forest, indexed
from reproduction.bounds.forest import ForestTrial
from reproduction.bounds.indexed import Report, Trial, matrices_needed

FAR = 1e9
"""A bound that nothing exceeds."""


class Step(NamedTuple):
    """A visit: its sweep and iteration, the leaves (h, i, value) it expands, and its values."""

    sweep: int
    t: int
    expands: list[tuple[int, int, float]]
    values: list[float]
    local: Any = None


class Bound:
    """Bounds by hand, FAR unless given; `asked` are the arguments in their order."""

    def __init__(self, **given: dict[int, float]) -> None:
        self.given = given
        self.asked: list[tuple[str, int]] = []
        self.local: set[Any] = set()
        self.sweeps, self.iterations = (1, 2, 3), (1, 4, 9)

    def _at(self, what: str, k: int) -> float:
        self.asked.append((what, k))
        return self.given.get(what, {}).get(k, FAR)

    def after_sweeps(self, k: int) -> float:
        return self._at("sweeps", k)

    def after_iterations(self, k: int) -> float:
        return self._at("iterations", k)

    def after_evaluations(self, k: int, *, local_search: Any = None) -> float:
        self.local.add(local_search)
        return self._at("evaluations", k)

    @property
    def trees(self) -> list[Any]:
        """Of a forest of two trees."""
        return [SimpleNamespace(sweeps=(1, 2)), SimpleNamespace(sweeps=(2, 4))]


F = SimpleNamespace(f_star=1.0, lipschitz=4.0)
"""The function. Sizes are relative to 4, the greatest of 1, |f*| and L."""
TINY = 4e-9


def leaf(h: int, i: int, value: float) -> Node:
    node = Node(h, i, (0,), 0)
    node.f_star = value
    return node


def played(script: list[Step], visit_of: Callable[[Step], Visit]) -> Any:
    """In the place of `steps`: each visit with its values and the next visit."""

    def steps(run: Any, project: Any, f: Any) -> Iterator[Any]:
        assert (run, project, f) == ("a run", "a projection", F)
        visits = [visit_of(step) for step in script]
        for step, visit, following in zip(script, visits, [*visits[1:], None], strict=True):
            yield visit, step.values, following

    return steps


# The policy indexed


SETTINGS = Settings(5, 1, 12, h_max=2, K=3, policy="indexed")
REFERENCE = np.array([0.1])
BRANCH = list(optimal_branch(REFERENCE, 2, 3, SETTINGS.radius))
PREDICTED = {h: np.array([10.0 * h + i for i in range(3**h)]) for h in range(3)}
RUN = [
    Step(0, 0, [], [6.0]),
    Step(1, 1, [(0, 0, 0.0)], [9.0, 4.0]),
    Step(2, 2, [(1, BRANCH[1], 10.0 + BRANCH[1])], [3.5]),
    Step(2, 3, [], []),
    Step(3, 4, [(2, 0, 20.0), (2, BRANCH[2], 20.0 + BRANCH[2])], [3.0]),
    Step(3, 5, [(1, 2, 12.0)], [8.0, 2.0]),
]
"""Best values 6 | 6, 4 | 3.5 | 3.5 | 3 | 3, 2. Sweeps 1 and 2 end before sweep 3; the run ends in
sweep 3, which is complete unless the budget ends it. Eight evaluations."""


def followed(
    monkeypatch: pytest.MonkeyPatch, bound: Bound, script: list[Step] = RUN, v: int = 12
) -> Report:
    def visit_of(step: Step) -> Visit:
        visit = Visit(Tree(), step.sweep, step.t, 0)
        visit.expansions = [(leaf(*of), ()) for of in step.expands]  # type: ignore[misc]
        return visit

    def predicted(f: Any, blocks: Any, h: int, K: int, R: Any, M: Any) -> Any:
        assert (f, blocks, K, R, M) == (F, "blocks", 3, settings.radius, 5)
        return PREDICTED[h]

    settings = Settings(5, 1, v, h_max=2, K=3, policy="indexed")
    monkeypatch.setattr(indexed, "hunt", lambda of: "a run" if of is settings else None)
    monkeypatch.setattr(indexed, "steps", played(script, visit_of))
    monkeypatch.setattr(indexed, "indexed_node_values", predicted)
    trial: Any = Trial(F, "blocks", settings, REFERENCE, "a projection")  # type: ignore[arg-type]
    return indexed.follow(trial, bound)  # type: ignore[arg-type]


def test_every_evaluation_iteration_and_sweep_is_compared_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = Bound()
    report = followed(monkeypatch, bound)
    assert report.violations == []
    compared = [("evaluations", k) for k in range(1, 8)] + [("iterations", t) for t in range(6)]
    assert sorted(bound.asked) == sorted(compared + [("sweeps", s) for s in (1, 2, 3)])
    assert report.comparisons == 7 + 6 + 3
    assert report.reached == 3


@pytest.mark.parametrize(
    ("what", "regrets"),
    [
        ("evaluations", [5, 5, 3, 2.5, 2, 2, 1]),
        ("iterations", [None, 3, 2.5, 2.5, 2, 1]),
        ("sweeps", [3, 2.5, 1]),
    ],
)
def test_a_regret_above_its_bound_is_a_violation(
    monkeypatch: pytest.MonkeyPatch, what: str, regrets: list[float | None]
) -> None:
    """Unless rounding can explain it. The bound after iteration 0 is not compared in vain."""
    first = 0 if what == "iterations" else 1
    of = {"evaluations": "evaluation", "iterations": "iteration", "sweeps": "sweep"}[what]
    for k, regret in enumerate(regrets, first):
        if regret is None:
            regret = 5.0  # after the root alone
        below = followed(monkeypatch, Bound(**{what: {k: regret - TINY / 2}}))
        assert below.violations == []
        limit = regret - 2 * TINY
        above = followed(monkeypatch, Bound(**{what: {k: limit}}))
        assert above.violations == [f"{of} {k}: regret {regret:.1f} > bound {limit}"]


def test_an_optimal_node_that_is_late_or_missing_is_a_violation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = Bound()
    bound.sweeps = (1, 1, 3)
    report = followed(monkeypatch, bound)
    assert report.violations == ["the optimal node of depth 1: (2, 2), S_h = 1"]
    bound = Bound()
    bound.iterations = (1, 4, 3)
    report = followed(monkeypatch, bound)
    assert report.violations == ["the optimal node of depth 2: (3, 4), S_h = 3"]
    without = [step._replace(expands=[]) if step.t == 2 else step for step in RUN]
    bound = Bound()
    bound.sweeps = (1, 3, 3)  # there are three complete sweeps
    report = followed(monkeypatch, bound, without)
    assert report.violations == ["the optimal node of depth 1 waits longer than 3 sweeps"]
    bound.sweeps = (1, 4, 3)  # it may still come
    report = followed(monkeypatch, bound, without)
    assert report.violations == []
    assert report.reached == 2


@pytest.mark.parametrize("wrong", [12.0 + 2 * TINY, 12.0 - 2 * TINY, math.nan])
def test_a_value_that_was_not_predicted_is_a_violation(
    monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    def run(value: float) -> list[Step]:
        return [*RUN[:5], Step(3, 5, [(1, 2, value)], [8.0, 2.0])]

    report = followed(monkeypatch, Bound(), run(wrong))
    assert report.violations == [f"value of node (1, 2): {wrong}, not 12.0"]
    assert followed(monkeypatch, Bound(), run(12.0 + TINY / 2)).violations == []


def test_a_run_needs_the_matrices_of_its_deepest_base_points() -> None:
    """A run that expands all nodes up to depth h_max evaluates some base point so often."""
    for h_max in (0, 1, 2, 3):
        settings = Settings(6, 1, 10_000, eta=1 / 3, M=2, h_max=h_max, policy="indexed")
        run = hunt(settings)
        visit, most = next(run), 0
        with suppress(StopIteration):
            while True:
                most = max([most, *(p for _, p in visit.evaluations)])
                visit = run.send([float(p) for _, p in visit.evaluations])
        assert matrices_needed(settings) == most


def test_a_run_is_followed_to_its_end_also_through_empty_visits() -> None:
    asked: list[Any] = []

    def run() -> Hunt:
        for evaluations in ([1, 2], [], [3]):
            values = yield Visit(Tree(), 0, 0, 0, evaluations=evaluations)  # type: ignore[arg-type]
            asked.append(values)
        return 0.0

    def f(points: Any) -> Any:
        return np.array(points) * 10.0

    def project(asked: Any) -> Any:
        assert asked
        return asked

    found = list(indexed.steps(run(), project, f))  # type: ignore[arg-type]
    assert asked == [[10.0, 20.0], [], [30.0]]
    assert [values for _, values, _ in found] == asked
    assert [visit for visit, _, _ in found[1:]] == [following for _, _, following in found[:2]]
    assert found[2][2] is None


@pytest.mark.parametrize("module", [indexed, forest])
def test_a_random_trial_projects_with_the_matrices_that_its_bound_knows(module: Any) -> None:
    """Also the key of a forest is that of its points."""
    for k in range(12):
        trial = module.random_trial(np.random.default_rng([8, k]))
        s, P = trial.settings, len(trial.blocks)
        spaces = {p: s.trees[p - 1] if module is forest else s for p in (1, P)}
        asked = [(children(root(space.d), s.K)[-1], p) for p, space in spaces.items()]
        expected = [
            np.clip(trial.blocks[p - 1] @ np.array(base_point(last, spaces[p])), -1, 1)
            for last, p in asked
        ]
        assert trial.project(asked) == pytest.approx(np.array(expected), rel=1e-12)
        if module is forest:
            assert trial.key == trial.project.__self__.key


# The policy forest: two trees of depth up to 1, K = 3


def forest_settings(v: int = 12, **given: Any) -> ForestSettings:
    return ForestSettings(
        4, v, dimensions=(1,), evolve=False, h_max=1, K=3, n_embeddings=2, **given
    )


TWO = np.array([[0.1], [-0.9]])
OF_TREE = [list(optimal_branch(y, 1, 3, forest_settings().trees[0].radius))[1] for y in TWO]
GROWN = [
    Step(0, 0, [], [6.0]),
    Step(1, 1, [(0, 0, 0.0)], [9.0, 4.0]),
    Step(1, 1, [(7, 7, 7.0)], [5.0], local=object()),
    Step(2, 2, [(0, 1, 1.0), (1, OF_TREE[0], 10.0 + OF_TREE[0])], [3.5]),
    Step(2, 3, [(1, 3 + OF_TREE[1], 13.0 + OF_TREE[1])], []),
    Step(3, 4, [(1, 2, 12.0)], [3.0, 2.0]),
]
"""Best values 6 | 6, 4 | 4 | 3.5 | 3.5 | 3, 2. The generation of a local search, whose leaf is not
one of the forest, ends sweep 1."""


def grown(
    monkeypatch: pytest.MonkeyPatch,
    bound: Bound,
    script: list[Step] = GROWN,
    v: int = 12,
    **of: Any,
) -> Report:
    settings = forest_settings(v, **of)

    def visit_of(step: Step) -> Visit:
        visit = ForestVisit(Forest(), step.sweep, step.t, 0, local=step.local)
        visit.expansions = [(leaf(*one), ()) for one in step.expands]  # type: ignore[misc]
        return visit

    def predicted(f: Any, blocks: Any, h: int, K: int, R: Any) -> Any:
        assert (f, blocks, K, R) == (F, "blocks", 3, [tree.radius for tree in settings.trees])
        return np.array([[10.0 * h + t * 3**h + i for i in range(3**h)] for t in range(2)])

    def run(given: Any, key: Any) -> str:
        assert given is settings
        assert key == [1, 2]
        return "a run"

    monkeypatch.setattr(forest, "hunt_forest", run)
    monkeypatch.setattr(forest, "steps", played(script, visit_of))
    monkeypatch.setattr(forest, "forest_node_values", predicted)
    trial = ForestTrial(F, "blocks", settings, TWO, [1, 2], "a projection")  # type: ignore[arg-type]
    return forest.follow(trial, bound)  # type: ignore[arg-type]


@pytest.mark.parametrize("refine", [False, True])
def test_what_is_compared_in_a_forest(monkeypatch: pytest.MonkeyPatch, refine: bool) -> None:
    """Evaluations and sweeps always, iterations without refinement."""
    bound = Bound()
    report = grown(monkeypatch, bound, refine=refine)
    assert report.violations == []
    evaluations = [("evaluations", k) for k in range(1, 8)]
    iterations = [("iterations", step.t) for step in GROWN] if not refine else []
    compared = evaluations + iterations + [("sweeps", s) for s in (1, 2, 3)]
    assert sorted(bound.asked) == sorted(compared)
    assert report.comparisons == len(compared)
    assert bound.local == {CONSTANTS.generation if refine else 0}
    assert report.reached == 3


def test_optimal_nodes_of_each_tree_and_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Bound()
    monkeypatch.setattr(Bound, "trees", [SimpleNamespace(sweeps=(1, 1)),
                                         SimpleNamespace(sweeps=(2, 1))])  # fmt: skip
    assert grown(monkeypatch, late).violations == [
        "tree 0: o_1 in sweep 2, S_h = 1",
        "tree 1: o_1 in sweep 2, S_h = 1",
    ]
    monkeypatch.setattr(Bound, "trees", [SimpleNamespace(sweeps=(1, 3)),
                                         SimpleNamespace(sweeps=(2, 2))])  # fmt: skip
    assert grown(monkeypatch, Bound()).violations == []
    missing = [step._replace(expands=[]) if step.sweep == 2 else step for step in GROWN]
    report = grown(monkeypatch, Bound(), missing)
    assert report.violations == [
        "tree 0: o_1 waits longer than 3 sweeps",
        "tree 1: o_0 waits longer than 2 sweeps",
        "tree 1: o_1 waits longer than 2 sweeps",
    ]
    for wrong, count in ((12 + TINY / 2, 0), (12 + 2 * TINY, 1), (math.nan, 1)):
        script = [*GROWN[:5], Step(3, 4, [(1, 2, wrong)], [3.0, 2.0])]
        found = grown(monkeypatch, Bound(), script).violations
        assert found == count * [f"value of (1, 2): {wrong}, not 12.0"]
