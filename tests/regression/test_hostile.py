"""Hostile files: whatever is in them, only the documented errors come out, in bounded memory."""

import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import embedded_hunter
from embedded_hunter import CheckpointError, Run, minimize
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from tool.checkpoints import sealed

GOLDEN = sorted((KIT / "golden").glob("*.jsonl"))
GOLDENS = {path.stem: path.read_bytes() for path in GOLDEN}
BOUNDS, RUN = [(-1.0, 1.0)] * 5, {"policy": "fresh", "d": 2, "maxfun": 20}

# --- mutations of good files -----------------------------------------------------------------

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


# --- traces ------------------------------------------------------------------------------------


def best_near(x: Any) -> float:
    return float(((x - 0.3) ** 2).sum())


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("hostile") / "run.jsonl"
    minimize(best_near, BOUNDS, rng=7, checkpoint=path, **RUN)  # type: ignore[arg-type]
    return path.read_bytes()


@contextmanager
def bounded(megabytes: float) -> Iterator[None]:
    """Fail if what is within takes more memory."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < megabytes * 1e6, f"{peak / 1e6:.1f} MB"


def read(content: bytes) -> None:
    """Check: any error but FormatError passes through; verdicts can be printed."""
    try:
        verdict, most = str(check(content.splitlines(keepends=True))), 20_000
    except FormatError as error:
        verdict, most = str(error), 1000
    assert 0 < len(verdict.encode()) < most


@given(st.sampled_from(sorted(GOLDENS.values())).flatmap(damaged))
@example(GOLDENS["classes"].replace(b'"l": 0', b'"l": []'))
@example(b"")
def test_a_damaged_trace_is_refused_or_judged(content: bytes) -> None:
    read(content)


# --- what a header claims ----------------------------------------------------------------------

HUGE = {"n": 10**4000, "d": 10**9, "K": 10**9 + 1, "v": 10**4000, "h_max": 10**4000}


@pytest.mark.parametrize(
    "claims",
    [*([name] for name in HUGE), ["n", "d"], ["v", "h_max"], [*HUGE], ["n", "v", "h_max"]],
    ids=" ".join,
)
def test_a_claim_costs_nothing(claims: list[str]) -> None:
    header, *lines = GOLDENS["classes"].splitlines(keepends=True)
    fields = json.loads(header)
    fields["settings"] |= {name: HUGE[name] for name in claims}
    with bounded(megabytes=8):
        read(json.dumps(fields).encode() + b"\n" + b"".join(lines))


@pytest.mark.long
def test_a_trace_that_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    minimize(lambda x: float(x[0]), BOUNDS, policy="fresh", d=2, maxfun=5000, checkpoint=path)
    source = str(Path(embedded_hunter.__file__).parents[1])
    program = subprocess.Popen(
        [sys.executable, "-m", "embedded_hunter", "trace", str(path)],
        env={**os.environ, "PYTHONPATH": source},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    with program.stdout as out, program.stderr as err:
        assert b"embedded-hunter trace" in out.readline()
        out.close()
        assert err.read() == b""
    assert program.wait() == 141


# --- checkpoints -------------------------------------------------------------------------------


def resume(content: bytes, rng: int | None) -> None:
    """Read a checkpoint: the values that it has, or CheckpointError and the file is as it was."""
    run = Run.begin(Settings(5, 2, 20), rng, BOUNDS)
    with TemporaryDirectory() as folder:
        path = Path(folder, "run.jsonl")
        path.write_bytes(content)
        log, message = None, ""
        try:
            with Checkpoint(path, run, any_seed=rng is None) as log:
                log.write_missing()
        except CheckpointError as error:
            message = str(error)
        assert len(message.encode()) < 1000
        if log is not None:
            assert len(log.search.run.values) <= 20
            assert 0 <= log.search.nfev == len(log.search.history)
        if log is None:
            assert path.read_bytes() == content
        else:  # an incomplete last line is removed; if it was the header, there is a new one
            assert path.read_bytes()[: content.rfind(b"\n") + 1] in content
            assert path.read_bytes().endswith(b"\n")


@given(data=st.data(), rng=st.sampled_from([7, None]), fits=st.booleans())
def test_a_damaged_checkpoint_is_refused_or_read(
    checkpoint: bytes, data: st.DataObject, rng: int | None, fits: bool
) -> None:
    """Also where whoever made the damage has made the checksums fit."""
    content = data.draw(damaged(checkpoint))
    if fits:
        content = re.sub(rb'^(.*), "crc32": "\w*"}$', checksum_made_to_fit, content, flags=re.M)
    resume(content, rng)


def checksum_made_to_fit(line: re.Match[bytes]) -> bytes:
    return sealed(line[0]).removesuffix(b"\n")
