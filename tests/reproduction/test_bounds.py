"""Runs against their bounds (`reproduction/bounds`): what is compared, when, and what is reported.

Here runs and bounds are written by hand, so each comparison is known. That no real run exceeds its
bound is tested in `spec/theory`.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import Forest, ForestVisit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, Visit, hunt
from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.problems.lipschitz import FAMILIES
from embedded_hunter.regret import base_points, indexed_regret_bound, optimal_branch
from embedded_hunter.regret.forest import forest_regret_bound
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
    assert sorted(bound.asked) == sorted(
        compared + [("sweeps", s) for s in (1, 2, 3)] + [("sweeps", S) for S in (1, 2, 3)]
    )
    assert report.comparisons == 7 + 6 + 3
    # (h, S_h, the sweep that expanded the optimal node), and the regret after S_h sweeps
    assert report.slack == [(0, 1, 1), (1, 2, 2), (2, 3, 3)]
    assert report.tightness == [(0, FAR, 3.0), (1, FAR, 2.5), (2, FAR, 1.0)]


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


def test_what_the_budget_cuts_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """With seven evaluations allowed, the last visit is cut: no iteration 5, no third sweep."""
    bound = Bound()
    report = followed(monkeypatch, bound, v=7)
    assert report.violations == []
    assert ("iterations", 5) not in bound.asked
    assert ("iterations", 4) in bound.asked
    assert report.comparisons == 7 + 5 + 2
    assert report.slack == [(0, 1, 1), (1, 2, 2), (2, 3, 3)]
    assert report.tightness == [(0, FAR, 3.0), (1, FAR, 2.5)]


def test_an_optimal_node_that_is_late_or_missing_is_a_violation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = Bound()
    bound.sweeps = (1, 1, 3)
    report = followed(monkeypatch, bound)
    assert report.violations == ["the optimal node of depth 1: (2, 2), S_h = 1"]
    assert report.slack == [(0, 1, 1), (1, 1, 2), (2, 3, 3)]
    bound = Bound()
    bound.iterations = (1, 4, 3)
    report = followed(monkeypatch, bound)
    assert report.violations == ["the optimal node of depth 2: (3, 4), S_h = 3"]
    without = [step._replace(expands=[]) if step.t == 2 else step for step in RUN]
    report = followed(monkeypatch, Bound(), without)
    assert report.violations == ["the optimal node of depth 1 waits longer than 2 sweeps"]
    assert report.slack == [(0, 1, 1), (2, 3, 3)]
    bound = Bound()
    bound.sweeps = (1, 4, 3)  # there are three complete sweeps: it may still come
    report = followed(monkeypatch, bound, without)
    assert report.violations == []
    assert [h for h, *_ in report.tightness] == [0, 2]


@pytest.mark.parametrize("wrong", [12.0 + 2 * TINY, 12.0 - 2 * TINY, math.nan])
def test_a_value_that_was_not_predicted_is_a_violation(
    monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    def run(value: float) -> list[Step]:
        return [*RUN[:5], Step(3, 5, [(1, 2, value)], [8.0, 2.0])]

    report = followed(monkeypatch, Bound(), run(wrong))
    assert report.violations == [f"value of node (1, 2): {wrong}, not 12.0"]
    assert followed(monkeypatch, Bound(), run(12.0 + TINY / 2)).violations == []


@pytest.mark.parametrize(("f_star", "lipschitz", "size"), [(0.5, 0.25, 1), (-8, 2, 8), (3, 16, 16)])
def test_rounding_is_relative_to_the_greatest_of_1_the_least_value_and_the_constant(
    monkeypatch: pytest.MonkeyPatch, f_star: float, lipschitz: float, size: float
) -> None:
    monkeypatch.setattr(F, "f_star", f_star)
    monkeypatch.setattr(F, "lipschitz", lipschitz)
    script = [Step(0, 0, [], [f_star + 2]), Step(1, 1, [(0, 0, 0.0)], [f_star + 2])]
    for share, count in ((0.9, 0), (1.1, 1)):
        limit = {"evaluations": {1: 2 - share * 1e-9 * size}}
        assert len(followed(monkeypatch, Bound(**limit), script).violations) == count


def test_the_trial_of_a_run_has_its_bound() -> None:
    """The gap is the excess of the point of the first matrix at the reference."""
    rng = np.random.default_rng(3)
    settings = Settings(6, 2, 50, eta=0.5, K=3, M=2, h_max=2, policy="indexed")
    blocks = 0.2 * rng.standard_normal((matrices_needed(settings), 3, 2))
    f = FAMILIES[0](rng, np.array([0.1, -0.2, 0.3]))
    trial = Trial(f, blocks, settings, np.array([0.3, -0.4]), lambda _: blocks[0])
    x = [max(-1.0, min(1.0, float(row @ trial.reference))) for row in blocks[0]]
    assert trial.gap == pytest.approx(float(f(np.array([x]))[0]) - f.f_star)
    assert trial.bound() == indexed_regret_bound(
        f,
        f.f_star,
        f.lipschitz,
        blocks,
        K=3,
        R=settings.radius,
        M=Fraction(2),
        h_max=2,
        gap=trial.gap,
    )


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


def test_random_trials_of_the_policy_indexed_cover_what_they_say() -> None:
    """200 trials of a fixed seed; frequencies within 4.5 standard errors (false alarm 1e-5)."""
    trials = [indexed.random_trial(np.random.default_rng([8, k]), (5, 9)) for k in range(200)]
    of = [trial.settings for trial in trials]
    assert {s.d for s in of} == {1, 2, 3, 4}
    assert {trial.blocks.shape[1] for trial in trials} == {1, 2, 3, 4, 5}
    assert {s.v for s in of} == {5, 9}
    assert {s.K for s in of} == {3, 5}
    assert {s.h_max for s in of if s.K == 3} == set(range(8))
    assert {s.h_max for s in of if s.K == 5} == set(range(5))
    assert {float(s.eta) for s in of} == {0.05, 0.3, 0.5, 0.9}
    assert {float(s.M) for s in of} <= {k / m for k in range(9) for m in (1, 2, 10)}
    assert {0, 8, 0.5, 0.1} <= {float(s.M) for s in of}
    assert {s.policy for s in of} == {"indexed"}
    assert {10**2, 10**4, 10**6} < {s.n for s in of} <= {1, 2, 3, 4, 5, 10, 10**2, 10**4, 10**6}
    assert all(s.n >= max(s.d, t.blocks.shape[1]) for s, t in zip(of, trials, strict=True))
    assert {trial.f.family for trial in trials} == {
        f(np.random.default_rng(1), np.zeros(2)).family for f in FAMILIES
    }

    def near(count: int, p: float) -> bool:
        return abs(count / 200 - p) < 4.5 * math.sqrt(p * (1 - p) / 200)

    assert near(sum(s.K == 3 for s in of), 2 / 3)
    own = [s.sigma for s in of if abs(s.sigma - s.n**-0.5) > 1e-12]
    assert near(len(own), 0.5)
    assert math.exp(-4) < min(own) < math.exp(-3.5)
    assert math.exp(0.2) < max(own) < math.exp(0.5)
    assert 1 in {s.n for s in of}
    for trial in trials[::10]:
        s = trial.settings
        assert trial.blocks.shape == (matrices_needed(s), trial.f.x_star.size, s.d)
    images = [np.clip(trial.blocks[0] @ trial.reference, -1, 1) for trial in trials]
    covered = [np.array_equal(x, t.f.x_star) for x, t in zip(images, trials, strict=True)]
    assert near(sum(covered), 0.75)
    assert any(np.abs(t.f.x_star).max() == 1 for t, c in zip(trials, covered, strict=True) if c)
    check_laws(
        [t.reference / float(t.settings.radius) for t, c in zip(trials, covered, strict=True) if c],
        [t.f.x_star for t, c in zip(trials, covered, strict=True) if not c],
    )
    for trial, within in zip(trials, covered, strict=True):
        s = trial.settings
        if not within and s.h_max < 4:  # the best base point of depth h_max
            grid = base_points(s.h_max, s.d, s.K, float(s.radius))
            least = trial.f.excess(np.clip(grid @ trial.blocks[0].T, -1, 1)).min()
            assert trial.gap == pytest.approx(float(least))
            assert (np.abs(grid - trial.reference).max(axis=1) < 1e-12 * s.radius).any()


@pytest.mark.parametrize("module", [indexed, forest])
def test_a_random_trial_projects_with_the_matrices_that_its_bound_knows(module: Any) -> None:
    """Also the key of a forest is that of its points."""
    for k in range(12):
        trial = module.random_trial(np.random.default_rng([8, k]))
        s, P = trial.settings, len(trial.blocks)
        last = children(root(s.d), s.K)[-1]
        asked = [(last, p) for p in {1, P}]
        y = np.array(base_point(last, s))
        expected = [np.clip(trial.blocks[p - 1] @ y, -1, 1) for _, p in asked]
        assert trial.project(asked) == pytest.approx(np.array(expected), rel=1e-12)
        if module is forest:
            assert trial.key == trial.project.__self__.key


def check_laws(references: list[Any], others: list[Any]) -> None:
    """The law of y/R where x* is covered, a point of the cube times a uniform factor, and of x*
    where it is not: uniform. False alarm 1e-5 each, fixed seed.
    """
    first = np.abs([y[0] for y in references])
    # |U V| for independent uniform U, V has the distribution function t (1 - log t).
    assert stats.kstest(first, lambda t: t * (1 - np.log(t))).pvalue > 1e-5
    assert stats.binomtest(sum(y[0] < 0 for y in references), len(references)).pvalue > 1e-5
    assert stats.kstest(np.concatenate(others), "uniform", (-1, 2)).pvalue > 1e-5


def test_the_table_of_reports() -> None:
    first, second = Report(), Report()
    first.tightness = [(0, 6.0, 2.0), (0, 10.0, 1.0), (1, 5.0, 0.0)]
    first.slack = [(1, 8, 2), (0, 3, 1)]
    second.tightness = [(0, 8.0, 2.0), (1, 7.0, 0.0)]
    second.slack = [(0, 4, 2), (0, 5, 1), (2, 9, 3)]
    assert [line.split(" | ") for line in indexed.table([first, second]).splitlines()[2:]] == [
        ["      0", f"{3:20d}", f"{0:8d}", f"{4:19d}", "3"],
        ["      1", f"{2:20d}", f"{2:8d}", f"{'-':>19s}", "4"],
        ["      2", f"{0:20d}", f"{0:8d}", f"{'-':>19s}", "3"],
    ]
    assert indexed.table([]) == (
        "depth h | runs past S_h sweeps | regret 0 | median bound/regret | median S_h/sweep of o_h"
        "\n--------|----------------------|----------|---------------------|----------------------"
        "--"
    )


def reported(k: int, wrong: bool) -> Report:
    report = Report(["late", "large"] if wrong else [], 10 + k)
    report.tightness = [(0, 6.0 + 2 * k, 0.5), (1, 6.0, 0.0)]
    report.slack = [(0, 6 + 2 * k, 2)]
    return report


@pytest.mark.parametrize("wrong", [False, True])
def test_the_command_of_the_policy_indexed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: bool
) -> None:
    drawn: list[float] = []

    def random_trial(rng: np.random.Generator) -> Any:
        drawn.append(rng.random())
        family = "b" if len(drawn) % 3 else "a"
        return SimpleNamespace(k=len(drawn) - 1, f=SimpleNamespace(family=family))

    monkeypatch.setattr(indexed, "random_trial", random_trial)
    monkeypatch.setattr(indexed, "follow", lambda trial: reported(trial.k, wrong and trial.k == 1))
    assert indexed.main(["--runs", "3", "--seed", "7"]) == int(wrong)
    assert drawn == [np.random.default_rng([7, k]).random() for k in range(3)]
    found = indexed.table([reported(k, False) for k in range(3)])
    assert capsys.readouterr().out == (
        ("run 1: late\nrun 1: large\n" if wrong else "")
        + f"runs: 3 (seed 7); with a violation: {int(wrong)}\n"
        "comparisons of a regret with its bound: 33\n"
        f"families: a 1, b 2\n{found}\n"
    )


@pytest.mark.parametrize(
    ("module", "runs", "name"), [(indexed, 2000, "indexed"), (forest, 1000, "forest")]
)
def test_the_defaults_and_the_help_of_the_commands(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: Any,
    runs: int,
    name: str,
) -> None:
    trial = SimpleNamespace(f=SimpleNamespace(family="a"), settings=SimpleNamespace(refine=True))
    monkeypatch.setattr(module, "random_trial", lambda rng: trial)
    monkeypatch.setattr(module, "follow", lambda trial: Report())
    assert module.main([]) == 0
    assert f"runs: {runs} (seed 1); with a violation: 0\n" in capsys.readouterr().out
    for wrong in ("--runs", "--seed"):
        with pytest.raises(SystemExit):
            module.main([wrong, "x"])
    assert capsys.readouterr().err.count("invalid int value: 'x'") == 2
    with pytest.raises(SystemExit):
        module.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith(f"usage: python -m reproduction.bounds.{name} [-h]")
    said = "Run the experiment from the command line; exit with 1 if there was a violation."
    assert f" {said} " in text
    assert text.endswith("--runs RUNS number of random runs --seed SEED")


# The policy forest: two trees of depth up to 1, K = 3


def forest_settings(v: int = 12, **given: Any) -> ForestSettings:
    return ForestSettings(4, 1, v, h_max=1, K=3, n_embeddings=2, **given)


TWO = np.array([[0.1], [-0.9]])
OF_TREE = [list(optimal_branch(y, 1, 3, forest_settings().radius))[1] for y in TWO]
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
        visit = ForestVisit(Forest(settings), step.sweep, step.t, 0, local=step.local)
        visit.expansions = [(leaf(*one), ()) for one in step.expands]  # type: ignore[misc]
        return visit

    def predicted(f: Any, blocks: Any, h: int, K: int, R: Any) -> Any:
        assert (f, blocks, K, R) == (F, "blocks", 3, settings.radius)
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
@pytest.mark.parametrize("rule", ["depth", "norm"])
def test_what_is_compared_in_a_forest(
    monkeypatch: pytest.MonkeyPatch, refine: bool, rule: str
) -> None:
    """Evaluations with one class at each depth, iterations without refinement, sweeps always."""
    bound = Bound()
    report = grown(monkeypatch, bound, refine=refine, class_rule=rule)
    assert report.violations == []
    evaluations = [("evaluations", k) for k in range(1, 8)] if rule == "depth" else []
    iterations = [("iterations", step.t) for step in GROWN] if not refine else []
    compared = evaluations + iterations + [("sweeps", s) for s in (1, 2, 3)]
    tight = [("sweeps", S) for S in (1, 2, 2)]  # S_h = 4 is past the end
    assert sorted(bound.asked) == sorted(compared + tight)
    assert report.comparisons == len(compared)
    assert bound.local == ({CONSTANTS.generation if refine else 0} if rule == "depth" else set())
    assert report.slack == [(0, 1, 1), (1, 2, 2), (0, 2, 2), (1, 4, 2)]
    assert report.tightness == [(0, FAR, 3.0), (1, FAR, 2.5), (0, FAR, 2.5)]


@pytest.mark.parametrize(
    ("what", "k", "regret"),
    [("evaluation", 4, 3), ("evaluation", 7, 1), ("iteration", 0, 5), ("iteration", 3, 2.5),
     ("sweep", 1, 3), ("sweep", 2, 2.5), ("sweep", 3, 1)],
)  # fmt: skip
def test_a_regret_above_the_bound_of_a_forest_is_a_violation(
    monkeypatch: pytest.MonkeyPatch, what: str, k: int, regret: float
) -> None:
    for limit, count in ((regret - TINY / 2, 0), (regret - 2 * TINY, 1)):
        bound = Bound(**{f"{what}s": {k: limit}})
        report = grown(monkeypatch, bound, refine=False)
        said = f"{what} {k}: regret {float(regret)} > bound {limit}"
        assert report.violations == count * [said]


def test_sweeps_of_a_forest_that_are_cut_or_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = Bound()
    report = grown(monkeypatch, bound, v=7, refine=False)
    assert report.violations == []
    assert ("iterations", 4) not in bound.asked
    assert ("sweeps", 3) not in bound.asked
    assert report.comparisons == 7 + 5 + 2
    # A sweep ends where the next one or a generation begins; a generation ends none.
    ends = [*GROWN[:3], GROWN[2], *GROWN[3:]]
    assert grown(monkeypatch, Bound(), ends, refine=True).tightness == [
        (0, FAR, 3.0), (1, FAR, 2.5), (0, FAR, 2.5)
    ]  # fmt: skip


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
    assert report.slack[0] == (0, 1, 1)
    for wrong, count in ((12 + TINY / 2, 0), (12 + 2 * TINY, 1), (math.nan, 1)):
        script = [*GROWN[:5], Step(3, 4, [(1, 2, wrong)], [3.0, 2.0])]
        found = grown(monkeypatch, Bound(), script).violations
        assert found == count * [f"value of (1, 2): {wrong}, not 12.0"]


@pytest.mark.parametrize(("f_star", "lipschitz", "size"), [(0.5, 0.25, 1), (-8, 2, 8), (3, 16, 16)])
def test_rounding_in_a_forest_is_relative_too(
    monkeypatch: pytest.MonkeyPatch, f_star: float, lipschitz: float, size: float
) -> None:
    monkeypatch.setattr(F, "f_star", f_star)
    monkeypatch.setattr(F, "lipschitz", lipschitz)
    roots = [(0, 0, 0.0), (0, 1, 1.0)]
    script = [Step(0, 0, [], [f_star + 2]), Step(1, 1, roots, [f_star + 2])]
    for share, count in ((0.9, 0), (1.1, 1)):
        for what, k in (("evaluations", 1), ("sweeps", 1)):
            bound = Bound(**{what: {k: 2 - share * 1e-9 * size}})
            assert len(grown(monkeypatch, bound, script).violations) == count


def test_random_trials_of_the_policy_forest_cover_what_they_say() -> None:
    """200 trials of a fixed seed; frequencies within 4.5 standard errors (false alarm 1e-5)."""
    trials = [forest.random_trial(np.random.default_rng([9, k]), (5, 9)) for k in range(200)]
    of = [trial.settings for trial in trials]
    assert {s.d for s in of} == {1, 2, 3}
    assert {trial.blocks.shape[1] for trial in trials} == {1, 2, 3, 4}
    assert {trial.blocks.shape[0] for trial in trials} == {1, 2, 3, 4}
    assert all(t.blocks.shape[::2] == (t.settings.n_embeddings, t.settings.d) for t in trials)
    assert {s.v for s in of} == {5, 9}
    assert {s.K for s in of} == {3, 5}
    assert {s.h_max for s in of if s.K == 3} == set(range(7))
    assert {s.h_max for s in of if s.K == 5} == set(range(4))
    assert {float(s.eta) for s in of} == {0.05, 0.3, 0.9}
    assert all(s.n == max(s.d, t.blocks.shape[1]) for s, t in zip(of, trials, strict=True))
    scales = [s.sigma * float(s.radius) for s in of]
    assert math.exp(-3) < min(scales) < math.exp(-2.8)
    assert math.exp(0.8) < max(scales) < math.e
    assert {trial.f.family for trial in trials} == {
        f(np.random.default_rng(1), np.zeros(2)).family for f in FAMILIES
    }

    def near(count: int, p: float) -> bool:
        return abs(count / 200 - p) < 4.5 * math.sqrt(p * (1 - p) / 200)

    assert near(sum(s.K == 3 for s in of), 2 / 3)
    assert near(sum(s.class_rule == "depth" for s in of), 0.75)
    assert near(sum(s.separate_origin for s in of), 0.6)
    assert near(sum(s.refine for s in of), 0.5)
    inside, outside = [], []
    for trial in trials:
        s, R = trial.settings, float(trial.settings.radius)
        pairs = list(zip(trial.blocks, trial.references, strict=True))
        points = base_points(s.h_max, s.d, s.K, R)
        within = [k for k, (B, y) in enumerate(pairs)
                  if np.array_equal(np.clip(B @ y, -1, 1), trial.f.x_star)]  # fmt: skip
        if within:
            inside.append((within[0], len(pairs), trial.references[within[0]] / R))
        else:
            outside.append(trial.f.x_star)
        for k, (B, y) in enumerate(pairs):
            if k not in within:  # the best base point of its tree
                least = trial.f.excess(np.clip(points @ B.T, -1, 1)).min()
                value = float(trial.f.excess(np.clip(B @ y, -1, 1)[None])[0])
                assert value == pytest.approx(float(least))
                assert (abs(points - y).max(axis=1) < 1e-12 * R).any()
    assert near(len(inside), 0.75)
    assert any(np.abs(t.f.x_star).max() == 1 for t in trials)
    check_laws([y for *_, y in inside], outside)
    assert {(k, P) for k, P, _ in inside} == {(k, P) for P in (1, 2, 3, 4) for k in range(P)}


@pytest.mark.parametrize("separate", [True, False])
def test_the_trial_of_a_forest_has_its_bound(separate: bool) -> None:
    rng = np.random.default_rng(3)
    settings = forest_settings(separate_origin=separate)
    projection = ForestPoints(settings, rng, 3)
    blocks = np.array([projection.matrix(p) for p in (1, 2)])
    f = FAMILIES[0](rng, np.array([0.1, -0.2, 0.3]))
    trial = ForestTrial(f, blocks, settings, TWO, projection.key, projection.project)
    assert trial.bound() == forest_regret_bound(
        f, f.f_star, f.lipschitz, blocks, TWO,
        K=3, R=settings.radius, h_max=1, separate_origin=separate,
    )  # fmt: skip


@pytest.mark.parametrize("wrong", [False, True])
def test_the_command_of_the_policy_forest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: bool
) -> None:
    drawn: list[float] = []

    def random_trial(rng: np.random.Generator) -> Any:
        drawn.append(rng.random())
        return SimpleNamespace(
            k=len(drawn) - 1, settings=SimpleNamespace(refine=len(drawn) % 3 == 0)
        )

    monkeypatch.setattr(forest, "random_trial", random_trial)
    monkeypatch.setattr(forest, "follow", lambda trial: reported(trial.k, wrong and trial.k == 1))
    assert forest.main(["--runs", "3", "--seed", "7"]) == int(wrong)
    assert drawn == [np.random.default_rng([7, k]).random() for k in range(3)]
    assert capsys.readouterr().out == (
        ("run 1: late\nrun 1: large\n" if wrong else "")
        + f"runs: 3 (seed 7); with a violation: {int(wrong)}\n"
        "comparisons of a regret with its bound: 33\n"
        "with refinement: 1, without: 2\n"
        "bound over regret after S_h sweeps, median: 16\n"
        "S_h over the sweep that expands o_h, median: 4\n"
    )
    for empty in (Report(), Report(tightness=[(0, 1.0, 1.0)]), Report(slack=[(0, 1, 1)])):
        monkeypatch.setattr(forest, "follow", lambda trial, empty=empty: empty)
        assert forest.main(["--runs", "1", "--seed", "7"]) == 0
        assert "median" not in capsys.readouterr().out
