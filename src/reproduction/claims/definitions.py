"""The definitions that a Rocq statement or a test uses, directly or through other definitions.

Both searches work on text. They may return a definition too many, for example one that has the name
of a bound variable, but they follow every name that the project's files define.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

WORD = re.compile(r"[A-Za-z_][\w']*")
_DEFINES = re.compile(
    r"(?:(?:Local|Global|Program|#\[[^]]*\])\s+)*"
    r"(?:Definition|Fixpoint|CoFixpoint|Function|Let|Inductive|CoInductive|Variant|Record|Structure"
    r"|Class|Instance|Notation|Infix|Coercion|Axiom|Parameter)\s+(.*)",
    re.DOTALL,
)
_COMMENT = re.compile(r'"[^"]*"|\(\*|\*\)')
_DATA_TYPES = re.compile(r"(?:Inductive|CoInductive|Variant|Record|Structure|Class)\b")
STATEMENTS = "proofs/statements.txt"
"""Each theorem as Rocq prints it. ``make -C proofs`` checks that it agrees with the proofs."""

Object = tuple[Path, str]
"""A file below ``tests`` and the name of an object at its top level."""
_Parsed = tuple[dict[str, list[ast.stmt]], dict[str, tuple[str, str]]]
NO_FILE: _Parsed = ({}, {})


def statements(root: Path) -> dict[str, str]:
    """Return the statement of each theorem, by its name ``File.theorem``, as Rocq prints it."""
    path = root / STATEMENTS
    blocks = path.read_text(encoding="utf-8").split("\n\n")[1:] if path.is_file() else []
    pairs = (block.strip("\n").partition("\n") for block in blocks)
    return {name: text for name, _, text in pairs}


class RocqDefinitions:
    """The definitions of the Rocq sources, comments removed.

    Constructors and fields stand for their types.
    """

    def __init__(self, root: Path) -> None:
        self.texts: dict[str, dict[str, str]] = {}
        """For each file the definitions by name."""
        self.required: dict[str, list[str]] = {}
        """For each file the files that it requires."""
        self._seen: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for path in sorted((root / "proofs").glob("*.v")):
            text = _without_comments(path.read_text(encoding="utf-8"))
            self.texts[path.stem] = _definitions_of_file(text)
            self.required[path.stem] = [
                file
                for line in re.findall(r"\bRequire\s+(?:Import\s+|Export\s+)?([^.]*)\.", text)
                for file in line.split()
            ]

    def used_by(self, theorem: str, statement: str) -> dict[str, str]:
        """Return the definitions that a statement uses, directly or through others.

        Parameters
        ----------
        theorem
            The name of the theorem, ``File.theorem``. Names have the meanings that they can have in
            this file.
        statement
            Its statement.

        Returns
        -------
        dict
            The texts of the definitions, by their names ``File.name``.
        """
        found: dict[str, str] = {}
        todo = [(theorem.partition(".")[0], statement)]
        while todo:
            file, text = todo.pop()
            for other, name in self._named(file, text):
                full = f"{other}.{name}"
                if full not in found:
                    found[full] = self.texts[other][name]
                    todo.append((other, found[full]))
        return found

    def _named(self, file: str, text: str) -> list[tuple[str, str]]:
        """Return the definitions that a text of a file names, as pairs of file and name."""
        if (file, text) not in self._found:
            words = set(WORD.findall(text))
            self._found[file, text] = [
                (other, name)
                for other in self._visible(file)
                for name in words & self.texts[other].keys()
            ]
        return self._found[file, text]

    def _visible(self, file: str) -> list[str]:
        """Return a file and those that it requires, directly or through others."""
        if file not in self._seen:
            seen = [file] if file in self.texts else []
            for other in seen:
                seen += [x for x in self.required[other] if x in self.texts and x not in seen]
            self._seen[file] = seen
        return self._seen[file]


def _definitions_of_file(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for sentence in re.split(r"\.(?=\s)", text):
        line = " ".join(sentence.split())
        if (match := _DEFINES.match(line)) is None:
            continue
        names = set(WORD.findall(match[1])[:1]) | set(re.findall(r"\bwith ([\w']+)", line))
        if _DATA_TYPES.search(line):
            names |= set(re.findall(r"(?:\||:=|[{;])\s*([A-Za-z_][\w']*)", line))
        for name in names:
            found.setdefault(name, []).append(line + ".")
    return {name: "\n".join(lines) for name, lines in found.items()}


def _without_comments(text: str) -> str:
    kept, depth, start = [], 0, 0
    for match in _COMMENT.finditer(text):
        if match[0] == "(*":
            if depth == 0:
                kept.append(text[start : match.start()])
            depth += 1
        elif match[0] == "*)" and depth:
            depth -= 1
            start = match.end()
    return " ".join([*kept, text[start:]])


class TestCode:
    """The code of the tests, read once."""

    __test__ = False  # not a class of tests

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files: dict[Path, _Parsed] = {}
        self._objects: dict[Object, tuple[str, list[Object]]] = {}

    def of(self, test: str) -> str:
        """Return the code of a test function and of what it uses of the files in ``tests``.

        This is its own text (without comments and docstrings), the fixtures and helpers that it
        names, the marks of its file, and the hooks of the ``conftest.py`` files above it. Code of
        the package is not part of it.

        Parameters
        ----------
        test
            The function, as ``file::function``.
        """
        file, _, name = test.partition("::")
        first = self.root / file
        todo = [(first, name.partition("::")[0]), (first, "pytestmark")]
        for conftest in self._conftests(first):
            todo += [(conftest, n) for n in self._file(conftest)[0] if n.startswith("pytest_")]
        found: dict[Object, str] = {}
        while todo:
            if (key := todo.pop()) not in found:
                found[key], uses = self._object(key)
                todo += uses
        keys = sorted((key for key in found if found[key]), key=lambda k: (str(k[0]), k[1]))
        return "\n".join(f"# {path.relative_to(self.root)}\n{found[path, n]}" for path, n in keys)

    def _object(self, key: Object) -> tuple[str, list[Object]]:
        """Return the text of an object, and the objects that it may use."""
        if key not in self._objects:
            path, name = key
            nodes, imports = self._file(path)
            if name in nodes:
                text = "\n".join(ast.unparse(node) for node in nodes[name])
                uses = [use for node in nodes[name] for use in self._used(path, node)]
            elif name in imports:
                module, original = imports[name]
                file = self._file_of(path, module)
                text, uses = "", [(file, original)] if original and file is not None else []
            else:
                text, uses = "", [(c, name) for c in self._conftests(path) if c != path]
            self._objects[key] = text, list(dict.fromkeys(uses))
        return self._objects[key]

    def _used(self, path: Path, node: ast.stmt) -> Iterator[Object]:
        nodes, imports = self._file(path)
        fixtures = {name for conftest in self._conftests(path) for name in self._file(conftest)[0]}
        known = nodes.keys() | imports.keys() | fixtures
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in known:
                yield path, part.id
            elif isinstance(part, ast.arg) and part.arg in known:
                yield path, part.arg
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                if part.value in known:  # usefixtures("name")
                    yield path, part.value
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                module, name = imports.get(part.value.id, ("", ""))
                for dotted in (module, f"{module}.{name}"):
                    if (file := self._file_of(path, dotted)) is not None:
                        yield file, part.attr

    def _file_of(self, path: Path, module: str) -> Path | None:
        """Return the file below ``tests`` that a module is, as seen from another file."""
        part = "/".join(module.split(".")) + ".py"
        below = (folder / part for folder in (path.parent, self.root / "tests"))
        return next((file for file in below if self._file(file) != NO_FILE), None)

    def _conftests(self, path: Path) -> list[Path]:
        folders = [folder for folder in path.parents if folder.is_relative_to(self.root / "tests")]
        files = [folder / "conftest.py" for folder in folders]
        return [file for file in files if self._file(file) != NO_FILE]

    def _file(self, path: Path) -> _Parsed:
        if path not in self._files:
            self._files[path] = (
                _parsed(path.read_text(encoding="utf-8")) if path.is_file() else NO_FILE
            )
        return self._files[path]


@cache
def _parsed(text: str) -> _Parsed:
    """Return the statements that bind each name at the top level, and the imported names.

    An imported name comes with its module and its name there, which is empty for a module.
    """
    nodes: dict[str, list[ast.stmt]] = {}
    imports: dict[str, tuple[str, str]] = {}
    for node in ast.parse(text).body:
        for part in ast.walk(node):
            _remove_docstring(part)
        if isinstance(node, ast.Import):
            for alias in node.names:
                imports[alias.asname or alias.name] = (alias.name, "")
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                imports[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            nodes.setdefault(node.name, []).append(node)
        else:
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    nodes.setdefault(part.id, []).append(node)
    return nodes, imports


def _remove_docstring(node: ast.AST) -> None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
