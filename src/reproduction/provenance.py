"""The provenance of a result: command, commit, date, machine and versions."""

import os
import platform
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from reproduction.arithmetic import arithmetic

LIBRARIES = (
    "numpy", "scipy", "scikit-learn", "cma", "nlopt", "coco-experiment",
    "torch", "gpytorch", "botorch",
)  # fmt: skip


class Provenance(NamedTuple):
    """How a result was made."""

    command: str
    commit: str
    """Of the checkout from which the package is imported, with "-dirty" if `src` has changes, or
    "unknown" if there is no checkout."""
    date: str
    machine: str
    """Its processor, and the hash of its `arithmetic`."""
    versions: str
    """Of Python and of the libraries that decide values."""


def provenance(command: str) -> Provenance:
    """Return the provenance of what this process makes now."""
    found = [f"Python {platform.python_version()}"]
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return Provenance(
        command,
        _commit(),
        datetime.now(UTC).strftime("%Y-%m-%d"),
        f"{platform.machine()}, {os.cpu_count()} processors, arithmetic {arithmetic()}",
        ", ".join(found),
    )


def commit_of_source() -> str:
    """Return the commit of the checkout.

    Raises
    ------
    ValueError
        If a file below ``src`` differs from it.
    """
    if (commit := _commit()).endswith("-dirty"):
        raise ValueError("files below src differ from their commit: commit them first")
    return commit


def _commit() -> str:
    try:
        return _git("rev-parse", "--short=7", "HEAD") + (
            "-dirty" if _git("status", "-s", "..") else ""
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    ).stdout.strip()
