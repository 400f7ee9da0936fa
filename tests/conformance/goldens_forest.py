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
from embedded_hunter.traces.events import traced

FOLDER = KIT / "golden" / "forest"
Value = Callable[[tuple[float, ...], int], float]
"""(y / R, p) -> value."""


class Golden(NamedTuple):
    """A run: what it shows, its settings, its objective."""

    shows: str
    settings: ForestSettings
    value: Value


def _settings(v: int, d: int = 1, K: int = 3, h_max: int = 3, **forest: object) -> ForestSettings:
    given = {"n_embeddings": 2, "class_rule": "depth", "separate_origin": True, "refine": False}
    return ForestSettings.from_json(
        {
            "n": d,
            "d": d,
            "v": v,
            "eta": "1/2",
            "K": K,
            "h_max": h_max,
            "sigma": 0.125,
            "policy": "forest",
            **given,
            **forest,
        }
    )


def _near(y: tuple[float, ...], p: int) -> float:
    """Tree 0 has its optimum at -0.6, tree 1 at 0.3, and a little lower; rounded to 1/81."""
    target = (-0.6, 0.3)[(p - 1) % 2]
    return sum(round(81 * abs(c - target)) for c in y) / 81 - (p - 1) % 2 / 9


def _zero_is_best(y: tuple[float, ...], p: int) -> float:
    return float(any(y)) * p


def _falling(y: tuple[float, ...], p: int) -> float:
    """Zero is 8, all else of the forest 9; refinement tree 7, the seventh, is bad.

    Of those before it each is better than the one before.
    """
    if p == 1:
        return 8.0 + any(y)
    return 8.0 - p if p < 8 else 9.0


def _late(y: tuple[float, ...], p: int) -> float:
    """Zero is best, then tree 4; the second refinement tree about a point of it is better."""
    if p <= 16:
        return 0.0 if not any(y) else 5.0 - (p == 5)
    return -1.0 if p == 27 else 6.0


def _level(y: tuple[float, ...], p: int) -> float:
    """Zero is best, then tree 4; about zero, 1 % is not exceeded, about the point of tree 4 it is.

    The refinement trees up to number 24, 26 and 30 are about zero.
    """
    if p <= 16:
        return 100.0 if not any(y) else 109.0 - 7 * (p == 5)
    return 101.0 if p <= 25 or p in (27, 31) else 110.0


def _forest_alone(y: tuple[float, ...], p: int) -> float:
    """The forest finds two equal points, then a better one; refinement finds none."""
    return round(81 * abs(y[0] + 0.7)) / 9 if p == 1 else 9.0


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
    "one-queue": Golden(
        "the same with one queue: no leaf but those of the zero vector passes nu_min",
        _settings(v=15, separate_origin=False),
        _zero_is_best,
    ),
    "norm-classes": Golden(
        "two coordinates, classes by norm over both trees, the zero vector's last",
        _settings(v=24, d=2, class_rule="norm"),
        _near,
    ),
    "refinement": Golden(
        "refinement begins when every tree has been evaluated; its trees follow one another about "
        "the same point, each smaller than the last",
        _settings(v=30, d=2, refine=True),
        _near,
    ),
    "moving": Golden(
        "a tree that finds better: the next one has its first best point as the center and 1.25 of "
        "its radius, at most 1.2; one that does not: the same center and 0.6 of the radius",
        _settings(v=67, n_embeddings=1, refine=True),
        _falling,
    ),
    "two-searches": Golden(
        "h_max = 0, trees of one expansion: where the youngest local search has a radius "
        "below 0.01, diversify begins one in another tree of the forest; intensify stays with the "
        "best, until the other finds better",
        _settings(v=99, h_max=0, n_embeddings=16, refine=True),
        _late,
    ),
    "stagnated": Golden(
        "the same, but about the zero vector the values differ by 1 % only: when there is another "
        "local search, intensify continues it and the best one in turns",
        _settings(v=99, h_max=0, n_embeddings=16, refine=True),
        _level,
    ),
    "at-once": Golden(
        "the forest finds a point as good as the best center: nothing; then a better one: "
        "intensify begins a local search there, though its tree has begun one before",
        _settings(v=40, n_embeddings=1, refine=True),
        _forest_alone,
    ),
    "cut-in-refinement": Golden(
        "the budget ends within an expansion of a refinement tree: the forest is as it was",
        _settings(v=10, d=2, refine=True),
        _near,
    ),
}


def events(golden: Golden) -> list[Fields]:
    """Run the package and return the trace."""
    settings, written = golden.settings, list[Fields]()
    run = traced(hunt_forest(settings), settings, written.append)
    visit = next(run)
    while True:
        values = [golden.value(place(n.h, n.c, settings), p) for n, p in visit.evaluations]
        try:
            visit = run.send(values)
        except StopIteration:
            return written


def place(h: int, c: Sequence[int], settings: ForestSettings) -> tuple[float, ...]:
    """y / R."""
    return tuple(2 * x / settings.K**s for x, s in zip(c, splits(h, settings.d), strict=True))


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
