"""Specification of `minimize`: the front door keeps every promise of its docstring."""

import inspect
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult

import embedded_hunter
from embedded_hunter import matrices, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.evaluators import Mapped
from embedded_hunter.run.policies import PolicyName
from embedded_hunter.run.status import Status, message_of
from paper.instances import Instance, Listed, instances
from tool.front_door import BOUNDS, KINDS, PALETTE, fun, fun_of_columns, outcome


@pytest.mark.claim("alg1-line-14", "alg1-line-17", "budget-exact", "termination")
@given(instances(max_v=60), st.lists(st.sampled_from(PALETTE), min_size=1, max_size=9))
def test_the_result_is_that_of_the_definitions(instance: Instance, values: list[float]) -> None:
    """fun, nfev, nit, nsweep, depth and nleaves, against the brute force; x is where fun was.

    The callback sees the run after every visit that evaluates.
    """
    seen: list[tuple[Floats, float]] = []
    reported: list[OptimizeResult] = []

    def in_turn(x: Floats) -> float:
        seen.append((x, values[len(seen) % len(values)]))
        return seen[-1][1]

    result = minimize(
        in_turn, [(-3, 3)] * 4, policy="fresh", d=instance.d, maxfun=instance.v, eta=instance.eta,
        K=instance.K, M=instance.M, h_max=instance.h_max, rng=0, callback=reported.append,
    )  # fmt: skip
    run = instance.literal(Listed(values))
    assert result.fun == run.answer == min(value for _, value in seen)
    assert result.nfev == len(seen) == sum(len(visit.evaluations) for visit in run.visits)
    assert (result.nit, result.nsweep) == (run.t, run.sweeps)
    assert (result.depth, result.nleaves) == (run.depth, len(run.leaves))
    first = next(x for x, value in seen if value == result.fun)
    assert np.array_equal(result.x, first)
    used = result.nfev == instance.v
    equal = len(seen) > 1 and len({value for _, value in seen}) == 1
    reason = Status.FLAT if equal else Status.USED if used else Status.FULL
    reason = {math.inf: Status.INFINITE, -math.inf: Status.UNBOUNDED}.get(result.fun, reason)
    assert result.success is (reason in (Status.USED, Status.FULL))
    best = 1 + [value for _, value in seen].index(result.fun)
    message = message_of(reason, "fresh", None, len(seen), best)
    assert (result.status, result.message) == (reason, message)
    assert result.history.tolist() == list(enumerate((value for _, value in seen), 1))

    expected, made = [], 0
    visits = [visit for visit in run.visits if visit.evaluations]
    for k, visit in enumerate(visits):
        made += len(visit.evaluations)
        nit = visits[k + 1].t - 1 if k + 1 < len(visits) else run.t
        expected.append((made, min(value for _, value in seen[:made]), nit))
    assert [(r.nfev, r.fun, r.nit) for r in reported] == expected
    assert {(r.status, r.success) for r in reported} == {(Status.RUNNING, False)}
    last = reported[-1]
    assert (last.nsweep, last.depth, last.nleaves) == (run.sweeps, run.depth, len(run.leaves))


@pytest.mark.claim("determinism", "batch-equivalence")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", ["fresh", "forest"])
def test_the_same_seed_is_the_same_run_however_it_is_evaluated(
    kind: str, policy: PolicyName
) -> None:
    run: dict[str, Any] = {"policy": policy, "d": 2, "maxfun": 150}
    objective = fun_of_columns if kind == "vectorized" else fun
    expected = minimize(fun, BOUNDS, rng=7, **run)
    result = minimize(objective, BOUNDS, rng=7, **run, **KINDS[kind])
    assert outcome(result) == outcome(expected)
    assert minimize(fun, BOUNDS, rng=8, **run).x.tolist() != result.x.tolist()


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize(
    ("batch_limit", "at_most"), [(1, 1), (19, 1), (20, 2), (25, 2), (10**6, 21)]
)
def test_so_many_points_are_made_at_a_time(
    batch_limit: int, at_most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as have `batch_limit` numbers, at least one; a callback comes after each visit."""
    seen: list[int] = []
    sizes: list[int] = []

    def counting(f: Any, points: Any) -> Any:
        sizes.append(len(points))
        return map(f, points)

    run: dict[str, Any] = {"policy": "fresh", "d": 1, "K": 7, "maxfun": 60, "rng": 7}
    whole = minimize(fun, BOUNDS, **run, callback=lambda result: seen.append(result.nfev))
    expected = list(seen)
    seen.clear()
    monkeypatch.setattr(Mapped, "batch_limit", batch_limit)
    result = minimize(
        fun, BOUNDS, **run, workers=counting, callback=lambda result: seen.append(result.nfev)
    )
    assert seen == expected
    assert outcome(result) == outcome(whole)
    assert max(sizes) == at_most
    assert sum(sizes) == 60


@pytest.mark.claim("alg1-input")
def test_args_follow_the_point() -> None:
    def shifted(x: Floats, *args: float) -> float:
        return fun(x) + sum(args)

    plain = minimize(fun, BOUNDS, policy="fresh", d=2, maxfun=10, rng=0)
    for args, shift in (((1.0, 2.0), 3.0), (4.0, 4.0), ((), 0.0)):
        result = minimize(shifted, BOUNDS, policy="fresh", d=2, maxfun=10, rng=0, args=args)
        assert result.fun == plain.fun + shift


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", ["indexed", "forest"])
def test_less_memory_gives_the_same_run_and_draws_more_columns(
    policy: PolicyName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten variables: 80 bytes for a column or a product."""
    drawn, inner = 0, matrices.stream

    def counting(key: list[int], *name: int) -> np.random.Generator:
        nonlocal drawn
        drawn += 1
        return inner(key, *name)

    monkeypatch.setattr(matrices, "stream", counting)
    run: dict[str, Any] = {"d": 4, "policy": policy, "maxfun": 150, "rng": 2}
    run |= {"evolve": False} if policy == "forest" else {}
    expected, all_once = outcome(minimize(fun, BOUNDS, **run)), drawn
    draws = []
    for memory in (80_000, 800, 80, 0):
        drawn = 0
        assert outcome(minimize(fun, BOUNDS, **run, memory=memory)) == expected
        draws.append(drawn)
    assert draws[0] == all_once < draws[1] < draws[2] <= draws[3]


@pytest.mark.parametrize("name", ["Search", "Run", "Settings", "influence", "minimize", "plot"])
def test_a_signature_names_types_as_they_are_written(name: str) -> None:
    """`help` and a notebook's pop-up begin with it."""
    signature = str(inspect.signature(getattr(embedded_hunter, name)))
    assert len(signature) < 700
    assert "dtype" not in signature
