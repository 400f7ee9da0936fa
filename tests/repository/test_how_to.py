"""Every block of code of the pages `PAGES` runs, section by section.

So does the section of CONTRIBUTING.md on a method of one's own.
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


def sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## ", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(part.split("\n", 1) for part in parts[1:])


PAGES = ("docs/how-to.md", "docs/platforms.md", "docs/baseline.md", "docs/other-methods.md")
SECTIONS = dict(section for page in PAGES for section in sections(page).items())
SECTIONS[OWN_METHOD] = sections("CONTRIBUTING.md")[OWN_METHOD]
TEXT = "".join(SECTIONS.values())
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = str(Path(embedded_hunter.__file__).parents[1])
NEEDS = {
    "Several processes": "joblib",
    "A Dask cluster": "distributed",
    "All variables matter: sep-CMA and dd-CMA": "cma",
    "A few directions matter: HeSBO-CMA": "cma",
    "COCO": "cocoex",
    "Sparse BBOB": "cocoex",
    "IOHexperimenter": "ioh",
    "nevergrad": "nevergrad",
    "Optuna": "optuna",
}


def blocks(section: str) -> list[tuple[str, str]]:
    return BLOCK.findall(SECTIONS[section])


def test_every_block_is_run() -> None:
    assert sum(len(blocks(section)) for section in SECTIONS) == TEXT.count("\n```") / 2 > 9
    assert {language for section in SECTIONS for language, _ in blocks(section)} == {"python", "sh"}


@pytest.mark.long
@pytest.mark.parametrize("section", SECTIONS)
def test_what_the_how_to_shows_runs(section: str, tmp_path: Path) -> None:
    """Its shell commands first, then its Python as one program; both assert what they claim."""
    package = NEEDS.get(section)
    if package is not None and importlib.util.find_spec(package) is None:
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
