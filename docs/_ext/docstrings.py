"""Docstrings as they are written: words in the place of a type stay words, and no others come in.

Types stand in annotations; where a docstring has something to add (``array of shape (n,)``), Sphinx
would take every word of it for the name of a class.
"""

import re
from types import UnionType
from typing import Any, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike
from sphinx.application import Sphinx
from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx_autodoc_typehints import format_annotation


def formatted(annotation: Any, config: object) -> str | None:
    """Name the aliases of `numpy.typing` as the source does; None for all other types."""
    union = get_args(annotation) if isinstance(annotation, UnionType | type(ArrayLike)) else ()
    if set(get_args(ArrayLike)) <= set(union):
        others = [part for part in union if part not in get_args(ArrayLike)]
        names = [format_annotation(part, config) for part in others]
        return " | ".join([":py:data:`~numpy.typing.ArrayLike`", *names])
    if get_origin(annotation) is np.ndarray:
        (scalar,) = get_args(get_args(annotation)[1]) or (Any,)
        name = getattr(scalar, "__name__", "Any")
        return rf":py:data:`~numpy.typing.NDArray`\ [{name}]"
    return None


def keep_words(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Show the words after a parameter's name as they are: nothing in them is a reference."""
    for k, line in enumerate(lines):
        if match := re.fullmatch(r"(\s*:(?:type \S+|type|rtype):) (.+)", line):
            lines[k] = f"{match[1]} *{match[2]}*" if "`" not in match[2] else line


def without_text(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    """Leave out a field of a named tuple that has no text of its own; the signature shows it."""
    return True if str(getattr(obj, "__doc__", "")).startswith("Alias for field number") else None


def setup(app: Sphinx) -> None:
    """Register the handlers, one of them after napoleon's."""
    app.connect("autodoc-skip-member", without_text)
    app.connect("autodoc-process-docstring", keep_words, priority=600)

    # napoleon takes what stands before a colon in the docstring of a constant for its type.
    def whole(self: Any) -> tuple[str, list[str]]:
        return "", self._dedent(self._consume_to_end())

    NumpyDocstring._consume_inline_attribute = whole
