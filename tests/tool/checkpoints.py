"""What the tests of checkpoints share: a short run, its objective, and readers of the file."""

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import minimize
from embedded_hunter.matrices import Floats

N, BUDGET = 30, 60
BOUNDS = [(-2.0, 3.0)] * N
RUN: dict[str, Any] = {"policy": "fresh", "d": 2, "maxfun": BUDGET, "M": 2}


def value_at(x: Floats) -> float:
    return float(abs(x[3] - 0.7) + abs(x[11] + 0.2) + 0.1 * x[5])


def logged(path: Path) -> dict[int, float]:
    """Number and value of each whole line of a checkpoint that has one."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n")[1:-1]]
    return {fields["evaluation"]: fields["value"] for fields in lines if "evaluation" in fields}


def other(path: Path, **changed: Any) -> OptimizeResult:
    """Begin or resume the run of seed 7, with some of its arguments changed; a forest has no M."""
    bounds = changed.pop("bounds", BOUNDS)
    run = {"rng": 7, **RUN, **changed}
    if run.get("policy") == "forest":
        del run["M"]
    return minimize(value_at, bounds, checkpoint=path, **run)


def sealed(line: bytes) -> bytes:
    """The line, with its end, with the checksum that fits the bytes before it."""
    text = line[: line.rindex(b', "crc32"')]
    return b'%s, "crc32": "%08x"}\n' % (text, zlib.crc32(text))


def resealed(content: bytes) -> bytes:
    return b"".join(sealed(line) for line in content.splitlines())


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """As on a full disk: a write that goes beyond is cut, the next one fails (EFBIG)."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
