"""Compare the paper's constants with the true ones and with measurements.

``python -m reproduction.bounds.constants`` prints three tables: the claimed and the
true probability of coverage (claim coverage), the printed and the sharp constant of Theorem 1
beside measured ratios (claim theorem-1), and bounds on every rule with fresh matrices (claim
fresh-ceiling). ``--tables`` chooses the tables; ``--samples`` and ``--seed`` set the measurement.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from embedded_hunter.problems.functions import Ackley, Ellipsoid, Landscape, Rosenbrock
from embedded_hunter.regret import (
    Estimate,
    best_of,
    box_that_keeps_the_promise,
    certified_lower_bound,
    coverage_probability,
    estimate_probability,
    estimate_variation,
    gaussian_variation_bound,
    mean_coverage,
    plug_in_lower_bound,
    printed_coverage,
    printed_variation_bound,
    sample_covering_radii,
    sample_radial_values,
    scale_grid,
    second_moment_variation_bound,
)
from reproduction.tables import number, table

FloatArray = npt.NDArray[np.float64]

D, ETA = 10, 0.3
DIMENSIONS = (1, 100, 1000, 10_000, 100_000)


def interval(e: Estimate) -> str:
    """Return an estimate with its interval, as text."""
    return f"{e.value:.3g} [{e.low:.3g}, {e.high:.3g}]"


def coverage_table(samples: int, rng: np.random.Generator) -> str:
    """Claimed and true coverage for d = d_e = 10, eta = 0.3, against Monte Carlo over matrices.

    The optimiser has the value 0.4634 in every coordinate (Ackley, Ellipsoid), or 0.2 (Rosenbrock),
    or is uniform in the cube, or is the corner (1, .., 1). In the corner every coordinate is
    clipped, and only Monte Carlo gives a value.
    """
    R = D / ETA
    radii = {
        a: sample_covering_radii(np.full(D, a), D, count, rng)
        for a, count in ((0.4634, samples), (0.2, samples), (1.0, max(50, samples // 50)))
    }

    def measured(a: float, sigma: float) -> str:
        hits = int(np.count_nonzero(radii[a] <= sigma * R))
        return interval(estimate_probability(hits, radii[a].size))

    rows = []
    for n in DIMENSIONS:
        sigma = 1 / math.sqrt(n)
        rows.append(
            [
                f"{n}" if n > 1 else "1 (sigma = 1)",
                number(printed_coverage(ETA)),
                number(coverage_probability(np.full(D, 0.4634), D, sigma, R)),
                measured(0.4634, sigma),
                number(coverage_probability(np.full(D, 0.2), D, sigma, R)),
                measured(0.2, sigma),
                number(mean_coverage(D, sigma, R)),
                measured(1.0, sigma),
                number(box_that_keeps_the_promise(ETA, D, sigma) / R),
            ]
        )
    header = [
        "n",
        "claimed",
        "true, x* = .4634",
        "measured",
        "true, x* = .2",
        "measured",
        "true, x* uniform",
        "measured, corner",
        "box needed / printed box",
    ]
    return table(header, rows, aligned=True)


def theorem_1_table(samples: int, rng: np.random.Generator) -> str:
    """Constants c of ``E|g_p(y) - g_q(y)| <= c L ||y||``, printed, true and measured.

    They are measured at ``sigma ||y|| = 0.05``, so that hardly any coordinate is clipped. The
    functions are f = x_1, the distance to a point in ten coordinates, and Ackley's function in ten
    coordinates; L is the Lipschitz constant of the function.
    """

    def linear(x: FloatArray) -> FloatArray:
        return x[:, 0]

    def cone(x: FloatArray) -> FloatArray:
        return np.asarray(np.linalg.norm(x - 0.2, axis=1))

    ackley = Ackley(D)

    def hilly(x: FloatArray) -> FloatArray:
        return np.asarray(ackley(x.T))

    measured: list[tuple[Callable[[FloatArray], FloatArray], float]] = [
        (linear, 1.0),
        (cone, 1.0),
        (hilly, ackley.lipschitz()),
    ]
    rows = []
    for n in DIMENSIONS[1:]:
        sigma = 1 / math.sqrt(n)
        y = np.array([0.05 / sigma])
        norm = float(y[0])
        cells = [
            str(n),
            number(printed_variation_bound(1, norm) / norm),
            number(second_moment_variation_bound(1, norm, n, sigma) / norm),
            number(second_moment_variation_bound(1, norm, D, sigma) / norm),
            number(gaussian_variation_bound(1, norm, sigma) / norm),
        ]
        ratio = math.nan
        for f, L in measured:
            e = estimate_variation(f, y, D, sigma, samples, rng)
            ratio = e.value / norm if f is linear else ratio
            scaled = (e.value, e.low, e.high)
            cells.append("{:.3g} [{:.3g}, {:.3g}]".format(*(t / (L * norm) for t in scaled)))
        rows.append([*cells, f"{printed_variation_bound(1, norm) / norm / ratio:.0f}"])
    header = [
        "n",
        "printed",
        "2nd moments",
        "2nd moments, d_e",
        "sharp",
        "f = x_1",
        "distance",
        "Ackley",
        "printed/measured",
    ]
    return table(header, rows, aligned=True)


def ceiling_table(samples: int, rng: np.random.Generator) -> str:
    """Lower bounds on the mean best value of any rule with fresh matrices, d = d_e = 10, n = 10^4.

    The scales reach up to that of the corners of Y. The table has the certified lower bound (99 %),
    the plug-in estimate of the same bound, and the best constant scale. Budgets are at most a tenth
    of the number of samples, because the samples do not show rarer events.
    """
    sigma_R = D / ETA / 100
    rows = []
    for landscape, distance in sublevel_distances():
        # Rosenbrock's best scale is small: its optimum is hardly better than the origin.
        low = 0.001 if isinstance(landscape, Rosenbrock) else 0.05
        scales = scale_grid(low, sigma_R * math.sqrt(D), 1.1)
        values = sample_radial_values(_by_rows(landscape), D, scales, samples, rng)
        f_zero = float(landscape(np.zeros(D)))
        for v in (100, 1000, 10_000):
            if v > samples // 10:
                continue
            best = best_of(values, v)
            plug_in = plug_in_lower_bound(values, v)
            # Thresholds where pbar is of the order of 1/v; chosen on a tenth of the samples.
            pilot, rest = values[:, ::10], np.delete(values, np.s_[::10], axis=1)
            levels = np.quantile(pilot, np.minimum(0.9, np.geomspace(0.01, 50, 60) / v), axis=1)
            sure = certified_lower_bound(
                rest,
                scales,
                D,
                v,
                f_star=0.0,
                f_zero=f_zero,
                distance=distance,
                thresholds=levels.min(axis=1),
            )
            where = scales[int(np.argmin(best))]
            rows.append(
                [
                    landscape.name,
                    str(v),
                    number(f_zero),
                    f"{sure:.4g}",
                    f"{plug_in:.4g}",
                    f"{best.min():.4g} ({where:.3g})",
                ]
            )
    header = ["f", "v", "f(0)", "certified bound", "plug-in bound", "best constant scale (s)"]
    return table(header, rows, aligned=True)


def sublevel_distances() -> list[tuple[Landscape, Callable[[FloatArray], FloatArray]]]:
    """Return the functions, each with a lower bound on the distance of 0 from its sublevel sets.

    Let ``r = ||x - x*||``. Ellipsoid is at least ``25 r^2`` and at least ``2.5e6 (x_1 - x*_1)^2``.
    Ackley is at least ``20 (1 - exp(-r/sqrt(10)))``. Rosenbrock cannot fall faster than its
    Lipschitz constants on small boxes around 0 allow.
    """
    ellipsoid, rosenbrock, ackley = Ellipsoid(D), Rosenbrock(D), Ackley(D)
    norm = float(np.linalg.norm(ackley.x_star))
    of_rosenbrock = distance_by_boxes(rosenbrock)

    def of_ellipsoid(thresholds: FloatArray) -> FloatArray:
        root = np.sqrt(thresholds) / 5
        first = float(ellipsoid.x_star[0])
        return np.asarray(np.maximum(0.0, np.maximum(norm - root, first - root / math.sqrt(1e5))))

    def of_ackley(thresholds: FloatArray) -> FloatArray:
        r = -math.sqrt(D) * np.log1p(-np.minimum(thresholds, 19) / 20)
        return np.maximum(0.0, norm - r)

    return [(ellipsoid, of_ellipsoid), (rosenbrock, of_rosenbrock), (ackley, of_ackley)]


def distance_by_boxes(landscape: Landscape) -> Callable[[FloatArray], FloatArray]:
    """Return a lower bound on the distance of 0 from sublevel sets, from its Lipschitz constants.

    On the box ``|x_i| <= r`` the function falls at most as fast as its constant there allows.
    """
    boxes = np.geomspace(1e-4, 1, 100)
    slopes = np.array([landscape.lipschitz(r) for r in boxes])
    f_zero = float(landscape(np.zeros(landscape.d_e)))

    def distance(thresholds: FloatArray) -> FloatArray:
        fall = np.maximum(0.0, f_zero - thresholds)
        return np.asarray(np.minimum(boxes, fall[:, None] / slopes).max(axis=1))

    return distance


def _by_rows(landscape: Landscape) -> Callable[[FloatArray], FloatArray]:
    def f(x: FloatArray) -> FloatArray:
        return np.asarray(landscape(x.T))

    return f


TABLES: dict[str, Callable[[int, np.random.Generator], str]] = {
    "coverage": coverage_table,
    "theorem-1": theorem_1_table,
    "ceiling": ceiling_table,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the paper's constants beside the true ones and beside measurements."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.bounds.constants", description=main.__doc__
    )
    parser.add_argument("--tables", nargs="+", choices=sorted(TABLES), default=list(TABLES))
    parser.add_argument("--samples", type=int, default=20_000, help="Monte Carlo samples per cell")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    for name in options.tables:
        table = TABLES[name]
        print(f"{name}: {(table.__doc__ or '').splitlines()[0]}")
        print(f"({options.samples} samples, seed {options.seed}, 95 % intervals)\n")
        print(table(options.samples, np.random.default_rng(options.seed)), end="\n\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
