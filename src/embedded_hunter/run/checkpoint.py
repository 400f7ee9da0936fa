"""Checkpoints: a run logs its values in a file and can be resumed from it.

A checkpoint is a file of JSON lines. Each line has a checksum. The first line is the `header`: it
holds everything that determines the run, except the objective. The other lines are `records`: one
for each evaluation, in the order in which the values became known. A complete run ends with its
answer.

A run is a function of its settings, its random generator and its values. To resume a run, its tree
is made again from the logged values. The resumed run is the same, bit for bit. `asktell` says which
points are made again. A complete run is not made again: its answer is returned.
An incomplete last line is removed. Any other damage is an error; then the file is not changed.

Guarantee: when `Checkpoint.append` returns, the operating system has the value. The value survives
the end of this process, whatever the cause. It survives a power failure only with ``fsync``.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.run.box import Box
from embedded_hunter.run.header import (
    START,
    CheckpointError,
    compare,
    compare_machines,
    header_of,
    read_header,
    rng_of,
)
from embedded_hunter.run.jsonlines import FormatError, seal
from embedded_hunter.run.policies import Parameters, settings_from_json
from embedded_hunter.run.probe import part_of
from embedded_hunter.run.records import (
    Records,
    answer_line,
    budget_line,
    evaluation_line,
    read_records,
)

try:
    import fcntl
except ImportError:  # pragma: no cover -- not a POSIX system: files are not locked
    fcntl = None  # type: ignore[assignment]


class CheckpointWriteError(OSError):
    """A value could not be written to the checkpoint. No known value is lost.

    `errno` and `strerror` are those of the error of the operating system, such as ENOSPC.

    Attributes
    ----------
    path
        The checkpoint.
    result
        `OptimizeResult` of all known values, including those that could not be written. None until
        `minimize` has set it.
    resume
        A function without arguments. It writes the missing values, continues the run and returns
        what `minimize` returns. None until `minimize` has set it.
    """

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(error.errno, error.strerror, str(path))
        self.path = path
        self.result: OptimizeResult | None = None
        self.resume: Callable[[], OptimizeResult] | None = None

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.strerror}"


class Checkpoint:
    """The checkpoint of one run.

    The constructor does not touch the file. Entering the context opens the file, locks it, reads
    it and removes an incomplete last line, in this order. Leaving the context closes and unlocks
    the file. Then the context can be entered again.

    Parameters
    ----------
    path
        The file. If it does not exist or is empty, a new checkpoint is begun. Otherwise the run is
        resumed.
    settings, box
        Settings and bounds of the run. A file with other settings or bounds is refused.
    rng
        As in `minimize`. If it is None and the run is resumed, the generator is taken from the
        file. Otherwise the generator must be in the state in which the first run began.
    settings_at
        The same settings at another budget. If it is given, a file of a run with a smaller budget,
        and otherwise with these settings, is extended: see `settings`.
    objective
        A name for the objective. A file with another name, or without a name, is refused. The
        checkpoint knows nothing else about the objective.
    fsync
        Whether every value is forced to the storage device before `append` returns.
    check_machine
        Whether a file is refused if the machine that wrote it computes other points (see `probe`).
    confirm
        A function that is called once, with this object, when the values of a file have been read
        and before anything is written. It refuses the file by raising CheckpointError.

    Attributes
    ----------
    rng
        The generator of the run, after the file has been read.
    settings
        The settings of the run, after the file has been read. If the run is extended, what follows
        from the budget, such as h_max unless given, is that of the budget with which it began.
    values
        The known values: {number of the evaluation: value}.
    failed
        Numbers of the evaluations that failed and count as +inf.
    answer
        The result of the run if it is complete, else None.

    Raises
    ------
    TypeError
        If `path`, `objective`, `fsync` or `check_machine` has the wrong type.
    CheckpointError
        On entering the context, if the file is not a checkpoint of this run, or if another run (of
        any process) uses it. Then the file is not changed.
    CheckpointWriteError
        On entering the context, if the file cannot be written, for example because the disk is
        full.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: Parameters,
        box: Box,
        rng: np.random.Generator | int | None = None,
        *,
        settings_at: Callable[[int], Parameters] | None = None,
        objective: str | None = None,
        fsync: bool = False,
        check_machine: bool = True,
        confirm: Callable[["Checkpoint"], object] | None = None,
    ) -> None:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(
                f"checkpoint must be a path or None, got {path!r} of type {type(path).__name__}"
            )
        if not isinstance(objective, str | None):
            raise TypeError(
                "objective must be a string or None, "
                f"got {objective!r} of type {type(objective).__name__}"
            )
        if not isinstance(fsync, bool):
            raise TypeError(f"fsync must be True or False, got {fsync!r}")
        if not isinstance(check_machine, bool):
            raise TypeError(f"check_machine must be True or False, got {check_machine!r}")
        self.path = Path(path)
        self.values: dict[int, float] = {}
        self.failed: set[int] = set()
        self._confirm = confirm
        self.rng = np.random.default_rng(rng)
        self._take_rng = rng is None
        self._part = part_of(settings) if check_machine else None
        self.answer: OptimizeResult | None = None
        self._box, self.settings, self._settings_at = box, settings, settings_at
        self._header = header_of(settings, box, objective, self.rng)
        self._fsync = fsync
        self._file: Any = None  # unbuffered; open while the context is entered
        self._size = 0  # size of the complete lines, in bytes
        self._torn = False  # whether an incomplete line may follow them

    @property
    def is_open(self) -> bool:
        """Whether the context is entered."""
        return self._file is not None

    def __enter__(self) -> "Checkpoint":
        try:
            self._open()
            return self
        except BaseException:  # also Ctrl-C: the lock must not outlast the attempt
            self._close()
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is KeyboardInterrupt:  # which may have come before a value was written
                with contextlib.suppress(CheckpointError, CheckpointWriteError):
                    self._read()
        finally:
            self._close()

    def _open(self) -> None:
        # Test this before opening: opening a FIFO may block, opening a device may do anything.
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise CheckpointError(
                f"{self.path} is not a file: a folder, FIFO or device cannot be a checkpoint"
            )
        try:
            self._file = self.path.open("a+b", buffering=0)
        except (OSError, ValueError) as error:  # ValueError: a path with a null character
            raise CheckpointError(f"{self.path} cannot be opened: {error}") from error
        _OPEN.add(self)
        self._lock()
        self._read()

    def _close(self) -> None:
        if self._file is not None and fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)  # a forked process may have the file open too
        self._close_without_unlocking()

    def _close_without_unlocking(self) -> None:
        """Close the file here. Another process that has it open keeps the lock."""
        _OPEN.discard(self)
        if self._file is not None:
            self._file.close()
            self._file = None

    def _lock(self) -> None:
        """Lock the file until it is closed here or this process ends.

        The lock of `fcntl.flock` belongs to the open file. So it excludes other runs of this
        process too, and code that opens and closes the same file does not release it. The locks
        of `fcntl.lockf` belong to the process and have neither property.
        """
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CheckpointError(f"{self.path} is in use by another run") from None
            except OSError as error:
                raise CheckpointError(f"{self.path} cannot be locked: {error.strerror}") from error

    def _read(self) -> None:
        """Read the values of the file. Write the known values that it lacks."""
        try:
            self._file.seek(0)
            content: bytes = self._file.readall()
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be read: {error.strerror}") from error
        # If the header is incomplete, nothing has been logged.
        new = b"\n" not in content and content[: len(START)] == START[: len(content)]
        whole = b"" if new else content[: content.rfind(b"\n") + 1]
        logged = Records(budget=self.settings.v) if new else self._logged(whole.split(b"\n")[:-1])
        self._take_rng = False
        self._size, self._torn = len(whole), len(whole) < len(content)
        lines = [seal(self._header)] if new else []
        if logged.budget < self.settings.v:
            lines.append(budget_line(self.settings.v))
            logged.answer = None
        missing = self.values.keys() - logged.values
        lines += [evaluation_line(k, self.values[k], k in self.failed) for k in missing]
        self.values |= logged.values
        self.failed |= logged.failed
        self.answer = logged.answer
        if self._confirm is not None and logged.values:
            self._confirm(self)
        self._confirm = None
        self._write(lines)
        if new and self._fsync:
            self._sync_folder()

    def _logged(self, lines: list[bytes]) -> Records:
        """Return what the lines of a file have logged.

        Raises
        ------
        CheckpointError
            If the lines are damaged or belong to another run.
        """
        if not lines:
            raise CheckpointError(f"{self.path} is not a checkpoint: it has no header")
        try:
            header = read_header(self.path, lines[0])
            if self._take_rng and header.get("rng") != self._header["rng"]:
                self.rng = rng_of(header)
                self._header |= {name: header.get(name) for name in ("rng", "seed")}
            self._extend(header.get("settings"))
            compare(self.path, header, self._header)
            if self._part is not None:
                compare_machines(self.path, header, self._header, self._part)
            logged = read_records(lines[1:], self._header["settings"], self._box)
        except (FormatError, RecursionError) as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None
        if logged.budget > self.settings.v:
            raise CheckpointError(
                f"{self.path} was extended to a budget of {logged.budget}, this run's is "
                f"{self.settings.v}"
            )
        for k, value in self.values.items():
            if logged.values.get(k, value) != value:
                raise CheckpointError(
                    f"{self.path} belongs to another run: its value of evaluation {k} is "
                    f"{logged.values[k]}, this run's value is {value}"
                )
        return logged

    def _extend(self, begun: object) -> None:
        """Extend the run that has begun with these settings if only its budget is smaller."""
        v = begun.get("v") if isinstance(begun, dict) else None
        if self._settings_at is None or type(v) is not int or not 0 < v < self.settings.v:
            return
        if begun == (settings := self._settings_at(v).as_json()):
            self._header["settings"] = settings
            self.settings = settings_from_json(settings | {"v": self.settings.v})

    @property
    def seed(self) -> int | None:
        """The seed of the run, if there is one."""
        seed: int | None = self._header["seed"]
        return seed

    def append(self, number: int, value: float, failed: bool = False) -> None:
        """Log the value of an evaluation, +inf if it failed.

        Raises
        ------
        CheckpointWriteError
            If the value cannot be written. `values` contains it nevertheless, and it is written
            when the context is entered the next time.
        RuntimeError
            If the context is not entered.
        """
        if self._file is None:
            raise RuntimeError("the checkpoint is not open: enter it first")
        if failed:
            self.failed.add(number)
        self.values[number] = value
        self._write([evaluation_line(number, value, failed)])

    def finish(self, result: OptimizeResult) -> None:
        """Log the result of the run, which is complete, as the last line.

        Raises
        ------
        CheckpointWriteError
            If it cannot be written.
        """
        if self.answer is None:
            self._write([answer_line(result)])
            self.answer = result

    def _write(self, lines: list[str]) -> None:
        """Append complete lines. If this fails, remove the part that was written."""
        rest = "".join(lines).encode()
        size = self._size + len(rest)
        try:
            if self._torn:
                self._file.truncate(self._size)
            self._torn = True
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._fsync:
                os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise CheckpointWriteError(self.path, error) from error
        self._size, self._torn = size, False

    def _sync_folder(self) -> None:
        """Force the folder's entry for a new file to the storage device."""
        if not hasattr(os, "O_DIRECTORY"):  # pragma: no cover -- not a POSIX system
            return
        folder = os.open(self.path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        except OSError as error:
            raise CheckpointWriteError(self.path, error) from error
        finally:
            os.close(folder)


_OPEN: set[Checkpoint] = set()


def _close_in_child() -> None:
    """Close, in a forked process, the checkpoints that its parent has open.

    A lock lasts while any process has the open file. Without this function, a worker that is still
    evaluating would keep the lock of a parent that was killed.
    """
    for checkpoint in list(_OPEN):
        checkpoint._close_without_unlocking()


if hasattr(os, "register_at_fork"):  # pragma: no branch -- other systems have no fork
    os.register_at_fork(after_in_child=_close_in_child)
