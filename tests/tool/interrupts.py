"""Ctrl-C at a line of the package that is chosen."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import embedded_hunter

PACKAGE = str(Path(embedded_hunter.__file__).parent)


@contextmanager
def interrupted_at(line: int) -> Iterator[None]:
    """Raise KeyboardInterrupt before the `line`-th line of the package that is executed."""
    count = 0

    def local(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count == line:
                raise KeyboardInterrupt
        return local

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        return local if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
