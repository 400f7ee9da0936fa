"""A method of one's own in a race: a function of a problem and a generator, in a file of Python.

It evaluates the problem until its budget is used up, and returns nothing. What it does wrong ends
the race, with a message that names it and the line of its file. It may have an attribute
``told``: with True it is told the number of variables that matter, and takes part only where that
is known. An attribute ``label`` is its name in tables.
"""

import hashlib
import os
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reproduction.methods import METHODS
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo
from reproduction.optimizers.method import Method


class FunctionFailed(ValueError):
    """A function of one's own has raised an exception, or returned nan."""


class OwnProblem:
    """What a method of one's own is given: a function on [-1, 1]^n, and what is known of it.

    Attributes
    ----------
    n
        The number of variables.
    bounds
        n pairs (-1, 1). The bounds of the function itself are mapped to these.
    maxfun
        The number of evaluations. The next one raises an exception, which ends the run.
    effective_dimension
        How many variables matter; None if the method is not told.
    """

    def __init__(self, box: BlackBox, effective_dimension: int | None) -> None:
        self._box, self.n, self.maxfun = box, box.rows, box.v
        self.bounds = [(-1.0, 1.0)] * self.n
        self.effective_dimension = effective_dimension

    @property
    def left(self) -> int:
        """Evaluations that remain."""
        return self._box.left

    def __call__(self, x: ArrayLike) -> float:
        """Return the value at x, shape (n,)."""
        return self._box(np.asarray(x, dtype=float))


def method_of(place: str) -> Method:
    """Return the method that ``FILE.py:NAME`` names, of the present text of its file.

    Raises
    ------
    ValueError
        If it cannot be read.
    """
    return _method(place, text_of(place))


@cache
def _method(place: str, text: bytes) -> Method:
    search, file = object_of(place, text), place.rpartition(":")[0]
    if not callable(search):
        raise ValueError(f"{place} must be a function of a problem and a generator, got {search!r}")
    label, told = getattr(search, "label", label_of(place)), getattr(search, "told", False)

    def run(box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
        try:
            search(OwnProblem(box, info.d_e if told else None), rng)
        except (Exhausted, FunctionFailed):
            raise
        except Exception as error:
            lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
            at = f" ({file}, line {lines[-1].lineno})" if lines else ""
            what = f"{type(error).__name__}: {error}{at}"
            raise ValueError(f"{label_of(place)}: {what}") from error
        if box.evaluations == 0:
            raise ValueError(f"{label_of(place)} has evaluated nothing")

    digest = hashlib.sha256(text).hexdigest()[:12]
    return Method(label, run, embeds=False, full=True, told_d_e=told, text=digest)


def register(place: str) -> str:
    """Put a method into the registry of this process; return its name there.

    Raises
    ------
    ValueError
        If it cannot be read.
    """
    METHODS[label_of(place)] = method_of(place)
    return label_of(place)


def label_of(place: str) -> str:
    """Return the name of a place in tables: without the folder."""
    return os.path.basename(place)


def text_of(place: str) -> bytes:
    """Return the text of the file of a place.

    Raises
    ------
    ValueError
        If it cannot be read.
    """
    try:
        return Path(place.rpartition(":")[0]).read_bytes()
    except OSError as error:
        raise ValueError(f"{place}: {error}") from None


def object_of(place: str, text: bytes) -> Any:
    """Return the object that ``FILE.py:NAME`` names, of a text of the file.

    Raises
    ------
    ValueError
        If there is none.
    """
    file, _, name = place.rpartition(":")
    try:
        return getattr(_module(file, text), name)
    except Exception as error:
        raise ValueError(f"{place}: {type(error).__name__}: {error}") from error


@cache
def _module(file: str, text: bytes) -> Any:
    """Open a file of Python once, while its text is the same; it may import its neighbours."""
    sys.path.append(os.path.dirname(file))
    module = ModuleType(Path(file).stem)
    module.__file__ = file
    exec(compile(text, file, "exec"), module.__dict__)
    return module
