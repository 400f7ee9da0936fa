"""Nothing in the README is untested: links lead somewhere, code runs, commands exist."""

import os
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter.cli import COMMANDS
from embedded_hunter.experiments import overview
from embedded_hunter.problems import PROBLEMS
from embedded_hunter.regret import coverage_probability
from embedded_hunter.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
SHELL = [
    command.strip()
    for block in re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    for line in block.splitlines()
    for command in line.split("&&")
]


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_code_runs_and_says_what_it_should() -> None:
    assert len(CODE) == 1
    done = subprocess.run(
        [sys.executable, "-c", CODE[0]], capture_output=True, text=True, check=True, env=os.environ
    )
    value, evaluations = done.stdout.split()
    assert evaluations == "500"
    assert 0 <= float(value) < 0.14  # f(0) = 0.14 is where every run begins


def test_the_commands_are_ours() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert len(SHELL) == 4
    for command in SHELL:
        program, *words = command.split()
        assert program in ("pip", "pytest", "embedded-hunter")
        if program == "embedded-hunter":
            assert words[0] in COMMANDS
        if program == "pip":
            (extra,) = re.findall(r"\[(\w+)\]", command)
            assert extra in extras


def test_the_gate_runs_the_readmes_test_command() -> None:
    gate = (ROOT / ".ci" / "run").read_text()
    assert "--editable '.[test]'" in gate
    assert re.search(r"^pytest$", gate, flags=re.MULTILINE)


def test_the_citation_is_valid() -> None:
    done = subprocess.run(
        [
            Path(sys.executable).with_name("cffconvert"),
            "--validate",
            "-i",
            str(ROOT / "CITATION.cff"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_picture_is_drawn_by_the_command_beside_it(tmp_path: Path) -> None:
    """Compared by what does not depend on the budget: the cells on the left, one path for each."""
    pytest.importorskip("matplotlib")
    (alt, path), *others = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert not others
    assert len(alt) > 200
    assert f"`python -m {overview.__name__} {path}`" in README
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


def test_the_numbers_of_the_experiments_are_those_of_the_stored_reports() -> None:
    released, paper = (
        (ROOT / "docs" / "results" / profile / "report.md").read_text(encoding="utf-8")
        for profile in ("released", "paper")
    )
    differ, cells = zip(*re.findall(r"^(\d+) of (\d+) cells differ", released, re.M), strict=True)
    assert set(differ) == {"0"}
    assert f"none of the {sum(map(int, cells))} cells" in README
    section = paper.partition("\n### RESOO\n")[2].partition("\n### ")[0]
    rows = [line for line in section.splitlines() if re.match(r"\| \w+ \| \d", line)]
    better = sum(row.rstrip(" |").endswith("other better") for row in rows)
    assert re.sub(r"\s+", " ", README).count(f"in {better} of {len(rows)} cells") == 1


def test_the_coverage_that_is_drawn_is_promised_and_exact() -> None:
    n = np.array([1.0, 1e4])
    found = overview.coverage(n, 0.4634)
    assert found[0] == coverage_probability(np.full(10, 0.4634), 10, 1.0, 10 / 0.3) > 0.95
    assert found[1] == coverage_probability(np.full(10, 0.4634), 10, 0.01, 10 / 0.3) < 0.02


def test_the_regrets_that_are_drawn_begin_at_zero_and_fall() -> None:
    problem = PROBLEMS["ackley"](30, 3, 0)
    settings = Settings(30, 2, 60, policy="indexed")
    curve = overview.regrets(problem, settings, 1)
    assert curve.shape == (60,)
    assert curve[0] == problem.effective(np.zeros(3))  # f* is 0
    assert (np.diff(curve) <= 0).all()
