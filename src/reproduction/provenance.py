"""The provenance of a measurement: command, commit, date, machine and versions."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import numpy as np


def provenance(command: str) -> dict[str, str]:
    """Return the command, commit, date, machine, load, and the versions of Python and numpy.

    The commit is that of the checkout from which the package is imported, with "-dirty" if `src`
    has changes, or "unknown" if there is no checkout.
    """
    return {
        "command": command,
        "commit": _commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "load": load(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def load() -> str:
    """Return the load averages of the machine, or "unknown" if the system has none."""
    return " ".join(f"{x:.1f}" for x in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def _commit() -> str:
    try:
        return _git("describe", "--always") + ("-dirty" if _git("status", "-s", "..") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    ).stdout.strip()
