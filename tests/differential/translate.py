"""Translate the extracted Rocq models into plain Python.

``python tests/differential/translate.py`` writes the texts again. Rocq writes the models as JSON
(Extract.v), one file for each of its own modules. Algorithm 1 and all that it uses become
extracted/model.txt. What the policy forest adds becomes forest_model.txt, which imports `model`.
Every function becomes a Python function of the same name, every theorem about the model is a
theorem about what that function computes, and no Rocq is needed to run it.
Values are represented so:

    nat, positive, Z   int, with the constructors read as n + 1, 2 p, 2 p + 1, -p
    bool               bool
    list               () or (head, tail)
    option             None or (value,)
    one constructor    the tuple of its arguments (pairs, leaves, states)
    otherwise          ("Constructor", arguments ...)
"""

import json
import keyword
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PROOFS = HERE.parents[1] / "proofs"
TARGET, FOREST = (HERE / "extracted" / f"{name}.txt" for name in ("model", "forest_model"))
ORDER = [
    *("Datatypes", "Nat", "PeanoNat", "BinNums", "BinPos", "BinInt", "List"),
    *("Lattice", "Model", "Forest"),
]
"""The files of the extraction, each after those that it uses."""

needs_rocq = pytest.mark.skipif(
    shutil.which("coqc") is None and "EMBEDDED_HUNTER_REQUIRE_ROCQ" not in os.environ,
    reason="coqc is not installed",
)
Json = dict[str, Any]

HEADER = '''"""{}: proofs/{} in Python, written by translate.py. Do not edit."""

from functools import partial

'''
IMPORT = "from model import *\n\n"

# Rocq's inductive types with a Python representation of their own: for each constructor, how it is
# built from its arguments, the test that recognises it, and how its arguments are taken apart.
NATIVE: dict[str, tuple[str, str, list[str]]] = {
    "Datatypes.Coq_true": ("True", "{s}", []),
    "Datatypes.Coq_false": ("False", "not {s}", []),
    "Datatypes.O": ("0", "{s} == 0", []),
    "Datatypes.S": ("({0} + 1)", "{s} != 0", ["{s} - 1"]),
    "Datatypes.Coq_nil": ("()", "not {s}", []),
    "Datatypes.Coq_cons": ("({0}, {1})", "{s}", ["{s}[0]", "{s}[1]"]),
    "Datatypes.None": ("None", "{s} is None", []),
    "Datatypes.Some": ("({0},)", "{s} is not None", ["{s}[0]"]),
    "BinNums.Coq_xH": ("1", "{s} == 1", []),
    "BinNums.Coq_xO": ("(2 * {0})", "{s} % 2 == 0", ["{s} // 2"]),
    "BinNums.Coq_xI": ("(2 * {0} + 1)", "{s} % 2 == 1 and {s} != 1", ["{s} // 2"]),
    "BinNums.Z0": ("0", "{s} == 0", []),
    "BinNums.Zpos": ("{0}", "{s} > 0", ["{s}"]),
    "BinNums.Zneg": ("(-{0})", "{s} < 0", ["-{s}"]),
}


def extract() -> dict[str, Json]:
    """Compile the models in a folder of their own and return Rocq's JSON, module by module."""
    with tempfile.TemporaryDirectory() as folder:
        compile_rocq(HERE / "Extract.v", Path(folder))
        modules = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    return {module["name"]: module for module in modules}


def compile_rocq(source: Path, folder: Path) -> str:
    """Compile a file in a folder, after our files that it requires; return what it prints."""
    for names in re.findall(r"From EmbeddedHunter Require (?:Import )?(.*?)\.", source.read_text()):
        for name in names.split():
            if not (folder / f"{name}.vo").exists():
                folders = (HERE, PROOFS)
                found = (path for each in folders for path in each.rglob(f"{name}.v"))
                compile_rocq(next(found), folder)
    if source.parent != folder:
        shutil.copy(source, folder)
    command = ["coqc", "-q", "-Q", ".", "EmbeddedHunter", source.name]
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def computed(
    modules: str, calls: list[str], folder: Path, definitions: str = ""
) -> list[list[list[int]]]:
    """Return the rows of integers that Rocq's ``vm_compute`` gives for each call.

    `modules` are our files that define what is called. Integers are of type Z unless a function
    asks for another one.
    """
    head = "From Coq Require Import List ZArith String.\n"
    head += f"From EmbeddedHunter Require Import {modules}.\n"
    head += "Import ListNotations.\nOpen Scope string_scope.\nOpen Scope Z_scope.\n"
    head += "Set Printing Width 1000000.\nSet Printing Depth 1000000.\n"
    asked = f"Eval vm_compute in [{'; '.join(calls)}].\n"
    (folder / "Ask.v").write_text(head + definitions + asked, encoding="utf-8")
    printed = compile_rocq(folder / "Ask.v", folder)
    lists = printed[printed.index("=") + 1 : printed.rindex(":")].replace(";", ",")
    found: list[list[list[int]]] = json.loads(lists)
    return found


@dataclass
class Translator:
    """The names of one extraction, and the Python text of its declarations."""

    modules: dict[str, Json]
    lone: set[str] = field(default_factory=set)  # constructors of one-constructor types
    arity: dict[str, int] = field(default_factory=dict)  # of the functions
    fresh: int = 0

    def __post_init__(self) -> None:
        if set(self.modules) != set(ORDER):
            raise ValueError(f"the extraction uses other modules than expected: {self.modules}")
        for name in ORDER:
            for declaration in self.modules[name]["declarations"]:
                if declaration["what"] == "decl:ind" and len(declaration["constructors"]) == 1:
                    self.lone.add(qualified(name, declaration["constructors"][0]["name"]))
                for function, body in functions(declaration):
                    is_function = body["what"] == "expr:lambda"
                    self.arity[qualified(name, function)] = (
                        len(body["argnames"]) if is_function else 0
                    )

    def texts(self) -> dict[Path, str]:
        """The Python files."""
        *algorithm, forest = ORDER
        heads = {
            TARGET: HEADER.format("Algorithm 1", "model/Model.v"),
            FOREST: HEADER.format("The forest policy", "forest/Forest.v") + IMPORT,
        }
        parts = {TARGET: algorithm, FOREST: [forest]}
        return {target: head + self.part(parts[target]) for target, head in heads.items()}

    def part(self, names: list[str]) -> str:
        """The functions of some of Rocq's files."""
        parts = []
        for name in names:
            parts.append(f"# ---- {name}.v\n\n")
            for declaration in self.modules[name]["declarations"]:
                for function, body in functions(declaration):
                    parts.append(self.function(name, function, body) + "\n\n")
        return "".join(parts).rstrip() + "\n"

    def function(self, module: str, name: str, body: Json) -> str:
        """One definition."""
        self.fresh = 0
        lines: list[str] = []
        arguments: list[str] = []
        if body["what"] == "expr:lambda":
            names, body = body["argnames"], body["body"]
            # Rocq writes _ for each argument that is not used.
            arguments = [f"unused_{k}" if a == "_" else local(a) for k, a in enumerate(names)]
        self.statement(module, body, "return {}", lines, "    ")
        head = f"def {python_name(qualified(module, name))}({', '.join(arguments)}):"
        return "\n".join([head, *lines])

    def statement(self, module: str, e: Json, end: str, out: list[str], pad: str) -> None:
        """Append statements that compute `e` and put its value into `end`."""
        if e["what"] == "expr:let":
            self.statement(module, e["nameval"], f"{local(e['name'])} = {{}}", out, pad)
            self.statement(module, e["body"], end, out, pad)
        elif e["what"] == "expr:case" and self.projection(e) is None:
            self.case(module, e, end, out, pad)
        else:
            out.append(pad + end.format(self.value(module, e, out, pad)))

    def case(self, module: str, e: Json, end: str, out: list[str], pad: str) -> None:
        """Append a match as a chain of ifs; the last alternative needs no test."""
        scrutinee = self.value(module, e["expr"], out, pad)
        if not scrutinee.isidentifier():
            name = self.temporary()
            out.append(f"{pad}{name} = {scrutinee}")
            scrutinee = name
        last = len(e["cases"]) - 1
        for k, alternative in enumerate(e["cases"]):
            pattern, inner = alternative["pat"], pad
            test, parts = self.pattern(module, pattern, scrutinee)
            if last > 0:
                word = "else" if k == last else f"{'if' if k == 0 else 'elif'} {test}"
                out.append(f"{pad}{word}:")
                inner = pad + "    "
            for name, part in parts:
                out.append(f"{inner}{name} = {part}")
            self.statement(module, alternative["body"], end, out, inner)

    def pattern(self, module: str, pattern: Json, s: str) -> tuple[str, list[tuple[str, str]]]:
        """The test of a pattern, and its variables with what they stand for."""
        if pattern["what"] == "pat:wild":
            return "True", []
        if pattern["what"] != "pat:constructor":
            raise ValueError(f"no translation for {pattern['what']}")
        name = qualified(module, pattern["name"])
        names = pattern["argnames"]
        if name in NATIVE:
            _, test, places = NATIVE[name]
            taken = [place.format(s=s) for place in places]
            test = test.format(s=s)
        elif name in self.lone:
            taken, test = [f"{s}[{k}]" for k in range(len(names))], "True"
        else:
            taken = [f"{s}[{k + 1}]" for k in range(len(names))]
            test = f"{s}[0] == {name.split('.')[-1]!r}"
        return test, [(local(n), t) for n, t in zip(names, taken, strict=True) if n != "_"]

    def projection(self, e: Json) -> int | None:
        """The index k, if the match only takes the k-th argument of a lone constructor."""
        if len(e["cases"]) != 1 or e["cases"][0]["body"]["what"] != "expr:rel":
            return None
        pattern = e["cases"][0]["pat"]
        wanted = e["cases"][0]["body"]["name"]
        if pattern["what"] != "pat:constructor" or wanted not in pattern["argnames"]:
            return None
        index: int = pattern["argnames"].index(wanted)
        return index

    def value(self, module: str, e: Json, out: list[str], pad: str) -> str:
        """Return a Python expression for `e`; statements it needs first are appended to `out`."""
        match e["what"]:
            case "expr:rel":
                return local(e["name"])
            case "expr:global":
                name = qualified(module, e["name"])
                return python_name(name) + ("()" if self.arity[name] == 0 else "")
            case "expr:constructor":
                arguments = [self.value(module, a, out, pad) for a in e["args"]]
                name = qualified(module, e["name"])
                if name in NATIVE:
                    return NATIVE[name][0].format(*arguments)
                if name not in self.lone:
                    arguments.insert(0, repr(name.split(".")[-1]))
                return f"({', '.join(arguments)},)"
            case "expr:apply":
                arguments = [self.value(module, a, out, pad) for a in e["args"]]
                function = e["func"]
                if function["what"] == "expr:global":
                    return self.application(qualified(module, function["name"]), arguments)
                return f"{self.value(module, function, out, pad)}({', '.join(arguments)})"
            case "expr:lambda":
                names = ", ".join(local(a) for a in e["argnames"])
                inner: list[str] = []
                body = self.value(module, e["body"], inner, pad)
                if not inner:
                    return f"(lambda {names}: {body})"
                name = self.temporary()
                out.append(f"{pad}def {name}({names}):")
                self.statement(module, e["body"], "return {}", out, pad + "    ")
                return name
            case "expr:case" if (k := self.projection(e)) is not None:
                return f"{self.value(module, e['expr'], out, pad)}[{k}]"
            case "expr:case" | "expr:let":
                name = self.temporary()
                self.statement(module, e, f"{name} = {{}}", out, pad)
                return name
            case other:
                raise ValueError(f"no translation for {other}")

    def application(self, name: str, arguments: list[str]) -> str:
        """A function of the extraction applied to some arguments, perhaps not all, or more."""
        arity = self.arity[name]
        if len(arguments) < arity:
            return f"partial({', '.join([python_name(name), *arguments])})"
        call = f"{python_name(name)}({', '.join(arguments[:arity])})"
        return call + (f"({', '.join(arguments[arity:])})" if len(arguments) > arity else "")

    def temporary(self) -> str:
        """A name that no Rocq variable has."""
        self.fresh += 1
        return f"_{self.fresh}"


def functions(declaration: Json) -> list[tuple[str, Json]]:
    """The (name, body) pairs that a declaration defines; types define none."""
    if declaration["what"] == "decl:term":
        return [(declaration["name"], declaration["value"])]
    if declaration["what"] == "decl:fixgroup":
        return [(item["name"], item["value"]) for item in declaration["fixlist"]]
    return []


def qualified(module: str, name: str) -> str:
    """The name with its file's name in front: Rocq leaves it out inside that file."""
    return name if name.split(".")[0] in ORDER and "." in name else f"{module}.{name}"


def python_name(name: str) -> str:
    """Model.hunt is hunt, as in the model; the names of Rocq's library stay qualified."""
    name = name.replace("coq_", "")
    ours = name.startswith(("Model.", "Lattice.", "Program.", "Forest."))
    return name.split(".")[1] if ours else name.replace(".", "_")


def local(name: str) -> str:
    """A variable's name: Rocq's primes and Python's keywords need another spelling."""
    name = name.replace("'", "_prime")
    return name + "_" if keyword.iskeyword(name) else name


if __name__ == "__main__":
    for target, text in Translator(extract()).texts().items():
        target.write_text(text)
