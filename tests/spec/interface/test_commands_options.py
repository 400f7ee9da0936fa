"""The options of every command: `command_line.txt` is what they are, word for word."""

from pathlib import Path

import pytest

from spec.interface import command_line

REFERENCE = (Path(__file__).parent / "command_line.txt").read_text(encoding="utf-8")


def test_every_option_is_as_the_reference_has_it() -> None:
    """Its names, where it goes, type, choices, default and help; see `command_line`."""
    assert command_line.text() == REFERENCE


PROGRAM_OF = {name: program for program in command_line.PROGRAMS for name in program.commands}


@pytest.mark.parametrize("command", PROGRAM_OF)
def test_every_command_can_be_run_with_what_the_parser_gives(command: str) -> None:
    """`run` is that of the command's module, and the reference has a part for each command."""
    needed = {"bench": ["overhead"], "check": ["file"], "figure": ["folder"],
              "play": ["file"], "plot": ["file"]}  # fmt: skip
    program = PROGRAM_OF[command]
    args = program.parser(command).parse_args([command, *needed.get(command, [])])
    assert args.run.__module__ == program.commands[command].module
    assert f"\n{program.name} {command}\n" in f"\n{REFERENCE}"


def test_a_command_that_needs_an_argument_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    for command, says in (
        ("bench", "arguments are required: bench"),
        ("check", "one of the arguments TRACE --exec --projection is required"),
        ("figure", "arguments are required: DIR"),
        ("play", "arguments are required: TRACE"),
        ("plot", "arguments are required: TRACE"),
    ):
        with pytest.raises(SystemExit):
            PROGRAM_OF[command].parser(command).parse_args([command])
        assert says in capsys.readouterr().err
