"""A run of the package as a trace of the same form as the oracle's."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracle import Event, Name, Objective, Trace

from embedded_hunter.node import Node
from embedded_hunter.policy import AnyHunt, AnyVisit, Parameters
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.traces.recorded import trace_of


def birth(node: Name, K: int) -> Name:
    """The first node with the base point of `node`: center children are traced back."""
    h, i = node
    while h > 0 and i % K == K // 2:
        h, i = h - 1, i // K
    return h, i


def run(settings: Parameters, g: Objective, hunter: AnyHunt | None = None) -> Trace:
    """Run the package's generator, or another one that speaks its protocol."""
    K, h_max = settings.K, settings.h_max
    events: list[Event] = []
    evaluations = 0
    generator = run_of(settings) if hunter is None else hunter
    record = policy_of(settings).record
    visit = next(generator)
    sweep = 0
    try:
        while True:
            if visit.sweep > sweep:
                sweep = visit.sweep
                events.append(("sweep", min(visit.tree.depth, h_max)))
            if visit.t > 0:
                events.append(("visit", visit.l))
            requests = [record(request) for request in visit.evaluations]
            values = [g(birth((r["h"], r["i"]), K), r["p"]) for r in requests]
            events += told(visit, values, settings)
            evaluations += len(values)
            last, visit = visit, generator.send(values)
    except StopIteration as end:
        last, answer = visit, end.value
    leaves = sorted(last.tree.leaves(), key=lambda node: position(node, settings))
    return Trace(
        events,
        answer,
        evaluations,
        last.t,
        last.sweep,
        last.tree.depth,
        [((leaf.h, leaf.i), leaf.f_star, leaf.evaluations) for leaf in leaves],
    )


def trace_of_run(settings: Parameters, g: Objective) -> list[Fields]:
    """The trace, as its file has it, of the same run."""
    made = run(settings, g).events
    return list(trace_of(settings, [event[-1] for event in made if event[0] == "evaluate"]))


def told(visit: AnyVisit, values: list[float], settings: Parameters) -> list[Event]:
    """The expansions of a visit and their evaluations, in Algorithm 1's order."""
    requests = list(zip(visit.evaluations, values, strict=True))
    record = policy_of(settings).record
    if not visit.expansions:
        return [evaluation(request, value, record) for request, value in requests]
    events: list[Event] = []
    for leaf, children in visit.expansions:
        events.append(("expand", (leaf.h, leaf.i), leaf.f_star))
        while requests and any(requests[0][0].node is child for child in children):
            events.append(evaluation(*requests.pop(0), record))
    assert not requests, "an evaluation belongs to no expansion of its visit"
    return events


def evaluation(request: Any, value: float, record: Callable[[Any], Fields]) -> Event:
    """The event that says where and for the how-many-th time a value was had."""
    h, i, c, p = record(request).values()
    return ("evaluate", (h, i), tuple(c), p, value)


def position(node: Node, settings: Parameters) -> Fraction:
    """i / K^h: nodes from left to right in the order of their digits."""
    return Fraction(node.i, settings.K**node.h)
