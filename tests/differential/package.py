"""A run of the package as a trace of the same form as the oracle's."""

from collections.abc import Iterator
from fractions import Fraction

from differential.oracle import Event, Name, Objective, Trace
from embedded_hunter.node import Node
from embedded_hunter.run.events import Evaluate, Expand, Iteration, Sweep
from embedded_hunter.run.events import Event as TypedEvent
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.run.policy import AnyHunt, Parameters
from embedded_hunter.run.run import Run
from embedded_hunter.traces.writing import trace_of


def birth(node: Name, K: int) -> Name:
    """The first node with the base point of `node`: center children are traced back."""
    h, i = node
    while h > 0 and i % K == K // 2:
        h, i = h - 1, i // K
    return h, i


def run(settings: Parameters, g: Objective, hunter: AnyHunt | None = None) -> Trace:
    """Run the package's generator, or another one that speaks its protocol."""
    K = settings.K
    generator = run_of(settings) if hunter is None else hunter
    narrate = policy_of(settings).narrate
    told: list[Event] = []
    made: list[float] = []
    visit = next(generator)
    try:
        while True:
            story = list(narrate(settings, visit))
            requests = [event for event in story if isinstance(event, Evaluate)]
            assert [id(e.request) for e in requests] == list(map(id, visit.evaluations))
            values = [g(birth((e.h, e.i), K), e.p) for e in requests]
            told += in_words_of_the_oracle(story, values)
            made += values
            visit = generator.send(values)
    except StopIteration as end:
        last, answer = visit, end.value
    leaves = sorted(last.tree.leaves(), key=lambda node: position(node, settings))
    return Trace(
        told,
        answer,
        len(made),
        last.t,
        last.sweep,
        last.tree.depth,
        [((leaf.h, leaf.i), leaf.f_star, leaf.evaluations) for leaf in leaves],
    )


def in_words_of_the_oracle(story: list[TypedEvent], values: list[float]) -> Iterator[Event]:
    """Yield the events of a visit that the oracle has, too."""
    left = iter(values)
    for event in story:
        match event:
            case Sweep():
                yield "sweep", event.limit
            case Iteration():
                yield "visit", event.l
            case Expand(leaf):
                yield "expand", (leaf.h, leaf.i), leaf.f_star
            case Evaluate(h=h, i=i, c=c, p=p):
                yield "evaluate", (h, i), tuple(c), p, next(left)


def trace_of_run(settings: Parameters, g: Objective) -> list[Fields]:
    """The trace, as its file has it, of the same run."""
    made = run(settings, g).events
    values = [event[-1] for event in made if event[0] == "evaluate"]
    return list(trace_of(Run(settings, values=values)))


def position(node: Node, settings: Parameters) -> Fraction:
    """i / K^h: nodes from left to right in the order of their digits."""
    return Fraction(node.i, settings.K**node.h)
