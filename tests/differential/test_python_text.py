"""The interpreter of proofs/text beside CPython, and its stored text beside today's files.

Rocq runs the interpreter with ``vm_compute`` (RunText.v): on programs that are to tell the two
apart, on random ones, and on the text of the search itself, visit by visit. What CPython refuses,
the interpreter has to refuse; it may refuse more, such as a loop over a list that grows.
"""

import ast
import importlib
import importlib.util
import random
import re
from fractions import Fraction
from pathlib import Path
from textwrap import indent
from types import SimpleNamespace
from typing import Any

import pytest

from differential.python_programs import AGREE, STOPS
from differential.translate import PROOFS, computed, needs_rocq
from embedded_hunter.hunter import Evaluation, hunt
from embedded_hunter.node import Node

spec = importlib.util.spec_from_file_location("print_python", PROOFS / "text" / "print_python.py")
assert spec is not None
assert spec.loader is not None
print_python = importlib.util.module_from_spec(spec)
spec.loader.exec_module(print_python)

GREAT = 1000000
"""Stands for +inf in RunText.v."""
SOURCES = {
    name: (print_python.SOURCE / f"{name}.py").read_text(encoding="utf-8")
    for name in print_python.MODULES
}


@pytest.mark.claim("python-text")
def test_the_stored_text_is_the_text_of_the_search() -> None:
    """Of the files that are imported here."""
    for name in print_python.MODULES:
        imported = importlib.import_module(f"embedded_hunter.{name}").__file__
        assert imported is not None
        assert Path(imported).samefile(print_python.SOURCE / f"{name}.py")
    stored = (PROOFS / "text" / "SearchText.v").read_text(encoding="utf-8")
    assert print_python.text(SOURCES) == stored, "python3 print_python.py > SearchText.v"


@pytest.mark.parametrize(
    "source",
    [
        "x = 1.5",
        "def f(*a): pass",
        "while 1:\n  break\nelse: pass",
        "import math as m",
        "x[::2]",
        "from .node import Node",
        "def f(a: (min := max)): return a",
        "class A(metaclass=B): x: int",
        "class A:\n  (x): int",
        "def f() -> g(): return 1",
        "def f(): return",
    ],
)
def test_the_printer_refuses_what_the_syntax_has_no_term_for(source: str) -> None:
    with pytest.raises(ValueError, match="no term"):
        print_python.module(source)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the interpreter is compiled once."""
    return tmp_path_factory.mktemp("interpreter")


def definitions(texts: list[str]) -> str:
    """Define m0, m1, ...: the terms of modules. Rocq reads strings slowly: each is defined once."""
    names: dict[str, str] = {}

    def name(string: re.Match[str]) -> str:
        return names.setdefault(string[0], f"x{len(names)}")

    terms = [re.sub(r'"[^"]*"', name, text) for text in texts]
    strings = [f"Definition {x} := {string}.\n" for string, x in names.items()]
    modules = [f"Definition m{i} : list stmt := {term}.\n" for i, term in enumerate(terms)]
    return "".join(strings + modules)


def row(value: Any) -> list[int]:
    """Return a value of CPython as RunText.v has it."""
    match value:
        case None:
            return [0]
        case bool():
            return [1, int(value)]
        case int():
            return [2, value]
        case float():
            return [3, GREAT]
        case tuple():
            return [4, len(value), *(n for part in value for n in row(part))]
        case list():
            return [6, len(value), *(n for part in value for n in row(part))]
        case dict():
            return [7, len(value), *(n for k, part in value.items() for n in (k, *row(part)))]
    return [8, *(n for name in value.__slots__ for n in row(getattr(value, name)))]


PRELUDE = """
import math
from bisect import insort
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

class Pair(NamedTuple):
    a: int
    b: int

@dataclass(slots=True)
class Box:
    n: int
    worst: float = math.inf
    parts: list[int] = field(default_factory=list)

    def __lt__(self, other: "Box") -> bool:
        return self.n < other.n

    def grow(self, by: int, *, twice: bool = False) -> int:
        self.n += by * 2 if twice else by
        self.parts.append(self.n)
        return self.n

def helper(x: int, y: int = 3) -> int:
    for i in range(y):
        if i * x > 20:
            return i - x
    return x + y

@lru_cache(maxsize=64)
def powers(n: int, k: int) -> tuple[int, ...]:
    return tuple(k**i for i in range(n))

class Bag:
    def __init__(self, *, by: int = 2) -> None:
        self.by = by
        self.count = 0
        self.classes: dict[int, list[Box]] = {}
        self.last: int | None = None

    def put(self, x: Box) -> None:
        insort(self.classes.setdefault(x.n % self.by, []), x)
        self.count += 1
        self.last = x.n

    def take(self, name: int) -> int:
        boxes = self.classes[name]
        n = boxes[0].n
        del boxes[0]
        if not boxes:
            del self.classes[name]
        self.count -= 1
        self.last = None
        return n

    def firsts(self) -> list[int]:
        return [self.classes[name][0].n for name in sorted(self.classes, reverse=True)]
"""
PRELUDE_CODE = compile(PRELUDE, "prelude", "exec")


class Programs:
    """Random functions of a and b, on integers, lists, a dictionary, tuples and objects."""

    def __init__(self, seed: int) -> None:
        self.rnd, self.loops = random.Random(seed), 0

    def number(self, depth: int = 2) -> str:
        """Return an expression that is an integer."""
        small = str(self.rnd.randint(0, 4))
        simple = ["a", "b", "n0", "n1", small, small, "box.n", "pair.b"]
        if depth == 0:
            return self.rnd.choice(simple)
        x, y = self.number(depth - 1), self.number(depth - 1)
        choices = [
            *simple, f"({x} + {y})", f"({x} - {y})", f"({x} * {small})",
            f"({x} // {self.rnd.randint(1, 3)})",
            f"({x} % {self.rnd.randint(-3, 3)})", f"(-{x})",
            f"({x} if {self.test(depth - 1)} else {y})", "len(l0)",
            f"l0[{small}]", f"t0[{small}]", f"min({x}, {y})", f"helper({x})",
            f"helper({x}, y={small})", f"box.grow({x}, twice=True)", f"d0[{small}]",
            f"divmod({x}, -3)[1]", f"(2 ** {small})", f"d0.setdefault({x}, {y})",
            f"sorted(d0, reverse=True)[{small}]", "l0[-1]", "t0[-2]", "bag.count", "bag.take(0)",
            "min(l0, default=3)", "min(l1, default=n0)",
            f"bag.take({x} % 2)", "len(bag.firsts())", "len(box.parts)", "(l1 or l0)[0]",
            f"helper(*[{x}, {small}])", f"helper(y=2, x={x})", f"box.grow({x})", f"({x} ** 2 % 7)",
            f"(-(-{x} // 3))", "t0[1:][0]", f"[{x}, {y}][0]", f"powers({small}, {x} % 5)[0]",
            f"powers(4, k={x} % 5)[{small}]", f"Pair({x}, {y}).b", "(*t0, *l0)[1]",
        ]  # fmt: skip
        return self.rnd.choice(choices)

    def test(self, depth: int = 1) -> str:
        """Return an expression that is a truth value."""
        x, y = self.number(depth), self.number(depth)
        op = self.rnd.choice(["<", "<=", ">", ">=", "==", "!="])
        return self.rnd.choice(
            [
                f"{x} {op} {y}", "not l0", f"({x} {op} {y} and {y} > 1)", "(l1 or True)",
                f"({x} < 2 or {y} {op} 3)", "pair is None", "t0 is not None",
                "bag.last is None", "bag.last is not None", "not bag.firsts()",
                "box.worst == math.inf", "not box.worst < math.inf",
            ]
        )  # fmt: skip

    def statement(self, depth: int, looping: bool) -> list[str]:
        """Return a statement, as lines."""
        x, y, small = self.number(), self.number(1), str(self.rnd.randint(0, 3))
        signed = str(self.rnd.randint(-3, 4))
        self.loops += 1
        turn = f"w{self.loops}"
        simple = [
            [f"n0 = {x}"], [f"n1 = {x}"], [f"n1 += {y}"], [f"l0.append({x})"], [f"d0[{y}] = {x}"],
            [f"t0 = (*t0[:{small}], {x}, *l0)"], ["l1 = l0"], [f"l1 = l0[{small}:]"],
            [f"l0 += [{x}, {y}]"], [f"del l0[{small} + 3 :]"], ["del l0[-1]", "l0.append(1)"],
            [f"d0[9] = {y}", "del d0[9]"],
            [f"n0, n1 = {x}, {y}"], [f"pair = Pair({x}, b={y})"], ["n0, n1 = pair"],
            [f"box.n = {x}"],
            [f"l1 = [q * {small} for q in l0 if q > {small}]"],
            ["l1 = sorted(d0, reverse=True)"],
            ["l0 = [p + q for p, q in zip(l0, l0[:], strict=True)]"], ["box = Box(n0)"],
            ["del d0[sorted(d0, reverse=True)[0]]"], ["t0 = tuple(q - 1 for q in t0)"],
            [f"box = Box({x}, parts=l0)"],
            [f"l1 = [{x}]", f"insort(l1, {y})", f"insort(l1, {small})"],
            [f"boxes = [Box({x}), Box({y})]", f"insort(boxes, Box({small}))", "n0 = boxes[0].n"],
            [f"insort(l0, {y})"], [f"l0[{small}] = {x}"], [f"l1[-1] = {y}"],
            [f"l1 = [{small}]"],
            [f"t0 = ({small},) * {small} + t0"], ["n1 = l0[-1]"], ["l1 = l0[:-1]"],
            [f"bag.put(Box({x}))"], [f"bag.put(Box({x}, worst=math.inf))"], ["l1 = bag.firsts()"],
            ["bag.put(box)"], [f"bag = Bag(by={self.rnd.randint(1, 3)})", "bag.put(box)"],
            ["l1 = box.parts"], [f"box.parts += [{x}]"], ["box.parts = l0"], ["n0, n1 = n1, n0"],
            [f"l0 = l0[{signed}:]", "l0 += [3]"], [f"l1 = l0[:{signed}]"], [f"l1 += (n0, {x})"],
            [f"del l0[{signed}:]", "l0 += [1, 2, 3]"], [f"t0 = (*t0[{signed}:], 1, 2)"],
            ["l0 = [*l0, *l1]", "del l0[6:]"], ["box2 = box", f"box2.n = {x}"], [f"n0 -= {x}"],
            ["n0 *= 2", "n0 = n0 % 1000"], ["t0 += (1,)", "t0 = t0[:5]"], ["pair = Pair(*t0[:2])"],
            ["l1 = [len(bag.classes[q]) for q in sorted(bag.classes, reverse=True)]"],
            [f"expanded = {self.test()}", "if expanded:", f"    n0 = {x}"],
            [f"if {self.test()}:", "    return n0, l0, t0"],
            [f"t0 = powers({small}, n0 % 5) + t0[:3]"],
            *([["break"]] if looping else []),
        ]  # fmt: skip
        if depth == 0 or self.rnd.random() < 0.6:
            return self.rnd.choice(simple)
        is_loop = self.rnd.random() < 0.6
        inner = [f"    {line}" for line in self.block(depth - 1, looping or is_loop)]
        stop = [f"    if {turn} > 9:", "        break"]
        loops = [
            [f"for n{self.rnd.randint(0, 1)} in range({small}):", *inner],
            [f"{turn} = 0", "for n1 in l0:", *inner, f"    {turn} += 1", *stop],
            ["for p, (q, n0) in zip(l0[:], zip(t0[:], t0[:], strict=True), strict=True):", *inner],
            [f"{turn} = 0", f"while {turn} < {small}:", f"    {turn} += 1", *inner],
        ]
        tests = [[f"if {self.test()}:", *inner], [f"if {self.test()}:", *inner, "else:", *inner]]
        return self.rnd.choice(loops if is_loop else tests)

    def block(self, depth: int, looping: bool = False) -> list[str]:
        """Return a few statements, as lines."""
        found = [self.statement(depth, looping) for _ in range(self.rnd.randint(1, 3))]
        return [line for lines in found for line in lines]

    def function(self) -> str:
        """Return the text of a function."""
        body = [
            "n0, n1, l0, d0, t0 = a, b, [a, b, 2, 5, 1], {}, (b, 1, a, 0, 2)", "l1 = [0, a]",
            *(f"d0[{i}] = a + {i}" for i in range(5)),
            "pair, box, box2, bag = Pair(a, b), Box(b), Box(1), Bag()", "bag.put(Box(a))",
            *(line for _ in range(4) for line in self.block(2)),
            "return n0, n1, l0, d0, t0, l1, pair, box, box2.n, bag.count, bag.firsts()",
        ]  # fmt: skip
        return "def f(a, b):\n" + "".join(f"    {line}\n" for line in body)


def run_in_cpython(source: str, a: int, b: int) -> list[list[int]]:
    """Return what a function returns, as RunText.v has it; [] if it raises an exception."""
    names: dict[str, Any] = {"__name__": "program"}
    try:
        exec(PRELUDE_CODE, names)
        exec(source, names)
        return [row(names["f"](a, b))]
    except Exception:
        return []


def whole(program: str) -> str:
    """Return a program with its function, given definitions and the body of the function."""
    if "def f(" in program:
        return program
    definitions = (ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    ends = [x.end_lineno or 0 for x in ast.parse(program).body if isinstance(x, definitions)]
    lines = program.splitlines(keepends=True)
    before, body = lines[: max(ends, default=0)], lines[max(ends, default=0) :]
    return "".join(before) + "\ndef f(a, b):\n" + indent("".join(body), "    ")


@needs_rocq
@pytest.mark.claim("python-text")
def test_the_interpreter_does_what_cpython_does_or_stops(folder: Path) -> None:
    programs = {name: whole(program) for name, program in (AGREE | STOPS).items()}
    texts = [print_python.module(source) for source in (PRELUDE, *programs.values())]
    calls = [f'returned (m0 ++ m{i})%list "f" 2 5' for i in range(1, len(texts))]
    found = computed("PythonSyntax RunText", calls, folder, definitions(texts))
    for (name, source), ours in zip(programs.items(), found, strict=True):
        expected = run_in_cpython(source, 2, 5) if name in AGREE else []
        assert ours == expected, name
        assert ours or name in STOPS, name


@needs_rocq
@pytest.mark.long
@pytest.mark.claim("python-text")
def test_the_interpreter_does_what_cpython_does(folder: Path) -> None:
    """On 3,000 random programs."""
    programs, rnd = Programs(0), random.Random(0)
    sources: list[str] = []
    calls: list[str] = []
    expected: list[list[list[int]]] = []
    while len(calls) < 3000:
        source = programs.function()
        a, b = rnd.randint(-3, 6), rnd.randint(-3, 6)
        expected.append(run_in_cpython(source, a, b))
        sources.append(source)
        calls.append(f'returned (m0 ++ m{len(sources)})%list "f" ({a}) ({b})')
    texts = [print_python.module(PRELUDE), *map(print_python.module, sources)]
    found = computed("PythonSyntax RunText", calls, folder, definitions(texts))
    agreed = 0
    for source, ours, cpython in zip(sources, found, expected, strict=True):
        agreed += ours == cpython != []
        assert ours in ([], cpython), source
    assert agreed >= 1000


def visited(settings: Any, seed: int, levels: int) -> list[list[int]]:
    """Return a run of the search in CPython, with the values of RunText.v."""

    def sample(evaluation: Evaluation) -> int:
        node, p = evaluation
        return (node.h * 7919 + node.i * seed * seed + p * 101 + seed) % 1009 % levels

    def place(node: Node) -> list[int]:
        return [node.h, node.i, node.nrm]

    found: list[list[int]] = []
    run = hunt(settings)
    try:
        visit = next(run)
        while True:
            seen = [visit.sweep, visit.t, visit.l]
            seen += [n for e in visit.expansions for n in place(e.leaf)]
            seen += [n for e in visit.evaluations for n in (e.p, *place(e.node))]
            found.append(seen)
            visit = run.send([float(sample(e)) for e in visit.evaluations])
    except StopIteration as end:
        return [*found, [int(end.value)]]


@needs_rocq
@pytest.mark.long
@pytest.mark.claim("python-text")
def test_the_interpreter_runs_the_search_as_cpython_does(folder: Path) -> None:
    rnd = random.Random(5)
    calls: list[str] = []
    expected: list[list[list[int]]] = []
    for _ in range(30):
        d, k, h_max, v = (
            rnd.randint(1, 4),
            rnd.choice([1, 1, 2]),
            rnd.randint(0, 5),
            rnd.randint(1, 80),
        )
        cap = Fraction(rnd.choice([0, rnd.randint(1, 60)]), rnd.choice([1, 3]))
        seed, levels = rnd.randint(1, 97), rnd.choice([2, 3, 10, 1009])
        numbers = (d, k, v, h_max, cap.numerator, cap.denominator, seed, levels)
        calls.append(f"hunts {' '.join(map(str, numbers))}")
        settings = SimpleNamespace(d=d, K=2 * k + 1, v=v, h_max=h_max, cap=cap)
        expected.append(visited(settings, seed, levels))
    assert computed("PythonSyntax RunText", calls, folder) == expected
    assert max(len(run) for run in expected) > 20
