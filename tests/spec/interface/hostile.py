"""Files that are not what they should be: mutations of good ones, for the tests of the readers."""

import json
from collections.abc import Iterator
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


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, name or index) of all values within a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in items:
        yield value, name
        if isinstance(part, dict | list):
            yield from places(part)


def with_another_value(line: bytes, which: int, token: str) -> bytes:
    """Return a JSON line with the token at one of its places; what is no JSON is left as it is."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(fields, dict) or not fields or which == 0:
        return token.encode() + b"\n"
    found = list(places(fields))
    container, name = found[which % len(found)]
    container[name] = "@here@"
    return json.dumps(fields).replace('"@here@"', token).encode() + b"\n"


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Return a file after one to three mutations: of a value, of lines, or of bytes."""
    far = st.integers(0, 10**6)
    for _ in range(draw(st.integers(1, 3))):
        lines = content.splitlines(keepends=True) or [b""]
        a, b = draw(far) % len(lines), draw(far) % len(lines)
        match draw(
            st.sampled_from(["value", "header", "exchange", "drop", "twice", "bytes", "cut"])
        ):
            case "value":
                lines[a] = with_another_value(lines[a], draw(far), draw(st.sampled_from(TOKENS)))
            case "header":
                lines[0] = with_another_value(lines[0], draw(far), draw(st.sampled_from(TOKENS)))
            case "exchange":
                lines[a], lines[b] = lines[b], lines[a]
            case "drop":
                del lines[a]
            case "twice":
                lines.insert(b, lines[a])
            case "bytes":
                at, length = draw(st.integers(0, len(lines[a]))), draw(st.integers(0, 30))
                junk = draw(st.sampled_from(JUNK) | st.binary(max_size=3))
                lines[a] = lines[a][:at] + junk + lines[a][at + length :]
            case "cut":
                lines[a:] = [lines[a][: draw(st.integers(0, len(lines[a])))]]
        content = b"".join(lines)
    return content
