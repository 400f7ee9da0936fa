"""A spy in the place of `minimize`, and a module of a user's in the current directory."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter.commands import minimize as command
from embedded_hunter.run.status import MESSAGES, SUCCESS

MODULE = """
def f(x, *args):
    return float(x[0])

class Holder:
    class Inner:
        method = staticmethod(f)

text = "no function"
"""
GIVEN = ["objectives_of_mine:f", "--n", "3", "--d", "2"]


def result_of(status: int = 0, fun: Any = 0.123456789012, size: int = 3) -> OptimizeResult:
    x = np.arange(size) / 7
    return OptimizeResult(
        x=x, fun=fun, status=status, success=status in SUCCESS, message=MESSAGES[status], nfev=50,
        nit=9, nsweep=4, depth=3, nleaves=21,
    )  # fmt: skip


class Spy:
    """Stands for the function `minimize`: keeps what it is called with, returns what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, Any, dict[str, Any]]] = []
        self.answer: Any = result_of()

    def __call__(self, function: Any, bounds: Any, **options: Any) -> Any:
        self.calls.append((function, bounds, options))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@contextmanager
def minimize_spy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spy]:
    """In a folder with a module of the user's."""
    (folder / "objectives_of_mine.py").write_text(MODULE)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(folder)])
    spy = Spy()
    monkeypatch.setattr(command, "minimize", spy)
    yield spy
    sys.modules.pop("objectives_of_mine", None)
