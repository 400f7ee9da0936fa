"""Run the proofs of text/ on the mutants of text_mutants.txt (`make text-mutants`).

python3 mutation/text_mutants.py            in proofs/, after `make build`: print each mutant with
                                            the theorem whose proof fails; fail if there is none
python3 mutation/text_mutants.py --check    only see that each mutant still finds its lines
python3 mutation/text_mutants.py NAME ...   only the mutants whose names contain one of these

A mutant is printed as a term, and Rocq checks the theorems of text/ on it, up to the final one. It
does not check a proof when it only needs what the theorem says (-vos), so every lemma has to say
which hypotheses it uses: Rocq tells so on the text as it is, and a copy of the files says it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, "text")
import print_python

MUTANTS = Path("mutation/text_mutants.txt")
FIRST = {
    "`Tree": "TextOfTree",
    "`is_below`": "TextOfHunter",
    "`_evaluations`": "TextOfHunter",
    "`record`": "TextOfHunter",
    "the loop over the classes": "TextOfChoose",
    "the classes of a visit": "TextOfHunt",
    "the end of the budget": "TextOfHunt",
    "after the values": "TextOfHunt",
    "the end of a visit": "TextOfHunt",
    "line 10": "TextOfHunt",
    "the sweeps": "TextOfSweep",
    "the beginning": "TextOfRun",
}
"""The file in which a proof is likely to fail, by where the change is; then come all in order."""
ASK = """From Coq Require Import String.
Open Scope string_scope.
From EmbeddedHunter Require Import SearchText Refusals.
Eval vm_compute in refusals modules_py.
"""
HEAD = re.compile(r"^[ \t]*(?:Lemma|Theorem|Corollary)\s+([\w']+)", re.MULTILINE)
USED = re.compile(
    r"The proof of ([\w']+)\s+should start with one of the following commands:\s+(.*)"
)


def read(text: str, sources: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return for each mutant the three files of Python."""
    found: dict[str, dict[str, str]] = {}
    for block in re.split(r"\n(?=\[)", text)[1:]:
        name, file = re.findall(r"^\[(.*)\] (\w+)\.py$", block, re.MULTILINE)[0]
        mutant, changes = (
            sources[file],
            re.findall(r"(?:^- .*\n)+(?:^\+ .*\n?)+", block, re.MULTILINE),
        )
        for change in changes:
            old, new = (
                "\n".join(re.findall(rf"^{sign} (.*)$", change, re.MULTILINE))
                for sign in (r"-", r"\+")
            )
            if mutant.count(old) != 1:
                sys.exit(f"text_mutants.txt: {name}: found {mutant.count(old)} times: {old}")
            mutant = mutant.replace(old, new)
        if name in found or not changes or mutant == sources[file]:
            sys.exit(f"text_mutants.txt: {name} stands twice or changes nothing")
        compile(mutant, file, "exec")
        found[name] = {**sources, file: mutant}
    return found


def coqc(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Rocq in a folder; a proof does not fail because Rocq was stopped."""
    command = ["coqc", "-q", "-Q", ".", "EmbeddedHunter", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode < 0:
        sys.exit(f"Rocq was stopped by signal {-done.returncode}")
    return done


def copy(folder: Path) -> list[str]:
    """Copy the proofs to a folder, with what each lemma uses; return the files on the text."""
    chain: list[str] = []
    for path in re.findall(
        r"^.*[.]v$", Path("_CoqProject").read_text(encoding="utf-8"), re.MULTILINE
    ):
        source = Path(path).read_text(encoding="utf-8")
        required = set(
            re.findall(r"\w+", " ".join(re.findall(r"Require(?: Import)?([^.]*)\.", source)))
        )
        (folder / path).parent.mkdir(exist_ok=True)
        if required.isdisjoint({"SearchText", *chain}):
            (folder / f"{path}o").symlink_to(Path(f"{path}o").resolve())
            continue
        chain.append(Path(path).stem)
        (folder / path).write_text(f"Set Suggest Proof Using.\n{source}", encoding="utf-8")
        done = coqc(folder, path)
        if done.returncode:
            sys.exit(f"{path}: {done.stderr}")
        uses = dict(USED.findall(done.stdout + done.stderr))
        parts = re.split(r"(?m)^(?=[ \t]*(?:Lemma|Theorem|Corollary)\s)", source)
        for i, part in enumerate(parts):
            if (head := HEAD.match(part)) and head[1] in uses:
                parts[i] = part.replace("Proof.", uses[head[1]].strip(), 1)
        (folder / path).write_text("".join(parts), encoding="utf-8")
    (folder / "text/SearchText.vo").unlink()
    return chain


def fails(folder: Path, chain: list[str], where: str, sources: dict[str, str]) -> str | None:
    """Return where the proofs fail on a text."""
    try:
        term = print_python.text(sources)
    except ValueError:
        return "`print_python.py`"
    (folder / "text/SearchText.v").write_text(term, encoding="utf-8")
    done = coqc(folder, "text/SearchText.v")
    if done.returncode:
        sys.exit(done.stderr)
    (folder / "Ask.v").write_text(ASK, encoding="utf-8")
    if refused := re.findall(r'"(.*?)"', coqc(folder, "Ask.v").stdout):
        return f"`nothing_in_the_text_is_refused` ({refused[0]})"
    stated: list[str] = []
    likely = [name for start, name in FIRST.items() if where.startswith(start)]
    for name in [*likely, *(name for name in chain if name not in likely)]:
        for other in chain[: chain.index(name)]:
            if other not in stated:
                done = coqc(folder, "-vos", f"text/{other}.v")
                stated.append(other)
                if done.returncode:
                    return place(folder, other, done.stderr)
        done = coqc(folder, "-vok", f"text/{name}.v")
        if done.returncode:
            return place(folder, name, done.stderr)
    return None


def place(folder: Path, name: str, error: str) -> str:
    """Return the theorem in which an error is."""
    line = int(re.findall(r"line (\d+)", error)[0])
    before = (folder / f"text/{name}.v").read_text(encoding="utf-8").splitlines()[:line]
    return f"`{name}.{HEAD.findall(chr(10).join(before))[-1]}`"


def main(names: list[str]) -> None:
    """Print the table."""
    files = {name: print_python.SOURCE / f"{name}.py" for name in print_python.MODULES}
    sources = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    mutants = read(MUTANTS.read_text(encoding="utf-8"), sources)
    if names == ["--check"]:
        return
    chosen = [name for name in mutants if not names or any(part in name for part in names)]
    accepted = 0
    print("| where | change | fails |\n| --- | --- | --- |", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        chain = copy(folder)
        for name in chosen:
            where, change = name.split(": ", 1)
            found = fails(folder, chain, where, mutants[name])
            print(f"| {where} | {change} | {found or 'NOWHERE'} |", flush=True)
            accepted += found is None
    sys.exit(accepted > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
