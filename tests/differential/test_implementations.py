"""The package and Rocq's models do the same; `paper` compares it with the kit's program.

Whole runs are compared, event by event, on 60 instances of `differential.strategies`,
200 in .ci/run.
``HYPOTHESIS_PROFILE=nightly`` takes 20,000.
"""

import hashlib
import os
from dataclasses import replace

import pytest

from differential import instances, oracle, package, translate
from differential.forest_instances import ForestInstance, trees_alone
from differential.oracle import Name
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.trees import Forest
from embedded_hunter.node import Node
from embedded_hunter.run.policies import policy_of
from embedded_hunter.settings import Settings

COUNT = {"nightly": 20_000, "ci": 200}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 60)
LINES = [f"alg1-line-{k}" for k in range(1, 18)]


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
)
def test_the_package_does_what_the_model_of_rocq_does() -> None:
    for number, instance in enumerate(instances.of_algorithm_1(COUNT)):
        expected, found = instances.by_the_model(instance), instances.by_the_package(instance)
        assert found == expected, f"instance {number}: {instance.settings}"


@pytest.mark.parametrize("v", [1000, pytest.param(3000, marks=pytest.mark.long)])
@pytest.mark.claim(*LINES, "evaluation-cap", "budget-exact")
def test_in_the_papers_setting_the_package_does_what_the_model_does(v: int) -> None:
    """K = 3, d = 10, M = 5, eta = 0.3, h_max = 100."""
    settings = Settings(10, 10, v, h_max=100)

    def g(node: Name, p: int) -> float:
        h, i = node
        digest = hashlib.blake2b(f"{node}:{p}".encode(), digest_size=6).digest()
        noise = int.from_bytes(digest, "big") % 1000
        return abs((i + 0.5) / float(3**h) - 0.37) + noise * 1e-3

    trace = package.run(settings, g)
    assert trace == oracle.run(settings, g)
    assert trace.evaluations == v
    repeated = [e for e in trace.events if e[0] == "evaluate" and e[3] > 1]
    assert len(repeated) > v / 5
    assert trace.depth > 10


@pytest.mark.claim(
    "forest-rules",
    "forest-queues",
    "forest-lemma-1",
    "forest-theorem-2",
    "forest-budget-exact",
    "forest-termination",
    "forest-zero-vector-once",
    "forest-evaluated-once",
    "dimension-guarantee",
)
def test_the_forest_does_what_its_model_does() -> None:
    for number, instance in enumerate(instances.of_the_forest(COUNT)):
        expected = instances.forest_by_the_model(instance)
        assert forest_by_the_package(instance) == expected, f"instance {number}: {instance}"


def forest_by_the_package(instance: ForestInstance) -> oracle.Trace:
    settings = replace(instance.settings, refine=False, evolve=False, sample=False)
    return package.run(settings, instances.forest_objective(instance), hunt_forest(settings))


class ClassesOfAlgorithm1(Forest):
    """Classes by norm in one queue: with P = 1 this is Algorithm 1 with M = 0."""

    def rank_of(self, node: Node) -> int:
        """Return the norm, in units of the depth."""
        return node.nrm

    def queue_of(self, leaf: Node) -> int:
        """Return 0."""
        return 0


@pytest.mark.long
@pytest.mark.claim("forest-algorithm-1")
def test_one_tree_is_algorithm_1() -> None:
    """With P = 1, norm classes and one queue, event by event: the generator against the model."""
    for instance in instances.of_algorithm_1()[:100]:
        s, g = instance.settings, instances.objective(instance)
        expected = oracle.run(replace(s, M=0), g)
        settings = trees_alone(s.d + 1, s.v, [s.d], K=s.K, h_max=s.h_max, n_embeddings=1)
        run = hunt_forest(settings, forest=ClassesOfAlgorithm1)
        assert package.run(settings, g, run) == expected, s


@pytest.mark.claim("forest-theorem-2", "forest-regret-bound", "forest-refinement-share")
def test_refinement_never_touches_the_forest() -> None:
    """The forest's events with refinement are the first ones without it, in every run.

    And at the start of each sweep local searches have made at most 8 - 1 evaluations more than
    three times those of the trees: what the bound in evaluations rests on.
    """
    refined = 0
    for number, instance in enumerate(instances.of_the_forest(COUNT)):
        settings = replace(instance.settings, refine=True, evolve=False, sample=False)
        generator = hunt_forest(settings)
        visit = next(generator)
        events: list[oracle.Event] = []
        sweep = main = other = 0
        try:
            while True:
                if visit.sweep > sweep:
                    sweep = visit.sweep
                    assert other <= 3 * main + 8 - 1
                values = [instance.g(request) for request in visit.evaluations]
                if visit.local is None:
                    story = list(policy_of(settings).narrate(settings, visit))
                    events += package.in_words_of_the_oracle(story, values)
                    main += len(values)
                else:
                    other += len(values)
                visit = generator.send(values)
        except StopIteration:
            pass
        refined += other > 0
        expected = instances.forest_by_the_model(instance).events
        assert events == expected[: len(events)], f"instance {number}: {instance}"
        assert main + other <= settings.v
    assert refined > COUNT / 2


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
@translate.needs_rocq
def test_the_committed_models_are_those_in_the_proofs() -> None:
    for path, text in translate.Translator(translate.extract()).texts().items():
        assert path.read_text() == text
