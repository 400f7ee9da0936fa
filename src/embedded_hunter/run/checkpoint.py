"""Checkpoints: a run logs its values in a file and can be resumed from it.

A run is a function of its settings, its key and its values. The file has these three, as JSON
lines, each with a checksum. The first line is the `header`: it holds everything that determines
the run, except the objective. The other lines are `records`: one for each evaluation, in the order
in which the values became known. A complete run ends with its answer.

To resume a run, its tree is made again from the logged values. The resumed run is the same, bit for
bit. `asktell` says which points are made again. A complete run is not made again: its answer is
returned. An incomplete last line is removed. Any other damage is an error; then the file is not
changed. `locked_file` says when a value is safe.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.matrices import MEMORY, generator, key_from, seed_behind
from embedded_hunter.policy import Parameters
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import Box
from embedded_hunter.run.header import (
    START,
    difference,
    given_by_user,
    header_of_run,
    key_in,
    other_points,
)
from embedded_hunter.run.jsonlines import FormatError, seal
from embedded_hunter.run.locked_file import CheckpointError, CheckpointWriteError, LockedFile
from embedded_hunter.run.policies import search_of, settings_from_json
from embedded_hunter.run.records import (
    Records,
    answer_line,
    budget_line,
    evaluation_line,
    read_header,
    read_records,
    result_of,
)


class Checkpoint:
    """The file of one run.

    The constructor does not touch the file. Entering the context opens the file, locks it, reads
    it and removes an incomplete last line, in this order. Leaving the context closes and unlocks
    the file. Then the context can be entered again.

    Parameters
    ----------
    path, objective, fsync, check_machine
        As `checkpoint` and the others in `minimize`.
    settings, box
        Settings and bounds of the run. A file with other settings or bounds is refused.
    rng
        As in `minimize`. A generator must be in the state in which the first run began.
    settings_at
        The same settings at another budget. If it is given, a file of a run with a smaller budget,
        and otherwise with these settings, is extended.
    confirm
        A function that is called once, with this object, when the values of a file have been read
        and before anything is written. It refuses the file by raising CheckpointError.

    Attributes
    ----------
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
        If an argument has the wrong type.
    CheckpointError, CheckpointWriteError
        On entering the context, as in `minimize`.
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
        self.settings, self.box = settings, box
        self.values: dict[int, float] = {}
        self.failed: set[int] = set()
        self.answer: OptimizeResult | None = None
        self._file = LockedFile(self.path, fsync)
        self._settings_at, self._check_machine, self._confirm = settings_at, check_machine, confirm
        source = generator(rng)
        self._take_key = rng is None
        seed = seed_behind(source)
        self._header = header_of_run(settings, key_from(source), seed)
        self._header |= given_by_user(box, objective)

    @property
    def is_open(self) -> bool:
        """Whether the context is entered."""
        return self._file.is_open

    @property
    def seed(self) -> int | None:
        """The seed of the run, if there is one."""
        seed: int | None = self._header["seed"]
        return seed

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
            if kind is KeyboardInterrupt:  # which may have come before a value was written
                with contextlib.suppress(CheckpointError, CheckpointWriteError):
                    self._read()
        finally:
            self._file.close()

    def _read(self) -> None:
        """Read the values of the file. Write the known values that it lacks."""
        content, self.answer = self._file.read(), None
        # If the header is incomplete, nothing has been logged.
        new = b"\n" not in content and content[: len(START)] == START[: len(content)]
        logged = Records(self.settings.v) if new else self._logged(content.split(b"\n")[:-1])
        self._take_key = False
        lines = [seal(self._header)] if new else []
        if logged.budget < self.settings.v:
            lines.append(budget_line(self.settings.v))
            self.answer = None
        missing = self.values.keys() - logged.values
        lines += [evaluation_line(k, self.values[k], k in self.failed) for k in missing]
        self.values |= logged.values
        self.failed |= logged.failed
        if self._confirm is not None and logged.values:
            self._confirm(self)
        self._confirm = None
        self._file.append(lines)
        if new:
            self._file.sync_folder()

    def _logged(self, lines: list[bytes]) -> Records:
        """Return what the lines of a file have logged; set `answer`."""
        try:
            header = read_header(lines[0] if lines else b"")
        except FormatError as error:
            raise CheckpointError(f"{self.path} is not the file of a run: {error}") from None
        try:
            if self._take_key:
                self._header |= {"key": key_in(header), "seed": header.get("seed")}
            self._extend(header.get("settings"))
            if differs := difference(header, self._header):
                raise CheckpointError(f"{self.path} belongs to another run: {differs}")
            if self._check_machine and (
                differs := other_points(header, self._header, self.settings)
            ):
                raise CheckpointError(
                    f"{self.path} {differs}. To continue with points of this machine, give "
                    "check_machine=False (command line: --set check_machine=false)"
                )
            logged = read_records(lines[1:], self._header["settings"]["v"])
            self.answer = result_of(logged, self.settings.policy, self.box)
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

    def hunter(self, *, memory: int = MEMORY, keep_points: bool = False) -> EmbeddedHunter:
        """Return the hunter of the run, which has been told the values of the file.

        CheckpointError if the file has more values than the run.
        """
        try:
            return EmbeddedHunter(
                self.settings,
                bounds=self.box,
                search=search_of(
                    self.settings, key=self._header["key"], seed=self.seed, memory=memory
                ),
                values=self.values,
                keep_points=keep_points,
            )
        except ValueError as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None

    def append(self, number: int, value: float, failed: bool = False) -> None:
        """Log the value of an evaluation, +inf if it failed.

        If this raises CheckpointWriteError, `values` contains the value nevertheless, and it is
        written when the context is entered the next time.
        """
        if not self.is_open:
            raise RuntimeError("the checkpoint is not open: enter it first")
        if failed:
            self.failed.add(number)
        self.values[number] = value
        self._file.append([evaluation_line(number, value, failed)])

    def finish(self, result: OptimizeResult) -> None:
        """Log the result of the run, which is complete, as the last line."""
        if self.answer is None:
            self._file.append([answer_line(result)])
            self.answer = result
