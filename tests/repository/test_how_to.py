"""Every block of code of the pages on use, platforms, baselines and other methods runs.

A page of docs/use is one program, as are the reference and the page on other implementations; of
the other pages each section is one, and so is that of CONTRIBUTING.md on a method of one's own.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import embedded_hunter

ROOT = Path(__file__).parents[2]
OWN_METHOD = "Your own method in our benchmark"


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## ", text(page), flags=re.MULTILINE)
    return dict(part.split("\n", 1) for part in parts[1:])


WHOLE = [f"docs/use/{path.name}" for path in sorted((ROOT / "docs/use").glob("*.md"))]
WHOLE += ["docs/check-implementation.md", "docs/api/index.md"]
PAGES = ("docs/platforms.md", "docs/baseline.md", "docs/other-methods.md")
SECTIONS = {page: text(page) for page in WHOLE}
SECTIONS |= dict(section for page in PAGES for section in sections(page).items())
SECTIONS[OWN_METHOD] = sections("CONTRIBUTING.md")[OWN_METHOD]
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(?![`{]|$)", re.MULTILINE)
"""What begins a block of code: no directive."""
SOURCE = str(Path(embedded_hunter.__file__).parents[1])
NEEDS = {
    "docs/use/parallel.md": ("joblib", "distributed"),
    "docs/use/plots.md": ("matplotlib",),
    "docs/api/index.md": ("matplotlib",),
    "All variables matter: sep-CMA and dd-CMA": ("cma",),
    "A few directions matter: HeSBO-CMA": ("cma",),
    "COCO": ("cocoex",),
    "Sparse BBOB": ("cocoex",),
    "IOHexperimenter": ("ioh",),
    "nevergrad": ("nevergrad",),
    "Optuna": ("optuna",),
}


def blocks(section: str) -> list[tuple[str, str]]:
    return BLOCK.findall(SECTIONS[section])


def test_every_block_is_run() -> None:
    """Each page and section has code, in these two languages alone."""
    for section, its_text in SECTIONS.items():
        found = blocks(section)
        assert len(found) == len(FENCE.findall(its_text)), section
        if section in WHOLE or section in NEEDS:
            assert found, section


@pytest.mark.long
@pytest.mark.parametrize("section", SECTIONS)
def test_what_the_how_to_shows_runs(section: str, tmp_path: Path) -> None:
    """Its shell commands first, then its Python as one program; both assert what they claim."""
    for package in NEEDS.get(section, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    shell = "".join(code for language, code in blocks(section) if language == "sh")
    (tmp_path / "program.py").write_text(
        "".join(code for language, code in blocks(section) if language == "python")
    )
    program = (
        f"python() {{ '{sys.executable}' \"$@\"; }}\n"
        'embedded-hunter() { python -m embedded_hunter "$@"; }\n'
    )
    for command in (["bash", "-ec", program + shell], [sys.executable, "program.py"]):
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": SOURCE},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
