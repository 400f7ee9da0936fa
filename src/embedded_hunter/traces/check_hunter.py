"""Is this trace a run of Algorithm 1? Says which of its lines is broken first.

`hunter.hunt` is run on the values of the trace; at the first difference `_why` and its kin say
which line of Algorithm 1 does not allow the event.
"""

from embedded_hunter.hunter import Visit, hunt
from embedded_hunter.node import Node
from embedded_hunter.run.jsonlines import Fields, value_from_json
from embedded_hunter.settings import Settings
from embedded_hunter.traces import events
from embedded_hunter.traces.checking import Broken, Trace, name_of, pair_of, same, short


def follow(found: Trace, settings: Settings, affordable: Settings) -> None:
    """Run the reference on the values of the trace; raise Broken at the first difference."""
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
    """Match the expansions and evaluations of a visit, `left` at most; return the values."""
    placeholders = [0.0] * len(visit.evaluations)
    values: list[float] = []
    for expected in events.events_of(visit, placeholders):
        if expected["event"] == "expand":
            _expect_expand(expected, visit, found)
        else:
            _expect_evaluate(expected, visit, found, settings)
            value = found.event.get("value")
            values.append(value_from_json(value, "value", found.line))
        found.take()
    kind = found.event["event"]
    if kind in ("expand", "evaluate") and len(values) == left:
        raise Broken("line 1", "the budget is used up: the run ends")
    if kind == "expand" and visit.t == 0:
        raise Broken("line 1", "a sweep must begin before a leaf is expanded")
    if kind == "expand":
        raise Broken(*_why_not_expand(visit, found))
    if kind == "evaluate":
        raise Broken(
            "line 9",
            f"{name_of(found.event)} is evaluated although Algorithm 1 evaluates nothing more "
            "here: a center child whose base point had more than M ||y|| evaluations is not, nor "
            "is any other base point a second time",
        )
    if visit.expansions:
        found.nu_min = visit.expansions[-1].leaf.f_star
    return values


def _kind(found: Trace) -> str:
    """The kind of the event looked at, which must be there."""
    kind = found.event["event"]
    if kind is None:
        raise Broken("line 17", "the trace ends before the run does")
    return str(kind)


def _expect_begin(expected: Fields, found: Trace) -> None:
    """A sweep or a visit must begin."""
    event, kind = found.event, _kind(found)
    if expected["event"] == "sweep":
        if kind == "sweep":
            if not same(event.get("limit"), expected["limit"]):
                raise Broken(
                    "line 3",
                    f"the sweep must visit depths 0 to {expected['limit']}, the smaller one of "
                    f"depth(T) and h_max when it begins, not to {event.get('limit')!r:.50}",
                )
            if not same(event.get("sweep"), expected["sweep"]):
                raise Broken("line 2", f"this is sweep {expected['sweep']}")
            found.nu_min = None
        elif kind == "end":
            raise Broken("line 1", "the budget is not used up and the last sweep expanded a node")
        else:
            raise Broken(
                "line 3" if kind == "visit" else "line 1",
                "the sweep has visited all depths up to the bound read at its start; "
                "another sweep must begin",
            )
    elif kind == "visit":
        if not same(event.get("l"), expected["l"]):
            raise Broken("line 3", f"the depth to be visited is {expected['l']}")
        if not same(event.get("t"), expected["t"]):
            raise Broken("line 14", f"this is iteration {expected['t']}")
    elif kind == "end":
        raise Broken("line 1", "the budget is not used up and the sweep is not complete")
    else:
        raise Broken("line 3", f"depth {expected['l']} must be visited")
    found.take()


def _expect_evaluate(expected: Fields, visit: Visit, found: Trace, settings: Settings) -> None:
    """The base point of a certain node must be evaluated."""
    event, kind = found.event, _kind(found)
    child = name_of(expected)
    if visit.t == 0:
        for name in ("h", "i", "c", "p"):
            if kind != "evaluate" or not same(event.get(name), expected[name]):
                raise Broken("initialization", "the root (0, 0) must be evaluated first, once")
        return
    if kind != "evaluate":
        raise Broken("line 9", f"the base point of {child} must be evaluated")
    if pair_of(event) == pair_of(expected):
        if not same(event.get("c"), expected["c"]):
            raise Broken(
                "line 8", f"the base point of {child} has the numerators {short(expected['c'])}"
            )
        if not same(event.get("p"), expected["p"]):
            raise Broken("line 9", f"this is evaluation p = {expected['p']} of its base point")
        return
    K = settings.K
    parent = (expected["h"] - 1, expected["i"] // K)
    h, i = pair_of(event)
    if h != parent[0] + 1 or i // K != parent[1]:
        raise Broken("line 8", f"{name_of(event)} is not a child of the expanded node {parent}")
    if i % K == K // 2:
        raise Broken(
            "line 9",
            f"the center child {name_of(event)} is evaluated although its base point had more than "
            "M ||y|| evaluations",
        )
    if expected["i"] % K == K // 2:
        raise Broken(
            "line 9",
            f"the center child {child} must be evaluated: its base point had at most M ||y|| "
            "evaluations",
        )
    raise Broken("line 9", f"the children are evaluated by their index, next is {child}")


def _expect_expand(expected: Fields, visit: Visit, found: Trace) -> None:
    """A certain leaf must be expanded."""
    event, kind = found.event, _kind(found)
    leaf = name_of(expected)
    if kind != "expand":
        raise Broken("line 6", f"the f* of {leaf} is less than nu_min: it must be expanded")
    if pair_of(event) == pair_of(expected):
        if not same(event.get("nu_min"), expected["nu_min"]):
            raise Broken("line 7", f"nu_min becomes the f* of {leaf}, {expected['nu_min']}")
        return
    classes = _classes(visit)
    number = {(node.h, node.i): j for j, members in enumerate(classes) for node in members}
    pair = pair_of(event)
    if pair not in number:
        raise Broken(*_why_no_leaf(visit, found))
    if number[pair] == number[pair_of(expected)]:
        raise Broken("line 5", f"the leaf of least f* (ties: least index) in its class is {leaf}")
    if number[pair] < number[pair_of(expected)]:
        raise Broken(*_why_not_expand(visit, found))
    later = [(expansion.leaf.h, expansion.leaf.i) for expansion in visit.expansions]
    if pair in later:
        raise Broken("line 6", f"the f* of {leaf} is less than nu_min: it must be expanded")
    raise Broken("line 4", f"the class of {leaf} has the larger norm and comes first")


def _why_not_expand(visit: Visit, found: Trace) -> tuple[str, str]:
    """Say why a leaf that the trace expands must not be expanded in this visit (any more)."""
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
                return "line 4", f"the class of {pair} has had its turn in this visit"
            return "line 6", f"the f* of {pair}, {least.f_star}, is not less than nu_min, {nu_min}"
        if expanded:
            nu_min = least.f_star
    return _why_no_leaf(visit, found)


def _why_no_leaf(visit: Visit, found: Trace) -> tuple[str, str]:
    h, i = pair_of(found.event)
    if h != visit.l:
        return "line 5", f"a leaf of depth {visit.l} is chosen in this visit, not ({h}, {i})"
    return "line 10", f"({h}, {i}) is not a leaf: it was expanded before or never made"


def _classes(visit: Visit) -> list[list[Node]]:
    """The classes of the visited depth: the tree has not taken the visit's expansions in yet."""
    return visit.tree.norm_classes(visit.l)


def _expect_end(expected: Fields, found: Trace) -> None:
    """The run must be over, with a certain outcome."""
    event, kind = found.event, _kind(found)
    if kind != "end":
        raise Broken("line 1", "the budget is used up, or a sweep expanded nothing: the run ends")
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
            raise Broken(rule, f"{name} is {expected[name]}, not {event.get(name)!r:.50}")
    found.take()
    if found.event["event"] is not None:
        raise Broken("line 17", "the run has returned; nothing can follow")
