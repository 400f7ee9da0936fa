"""Every option of a command line that a page or a message names exists."""

import importlib
import re
from pathlib import Path

import embedded_hunter.cli
import reproduction.cli
from embedded_hunter.commands.program import Parser, Program

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
OPTION = r"(?<![\w-])--[a-z][a-z-]+"
ELSEWHERE = {"--durations", "--is-ancestor", "--strict"}
"""Options of other programs."""


def options_of(program: Program) -> set[str]:
    """The options of all commands of a program, from their help texts."""
    help_text = program.parser(None).format_help()
    for command in program.commands.values():
        parser = Parser()
        importlib.import_module(command.module).add_arguments(parser)
        help_text += parser.format_help()
    return set(re.findall(OPTION, help_text))


def test_every_option_that_is_named_exists() -> None:
    known = ELSEWHERE | options_of(embedded_hunter.cli.PROGRAM)
    known |= options_of(reproduction.cli.PROGRAM)
    for path in (
        ROOT / "tests" / "conftest.py",
        SOURCE / "reproduction" / "claims" / "report.py",
    ):
        declared = re.findall(rf'addoption\(\s*"({OPTION})"', path.read_text(encoding="utf-8"))
        assert declared
        known |= {*declared}
    pages = {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/use").glob("*.md")}
    pages |= {ROOT / "tests" / "README.md"}
    pages -= {ROOT / "CHANGELOG.md"}  # of versions that had others
    messages = {
        *(SOURCE / "embedded_hunter").rglob("*.*"),
        *(SOURCE / "reproduction" / "commands").glob("*.py"),
        *(SOURCE / "reproduction" / "stored").glob("*.py"),
    }
    unknown, named = {}, set()
    for path in pages | {p for p in messages if p.suffix in {".py", ".md"}}:
        here = set(re.findall(OPTION, path.read_text(encoding="utf-8")))
        named |= here
        if here - known:
            unknown[path.relative_to(ROOT).as_posix()] = here - known
    assert len(named) > 30
    assert unknown == {}
