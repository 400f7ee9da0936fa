"""Check whether a trace is a run of Algorithm 1; say which of its lines is broken first.

`hunter.hunt` is run on the values of the trace. At the first difference the functions `_expect...`
and `_explain...` say which line of Algorithm 1 does not allow the event.
"""

from embedded_hunter.hunter import Visit, hunt
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import Fields, short, value_from_json
from embedded_hunter.settings import Settings
from embedded_hunter.traces import events
from embedded_hunter.traces.checking import Trace, Violation, name_of, pair_of, same


def follow(found: Trace, settings: Settings, affordable: Settings) -> None:
    """Run Algorithm 1 on the values of the trace.

    Parameters
    ----------
    found
        The trace.
    settings
        The settings in its header.
    affordable
        The same settings with the budget of `events.affordable`.

    Raises
    ------
    Violation
        At the first event that differs from that of Algorithm 1.
    """
    run = hunt(affordable)
    visit, sweep, evaluations = next(run), 0, 0
    while True:
        for event in events.visit_begins(visit, sweep, settings):
            _expect_begin(event, found)
        sweep = visit.sweep
        values = _visit(visit, found, settings, settings.v - evaluations)
        evaluations += len(values)
        last = visit
        try:
            visit = run.send(values)
        except StopIteration as stop:
            _expect_end(events.end(last, stop.value, evaluations, settings), found)
            return


def _visit(visit: Visit, found: Trace, settings: Settings, left: int) -> list[float]:
    """Compare the expansions and evaluations of a visit with the trace; return the values.

    `left` is the number of evaluations left in the budget.
    """
    placeholders = [0.0] * len(visit.evaluations)
    values: list[float] = []
    for expected in events.events_of(visit, placeholders):
        if expected["event"] == "expand":
            _expect_expand(expected, visit, found)
        else:
            _expect_evaluate(expected, visit, found, settings)
            value = found.event.get("value")
            values.append(value_from_json(value, "value", found.line))
        found.accept()
    kind = found.event["event"]
    if kind in ("expand", "evaluate") and len(values) == left:
        raise Violation("line 1", "the budget is used up: the run ends")
    if kind == "expand" and visit.t == 0:
        raise Violation("line 1", "a sweep must begin before a leaf is expanded")
    if kind == "expand":
        raise Violation(*_explain_expansion(visit, found))
    if kind == "evaluate":
        raise Violation(
            "line 9",
            f"{name_of(found.event)} must not be evaluated here: a center child is not evaluated "
            "if its base point had more than M ||y|| evaluations, and each other child is "
            "evaluated once",
        )
    if visit.expansions:
        found.nu_min = visit.expansions[-1].leaf.f_star
    return values


def _kind(found: Trace) -> str:
    """Return the kind of the next event.

    Raises
    ------
    Violation
        If the trace has ended.
    """
    kind = found.event["event"]
    if kind is None:
        raise Violation("line 17", "the trace ends before the run does")
    return str(kind)


def _expect_begin(expected: Fields, found: Trace) -> None:
    """Require that the next event begins the expected sweep or visit."""
    event, kind = found.event, _kind(found)
    if expected["event"] == "sweep":
        if kind == "sweep":
            if not same(event.get("limit"), expected["limit"]):
                raise Violation(
                    "line 3",
                    f"the sweep must visit depths 0 to {expected['limit']}, the smaller of "
                    f"depth(T) and h_max at its start, not to {event.get('limit')!r:.50}",
                )
            if not same(event.get("sweep"), expected["sweep"]):
                raise Violation("line 2", f"this is sweep {expected['sweep']}")
            found.nu_min = None
        elif kind == "end":
            raise Violation(
                "line 1", "the budget is not used up and the last sweep expanded a node"
            )
        else:
            raise Violation(
                "line 3" if kind == "visit" else "line 1",
                "the sweep has visited all depths up to the bound read at its start; "
                "another sweep must begin",
            )
    elif kind == "visit":
        if not same(event.get("l"), expected["l"]):
            raise Violation("line 3", f"the depth to be visited is {expected['l']}")
        if not same(event.get("t"), expected["t"]):
            raise Violation("line 14", f"this is iteration {expected['t']}")
    elif kind == "end":
        raise Violation("line 1", "the budget is not used up and the sweep is not complete")
    else:
        raise Violation("line 3", f"depth {expected['l']} must be visited")
    found.accept()


def _expect_evaluate(expected: Fields, visit: Visit, found: Trace, settings: Settings) -> None:
    """Require that the next event is the expected evaluation."""
    event, kind = found.event, _kind(found)
    child = name_of(expected)
    if visit.t == 0:
        for name in ("h", "i", "c", "p"):
            if kind != "evaluate" or not same(event.get(name), expected[name]):
                raise Violation("initialization", "the root (0, 0) must be evaluated first, once")
        return
    if kind != "evaluate":
        raise Violation("line 9", f"the base point of {child} must be evaluated")
    if pair_of(event) == pair_of(expected):
        if not same(event.get("c"), expected["c"]):
            raise Violation(
                "line 8", f"the base point of {child} has the numerators {short(expected['c'])}"
            )
        if not same(event.get("p"), expected["p"]):
            raise Violation("line 9", f"this is evaluation p = {expected['p']} of its base point")
        return
    K = settings.K
    parent = (expected["h"] - 1, expected["i"] // K)
    h, i = pair_of(event)
    if h != parent[0] + 1 or i // K != parent[1]:
        raise Violation("line 8", f"{name_of(event)} is not a child of the expanded node {parent}")
    if i % K == K // 2:
        raise Violation(
            "line 9",
            f"the center child {name_of(event)} is evaluated although its base point had more than "
            "M ||y|| evaluations",
        )
    if expected["i"] % K == K // 2:
        raise Violation(
            "line 9",
            f"the center child {child} must be evaluated: its base point had at most M ||y|| "
            "evaluations",
        )
    raise Violation("line 9", f"the children are evaluated by their index, next is {child}")


def _expect_expand(expected: Fields, visit: Visit, found: Trace) -> None:
    """Require that the next event is the expected expansion."""
    event, kind = found.event, _kind(found)
    leaf = name_of(expected)
    if kind != "expand":
        raise Violation("line 6", f"the f* of {leaf} is less than nu_min: it must be expanded")
    if pair_of(event) == pair_of(expected):
        if not same(event.get("nu_min"), expected["nu_min"]):
            raise Violation("line 7", f"nu_min becomes the f* of {leaf}, {expected['nu_min']}")
        return
    classes = _classes(visit)
    number = {(node.h, node.i): j for j, members in enumerate(classes) for node in members}
    pair = pair_of(event)
    if pair not in number:
        raise Violation(*_explain_missing_leaf(visit, found))
    if number[pair] == number[pair_of(expected)]:
        raise Violation(
            "line 5", f"the leaf of least f* (ties: least index) in its class is {leaf}"
        )
    if number[pair] < number[pair_of(expected)]:
        raise Violation(*_explain_expansion(visit, found))
    later = [(expansion.leaf.h, expansion.leaf.i) for expansion in visit.expansions]
    if pair in later:
        raise Violation("line 6", f"the f* of {leaf} is less than nu_min: it must be expanded")
    raise Violation("line 4", f"the class of {leaf} has the larger norm and comes first")


def _explain_expansion(visit: Visit, found: Trace) -> tuple[str, str]:
    """Say why the leaf that the trace expands must not be expanded now."""
    pair = pair_of(found.event)
    nu_min = found.nu_min
    for members in _classes(visit):
        least = min(members)
        expanded = any(expansion.leaf is least for expansion in visit.expansions)
        if any((node.h, node.i) == pair for node in members):
            if (least.h, least.i) != pair:
                least_name = f"({least.h}, {least.i})"
                return "line 5", f"in its class {least_name} has the least f* (ties: least index)"
            if expanded:
                return "line 4", f"the class of {pair} was already expanded in this visit"
            return "line 6", f"the f* of {pair}, {least.f_star}, is not less than nu_min, {nu_min}"
        if expanded:
            nu_min = least.f_star
    return _explain_missing_leaf(visit, found)


def _explain_missing_leaf(visit: Visit, found: Trace) -> tuple[str, str]:
    h, i = pair_of(found.event)
    if h != visit.l:
        return "line 5", f"a leaf of depth {visit.l} is chosen in this visit, not ({h}, {i})"
    return "line 10", f"({h}, {i}) is not a leaf: already expanded, or never created"


def _classes(visit: Visit) -> list[list[Node]]:
    """Return the classes of the visited depth before the visit's expansions."""
    return visit.tree.norm_classes(visit.l)


def _expect_end(expected: Fields, found: Trace) -> None:
    """Require that the next event is the expected end, and that nothing follows it."""
    event, kind = found.event, _kind(found)
    if kind != "end":
        raise Violation(
            "line 1", "the budget is used up, or a sweep expanded nothing: the run ends"
        )
    for name, rule in (
        ("answer", "line 17"),
        ("evaluations", "line 1"),
        ("t", "line 14"),
        ("sweeps", "line 2"),
        ("depth", "line 10"),
        ("leaves", "line 10"),
        ("reason", "line 1"),
    ):
        if not same(event.get(name), expected[name]):
            raise Violation(rule, f"{name} is {expected[name]}, not {event.get(name)!r:.50}")
    found.accept()
    if found.event["event"] is not None:
        raise Violation("line 17", "the run has ended; no event can follow")
