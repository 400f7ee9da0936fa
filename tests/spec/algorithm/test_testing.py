"""Specification of `testing`: they generate what they promise, and reach what they aim at."""

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import embedded_hunter
from embedded_hunter import testing as strategies
from embedded_hunter.node import Node, children, root, splits
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.policies import run_of
from embedded_hunter.settings import Settings
from embedded_hunter.testing import Cones, ForestInstance, Instance, PartialTree, exact_base_point
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import traced

LIMITS = settings(max_examples=3000, database=None, phases=[Phase.generate])


def trace_of(instance: Instance | ForestInstance) -> list[str]:
    """Run an instance; return its trace."""
    lines: list[str] = []
    run = traced(
        run_of(instance.settings), instance.settings, lambda event: lines.append(dump(event))
    )
    visit = next(run)
    try:
        while True:
            visit = run.send([instance.g(node, p) for node, p in visit.evaluations])
    except StopIteration:
        return lines


@given(strategies.forest_instances(max_P=3, max_v=60))
def test_forests_run_and_conform(instance: ForestInstance) -> None:
    assert 1 <= instance.settings.n_embeddings <= 3
    assert check(trace_of(instance)).conforms


def refined(tree: PartialTree) -> list[tuple[list[Fraction], Fraction]]:
    """Return the cells of the leaves: corner and volume, in units of the side of Y."""
    K, d = tree.settings.K, tree.settings.d
    cells = []
    for leaf in tree.tree.leaves():
        widths = [Fraction(1, K**s) for s in splits(leaf.h, d)]
        corner = [c * w - w / 2 for c, w in zip(leaf.c, widths, strict=True)]
        cells.append((corner, math.prod(widths, start=Fraction(1))))
    return cells


@given(strategies.settings(max_d=3, max_v=40, max_h=4))
def test_settings_stay_within_what_was_asked_for(s: Settings) -> None:
    assert s.K in (3, 5, 7)
    assert 1 <= s.d <= min(s.n, 3)
    assert 1 <= s.v <= 40
    assert 0 <= s.h_max <= 4
    again = Settings.from_json(s.as_json())
    assert (again.cap, again.radius, again.v) == (s.cap, s.radius, s.v)


@pytest.mark.claim("evaluation-cap")
def test_settings_reach_the_cap_with_equality() -> None:
    """Of a child of the root: M ||y|| is an integer for the K - 1 that are not the center."""

    def meets(s: Settings) -> bool:
        y = exact_base_point(children(root(s.d), s.K)[0], s)
        value = s.cap / s.side**2 * sum(part**2 for part in y)
        return value > 0 and math.isqrt(int(value)) ** 2 == value

    assert meets(find(strategies.settings(), meets, settings=LIMITS))


@given(strategies.instances(max_d=3), st.integers(1, 9))
def test_a_center_child_has_the_values_of_its_parent(instance: Instance, p: int) -> None:
    s, g = instance
    node = children(root(s.d), s.K)[0]
    center = children(node, s.K)[s.K // 2]
    assert exact_base_point(center, s) == exact_base_point(node, s)
    value = g(node, p)
    assert type(value) is float
    assert not math.isnan(value)
    assert g(node, p) == g(center, p) == value


def reaches(wanted: str) -> bool:
    """Whether a run is found whose trace shows something."""

    def shows(instance: Instance) -> bool:
        events = trace_of(instance)
        if wanted == "full":
            return '"reason": "h_max"' in events[-1] and len(events) > 20
        if wanted == "cut":
            last = max((k for k, event in enumerate(events) if '"expand"' in event), default=0)
            return last > 0 and 0 < len(events) - 2 - last < instance.settings.K - 1
        return any('"p": 3' in event for event in events)

    return shows(find(strategies.instances(max_v=60), shows, settings=LIMITS))


@pytest.mark.claim("termination", "budget-exact", "evaluation-cap")
@pytest.mark.parametrize("wanted", ["full", "cut", "third evaluation"])
def test_instances_reach_the_corners(wanted: str) -> None:
    assert reaches(wanted)


@pytest.mark.claim("determinism")
@given(strategies.instances(max_v=80))
def test_the_trace_of_any_run_is_accepted(instance: Instance) -> None:
    lines = trace_of(instance)
    report = check(lines)
    assert report.conforms, str(report)
    assert report.events == len(lines) - 1


@pytest.mark.claim("partition-coverage")
@given(strategies.trees())
def test_trees_are_partitions_with_values(grown: PartialTree) -> None:
    s, tree = grown.settings, grown.tree
    leaves = list(tree.leaves())
    assert len(leaves) == tree.leaf_count == 1 + grown.expansions * (s.K - 1)
    assert max(leaf.h for leaf in leaves) == tree.depth <= s.h_max + 1
    cells = refined(grown)
    assert sum(volume for _, volume in cells) == 1
    assert len({tuple(corner) for corner, _ in cells}) == len(cells)
    for leaf in leaves:
        assert leaf.evaluations >= 1
        assert not math.isnan(leaf.f_star)
        y = exact_base_point(leaf, s)
        past = leaf.evaluations - 1
        assert past == 0 or past**2 * s.side**2 <= s.cap * sum(part**2 for part in y)


def test_trees_have_many_shapes() -> None:
    def deep(grown: PartialTree) -> bool:
        return grown.tree.depth >= 4 and grown.expansions >= 6

    assert deep(find(strategies.trees(), deep, settings=LIMITS))


@pytest.mark.claim("assumption-1")
@given(strategies.low_dimensional(), st.integers(0, 2**32))
def test_functions_are_lipschitz_of_few_coordinates_and_their_minimum_is_known(
    f: Cones, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-1, 1, (2, f.n))
    assert f(f.minimizer) == f.f_star
    assert np.all(np.abs(f.minimizer) <= 1)
    assert f(x) >= f.f_star
    distance = float(np.linalg.norm(x - z))
    assert abs(f(x) - f(z)) <= f.lipschitz * distance * (1 + 1e-12)
    elsewhere = rng.uniform(-1, 1, f.n)
    elsewhere[list(f.effective)] = x[list(f.effective)]
    assert f(elsewhere) == f(x)
    assert 1 <= len(f.effective) <= 3


@pytest.mark.long
def test_without_hypothesis_the_import_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "hypothesis.py").write_text("raise ImportError('not here')")
    source = str(Path(embedded_hunter.__file__).parents[1])
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {source!r}]\n" + (
        "try:\n    import embedded_hunter.testing\nexcept ImportError as e:\n    print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "embedded_hunter.testing requires hypothesis. To install it: "
        "pip install -e '.[test]' in a checkout\n"
    )


def test_evaluating_a_node_is_what_the_algorithm_records() -> None:
    node: Node = root(2)
    values = {1: 5.0, 2: 3.0, 3: 4.0}
    for _ in values:
        strategies.evaluate(node, lambda _, p: values[p])
    assert (node.evaluations, node.f_star) == (3, 3.0)
