"""What a person reads of a claim: its text, the files of its tests, and the files that judge."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from reproduction.claims import registry
from reproduction.claims.registry import Claim

STATEMENTS = "proofs/statements.txt"
"""Each theorem as Rocq prints it. ``make -C proofs`` checks that it agrees with the proofs."""
JUDGES = (
    "conftest.py", "tests/**/conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg",
    "pyproject.toml", "src/reproduction/claims/*.py", "src/reproduction/commands/claims.py",
    "proofs/Makefile", "proofs/*.pl", "proofs/*.sh",
    "tests/conformance/*.v", ".ci/run",
)  # fmt: skip
"""Patterns of the files that turn tests and proofs into verdicts. Some of them do not exist."""
_COMMENT = re.compile(r'"[^"]*"|\(\*|\*\)')
_LEMMA = re.compile(
    r"(?:(?:Local|Global|Program|#\[\w+\]) )*"
    r"(?:Lemma|Theorem|Corollary|Fact|Remark|Proposition) "
)
_STEP = re.compile(r"Proof\b|[^A-Z]*$|[-+*{}()\[\] \d:|!]*[a-z]")
"""The beginning of a proof, or a tactic: commands of Rocq begin with a capital letter."""
_END = re.compile(r"[-+*{} ]*Qed$")
_REQUIRE = re.compile(r"\bRequire (?:Import |Export )?(.*)\.$", re.MULTILINE)
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
    def statements(self) -> dict[str, str]:
        """The statement of each theorem, by its name ``File.theorem``, as Rocq prints it."""
        blocks = self.file(STATEMENTS).split("\n\n")[1:]
        pairs = (block.strip("\n").partition("\n") for block in blocks)
        return {name: text for name, _, text in pairs}

    @cached_property
    def meanings(self) -> dict[str, str]:
        """The `meaning` of each Rocq file of the project, by the file's name."""
        names = re.findall(r"^(\S+)\.v$", self.file("proofs/_CoqProject"), re.MULTILINE)
        return {Path(name).name: meaning(self.file(f"proofs/{name}.v")) for name in names}

    def of(self, id: str) -> dict[str, str]:
        """Return the parts of the text of a claim by their names; none if there is no such claim.

        These are its entry, the statements of its theorems, and the meanings of the Rocq files of
        the theorems and of all files that these require.
        """
        claim = self.claims.get(id)
        if claim is None:
            return {}
        found = {registry.PATH: json.dumps(vars(claim), indent=1, ensure_ascii=False)}
        found |= {name: self.statements.get(name, "") for name in claim.theorems}
        todo = [name.partition(".")[0] for name in claim.theorems]
        while todo:
            name = todo.pop()
            if name in self.meanings and f"{name}.v" not in found:
                found[f"{name}.v"] = text = self.meanings[name]
                for line in _REQUIRE.findall(text):
                    todo += [word.rpartition(".")[2] for word in line.split()]
        return found


def meaning(source: str) -> str:
    """Return what a Rocq file defines, one sentence for each line: no comment, lemma or proof.

    A lemma is left out if its proof ends with ``Qed`` and has no commands, only tactics. What ends
    with ``Defined`` is part of the meaning.
    """
    pieces = re.split(r"\.(?=\s)", _without_comments(source))
    sentences = [" ".join(piece.split()) for piece in pieces if piece.strip()]
    kept: list[str] = []
    k = 0
    while k < len(sentences):
        end = k + 1
        while end < len(sentences) and _STEP.match(sentences[end]):
            end += 1
        if _LEMMA.match(sentences[k]) and end < len(sentences) and _END.match(sentences[end]):
            k = end + 1
        else:
            kept.append(f"{sentences[k]}.")
            k += 1
    return "\n".join(kept)


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

    def judges(self) -> list[str]:
        """Return the files that judge."""
        return self._names(path for pattern in JUDGES for path in self.root.glob(pattern))

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
