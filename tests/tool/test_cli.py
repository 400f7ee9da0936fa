"""The command line: its subcommands, its help, and how it starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import embedded_hunter
from embedded_hunter import __version__
from embedded_hunter.cli import COMMANDS, main


@pytest.mark.parametrize(
    ("word", "question"),
    [("minimise", "; did you mean minimize?"), ("xyz", " (see embedded-hunter --help)")],
)  # fmt: skip
def test_a_misspelt_command_is_asked_about(
    word: str, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word, "--n", "3"]) == 2
    said = f"embedded-hunter {word}: error: there is no such command{question}\n"
    assert capsys.readouterr().err == said


def test_the_help_lists_every_command_and_the_version_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def said(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
        return " ".join(capsys.readouterr().out.split())

    assert said("--version") == f"embedded-hunter {__version__}"
    whole = said("--help")
    for name, command in COMMANDS.items():
        assert f" {name} {command.help}" in whole
        assert said(name, "--help").startswith(f"usage: embedded-hunter {name} ")


@pytest.mark.long
def test_the_program_starts_as_a_module_and_imports_one_command_only(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import sys\n"
        "def f(x):\n"
        "    commands = 'embedded_hunter.commands.'\n"
        "    assert commands + 'minimize' in sys.modules\n"
        "    assert commands + 'demo' not in sys.modules\n"
        "    assert 'matplotlib' not in sys.modules\n"
        "    return float(x[0] ** 2)\n"
    )
    # As the installed program, which does not look for modules in the current directory.
    program = [sys.executable, "-P", "-m", "embedded_hunter"]
    source = str(Path(embedded_hunter.__file__).parents[1])
    done = subprocess.run(
        [*program, "minimize", "mine.py:f", "--n", "3", "--maxfun", "20", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")  # no bar either: stderr is no terminal
    assert json.loads(done.stdout)["nfev"] == 20
