"""A wrong argument is refused: the message names it, shows its value, and says what is allowed.

Stated by signature, over the whole public API: every parameter has an entry here, either wrong
values with what is said of them, or a reason why any value will do. Nothing is evaluated, and no
file is begun.
"""

import inspect
import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import numpy as np
import pytest
from scipy.optimize import Bounds, OptimizeResult

from embedded_hunter import ForestSettings, Run, Search, Settings, influence, minimize
from embedded_hunter.run.box import Box
from embedded_hunter.run.policies import Given
from tool.front_door import never

INF, NAN = math.inf, math.nan
N = 10
CUBE = [(-1.0, 1.0)] * N
AT_ZERO = OptimizeResult(x=np.zeros(N))


class Wrong(NamedTuple):
    """A value that is refused, what the message says of it, and what is allowed."""

    value: Any
    allowed: str
    shown: str = ""


def values(allowed: str, *wrong: Any) -> list[Wrong]:
    """Return values that are shown as they are."""
    return [Wrong(value, allowed) for value in wrong]


def at_least(least: int) -> list[Wrong]:
    """Return what is no integer of at least `least`."""
    return values(f"an integer >= {least}", least - 1, -7, True, least + 0.5, str(least))


FLAG = values("True or False", 2, "no")
POSITIVE = values("a finite number > 0", 0, -0.5, INF, NAN, "1", 10**400)
SEED = values("None, an integer >= 0, or another seed", "x", 1.5, True, -1)
NOT_REAL = "is not a type of real numbers"
OF_BOUNDS = [
    Wrong([(0, INF)] * N, "finite", "(0.0, inf) for variable 0"),
    Wrong([(0, NAN)] * N, "finite", "(0.0, nan) for variable 0"),
    Wrong(Bounds([0, 3], [1, 2]), "low <= high", "(3.0, 2.0) for variable 1"),
    Wrong([1, 2], "n >= 1 pairs (low, high)", "shape (2,)"),
    Wrong([(1, 2, 3)], "n >= 1 pairs (low, high)", "shape (1, 3)"),
    Wrong([], "n >= 1 pairs (low, high)", "shape (0,)"),
    Wrong(Bounds([[0]], [[1]]), "one dimension", "shape (1, 1)"),
    Wrong(Bounds([], []), "one dimension", "shape (0,)"),
    Wrong([(0, 1j)], "pairs (low, high)", "complex"),
    Wrong([(0, 10**400)] * 3, "pairs (low, high)", "int too large"),
    Wrong([np.ma.array([0.0, 1.0], mask=[False, True])], "pairs (low, high)", "masked"),
    *[
        Wrong(bounds, NOT_REAL, kind)
        for bounds, kind in (
            ([("0", "1")], "str"), (np.array([["0", "1"]]), "str_"), ([(True, 2)], "bool"),
            ([(None, None)], "NoneType"), ({1: 2}, "dict"), ([(0, 1), (2,)], "tuple"),
            ([(np.timedelta64(1), np.timedelta64(2))], "timedelta64"),
        )
    ],
]  # fmt: skip
DIMENSIONS = "integers >= 1, increasing"
WRONG: dict[str, list[Wrong]] = {
    **dict.fromkeys(("n", "d", "v", "d_e", "n_embeddings", "effective_dimension"), at_least(1)),
    **dict.fromkeys(("maxfun", "budget", "patience", "rows", "batch"), at_least(1)),
    **dict.fromkeys(("h_max", "memory"), at_least(0)),
    **dict.fromkeys(
        ("refine", "evolve", "sample", "rotated", "fsync", "check_machine", "disp"), FLAG
    ),
    "vectorized": FLAG,
    **dict.fromkeys(("sigma", "scale"), POSITIVE),
    "first_step": values("number", 0, "1", NAN),
    "K": [*at_least(3), *values("an odd integer >= 3", 4)],
    "eta": values("the open interval (0, 1)", 0, 1.0, NAN, "0.3", True),
    "M": values("a finite number >= 0", -1e-9, INF, 1j, True),
    "rng": SEED,
    "fun": values("callable", 3.0),
    "callback": values("callable or None", 1),
    "bounds": OF_BOUNDS,
    "f_target": values("a finite number", INF, "low"),
    "timeout": values("a finite number of seconds > 0", 0, INF, "1"),
    "on_error": values("one of 'raise', 'inf'", "skip"),
    "policy": values("one of 'fresh', 'indexed'", "Fresh", "family"),
    "sampler": values("one of 'norm', 'matrix'", "normal"),
    "checkpoint": values("a path or None", b"x"),
    "objective": values("a string or None", 3),
    "workers": values("an integer from 1 to 1024, -1", 0, 1025, True, 1.5, "2"),
    "dimensions": [
        *values(DIMENSIONS, 4, "45"),
        Wrong([], DIMENSIONS, "()"),
        Wrong([3, 2], DIMENSIONS, "(3, 2)"),
        Wrong([3, 3], DIMENSIONS, "(3, 3)"),
        Wrong([3, 101], DIMENSIONS, "(3, 101)"),
        Wrong([0], "an integer >= 1", "0"),
        Wrong([2.5], "an integer >= 1", "2.5"),
    ],
    "x0": [
        Wrong([0, 0, 0], "shape (10,)", "(3,)"),
        Wrong([0, 5.5, *[0] * 8], "within the bounds", "5.5 for variable 1"),
        Wrong([NAN] * N, "within the bounds", "nan for variable 0"),
        Wrong(["0"] * N, NOT_REAL, "str"),
    ],
    "result": [
        Wrong(OptimizeResult(x=x), "10 numbers within the bounds", shown)
        for x, shown in (
            (np.zeros(3), "array([0., 0., 0.])"),
            ([2.0] * N, "2."),
            ([NAN] * N, "nan"),
            (["0"] * N, NOT_REAL),
            (None, NOT_REAL),
            ([1j] * N, "complex"),
        )
    ],
    "settings": values("Settings or ForestSettings", N),
    "key": values("8 integers below 2^32", [1] * 7, [2**32] * 8, [0.5] * 8, "key", np.arange(8)),
    "values": [
        Wrong(["a"], NOT_REAL, "str"),
        Wrong([1j], "a sequence of floats", "complex"),
        Wrong([1.0, [2.0]], "a sequence of floats", "list"),
        Wrong(None, "a sequence of floats", "NoneType"),
        Wrong(np.ones((2, 2)), "one dimension", "(2, 2)"),
    ],
    "box": values("a Box or None", 3, [(0, 1)]),
}
ANY = {
    "args": "it is passed on to the objective",
    "seed": "it is kept for whoever repeats the run",
}
FRESH: dict[str, Any] = {"policy": "fresh", "d": 2}


class Door(NamedTuple):
    """A function of the public API, arguments that it takes, and differences to `WRONG`."""

    call: Callable[..., Any]
    good: dict[str, Any]
    other: dict[str, list[Wrong]] = {}  # noqa: RUF012 - read only
    more: tuple[str, ...] = ()


COMMON: dict[str, Any] = {"fun": never, "bounds": CUBE, "maxfun": 20}
ONCE: dict[str, list[Wrong]] = {"maxfun": at_least(10)}
DOORS = {
    "Settings": Door(Settings, {"n": N, "d": 2, "v": 5}),
    "ForestSettings": Door(ForestSettings, {"n": 100, "v": 50}),
    "minimize": Door(
        minimize,
        COMMON,
        {"policy": values("one of 'fresh', 'indexed', 'forest'", "family")},
        more=tuple(get_type_hints(Given)),
    ),
    "Search": Door(Search, {"settings": Settings(N, 4, 90), "rng": 3}, {
        "bounds": [Wrong(CUBE[:9], "n = 10 variables", "9 pairs")],
    }),
    "Run": Door(Run, {"settings": Settings(N, 4, 90)}),
    "influence": Door(influence, {"fun": never, "bounds": CUBE, "result": AT_ZERO}, ONCE),
}  # fmt: skip
NEEDS: dict[tuple[str, str], dict[str, Any]] = {
    **{("minimize", name): FRESH for name in ("sampler", "M", "sigma")},
    **{("minimize", name): {"checkpoint": "x"} for name in ("objective", "fsync", "check_machine")},
    ("minimize", "d"): {"policy": "fresh"},
}
"""Parameters that are refused as such without these arguments."""


def cases() -> list[Any]:
    """Return every wrong value of every parameter of every function."""
    found = []
    for door, (call, _, other, more) in DOORS.items():
        for name in (*inspect.signature(call).parameters, *more):
            if name in ANY or name in ("parameters", "calling"):
                continue
            for wrong in other.get(name, WRONG[name]):
                label = f"{door}: {name}={wrong.shown or wrong.value!r}"
                found.append(pytest.param(door, name, wrong, id=f"{label:.70}"))
    return found


@pytest.mark.claim("alg1-input", "eq-1", "determinism")
@pytest.mark.parametrize(("door", "name", "wrong"), cases())
def test_a_wrong_argument_is_named_with_its_value_and_what_is_allowed(
    door: str, name: str, wrong: Wrong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, good, *_ = DOORS[door]
    given = {**good, **NEEDS.get((door, name), {}), name: wrong.value}
    with pytest.raises((TypeError, ValueError)) as caught:
        call(**given)
    said = str(caught.value)
    assert re.search(rf"\b{name}\b", said), said
    assert wrong.allowed in said
    assert (wrong.shown or ("" if name == "result" else repr(wrong.value))) in said
    assert caught.value.__cause__ is None
    assert list(tmp_path.iterdir()) == []  # no checkpoint was begun


def of_minimize(**given: Any) -> Callable[[], object]:
    return partial(minimize, **COMMON | FRESH | given)


def of_forest(**given: Any) -> Callable[[], object]:
    return partial(ForestSettings, 100, 50, **given)


def asked() -> Any:
    """Return a search that waits for the value of its first point."""
    search = Search(Settings(N, 4, 90), 3)
    search.ask()
    return search


SMALL: dict[str, Any] = {"n": N, "d": 2, "v": 5}
SETTINGS: Any = partial(Settings, **SMALL)
SEVERAL: list[tuple[Callable[[], object], str]] = [
    # What is missing, unknown, or not allowed together.
    (of_minimize(maxfun=None), "maxfun, .* must be given"),
    (of_minimize(d=None), "policy 'fresh' needs d, .* an integer from 1 to n"),
    (of_minimize(seed=1), r"^minimize has no argument 'seed'; did you mean rng\?$"),
    (of_minimize(effective_dimension=1, d=None),
     "^policy 'fresh' has no parameter effective_dimension; it has d, eta, h_max, K, M, sampler, "
     "sigma$"),
    (of_minimize(maxiter=1), "no argument 'maxiter'; did you mean maxfun"),
    (of_minimize(callbck=1), "no argument 'callbck'; did you mean callback"),
    (of_minimize(flux=1), "no argument 'flux'"),
    (of_minimize(fsync=True), "only with a checkpoint, .*fsync=True"),
    (of_minimize(objective="sphere"), "only with a checkpoint, .*objective='sphere'"),
    (of_minimize(check_machine=False), "only with a checkpoint, .*check_machine=False"),
    (of_minimize(policy="forest", dimensions=[3]), "give either d or dimensions, not both"),
    (of_minimize(policy="forest", effective_dimension=1), r"effective_dimension or .*\(d\), not"),
    (of_minimize(vectorized=True, workers=2), "workers must be 1 if vectorized is true.*got 2"),
    (of_forest(effective_dimension=9, dimensions=[3]), "give either effective_dimension or dim"),
    (of_forest(effective_dimension=101), "effective_dimension must be at most n = 100.*got 101"),
    (of_forest(n_embeddings=25_001), "n_embeddings must be at most 25000 .*got 25001"),
    (of_forest(n_embeddings=2, dimensions=[100]), "n_embeddings must be at most 1 .*, got 2"),
    (partial(Settings, N, 11, 5), "d must be at most n, .*n = 10.*, got d = 11"),
    (partial(SETTINGS, policy="forest"), "policy must be one of .*are a ForestSettings"),
    (partial(SETTINGS, policy="indexed", sampler="matrix"), "'indexed' has no parameter sampler"),
    (partial(SETTINGS, policy=np.array(["fresh"])), "policy must be one of .*array"),
    (partial(SETTINGS, eta=5e-324), "eta must keep d/eta within the floats, got eta = 5e-324"),
    (partial(Settings, 10**400, 2, 5), "sigma must be given if 1/sqrt.n. is no float"),
    *[
        (partial(Settings, **{**SMALL, name: number}), f"{name} must have at most 1000 digits")
        for name, number in (
            ("n", 10**1000), ("K", 10**1000), ("h_max", 10**1000), ("sigma", 10**1000),
            ("M", -(10**5000)), ("eta", Fraction(1, 10**5000)),
        )
    ],
    (lambda: Search(Settings(N, 4, 90), 3, bounds=CUBE, rows=4), "bounds must be .*rows=4"),
    (lambda: Search(Settings(N, 4, 90), 3).tell([1], 1.0),  # type: ignore[arg-type]
     r"queries and values must be sequences .*got \[1\] and 1.0"),
    *[
        (partial(asked().tell, queries, given), "^queries and values must be sequences of the same")
        for queries, given in (
            (None, [1.0]), (1, [1.0]), (iter([1]), [1.0]), ({1}, [1.0]), ("1", [1.0]),
            ([1], None), ([1], iter([1.0])), ([1], {1: 1.0}), ([1], "1"), ([1], np.array(1.0)),
        )
    ],
    (lambda: Run(Settings(4, 2, 9), box=Box(CUBE)), "bounds must be those of n = 4 .*got 10 pairs"),
    (partial(asked().tell, [1, 1], [1.0, [1.0, 2.0]]), "^evaluation 1 was not asked for, or"),
    (partial(asked().tell, [1], [[1.0, 2.0]]), "^the value of evaluation 1: .* one real number"),
    *[
        (partial(Search(Settings(N, 4, 90), 3).ask, wrong.value), "^at_most must be an integer >=")
        for wrong in at_least(0)
    ],
    (lambda: influence(lambda x: NAN, CUBE, AT_ZERO), "fun: .*returned nan"),
    (lambda: influence(lambda x: "1.0", CUBE, AT_ZERO), "fun: .*must return one real number"),
    *[
        (of_minimize(callback=callback), "^callback must take one argument, .*intermediate_result")
        for callback in (lambda x, f, context: 0, lambda x, *, convergence: 0, lambda: 0)
    ],
]  # fmt: skip


@pytest.mark.parametrize(("call", "says"), SEVERAL, ids=[f"{says:.60}" for _, says in SEVERAL])
def test_what_is_missing_or_concerns_several_arguments_is_named(
    call: Callable[[], object], says: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        call()
