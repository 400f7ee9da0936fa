"""The first line of a checkpoint: what determines the run, and what the machine computes.

A file is refused if its header describes another run. It is also refused if the machine that wrote
it computes other points than this one (see `probe`): the points of the values that it holds would
not be those of the resumed run. The second check can be left out.
"""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from embedded_hunter.matrices import seed_behind
from embedded_hunter.run.box import Box
from embedded_hunter.run.jsonlines import Fields, parse, short, unseal
from embedded_hunter.run.policies import Parameters
from embedded_hunter.run.probe import probe
from embedded_hunter.version import __version__

FORMAT, VERSION = "embedded-hunter checkpoint", 4
START = b'{"format": "' + FORMAT.encode() + b'"'

OF_THE_MACHINE = ("numpy", "scipy", "probe")
"""Fields that describe the machine; all other fields describe the run."""
ONLY_FOR_MESSAGES = ("seed",)
"""Fields that follow from others."""


class CheckpointError(ValueError):
    """A checkpoint cannot be used.

    It is damaged, in use, of another run, of a machine that computes other points, or was written
    by another version.
    """


def header_of(
    settings: Parameters, box: Box, objective: str | None, rng: np.random.Generator
) -> Fields:
    """Return the header of a run on this machine."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": __version__,
        "settings": settings.as_json(),
        "bounds": hashed(box.low, box.high),
        "x0": hashed(box.x0),
        "integrality": hashed(box.integers),
        "objective": objective,
        "rng": plain(rng.bit_generator.state),
        "seed": seed_behind(rng),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "probe": dict(probe()),
    }


def hashed(*arrays: npt.NDArray[Any] | None) -> str | None:
    """Return the hash of the bytes of arrays, as hexadecimal digits; None for None."""
    parts = [array.tobytes() for array in arrays if array is not None]
    return hashlib.sha256(b"".join(parts)).hexdigest() if parts else None


def read_header(path: Path, line: bytes) -> Fields:
    """Return the header of a file from its first line.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint, or has another version of the format.
    FormatError
        If the line is damaged.
    """
    header = parse(line, 1)
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a checkpoint: its format is not {FORMAT!r}")
    if header.get("version") != VERSION:
        raise CheckpointError(
            f"{path} has version {short(header.get('version'))} of the checkpoint format; "
            f"this program reads only version {VERSION}"
        )
    return unseal(line, 1)


def compare(path: Path, found: Fields, own: Fields) -> None:
    """Compare the run that a file describes with this run.

    Raises
    ------
    CheckpointError
        If they differ. The message names what differs, there and here.
    """
    for name, expected in own.items():
        if name in (*OF_THE_MACHINE, *ONLY_FOR_MESSAGES) or found.get(name) == expected:
            continue
        there, here = found.get(name), expected
        seeds = (found.get("seed"), own["seed"])
        if name == "rng" and None not in seeds and seeds[0] != seeds[1]:
            name, (there, here) = "seed", seeds
        elif name == "rng":
            raise CheckpointError(
                f"{path} belongs to another run: its random generator is not in the state of this "
                "run's. Was rng used before the run?"
            )
        if name == "settings" and isinstance(there, dict):
            names = ["policy", *here]  # the policy first: the others follow from it
            differing = [key for key in names if there.get(key) != here[key]]
            if not differing:
                continue
            name, there, here = differing[0], there.get(differing[0]), here[differing[0]]
        raise CheckpointError(
            f"{path} belongs to another run: its {name} is {short(there)}, this run's is "
            f"{short(here)}"
        )


def compare_machines(path: Path, found: Fields, own: Fields, part: str) -> None:
    """Compare the machine that wrote a file with this one.

    Parameters
    ----------
    part
        Name of the part of `probe` that the run depends on.

    Raises
    ------
    CheckpointError
        If this part differs. The message names all parts that differ, and the versions.
    """
    there = found.get("probe")
    there = there if isinstance(there, dict) else {}
    differing = [name for name, points in own["probe"].items() if there.get(name) != points]
    if part in differing:
        raise CheckpointError(
            f"{path} was written by a machine that computes other points, so this one cannot "
            f"continue the same run. Probes that differ: {', '.join(differing)}. There: NumPy "
            f"{short(found.get('numpy'))}, SciPy {short(found.get('scipy'))}. Here: NumPy "
            f"{own['numpy']!r}, SciPy {own['scipy']!r}, and perhaps another processor. To continue "
            "with points of this machine, give check_machine=False (command line: --anyway)"
        )


def plain(state: Any) -> Any:
    """Return the state of a bit generator with lists in place of arrays."""
    if isinstance(state, dict):
        return {name: plain(part) for name, part in state.items()}
    return state.tolist() if isinstance(state, np.ndarray | np.generic) else state


def rng_of(header: Fields) -> np.random.Generator:
    """Return the generator in a header. `default_rng()` made it, so it is a PCG64.

    Raises
    ------
    CheckpointError
        If it is another generator, or its state is not valid.
    """
    bits, state = np.random.PCG64(), header.get("rng")
    try:
        bits.state = state  # type: ignore[assignment]  # checked by the setter
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise CheckpointError(
            f"the random generator of the checkpoint cannot be restored ({error}); pass the run's "
            "rng"
        ) from None
    return np.random.Generator(bits)
