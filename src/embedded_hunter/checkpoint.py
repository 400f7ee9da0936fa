"""The log of a run's values, from which it can be resumed.

A checkpoint is a file of JSON lines: a header with everything that determines the run but the
objective, then ``{"evaluation": k, "value": f}`` for each evaluation, written and flushed when its
value is known. A run is a function of its settings, its random generator and its values, so
resuming is running again with the logged values in the place of evaluations: the same run, bit for
bit. A last line that a kill has torn is dropped; anything else that is wrong is an error, and the
file is left as it was.
"""

import hashlib
import os
from pathlib import Path
from typing import IO, Any

import numpy as np

from embedded_hunter.box import Box
from embedded_hunter.jsonlines import (
    Fields,
    FormatError,
    dump,
    integer_from_json,
    parse,
    value_from_json,
    value_to_json,
)
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

try:
    import fcntl
except ImportError:  # pragma: no cover -- not a POSIX system: no lock there
    fcntl = None  # type: ignore[assignment]

FORMAT, VERSION = "embedded-hunter checkpoint", 1


class CheckpointError(ValueError):
    """A checkpoint cannot be used: of another run, of another version, damaged, or in use."""


class Checkpoint:
    """The checkpoint of one run; entered while the run writes to it.

    Parameters
    ----------
    path
        The file. It is made if there is none, and resumed if there is one.
    settings, box
        Of the run; a file of other settings or bounds is refused.
    rng
        As in `minimize`. With None a file that is resumed gives the generator of its first run;
        otherwise the generator must be in the state that the first run began with.

    Attributes
    ----------
    rng
        The generator to run with.
    values
        What has been logged: {number of the evaluation: value}.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint of this run. It is not touched then.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: Settings,
        box: Box,
        rng: np.random.Generator | int | None = None,
    ) -> None:
        self.path = Path(path)
        self.values: dict[int, float] = {}
        self._file: IO[str] | None = None
        self.rng = np.random.default_rng(rng)
        self._header = _header(settings, box, self.rng)
        self._size = 0  # of the file without a torn last line
        if self.path.exists():
            self._read(rng is None)

    def _read(self, take_rng: bool) -> None:
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be read: {error}") from error
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if not lines:
            raise CheckpointError(f"{self.path} is not a checkpoint: it has no header")
        try:
            self._check(parse(lines[0], 1), take_rng)
            for number, line in enumerate(lines[1:], 2):
                self._take(parse(line, number), number)
        except (FormatError, RecursionError) as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None
        self._size = len(whole)

    def _check(self, header: Fields, take_rng: bool) -> None:
        if header.get("format") != FORMAT:
            raise CheckpointError(f"{self.path} is not a checkpoint: its format is not {FORMAT!r}")
        if take_rng and header.get("rng") != self._header["rng"]:
            self._header["rng"] = header.get("rng")
            self.rng = _generator(header.get("rng"))
        for name, expected in self._header.items():
            if name == "settings" and isinstance(header.get(name), dict):
                for key in self._header[name]:
                    if header[name].get(key) != expected[key]:
                        raise CheckpointError(
                            f"{self.path} belongs to another run: its {key} is "
                            f"{_short(header[name], key)}, this run's is {expected[key]!r}"
                        )
            elif header.get(name) != expected:
                raise CheckpointError(
                    f"{self.path} belongs to another run: its {name} is {_short(header, name)}, "
                    f"this run's is {_short(self._header, name)}"
                )

    def _take(self, fields: Fields, number: int) -> None:
        k = integer_from_json(fields, "evaluation", number, 1)
        if k > self._header["settings"]["v"] or k in self.values:
            which = _short(fields, "evaluation")
            raise FormatError(
                f"line {number}: evaluation {which} is logged twice or beyond the budget"
            )
        self.values[k] = value_from_json(fields.get("value"), "value", number)

    def __enter__(self) -> "Checkpoint":
        """Make the file, or drop a torn last line; from now on values are appended."""
        new = not self.path.exists()
        if new:
            # The header appears whole or not at all.
            draft = self.path.with_name(f"{self.path.name}.{os.getpid()}.new")
            header = dump(self._header)
            draft.write_text(header, encoding="utf-8")
            draft.replace(self.path)
            self._size = len(header)
        self._file = self.path.open("a", encoding="utf-8", newline="\n")
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._file.close()
                raise CheckpointError(f"{self.path} is in use by another process") from None
        self._file.truncate(self._size)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; it can be entered again."""
        if self._file is not None:
            self._size = self._file.tell()
            self._file.close()
            self._file = None

    def append(self, number: int, value: float) -> None:
        """Log the value of an evaluation, at once."""
        if self._file is None:
            raise RuntimeError("the checkpoint is not open: enter it first")
        self.values[number] = value
        self._file.write(dump({"evaluation": number, "value": value_to_json(value)}))
        self._file.flush()


def _header(settings: Settings, box: Box, rng: np.random.Generator) -> Fields:
    bounds = hashlib.sha256(box.low.tobytes() + box.high.tobytes()).hexdigest()
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": __version__,
        "numpy": np.__version__,
        "settings": settings.as_json(),
        "bounds": bounds,
        "rng": _plain(rng.bit_generator.state),
    }


def _plain(state: Any) -> Any:
    """Return the state of a bit generator with lists in the place of arrays."""
    if isinstance(state, dict):
        return {name: _plain(part) for name, part in state.items()}
    return state.tolist() if isinstance(state, np.ndarray | np.generic) else state


def _generator(state: Any) -> np.random.Generator:
    """Return the generator that a header gives: `default_rng()` made it, so it is a PCG64."""
    bits = np.random.PCG64()
    try:
        bits.state = state
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise CheckpointError(
            f"the checkpoint's generator cannot be restored ({error}); pass the run's rng"
        ) from None
    return np.random.Generator(bits)


def _short(fields: Fields, name: str) -> str:
    text = repr(fields.get(name))
    return text if len(text) < 80 else text[:60] + " ..."
