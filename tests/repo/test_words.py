"""Sentences that are false stay out of the pages, the docstrings and the comments of the proofs.

Each was written once, of something that holds in a weaker form; beside it the file that shows so.
"""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.regret import coverage_probability
from embedded_hunter.run.minimize import minimize

ROOT = Path(__file__).parents[2]
FALSE = {
    r"[Nn]o (adaptive )?rule beats (random search|the best)": "examples/test_best_radius.py",
    r"(can|could) (be|do) better, on average": "examples/test_best_radius.py",
    r"least mean": "examples/test_best_radius.py",
    r"lie at this floor": "examples/test_best_radius.py",
    r"could do without adapting": "examples/test_best_radius.py",
    r"36 of 40 cells": "repo/test_readme.py",
    r"is growing σ": "repo/test_words.py",
    r"published RESOO is not RESOO": "reproduction/test_ablation.py",
    r"published ranking rests on": "reproduction/test_ablation.py",
    r"[Ee]very claim of the paper": "repo/test_claims.py",
    r"All statements of": "repo/test_claims.py",
    r"study behind": "reproduction/test_forest_defaults.py",
    r"How its defaults were found": "reproduction/test_forest_defaults.py",
    r"\.001 or \.67": "repo/test_words.py",
    r"at least \.67": "repo/test_words.py",
}
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "docs/**/*.py",
        "src/**/*.py",
        "proofs/*.v",
        "proofs/*.md",
    )
    for path in ROOT.glob(pattern)
)


@functools.cache
def on_one_line(path: Path) -> str:
    return re.sub(r"\s+(# )?", " ", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("sentence", FALSE)
def test_a_false_sentence_is_nowhere(sentence: str) -> None:
    assert (ROOT / "tests" / FALSE[sentence]).is_file()
    assert len(PAGES) > 100
    found = [
        path.relative_to(ROOT).as_posix()
        for path in PAGES
        if re.search(sentence, on_one_line(path))
    ]
    assert found == []


@pytest.mark.claim("coverage")
def test_the_coverage_in_the_docstring_of_minimize_is_the_law() -> None:
    """x* = (.46, .., .46), sigma R = .25, d = d_e and d = 2 d_e."""
    x_star = np.full(10, 0.46)
    assert f"{coverage_probability(x_star, 10, 0.25, 1.0):.3f}" == "0.001"
    assert f"{coverage_probability(x_star, 20, 0.25, 1.0):.2f}" == "0.98"
    words = re.sub(r"\s+", " ", minimize.__doc__ or "")
    assert "with probability .001 (d = d_e) or .98 (d = 2 d_e)" in words


def test_sigma_R_shrinks_as_n_grows() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert "A larger n is a smaller σR" in page
    widths = [10 / (0.3 * n**0.5) for n in (100, 1000, 10_000)]
    assert widths == sorted(widths, reverse=True)


def test_the_study_says_of_the_defaults_what_the_pages_say() -> None:
    study = (ROOT / "docs" / "results" / "forest" / "study.md").read_text(encoding="utf-8")
    assert "Better than the defaults (p < .01): none." in study
    for name in ("how-to.md", "guide.md"):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert "no change was shown to be better than the defaults" in re.sub(r"\s+", " ", page)
