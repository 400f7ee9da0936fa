"""A module of objectives in the user's current directory, and the command that minimises them."""

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter.cli import main

OBJECTIVES = """
import numpy as np

calls = []

def f(x, shift=0.2, scale=1.0):
    calls.append(x.copy())
    return scale * float(((x[:3] - shift) ** 2).sum())

def columns(x):
    calls.append(x.copy())
    return ((x[:3] - 0.2) ** 2).sum(axis=0)

def fails_once(x):
    if len(calls) == 7 and not hasattr(fails_once, "failed"):
        fails_once.failed = True
        raise ZeroDivisionError("seven")
    return f(x)

def interrupted(x):
    if len(calls) == 7:
        raise KeyboardInterrupt
    return f(x)

def exits(x):
    raise SystemExit("bad input")

def infinite(x):
    return float("inf")

class Holder:
    method = staticmethod(f)

number = 3
"""


@contextmanager
def users_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The user's module, in the current directory."""
    (tmp_path / "objectives.py").write_text(OBJECTIVES)
    (tmp_path / "exiting.py").write_text("import sys\nsys.exit(7)\n")
    (tmp_path / "broken.py").write_text("x = 1\nundefined\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "objectives", raising=False)
    importlib.invalidate_caches()
    module = importlib.import_module("objectives")
    yield module
    sys.modules.pop("objectives", None)


def result_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run `minimize ... --json`, which must succeed, and return what it prints."""
    assert main(["minimize", *arguments, "--json"]) == 0
    fields: dict[str, Any] = json.loads(capsys.readouterr().out)
    return fields
