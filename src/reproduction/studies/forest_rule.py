"""By which rule the default forest chooses the leaves that it expands.

``python -m reproduction results --make forest-rule`` makes the runs and the table of the
documentation. The forest has its default settings, with local search
and the evolution strategy. The functions are those of `sequool`, on development instances that no
other study uses. Axis-aligned, n = 10^4, and only the effective coordinates are made. Rotated,
n = 1,000. Run k of a function has the same instance and the same generator with each rule and each
budget, so that results are paired.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from itertools import count
from typing import NamedTuple

import numpy as np

from embedded_hunter.baselines.sequool import greatest_depth
from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.search import Forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.run.policies import Search
from reproduction.kept_runs import Values
from reproduction.seeds import seed_of
from reproduction.statistics import holm
from reproduction.studies.sequool import FUNCTIONS, N_ROTATED, N, objective, rows_of, signed_rank_p
from reproduction.studies.study import SOLVED, forest_search, least_value, sign_test
from reproduction.tables import table

BUDGETS = (1_000, 3_000)
RUNS = 40
LEVEL = 0.05


class Run(NamedTuple):
    """The names of one run."""

    rule: str
    function: str
    v: int
    run: int


COLUMNS = (*Run._fields, "value")


class Chosen(Forest):
    """Leaves with a rule of their own: the first leaf of each list of `norm_classes` is expanded.

    Each leaf has a queue of its own, so that it passes the test of `hunt_forest`. A sweep asks once
    for the lists of each depth, from depth 0 on.
    """

    def __init__(self) -> None:
        super().__init__()
        self._queues = count()

    def queue_of(self, leaf: Node) -> int:
        """Return a queue that no leaf has had."""
        return next(self._queues)

    def least(self, h: int) -> float:
        """Return -inf: no depth is passed over."""
        return -math.inf


class Sweeps(Chosen):
    """The sweeps of the policy itself, as a check of this way to state a rule."""

    def __init__(self) -> None:
        super().__init__()
        self._nu_min: dict[int, float] = {}

    def passes(self, queue: int, value: float, nu_min: float) -> bool:
        """Return whether the least value of a queue at some depth leads to an expansion."""
        return value < nu_min

    def norm_classes(self, h: int) -> list[list[Node]]:
        """Return the queues of depth h whose least leaf passes the test."""
        if h == 0:
            self._nu_min.clear()
        chosen = []
        for leaves in super().norm_classes(h):
            queue, value = self.class_of(leaves[0]), leaves[0].f_star
            if queue not in self._nu_min or self.passes(queue, value, self._nu_min[queue]):
                self._nu_min[queue] = value
                chosen.append(leaves)
        return chosen


class SoosTest(Sweeps):
    """Sweeps with SOO's test, <= in the place of <."""

    def passes(self, queue: int, value: float, nu_min: float) -> bool:
        """Return whether the value is at most nu_min."""
        return value <= nu_min


class SoosTestBesideZero(Sweeps):
    """SOO's test; the leaves of the zero vector, which have equal values, keep the strict one."""

    def passes(self, queue: int, value: float, nu_min: float) -> bool:
        """Return whether the value is less than nu_min, or equal and not of the zero vector."""
        return value < nu_min or (value == nu_min and queue > 0)


class RootsFirst(Sweeps):
    """Sweeps of which the first one expands all roots, so that local searches begin at once."""

    def norm_classes(self, h: int) -> list[list[Node]]:
        """Return the queues whose least leaf passes the test; of depth 0, every root."""
        chosen = super().norm_classes(h)
        return [[root] for roots in chosen for root in sorted(roots)] if h == 0 else chosen


class SoosTestRootsFirst(RootsFirst, SoosTestBesideZero):
    """Sweeps with SOO's test but for the zero vector, of which the first one expands all roots."""


def sequools_rule(H: int, P: int) -> type[Forest]:
    """Return the leaves with SequOOL's rule: a sweep expands leaves of one depth.

    The first sweep expands all P roots. The next ones expand the floor(H/h) leaves with the least
    values of depth h = 1, ..., H, and as many leaves of the zero vector. After depth H, the next
    one is depth 1 again. A depth without leaves is left out. Local searches and the evolution
    strategy have their evaluations between these sweeps, as the policy says.
    """

    class Leaves(Chosen):
        due = -1  # the depth of the last sweep

        def norm_classes(self, h: int) -> list[list[Node]]:
            if h == 0:
                self.due = 0 if self.due < 0 else self.next_depth()
            if h != self.due:
                return []
            share = H // h if h else P
            queues = super().norm_classes(h)
            return [[leaf] for leaves in queues for leaf in nsmallest(share, leaves)]

        def next_depth(self) -> int:
            h = self.due % H + 1
            while h > self.depth or not super().norm_classes(h):
                h = h % H + 1
            return h

    return Leaves


def sequool_for(share: int) -> Callable[[ForestSettings], type[Forest]]:
    """Return SequOOL's rule with the greatest H whose expansions need v/share evaluations."""

    def leaves(settings: ForestSettings) -> type[Forest]:
        limit, P = (settings.v // share - 1) // (settings.K - 1), len(settings.trees)
        return sequools_rule(greatest_depth(limit, P, separate_origin=True), P)

    return leaves


POLICY = "sweeps"
RULES: dict[str, Callable[[ForestSettings], type[Forest]]] = {
    POLICY: lambda settings: Forest,
    "sweeps with SOO's test": lambda settings: SoosTest,
    "SOO's test but for the zero vector": lambda settings: SoosTestBesideZero,
    "sweeps, roots first": lambda settings: RootsFirst,
    "SOO's test but for the zero vector, roots first": lambda settings: SoosTestRootsFirst,
    "SequOOL's rule, H for v/8": sequool_for(2 * EVOLUTION.share),
    "SequOOL's rule, H for v/4": sequool_for(4),
}
"""v/8 is about the least that the forest has: half of the least share of its member. v/4 is what it
has if the evolution strategy makes as many evaluations as the forest and its local searches."""


def plan() -> Iterator[Run]:
    """All runs, in the order of the file."""
    for v in BUDGETS:
        for function in FUNCTIONS:
            for run in range(RUNS):
                for rule in RULES:
                    yield Run(rule, function, v, run)


def search_of(run: Run) -> Search:
    """Return the search of a run."""
    rng = np.random.default_rng(seed_of("forest-rule", run.function, run.run, "search"))
    rows = rows_of(run.function)
    settings = ForestSettings(N_ROTATED if rows == N_ROTATED else N, run.v)
    return forest_search(settings, rng, rows, forest=RULES[run.rule](settings))


def perform(run: Run) -> float:
    """Make a run; return its best value (the optimum is 0)."""
    rng = np.random.default_rng(seed_of("forest-rule", run.function, run.run, "instance"))
    return least_value(search_of(run), objective(run.function, rng))


def pairs_of(
    values: Values, rule: str, v: int, runs: range = range(RUNS)
) -> dict[str, tuple[Floats, Floats]]:
    """Return the values of a rule and of the policy on each function; `SOLVED` is the least one."""

    def sample(rule: str, function: str) -> Floats:
        found = [values[rule, function, str(v), str(run)] for run in runs]
        return np.maximum(found, SOLVED)

    return {f: (sample(rule, f), sample(POLICY, f)) for f in FUNCTIONS}


def won_and_lost(pairs: Iterable[tuple[Floats, Floats]]) -> tuple[int, int]:
    """Return in how many runs a rule is better than the policy, and in how many worse."""
    a, b = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return int(np.sum(a < b)), int(np.sum(a > b))


def table_of(values: Values) -> str:
    """Return the table of the page: each other rule against the sweeps of the policy.

    Values up to `SOLVED` count as equal. For each function Wilcoxon's signed-rank test of the
    logarithms, two-sided, with Holm's correction over the functions of a line; over all runs of
    the line a sign test, not corrected.
    """
    rows = []
    for v in BUDGETS:
        for rule in list(RULES)[1:]:
            pairs = pairs_of(values, rule, v)
            p = holm([signed_rank_p(a, b) for a, b in pairs.values()])
            better: list[str] = []
            worse: list[str] = []
            for (function, pair), of in zip(pairs.items(), p, strict=True):
                won, lost = won_and_lost([pair])
                if of <= LEVEL:
                    said = f"{FUNCTIONS[function]} ({won}:{lost})"
                    (better if won > lost else worse).append(said)
            won, lost = won_and_lost(pairs.values())
            rows.append(
                [rule, f"{v:,}", f"{won}:{lost}", sign_test(won, won + lost)]
                + ["; ".join(side) or "none" for side in (better, worse)]
            )
    header = ["rule", "v", "runs better : worse", "sign test", "better on", "worse on"]
    return table(header, rows)
