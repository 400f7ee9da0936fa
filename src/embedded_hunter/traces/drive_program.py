"""Let a program that speaks the line protocol of the kit do the golden runs, and check each.

The program reads the settings of a run, one line of JSON, and writes the events of the run. After
each `evaluate` it reads one line with the value. The same process does one run after another. The
README of the kit describes the protocol; ``kit/hunter.py`` is such a program.
"""

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.jsonlines import Fields, FormatError, dump, parse, value_to_json
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import Follower, check
from embedded_hunter.traces.reading import LONGEST
from embedded_hunter.traces.writing import header

GOLDEN = Path(__file__).parent / "kit" / "golden"
"""The folder of the golden traces."""

MOST_BLANK = 1000
"""Number of blank lines in a run that end it."""

LONGEST_ERROR = 200
"""Number of characters that a verdict shows of the last line of a program's standard error."""


class GivenRun(NamedTuple):
    """A run that a program has to do."""

    name: str
    """The name of its golden trace."""
    run: Run
    """Evaluations beyond its last value have the value 1."""


def golden_runs() -> list[GivenRun]:
    """Return the golden runs of Algorithm 1, the shortest first."""
    paths = sorted(GOLDEN.glob("*.jsonl"))
    found = [GivenRun(path.stem, Follower(path.read_bytes().splitlines()).run) for path in paths]
    return sorted(found, key=lambda given: len(given.run.known))


class DrivenProgram:
    """A process that speaks the protocol, until it is closed."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self._patience = patience
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by `close`
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # so that the program's own children can be ended as well
            )
        except OSError as error:
            self._errors.close()
            raise UsageError(f"{command[0]} cannot be started: {error.strerror}") from None
        # The queue is short: a program that writes without end waits for its reader.
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=1000)
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Put the lines that the program writes into the queue, then an empty one."""
        assert self._process.stdout is not None
        while not self._closed.is_set():
            line = self._process.stdout.readline(LONGEST + 1)
            while not self._closed.is_set():
                try:
                    self._lines.put(line, timeout=0.1)
                    break
                except queue.Full:
                    continue
            if not line:
                return

    def send(self, fields: Fields) -> None:
        """Write a line to the program; `receive` notices one that has closed its input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(dump(fields).encode())
            self._process.stdin.flush()

    def receive(self) -> bytes:
        """Return the next line of the program.

        `Silence` is raised if the program ends or writes no line in time.
        """
        try:
            line = self._lines.get(timeout=self._patience)
        except queue.Empty:
            raise Silence(f"wrote no line for {self._patience:g} seconds") from None
        if not line:
            raise Silence(self._end())
        return line

    def _end(self) -> str:
        """Return how the program has ended."""
        try:
            code = self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._errors.seek(0)
        words = self._errors.read().decode(errors="replace").split("\n")
        said = [word.strip()[:LONGEST_ERROR] for word in words if word.strip()]
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return how + (f" (error: {said[-1]})" if said else "")

    def close(self) -> None:
        """End the process and its children, and wait for it."""
        self._closed.set()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (AttributeError, OSError):  # not on this system, or nothing is left of the group
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._errors):
            assert pipe is not None
            with contextlib.suppress(OSError):  # a line that the program has not read
                pipe.close()
        self._reader.join(1.0)
        assert self._process.stdout is not None
        if not self._reader.is_alive():  # it waits if a child outside the group has the pipe
            self._process.stdout.close()


class Silence(Exception):
    """The program writes no more. The argument says what it does instead."""


class ProgramRun(NamedTuple):
    """A run of a program, as far as it went."""

    name: str
    """The name of the golden run that the program was given."""
    lines: list[str]
    """The run as a trace."""
    verdict: str
    """The report of the check; "" if the run conforms."""


def drive(program: DrivenProgram, given: GivenRun) -> ProgramRun:
    """Let the program do one run, and check it.

    If the verdict is not "", the program may be in the middle of the run.
    """
    name, settings, values = given.name, given.run.settings, given.run.known.tolist()
    lines = [dump(header(settings))]
    program.send(header(settings))
    # Each sweep but the last has an expansion, which costs an evaluation at least: a run has at
    # most v + 1 sweeps, v expansions and v evaluations.
    most = 2 * settings.v + (settings.v + 1) * (settings.h_max + 2) + 1
    asked, blank, silence, kind = 0, 0, "", None
    while kind != "end" and asked <= settings.v and len(lines) <= most + 1:
        try:
            line = program.receive()
        except Silence as error:
            silence = str(error)
            break
        if not line.strip():
            blank += 1
            if blank < MOST_BLANK:
                continue
            return ProgramRun(name, lines, f"The program wrote {MOST_BLANK} blank lines.")
        if len(line) > LONGEST:
            wrong = f"Line {len(lines) + 1} of the program has more than {LONGEST} bytes."
            return ProgramRun(name, lines, wrong)
        try:
            fields = parse(line, len(lines) + 1)
        except FormatError as error:
            wrong = f"The program does not write an event: {error}: {line!r:.80}."
            return ProgramRun(name, lines, wrong)
        kind = fields.get("event")
        if kind == "evaluate":
            value = value_to_json(values[asked] if asked < len(values) else 1.0)
            asked += 1
            fields["value"] = value
            if asked <= settings.v:
                program.send({"value": value})
        lines.append(dump(fields))
    try:
        report = check(lines)
    except FormatError as error:
        return ProgramRun(name, lines, f"The program does not write an event: {error}.")
    if silence and (report.deviation is None or report.deviation.line > len(lines)):
        return ProgramRun(name, lines, f"The program {silence} before its run was complete.")
    return ProgramRun(name, lines, "" if report.conforms else str(report))


class Outcome(NamedTuple):
    """The outcome of `check_program`."""

    runs: int
    """Number of runs that the program was given."""
    failure: ProgramRun | None
    """The first run that does not conform, None if all do."""


def check_program(
    command: Sequence[str], runs: Sequence[GivenRun], patience: float = 10.0
) -> Outcome:
    """Give a program one run after another, until one fails.

    `patience` is the time in seconds that the program may take for one line. UsageError if it
    cannot be started.
    """
    number = 0
    with contextlib.closing(DrivenProgram(command, patience)) as program:
        for given in runs:
            run, number = drive(program, given), number + 1
            if run.verdict:
                break
        else:
            return Outcome(number, None)
    with contextlib.closing(DrivenProgram(command, patience)) as program:
        if not drive(program, given).verdict:
            remembers = "A new process does this run right: the program remembers its earlier runs."
            run = run._replace(verdict=f"{run.verdict} {remembers}")
    return Outcome(number, run)
