"""How much a rule can gain from its past if each evaluation draws a new matrix.

``python -m reproduction results --make optimal-rule`` computes, for d = d_e = 10 and n = 10^4, the
best rule with fresh matrices and the best fixed radius, and writes a table of numbers (CSV).

The scales reach up to that of the corners of Y, and include 0. Levels, a third of the samples
chosen for training, and the rest are independent: a rule and a fixed radius that are found with the
first part are judged with the second.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from embedded_hunter.matrices import Floats
from embedded_hunter.problems.functions import Ackley, Ellipsoid, Landscape, Rosenbrock
from embedded_hunter.problems.hidden import PROBLEMS
from reproduction import csv_files
from reproduction.bounds.dynamic_programme import count_radial_values, fixed_law_means, optimal_rule
from reproduction.landscapes import LANDSCAPES
from reproduction.seeds import seed_of
from reproduction.tables import table
from reproduction.theory.ceiling import (
    ceiling,
    sample_radial_values,
    scale_grid,
    upper_limits,
)

D, ETA = 10, 0.3
REACH = D / ETA / 100 * D**0.5
"""Greatest scale at n = 10^4, sigma R sqrt(d)."""
BUDGETS = (100, 1_000, 10_000)
FINEST = {"rosenbrock": (0.001, 1.25)}
"""Least scale, and ratio of two scales, where the best ones are small; (0.1, 1.13) elsewhere."""
SAMPLES, PILOT, PARTS, LEVELS = 3_000_000, 300_000, 15, 1_200
CONFIDENCE = 0.99


class RuleNumbers(NamedTuple):
    """The numbers of one function and one budget: means of the best value, least value 0.

    Attributes
    ----------
    certified_low, certified_high
        Limits of the mean of the best rule, at the confidence `CONFIDENCE` together: a lower one
        for all rules and all scales up to `REACH`, an upper one by a rule.
    ceiling, least, mean
        Estimates: of the lower bound that follows from the ceiling, and of the mean of the best
        rule over the scales of the grid, values rounded down and up to the next level.
    fixed, scale
        Estimate of the mean at the best fixed scale, and this scale.
    rule, rule_error
        Mean of a rule on samples that were not used to find it, and its standard error.
    gain, gain_error
        What the fixed scale that was found with the same samples as this rule has more.
    """

    function: str
    v: int
    certified_low: float
    ceiling: float
    least: float
    mean: float
    certified_high: float
    fixed: float
    scale: float
    rule: float
    rule_error: float
    gain: float
    gain_error: float


def landscape_of(name: str) -> Landscape:
    """Return the function; Fletcher-Powell's instance is that of the experiments."""
    rng = np.random.default_rng(seed_of("paper", name, D))
    return PROBLEMS[name](D, D, rng=rng).landscape


def rows_of(
    name: str, samples: int = SAMPLES, budgets: Sequence[int] = BUDGETS
) -> list[RuleNumbers]:
    """Compute the rows of a function from `samples` draws for each scale.

    Parameters
    ----------
    name
        Of the function, a key of `PROBLEMS`.
    samples
        A multiple of `PARTS`.
    budgets
        Increasing.
    """
    landscape = landscape_of(name)
    rng = np.random.default_rng(seed_of("optimal-rule", name))
    low, ratio = FINEST.get(name, (0.1, 1.13))
    scales = scale_grid(low, REACH, ratio)

    def f(x: Floats) -> Floats:
        return np.asarray(landscape(x.T))

    levels = levels_of(landscape, f, scales, rng)
    f_zero = float(landscape(np.zeros(D)))
    at_zero = (levels >= f_zero).astype(float)[None, :]
    part = samples // PARTS
    counts = np.array([count_radial_values(f, D, scales, levels, part, rng) for _ in range(PARTS)])

    def laws(chosen: Floats) -> Floats:
        """Distribution functions of scale 0 and of the others, from some parts of the samples."""
        return np.concatenate([at_zero, chosen.sum(axis=0) / (part * len(chosen))])

    v = budgets[-1]
    everything = optimal_rule(levels, laws(counts), v)
    third = PARTS // 3
    found = optimal_rule(levels, laws(counts[:third]), v)
    rest = counts[third:]
    judged = found.means_under(laws(rest))
    without = [np.delete(rest, k, axis=0) for k in range(len(rest))]
    judged_without = np.array([found.means_under(laws(some)) for some in without])

    total = counts.sum(axis=0)
    distances = distance_of(landscape)(levels)
    alpha = (1 - CONFIDENCE) / 2
    high = upper_limits(total, part * PARTS, scales, D, distances=distances, confidence=1 - alpha)
    high = np.minimum.accumulate(high[:, ::-1], axis=1)[:, ::-1]
    low_limits = np.where(
        total > 0,
        stats.beta.ppf(alpha / total.size, np.maximum(total, 1), part * PARTS - total + 1),
        0.0,
    )
    low_limits = np.maximum.accumulate(low_limits, axis=1)
    sure_low = optimal_rule(levels, np.concatenate([at_zero, high]), v).least
    sure_high = optimal_rule(levels, np.concatenate([at_zero, low_limits]), v).means

    rows = []
    for v in budgets:
        means = fixed_law_means(levels, laws(counts), v)
        best = int(np.argmin(means))
        chosen = int(np.argmin(fixed_law_means(levels, laws(counts[:third]), v)))
        pbar = laws(counts).max(axis=0)
        # A rule for v evaluations is the end of one for more.
        gains = np.array(
            [
                fixed_law_means(levels, laws(some), v)[chosen] - there[v - 1]
                for some, there in zip(without, judged_without, strict=True)
            ]
        )
        rows.append(
            RuleNumbers(
                name,
                v,
                sure_low[v - 1],
                levels[0] + (1 - ceiling(pbar[:-1], v)) @ np.diff(levels),
                everything.least[v - 1],
                everything.means[v - 1],
                sure_high[v - 1],
                means[best],
                [0.0, *scales][best],
                judged[v - 1],
                jackknife_error(judged_without[:, v - 1]),
                fixed_law_means(levels, laws(rest), v)[chosen] - judged[v - 1],
                jackknife_error(gains),
            )
        )
    return rows


def levels_of(
    landscape: Landscape, f: Callable[[Floats], Floats], scales: Floats, rng: np.random.Generator
) -> Floats:
    """Return the levels: quantiles of the least values that a scale has, from draws of their own.

    The first is 0, the least value of the function; the last is an upper bound on all values.
    """
    quantiles = np.concatenate(
        [np.geomspace(3, PILOT / 1000, LEVELS // 2) / PILOT, np.geomspace(1e-3, 1, LEVELS // 4)]
    )
    pilot = sample_radial_values(f, D, scales, PILOT, rng)
    shown = np.quantile(pilot, quantiles, axis=1).min(axis=1)
    below = np.linspace(0.0, shown[0], LEVELS // 4)
    f_zero = float(landscape(np.zeros(D)))
    top = f_zero + landscape.lipschitz() * D**0.5
    return np.unique(np.concatenate([below, shown, [f_zero, top]]))


def sublevel_distances() -> list[tuple[Landscape, Callable[[Floats], Floats]]]:
    """Return the functions, each with a lower bound on the distance of 0 from its sublevel sets.

    Let ``r = ||x - x*||``. Ellipsoid is at least ``25 r^2`` and at least ``2.5e6 (x_1 - x*_1)^2``.
    Ackley is at least ``20 (1 - exp(-r/sqrt(10)))``. Rosenbrock cannot fall faster than its
    Lipschitz constants on small boxes around 0 allow.
    """
    ellipsoid, rosenbrock, ackley = Ellipsoid(D), Rosenbrock(D), Ackley(D)
    norm = float(np.linalg.norm(ackley.x_star))
    of_rosenbrock = distance_by_boxes(rosenbrock)

    def of_ellipsoid(thresholds: Floats) -> Floats:
        root = np.sqrt(thresholds) / 5
        first = float(ellipsoid.x_star[0])
        return np.asarray(np.maximum(0.0, np.maximum(norm - root, first - root / math.sqrt(1e5))))

    def of_ackley(thresholds: Floats) -> Floats:
        r = -math.sqrt(D) * np.log1p(-np.minimum(thresholds, 19) / 20)
        return np.maximum(0.0, norm - r)

    return [(ellipsoid, of_ellipsoid), (rosenbrock, of_rosenbrock), (ackley, of_ackley)]


def distance_by_boxes(landscape: Landscape) -> Callable[[Floats], Floats]:
    """Return a lower bound on the distance of 0 from sublevel sets, from its Lipschitz constants.

    On the box ``|x_i| <= r`` the function falls at most as fast as its constant there allows.
    """
    boxes = np.geomspace(1e-4, 1, 100)
    slopes = np.array([landscape.lipschitz(r) for r in boxes])
    f_zero = float(landscape(np.zeros(landscape.d_e)))

    def distance(thresholds: Floats) -> Floats:
        fall = np.maximum(0.0, f_zero - thresholds)
        return np.asarray(np.minimum(boxes, fall[:, None] / slopes).max(axis=1))

    return distance


def distance_of(landscape: Landscape) -> Callable[[Floats], Floats]:
    """Return a lower bound on the distance of 0 from the sublevel sets of a function."""
    known = {other.name: distance for other, distance in sublevel_distances()}
    return known.get(landscape.name) or distance_by_boxes(landscape)


def jackknife_error(without: Floats) -> float:
    """Return the standard error from the estimates that leave out one part of the samples each."""
    n = without.size
    return float(np.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2)))


def read(path: Path) -> list[RuleNumbers]:
    """Return the rows of a file.

    Raises
    ------
    ValueError
        If the file is something else.
    """
    lines = csv_files.read(path, RuleNumbers._fields)
    return [RuleNumbers(line[0], int(line[1]), *map(float, line[2:])) for line in lines]


def write(path: Path, rows: Sequence[RuleNumbers]) -> None:
    """Write the rows to a file, numbers with seven digits."""
    lines = [[f"{cell:.7g}" if isinstance(cell, float) else cell for cell in row] for row in rows]
    csv_files.write(path, RuleNumbers._fields, lines)


def table_of(rows: Sequence[RuleNumbers]) -> str:
    """Return the table of the page, in Markdown."""
    header = (
        "function",
        "$v$",
        "every rule, at least (99 %)",
        "from the ceiling",
        "best rule",
        "best rule, at most (99 %)",
        "best fixed radius ($s$)",
        "a rule on new samples",
        "what the fixed radius has more",
    )
    cells = [
        (
            LANDSCAPES[row.function].title,
            f"{row.v:,}",
            f"{row.certified_low:.4g}",
            f"{row.ceiling:.4g}",
            f"{row.least:.5g} to {row.mean:.5g}",
            f"{row.certified_high:.4g}",
            f"{row.fixed:.5g} ({row.scale:.2g})",
            f"{row.rule:.5g} ± {row.rule_error:.1g}",
            f"{row.gain:.2g} ± {row.gain_error:.1g}",
        )
        for row in rows
    ]
    return table(header, cells)
