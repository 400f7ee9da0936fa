"""Points are evaluated in several processes, which end when this process ends."""

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import connection

from embedded_hunter.matrices import Floats
from embedded_hunter.run.outcomes import Evaluator, Failure, Guarded, Outcome, describe


class Processes(Evaluator):
    """Points are evaluated in several processes, at most one for each point of a call."""

    def __init__(self, guarded: Guarded, count: int) -> None:
        super().__init__(guarded)
        self.count = count
        self._pool: ProcessPoolExecutor | None = None
        self._size = 0  # of the pool

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if kind is KeyboardInterrupt:  # do not wait for the running evaluations
            for process in list(getattr(self._pool, "_processes", {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)
        self._pool, self._size = None, 0

    def pool_for(self, points: int) -> ProcessPoolExecutor:
        """Return a pool of at least `points` processes."""
        if self._pool is not None and self._size < points:
            with interrupts_held():
                self._pool.shutdown()  # no evaluation runs: all points of a call have been told
                self._pool = None
        if self._pool is None:
            sent = as_sent(self._guarded)
            self._pool = ProcessPoolExecutor(points, initializer=begin_worker, initargs=(sent,))
            self._size = points
        return self._pool

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in the processes; see `Evaluator.outcomes`.

        If a worker dies, the points that have no value yet fail; the values that are known remain.
        """
        points = iter(points)
        first = list(islice(points, self.count))
        if not first:
            return
        try:
            pool = self.pool_for(len(first))
        except Exception as error:
            why = f"the objective cannot be sent to a worker: {describe(error)}. {PORTABLE}"
            yield 0, Failure(why, error)
            return
        waiting = enumerate(chain(first, points))
        running: dict[Future[Outcome], int] = {}
        while True:
            # Submit twice as many points as there are processes, so that no process has to wait.
            for k, x in islice(waiting, 2 * self._size - len(running)):
                try:
                    with interrupts_held():
                        future = pool.submit(evaluate, x)
                    running[future] = k
                except BrokenExecutor as error:
                    yield k, Failure("a worker died before this point was sent to it", error)
                except OSError as error:
                    yield k, Failure(f"no process could be started: {describe(error)}", error)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                k = running.pop(future)
                try:
                    yield k, future.result()
                except Exception as error:
                    yield k, Failure(f"a worker failed: {describe(error)}", error)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C while processes start or end: it would be lost in a fork or a finalizer."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


PORTABLE = "Define it in a module that workers can import, or install cloudpickle"

_sent: Guarded | bytes
"""The objective of this worker, or its pickle until it is needed."""


def as_sent(guarded: Guarded) -> Guarded | bytes:
    """Return what a worker gets, once: a process that is forked inherits the objective itself.

    Otherwise it is pickled, by cloudpickle if that is installed, which takes lambdas, too.
    """
    if multiprocessing.get_start_method() == "fork":
        return guarded
    try:
        import cloudpickle  # type: ignore[import-untyped]
    except ImportError:
        return pickle.dumps(guarded)
    pickled: bytes = cloudpickle.dumps(guarded)
    return pickled


def evaluate(x: Floats) -> Outcome:
    """Evaluate a point in a worker."""
    global _sent
    guarded = _sent
    if isinstance(guarded, bytes):
        try:
            guarded = _sent = pickle.loads(guarded)
        except Exception as error:
            return Failure(f"a worker cannot load the objective: {describe(error)}. {PORTABLE}")
    return guarded(x)


def begin_worker(sent: Guarded | bytes) -> None:
    """Prepare a worker of `Processes`: it ignores Ctrl-C and ends when its parent ends."""
    global _sent
    _sent = sent
    # Ctrl-C interrupts the parent, which then ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see `interrupts_held`
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()


def _end_with_parent(started_by: int) -> None:
    """End this process when its parent has ended, even during an evaluation.

    The parent holds the sentinel, a pipe, open. A process that the parent forks later holds it
    open too, and may live longer than the parent. So the parent's process id is checked as well:
    it changes when the parent ends.
    """
    parent = multiprocessing.parent_process()
    if parent is None:  # not started by multiprocessing
        return
    while not connection.wait([parent.sentinel], timeout=1) and os.getppid() == started_by:
        pass
    os._exit(1)
