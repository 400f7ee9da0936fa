"""Let a program that speaks the line protocol of the kit do the golden runs, and check each.

The program reads the settings of a run, one line of JSON, and writes the events of the run. After
each `evaluate` it reads one line with the value. The same process does one run after another. The
README of the kit describes the protocol; ``kit/hunter.py`` is such a program. The values of a
golden run are known, so all that the program reads lies in a file before it starts.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.jsonlines import FormatError, dump, parse, value_to_json
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import Follower, check
from embedded_hunter.traces.reading import lines_of
from embedded_hunter.traces.writing import header

GOLDEN = Path(__file__).parent / "kit" / "golden"
"""The folder of the golden traces."""

LONGEST_ERROR = 200
"""Number of characters that a verdict shows of the last line of a program's standard error."""


class GivenRun(NamedTuple):
    """A run that a program has to do."""

    name: str
    """The name of its golden trace."""
    run: Run


class Outcome(NamedTuple):
    """The outcome of `check_program`."""

    runs: int
    """Number of runs that the program has begun."""
    name: str = ""
    """The name of the first run that does not conform, "" if all do."""
    lines: Sequence[str] = ()
    """This run as a trace, as far as it went."""
    verdict: str = ""
    """The report of its check."""


class Silence(Exception):
    """The program writes no more. The argument says what it did instead."""


def golden_runs() -> list[GivenRun]:
    """Return the golden runs of Algorithm 1, the shortest first."""
    paths = sorted(GOLDEN.glob("*.jsonl"))
    found = [GivenRun(path.stem, Follower(path.read_bytes().splitlines()).run) for path in paths]
    return sorted(found, key=lambda given: len(given.run.known))


def check_program(
    command: Sequence[str], runs: Sequence[GivenRun], seconds: float = 60.0
) -> Outcome:
    """Give a program one run after another, until one does not conform.

    `seconds` is the time that the program may take for all of them. UsageError if it cannot be
    started.
    """
    with contextlib.closing(_written_by(command, runs, seconds)) as written:
        for number, (name, run) in enumerate(runs, 1):
            lines = [dump(header(run.settings))]
            verdict = _verdict(lines, run, written)
            if verdict:
                return Outcome(number, name, lines, verdict)
    return Outcome(len(runs))


def _verdict(lines: list[str], run: Run, written: Iterator[bytes]) -> str:
    """Add what a program writes to the header of a run; return what is wrong, "" if nothing is."""
    # Each sweep but the last has an expansion, which costs an evaluation at least: a run has at
    # most v + 1 sweeps, v expansions and v evaluations.
    v, silence, kind = run.settings.v, "", None
    most = 2 * v + (v + 1) * (run.settings.h_max + 2) + 2
    values = iter(run.known.tolist())
    try:
        while kind != "end" and len(lines) <= most:
            line = next(written)
            if line.strip():
                event = parse(line, len(lines) + 1)
                kind = event.get("event")
                if kind == "evaluate":
                    event["value"] = value_to_json(next(values, 1.0))
                lines.append(dump(event))
    except FormatError as error:
        return f"The program does not write an event: {error}."
    except Silence as error:
        silence = str(error)
    try:
        report = check(lines)
    except FormatError as error:
        return f"The program does not write an event: {error}."
    if silence and (report.deviation is None or report.deviation.line > len(lines)):
        return f"The program {silence} before its run was complete."
    return "" if report.conforms else str(report)


def _written_by(
    command: Sequence[str], runs: Sequence[GivenRun], seconds: float
) -> Generator[bytes, None, None]:
    """Start a program, and yield the lines that it writes, at most for so many seconds.

    `Silence` after the last one. When the iterator is closed, the process and its children end.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        for _, run in runs:
            given.write(dump(header(run.settings)).encode())
            for value in run.known.tolist():
                given.write(dump({"value": value_to_json(value)}).encode())
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # so that the program's own children can be ended as well
            )
        except OSError as error:
            raise UsageError(f"{command[0]} cannot be started: {error.strerror}") from None
        assert process.stdout is not None
        begin, timer = time.monotonic(), threading.Timer(seconds, _end, [process])
        timer.start()
        try:
            yield from lines_of(process.stdout)
            if time.monotonic() - begin >= seconds:
                raise Silence(f"took more than {seconds:g} seconds")
            raise Silence(_how_it_ended(process, errors))
        finally:
            timer.cancel()
            _end(process)
            process.wait()
            process.stdout.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # not on this system, or nothing is left of the group
        process.kill()


def _how_it_ended(process: subprocess.Popen[bytes], errors: IO[bytes]) -> str:
    """Return how a program has ended that has closed its output."""
    try:
        code = process.wait(1.0)
    except subprocess.TimeoutExpired:
        return "closed its output"
    errors.seek(0)
    said = [line.strip() for line in errors.read().decode(errors="replace").split("\n")]
    last = [line[:LONGEST_ERROR] for line in said if line][-1:]
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return how + "".join(f" (error: {line})" for line in last)
