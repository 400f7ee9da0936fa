"""Spies in the place of what a command calls, and what it says when it makes no sense."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from embedded_hunter import cli
from embedded_hunter.commands.program import Program
from reproduction import cli as reproduction

Calls = list[tuple[str, tuple[Any, ...], dict[str, Any]]]
Spies = Callable[..., Calls]


def spies_with(monkeypatch: pytest.MonkeyPatch) -> Spies:
    """Return what replaces functions of a module: each returns, or raises, what is given for it."""

    def replace(module: ModuleType, **answers: Any) -> Calls:
        calls: Calls = []

        def spy(name: str, answer: Any) -> Callable[..., Any]:
            def called(*args: Any, **kwargs: Any) -> Any:
                calls.append((name, args, kwargs))
                if isinstance(answer, Exception):
                    raise answer
                return answer(*args, **kwargs) if callable(answer) else answer

            return called

        for name, answer in answers.items():
            monkeypatch.setattr(module, name, spy(name, answer))
        return calls

    return replace


def complaint(
    capsys: pytest.CaptureFixture[str], *arguments: str, program: Program | None = None
) -> str:
    """Run a command that makes no sense; return the one line that is said.

    Both programs have a command `claims`; another one belongs to the program that has it.
    """
    program = program or (cli if arguments[0] in cli.COMMANDS else reproduction).PROGRAM
    assert program.main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert not printed.out
    start = f"{program.name} {arguments[0]}: error: "
    assert printed.err.startswith(start)
    return printed.err.removeprefix(start).removesuffix("\n")
