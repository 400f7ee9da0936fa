"""The behaviour of the authors' released program, re-created from its description.

Kept apart from the reference: this module shares no code with `hunter.py` and differs from the
paper on purpose. It exists so that the published raw results can be told from the paper's text.
It was written from a description of the program's behaviour; the program itself was not consulted.

What it does, and where the paper says otherwise:

1. eta = 0.2 (Table 1: 0.3), so Y = [-d/eta, d/eta]^d has half-width 50 for d = 10.
2. The cube is coded as [0, 1]^d. Depth h splits coordinate h mod d with step (1/3)^(h+1), where
   cells that tile need (1/3)^(h div d + 1): coordinate j reaches only about (2/3) 3^-j R.
3. Norms, and the cap on evaluations M ||y||, are taken in the [0, 1] coordinates about 1/2, so
   M ||y|| <= M sqrt(1/8). Norms are floats, compared as floats.
4. A leaf is skipped only if its value > nu_min; a tie expands. Hence the drill: the center child of
   the leaf just expanded has its value, and is expanded at every depth down to h_max.
5. A center child is re-evaluated iff its norm >= 1e-7 and its evaluations so far <= M ||y||.
6. An expansion counts 2 evaluations, or 3 with the center's; the root is not counted. The run
   stops after the expansion with which the count reaches the budget: at most v + 2 are counted.
7. A sweep starts at `min_depth`, which grows by one at every visit to a depth with exactly one
   leaf, whatever that depth, expanded or not. The sweep goes on until an empty depth below the
   deepest leaf, read anew at each depth, or past h_max, the real square root of the budget.
8. Per depth: classes by norm, largest first; in a class the least value, ties to the earliest
   created. Children are evaluated upper, lower, center.
9. EmbeddedHunter draws a new matrix N(0, 1/n) for every evaluation. A y then has independent
   N(0, ||y||^2 / n) coordinates (theory: radial collapse), which is what is drawn.

The errata have the whole description, with RESOO and SRESOO. Version 1.1.0 has these two, and the
profile ``released`` of Figure 1. A run is a pure function of its settings and its generator.

Where the description leaves room, this was decided:

- Evaluations are numbered with the root, which no budget counts; published values cannot tell
  (moving every budget by one evaluation changes no cell's verdict).
- Ties go to the leaf that arrived first at its depth (upper, lower, center). Whether the center,
  the older object, would win instead cannot be seen: exact ties of different points come from
  clipping only.
- Base points are kept in [0, 1] coordinates as floats, so that equal norms may differ in the last
  digit; a split class has no visible effect.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

ETA = 0.2
ZERO_NORM = 1e-7


@dataclass(eq=False, slots=True)
class Leaf:
    """A leaf: its base point in [0, 1] coordinates, the norm about 1/2, and what was evaluated."""

    base: tuple[float, ...]
    norm: float
    value: float
    evaluations: int = 1


def hunt_released(
    evaluate: Callable[[list[float]], list[float]], *, n: int, d: int, v: int, M: int
) -> int:
    """Run EmbeddedHunter as released; return the number of evaluations, the root included.

    Parameters
    ----------
    evaluate
        Returns the values at points of given sigma ||y||, each with a matrix of its own.
    n
        Ambient dimension; the entries of A have variance 1/n.
    d
        Dimension of the search space Y = [-d/ETA, d/ETA]^d.
    v
        Budget of evaluations, as the program counts them (item 6 above).
    M
        Factor of the cap on the evaluations of a base point.
    """
    width, center = 2.0 * d / ETA / math.sqrt(n), (0.5,) * d
    depths = [[Leaf(center, 0.0, evaluate([0.0])[0])]]
    count, min_depth = 0, 0
    while count < v:
        nu_min, before, h = math.inf, count, min_depth
        while h <= math.sqrt(v) and h < len(depths) and count < v:
            leaves, j, step = depths[h], h % d, (1.0 / 3.0) ** (h + 1)
            if len(leaves) == 1:
                min_depth += 1
            for leaf in first_of_classes(leaves):
                if leaf.value > nu_min or count >= v:
                    continue
                nu_min = leaf.value
                outer = [
                    (*leaf.base[:j], x, *leaf.base[j + 1 :])
                    for x in (leaf.base[j] + step, leaf.base[j] - step)
                ]
                norms = [math.dist(base, center) for base in outer]
                again = leaf.norm >= ZERO_NORM and leaf.evaluations <= M * leaf.norm
                radii = [*norms, leaf.norm] if again else norms
                values = evaluate([norm * width for norm in radii])
                count += len(values)
                if again:
                    leaf.value, leaf.evaluations = min(leaf.value, values[2]), leaf.evaluations + 1
                if h + 1 == len(depths):
                    depths.append([])
                leaves.remove(leaf)
                depths[h + 1] += [*map(Leaf, outer, norms, values), leaf]
            h += 1
        if count == before:
            break
    return count + 1


def first_of_classes(leaves: list[Leaf]) -> list[Leaf]:
    """Return the least leaf of each norm, the earliest of equal ones, the largest norm first."""
    first: dict[float, Leaf] = {}
    for leaf in leaves:
        if leaf.norm not in first or leaf.value < first[leaf.norm].value:
            first[leaf.norm] = leaf
    return [first[norm] for norm in sorted(first, reverse=True)]
