"""Every public exception survives a pickle and a copy, and reaches the parent of a pool."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embedded_hunter
from embedded_hunter import CheckpointError, CheckpointWriteError, EvaluationError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.jsonlines import FormatError
from tool.checkpoints import no_file_longer_than

CUBE = [(-1.0, 1.0)] * 5


def dies(x: Floats) -> float:
    if x[0] != 0:
        raise ValueError("the simulator died")
    return 1.0


def bowl(x: Floats) -> float:
    return float(x @ x)


def refuses(result: object) -> None:
    raise LookupError("no such plot")


def fails(kind: str, folder: str = "") -> Any:
    """Run until an exception of this kind."""
    path = Path(folder, "run.jsonl")
    if kind == "EvaluationError":
        return minimize(dies, CUBE, maxfun=20, rng=1)
    if kind == "CheckpointWriteError":
        with no_file_longer_than(800):
            return minimize(bowl, CUBE, maxfun=20, rng=1, checkpoint=path)
    if kind == "CheckpointError":
        path.write_text("no run\n")
        return minimize(bowl, CUBE, maxfun=20, rng=1, checkpoint=path)
    if kind == "FormatError":
        path.write_text("no run\n")
        return embedded_hunter.Run.read(path)
    return minimize(bowl, CUBE, maxfun=20, rng=1, callback=refuses)


KINDS: dict[str, type[BaseException]] = {
    "EvaluationError": EvaluationError,
    "CheckpointWriteError": CheckpointWriteError,
    "CheckpointError": CheckpointError,
    "FormatError": FormatError,
    "one of the callback": LookupError,
}


def require_same(copied: BaseException, error: BaseException) -> None:
    """The type, the message, and what the exception knows."""
    assert (type(copied), str(copied)) == (type(error), str(error))
    known = vars(error)
    assert known.keys() == vars(copied).keys()
    for name in known.keys() - {"result", "resume", "x"}:
        assert vars(copied)[name] == known[name]
    if "x" in known:
        assert np.array_equal(vars(copied)["x"], known["x"])
    if "result" in known:
        one, other = known["result"], vars(copied)["result"]
        assert (one.nfev, one.fun, one.status) == (other.nfev, other.fun, other.status)
        assert np.array_equal(one.run.points(), other.run.points())


@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_survives_a_pickle_and_a_copy(kind: str, tmp_path: Path) -> None:
    public = {each for each in vars(embedded_hunter).values() if isinstance(each, type)}
    assert {each for each in public if issubclass(each, Exception)} <= {*KINDS.values()}
    with pytest.raises(KINDS[kind]) as caught:
        fails(kind, str(tmp_path))
    error = caught.value
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        require_same(pickle.loads(pickle.dumps(error, protocol)), error)
    for copied in (copy.copy(error), copy.deepcopy(error)):
        require_same(copied, error)
    if "resume" in vars(error):
        elsewhere = pickle.loads(pickle.dumps(error))
        with pytest.raises(RuntimeError, match=r"^resume works only in the process of the run"):
            elsewhere.resume()


def test_each_exception_reaches_the_parent_of_a_pool(tmp_path: Path) -> None:
    """Unpickled in its thread of results, an exception that cannot be would hang `Pool.map`."""
    with multiprocessing.Pool(1) as pool, ProcessPoolExecutor(1) as executor:
        for number, (kind, type_of) in enumerate(KINDS.items()):
            one, other = tmp_path / f"a{number}", tmp_path / f"b{number}"
            one.mkdir()
            other.mkdir()
            with pytest.raises(type_of):
                pool.starmap_async(fails, [(kind, str(one))]).get(timeout=60)
            error = executor.submit(fails, kind, str(other)).exception(timeout=60)
            assert type(error) is type_of


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_ends_the_call_of_joblib(kind: str, tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")
    with pytest.raises(KINDS[kind]):
        joblib.Parallel(n_jobs=2)([joblib.delayed(fails)(kind, str(tmp_path))])
