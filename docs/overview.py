"""The picture at the head of the README: what the search does, and two things that were found.

``python docs/overview.py docs/overview.svg`` draws it. Left: the cells of Y
after a run, with one fixed matrix, and where the function is low. Middle: how probably Y covers an
optimum, as the paper says and with matrices of variance 1/n. Right: medians of the best value
against evaluations for the policies, and the least median that a rule with fresh matrices can have,
estimated from samples.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.projection import Indexed, drive
from embedded_hunter.run.policies import PolicyName, parts_of, settings_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.settings import Settings
from reproduction.growth import (
    draw_lowest_values,
    draw_partition,
    last_sweep,
    steps_of_run,
    values_on,
)  # fmt: skip
from reproduction.problems.hidden import Problem
from reproduction.problems.registry import PROBLEMS
from reproduction.theory.ceiling import sample_radial_values, scale_grid
from reproduction.theory.coverage import coverage_probability
from reproduction.theory.simple import regret_curve

D, ETA = 10, 0.3
FLOOR = 1e-8
"""The least regret that is shown."""
POLICIES: dict[str, tuple[str, PolicyName, int | None]] = {
    "fresh (the paper)": ("#0072b2", "fresh", D),
    "indexed": ("#d55e00", "indexed", D),
    "forest": ("#009e73", "forest", None),
}


def coverage(n: Floats, a: float) -> Floats:
    """Coverage of the optimum (a, ..., a) for d = d_e = 10 and the paper's sigma and R, at each n.

    Claim coverage.
    """
    x_star = np.full(D, a)
    return np.array([coverage_probability(x_star, float(k) ** -0.5, D / ETA) for k in n])


def regrets(problem: Problem, settings: Parameters, seed: int) -> Floats:
    """Regret after each evaluation of one run; only the coordinates that matter are made."""
    parts = parts_of(settings, np.random.default_rng(seed), problem.d_e)
    visits = drive(parts.run, parts.projection.project, lambda x: list(map(problem.effective, x)))
    return regret_curve([value for _, values in visits for value in values], problem.f_star)


def scales(n: int) -> list[float]:
    """Scales sigma ||y|| of rules with fresh matrices: 0 and a grid up to the corner of Y."""
    return [0.0, *scale_grid(0.1, D / ETA * n**-0.5 * D**0.5, ratio=1.2)]


def least_medians(problem: Problem, v: Floats, samples: int) -> Floats:
    """Estimate the least median regret that a rule with fresh matrices can have, at each budget v.

    No rule has a value of at most x after v evaluations with a probability above ``1 - (1 - p)^v``,
    where p is the greatest probability over all radii that one evaluation has such a value. So no
    median is below the x at which this is 1/2, which random search at the radius that is best for x
    attains: the least quantile of the values at one radius, of order ``1 - 2^(-1/v)``. Here the
    radii are those of `scales`, and the quantiles are those of samples. Claim fresh-ceiling.
    """
    rng, radii = np.random.default_rng(0), scales(problem.n)
    values = sample_radial_values(
        lambda x: problem.effective(x.T), problem.d_e, radii, samples, rng
    )
    order = -np.expm1(-np.log(2) / v)
    least: Floats = np.quantile(values, order, axis=1).min(axis=1)
    return np.asarray(least - problem.f_star)


def draw(
    path: Path, n: int = 10_000, v: int = 10_000, runs: int = 20, samples: int = 1_000_000
) -> None:
    """Draw the picture into a file; its ending says which kind."""
    extra("matplotlib").use("Agg")
    plt = extra("matplotlib.pyplot")
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, 3, figsize=(9.6, 2.9), width_ratios=[1, 1.15, 1.15])
        left, middle, right = axes
        two = PROBLEMS["ackley"](100, 2, 0)
        settings = Settings(two.n, 2, 250, M=0, h_max=8, policy="indexed")
        steps = steps_of_run(settings, two.effective, 3, rows=2)
        draw_partition(left, steps, last_sweep(steps) + 1, points=False)
        A = Indexed(settings, np.random.default_rng(3), 2).matrix(1)
        draw_lowest_values(left, steps, values_on(steps, two.effective, A, side=90))
        left.set(title="a small box, divided where it is good")

        at = np.geomspace(D, 1e5, 41)
        middle.axhline(1 - ETA, color="black", ls="--", lw=1, label="the paper: at least 0.7")
        for name, a, color in (("Rosenbrock", 0.2, "#0072b2"), ("Ackley", 0.4634, "#d55e00")):
            middle.plot(at, coverage(at, a), color=color, label=name)
        middle.set(
            xscale="log",
            xlabel="variables n, entries of variance 1/n",
            title="chance that the box holds the optimum",
        )
        middle.legend(loc="upper right", fontsize=8)

        ten = PROBLEMS["ackley"](n, D, 0)
        shown = np.unique(np.geomspace(1, v, 200).astype(int)) - 1
        for name, (color, policy, d) in POLICIES.items():
            curves = [regrets(ten, settings_of(policy, n, d, v), k)[shown] for k in range(runs)]
            right.plot(shown + 1, np.median(curves, axis=0), color=color, label=name)
        limit = least_medians(ten, shown + 1.0, samples)
        least = {"ls": ":", "lw": 1.2, "label": "least for fresh matrices"}
        right.plot(shown + 1, limit, color="black", **least)
        right.set(
            xscale="log",
            yscale="log",
            ylim=(FLOOR, None),
            xlabel="evaluations",
            title=f"median regret, Ackley, n = {n:,}",
        )
        right.legend(loc="lower left")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
