"""The policy forest against the Rocq forest: equal traces on random instances.

The default run takes 200 instances; ``HYPOTHESIS_PROFILE=nightly`` takes 20,000.
"""

import os
from dataclasses import replace
from fractions import Fraction
from functools import cache

import forest_instances
import forest_oracle
import instances
import oracle
import package
import pytest
from forest_faults import FAULTS, faulty

from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.node import Node
from embedded_hunter.run.policies import policy_of
from reproduction.studies.forest_variants import NormClasses

COUNT = 20_000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 200


@cache
def by_the_model(seed: int) -> oracle.Trace:
    return forest_oracle.run(*forest_instances.instance(seed))


def by_the_package(seed: int) -> oracle.Trace:
    instance, g = forest_instances.instance(seed)
    settings = forest_instances.settings_of(instance)
    return package.run(settings, g, hunt_forest(settings))


@pytest.mark.claim(
    "forest-rules",
    "forest-queues",
    "forest-lemma-1",
    "forest-theorem-2",
    "forest-budget-exact",
    "forest-termination",
    "forest-zero-vector-once",
    "forest-evaluated-once",
)
def test_the_generator_does_what_the_forest_does() -> None:
    for seed in range(COUNT):
        instance, g = forest_instances.instance(seed)
        expected = by_the_model(seed) if seed < 200 else forest_oracle.run(instance, g)
        assert by_the_package(seed) == expected, f"seed {seed}: {instance}"


def test_the_instances_reach_every_rule() -> None:
    """What a difference could hide in does occur among the first 200 instances."""
    cut = full = many = apart = deep = infinite = 0
    for seed in range(200):
        instance, _ = forest_instances.instance(seed)
        trace = by_the_model(seed)
        expanded = [e[1] for e in trace.events if e[0] == "expand"]
        cut += len(trace.leaves) != instance.P + (instance.K - 1) * len(expanded)
        full += trace.evaluations < instance.v
        many += len({i // instance.K**h for h, i in expanded}) > 1
        zeros = [i % instance.K**h == instance.K**h // 2 for h, i in expanded]
        apart += any(zeros) and not all(zeros)
        deep += trace.depth > 4
        infinite += any(e[0] == "evaluate" and e[4] == float("inf") for e in trace.events)
    assert min(cut, full, many, apart, deep, infinite) >= 15


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_forest_is_caught(fault: str) -> None:
    hunt = faulty(fault)
    for seed in range(200):
        instance, g = forest_instances.instance(seed)
        settings = forest_instances.settings_of(instance)
        try:
            trace = package.run(settings, g, hunt(settings))
        except Exception:  # a crash is a difference, too
            return
        if trace != by_the_model(seed):
            return
    pytest.fail(f"200 instances do not tell: {fault}")


class ClassesOfAlgorithm1(NormClasses):
    """Classes by norm in one queue: with P = 1 this is Algorithm 1 with M = 0."""

    def queue_of(self, leaf: Node) -> int:
        """Return 0."""
        return 0


@pytest.mark.long
@pytest.mark.claim("forest-algorithm-1")
def test_one_tree_is_algorithm_1() -> None:
    """With P = 1, norm classes and one queue, event by event: the generator against the model."""
    for seed in range(100):
        plain, _, _, g = instances.instance(seed)
        instance = forest_oracle.ForestInstance(plain.K, (plain.d,), plain.h_max, plain.v, 1)
        expected = oracle.run(replace(plain, cap=Fraction(0)), g)
        settings = forest_instances.settings_of(instance)
        run = hunt_forest(settings, forest=ClassesOfAlgorithm1)
        assert package.run(settings, g, run) == expected, f"seed {seed}"


@pytest.mark.claim("forest-theorem-2", "forest-regret-bound", "forest-refinement-share")
def test_refinement_never_touches_the_forest() -> None:
    """The forest's events with refinement are the first ones without it, in every run.

    And at the start of each sweep local searches have made at most 8 - 1 evaluations more than the
    forest: what the bound in evaluations rests on.
    """
    refined = 0
    for seed in range(200):
        instance, g = forest_instances.instance(seed)
        settings = forest_instances.settings_of(instance, refine=True)
        generator, record = hunt_forest(settings), policy_of(settings).record
        visit = next(generator)
        events: list[oracle.Event] = []
        sweep = main = other = 0
        try:
            while True:
                if visit.sweep > sweep:
                    sweep = visit.sweep
                    events.append(("sweep", min(visit.tree.depth, settings.h_max)))
                    assert other <= main + 8 - 1
                if visit.local is None:
                    requests = [record(request) for request in visit.evaluations]
                    values = [g((r["h"], r["i"]), r["p"]) for r in requests]
                    events += [("visit", visit.l)] * (visit.t > 0)
                    events += package.told(visit, values, settings)
                    main += len(values)
                else:
                    p = visit.local.q + 1
                    values = [g((1, other + k), p) for k in range(len(visit.evaluations))]
                    other += len(values)
                visit = generator.send(values)
        except StopIteration:
            pass
        refined += other > 0
        assert events == by_the_model(seed).events[: len(events)], f"seed {seed}: {instance}"
        assert main + other <= instance.v
    assert refined > 100
