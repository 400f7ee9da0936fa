"""The code that some functions reach: definitions at the top of the project's files.

From a definition, every name in it is followed to its definition, through imports too. What is
called through an object counts with the class of the object, which the code must name somewhere. So
too much is found rather than too little; a test compares what is found with what runs call.

Comments, docstrings and annotations do not count.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2]
"""The folder of both packages."""
WITHOUT = ("annotation", "returns", "ctx", "kind", "type_comment", "type_ignores", "type_params")
"""Fields of a syntax tree that decide nothing, or that not every Python version has."""
Definition = tuple[str, str]
"""A module, and a name at its top; the name is empty for what else the module does."""


class Module:
    """What is at the top of a file.

    Attributes
    ----------
    path
        The file.
    definitions
        The statements that define each name; under the empty name all others.
    imports
        What an imported name stands for: a module, and a name of it or nothing.
    """

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.definitions: dict[str, list[ast.stmt]] = {"": []}
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.imports = dict(_imports(tree))
        for statement in tree.body:
            for defined in _defined(statement):
                self.definitions.setdefault(defined, []).append(statement)
        self._reached: dict[str, set[Definition]] = {}
        self._texts: dict[str, str] = {}

    def reached_by(self, defined: str) -> set[Definition]:
        """Return the definitions that those of a name name."""
        if defined not in self._reached:
            self._reached[defined] = {
                other
                for statement in self.definitions[defined]
                for other in _named(statement, self.name)
            }
        return self._reached[defined]

    def text_of(self, defined: str) -> str:
        """Return what defines a name, without comments, docstrings and annotations."""
        if defined not in self._texts:
            self._texts[defined] = "\n".join(map(_text, self.definitions[defined]))
        return self._texts[defined]


@cache
def module_of(name: str) -> Module | None:
    """Return a module of the project; None for other names."""
    place = SOURCE.joinpath(*name.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return Module(name, path)
    return None


def reached(starts: Iterable[Definition], without: Iterable[Definition] = ()) -> set[Definition]:
    """Return what some definitions reach, themselves included.

    Parameters
    ----------
    without
        Definitions that are not followed, such as a registry of which one entry matters.

    Raises
    ------
    KeyError
        If one of the starts is not defined.
    """
    left_out, found = frozenset(without), set[Definition]()
    missing = list(starts)
    for start in missing:
        if _resolve(*start) != start:
            raise KeyError(f"{start[0]} does not define {start[1]}")
    while missing:
        one = missing.pop()
        if one in found or one in left_out:
            continue
        found.add(one)
        module = module_of(one[0])
        assert module is not None
        missing += [(one[0], ""), *module.reached_by(one[1])]
    return found


def hashes(definitions: Iterable[Definition]) -> dict[str, str]:
    """Return a hash of the definitions of each file, by the file's place in the checkout."""
    texts: dict[str, list[str]] = {}
    for name, defined in sorted(definitions):
        module = module_of(name)
        assert module is not None
        place = f"src/{module.path.relative_to(SOURCE).as_posix()}"
        texts.setdefault(place, []).append(f"{defined}\n{module.text_of(defined)}")
    return {
        place: hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
        for place, parts in texts.items()
    }


def _defined(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top defines; the empty one for other work."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            stored = [part for target in targets for part in ast.walk(target)]
            return {part.id for part in stored if isinstance(part, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return set()
    return {""}


def _imports(tree: ast.AST) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Yield the names that the imports of a file bind, wherever they stand in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                yield (one.asname, (one.name, None)) if one.asname else (first, (first, None))
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0, "the project has no relative imports"
            for one in node.names:
                yield one.asname or one.name, (node.module, one.name)


def _resolve(module: str, name: str | None) -> Definition | str | None:
    """Return the definition of a name of a module, or a module's name; None if it is not ours."""
    found = module_of(module)
    if found is None:
        return None
    if name is None:
        return module
    if name in found.definitions:
        return module, name
    if name in found.imports:
        return _resolve(*found.imports[name])
    return _resolve(f"{module}.{name}", None)


def _named(node: ast.AST, name: str) -> Iterator[Definition]:
    """Yield the definitions that a statement of a module names."""
    match node:
        case ast.Attribute():
            chain: list[str] = []
            value: ast.expr = node
            while isinstance(value, ast.Attribute):
                chain.insert(0, value.attr)
                value = value.value
            if isinstance(value, ast.Name):
                yield from _at(_resolve(name, value.id), chain)
                return
        case ast.Name(id=used):
            yield from _at(_resolve(name, used), [])
    for child in _children(node):
        yield from _named(child, name)


def _at(found: Definition | str | None, attributes: list[str]) -> Iterator[Definition]:
    """Yield what a name with attributes stands for; of a module alone, all of it."""
    while isinstance(found, str) and attributes:
        found, attributes = _resolve(found, attributes[0]), attributes[1:]
    if isinstance(found, str):
        module = module_of(found)
        assert module is not None
        yield from ((found, name) for name in module.definitions)
    elif found is not None:
        yield found


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for value in _fields(node).values():
        yield from (part for part in (value if isinstance(value, list) else [value])
                    if isinstance(part, ast.AST))  # fmt: skip


def _fields(node: ast.AST) -> dict[str, Any]:
    """Return the fields of a node that count; without docstrings."""
    found = {}
    for name, value in ast.iter_fields(node):
        if name in WITHOUT or value is None or value == []:
            continue
        if isinstance(value, list):
            value = [part for part in value if not _is_docstring(part)]
        found[name] = value
    return found


def _is_docstring(node: object) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _text(node: object) -> str:
    """Return a node as text, the same in each Python version."""
    if isinstance(node, ast.AST):
        fields = ", ".join(f"{name}={_text(value)}" for name, value in _fields(node).items())
        return f"{type(node).__name__}({fields})"
    if isinstance(node, list):
        return f"[{', '.join(map(_text, node))}]"
    return repr(node)
