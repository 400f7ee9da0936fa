"""What bad arguments are refused with: the message names the argument and what is allowed.

The theory has such a table too, `reproduction/test_theory_refusals.py`.
"""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds

from embedded_hunter import EmbeddedHunter, Settings, minimize
from embedded_hunter.plots.growth import grow
from embedded_hunter.problems.functions import Ackley, FletcherPowell, Rosenbrock
from embedded_hunter.problems.hidden import PROBLEMS, Problem, embed
from embedded_hunter.run.box import Box
from embedded_hunter.run.evaluators import make_evaluator
from embedded_hunter.run.minimize import solve
from spec.interface.front_door import never

INF, NAN = math.inf, math.nan
BOUNDS = [(-5, 5)] * 10
TEN_OR_TWO = PROBLEMS["ackley"](10, 2, 0)
PAIRS = "bounds must be Bounds or n pairs (low, high):"
SHAPE = "bounds must be Bounds or n >= 1 pairs (low, high), got an array of shape"
WORKERS = "workers must be an integer from 1 to 1024, -1 (all processors), or a map-like callable"
PAIR_OR_NONE = "coordinates, rotation: exactly one of the two must be given"
RADII = "must be one finite number >= 0, or 3 of them (shape (3,))"
SEED = (
    "rng must be None, an integer >= 0, or another seed or generator that "
    "numpy.random.default_rng takes, got"
)
OF_BOUNDS = "bounds must be those of n = 10 variables, and rows must be None, got"
ORTHONORMAL = "rotation: its columns must be orthonormal (to 1e-10)"

UNKNOWN: dict[str, Any] = {"maxiter": 3, "Bounds": 1, "args": ()}

Refusal = tuple[Callable[[], object], type[Exception], str]


def no_real(kind: str) -> str:
    """Return the message about bounds of another type."""
    return f"{PAIRS} {kind} is not a type of real numbers"


def of_minimize(message: str, error: type[Exception], **change: Any) -> Refusal:
    given: dict[str, Any] = {"fun": never, "bounds": BOUNDS, "maxfun": 10}
    given |= {"policy": "fresh", "d": 2} | change
    return partial(minimize, **given), error, message


def of_box(bounds: Any, error: type[Exception], message: str) -> Refusal:
    return partial(Box, bounds), error, message


def of_workers(workers: Any, vectorized: Any, error: type[Exception], message: str) -> Refusal:
    return partial(make_evaluator, never, (), workers, vectorized), error, message


def of_rows(rows: Any, error: type[Exception], said: str) -> Refusal:
    call = partial(EmbeddedHunter, Settings(6, 2, 60), 1, rows=rows)
    return call, error, f"rows must be an integer >= 1, got {said}"


def of_hunter(message: str, **given: Any) -> Refusal:
    return partial(EmbeddedHunter, Settings(10, 4, 90), 3, **given), ValueError, message


def of_factory(error: type[Exception], message: str, **change: Any) -> Refusal:
    return partial(PROBLEMS["ackley"], **({"n": 10, "d_e": 2} | change)), error, message


def of_problem(message: str, **fields: Any) -> Refusal:
    return partial(Problem, n=3, landscape=Ackley(2), **fields), ValueError, message


def tilted() -> Any:
    """Return columns of length 1 whose product is 1e-9."""
    columns = np.eye(3, 2)
    columns[0, 1] = 1e-9
    return columns


def shape_of(letter: str, size: int, shape: tuple[int, ...]) -> str:
    points = f"({size},) for one point, ({size}, S) for S points"
    return f"{letter} has shape {shape}: must be {points}"


REFUSED: dict[str, list[Refusal]] = {
    "minimize": [
        of_minimize("fun must be callable, got 3.0 of type float", TypeError, fun=3.0),
        of_minimize("callback must be callable or None, got 1", TypeError, callback=1),
        of_minimize("disp must be True or False, got 2", TypeError, disp=2),
        of_minimize("maxfun, the budget of evaluations, must be given: an integer >= 1", TypeError,
                    maxfun=None),
        of_minimize("on_error must be one of 'raise', 'inf', got 'skip'", ValueError,
                    on_error="skip"),
        *(of_minimize(f"minimize has no argument {name!r}; did you mean {meant}?", TypeError,
                      **{name: 1})
          for name, meant in [("seed", "rng"), ("maxiter", "maxfun"), ("callbck", "callback")]),
        of_minimize("minimize has no argument 'flux'", TypeError, flux=1),
        (lambda: EmbeddedHunter(10, 2),  # type: ignore[arg-type]
         TypeError,
         "settings must be Settings or ForestSettings, as ForestSettings(n=100, v=500), got 10"),
        (lambda: EmbeddedHunter(Settings(10, 4, 90), 3).tell([1], 1.0),  # type: ignore[arg-type]
         TypeError,
         "queries and values must be sequences of the same length; for one point, "
         "tell([query], [value]), got [1] and 1.0"),
        of_minimize(
            "checkpoint must be a path or None, got b'x' of type bytes", TypeError, checkpoint=b"x"
        ),
        of_minimize(
            "objective must be a string or None, got 3 of type int",
            TypeError, checkpoint="x", objective=3,
        ),
        of_minimize("fsync must be True or False, got 1", TypeError, checkpoint="x", fsync=1),
        of_minimize(
            "check_machine must be True or False, got 0",
            TypeError, checkpoint="x", check_machine=0,
        ),
        *(
            of_minimize(
                "objective, fsync and check_machine are allowed only with a checkpoint, got "
                f"checkpoint=None, objective={given.get('objective')!r}, "
                f"fsync={'fsync' in given}, check_machine={'check_machine' not in given}",
                ValueError, **given,
            )
            for given in ({"objective": "sphere"}, {"fsync": True}, {"check_machine": False})
        ),
        of_minimize("f_target must be a finite number, got inf", ValueError, f_target=INF),
        of_minimize("f_target must be a finite number, got 'low' of type str", TypeError,
                    f_target="low"),
        of_minimize("timeout must be a finite number of seconds > 0, got 0", ValueError, timeout=0),
        of_minimize("patience must be an integer >= 1, got 0", ValueError, patience=0),
        of_minimize("x0 must have shape (10,), got (3,)", ValueError, x0=[0, 0, 0]),
        of_minimize("x0 must lie within the bounds, got 5.5 for variable 1", ValueError,
                    x0=[0, 5.5, *[0] * 8]),
        of_minimize("x0 must lie within the bounds, got nan for variable 0", ValueError,
                    x0=[NAN] * 10),
        of_minimize("x0 must be 10 numbers within the bounds: str is not a type of real numbers",
                    TypeError, x0=["0"] * 10),
        of_minimize("x0 must be an integer where integrality says so, got 0.5 for variable 2",
                    ValueError, x0=[1.5, 1, 0.5, *[0] * 7], integrality=[0, 1, 1, *[0] * 7]),
        of_minimize("integrality must be True or False, or 10 of them, got 2",
                    TypeError, integrality=2),
        of_minimize("integrality must be one value or have shape (10,), got (2,)",
                    ValueError, integrality=[True, False]),
        of_minimize("bounds must contain an integer, got (0.25, 0.75) for variable 1",
                    ValueError, bounds=[(0, 1), (0.25, 0.75)], integrality=True),
        *(
            of_minimize(f"{SEED} {wrong!r}", error, rng=wrong, checkpoint="x")
            for wrong, error in (("x", TypeError), (1.5, TypeError), (True, TypeError),
                                 (-1, ValueError))
        ),
        of_minimize(
            "memory must be an integer >= 0, got 1000000000.0 of type float",
            TypeError, memory=1e9, checkpoint="x",
        ),
        of_minimize(
            "policy 'fresh' needs d, the dimension of the search space: an integer from 1 to n",
            TypeError, d=None, policy="fresh",
        ),
        of_minimize(
            "give either d or dimensions, not both", ValueError, dimensions=[3], policy="forest"
        ),
        of_minimize(
            "policy 'fresh' has no parameter effective_dimension; it has d, eta, h_max, K, M, "
            "sampler, sigma",
            TypeError, d=None, effective_dimension=1, policy="fresh",
        ),
        (
            partial(solve, never, EmbeddedHunter(Settings(10, 2, 40), 3), **UNKNOWN),
            TypeError, "unknown arguments: Bounds, maxiter",
        ),
    ],
    "bounds": [
        of_minimize("bounds must be finite, got (0.0, inf) for variable 0",
                    ValueError, bounds=[(0, INF)] * 3),
        of_box([(0, NAN)], ValueError, "bounds must be finite, got (0.0, nan) for variable 0"),
        of_box(Bounds([0, 3], [1, 2]), ValueError,
               "bounds must have low <= high, got (3.0, 2.0) for variable 1"),
        of_box([1, 2], ValueError, f"{SHAPE} (2,)"),
        of_box([(1, 2, 3)], ValueError, f"{SHAPE} (1, 3)"),
        of_box([], ValueError, f"{SHAPE} (0,)"),
        of_box(Bounds([[0]], [[1]]), ValueError,
               "bounds must have one dimension, got shape (1, 1)"),
        of_box(Bounds([], []), ValueError, "bounds must have one dimension, got shape (0,)"),
        of_box([(0, 1j)], TypeError, f"{PAIRS} complex numbers are not ordered"),
        of_box([(0, 10**400)] * 3, TypeError, f"{PAIRS} int too large to convert to float"),
        of_box([np.ma.array([0.0, 1.0], mask=[False, True])], TypeError,
               f"{PAIRS} masked arrays are not allowed"),
        of_box([("0", "1")], TypeError, no_real("str")),
        of_box(np.array([["0", "1"]]), TypeError, no_real("str_")),
        of_box([(True, 2)], TypeError, no_real("bool")),
        of_box(np.array([[False, True]]), TypeError, no_real("bool")),
        of_box([(np.timedelta64(1), np.timedelta64(2))], TypeError, no_real("timedelta64")),
        of_box([(None, None)], TypeError, no_real("NoneType")),
        of_box({1: 2}, TypeError, no_real("dict")),
        of_box([(0, 1), (2,)], TypeError, no_real("tuple")),
    ],
    "workers": [
        of_workers(0, False, ValueError, f"{WORKERS}, got 0"),
        of_workers(1025, False, ValueError, f"{WORKERS}, got 1025"),
        of_workers(True, False, TypeError, f"{WORKERS}, got True of type bool"),
        of_workers(1.5, False, TypeError, f"{WORKERS}, got 1.5 of type float"),
        of_workers("2", True, TypeError, f"{WORKERS}, got '2' of type str"),
        of_workers(2, True, ValueError,
                   "workers must be 1 if vectorized is true: one call takes all points, got 2"),
        of_workers(1, "no", TypeError, "vectorized must be True or False, got 'no' of type str"),
    ],
    "rows": [of_rows(0, ValueError, "0"), of_rows(1.5, TypeError, "1.5 of type float")],
    "bounds of a hunter": [
        of_hunter(f"{OF_BOUNDS} 9 pairs and rows=None", bounds=BOUNDS[:9]),
        of_hunter(f"{OF_BOUNDS} 10 pairs and rows=4", bounds=BOUNDS, rows=4),
    ],
    "problems": [
        *(
            of_factory(error, message, **change)
            for change, error, message in (
                ({"n": 0}, ValueError, "n must be an integer >= 1, got 0"),
                ({"d_e": 0}, ValueError, "d_e must be an integer >= 1, got 0"),
                ({"d_e": 11}, ValueError, "d_e must be at most n = 10, got 11"),
                ({"rng": "x"}, TypeError, f"{SEED} 'x'"),
                ({"rotated": 1}, TypeError, "rotated must be True or False, got 1"),
            )
        ),
        (partial(embed, Ackley(4), 3), ValueError,
         "n must be at least the effective dimension d_e = 4, got 3"),
        *(
            (partial(TEN_OR_TWO, np.zeros(shape)), ValueError, shape_of("x", 10, shape))
            for shape in ((9,), (1, 10), (10, 2, 2))
        ),
        (partial(TEN_OR_TWO.effective, np.zeros(10)), ValueError, shape_of("z", 2, (10,))),
        of_problem(PAIR_OR_NONE),
        of_problem(PAIR_OR_NONE, coordinates=[0, 1], rotation=np.eye(3, 2)),
        of_problem("coordinates = [0.0, 1.0]: must be 2 integers", coordinates=[0.0, 1.0]),
        of_problem("coordinates = [1, 1]: must differ and lie in 0 .. 2", coordinates=[1, 1]),
        of_problem("coordinates = [0, 3]: must differ and lie in 0 .. 2", coordinates=[0, 3]),
        of_problem("rotation has shape (2, 2): must be (n, d_e) = (3, 2)", rotation=np.eye(2)),
        of_problem(ORTHONORMAL, rotation=(1 + 1e-7) * np.eye(3, 2)),
        of_problem(ORTHONORMAL, rotation=tilted()),
        (partial(Rosenbrock, 1), ValueError, "d_e must be an integer >= 2, got 1"),
        (partial(Ackley, True), TypeError, "d_e must be an integer >= 1, got True"),
        *(
            (partial(FletcherPowell, alpha, [[0.0]], [[0.0]]), ValueError,
             f"alpha = {np.array(alpha)!r}: must be a vector with entries in [-pi, pi]")
            for alpha in ([], [3.2], [NAN])
        ),
        *(
            (partial(FletcherPowell, [0.0], **({"a": [[0.0]], "b": [[0.0]]} | {name: wrong})),
             ValueError, f"{name} = {wrong}: must be a finite matrix of shape (1, 1)")
            for name, wrong in (("a", [[1.0, 2.0]]), ("b", [[INF]]))
        ),
        *(
            (partial(function.lipschitz, radii), ValueError, f"radii = {radii}: {RADII}")
            for function in (Ackley(3), FletcherPowell([0.0] * 3, np.eye(3), np.eye(3)))
            for radii in (-1.0, NAN, [1.0, 1.0])
        ),
    ],
    "grow": [
        (partial(grow, Settings(50, 3, 60), PROBLEMS["ackley"](50, 2, 0), 4), ValueError,
         "d must be 2 to draw the partition of Y, got 3"),
    ],
}  # fmt: skip
"""By what is called: calls, each with its exception and the whole message."""
CLAIMS = {
    "minimize": pytest.mark.claim("alg1-input"),
    "bounds": pytest.mark.claim("eq-1"),
    "workers": pytest.mark.claim("determinism"),
}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(*refusal, id=f"{called}: {refusal[2]}", marks=CLAIMS.get(called, ()))
        for called, table in REFUSED.items()
        for refusal in table
    ],
)
def test_each_refusal_names_the_argument_before_anything_is_evaluated(
    call: Callable[[], object],
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == []  # no checkpoint was begun
