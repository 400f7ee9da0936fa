# ruff: noqa: E501 -- a change in one piece
"""Plausible bugs of someone who implements Algorithm 1: each is a small change of `kit/hunter.py`.

The program that the kit ships is a correct implementation which shares nothing with the package.
A bug replaces the only occurrence of `old` in it by `new`, or several such pairs.
"""

import contextlib
import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from differential import package
from differential.oracle import Objective
from embedded_hunter.commands.kit import FOLDER
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policy import Parameters
from embedded_hunter.traces.writing import header


class Bug(NamedTuple):
    """A change of the program, and the line of Algorithm 1 that it breaks."""

    name: str
    line: str
    """The number of the rule that a verdict names."""
    changes: tuple[tuple[str, str], ...]


def bug(name: str, line: str, *texts: str) -> Bug:
    """Return a bug that replaces the first text by the second, the third by the fourth, ..."""
    return Bug(name, line, tuple(zip(texts[::2], texts[1::2], strict=True)))


CHOICE = "key=lambda leaf: (leaf.f_star, leaf.i)"
KEY = "squared_norm(leaf, K, side), []"
CAP = "node.count**2 <= M**2 * squared_norm(node, K, side)"
TEST = "nu_min is None or leaf.f_star < nu_min"
LOOP = "for l in range(limit + 1):"
ORDER = "for child in family:"
PAST = "past = (node.f_star, node.count) if digit == K // 2 else ()"
TAKE = "best, node.f_star = min(best, value), min(node.f_star, value)"
SPLIT = "        c[node.h % d] = K * c[node.h % d] + digit - K // 2"
VISIT_HEAD = 'write(event="visit", t=t, l=l)'
TESTED = f"if {TEST}:"
ENDS = "                if made == v:\n                    break\n            t"
LAST = "            if made == v:\n                break\n    depth"

BUGS = [
    # Which leaf of a class: lines 5 and 6.
    bug("ties go to the greatest index", "5", CHOICE, "key=lambda leaf: (leaf.f_star, -leaf.i)"),
    bug("ties go to the newest leaf", "5", "min(classes[norm], ", "min(reversed(classes[norm]), ",
        CHOICE, "key=lambda leaf: leaf.f_star"),
    bug("ties go to the first base point in lexicographic order", "5",
        CHOICE, "key=lambda leaf: (leaf.f_star, leaf.c)"),
    bug("ties go to the leaf with fewest evaluations", "5",
        CHOICE, "key=lambda leaf: (leaf.f_star, leaf.count, leaf.i)"),
    bug("the worst leaf of a class is chosen", "5", "leaf = min(classes", "leaf = max(classes",
        CHOICE, "key=lambda leaf: (leaf.f_star, -leaf.i)"),
    bug("the leaf of least index is chosen whatever its value", "5",
        CHOICE, "key=lambda leaf: leaf.i"),
    bug("values are compared as 32-bit numbers", "5",
        CHOICE, "key=lambda leaf: (struct.unpack('f', struct.pack('f', leaf.f_star)), leaf.i)",
        "import sys", "import struct\nimport sys"),
    # The test against nu_min: lines 2, 6 and 7.
    bug("a leaf equal to nu_min is expanded", "6", TEST, "nu_min is None or leaf.f_star <= nu_min"),
    bug("nu_min is undercut by a tolerance only", "6",
        TEST, "nu_min is None or leaf.f_star < nu_min - 1e-9"),
    bug("infinity is the first nu_min", "6", "nu_min, sweep, expanded = None,",
        "nu_min, sweep, expanded = math.inf,"),
    bug("nu_min is set once in a sweep", "6",
        "nu_min, expanded = leaf.f_star, True",
        "nu_min, expanded = leaf.f_star if nu_min is None else nu_min, True"),
    bug("nu_min is kept from sweep to sweep", "6",
        "nu_min, sweep, expanded = None,", "nu_min, sweep, expanded = nu_min if sweep else None,"),
    bug("nu_min is new at each depth", "6", "classes = {}", "classes, nu_min = {}, None"),
    bug("nu_min is new for each class", "6", TEST, "True"),
    bug("nu_min becomes the least value of the children", "6",
        "                    else:\n", "                    else:\n"
        "                        nu_min = min(x.f_star for x in family)\n"),
    bug("a leaf is expanded iff it equals the best value", "6",
        TEST, "leaf.f_star == best"),
    bug("a leaf must be better than the best value when the sweep began", "6",
        "nu_min, sweep, expanded = None,", "nu_min, sweep, expanded = best,",
        TEST, "leaf.f_star <= nu_min"),
    bug("at most one leaf of each depth is expanded", "6",
        TESTED, f"if not expanded_here and ({TEST}):",
        "classes = {}", "classes, expanded_here = {}, False",
        "nu_min, expanded = leaf.f_star, True", "nu_min = leaf.f_star\n"
        "                    expanded = expanded_here = True"),
    bug("at most one leaf of each sweep is expanded", "6", TESTED, f"if not expanded and ({TEST}):"),
    # The classes: line 4.
    bug("small norms come first", "4", "sorted(classes, reverse=True)", "sorted(classes)"),
    bug("classes come in order of their best value", "4", "sorted(classes, reverse=True)",
        "sorted(classes, key=lambda norm: min(leaf.f_star for leaf in classes[norm]))"),
    bug("classes come in order of their creation", "4", "sorted(classes, reverse=True)", "classes"),
    bug("all leaves of a depth are one class", "4", KEY, "0, []"),
    bug("each leaf is a class", "4", KEY, "(squared_norm(leaf, K, side), -leaf.i), []"),
    bug("classes are those of the maximum norm", "4",
        KEY, "max(abs(c) * Fraction(K) ** ((j - leaf.h) // d) for j, c in enumerate(leaf.c)), []"),
    bug("classes are those of the sum of absolute values", "4",
        KEY, "sum(abs(c) * Fraction(K) ** ((j - leaf.h) // d) for j, c in enumerate(leaf.c)), []"),
    bug("classes are orbits under permutations and signs", "4",
        KEY, "(squared_norm(leaf, K, side), sorted_point(leaf, K, d)), []",
        "def hunt(", "def sorted_point(node, K, d):\n"
        "    return tuple(sorted(abs(c) * Fraction(K) ** ((j - node.h) // d) "
        "for j, c in enumerate(node.c)))\n\n\ndef hunt("),
    bug("norms are floating-point square roots", "4",
        KEY, "math.sqrt(sum((float(side) * c / K**((leaf.h - j + d - 1) // d)) ** 2 "
        "for j, c in enumerate(leaf.c))), []"),
    bug("norms are sums of floating-point squares", "4",
        KEY, "sum((float(side) * c / K**((leaf.h - j + d - 1) // d)) ** 2 "
        "for j, c in enumerate(leaf.c)), []"),
    bug("norms are rounded to twelve digits", "4",
        KEY, "float(f'{math.sqrt(squared_norm(leaf, K, side)):.11e}'), []"),
    bug("norms are 32-bit numbers", "4",
        KEY, "struct.unpack('f', struct.pack('f', math.sqrt(squared_norm(leaf, K, side))))[0], []",
        "import sys", "import struct\nimport sys"),
    bug("numerators are compared without their denominators", "4",
        KEY, "sum(c * c for c in leaf.c), []"),
    bug("the class of the zero vector is left out", "4", "sorted(classes, reverse=True)",
        "sorted((norm for norm in classes if norm or l == 0), reverse=True)"),
    bug("the j-th class is looked up anew after each expansion", "4",
        "            for norm in sorted(classes, reverse=True):\n",
        "            for j in range(len(classes)):\n"
        "                classes = {}\n"
        "                for leaf in leaves:\n"
        "                    if leaf.h == l:\n"
        "                        classes.setdefault(squared_norm(leaf, K, side), []).append(leaf)\n"
        "                if j >= len(classes):\n"
        "                    break\n"
        "                norm = sorted(classes, reverse=True)[j]\n"),
    bug("classes range over the leaves of all depths", "5", "if leaf.h == l:", "if leaf.h >= 0:"),
    # The loop over depths: line 3.
    bug("the bound of depths is read anew", "3",
        LOOP, "for l in range(h_max + 1):\n            if l > max(leaf.h for leaf in leaves):\n"
        "                break"),
    bug("the greatest depth is left out", "3", "limit = min(max(leaf.h for leaf in leaves), h_max)",
        "limit = min(max(leaf.h for leaf in leaves), h_max)\n        limit = max(limit - 1, 0)"),
    bug("depth h_max is left out", "3", "leaves), h_max)", "leaves), max(h_max - 1, 0))"),
    bug("h_max + 1 is visited", "3", "leaves), h_max)", "leaves), h_max + 1)"),
    bug("h_max is forgotten", "3", "min(max(leaf.h for leaf in leaves), h_max)",
        "max(leaf.h for leaf in leaves)"),
    bug("the bound is h_max from the first sweep on", "3", "min(max(leaf.h for leaf in leaves), h_max)",
        "h_max"),
    bug("a sweep begins at depth 1 once there is one", "3", LOOP,
        "for l in range(limit > 0, limit + 1):"),
    bug("depths are visited from below", "3", LOOP, "for l in reversed(range(limit + 1)):"),
    bug("a sweep ends at a depth without leaves", "3",
        "            for norm in sorted", "            if not classes:\n                break\n"
        "            for norm in sorted"),
    bug("a sweep ends at a depth without expansion", "3",
        LOOP, "for l in range(limit + 1):\n            if l and not expanded_here:\n"
        "                break\n            expanded_here = False",
        "nu_min, expanded = leaf.f_star, True", "nu_min = leaf.f_star\n"
        "                    expanded = expanded_here = True"),
    bug("depths without leaves are no visits", "3", VISIT_HEAD,
        "if all(leaf.h != l for leaf in leaves):\n                continue\n            " + VISIT_HEAD),
    # The cap: line 9.
    bug("the cap is strict", "9", CAP, CAP.replace("<=", "<")),
    bug("the cap counts the coming evaluation", "9", CAP, CAP.replace("count**2", "count + 1) ** 2", 1)
        .replace("node.count + 1)", "(node.count + 1)")),
    bug("the cap allows one evaluation more", "9", CAP, CAP.replace("node.count**2", "(node.count - 1) ** 2")),
    bug("the cap is M ||y||^2", "9", CAP, CAP.replace("node.count**2 <= M**2", "node.count <= M")),
    bug("the cap is ||y||", "9", CAP, CAP.replace("M**2 * ", "")),
    bug("the cap is M", "9", CAP, "node.count <= M"),
    bug("the cap is M times the maximum norm", "9",
        CAP, "node.count <= M * max(abs(side * c / K ** ((node.h - j + d - 1) // d))"
        " for j, c in enumerate(node.c))"),
    bug("the cap is a floating-point product", "9",
        CAP, "node.count <= float(M) * math.sqrt(squared_norm(node, K, side))"),
    bug("the cap is compared in floating-point squares", "9",
        CAP, "node.count**2 <= float(M) ** 2 * float(squared_norm(node, K, side))"),
    bug("the cap is rounded up", "9", CAP,
        "node.count <= math.ceil(M * Fraction(math.sqrt(squared_norm(node, K, side))))"),
    bug("the cap is at least one", "9", CAP, f"(node.count <= 1 or {CAP})"),
    bug("the cap uses the radius as if Y were [-1, 1]^d", "9",
        CAP, CAP.replace("side)", "Fraction(2))")),
    bug("the cap measures Y by half its side", "9", CAP, CAP.replace("side)", "side / 2)")),
    bug("eta is the nearest binary number", "9", 'Fraction(settings["eta"])',
        'Fraction(float(Fraction(settings["eta"])))'),
    bug("M is the nearest binary number", "9", 'Fraction(settings["M"])',
        'Fraction(float(Fraction(settings["M"])))'),
    bug("no base point is evaluated again", "9", CAP, "False"),
    bug("the center child is always evaluated again", "9", CAP, "True"),
    bug("the cap is that of the whole cell's corner", "9", CAP,
        "node.count**2 <= M**2 * d * (side / 2) ** 2"),
    # What the center child inherits: lines 8 and 9.
    bug("the center child does not inherit f*", "9",
        PAST, "past = (math.inf, node.count) if digit == K // 2 else ()"),
    bug("the center child does not inherit the count", "9",
        PAST, "past = (node.f_star, 0) if digit == K // 2 else ()"),
    bug("the center child inherits nothing", "9", PAST, "past = ()"),
    bug("all children inherit f*", "9",
        PAST, "past = (node.f_star, node.count * (digit == K // 2))"),
    bug("a new value replaces f*", "9", TAKE, "best, node.f_star = min(best, value), value"),
    bug("the first value is kept as f*", "9",
        TAKE, "best, node.f_star = min(best, value), value if node.count == 1 else node.f_star"),
    bug("f* is the mean of the values", "9", TAKE,
        "best = min(best, value)\n        node.f_star = value if node.count == 1 else "
        "(node.f_star * (node.count - 1) + value) / node.count"),
    bug("f* is the greatest value", "9", TAKE,
        "best, node.f_star = min(best, value), value if node.count == 1 else max(node.f_star, value)"),
    bug("the parent's center is counted once whatever happened before", "9",
        PAST, "past = (node.f_star, 1) if digit == K // 2 else ()"),
    # Children: line 8.
    bug("children are evaluated from right to left", "9", ORDER, "for child in reversed(family):"),
    bug("the center child is evaluated first", "9", ORDER,
        "for child in sorted(family, key=lambda x: x.i % K != K // 2):"),
    bug("the center child is evaluated last", "9", ORDER,
        "for child in sorted(family, key=lambda x: x.i % K == K // 2):"),
    bug("cells are mirrored", "8", SPLIT, SPLIT.replace("digit - K // 2", "K // 2 - digit")),
    bug("the next coordinate is split", "8",
        SPLIT, SPLIT.replace("node.h", "(node.h + 1)").replace("K * c[(", "K * c[(")),
    bug("coordinates are split from the last one on", "8", SPLIT, SPLIT.replace("node.h", "(-1 - node.h)")),
    bug("the first coordinate is always split", "8", SPLIT, SPLIT.replace("node.h % d", "0")),
    bug("a coordinate is split to the end before the next", "8",
        SPLIT, SPLIT.replace("node.h % d", "min(node.h, d - 1)")),
    bug("indices are 32-bit numbers", "8", "K * node.i + digit, c", "(K * node.i + digit) % 2**32, c"),
    bug("indices are floating-point numbers", "8",
        "K * node.i + digit, c", "int(float(K * node.i + digit)), c"),
    bug("numerators are floating-point numbers", "8",
        SPLIT, SPLIT.replace("= K", "= int(float(K").replace("K // 2", "K // 2))")),
    # The budget and the end: lines 1, 10 and 17.
    bug("the root's evaluation is not counted", "1", "evaluate(root)", "evaluate(root)\n    made = 0"),
    bug("one evaluation less is made", "1", 'in ("K", "d", "v", "h_max"))',
        'in ("K", "d", "v", "h_max"))\n    v = max(v - 1, 1)'),
    bug("an expansion is completed beyond the budget", "1",
        "if made == v:\n                                break", "if False:\n                                break",
        ENDS, ENDS.replace("==", ">="), LAST, LAST.replace("==", ">=")),
    bug("an expansion that does not fit is not begun", "1",
        TESTED, f"if made + sum(map(may_be_evaluated, children(leaf, K, d))) <= v and ({TEST}):"),
    bug("the budget is looked at between sweeps only", "1",
        "if made == v:\n                                break", "if False:\n                                break",
        ENDS, "            t", LAST, "    depth"),
    bug("the children of a cut expansion enter the tree", "10",
        "                    else:\n", "                    if True:\n"),
    bug("an expanded leaf stays a leaf", "10", "leaves.remove(leaf)", "pass"),
    bug("an expansion that just fits is dropped", "10", "                    else:\n",
        "                    if made < v:\n"),
    bug("a run with a full tree does not end", "1", "while made < v and expanded:", "while made < v:"),
    bug("a run ends after a sweep without improvement", "1",
        "nu_min, sweep, expanded = None, sweep + 1, False",
        "nu_min, sweep, expanded, before = None, sweep + 1, False, best",
        '    depth, reason = ', "        expanded = expanded and best < before\n    depth, reason = "),
    bug("a run ends when the tree has depth h_max", "1",
        "while made < v and expanded:",
        "while made < v and expanded and (sweep == 0 or max(leaf.h for leaf in leaves) <= h_max):"),
    bug("the answer is the least f* of the leaves", "17", "answer=best",
        "answer=min(leaf.f_star for leaf in leaves)"),
    bug("the answer is the last nu_min", "17", "answer=best", "answer=nu_min if sweep else best"),
    bug("the answer leaves out the root", "17", "evaluate(root)", "evaluate(root)\n    best = math.inf"),
    bug("the answer is the last value", "17", TAKE, "best, node.f_star = value, min(node.f_star, value)"),
    # Counters and special values.
    bug("t counts the visits that expand a leaf", "14",
        "nu_min, expanded = leaf.f_star, True", "nu_min, expanded, here = leaf.f_star, True, True",
        "classes = {}", "classes, here = {}, False", "t += 1", "t += here"),
    bug("t counts from zero", "14", "t, sweep, expanded = [root], 1,", "t, sweep, expanded = [root], 0,"),
    bug("sweeps count from zero", "2", "1, 0, True", "1, -1, True"),
    bug("the depth is that of the deepest evaluation", "10",
        "def may_be", "deepest = 0\n\n    def may_be",
        "depth, reason = max(leaf.h for leaf in leaves)", "depth, reason = deepest",
        "nu_min, expanded = leaf.f_star, True",
        "nu_min, expanded, deepest = leaf.f_star, True, max(deepest, l + 1)"),
    bug("nodes are counted for leaves", "10", "leaves=len(leaves)",
        "leaves=len(leaves) + (len(leaves) - 1) // (K - 1)"),
    bug("p counts the evaluations of a node", "9", "p=node.count", "p=1"),
    bug("a leaf with an infinite value is discarded", "6",
        "leaves += family", "leaves += [child for child in family if child.f_star < math.inf]"),
    bug("an infinite value is never expanded", "6", TEST,
        "leaf.f_star < math.inf and (nu_min is None or leaf.f_star < nu_min)"),
    bug("negative infinity ends the run", "1", "while made < v and expanded:",
        "while made < v and expanded and best > -math.inf:"),
]  # fmt: skip


@cache
def source() -> str:
    """The correct program."""
    return (FOLDER / "hunter.py").read_text(encoding="utf-8")


@cache
def program(of: Bug | None) -> Callable[..., None]:
    """Return `hunt` of the program with this bug, or of the correct one."""
    text = source()
    for old, new in of.changes if of else ():
        assert text.count(old) == 1, f"{of.name if of else ''}: {old!r} occurs {text.count(old)} x"
        text = text.replace(old, new)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "hunter.py", "exec"), namespace)
    hunt: Callable[..., None] = namespace["hunt"]
    return hunt


def first_difference(of: Bug | None, trace: list[Fields]) -> int | None:
    """Return the position of the first event in which the program differs from a trace."""
    position, expected = 0, trace[1:]

    def write(**event: Any) -> None:
        nonlocal position
        if position == len(expected) or encoded(event) != expected[position]:
            raise Differs
        position += 1

    def value_of(**event: Any) -> float:
        value: Any = expected[position].get("value") if position < len(expected) else None
        write(**event, value=value)
        return float(value)

    settings = dict(trace[0]["settings"])
    try:
        program(of)(settings, value_of, write)
    except (Differs, ValueError):  # an empty minimum: all leaves have been discarded
        return position
    return None if position == len(expected) else position


class Differs(Exception):
    """The event that the program writes is not the one that must come."""


def encoded(event: dict[str, Any]) -> Fields:
    """Return an event as JSON has it."""
    return {k: str(x) if x in (math.inf, -math.inf) else x for k, x in event.items()}


MOST = 1500
"""Greatest number of events of a run that is not complete."""


class TooLong(Exception):
    """The run of a program with a bug does not end."""


def trace_of(hunt: Any, settings: Parameters, g: Objective) -> list[Fields]:
    """The trace of a program, as far as it runs."""
    events = [header(settings)]

    def write(**event: Any) -> None:
        if len(events) > MOST:
            raise TooLong
        events.append(json.loads(json.dumps(encoded(event))))

    def value_of(**event: Any) -> float:
        node = package.birth((event["h"], event["i"]), settings.K)
        value = g(node, event["p"])
        write(**event, value=value)
        return value

    with contextlib.suppress(TooLong, ValueError):  # a minimum of no leaves
        hunt(settings.as_json(), value_of, write)
    return events
