"""A file of lines that one process at a time appends to, and that loses no complete line.

Guarantee: when `LockedFile.append` returns, the operating system has the lines. They survive the
end of this process, whatever the cause. They survive a power failure only with `fsync`.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from embedded_hunter.run.errors import CheckpointError, CheckpointWriteError

try:
    import fcntl
except ImportError:  # pragma: no cover -- not a POSIX system: files are not locked
    fcntl = None  # type: ignore[assignment]


class LockedFile:
    """A file that is locked while it is open; it is made if it does not exist.

    A line that was cut is removed by the next `append`. With `fsync`, `append` forces what it has
    written to the storage device.
    """

    def __init__(self, path: Path, fsync: bool) -> None:
        self.path, self._fsync = path, fsync
        self._file: Any = None  # unbuffered
        self._size = 0  # size of the complete lines, in bytes
        self._torn = False  # whether an incomplete line may follow them

    @property
    def is_open(self) -> bool:
        """Whether the file is open and locked."""
        return self._file is not None

    def open(self) -> None:
        """Open and lock the file.

        CheckpointError if it is not a file, cannot be opened, or is in use by another run of any
        process.
        """
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

    def close(self) -> None:
        """Unlock and close the file."""
        if self._file is not None and fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)  # a forked process may have the file open too
        self.close_without_unlocking()

    def close_without_unlocking(self) -> None:
        """Close the file here. Another process that has it open keeps the lock."""
        _OPEN.discard(self)
        if self._file is not None:
            self._file.close()
            self._file = None

    def read(self) -> bytes:
        """Return the content of the file; CheckpointError if it cannot be read."""
        try:
            self._file.seek(0)
            content: bytes = self._file.readall()
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be read: {error.strerror}") from error
        self._size = content.rfind(b"\n") + 1
        self._torn = self._size < len(content)
        return content

    def append(self, lines: Iterable[str]) -> None:
        """Append complete lines; if that fails, remove the part that was written.

        Then CheckpointWriteError is raised.
        """
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

    def sync_folder(self) -> None:
        """Force the folder's entry for a new file to the storage device, with `fsync`."""
        if not self._fsync or not hasattr(os, "O_DIRECTORY"):  # not a POSIX system
            return
        folder = os.open(self.path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        except OSError as error:
            raise CheckpointWriteError(self.path, error) from error
        finally:
            os.close(folder)


_OPEN: set[LockedFile] = set()


def _close_in_child() -> None:
    """Close, in a forked process, the files that its parent has open.

    A lock lasts while any process has the open file. Without this function, a worker that is still
    evaluating would keep the lock of a parent that was killed.
    """
    for file in list(_OPEN):
        file.close_without_unlocking()


if hasattr(os, "register_at_fork"):  # pragma: no branch -- other systems have no fork
    os.register_at_fork(after_in_child=_close_in_child)
