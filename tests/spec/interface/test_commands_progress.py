"""The bar of a run: on a terminal only, gone at the end, and not needed."""

import sys
from types import ModuleType
from typing import Any

import pytest

from embedded_hunter.commands.progress import progress


def test_the_bar_goes_on_by_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told how much has been done in all; tqdm wants to know how much more."""
    events: list[Any] = []

    class Bar:
        n = 0

        def __init__(self, **options: Any) -> None:
            events.append(options)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *error: object) -> None:
            events.append("closed")

        def update(self, more: int) -> bool:
            events.append(more)
            self.n += more
            return True  # as tqdm does when it has drawn

    tqdm = ModuleType("tqdm")
    monkeypatch.setattr(tqdm, "tqdm", Bar, raising=False)
    monkeypatch.setitem(sys.modules, "tqdm", tqdm)
    with progress(70, "a name") as advance:
        answers: list[Any] = [advance(3), advance(10), advance(10), advance(70)]
    options = {"total": 70, "desc": "a name", "unit": "evals", "disable": None, "leave": False}
    assert events == [options, 3, 7, 0, 60, "closed"]
    assert answers == [None] * 4  # minimize would take True for a wish to stop


def test_no_bar_is_drawn_where_no_terminal_is(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    with progress(70, "a name") as advance:
        advance(70)
    assert capsys.readouterr() == ("", "")


def test_without_tqdm_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with progress(70, "a name") as advance:
        answer: Any = advance(3)
    assert answer is None
