"""Several processes: the same run, workers that die, and the keyboard."""

import contextlib
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import OptimizeResult

import embedded_hunter
from embedded_hunter import EvaluationError, minimize
from embedded_hunter.matrices import Floats
from regression.baselines import Spy
from tool.checkpoints import logged
from tool.front_door import BOUNDS, fun, outcome

RUN: dict[str, Any] = {"policy": "fresh", "d": 2, "maxfun": 60, "rng": 5}


@pytest.fixture(scope="module")
def undisturbed() -> tuple[OptimizeResult, list[bytes]]:
    spy = Spy(fun)
    return minimize(spy, BOUNDS, **RUN), [x.tobytes() for x in spy.points]


@pytest.mark.claim("determinism", "batch-equivalence")
def test_a_pool_of_the_users_own(undisturbed: tuple[OptimizeResult, list[bytes]]) -> None:
    with multiprocessing.Pool(2) as pool:
        result = minimize(fun, BOUNDS, workers=pool.imap, **RUN)
    assert outcome(result) == outcome(undisturbed[0])


@pytest.mark.long
@pytest.mark.claim("determinism")
def test_a_batch_on_a_dask_cluster_is_the_run_of_one_process(tmp_path: Path) -> None:
    """Eight workers, threads of this process; each one that calls the function leaves a file."""
    distributed = pytest.importorskip("distributed")

    def noted(x: Floats) -> float:
        Path(tmp_path, str(distributed.get_worker().name)).touch()
        time.sleep(0.002)
        return fun(x)

    run: dict[str, Any] = {"maxfun": 200, "rng": 5, "batch": 16}
    with (
        distributed.LocalCluster(
            n_workers=8, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def dask_map(function: Any, tasks: Any) -> Any:
            return client.gather(client.map(function, list(tasks), pure=False))

        result = minimize(noted, BOUNDS, workers=dask_map, **run)
    assert outcome(result) == outcome(minimize(fun, BOUNDS, **run))
    assert len(list(tmp_path.iterdir())) == 8


# --- a worker that dies ------------------------------------------------------------------------


def dies_once(x: Floats, at: bytes, how: str, folder: str) -> float:
    """Note each call in a file; at a certain point, the first time, end the process."""
    if x.tobytes() == at and not os.path.exists(f"{folder}/died"):
        Path(folder, "died").touch()
        if how == "exit":
            os._exit(3)
        os.kill(os.getpid(), signal.SIGKILL)
    value = fun(x)
    with open(f"{folder}/calls", "ab", buffering=0) as calls:
        calls.write(x.tobytes())
    return value


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("how", [pytest.param("exit", marks=pytest.mark.long), "kill"])
@pytest.mark.parametrize(
    ("number", "checkpoint"), [(3, True), pytest.param(30, False, marks=pytest.mark.long)]
)
def test_a_worker_that_dies_costs_nothing_but_the_values_it_had_not_returned(
    undisturbed: tuple[OptimizeResult, list[bytes]],
    tmp_path: Path,
    how: str,
    number: int,
    checkpoint: bool,
) -> None:
    expected, points = undisturbed
    file = tmp_path / "run.jsonl" if checkpoint else None
    given = (points[number - 1], how, str(tmp_path))
    with pytest.raises(EvaluationError, match="worker") as caught:
        minimize(dies_once, BOUNDS, args=given, workers=2, checkpoint=file, **RUN)
    kept = caught.value.result
    assert (kept.status, kept.success) == (4, False)
    assert kept.nfev < 60
    assert caught.value.evaluation <= number
    if file is not None:
        assert len(file.read_text().splitlines()) == 1 + kept.nfev
    assert outcome(caught.value.resume()) == outcome(expected)
    size = len(points[0])
    content = (tmp_path / "calls").read_bytes()
    calls = [content[k : k + size] for k in range(0, len(content), size)]
    assert set(calls) == set(points)
    assert len(calls) <= 60 + 4  # what was finished, but not returned, when the worker died


# --- the keyboard ------------------------------------------------------------------------------


SLOW = """
import time
import numpy as np
from embedded_hunter import minimize

def f(x):
    time.sleep(0.005)
    return float(((x[:3] - 0.2) ** 2).sum())

def stuck(x):
    if np.any(x):
        time.sleep(600)
    return f(x)

if __name__ == "__main__":
    import sys
    minimize(globals()[sys.argv[1]], [(-1, 1)] * 6, policy="fresh", d=2, maxfun=10**6, rng=1,
             workers=int(sys.argv[2]), checkpoint="run.jsonl")
"""


PATH = {**os.environ, "PYTHONPATH": str(Path(embedded_hunter.__file__).parents[1])}


def ended(
    folder: Path, arguments: list[str], lines: int, how: int = signal.SIGINT, group: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run Python; send it a signal once the checkpoint has so many lines."""
    (folder / "slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=PATH, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    path, deadline = folder / "run.jsonl", time.monotonic() + 60
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < lines:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        (os.killpg if group else os.kill)(process.pid, how)
        out, err = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode is not None
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@pytest.mark.long
@pytest.mark.parametrize("group", [False, True], ids=["this process", "the terminal"])
@pytest.mark.parametrize(("objective", "workers", "lines"), [("f", 1, 12), ("stuck", 2, 2)])
def test_Ctrl_C_says_how_to_go_on(
    tmp_path: Path, objective: str, workers: int, lines: int, group: bool
) -> None:
    """The program ends by the signal, at once; workers, to which a terminal sends it, say nothing.

    Of two workers both are within an evaluation of ten minutes.
    """
    done = ended(tmp_path, ["slow.py", objective, str(workers)], lines=lines, group=group)
    assert (done.returncode, done.stdout) == (-signal.SIGINT, "")
    assert done.stderr.count("Traceback") == 1
    found = re.fullmatch(
        r"KeyboardInterrupt: (\d+) of 1000000 evaluations were made, the best value is (\S+)\. "
        r"To go on, give the same arguments again, with checkpoint 'run\.jsonl'\.",
        done.stderr.splitlines()[-1],
    )
    assert found is not None, done.stderr
    values = logged(tmp_path / "run.jsonl")
    assert max(lines - 1, len(values) - 1) <= int(found[1]) <= len(values)
    assert float(found[2]) >= float(f"{min(values.values()):.10g}")


@pytest.mark.long
@pytest.mark.claim("determinism")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_is_interrupted_and_resumed(tmp_path: Path, workers: str, how: int) -> None:
    """Exit code 130 and the result so far; killed or not, the resumed run is the whole one."""
    command = ["-m", "embedded_hunter", "minimize", "slow.py:f", "--n", "6", "--seed",
               "1", "--json", "--maxfun", "100"]  # fmt: skip
    kept = [*command, "--checkpoint", "run.jsonl"]
    done = ended(tmp_path, [*kept, "--workers", workers], lines=12, how=how)
    if how == signal.SIGINT:
        assert done.returncode == 130
        assert json.loads(done.stdout)["message"] == "Interrupted."
        assert done.stderr == "embedded-hunter minimize: interrupted\n"
    else:
        assert (done.returncode, done.stdout) == (-signal.SIGKILL, "")
    before = (tmp_path / "run.jsonl").read_bytes()
    assert 12 <= before.count(b"\n") <= 100
    resumed, again = (
        subprocess.run(
            [sys.executable, *one], cwd=tmp_path, env=PATH, capture_output=True, check=True
        )
        for one in (kept, command)
    )
    assert (tmp_path / "run.jsonl").read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert json.loads(resumed.stdout) == json.loads(again.stdout)
    assert json.loads(resumed.stdout)["nfev"] == 100


# --- a parent that is killed -------------------------------------------------------------------


ORPHANS = """
import multiprocessing, os, sys, time
from pathlib import Path
from embedded_hunter import minimize

def f(x):
    if os.path.exists("stuck") and not os.path.exists("resumed"):
        Path("workers", str(os.getpid())).touch()
        time.sleep(600)
    return float(((x[:3] - 0.2) ** 2).sum())

def later(result):
    if result.nfev > 2 and not os.path.exists("stuck"):  # there are two workers now
        Path("stuck").touch()
        if sys.argv[1] == "fork" and os.fork() == 0:
            time.sleep(600)  # a process of the user's that lives longer
            os._exit(0)

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    r = minimize(f, [(-1, 1)] * 6, d=2, maxfun=60, rng=1, policy="indexed", callback=later,
                 workers=int(sys.argv[2]), checkpoint="run.jsonl")
    print(r.fun, r.nfev, r.nit, r.x.tolist())
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # a zombie has ended
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.long
@pytest.mark.claim("determinism")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_end_with_their_parent_and_the_run_goes_on(
    tmp_path: Path, method: str, how: int
) -> None:
    """Both are within an evaluation of ten minutes; the file can be used at once."""
    (tmp_path / "orphans.py").write_text(ORPHANS)
    (tmp_path / "workers").mkdir()
    whole: dict[str, Any] = {"cwd": tmp_path, "env": PATH}
    program = [sys.executable, "orphans.py", method]
    parent = subprocess.Popen(
        [*program, "2"], stdout=subprocess.DEVNULL, start_new_session=True, **whole
    )
    deadline = time.monotonic() + 120
    try:
        while len(os.listdir(tmp_path / "workers")) < 2:
            assert time.monotonic() < deadline
            assert parent.poll() is None
            time.sleep(0.01)
        parent.send_signal(how)
        assert parent.wait() == -how
        workers = [int(name) for name in os.listdir(tmp_path / "workers")]
        (tmp_path / "resumed").touch()
        before = (tmp_path / "run.jsonl").read_bytes()
        resumed = subprocess.run([*program, "1"], capture_output=True, check=True, **whole)
        assert (tmp_path / "run.jsonl").read_bytes().startswith(before)
        while any(map(alive, workers)):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
    r = minimize(
        lambda x: float(((x[:3] - 0.2) ** 2).sum()), [(-1, 1)] * 6, d=2, maxfun=60, rng=1,
        policy="indexed",
    )  # fmt: skip
    assert resumed.stdout.decode() == f"{r.fun} {r.nfev} {r.nit} {r.x.tolist()}\n"
