"""Files that are not what they should be: mutations of good ones, for the tests of the readers."""

import json
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

TOKENS = [
    "null", "true", "-1", "0", "1", "2", "-0.0", "1.5", "1e308", "1e-320", "1e99999", "NaN",
    "-Infinity", "9" * 100, "9" * 4300, "9" * 100_000, "0." + "3" * 100_000, '""', '"inf"',
    '"-inf"', '"1/3"', '"3/0"', '"\\ud800"', '"\\u0000"', '"' + "x" * 100_000 + '"', "[]", "{}",
    "[0]", "[[[]]]", "[" * 300 + "]" * 300, "[" * 900 + "]" * 900, '{"x":' * 800 + "1" + "}" * 800,
    "[" * 100_000, '{"a": 1, "a": 2}',
]  # fmt: skip
"""What stands where a value should: wrong types, huge, deep, or not JSON at all."""

JUNK = [b"", b"\n", b"\r\n", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"{}\n", b"[]\n", b"null\n",
        b"}", b'"', b",", b"{\x00}\x00", b"\xef\xbb\xbf", b"1" * 5000]  # fmt: skip

Mutation = Callable[[bytes], bytes]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a JSON value."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [path, *(p for name, part in items for p in places(part, (*path, name)))]


def replaced(line: bytes, which: int, token: str) -> bytes:
    """Return a JSON line with another value at one of its places."""
    try:
        fields = json.loads(line)
        paths = places(fields)
    except (ValueError, RecursionError):  # what an earlier mutation left
        return line
    path = paths[which % len(paths)]
    if not path:
        return token.encode() + b"\n"
    at = fields
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = "@here@"
    return json.dumps(fields).replace('"@here@"', token).encode() + b"\n"


def a_value(line: int, which: int, token: str) -> Mutation:
    """Replace one value on a line."""

    def mutate(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        if lines:
            lines[line % len(lines)] = replaced(lines[line % len(lines)], which, token)
        return b"".join(lines)

    return mutate


def lines_moved(first: int, second: int, how: str) -> Mutation:
    """Exchange two lines, drop one, or give one twice."""

    def mutate(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        if not lines:
            return content
        a, b = first % len(lines), second % len(lines)
        if how == "exchange":
            lines[a], lines[b] = lines[b], lines[a]
        elif how == "drop":
            del lines[a]
        else:
            lines.insert(b, lines[a])
        return b"".join(lines)

    return mutate


def bytes_replaced(at: int, length: int, new: bytes) -> Mutation:
    """Replace some bytes."""

    def mutate(content: bytes) -> bytes:
        begin = at % (len(content) + 1)
        return content[:begin] + new + content[begin + length :]

    return mutate


def cut(at: int) -> Mutation:
    """Keep the beginning only."""
    return lambda content: content[: at % (len(content) + 1)]


def mutations() -> st.SearchStrategy[list[Mutation]]:
    """Return one to three mutations, to be applied one after another."""
    far = st.integers(0, 10**6)
    one = st.one_of(
        st.builds(a_value, far, far, st.sampled_from(TOKENS)),
        st.builds(a_value, st.just(0), far, st.sampled_from(TOKENS)),
        st.builds(lines_moved, far, far, st.sampled_from(["exchange", "drop", "twice"])),
        st.builds(bytes_replaced, far, st.integers(0, 30), st.sampled_from(JUNK)),
        st.builds(bytes_replaced, far, st.integers(0, 3), st.binary(max_size=3)),
        st.builds(cut, far),
    )
    return st.lists(one, min_size=1, max_size=3)


def applied(content: bytes, changes: list[Mutation]) -> bytes:
    """Return the content after all mutations."""
    for change in changes:
        content = change(content)
    return content
