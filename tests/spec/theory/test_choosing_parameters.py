"""The functions of docs/choosing.md (`regret/choosing.py`, `reproduction/theory/rotated.py`)."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from embedded_hunter.forest.settings import N_EMBEDDINGS, REACH
from embedded_hunter.regret import (
    box_for_coverage,
    choose,
    count_sketch_coverage,
    coverage_at_least,
    coverage_of_norm,
    coverage_probability,
    sample_covering_radii,
)
from embedded_hunter.regret.choosing import MOST_TREES, SCALES
from reproduction.theory.forest_bounds import (
    forest_coverage,
)
from reproduction.theory.rotated import (
    TOLERANCE,
    count_rotated_coverage,
    covering_point,
)

STUDY = Path(__file__).parents[3] / "docs" / "results" / "forest" / "study.md"


@pytest.mark.long
@settings(max_examples=40)
@given(
    st.integers(1, 50_000),
    st.integers(1, 12),
    st.booleans(),
    st.booleans(),
    st.sampled_from([3, 5]),
)
@example(8, 1, False, False, 3)
def test_the_budget_splits_each_coordinate_of_each_tree_once(
    v: int, d_e: int, refine: bool, evolve: bool, K: int
) -> None:
    choice = choose(v, d_e, refine=refine, evolve=evolve, K=K)
    share = v // {(0, 0): 1, (1, 0): 2, (0, 1): 4, (1, 1): 8}[refine, evolve]
    assert choice.d == 2 * d_e
    assert 1 <= choice.P <= MOST_TREES
    # The roots share one evaluation; each tree makes 2 d_e expansions of K - 1 evaluations.
    fits = [P for P in range(1, MOST_TREES + 1) if 1 + P * 2 * d_e * (K - 1) <= share]
    assert max(fits, default=1) == choice.P


@pytest.mark.claim("forest-coverage")
@pytest.mark.parametrize("v", [100, 1000, 10_000])
@pytest.mark.parametrize("probability", [0.8, 0.95])
def test_the_scale_is_the_least_that_covers_or_an_end_of_what_was_studied(
    v: int, probability: float
) -> None:
    choice = choose(v, 10, norm=1.4, probability=probability)
    x = np.full(10, 1.4 / math.sqrt(10))
    covered = forest_coverage(x, [(choice.d, choice.scale)] * choice.P)
    assert choice.coverage == pytest.approx(covered, rel=1e-9)
    if choice.scale > SCALES[0]:
        assert choice.coverage == pytest.approx(probability, abs=1e-6)
    else:
        assert choice.coverage >= probability
    assert SCALES[0] <= choice.scale <= SCALES[1]


@pytest.mark.parametrize(
    "scale", [0.25, *(pytest.param(s, marks=pytest.mark.long) for s in (0.2, 0.4))]
)
def test_with_a_given_scale_the_dimension_is_the_least_that_covers(scale: float) -> None:
    choice = choose(1000, 10, scale=scale)
    assert choice.scale == scale
    assert choice.coverage >= 0.95
    less = choose(1000, 10, scale=scale, d=choice.d - 1)
    assert less.coverage < 0.95
    assert (less.d, less.scale) == (choice.d - 1, scale)


def test_the_corner_has_the_greatest_norm() -> None:
    choice = choose(1000, 10, norm=math.sqrt(10))
    low = coverage_at_least(np.ones(10), choice.d, 1.0, choice.scale)
    assert choice.coverage == pytest.approx(1 - (1 - low) ** choice.P)


def test_where_even_the_largest_scale_does_not_cover_the_coverage_says_so() -> None:
    choice = choose(10_000, 10, d=10)
    assert choice.scale == SCALES[1]
    assert choice.coverage < 0.95


def test_the_study_says_what_the_function_takes_from_it() -> None:
    text = STUDY.read_text(encoding="utf-8")
    (neither,) = re.findall(r"^Neither: (.*)\.$", text, re.MULTILINE)
    shown = {f"scale {s:g}".replace("0.", ".") for s in SCALES}
    shown |= {"P = 1", "P = 5", "P = 50", "d = d_e", "d = 1.5 d_e", "d = 3 d_e"}
    assert shown <= set(neither.split("; "))
    assert (MOST_TREES, REACH / 20) == (N_EMBEDDINGS, 0.25)


# ---------------------------------------------------------------- rotated subspaces


@pytest.mark.claim("coverage")
def test_a_point_that_is_found_covers() -> None:
    rng, found = np.random.default_rng(7), 0
    for _ in range(20):
        A, z = 0.25 * rng.standard_normal((300, 6)), np.array([0.6, -0.3, 0.2])
        Q = np.linalg.qr(rng.standard_normal((300, 3)))[0]
        y = covering_point(A / 2, Q, z, 2.0)
        if y is not None:
            found += 1
            assert np.abs(y).max() <= 2
            assert np.linalg.norm(Q.T @ np.clip(A @ y / 2, -1, 1) - z) <= TOLERANCE
    assert found >= 5


@pytest.mark.long
@pytest.mark.claim("coverage")
@pytest.mark.parametrize(("d", "norm"), [(2, 0.01), (4, 0.025)])
def test_where_nothing_is_clipped_the_share_is_the_law(d: int, norm: float) -> None:
    """d_e = 2 and a reach of .01: Q^T A is Gaussian. False alarm 1e-6 for each d."""
    scale, matrices = 0.01, 800
    found = count_rotated_coverage(norm, 2, d, scale, 40, matrices, np.random.default_rng(3))
    exact = coverage_probability([norm, 0.0], d, 1.0, scale)
    low, high = stats.binom.interval(1 - 1e-6, matrices, exact)
    assert low <= found <= high
    assert 0.2 < exact < 0.8


@pytest.mark.long
@pytest.mark.claim("coverage")
def test_a_rotated_optimum_at_the_defaults() -> None:
    """The numbers of docs/choosing.md: n = 1,000, d_e = 10, d = 20, sigma R = .25."""
    found = count_rotated_coverage(
        0.4634 * math.sqrt(10), 10, 20, REACH / 20, 1000, 100, np.random.default_rng(9)
    )
    assert found == 97
    assert stats.binomtest(found, 100).proportion_ci().low > 0.91
    law = coverage_of_norm(0.4634 * math.sqrt(10), 20, 1.0, REACH / 20, 10)
    assert law == pytest.approx(0.977, abs=5e-4)


def test_the_code_on_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (STUDY.parents[2] / "choosing.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(code, {})  # the page's own code
    assert capsys.readouterr().out.strip() == code.rsplit("# ", 1)[1].strip()


@pytest.mark.long
def test_the_tables_on_the_page_are_what_the_functions_give() -> None:
    """Count sketch against Gaussian; an optimum on a face against 600 linear programs for each."""
    page = (STUDY.parents[2] / "choosing.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (.*) \|$", page, re.MULTILINE)
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    norm = math.sqrt(10 / 3)
    for d, *shown in (row for row in rows if row[0].isdigit()):
        sketch = count_sketch_coverage(int(d), 10)
        found = [sketch, *(coverage_of_norm(norm, int(d), 1.0, s, 10) for s in (0.15, 0.25, 0.5))]
        found.append(box_for_coverage(sketch, norm, int(d), 1.0, 10))
        assert [float(s) for s in shown] == [float(f"{p:.2g}") for p in found]
    optima = {
        "(1, ..., 1)": [1.0] * 10,
        "five coordinates 1, five 0.4634": [1.0] * 5 + [0.4634] * 5,
        "five coordinates 1, five 0": [1.0] * 5 + [0.0] * 5,
        "one coordinate 1, nine 0.4634": [1.0] + [0.4634] * 9,
    }
    faces = [row for row in rows if row[0] in optima]
    assert len(faces) == 4
    for i, (name, length, bound, share) in enumerate(faces):
        x = np.array(optima[name])
        assert f"{np.linalg.norm(x):.2f}" == length
        assert f"{coverage_at_least(x, 20, 1.0, 0.25):.2f}" == bound
        radii = sample_covering_radii(x, 20, 600, np.random.default_rng([5, i]))
        assert f"{np.mean(radii <= 0.25):.2f}" == share
