"""Nothing in the README is untested: links lead somewhere, code runs, commands exist."""

import importlib
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.run.policies import PolicyName
from reproduction.claims import registry
from reproduction.problems.registry import PROBLEMS
from reproduction.theory.coverage import coverage_probability

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
overview = importlib.import_module("overview")
README = (ROOT / "README.md").read_text(encoding="utf-8")
INDEX, LETTER = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("index", "letter")
)
CODE = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_start_page_counts_the_lines_and_the_panels() -> None:
    claims = registry.load(ROOT)
    lines, panels = (sum(c.startswith(start) for c in claims) for start in ("alg1-line-", "fig-1-"))
    assert f"{lines} lines of the algorithm and {panels} panels of Figure 1" in INDEX


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_code_runs_and_says_what_it_should(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(CODE) == 1
    assert CODE[0] in INDEX
    exec(CODE[0], {})
    (comment,) = re.findall(r"^print\(.*\)  # (.*)$", CODE[0], flags=re.MULTILINE)
    assert capsys.readouterr().out == comment + "\n"


@pytest.mark.long
def test_the_policy_that_is_shown_is_the_best_of_those_named_beside_it() -> None:
    """The medians of the seeds that both pages name."""
    names: dict[str, Any] = {}
    exec(CODE[0].partition("\n\nresult")[0], names)
    bounds = [(-1, 1)] * 10_000
    options: dict[PolicyName, dict[str, Any]] = {
        "forest": {},
        "fresh": {"d": 2},
        "indexed": {"d": 2},
    }
    medians = {
        policy: np.median(
            [
                minimize(names["fun"], bounds, maxfun=500, policy=policy, rng=seed, **given).fun
                for seed in range(1, 21)
            ]
        )
        for policy, given in options.items()
    }
    for text in (README, INDEX):
        assert f"{medians['forest']:.0e}".replace("e-0", "e-") in text
        assert re.search(rf"{medians['fresh']:.3f}\s+and\s+{medians['indexed']:.3f}", text)
        assert f"{median_of_uniform_search(500):.3f}" in text
    assert medians["forest"] < min(median_of_uniform_search(500), *list(medians.values())[1:])


def median_of_uniform_search(v: int) -> float:
    """Of (x - 0.2)^2 + |z + 0.1|, x and z uniform on [-1, 1]: exact where it is below 0.64.

    One value is at most t with probability (1/4) int 2 (t - s^2) ds = (2/3) t^(3/2), s^2 <= t.
    """
    return float((1.5 * (1 - 0.5 ** (1 / v))) ** (2 / 3))


@pytest.mark.parametrize("v", [1_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_the_part_of_the_box_that_may_be_better(v: int) -> None:
    """In per cent, as the README rounds it upwards: the uniform points alone promise it."""
    part = minimize(lambda x: x[0] ** 2, [(-1, 1)] * 2, maxfun=v, rng=0).better_part
    assert f"after {v:,} evaluations" in README
    assert re.search(rf"less than {np.ceil(100 * part):.0f} %", README)
    assert 0 < part < 0.1


@pytest.mark.long
def test_the_picture_is_drawn_by_the_command_beside_it(tmp_path: Path) -> None:
    """Compared by what does not depend on the budget: the cells on the left, one path for each."""
    pytest.importorskip("matplotlib")
    (alt, path), *others = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert not others
    assert len(alt) > 200
    assert f"`python docs/overview.py {path}`" in README
    overview.draw(tmp_path / "again.svg", v=40, runs=1, samples=500)
    stored, again = (
        ET.fromstring(file.read_text(encoding="utf-8"))
        for file in (ROOT / path, tmp_path / "again.svg")
    )
    assert len(cells(stored)) == len(cells(again)) > 100
    assert cells(stored) == cells(again)
    assert "#ffffff" in next(iter(stored.iter(f"{SVG}path"))).attrib["style"]  # its own background
    assert not [e for e in stored.iter() if e.tag == f"{SVG}image"]


SVG = "{http://www.w3.org/2000/svg}"


def cells(picture: ET.Element) -> list[str]:
    """The fills of the patches of the first axes."""
    (axes,) = (g for g in picture.iter(f"{SVG}g") if g.get("id") == "axes_1")
    patches = [g for g in axes if (g.get("id") or "").startswith("patch_")]
    return [p.attrib["style"] for g in patches for p in g.iter(f"{SVG}path")]


def test_the_claims_are_counted_by_verdict_and_by_grade() -> None:
    """The verdicts with complete evidence, which the registry determines."""
    claims = registry.load(ROOT).values()
    printed = [c for c in claims if c.kind != "ours"]
    rules = Counter(c.rule for c in printed)
    panels = [c for c in printed if c.id.startswith("fig-1-")]
    but_one = sum("all cells but one" in panel.reason for panel in panels)
    defective = [c for c in printed if c.grade and c not in panels]
    grades = Counter(c.grade for c in defective)
    ours = Counter(c.rule for c in claims if c.kind == "ours")
    standing = sum(rules[word] for word in ("implemented", "tested", "proved"))
    assert rules["not decided"] == 1
    assert rules.total() == standing + len(panels) + 1 + len(defective)
    readme, letter, journal = (
        " ".join(text.split())
        for text in (README, LETTER, (ROOT / "docs/paper.md").read_text("utf-8"))
    )
    for text in (readme, letter, journal):
        said = re.findall(rf"(\d+) of the (?:paper's )?{len(printed)} claims", text)
        assert {*map(int, said)} == {standing}
        for grade, n in grades.items():
            assert f"{n} {grade}" in text
        assert f"{registry.defects(defective)} distinct defects" in text
        assert but_one == 1
        assert re.search(
            rf"{len(panels)} (more|claims)\b.* panels of Figure 1[.:] "
            rf"[Oo]f {len(panels) - but_one} all cells are the .*, (and )?of one all but one\b",
            text,
        )
    numbers = (
        f"{rules['implemented']} implemented",
        f"{rules['tested']} tested",
        f"{rules['proved']} proved",
        f"other {len(defective)} do",
        f"{ours.total()} claims, {ours['proved']} are proved and {ours['tested']} tested",
    )
    assert [number for number in numbers if number not in readme] == []


def test_the_coverage_that_is_drawn_is_promised_and_exact() -> None:
    n = np.array([10.0, 1e4])
    found = overview.coverage(n, 0.4634)
    assert found[0] == coverage_probability(np.full(10, 0.4634), 10**-0.5, 10 / 0.3) > 0.9
    assert found[1] == coverage_probability(np.full(10, 0.4634), 0.01, 10 / 0.3) < 0.02


def test_the_least_median_with_fresh_matrices_that_is_drawn() -> None:
    """Against random search at each radius: 4,000 runs of 20 evaluations, with draws of their own.

    Twelve repetitions with other seeds have standard deviations of 0.12 % and 0.25 %. The tolerance
    is five times that of the difference. With half of the evaluations the median is 4 % greater.
    """
    problem, v = PROBLEMS["ackley"](10_000, 10, 0), 20
    (found,) = overview.least_medians(problem, np.array([float(v)]), 20_000)
    rng, medians = np.random.default_rng(5), []
    for scale in overview.scales(10_000):
        x = np.clip(scale * rng.standard_normal((10, 4000 * v)), -1, 1)
        best = np.reshape(problem.effective(x), (4000, v)).min(axis=1)
        medians.append(float(np.median(best)) - problem.f_star)
    assert found == pytest.approx(min(medians), rel=0.015)
    assert len(medians) == 14 + 1
