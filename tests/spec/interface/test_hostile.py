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
from embedded_hunter import CheckpointError, minimize
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.run.box import Box
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from spec.interface.checkpoints import sealed
from spec.interface.hostile import damaged

GOLDEN = sorted((KIT / "golden").glob("*.jsonl"))
GOLDENS = {path.stem: path.read_bytes() for path in GOLDEN}
BOUNDS, RUN = [(-1.0, 1.0)] * 5, {"policy": "fresh", "d": 2, "maxfun": 20}


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
    settings = Settings(5, 2, 20)
    with TemporaryDirectory() as folder:
        path = Path(folder, "run.jsonl")
        path.write_bytes(content)
        log, message = None, ""
        try:
            with Checkpoint(path, settings, Box(BOUNDS), rng) as log:
                pass
        except CheckpointError as error:
            message = str(error)
        assert len(message.encode()) < 1000
        if log is not None:
            assert set(log.values) <= set(range(1, 21))
            assert all(type(value) is float and value == value for value in log.values.values())
            assert log.hunter().nfev <= len(log.values)
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
