"""Print Python files as terms of PythonSyntax.v: python3 print_python.py > SearchText.v.

It only prints: a class of Python's module `ast` becomes the constructor of the same name, a list a
list, a name a string. What PythonSyntax.v has no constructor for is an error.
Standard library only.
"""

import ast
import sys
from pathlib import Path

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
    "AugAssign": "target op value", "AnnAssign": "target value", "For": "target iter body",
    "While": "test body", "If": "test body orelse", "Import": "names",
    "ImportFrom": "module names", "Expr": "value",
} | dict.fromkeys(
    ("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "Not", "USub", "And", "Or",
     "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot"), ""
)  # fmt: skip
"""The arguments of each constructor, as PythonSyntax.v has them."""
OPTIONAL = {("Slice", "lower"), ("Slice", "upper"), ("AnnAssign", "value")}
IGNORED = {
    "ctx", "annotation", "returns", "type_comment", "simple", "lineno", "col_offset",
    "end_lineno", "end_col_offset", "level", "type_params",
}  # fmt: skip
"""They have no meaning for the search; any other field without an argument must be empty."""
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
        case None:
            return "None"
        case str():
            return f'"{node}"'
        case list():
            return "[" + "; ".join(term(part) for part in node if not is_docstring(part)) + "]"
        case ast.Constant(value=value):
            return f"(Constant {constant(value)})"
        case ast.arg(arg=name) | ast.alias(name=name, asname=None):
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
        case int():
            return f"(PInt {value})"
        case str():
            return f'(PString "{value}")'
    raise ValueError(f"no term for {value!r}")


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
    parts.append(
        f"\nDefinition search_py : list stmt := {' ++ '.join(f'{n}_py' for n in sources)}.\n"
    )
    return "".join(parts)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else SOURCE
    print(text({name: (folder / f"{name}.py").read_text("utf-8") for name in MODULES}), end="")
