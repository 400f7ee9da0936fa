"""What the tests of `claims` share: a registry of one claim, small checkouts, another locale."""

import subprocess
from pathlib import Path

CLAIM = """
[[claim]]
id = "lemma-9"
place = "Lemma 9"
kind = "theorem"
statement = "What is claimed."
"""
CORRECTION = 'correction = "What holds."\n'
FILES = {
    "docs/claims.toml": CLAIM,
    "proofs/A.v": "Theorem a : True.\n",
    "proofs/B.v": "Theorem b : True.\n",
    "proofs/_CoqProject": "-Q . A\n\nB.v\nA.v\n",
    "proofs/meanings.txt": "As printed.\n\nA.a 01 : A.c B.d\nA.b 02 :\nA.c 03 :\nB.d 04 : A.c\n",
    "proofs/statements.txt": "As printed.\n\nA.a | lemma-9 | x y | True.\n     : True\n",
    "src/a.py": "A = 1\n",
    "tests/test_it.py": "def test_it() -> None: ...\n",
    ".gitignore": ".evidence/\n__pycache__/\nignored.py\n",
}
"""A small project, by the paths of its files."""


def write(root: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")


def git(root: Path, *arguments: str) -> str:
    """Run git in a folder, as somebody; return what it prints."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(root), *who, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def committed(root: Path, files: dict[str, str]) -> Path:
    """Make a git checkout of files."""
    write(root, files)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Begin")
    return root
