"""Print Python files as terms of PythonSyntax.v: python3 print_python.py > SearchText.v.

It only prints: a class of Python's module `ast` becomes the constructor of the same name, a list a
list, a name a string. What PythonSyntax.v has no constructor for is an error. Left out are strings
that are statements, positions, and the annotations of parameters and results, which may consist of
names, subscripts and `|` alone: whatever CPython does with them changes nothing.
Standard library only.
"""

import ast
import sys
from pathlib import Path
from types import EllipsisType

SOURCE = Path(__file__).resolve().parents[2] / "src" / "embedded_hunter"
MODULES = ("node", "tree", "hunter")
FIELDS = {
    "Attribute": "value attr", "Subscript": "value slice", "Slice": "lower upper",
    "BinOp": "left op right", "UnaryOp": "op operand", "BoolOp": "op values",
    "Compare": "left ops comparators", "IfExp": "test body orelse", "Tuple": "elts",
    "List": "elts", "Dict": "keys values", "Starred": "value", "Call": "func args keywords",
    "ListComp": "elt generators", "GeneratorExp": "elt generators", "Yield": "value",
    "YieldFrom": "value", "Name": "id", "arguments": "args kwonlyargs kw_defaults defaults",
    "FunctionDef": "name args body decorator_list", "ClassDef": "name bases body decorator_list",
    "Return": "value", "Delete": "targets", "Assign": "targets value", "Break": "",
    "AugAssign": "target op value", "AnnAssign": "target annotation value",
    "For": "target iter body", "While": "test body", "If": "test body orelse", "Import": "names",
    "ImportFrom": "module names", "Expr": "value",
} | dict.fromkeys(
    ("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "BitOr", "Not", "USub", "And", "Or",
     "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot"), ""
)  # fmt: skip
"""The arguments of each constructor, as PythonSyntax.v has them."""
OPTIONAL = {("Slice", "lower"), ("Slice", "upper"), ("AnnAssign", "value")}
IGNORED = {"ctx", "returns", "simple", "lineno", "col_offset", "end_lineno", "end_col_offset"}
"""Without meaning, or looked at below; any other field without an argument must be empty."""
TYPES = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.BitOr,
    ast.Load,
)  # fmt: skip
"""What annotations that are not printed consist of."""
HEAD = """(** * The text of the search: {}.

    Written by [print_python.py]; a test compares it with the Python files. *)

From Coq Require Import List ZArith String.
From EmbeddedHunter Require Import PythonSyntax.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
"""


def term(node: object) -> str:
    """Return a part of a syntax tree as a term of Rocq."""
    match node:
        case str():
            return f'"{node}"'
        case list():
            return "[" + "; ".join(term(part) for part in node if not is_docstring(part)) + "]"
        case ast.Constant(value=value):
            return f"(Constant {constant(value)})"
        case ast.arg(arg=name, annotation=kind) if is_type(kind):
            return f'"{name}"'
        case ast.alias(name=name, asname=None):
            return f'"{name}"'
        case ast.keyword(arg=str(name), value=value):
            return f'("{name}", {term(value)})'
        case ast.comprehension(target=target, iter=iterable, ifs=ifs, is_async=0):
            return f"({term(target)}, {term(iterable)}, {term(ifs)})"
        case ast.AST():
            return construct(node)
    raise ValueError(f"no term for {node!r}")


def construct(node: ast.AST) -> str:
    """Return a constructor with its arguments."""
    name = type(node).__name__
    match node:
        case ast.AnnAssign(target=ast.Name(), simple=0):  # (x): int declares no field
            raise ValueError(f"no term for {ast.dump(node)}")
        case ast.FunctionDef(returns=kind) if not is_type(kind):
            raise ValueError(f"no term for {ast.dump(node)}")
    if name not in FIELDS:
        raise ValueError(f"no term for {ast.dump(node)}")
    wanted = FIELDS[name].split()
    for field in set(node._fields) - set(wanted) - IGNORED:
        if getattr(node, field):
            raise ValueError(f"no term for {field} of {ast.dump(node)}")
    words = [name[0].upper() + name[1:]]
    for field in wanted:
        part = getattr(node, field)
        if field == "kw_defaults":
            words.append("[" + "; ".join(optional(each) for each in part) + "]")
        else:
            words.append(optional(part) if (name, field) in OPTIONAL else term(part))
    return f"({' '.join(words)})" if wanted else words[0]


def optional(node: ast.AST | None) -> str:
    """Return an option."""
    return "None" if node is None else f"(Some {term(node)})"


def constant(value: object) -> str:
    """Return a constant; bool before int, because True is an int."""
    match value:
        case None | True | False:
            return f"P{value}"
        case EllipsisType():
            return "PEllipsis"
        case int():
            return f"(PInt {value})"
        case str():
            return '(PString "' + value.replace('"', '""') + '")'
    raise ValueError(f"no term for {value!r}")


def is_type(annotation: ast.AST | None) -> bool:
    """Tell whether an annotation does nothing; there may be none."""
    return annotation is None or all(isinstance(part, TYPES) for part in ast.walk(annotation))


def is_docstring(node: object) -> bool:
    """Tell whether a statement is a string, which does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def module(source: str) -> str:
    """Return a module as a list of statements, one a line."""
    body = [term(node) for node in ast.parse(source).body if not is_docstring(node)]
    return "[\n  " + ";\n  ".join(body) + "\n]"


def text(sources: dict[str, str]) -> str:
    """Return a file of Rocq with a definition for each module."""
    parts = [HEAD.format(", ".join(f"{name}.py" for name in sources))]
    parts += [
        f"\nDefinition {name}_py : list stmt := {module(source)}.\n"
        for name, source in sources.items()
    ]
    modules = "; ".join(f'("{name}", {name}_py)' for name in sources)
    parts.append(f"\nDefinition modules_py : list (string * list stmt) := [{modules}].\n")
    parts.append("Definition search_py : list stmt := flat_map snd modules_py.\n")
    return "".join(parts)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else SOURCE
    print(text({name: (folder / f"{name}.py").read_text("utf-8") for name in MODULES}), end="")
