"""The package against the Rocq model: equal traces on random instances and in the paper's setting.

The default run takes 200 instances; ``HYPOTHESIS_PROFILE=nightly`` takes 100,000.
"""

import os
import shutil
from functools import cache

import bugs
import instances
import oracle
import package
import pytest
import translate
from test_conformance import events_of

COUNT = 100_000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 200
LINES = [f"alg1-line-{k}" for k in range(1, 18)]


@cache
def by_the_model(seed: int) -> oracle.Trace:
    instance, _, _, g = instances.instance(seed)
    return oracle.run(instance, g)


def by_the_package(seed: int) -> oracle.Trace:
    instance, eta, M, g = instances.instance(seed)
    return package.run(package.settings_of(instance, eta, M), g)


@pytest.mark.claim(
    *LINES,
    "alg1-input",
    "evaluation-cap",
    "budget-exact",
    "termination",
    "batch-equivalence",
    "frozen-classes",
    "loop-bound-static",
    "ties-least-index",
    "nan-and-inf",
    "partition-coverage",
    "strict-expansion-sentence",
    "center-child",
    "zero-vector-once",
    "results-embedding-cap",
    "sweep-expands",
    "one-run",
    "heaps-change-nothing",
)
def test_the_package_does_what_the_model_does() -> None:
    for seed in range(COUNT):
        instance, _, _, g = instances.instance(seed)
        expected = by_the_model(seed) if seed < 200 else oracle.run(instance, g)
        assert by_the_package(seed) == expected, f"seed {seed}: {instance}"


@pytest.mark.parametrize("v", [1000, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.claim(*LINES, "evaluation-cap", "budget-exact")
def test_in_the_papers_setting_the_package_does_what_the_model_does(v: int) -> None:
    """K = 3, d = 10, M = 5, eta = 0.3, h_max = 100; v = 10,000 takes half a minute."""
    instance, eta, M, g = instances.of_the_paper(v)
    trace = package.run(package.settings_of(instance, eta, M), g)
    assert trace == oracle.run(instance, g)
    assert trace.evaluations == v
    repeated = [e for e in trace.events if e[0] == "evaluate" and e[3] > 1]
    assert len(repeated) > v / 5
    assert trace.depth > 10


def test_the_instances_reach_every_rule() -> None:
    """What a difference could hide in does occur among the first 200 instances."""
    cut = full = capped = repeated = infinite = deep = 0
    for seed in range(200):
        instance, _, _, _ = instances.instance(seed)
        trace = by_the_model(seed)
        evaluated = [e for e in trace.events if e[0] == "evaluate"]
        expanded = [e for e in trace.events if e[0] == "expand"]
        cut += len(trace.leaves) != 1 + (instance.K - 1) * len(expanded)
        full += trace.evaluations < instance.v
        repeated += any(e[3] > 1 for e in evaluated)
        capped += len(evaluated) < min(instance.v, 1 + instance.K * len(expanded))
        infinite += any(e[4] == float("inf") for e in evaluated)
        deep += trace.depth > 4
    assert min(cut, full, capped, repeated, infinite, deep) >= 15


@pytest.mark.long
def test_the_instances_tell_most_programs_with_a_bug_apart() -> None:
    """Those that differ in the rounding of numbers, the golden traces tell apart."""
    traces = sorted((events_of(seed) for seed in range(100)), key=len)
    told = [
        bug.name
        for bug in bugs.BUGS
        if any(bugs.first_difference(bug, trace) is not None for trace in traces)
    ]
    assert len(told) >= 90


def test_every_replaced_number_agrees_with_coqs() -> None:
    """Each one-liner against Rocq's body, on small numbers and the corners (m = 0, n < m)."""
    slow, fast = oracle.load(native=False), oracle.load()
    checked = 0
    for name in oracle.NATIVE:
        a, b = getattr(slow, name), getattr(fast, name)
        integers = name.startswith("BinInt_Z") and name != "BinInt_Z_of_nat"
        numbers = range(-6, 7) if integers else range(13)
        for n in numbers:
            if name in ("BinInt_Z_opp", "BinInt_Z_of_nat"):
                assert a(n) == b(n), (name, n)
                checked += 1
                continue
            for m in numbers:
                assert a(n, m) == b(n, m), (name, n, m)
                checked += 1
    assert checked > 2000


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("coqc") is None and "EMBEDDED_HUNTER_REQUIRE_ROCQ" not in os.environ,
    reason="coqc is not installed",
)
def test_the_committed_models_are_those_in_the_proofs() -> None:
    for path, text in translate.Translator(translate.extract()).texts().items():
        assert path.read_text() == text
