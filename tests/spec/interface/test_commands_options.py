"""The commands of both programs: what each parser gives is enough to run the command."""

import pytest

from embedded_hunter.cli import PROGRAM
from reproduction import cli

PROGRAM_OF = {name: program for program in (PROGRAM, cli.PROGRAM) for name in program.commands}
NEEDED = {"bench": ["overhead"], "check": ["file"], "figure": ["folder"],
          "play": ["file"], "plot": ["file"]}  # fmt: skip
"""What must be given to a command; the others need nothing."""


@pytest.mark.parametrize("command", PROGRAM_OF)
def test_every_command_can_be_run_with_what_the_parser_gives(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`run` is that of the command's module. Without a needed argument the parser exits with 2."""
    program, needed = PROGRAM_OF[command], NEEDED.get(command, [])
    args = program.parser(command).parse_args([command, *needed])
    assert args.run.__module__ == program.commands[command].module
    if needed:
        with pytest.raises(SystemExit) as end:
            program.parser(command).parse_args([command])
        assert end.value.code == 2
        assert "required" in capsys.readouterr().err
