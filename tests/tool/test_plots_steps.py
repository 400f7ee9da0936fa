"""The steps that the player shows are the lines that the literal Algorithm 1 executes."""

import math
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given

from embedded_hunter import ForestSettings, Settings
from embedded_hunter.plots.evaluations import COLORS
from embedded_hunter.plots.listing import MARK, RULES, TURN
from embedded_hunter.plots.steps import Steps, steps_of
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.run import Run
from paper.definitions import KIT
from paper.definitions import Run as WholeRun
from paper.instances import Instance, instances
from reproduction.growth import steps_of_run
from reproduction.problems.registry import PROBLEMS

Lines = tuple[int, ...]
Compared = tuple[tuple[int, int], float, float | None]
"""At line 6: the leaf, its f*, nu_min."""
SOURCE = Path(str(KIT.__file__)).read_text(encoding="utf-8").splitlines()
MARKED: dict[int, Lines] = {}
for _number, _line in enumerate(SOURCE, 1):
    if (_mark := MARK.search(_line)) and not _mark[1]:
        MARKED[_number] = tuple(range(int(_mark[2]), int(_mark[3] or _mark[2]) + 1))


def executed(
    instance: Instance, values: list[float]
) -> tuple[list[Lines], list[Compared], WholeRun]:  # what Python's own tracing sees
    """The marked lines of `hunt` of the kit in the order of their execution."""
    lines: list[Lines] = []
    compared: list[Compared] = []
    code = KIT.hunt.__code__

    def seen(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code is not code:
            return None
        if event == "line" and frame.f_lineno in MARKED:
            lines.append(MARKED[frame.f_lineno])
            if lines[-1] == (6,):
                now = frame.f_locals
                leaf = now["leaf"]
                compared.append(((leaf.h, leaf.i), leaf.f_star, now["nu_min"]))
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        run = instance.literal(lambda k, y, p: values[k - 1])
    finally:
        sys.settrace(before)
    return lines, compared, run


def in_order_of_the_steps(lines: list[Lines], cut: bool) -> list[Lines]:
    """Leave out what a step does not repeat: line 4 and the ends of the loop of line 3.

    Where the budget has cut an expansion, the steps end there.
    """
    pairs = zip(lines, [*lines[1:], ()], strict=True)
    kept = once(a for a, b in pairs if a != (4,) and (a, b) != ((3,), (1,)))
    if cut:
        assert kept[-3:] == [(13, 14), (1,), (17,)]
        kept[-3:] = [(17,)]
    return kept


def steps_of_instance(drawn: tuple[Instance, list[float]], most: int | None = None) -> Steps:
    """The steps of the run of an instance, which may end before it has used all values."""
    instance, values = drawn
    if len(values) == instance.v:
        run = instance.literal(lambda k, y, p: values[k - 1])
        values = values[: sum(len(visit.evaluations) for visit in run.visits)]
    return steps_of(Run(instance.settings, values=values), most=most)


def once(lines: Iterator[Lines]) -> list[Lines]:
    """One line 9 for an expansion: the steps have one for each child."""
    return [key for key, group in groupby(lines) for _ in (range(1) if key == (9,) else group)]


@st.composite
def runs(draw: st.DrawFn) -> tuple[Instance, list[float]]:
    instance = draw(instances(max_v=60, max_h=4))
    some = st.sampled_from([0.0, 1.0, 2.0, -1.0, 0.5, math.inf])
    return instance, draw(st.lists(some, min_size=instance.v, max_size=instance.v))


CUT = (Instance(2, 3, 0.3, 5, 3, 12), [float(k * 7 % 11) for k in range(12)])
FULL = (Instance(2, 3, 0.3, 0, 1, 60), [float(k * 7 % 11) for k in range(60)])


@given(runs())
@example(CUT)
@example(FULL)
def test_the_steps_are_the_lines_that_the_literal_algorithm_executes(
    drawn: tuple[Instance, list[float]],
) -> None:
    """Line by line; at line 6 the same leaf, f* and nu_min; the same evaluations and leaves."""
    instance, values = drawn
    steps = steps_of_instance(drawn)
    lines, compared, run = executed(instance, values)
    cut = [step.lines for step in steps.steps[-2:]] == [(9,), (17,)]
    first, *following = steps.steps
    assert first.lines == (0,)
    assert once(s.lines for s in following if s.lines != (4,)) == in_order_of_the_steps(lines, cut)
    at_line_6 = [
        ((node.h, node.i), value_at(steps, s.leaf, k), s.nu_min)
        for k, s in enumerate(steps.steps)
        if s.lines == (6,) and s.leaf is not None
        for node in [steps.nodes[s.leaf]]
    ]
    assert at_line_6 == compared
    made = [evaluated for visit in run.visits for evaluated in visit.evaluations]
    assert [
        ((steps.nodes[e.node].h, steps.nodes[e.node].i), e.p, e.value)
        for e in steps.evaluations
        if e.node is not None
    ] == [(e.node, e.p, e.value) for e in made]
    last = len(steps.steps)
    assert {(n.h, n.i): n.f_star[-1][1] for n in steps.leaves_after(last)} == run.leaves
    assert cut == (steps.nodes[-1].born == math.inf)
    assert steps.complete


def value_at(steps: Steps, node: int, step: int) -> float:
    return [value for at, value in steps.nodes[node].f_star if at <= step][-1]


@given(runs())
def test_each_visit_has_the_leaves_of_its_depth_by_norm_from_the_largest(
    drawn: tuple[Instance, list[float]],
) -> None:
    steps = steps_of_instance(drawn)
    begins = {s.visit: k for k, s in enumerate(steps.steps) if s.lines == (3,)}
    assert len(begins) == len(steps.visits)
    for number, visit in enumerate(steps.visits):
        names = [n.name for n in steps.leaves_after(begins[number]) if n.h == visit.l]
        assert sorted(steps.nodes[n].name for L_j in visit.classes for n in L_j) == sorted(names)
        norms = [{steps.nodes[n].norm for n in L_j} for L_j in visit.classes]
        assert all(len(group) == 1 for group in norms)
        each = [norm for (norm,) in norms]
        assert each == sorted(set(each), reverse=True)


PROBLEM = PROBLEMS["ackley"](50, 2, 0)


def test_a_recorded_run_has_the_points_of_its_values() -> None:
    settings = Settings(50, 2, 40, policy="indexed")
    steps = steps_of_run(settings, PROBLEM.effective, 1, rows=2)
    assert len(steps.evaluations) == 40
    for e in steps.evaluations:
        assert e.x is not None
        assert float(PROBLEM.effective(e.x)) == e.value


def test_the_sentences_say_the_numbers_of_the_step() -> None:
    steps = steps_of_instance(CUT)
    said = {s.lines: s.says for s in steps.steps[::-1]}
    assert said[(1,)] == "Sweep 1 begins: 11 of 12 evaluations are left."
    assert said[(8,)] == "Cut the cell of (0, 0) into 3 along coordinate 1."
    assert said[(10,)] == "The 3 children become leaves instead of (0, 0)."
    assert said[(17,)] == (
        "The budget ends within an expansion, whose children do not enter the tree. "
        "Return the least of the 12 values, 0."
    )
    for step in steps.steps:
        if step.lines == (6,) and step.nu_min is not None and step.leaf is not None:
            passes = re.search(r"is (not )?below", step.says)
            assert passes is not None
            value = value_at(steps, step.leaf, steps.steps.index(step))
            assert (passes[1] is None) == (value < step.nu_min)
    kept = [s.says for s in steps_of_instance(FULL).steps if "keeps" in s.says]
    assert kept[0] == (
        "Child (1, 1) keeps f* = 0: "
        "past evaluations of its base point: 1, and 1^2 > (M ||y||)^2 = 0."
    )
    ends = steps_of_instance(FULL).steps[-2:]
    assert [s.says for s in ends] == [
        "The last sweep expanded nothing.", "Return the least of the 9 values, 0."
    ]  # fmt: skip


def test_most_stops_at_the_next_visit() -> None:
    whole, some = steps_of_instance(CUT), steps_of_instance(CUT, most=20)
    assert 20 < len(some.steps) < len(whole.steps)
    assert some.steps == whole.steps[: len(some.steps)]
    assert (whole.complete, some.complete) == (True, False)


def test_a_run_that_has_not_ended_has_the_steps_of_its_complete_visits() -> None:
    instance, values = CUT
    whole, begun = steps_of_instance(CUT), steps_of_instance((instance, values[:-3]))
    assert 0 < len(begun.steps) < len(whole.steps)
    assert begun.steps == whole.steps[: len(begun.steps)]
    assert not begun.complete


def test_a_run_without_a_value_is_refused() -> None:
    with pytest.raises(FormatError, match="the run has no value"):
        steps_of_instance((CUT[0], []))


def test_each_queue_of_a_forest_has_its_own_nu_min() -> None:
    """Over all trees: the leaves of the zero vector never change nu_min of the others."""
    settings = ForestSettings(6, 60, dimensions=[2, 4], refine=False, evolve=False, sample=False)
    steps = steps_of(Run(settings, values=[float(k * 7 % 11) for k in range(60)]))
    assert len({node.tree for node in steps.nodes if node.split < math.inf}) > 2
    least: dict[bool, float | None] = {}
    passed = 0
    for k, step in enumerate(steps.steps):
        if step.lines == (2,):
            least = {}
        if step.lines == (6,) and step.leaf is not None:
            leaf = steps.nodes[step.leaf]
            queue, f_star = leaf.norm > 0, value_at(steps, step.leaf, k)
            assert step.nu_min == least.get(queue)
            expands = steps.steps[k + 1].lines == (7,)
            assert expands == (step.nu_min is None or f_star < step.nu_min)
            if expands:
                least[queue], passed = f_star, passed + 1
    assert passed > 20
    assert steps.complete


@pytest.mark.parametrize("batch", [1, 24])
def test_each_member_of_a_forest_is_shown_at_its_rules_and_with_its_values(batch: int) -> None:
    """Also if several members are asked at once: then a visit has depths and generations."""
    settings = ForestSettings(50, 300, n_embeddings=2, dimensions=[2], batch=batch)
    rng = np.random.default_rng(1)
    steps = steps_of(Run(settings, values=rng.permutation(300).astype(float)))
    assert (len(steps.evaluations), steps.complete) == (300, True)
    assert steps.kinds == list(COLORS)
    turns = [k for k, step in enumerate(steps.steps) if step.lines == (TURN,)]
    without = [e for e in steps.evaluations if e.node is None]
    assert {e.step for e in without} == set(turns)
    assert {e.kind for e in without} == set(COLORS) - {"tree"}
    for k in turns:
        made = [e for e in without if e.step == k]
        (kind,) = {e.kind for e in made}
        said = steps.steps[k].says.lower()
        assert kind.removesuffix("s") in said
        assert f"{min(e.value for e in made):.4g}." in said
    assert all(e.kind == "tree" for e in steps.evaluations if e.node is not None)
    named = {line for _, lines, _ in RULES["forest"] for line in lines}
    assert {line for step in steps.steps for line in step.lines} == named
