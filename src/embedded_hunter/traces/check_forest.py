"""Check whether a trace is a run of a forest; say which of the rules F1-F9 is broken first.

`forest.search.hunt_forest` is run on the values of the trace. At the first difference the functions
`_explain...` say which rule of `forest.search` does not allow the event.
"""

from embedded_hunter.forest.search import ForestVisit, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Visit
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import Fields, short
from embedded_hunter.traces import events
from embedded_hunter.traces.checking import Trace, Violation, name_of, pair_of


def follow(found: Trace, settings: ForestSettings) -> None:
    """Run the forest on the values of the trace.

    Parameters
    ----------
    found
        The trace.
    settings
        The settings in its header.

    Raises
    ------
    Violation
        At the first event that differs from that of the forest.
    """
    run = hunt_forest(settings)
    visit, sweep, evaluations = next(run), 0, 0
    while True:
        for event in events.visit_begins(visit, sweep, settings):
            _expect(event, visit, found, settings)
        sweep = visit.sweep
        values: list[float] = []
        for event in events.events_of(visit, [0.0] * len(visit.evaluations)):
            _expect(event, visit, found, settings, accept=False)
            if event["event"] == "evaluate":
                values.append(float(found.event["value"]))
            found.accept()
        evaluations += len(values)
        if found.event["event"] in ("expand", "evaluate"):
            _refuse_further_event(visit, found, evaluations == settings.v)
        last = visit
        try:
            visit = run.send(values)
        except StopIteration as stop:
            _expect(events.end(last, stop.value, evaluations, settings), last, found, settings)
            if found.event["event"] is not None:
                raise Violation("rule F8", "the run has ended; no event can follow") from None
            return


def _expect(
    expected: Fields, visit: Visit, found: Trace, settings: ForestSettings, *, accept: bool = True
) -> None:
    """Compare the next event of the trace with the expected event; accept it if `accept`."""
    event, kind = found.event, expected["event"]
    for name in expected:
        if name != "value" and event.get(name) != expected[name]:
            if event["event"] is None:
                raise Violation("rule F8", "the trace ends before the run does")
            if event["event"] != kind:
                raise Violation(*_explain_kind(expected, visit, found))
            raise Violation(*_explain_field(name, expected, visit, found, settings))
    if accept:
        found.accept()


def _explain_kind(expected: Fields, visit: Visit, found: Trace) -> tuple[str, str]:
    """Say why an event of another kind must come."""
    kind = found.event["event"]
    match expected["event"]:
        case "evaluate" if visit.t == 0:
            return "rule F2", "the zero vector, node (0, 0), is evaluated first, once for all roots"
        case "evaluate" if _is_local(visit):
            return _rule_of(visit), f"{_search_of(visit)} must evaluate its next point"
        case "evaluate":
            return "rule F3", f"the child {name_of(expected)} must be evaluated"
        case "expand":
            leaf = name_of(expected)
            return "rule F4", f"the f* of {leaf} is less than its nu_min: it must be expanded"
        case "refine" if expected["mode"] == "evolve":
            return "rule F9", "a generation of the evolution strategy is next"
        case "refine":
            return "rule F6", "local searches have fewer evaluations than the forest: one is next"
        case "sweep" if kind == "refine" and found.event["mode"] == "evolve":
            return "rule F9", "the forest is next: a sweep must begin"
        case "sweep" if kind == "refine":
            return "rule F6", "no local search is due: a sweep of the forest must begin"
        case "sweep" if kind == "end":
            return "rule F4", "the budget is not used up and the last sweep expanded a node"
        case "sweep":
            return "rule F4", "a sweep of the forest must begin"
        case "visit" if kind == "end":
            return "rule F4", "the budget is not used up and the sweep is not complete"
        case "visit":
            return "rule F4", f"depth {expected['l']} must be visited"
    return "rule F4", "the budget is used up, or a sweep expanded nothing: the run ends"


def _explain_field(
    name: str, expected: Fields, visit: Visit, found: Trace, settings: ForestSettings
) -> tuple[str, str]:
    """Say what is wrong with `name` in an event of the right kind."""
    event, kind, wanted = found.event, expected["event"], expected[name]
    match kind, name:
        case "evaluate", _ if _is_local(visit):
            return _rule_of(visit), f"a point of {_search_of(visit)} has {name} = {short(wanted)}"
        case "evaluate", "h" | "i":
            return _explain_child(expected, visit, event, settings.K)
        case "evaluate", "c":
            return (
                "rule F1",
                f"the base point of {name_of(expected)} has the numerators {short(wanted)}",
            )
        case "evaluate", "p":
            return "rule F1", f"the tree of {name_of(expected)} has the matrix p = {wanted}"
        case "expand", "h" | "i":
            return _explain_leaf(expected, visit, found)
        case "expand", _:
            return "rule F4", f"nu_min becomes the f* of {name_of(expected)}, {wanted}"
        case "refine", _ if expected["mode"] == "evolve":
            return "rule F9", f"the evolution strategy is next, with {name} = {wanted}"
        case "refine", _ if event["mode"] == "evolve":
            return "rule F9", "the forest is next: a generation of a local search must begin"
        case "refine", _:
            return "rule F7", f"the local search that is next has {name} = {wanted}"
        case "sweep", "limit":
            what = "the sweep must visit depths 0 to"
            return "rule F4", f"{what} {wanted}, not to {event.get(name)!r:.50}"
        case "visit", "l":
            return "rule F4", f"the depth to be visited is {wanted}"
    return "rule F8", f"{name} is {wanted}, not {event.get(name)!r:.50}"


def _explain_child(expected: Fields, visit: Visit, event: Fields, K: int) -> tuple[str, str]:
    if visit.t == 0:
        return "rule F2", "the zero vector, node (0, 0), is evaluated first, once for all roots"
    h, i = pair_of(event)
    wanted_h, wanted_i = pair_of(expected)
    if h != wanted_h or i // K != wanted_i // K:
        parent = (wanted_h - 1, wanted_i // K)
        return "rule F1", f"{name_of(event)} is not a child of the expanded node {parent}"
    if i % K == K // 2:
        return "rule F3", f"the center child {name_of(event)} inherits and is never evaluated"
    return "rule F3", f"children are evaluated by their index, next is {name_of(expected)}"


def _explain_leaf(expected: Fields, visit: Visit, found: Trace) -> tuple[str, str]:
    """Say why the leaf that the trace expands is not the one to be expanded now."""
    leaf = name_of(expected)
    for members in _classes(visit):
        pairs = [(node.h, node.i) for node in members]
        if pair_of(expected) in pairs and pair_of(found.event) in pairs:
            return "rule F4", f"the leaf of least f* (ties: least index) in its class is {leaf}"
    rule, why = _explain_expansion(visit, found)
    later = [(e.leaf.h, e.leaf.i) for e in visit.expansions]
    if pair_of(found.event) in later[later.index(pair_of(expected)) :]:
        return "rule F5", f"the class of {leaf} comes first: it must be expanded"
    return rule, why


def _explain_expansion(visit: Visit, found: Trace) -> tuple[str, str]:
    """Say why a leaf must not be expanded in this visit."""
    pair = pair_of(found.event)
    for members in _classes(visit):
        if pair in [(node.h, node.i) for node in members]:
            least = min(members)
            if (least.h, least.i) != pair:
                name = f"({least.h}, {least.i})"
                return "rule F4", f"in its class {name} has the least f* (ties: least index)"
            if any(e.leaf is least for e in visit.expansions):
                return "rule F4", f"the class of {pair} was already expanded in this visit"
            return "rule F4", f"the f* of {pair} is not less than the nu_min of its queue"
    if pair[0] != visit.l:
        return "rule F4", f"a leaf of depth {visit.l} is chosen in this visit, not {pair}"
    return "rule F4", f"{pair} is not a leaf of the forest: already expanded, or never created"


def _refuse_further_event(visit: Visit, found: Trace, spent: bool) -> None:
    """Raise Violation: say why this expansion or evaluation cannot follow in this visit."""
    if spent:
        raise Violation("rule F4", "the budget is used up: the run ends")
    if _is_local(visit):
        points = len(visit.evaluations)
        raise Violation(_rule_of(visit), f"the generation of {points} points is complete")
    if found.event["event"] == "evaluate":
        why = "a center child inherits its value, and each other child is evaluated once"
        raise Violation("rule F3", f"{name_of(found.event)} must not be evaluated here: {why}")
    if visit.t == 0:
        raise Violation("rule F4", "a sweep must begin before a leaf is expanded")
    raise Violation(*_explain_expansion(visit, found))


def _classes(visit: Visit) -> list[list[Node]]:
    """Return the classes of the visited depth before the visit's expansions."""
    return visit.tree.norm_classes(visit.l)


def _is_local(visit: Visit) -> bool:
    """Tell whether a visit is a generation, of a local search or of the evolution strategy."""
    return isinstance(visit, ForestVisit) and visit.local is not None


def _rule_of(visit: Visit) -> str:
    """Return the rule of a generation."""
    return "rule F9" if _search_of(visit) == "the evolution strategy" else "rule F7"


def _search_of(visit: Visit) -> str:
    """Return whose generation a visit is, in words."""
    assert isinstance(visit, ForestVisit)
    assert visit.local is not None
    evolves = visit.local.mode == "evolve"
    return "the evolution strategy" if evolves else f"local search {visit.local.q}"
