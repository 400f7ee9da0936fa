"""Golden traces of the policy forest: small runs, one for each of its rules.

``python tests/conformance/goldens_forest.py`` writes them.
"""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import splits
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.run.policies import policy_of
from embedded_hunter.traces.recorded import trace_of

FOLDER = KIT / "golden" / "forest"
Value = Callable[[tuple[float, ...], int, int], float]
"""(y / R, p, number of the evaluation) -> value. y is () for a point of a local search or of the
evolution strategy; p is 1 for the latter."""


class Golden(NamedTuple):
    """A run: what it shows, its settings, its objective."""

    shows: str
    settings: ForestSettings
    value: Value


def _settings(v: int, d: int = 1, K: int = 3, h_max: int = 3, **forest: object) -> ForestSettings:
    given: Fields = {"n": 3, "v": v, "eta": "1/2", "K": K, "h_max": h_max, "policy": "forest"}
    given |= {"scale": "1/4", "n_embeddings": 2, "dimensions": [d]}
    return ForestSettings.from_json({**given, "refine": False, "evolve": False, **forest})


def _near(y: tuple[float, ...], p: int, k: int) -> float:
    """Tree 0 has its optimum at -0.6, tree 1 at 0.3, and a little lower; rounded to 1/81.

    Each value of a local search is less than those before it.
    """
    if not y:
        return -1.0 - k / 128
    target = (-0.6, 0.3)[(p - 1) % 2]
    return sum(round(81 * abs(c - target)) for c in y) / 81 - (p - 1) % 2 / 9


def _zero_is_best(y: tuple[float, ...], p: int, k: int) -> float:
    return float(any(y)) * p


def _never_better(y: tuple[float, ...], p: int, k: int) -> float:
    """Zero is best, then tree 2; no local search finds better."""
    return 0.0 if y and not any(y) else 5.0 - (p == 3)


def _some_better(y: tuple[float, ...], p: int, k: int) -> float:
    """Zero is best, then tree 2; four local searches of different success.

    The first one finds -100 at once and then nothing. The second one is worse, but goes on to
    improve. The third one finds nothing. The fourth one is the best.
    """
    if y:
        return 0.0 if not any(y) else 5.0 - (p == 3)
    if p == 5:
        return -100.0 if k < 18 else 9.0
    return {6: -k / 16, 8: -200.0 - k}.get(p, 9.0)


def _forest_falls(y: tuple[float, ...], p: int, k: int) -> float:
    """Each value of the forest is less than those before it; no local search finds better."""
    return -float(k) if y else 9.0


def _evolution_leads(y: tuple[float, ...], p: int, k: int) -> float:
    """The evolution strategy is ahead at the start, and then the forest."""
    return 1.0 + k % 3 if not y and p == 1 else _near(y, p, k) + 8.0 - k / 8


GOLDENS = {
    "two-trees": Golden(
        "two trees share the evaluation of the zero vector and compete at each depth; the better "
        "one gets the expansions",
        _settings(v=17),
        _near,
    ),
    "separate-origin": Golden(
        "f(0) is the least value: its leaves have a nu_min of their own, the others go on",
        _settings(v=15),
        _zero_is_best,
    ),
    "refinement": Golden(
        "local searches are asked when every tree has been evaluated, while they have made fewer "
        "evaluations than the forest; the modes take turns, intensify first if they are equal; a "
        "search that improves goes on",
        _settings(v=60, d=2, refine=True),
        _near,
    ),
    "no-improvement": Golden(
        "a local search that has not improved in 10 d evaluations is not live: the next one "
        "begins, at the zero vector, then in each tree, the best first, then at the zero vector "
        "again",
        _settings(v=200, n_embeddings=4, refine=True),
        _never_better,
    ),
    "left-behind": Golden(
        "a local search that is worse at an age than at least half of the earlier ones is left to "
        "intensify, which continues the best live one; diversify begins another",
        _settings(v=180, n_embeddings=4, refine=True),
        _some_better,
    ),
    "at-once": Golden(
        "the forest finds a point better than all local searches: intensify begins one there",
        _settings(v=80, d=2, n_embeddings=2, refine=True),
        _forest_falls,
    ),
    "two-dimensions": Golden(
        "the first and the third tree have one dimension, the second tree has two; every second "
        "sweep ranges over the trees of one dimension, the dimensions in turns",
        _settings(v=40, dimensions=[1, 2], n_embeddings=3),
        _near,
    ),
    "full-dimension": Golden(
        "the trees of one dimension are full before those of two: a sweep over them expands "
        "nothing, and the run goes on; it ends with a sweep over all trees that expands nothing",
        _settings(v=40, dimensions=[1, 2], h_max=0, n_embeddings=6),
        _near,
    ),
    "evolution": Golden(
        "the evolution strategy has the next generation if it is ahead when both have made as many "
        "evaluations, or if it has made less than a fourth of all",
        _settings(v=90, d=2, refine=True, evolve=True),
        _evolution_leads,
    ),
    "cube": Golden(
        "the only tree is that of the cube X; when it is full, the evolution strategy goes on",
        _settings(v=60, d=3, h_max=1, n_embeddings=1, evolve=True),
        _near,
    ),
    "cut-in-refinement": Golden(
        "the budget ends within a generation of a local search: the forest is as it was",
        _settings(v=10, d=2, refine=True),
        _near,
    ),
}


def events(golden: Golden) -> list[Fields]:
    """Run the package and return the trace."""
    settings, values = golden.settings, list[float]()
    run = hunt_forest(settings)
    visit = next(run)
    while True:
        records = map(policy_of(settings).record, visit.evaluations)
        told = [
            golden.value(place(r["h"], r["c"], settings), r["p"], k)
            for k, r in enumerate(records, len(values) + 1)
        ]
        values += told
        try:
            visit = run.send(told)
        except StopIteration:
            return list(trace_of(settings, values))


def place(h: int, c: Sequence[int], settings: ForestSettings) -> tuple[float, ...]:
    """y / R, or () for a point of a local search."""
    if not c:
        return ()
    return tuple(2 * x / settings.K**s for x, s in zip(c, splits(h, len(c)), strict=True))


def text(golden: Golden) -> str:
    """The trace as its file has it."""
    return "".join(map(dump, events(golden)))


def main() -> int:
    """Write all files."""
    for name, golden in GOLDENS.items():
        (FOLDER / f"{name}.jsonl").write_text(text(golden), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
