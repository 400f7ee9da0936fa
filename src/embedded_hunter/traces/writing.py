"""Traces: a run as events in JSON lines, which can be read and checked.

The README of the kit (``traces/kit/README.md``) describes the format. A trace begins with a header
that holds the settings. The events follow in the order of Algorithm 1:

    {"event": "evaluate", "h", "i", "c", "p", "value"}   initialization, line 9
    {"event": "sweep", "sweep", "limit"}                 lines 1-3: depths 0 .. limit follow
    {"event": "visit", "t", "l"}                         line 3: iteration t visits depth l
    {"event": "expand", "h", "i", "nu_min"}              lines 6-8: (h, i) is expanded
    {"event": "end", "answer", "evaluations", "t", "sweeps", "depth", "leaves", "reason"}

`h, i` is the node. `c` holds the integer numerators of its base point (see `node`). `p` counts the
evaluations of that base point.

In a run of the policy ``forest``, `p` is the number of the matrix. A generation of local search q
is a visit with l = 0, after the event

    {"event": "refine", "q", "center": [h, i], "mode": "refine", "age"}

Its evaluations have `h` = 0, `i` = q, `c` = [] and `p` = q + 1. A generation of the evolution
strategy has the same events, with `q` = 0, `center` = [0, 0] and the mode "evolve". A uniform point
has the mode "sample".
"""

from collections.abc import Iterator

from embedded_hunter.run.events import (
    End,
    Evaluate,
    Event,
    Expand,
    Generation,
    Iteration,
    Sweep,
    end_of,
)
from embedded_hunter.run.header import TRACE
from embedded_hunter.run.header import header as header_of
from embedded_hunter.run.jsonlines import Fields, value_to_json
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.run import Run


def trace_of(run: Run) -> Iterator[Fields]:
    """Yield the header and the events of a run.

    If some values are missing, the trace ends before the first evaluation that has none.
    """
    yield header(run.settings)
    narrate = policy_of(run.settings).narrate
    for visit, told in run.visits():
        values = iter(told)
        for event in narrate(run.settings, visit):
            value = next(values, None) if isinstance(event, Evaluate) else 0.0
            if value is None:
                return
            if fields := written(event, value):
                yield fields
    yield written(end_of(visit, run.known.tolist(), run.settings.v))


def header(settings: Parameters) -> Fields:
    """Return the first line of a trace."""
    return header_of(TRACE, settings)


def written(event: Event, value: float = 0.0) -> Fields:
    """Return an event as a trace has it, an evaluation with its value.

    The result is empty for an event that no trace has.
    """
    match event:
        case Sweep():
            return {"event": "sweep", "sweep": event.number, "limit": event.limit}
        case Generation(q, center, mode, age):
            begun = [center.h, center.i]
            return {"event": "refine", "q": q, "center": begun, "mode": mode, "age": age}
        case Iteration():
            return {"event": "visit", "t": event.t, "l": event.l}
        case Expand(leaf):
            nu_min = value_to_json(leaf.f_star)
            return {"event": "expand", "h": leaf.h, "i": leaf.i, "nu_min": nu_min}
        case Evaluate(h=h, i=i, c=c, p=p):
            at = {"h": h, "i": i, "c": list(c), "p": p}
            return {"event": "evaluate", **at, "value": value_to_json(value)}
        case End():
            answer = value_to_json(event.answer)
            return {"event": "end", **event._asdict(), "answer": answer}
    return {}
