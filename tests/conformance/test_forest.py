"""The checker and the policy forest: golden traces, random runs, and what breaks which rule."""

import json
import math
import random
from hashlib import blake2b

import pytest
from goldens_forest import FOLDER, GOLDENS, place, text

from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.jsonlines import Fields, dump, value_from_json
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Report
from embedded_hunter.traces.events import traced
from spec.algorithm.brute_force_forest import Forest, Point, local_point
from spec.algorithm.instances import visits_of

NAMES = list(GOLDENS)
Events = list[Fields]


def committed(name: str) -> Events:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def checked(events: Events) -> Report:
    return check([dump(event) for event in events])


def test_every_file_is_described_and_every_description_has_a_file() -> None:
    readme = (KIT / "README.md").read_text()
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(GOLDENS)
    for name, golden in GOLDENS.items():
        assert f"| `golden/forest/{name}.jsonl` | {golden.shows} |" in readme


@pytest.mark.parametrize("name", NAMES)
def test_the_package_writes_this_trace_and_it_conforms(name: str) -> None:
    assert (FOLDER / f"{name}.jsonl").read_text() == text(GOLDENS[name])
    report = checked(committed(name))
    assert str(report) == (
        f"The trace conforms to the policy forest: {len(committed(name)) - 1} events."
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_brute_force_does_the_same(name: str) -> None:
    golden = GOLDENS[name]
    s = golden.settings

    def g(k: int, y: Point, p: int) -> float:
        return golden.value(() if y == local_point(k, 3) else tuple(map(float, y)), p, k)

    d = [tree.d for tree in s.trees]
    expected = Forest(g, d=d, K=s.K, h_max=s.h_max, v=s.v, refine=s.refine, evolve=s.evolve).events
    found = committed(name)[1:]
    assert [event["event"] for event in found] == [event[0] for event in expected]
    nodes = [(e["h"], e["i"]) for e in found if e["event"] in ("expand", "evaluate")]
    assert nodes == [event[1:3] for event in expected if event[0] in ("expand", "evaluate")]
    planted = [
        (e["q"], tuple(e["center"]), e["mode"], e["age"]) for e in found if e["event"] == "refine"
    ]
    assert planted == [event[1:] for event in expected if event[0] == "refine"]
    values = [value_from_json(e["value"], "value", 0) for e in found if e["event"] == "evaluate"]
    assert values == [event[-1] for event in expected if event[0] == "evaluate"]
    assert tuple(list(found[-1].values())[2:]) == expected[-1][2:]


def events_of(seed: int) -> Events:
    """A random run, from a seed alone."""
    rnd = random.Random(seed)
    settings = ForestSettings(8, rnd.choice([rnd.randint(1, 20), rnd.randint(20, 250)]),
        dimensions=sorted({rnd.randint(1, 4), rnd.randint(1, 4)}), evolve=rnd.random() < 0.3,
        K=rnd.choice([3, 3, 5]), h_max=rnd.randint(0, 6),
        n_embeddings=rnd.randint(1, 5), refine=rnd.random() < 0.7,
    )  # fmt: skip
    levels, salt = rnd.choice([1, 3, 10, 10**6]), rnd.getrandbits(60)
    target = [rnd.uniform(-1, 1) for _ in range(settings.d)]

    def g(h: int, c: tuple[int, ...], p: int) -> float:
        y = place(h, c, settings) or (p, len(written))  # of a local search
        noise = int.from_bytes(blake2b(f"{salt} {p} {y}".encode(), digest_size=6).digest())
        if salt % 5 == 0 and noise % 3 == 0:
            return math.inf
        away = sum(abs(a - b) for a, b in zip(y, target, strict=False))  # of its tree
        return float(noise % levels) if salt % 2 else away + noise % levels * 1e-8

    written: Events = []
    run = traced(hunt_forest(settings), settings, written.append)
    for _ in visits_of(run, lambda visit: [g(node.h, node.c, p) for node, p in visit.evaluations]):
        pass
    return written


@pytest.mark.long
def test_random_runs_conform() -> None:
    for seed in range(150):
        events = events_of(seed)
        report = checked(events)
        assert report.conforms, f"seed {seed}: {report}"
        assert report.events == len(events) - 1
