"""With which code each part of the stored results was made: ``docs/results/made.json``.

A part is stale if the code that decides its values (`catalogue.Part.code`) is not that of its
stamp. A stale part can be made again. Or randomly drawn runs of it are made again: if all have the
same bits, its stamp gets the present code, and says how many runs that were (`confirm`).

The last bits of values depend on the machine. So a stamp has the hash of `arithmetic` too.
"""

import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from reproduction.arithmetic import arithmetic
from reproduction.seeds import seed_of
from reproduction.stored.catalogue import RESULTS, Part, Run

FILE = "made.json"
LIBRARIES = (
    "numpy", "scipy", "cma", "nlopt", "coco-experiment", "cocopp", "torch", "gpytorch", "botorch",
)  # fmt: skip
SHOWN = 3
"""Files that a sentence names; of more it says how many."""


@dataclass(frozen=True)
class Stamp:
    """How a part was made.

    Attributes
    ----------
    commit
        At which its runs were made; several if they were made in turn.
    code
        The hashes of the code, by file; empty if they are not known.
    seconds
        Of processor time, None if nobody measured it.
    arithmetic
        That of the machine; empty if it is not known.
    versions
        Of Python and libraries.
    confirmed
        How many runs were made again, and at which commit; None if the runs were made with `code`.
    """

    commit: str
    code: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    arithmetic: str = ""
    versions: str = ""
    confirmed: tuple[int, str] | None = None


def read(folder: Path = RESULTS) -> dict[str, Stamp]:
    """Return the stamps by the names of their parts."""
    content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    stamps = {}
    for name, fields in content.items():
        confirmed = fields.pop("confirmed") or None
        stamps[name] = Stamp(**fields, confirmed=confirmed and tuple(confirmed))
    return stamps


def write(stamps: Mapping[str, Stamp], folder: Path = RESULTS) -> None:
    """Write the stamps."""
    content = {name: asdict(stamps[name]) for name in sorted(stamps)}
    (folder / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def stale(part: Part, stamp: Stamp) -> list[str]:
    """Return the files whose code differs from that of the stamp; all if that is not known."""
    now = part.code()
    return sorted(
        file for file in {*now, *stamp.code} if now.get(file) != stamp.code.get(file)
    )  # fmt: skip


def sentence(part: Part, stamp: Stamp) -> str:
    """Say in Markdown how a part was made, and whether it is stale."""
    made = f"Made at commit {stamp.commit}"
    if files := stale(part, stamp):
        named = ", ".join(f"`{file.removeprefix('src/')}`" for file in files[:SHOWN])
        more = f" and {len(files) - SHOWN} more files" if len(files) > SHOWN else ""
        said = f"{named}{more}" if stamp.code else "the code"
        made = f"**{made} by an earlier version of {said}**"
    if stamp.seconds is not None:
        made += f", in {stamp.seconds:,.0f} seconds of processor time"
    if stamp.confirmed is None or files:
        return f"{made}."
    count, commit = stamp.confirmed
    return f"{made}. {count} runs, drawn at random, gave the same bits again at commit {commit}."


def sentences(parts: Sequence[Part], stamps: Mapping[str, Stamp]) -> str:
    """Return the sentences of some parts: one if all have the same, else a list."""
    said: dict[str, list[str]] = {}
    for part in parts:
        text = sentence(part, stamps[part.name])
        said.setdefault(text, []).append(f"`{part.name.rpartition('/')[2]}`")
    if len(said) == 1:
        return next(iter(said))
    return "\n".join(f"- {', '.join(names)}: {text}" for text, names in said.items())


def draw(part: Part, count: int, seed: np.random.SeedSequence, most: float = np.inf) -> list[Run]:
    """Draw some runs of a part, among those of at most so many evaluations.

    If all have more, among the shortest ones.
    """
    stored = part.stored()
    limit = max(most, min(map(part.size, stored)))
    listed = [run for run in stored if part.size(run) <= limit]
    rng = np.random.default_rng(seed)
    return [listed[k] for k in rng.choice(len(listed), min(count, len(listed)), replace=False)]


def differing(part: Part, runs: Sequence[Run]) -> list[str]:
    """Make some runs again; say of each whose values differ, in any bit, what they are."""
    stored = part.stored()
    again = {run: part.again(run) for run in runs}
    return [
        f"{part.name}, {', '.join(map(str, run))}: {stored[run]} is stored, {text} comes out today"
        for run, text in again.items()
        if text != stored[run]
    ]


def confirm(part: Part, stamp: Stamp, count: int, commit: str) -> tuple[Stamp, list[str]]:
    """Make some runs again; return the stamp, with the present code if no bit differs.

    Which runs these are is a function of the code alone: nobody chooses them.

    Returns
    -------
    stamp, what differs
    """
    code = part.code()
    runs = draw(part, count, seed_of("confirm", part.name, *sorted(code.items())))
    if found := differing(part, runs):
        return stamp, found
    confirmed = (len(runs), commit)
    return replace(stamp, code=code, arithmetic=arithmetic(), confirmed=confirmed), []


def versions() -> str:
    """Return the versions of Python and of the libraries that decide values."""
    found = [f"Python {platform.python_version()}"]
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def commit_of_source() -> str:
    """Return the commit of the checkout.

    Raises
    ------
    ValueError
        If a file below ``src`` differs from it.
    """

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(RESULTS), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    if git("status", "--porcelain", "--", ":/src"):
        raise ValueError("files below src differ from their commit: commit them first")
    return git("rev-parse", "--short=7", "HEAD")
