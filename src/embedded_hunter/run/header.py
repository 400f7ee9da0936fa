"""The header of a run: what determines it, except its values and the objective.

The files of runs and traces begin with a header, and the pickle of a run contains one. All of them
have `format`, `version` and `settings`. A trace needs no more. The others also have the key of the
run, and what the machine computes (see `probe`); a file has hashes of the user's bounds, too.
"""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from embedded_hunter.matrices import Key, is_key
from embedded_hunter.run.box import Box
from embedded_hunter.run.jsonlines import Fields, FormatError, short
from embedded_hunter.run.policies import settings_from_json
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.probe import probe
from embedded_hunter.version import __version__

RUN, TRACE = "embedded-hunter run", "embedded-hunter trace"
"""The formats: the values of a run, and the events that follow from them."""
START = b'{"format": "' + RUN.encode() + b'"'
"""How the file of a run begins."""
VERSIONS = {RUN: 6, TRACE: 5}
"""Their versions."""


def header(format: str, settings: Parameters) -> Fields:
    """Return what all headers have."""
    return {"format": format, "version": VERSIONS[format], "settings": settings.as_json()}


def header_of_run(settings: Parameters, key: Key | None, seed: int | None) -> Fields:
    """Return the header of a run on this machine."""
    return header(RUN, settings) | {
        "package": __version__,
        "key": key,
        "seed": seed,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "probe": probe(settings.policy),
    }


def given_by_user(box: Box, objective: str | None) -> Fields:
    """Return the further fields of a file: hashes of the bounds, and the name of the objective."""
    return {
        "bounds": hashed(box.low, box.high),
        "x0": hashed(box.x0),
        "objective": objective,
    }


def hashed(*arrays: npt.NDArray[Any] | None) -> str | None:
    """Return the hash of the bytes of arrays, as hexadecimal digits; None for None."""
    parts = [array.tobytes() for array in arrays if array is not None]
    return hashlib.sha256(b"".join(parts)).hexdigest() if parts else None


def require_format(fields: Fields, format: str) -> None:
    """Raise FormatError if these are not the fields of a header of this format and version."""
    found = fields.get("format"), fields.get("version")
    if found == (RUN, 5) != (format, VERSIONS[format]):
        raise FormatError("line 1: version 1.1.0 of embedded-hunter reads this file")
    if found != (format, VERSIONS[format]):
        raise FormatError(
            f"line 1 must have format {format!r} and version {VERSIONS[format]}, got "
            f"{short(found[0])} and {short(found[1])}"
        )


def settings_in(fields: Fields) -> Parameters:
    """Return the settings in a header; FormatError if there are none, or are not allowed."""
    given = fields.get("settings")
    if not isinstance(given, dict):
        raise FormatError(f"line 1: settings must be an object, got {short(given)}")
    try:
        return settings_from_json(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"line 1: settings: {error!s:.300}") from None


def key_in(fields: Fields) -> Key:
    """Return the key in a header; FormatError if there is none."""
    key = fields.get("key")
    if not is_key(key):
        raise FormatError(f"line 1: key must be 8 integers below 2^32, got {short(key)}")
    return key


def difference(found: Fields, own: Fields) -> str | None:
    """Return how the run that a header describes differs from a run; None if it does not.

    `found` is the header, `own` that of the run on this machine.
    """
    for name in ("x0", *own):  # `first_step` follows from x0
        there, here = found.get(name), own[name]
        if name in ("seed", "numpy", "scipy", "probe") or there == here:
            continue
        if name == "key":
            seeds = found.get("seed"), own["seed"]
            if None in seeds or seeds[0] == seeds[1]:
                return (
                    "its random generator is not in the state of this run's. Was rng used before "
                    "the run?"
                )
            name, (there, here) = "seed", seeds
        if name == "settings" and isinstance(there, dict):
            # First the policy, from which the others follow, last the budget, which may be greater.
            names = ["policy", *(part for part in here if part != "v"), "v"]
            differing = [part for part in names if there.get(part) != here[part]]
            if not differing:
                continue
            name, there, here = differing[0], there.get(differing[0]), here[differing[0]]
        if name in ("bounds", "x0"):  # hashes
            return f"its {name} differ{'s' if name == 'x0' else ''} from this run's"
        return f"its {name} is {short(there)}, this run's is {short(here)}"
    return None


def other_points(found: Fields, own: Fields) -> str | None:
    """Return how the machine that wrote a header differs from this one; None if the run does not.

    `found` and `own` are as for `difference`.
    """
    if found.get("probe") == own["probe"]:
        return None
    return (
        "was written by a machine that computes other points, so this one cannot continue the same "
        f"run. There: NumPy {short(found.get('numpy'))}, SciPy {short(found.get('scipy'))}. Here: "
        f"NumPy {own['numpy']!r}, SciPy {own['scipy']!r}, and perhaps another processor"
    )
