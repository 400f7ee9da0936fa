"""Checkpoints: a run logs its values in a file and can be resumed from it.

The file holds the `Run`, as JSON lines, each with a checksum. The first line is the `header`: it
holds everything that determines the run, except the objective. The other lines are `records`: one
for each evaluation, in the order in which the values became known.

To resume a run, it is made again from the values of the file: it is the same, bit for bit. An
incomplete last line is removed. Any other damage is an error; then the file is not changed.
`locked_file` says when a value is safe.
"""

import contextlib
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from embedded_hunter.common.arguments import flag
from embedded_hunter.matrices import MEMORY, Floats
from embedded_hunter.run.asktell import Search, ValuesLike
from embedded_hunter.run.errors import CheckpointError, CheckpointWriteError
from embedded_hunter.run.header import (
    START,
    difference,
    given_by_user,
    header_of_run,
    key_in,
    other_points,
)
from embedded_hunter.run.jsonlines import FormatError, seal
from embedded_hunter.run.locked_file import LockedFile
from embedded_hunter.run.policies import settings_from_json
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.position import Query
from embedded_hunter.run.records import (
    Records,
    budget_line,
    evaluation_line,
    read_header,
    read_records,
)
from embedded_hunter.run.run import Run


class Checkpoint:
    """The file of one run.

    Entering the context opens the file, locks it and reads it. Leaving the context closes and
    unlocks it; after an exception it first writes the known values that the file lacks. The context
    can be entered again.

    Parameters
    ----------
    path, objective, fsync, check_machine, memory
        As `checkpoint` and the others in `minimize`.
    run
        A run with bounds, before its first value. A file of another run is refused.
    settings_at
        The same settings at another budget. If it is given, a file of a run with a smaller budget,
        and otherwise with these settings, is extended.
    any_seed
        Whether a file with another key is accepted. Then the run is that of the file.

    Attributes
    ----------
    search
        The search, which has been told the values of the file. Its settings are those of the run:
        if that is extended, what follows from the budget, such as h_max unless given, is that of
        the budget with which it began.
    failed
        Numbers of the evaluations that failed and count as +inf.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    CheckpointError, CheckpointWriteError
        On entering the context, as in `minimize`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        run: Run,
        *,
        settings_at: Callable[[int], Parameters] | None = None,
        any_seed: bool = False,
        objective: str | None = None,
        fsync: bool = False,
        check_machine: bool = True,
        memory: int = MEMORY,
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
        flag("fsync", fsync)
        flag("check_machine", check_machine)
        if run.box is None:
            raise ValueError("the run of a checkpoint must have bounds")
        self.path = Path(path)
        self.failed: set[int] = set()
        self._run, self._memory, self._accepted = run, memory, False
        self.search = Search(run, memory=memory)
        self._settings_at, self._any_seed, self._check_machine = (
            settings_at,
            any_seed,
            check_machine,
        )
        # The objective may change the folder of this process.
        self._file = LockedFile(Path(os.path.abspath(path)), fsync)
        self._header = header_of_run(run.settings, run.key, run.seed)
        self._header |= given_by_user(run.box, objective)
        self._missing: list[str] = []  # lines that the file lacks

    @property
    def is_open(self) -> bool:
        """Whether the context is entered."""
        return self._file.is_open

    def __enter__(self) -> "Checkpoint":
        try:
            self._file.open()
            self._read()
            return self
        except BaseException:  # also Ctrl-C: the lock must not outlast the attempt
            self._file.close()
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is not None and self._accepted:
                with contextlib.suppress(CheckpointError, CheckpointWriteError):
                    self._read()
                    self.write_missing()
        finally:
            self._file.close()

    def write_missing(self) -> None:
        """Write what is known of the run and not yet in the file, such as the header."""
        self._accepted = True
        self._file.append(self._missing)  # removes the part of a line that was cut
        if self._missing:
            self._file.sync_folder()
        self._missing = []

    def tell(self, queries: Sequence[Query | int], values: ValuesLike) -> None:
        """Tell the search the values of points that it was asked for, and log them.

        The errors are those of `Search.tell`, and CheckpointWriteError: the search has the values
        all the same, and they are written when the context is entered the next time.
        """
        self._require_open()
        told = self.search.checked(queries, values)
        self.search.tell(list(told), list(told.values()))
        for number, value in told.items():
            self.log(number, value)

    def log(self, number: int, value: float, failed: bool = False) -> None:
        """Log a value that the search has, +inf if the evaluation failed; see `tell`."""
        self._require_open()
        if failed:
            self.failed.add(number)
        if self._missing:
            self.write_missing()
        self._file.append([evaluation_line(number, value, failed)])

    def _require_open(self) -> None:
        if not self.is_open:
            raise RuntimeError("the checkpoint is not open: enter it first")

    def _read(self) -> None:
        """Read the file; bring the search up to its values, and note the lines that it lacks."""
        content = self._file.read()
        # If the header is incomplete, nothing has been logged.
        new = b"\n" not in content and content[: len(START)] == START[: len(content)]
        found = Records(self._run.settings.v) if new else self._logged(content.split(b"\n")[:-1])
        here, there = aligned(self.search.run.values, found.values)
        clash = np.flatnonzero((here < there) | (here > there))
        if clash.size:
            k = clash[0]
            raise CheckpointError(
                f"{self.path} belongs to another run: its value of evaluation {k + 1} is "
                f"{there[k]}, this run's value is {here[k]}"
            )
        self._any_seed = False
        self.failed |= found.failed
        self._missing = [seal(self._header)] if new else []
        if found.budget < self._run.settings.v:
            self._missing.append(budget_line(self._run.settings.v))
        for k in np.flatnonzero(~np.isnan(here) & np.isnan(there)).tolist():
            self._missing.append(evaluation_line(k + 1, float(here[k]), k + 1 in self.failed))
        if (np.isnan(here) & ~np.isnan(there)).any():
            joined = np.where(np.isnan(here), there, here)
            try:
                self.search = Search(replace(self._run, values=joined), memory=self._memory)
            except ValueError as error:
                raise CheckpointError(f"{self.path} is damaged: {error}") from None

    def _logged(self, lines: list[bytes]) -> Records:
        """Return what the lines of a file have logged; CheckpointError if it is refused."""
        try:
            header = read_header(lines[0] if lines else b"")
        except FormatError as error:
            raise CheckpointError(f"{self.path} is not the file of a run: {error}") from None
        try:
            if self._any_seed:
                self._header |= {"key": key_in(header), "seed": header.get("seed")}
            settings = self._extended(header.get("settings"))
            if differs := difference(header, self._header):
                raise CheckpointError(f"{self.path} belongs to another run: {differs}")
            if self._check_machine and (differs := other_points(header, self._header)):
                raise CheckpointError(
                    f"{self.path} {differs}. To continue with points of this machine, give "
                    "check_machine=False (command line: --no-check-machine)"
                )
            logged = read_records(lines[1:], self._header["settings"]["v"])
        except (FormatError, RecursionError) as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None
        if logged.budget > settings.v:
            raise CheckpointError(
                f"{self.path} was extended to a budget of {logged.budget}, this run's is "
                f"{settings.v}"
            )
        key, seed = self._header["key"], self._header["seed"]
        if (settings, key) != (self._run.settings, self._run.key):
            self._run = replace(self._run, settings=settings, key=key, seed=seed)
            self.search = Search(self._run, memory=self._memory)
        return logged

    def _extended(self, begun: object) -> Parameters:
        """Return the settings of the run if it has begun with these, at a smaller budget."""
        settings = self._run.settings
        v = begun.get("v") if isinstance(begun, dict) else None
        if self._settings_at is None or type(v) is not int or not 0 < v < settings.v:
            return settings
        if begun != (at_first := self._settings_at(v).as_json()):
            return settings
        self._header["settings"] = at_first
        return settings_from_json(at_first | {"v": settings.v})


def aligned(one: Sequence[float] | Floats, other: Sequence[float] | Floats) -> Floats:
    """Return two rows of values, nan where there is none, as an array of shape (2, numbers)."""
    rows = np.full((2, max(len(one), len(other))), math.nan)
    rows[0, : len(one)], rows[1, : len(other)] = one, other
    return rows
