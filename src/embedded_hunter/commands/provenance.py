"""How a measurement was made: what belongs to every number that is kept."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import numpy as np


def provenance(command: str) -> dict[str, str]:
    """Return command, commit, date, machine and its load, Python and numpy.

    The commit is that of the folder the package is imported from; "unknown" if git does not know.
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
    """Return the load of the machine, which belongs to every measured time."""
    return " ".join(f"{x:.1f}" for x in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def _commit() -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
