"""Gates of the proofs, run by `make`; README.md describes them. Standard library only.

python3 check.py            ask Rocq (after `make build`): each theorem must be proved from what
                            assumptions.txt lists, say what statements.txt says and mean what
                            meanings.txt says; and what `list` checks
python3 check.py list       only that the folder is in order, and headline.txt made from the sources
python3 check.py update     make headline.txt, assumptions.txt, statements.txt and meanings.txt anew
python3 check.py checker    judge what `coqchk -o` says (standard input)
python3 check.py meanings   print the meanings of the theorems on standard input, by full path

Every `Theorem` and `Corollary` belongs to claims of ../docs/claims.toml. The comment before
it names them: `(** Claim [id] [id]. One sentence. *)`. `Lemma` is for steps.
"""

import hashlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

LISTS = ("headline.txt", "assumptions.txt", "statements.txt", "meanings.txt")
FILES = {
    "Makefile", "README.md", "_CoqProject", "check.py", "evidence.sh", "meanings.ltac2", *LISTS,
    "mutation/Observe.v", "mutation/ObserveForest.v", "mutation/mutants.py", "mutation/mutants.txt",
}  # fmt: skip
"""All files but those of _CoqProject."""
MADE = re.compile(
    r".*\.(vo|vos|vok|glob|aux|cache|pyc)|\.?Makefile\.coq(\.conf|\.d)?|Check(ed)?\.(v|out)"
)
CHECKER = {
    "Theory": ["Set is predicative"],
    "Axioms": [
        "Coq.Logic.Classical_Prop.classic",
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
        "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
        "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
    ],
    "Constants/Inductives relying on type-in-type": ["<none>"],
    "Constants/Inductives relying on unsafe (co)fixpoints": ["<none>"],
    "Inductives whose positivity is assumed": ["<none>"],
}
"""What the compiled files may rest on: the axioms of Rocq's own real numbers and of their logic."""
CLOSED = "Closed under the global context"
COMMENT_OR_THEOREM = re.compile(r"\(\*|^[ \t]*(?:Theorem|Corollary)\s+([\w']+)", re.MULTILINE)


def stop(problems: list[str]) -> None:
    """End with an error if there are problems."""
    if problems:
        sys.exit(print("\n".join(problems)) or 1)


def rocq(source: str) -> str:
    """Return what Rocq prints on a file."""
    Path("Check.v").write_text(f"(* Written by check.py. *)\n{source}", encoding="utf-8")
    done = subprocess.run(
        ["coqc", "-Q", ".", "EmbeddedHunter", "Check.v"], stdout=-1, stderr=-2, text=True
    )
    stop([done.stdout] if done.returncode else [])
    return done.stdout


def theorems(source: str) -> dict[str, str]:
    """Return the theorems of a source, each with the comment before it. Comments nest."""
    found, comment, at = {}, (0, ""), 0
    while here := COMMENT_OR_THEOREM.search(source, at):
        at, depth = here.end(), 1
        if here[1]:
            found[here[1]] = comment[1] if not source[comment[0] : here.start()].strip() else ""
            continue
        while depth and (mark := re.compile(r"\(\*|\*\)").search(source, at)):
            depth, at = depth + (1 if mark[0] == "(*" else -1), mark.end()
        comment = at, source[here.start() : at]
    return found


@cache
def printed() -> str:
    """Return the end of a title; another version of Rocq may print another layout."""
    version = subprocess.run(["coqc", "--print-version"], stdout=-1, text=True, check=True).stdout
    return f"as Rocq {version.split()[0]} prints it.  Written by `make update`."


class Project:
    """The files of _CoqProject and their theorems, in reading order, and the problems found."""

    def __init__(self) -> None:
        self.path: dict[str, str] = {}  # of each module; a module is named by its base name alone
        self.theorems: dict[str, str] = {}  # File.theorem, with its line of headline.txt
        self.problems: list[str] = []
        known, done, last = set(FILES), set(), ""
        for line in Path("_CoqProject").read_text(encoding="utf-8").splitlines():
            if not (file := re.fullmatch(r"(\w+)/(\w+)\.v", line)):
                continue
            folder, module = file.groups()
            known.add(line)
            if module in self.path:
                self.problems.append(f"{line}: {self.path[module]} has the same base name")
            if folder != last and folder in done:
                self.problems.append(f"_CoqProject comes back to the folder {folder}")
            done.add(folder)
            last, self.path[module] = folder, line
            self._read(module, Path(line).read_text(encoding="utf-8"))
        for path in sorted(str(path) for path in Path().rglob("*") if not path.is_dir()):
            if path not in known and not MADE.fullmatch(Path(path).name):
                wanted = "_CoqProject" if path.endswith(".v") else "FILES of check.py"
                self.problems.append(f"{path} is not in {wanted}")

    def _read(self, module: str, source: str) -> None:
        pattern = r"^From EmbeddedHunter Require\s+(?:(?:Import|Export)\s+)?([^.]*)\."
        for used in " ".join(re.findall(pattern, source, re.MULTILINE)).split():
            if used not in self.path:
                file = self.path[module]
                self.problems.append(
                    f"{file} requires {used}, which _CoqProject lists later or not at all"
                )
        for name, comment in theorems(source).items():
            said = " ".join(re.sub(r"^\(\*+\s*|\s*\*+\)$", "", comment).split())
            claims = re.match(r"Claims? ((?:\[[\w-]+\],? ?(?:and )?)+)\.? ?", said)
            if not claims or not (sentence := said[claims.end() :]):
                self.problems.append(
                    f"{module}.{name} names no claim in the comment before it, or says nothing: "
                    "write `Claim [id]. Sentence.`, or make it a Lemma"
                )
                continue
            ids = " ".join(re.findall(r"\[([\w-]+)\]", claims[1]))
            line = f"{name} | {module} | {ids} | {sentence[0].upper()}{sentence[1:]}\n"
            self.theorems[f"{module}.{name}"] = line

    def library(self, name: str) -> str:
        """Return the full path of a file, or of a theorem ``File.theorem``, in Rocq."""
        module, _, rest = name.partition(".")
        return "EmbeddedHunter." + self.path[module][:-2].replace("/", ".") + (rest and f".{rest}")

    def headline(self) -> str:
        """Return headline.txt."""
        head = "# Made from the comments in the sources: theorem | file | claims | what it says.\n"
        return head + "".join(self.theorems.values())

    def assumptions(self, stored: dict[str, str]) -> str:
        """Return assumptions.txt; one question for all theorems of which it stores the same."""
        groups: dict[str, list[str]] = {}
        for name in self.theorems:
            groups.setdefault(stored.get(name, name), []).append(name)
        found = {}
        for (said, names), answer in zip(
            groups.items(), self._ask([*groups.values()]), strict=True
        ):
            answers = [answer] * len(names)
            if len(names) > 1 and answer != said:
                answers = self._ask([[name] for name in names])
            found |= dict(zip(names, answers, strict=True))
        return "".join(f"{name}: {found[name]}\n" for name in self.theorems)

    def _ask(self, lists: list[list[str]]) -> list[str]:
        source = f"From EmbeddedHunter Require {' '.join(self.path)}.\n"
        for i, names in enumerate(lists):
            used = "".join(f"let _ := @{self.library(name)} in " for name in names)
            source += f'Definition asked_{i} : True := {used}I.\nGoal True. idtac "@". Abort.\n'
            source += f"Print Assumptions asked_{i}.\n"
        answers: list[list[str]] = []
        for line in rocq(source).splitlines():
            if line == "@":
                answers.append([])
            elif axiom := re.match(r"([\w.']+)(?: :|$)", line):
                answers[-1].append(axiom[1])
            elif line not in (CLOSED, "Axioms:", "") and not line.startswith(" "):
                stop([f"unexpected answer of Rocq: {line}"])
        return [" ".join(sorted(answer)) or CLOSED for answer in answers]

    def statements(self) -> str:
        """Return statements.txt: names are as short as in the theorem's own file."""
        source = (
            "From Coq Require Import List Sorted ZArith QArith Reals.\nImport ListNotations.\n"
            f"Open Scope nat_scope.\nFrom EmbeddedHunter Require {' '.join(self.path)}.\n"
            "Set Printing Width 100.\nSet Printing Depth 1000.\n"
        )
        for module, path in self.path.items():
            text = Path(path).read_text(encoding="utf-8")
            imports = re.search(
                r"^From EmbeddedHunter Require Import ([^.]*)\.", text, re.MULTILINE
            )
            names = [*(imports[1].split() if imports else []), module]
            source += f"Module asked_{module}.\n" + "".join(
                f"Import {self.library(n)}.\n" for n in names
            )
            source += "".join(
                f"{s}\n" for s in re.findall(r"^(?:Local )?(Open Scope \w+\.)", text, re.M)
            )
            for name in self.theorems:
                if name.startswith(f"{module}."):
                    source += f'Goal True. idtac "@ {name}". Abort.\nCheck @{self.library(name)}.\n'
            source += f"End asked_{module}.\n"
        lines = []
        for line in rocq(source).splitlines():
            if line.startswith("@ "):
                lines += ["", line[2:]]
            elif line.startswith(" "):
                lines.append(line.rstrip())
            elif not lines or not re.fullmatch(r"@?[\w.']+", line):
                stop([f"unexpected answer of Rocq: {line}"])
        return "\n".join([f"Each theorem with all its hypotheses, {printed()}", *lines, ""])


def meanings(names: list[str]) -> str:
    """Return a line for each theorem and each definition behind it.

    The line is ``File.name HASH : names``, with the hash of its type and body as Rocq's own terms
    and the names of this project in them (meanings.ltac2).
    """
    modules = sorted({name.removeprefix("EmbeddedHunter.").rpartition(".")[0] for name in names})
    paths = "; ".join(
        "[" + "; ".join(f"@{part}" for part in name.split(".")) + "]" for name in names
    )
    code = Path("meanings.ltac2").read_text(encoding="utf-8")
    output = rocq(
        f"From EmbeddedHunter Require {' '.join(modules)}.\n{code}Ltac2 Eval meanings [{paths}].\n"
    )
    lines = []
    for block in re.split(r"^@@\n", re.sub(r"- : unit.*\n", "", output), flags=re.MULTILINE)[1:]:
        name, _, text = block.partition("\n")
        uses = sorted(re.findall(r"^@>\n(\S+)\n", text, re.MULTILINE))
        text = re.sub(r"^@>\n\S+\n", "", text, flags=re.MULTILINE)
        lines.append(
            " ".join([name, hashlib.sha256(text.encode()).hexdigest()[:16], ":", *uses]) + "\n"
        )
    return "".join(sorted(lines))


def checker(said: str) -> list[str]:
    """Return what `coqchk -o` says beyond `CHECKER`, or does not say."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in said.splitlines():
        if head := re.match(r"\* ([^:]+):\s*(.*)", line):
            title = head[1]
            found[title] = [head[2].strip()] if head[2].strip() else []
        elif title and line.startswith(" ") and line.strip():
            found[title].append(line.strip())
        elif line.strip() and not re.fullmatch("CONTEXT SUMMARY|=+", line):
            found[f"unexpected line: {line}"] = [""]
    return [
        f"coqchk: {title}: expected {CHECKER.get(title)}, found {found.get(title)}"
        for title in sorted(CHECKER | found)
        if sorted(CHECKER.get(title, ["(not to be said)"])) != sorted(found.get(title, []))
    ]


def main(mode: str) -> None:
    """Run one of the modes."""
    if mode == "checker":
        return stop(checker(sys.stdin.read()))
    if mode == "meanings":
        return print(meanings(sys.stdin.read().split()), end="")
    project = Project()
    old = {name: Path(name).read_text("utf-8") if Path(name).exists() else "" for name in LISTS}
    made = {"headline.txt": project.headline()}
    stop(project.problems)
    if mode != "update" and old["headline.txt"] != made["headline.txt"]:
        stop(["headline.txt differs from the comments in the sources: `make update`"])
    if mode == "list":
        return None
    known = dict(line.split(": ", 1) for line in old["assumptions.txt"].splitlines())
    made["assumptions.txt"] = project.assumptions(known)
    made["statements.txt"] = project.statements()
    made["meanings.txt"] = (
        f"Each theorem, and each definition behind it, by a hash of its meaning, {printed()}\n\n"
        + meanings([project.library(name) for name in project.theorems])
    )
    for name, text in made.items():
        if mode == "update":
            Path(name).write_text(text, encoding="utf-8")
        elif text != old[name]:
            project.problems.append(
                f"{name} differs from what Rocq says (`make update`; read the difference). "
                f"Its first line names the version that printed it; now it is {printed()}"
            )
    stop(project.problems)
    said = "all lists made anew" if mode == "update" else "all claims checked"
    return print(f"{said}: {len(project.theorems)} theorems, assumptions as listed")


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
