"""The cell that differs: do different draws of the effective coordinates explain it?"""

import re
from math import comb

import numpy as np
import pytest
from kept_results import RESULTS, p_value, published, samples

from reproduction.figure_1 import repeated
from reproduction.figure_1.repeated import DRAWS, NONE, Draw
from reproduction.figure_1.report import report
from reproduction.released.problems import draw_effective_coordinates

pytestmark = pytest.mark.claim("released-program", "published-comparison")
STORED = repeated.stored()
KEY = (repeated.PROBLEM, repeated.ALGORITHM, repeated.N)


def test_the_runs_are_whole() -> None:
    assert list(STORED) == list(DRAWS)
    assert {len(values) for values in STORED.values()} == {repeated.RUNS}
    assert len(DRAWS) == 1 + comb(10, 2)


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_a_draw_repeats_two_arguments() -> None:
    assert NONE.coordinates == list(range(10))
    for draw in DRAWS[1:]:
        c = draw.coordinates
        assert c[draw.first] == c[draw.second]
        assert len(set(c)) == 9


def test_the_probability_of_a_draw() -> None:
    """Of 20,000 draws, fixed seed: each share within 5 standard errors."""
    rng = np.random.default_rng(1)
    drawn = [draw_effective_coordinates(100, 10, rng).tolist() for _ in range(20_000)]
    distinct = sum(len(set(c)) == 10 for c in drawn)
    pair = sum(len(set(c)) == 9 and c[0] == c[9] for c in drawn)
    for count, draw in ((distinct, NONE), (pair, Draw(0, 9))):
        p = repeated.probability(draw)
        assert abs(count - 20_000 * p) <= 5 * (20_000 * p * (1 - p)) ** 0.5
    assert 1 - sum(map(repeated.probability, DRAWS)) == pytest.approx(0.061, abs=5e-4)


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_kept_runs_of_the_cell_drew_one_coordinate_first_and_last() -> None:
    assert repeated.own_draw() == Draw(0, 9)


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_kept_runs_have_the_law_of_their_draw_and_of_no_other() -> None:
    """Level 5 % for its own draw; 45 others are rejected, each at level 1e-5."""
    ours = samples("released", "scalability")[KEY]
    p = {draw: repeated.both_tests(ours, values) for draw, values in STORED.items()}
    assert p.pop(Draw(0, 9)) > 0.05
    assert max(p.values()) < 1e-5


@pytest.mark.claim("fig-1-scalability-rosenbrock")
def test_the_published_runs_may_have_the_law_of_another_draw() -> None:
    """Welch's test of the means of logarithms on the kept summary, level 5 % for each draw."""
    cell = published("scalability")[KEY]
    p = {draw: p_value(cell, values) for draw, values in STORED.items()}
    assert p[Draw(0, 9)] < 1e-6
    assert p[NONE] > 0.05
    assert sum(q > 0.05 for q in p.values()) >= 30


def test_an_explanation_says_which_draws_are_compatible() -> None:
    found = repeated.explain(STORED[Draw(4, 5)], STORED[Draw(0, 9)], STORED)
    assert (found.own, found.runs, found.ours) == (Draw(0, 9), repeated.RUNS, 1.0)
    assert found.ours_like == 1
    assert found.not_own < 1e-6
    assert 10 < found.published_like < 46
    assert found.without == repeated.both_tests(STORED[Draw(4, 5)], STORED[NONE])
    far = repeated.explain(STORED[NONE] + 1, STORED[NONE] + 1, STORED)
    assert (far.ours_like, far.published_like) == (0, 0)


@pytest.mark.parametrize(("theirs", "passes"), [(Draw(4, 5), True), (None, False)])
def test_a_report_says_whether_the_draw_explains_the_difference(
    theirs: Draw | None, passes: bool
) -> None:
    """Published runs may have the law of a draw, or of none."""
    published = STORED[NONE] + 1 if theirs is None else STORED[theirs]
    ours = samples("released", "scalability")[KEY]
    mine, their_cells = ({"scalability": {KEY: values}} for values in (ours, published))
    said = report(mine, their_cells, "", "released").split("## The cell rosenbrock")[1]
    assert ("The explanation passes both tests" in said) == passes
    assert ("The explanation fails" in said) == (not passes)


def test_the_report_says_what_the_runs_say() -> None:
    text = (RESULTS / "released" / "report.md").read_text(encoding="utf-8")
    said = " ".join(text.split("## The cell rosenbrock")[1].split("\n## ")[0].split())
    assert "arguments 1 and 10 of the function" in said
    assert f"this draw has probability {repeated.probability(Draw(0, 9)):.4f}" in said
    ours = samples("released", "scalability")[KEY]
    p = repeated.both_tests(ours, STORED[Draw(0, 9)])
    assert (
        f"compatible with their own draw (p = {p:.2g}). They are compatible with 1 of the 46"
        in said
    )
    assert re.search(
        r"not compatible with this draw \(p = \d\.\de-07\). They are compatible with 35", said
    )
    assert "The explanation passes both tests" in said
