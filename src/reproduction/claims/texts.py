"""What a person reads of a claim: its text, the files of its tests, and the checks."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from reproduction.claims import references, registry
from reproduction.claims.registry import Claim

STATEMENTS = "proofs/statements.txt"
"""Each theorem as Rocq prints it."""
MEANINGS = "proofs/meanings.txt"
"""What Rocq says that each theorem, and each definition behind it, means: in each line its name, a
hash, and the names on which it depends. ``make -C proofs`` compares both files with the proofs."""
HYPOTHESES = "docs/paper/hypotheses.md"
"""The hypotheses of theorems in prose, each beside Rocq's."""
CHECKS = (
    "conftest.py", "tests/**/conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg",
    "pyproject.toml", "src/reproduction/claims/*.py", "src/reproduction/commands/claims.py",
    "proofs/Makefile", "proofs/*.ltac2", "proofs/*.py", "proofs/*.sh",
    "tests/conformance/*.v", ".ci/run",
)  # fmt: skip
"""Patterns of the files that turn tests and proofs into verdicts. Some of them do not exist."""
_IN_ROCQ = re.compile(r"^In prose: .* In Rocq: \{rocq\}`([^`]+)`\.$", re.MULTILINE)
_IMPORT = re.compile(
    r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]+))", re.MULTILINE
)
_STRING = re.compile(r"""["']([\w./-]+)["']""")


def hash_of(parts: object) -> str:
    """Return a hash of texts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


class Texts:
    """The texts of the claims, in a checkout or at a commit.

    Parameters
    ----------
    file
        Returns the content of a file by its name, empty if there is no such file.
    """

    def __init__(self, file: Callable[[str], str]) -> None:
        self.file = file

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """The registry."""
        return registry.parse(self.file(registry.PATH))

    @cached_property
    def theorems(self) -> dict[str, list[str]]:
        """The ids of each theorem, by its name ``File.theorem``."""
        return references.theorems_of(self.file(references.HEADLINES))

    @cached_property
    def statements(self) -> dict[str, str]:
        """The statement of each theorem, by its name ``File.theorem``, as Rocq prints it."""
        head, *blocks = self.file(STATEMENTS).split("\n\n")
        pairs = (block.strip("\n").partition("\n") for block in blocks)
        return {STATEMENTS: head} | {name: text for name, _, text in pairs}

    @cached_property
    def meanings(self) -> dict[str, tuple[str, list[str]]]:
        """The hash of each theorem and definition, and the names on which it depends."""
        lines = (line.split() for line in self.file(MEANINGS).splitlines() if " : " in f"{line} ")
        return {name: (hash, uses) for name, hash, _, *uses in lines}

    @cached_property
    def hypotheses(self) -> dict[str, str]:
        """The section of `HYPOTHESES` on each theorem that has one, by the theorem's name."""
        sections = self.file(HYPOTHESES).split("\n## ")
        return {name: text for text in sections for name in _IN_ROCQ.findall(text)}

    def of(self, id: str) -> dict[str, str]:
        """Return the parts of the text of a claim by their names; none if there is no such claim.

        These are its entry, the files that the proofs copy, the version of Rocq, the statements of
        the theorems that it cites or that carry its id, their hypotheses in prose, and the hashes
        of these theorems and of all definitions on which they depend.
        """
        claim = self.claims.get(id)
        if claim is None:
            return {}
        found = {registry.PATH: json.dumps(vars(claim), indent=1, ensure_ascii=False)}
        found |= {name: self.file(name) for name in claim.copied}
        todo = [name for name, ids in self.theorems.items() if id in ids or name in claim.theorems]
        if not todo:
            return found
        for name in (STATEMENTS, *todo):
            found[name] = self.statements.get(name, "")
        found |= {
            f"{HYPOTHESES}, {name}": self.hypotheses[name]
            for name in todo
            if name in self.hypotheses
        }
        behind: dict[str, str] = {}
        while todo:
            if (name := todo.pop()) not in behind:
                behind[name], uses = self.meanings.get(name, ("", []))
                todo += uses
        return found | {MEANINGS: "\n".join(f"{name} {behind[name]}" for name in sorted(behind))}

    def sources(self, before: str, after: str) -> list[str]:
        """Return the Rocq files of the theorems and definitions in which two meanings differ."""
        lines = {*before.splitlines()} ^ {*after.splitlines()}
        modules = {line.partition(".")[0] for line in lines}
        names = self.file("proofs/_CoqProject").splitlines()
        return [f"proofs/{name}" for name in names if Path(name).stem in modules]


class Files:
    """The files of a checkout, each read once, and what the tests among them use."""

    def __init__(self, root: Path) -> None:
        self.root, self.tests = root, root / "tests"
        self._texts: dict[Path, str] = {}
        self._uses: dict[Path, list[Path]] = {}

    def text(self, name: str | Path) -> str:
        """Return the text of a file, empty if there is no such file."""
        path = self.root / name
        if path not in self._texts:
            self._texts[path] = path.read_text("utf-8", "replace") if path.is_file() else ""
        return self._texts[path]

    def hash(self, names: Iterable[str]) -> str:
        """Return the hash of the names and texts of files."""
        return hash_of({name: self.text(name) for name in names})

    def closure(self, names: Iterable[str]) -> list[str]:
        """Return files, and the files below ``tests`` that they import or name.

        A file names another one by a string that is its path, from its own folder or from
        ``tests``.
        """
        found: set[Path] = set()
        todo = [self.root / name for name in names]
        while todo:
            if (path := todo.pop()) not in found:
                found.add(path)
                todo += self._used(path)
        return self._names(found)

    def checks(self) -> list[str]:
        """Return the files that turn tests and proofs into verdicts."""
        return self._names(path for pattern in CHECKS for path in self.root.glob(pattern))

    def _names(self, paths: Iterable[Path]) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in paths)

    def _used(self, path: Path) -> list[Path]:
        if path not in self._uses:
            text = self.text(path) if path.suffix == ".py" else ""
            named = {name for name in _STRING.findall(text) if ".." not in name}
            places = (
                folder / name
                for name in named.union(_modules(text))
                for folder in (path.parent, self.tests)
            )
            self._uses[path] = [p for p in places if p.is_relative_to(self.tests) and p.is_file()]
        return self._uses[path]


def _modules(text: str) -> Iterator[str]:
    """Yield the paths that the modules can have that a Python file imports."""
    for module, names, modules in _IMPORT.findall(text):
        for name in re.findall(r"[\w.]+", modules) if modules else [module]:
            folder = name.replace(".", "/")
            yield from (f"{folder}.py", f"{folder}/__init__.py")
            yield from (f"{folder}/{word}.py" for word in re.findall(r"\w+", names))
