"""Nothing in the README is untested: links lead somewhere, code runs, commands exist."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from embedded_hunter.cli import COMMANDS

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
