"""Gates of the proofs, run by `make`; README.md describes them. Standard library only.

python3 check.py            ask Rocq (after `make build`): each theorem must be proved from what
                            statements.txt lists, say what it says and mean what meanings.txt says;
                            and what `list` checks
python3 check.py list       only that the folder is in order, and that statements.txt has the
                            theorems of the sources, with their claims and sentences
python3 check.py update     make statements.txt and meanings.txt anew
python3 check.py checker    judge what `coqchk -o` says (standard input)
python3 check.py meanings   print the meanings of the theorems on standard input, by full path

Every `Theorem` and `Corollary` belongs to claims of ../docs/claims.toml. The comment before
it names them: `(** Claim [id] [id]. One sentence. *)`. `Lemma` is for steps.
"""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

FILES = {
    "Makefile", "README.md", "_CoqProject", "check.py", "evidence.sh", "meanings.ltac2",
    "meanings.txt", "mutation/Observe.v", "mutation/ObserveForest.v", "mutation/mutants.py",
    "mutation/mutants.txt", "mutation/text_mutants.md", "mutation/text_mutants.py",
    "mutation/text_mutants.txt", "statements.txt", "text/print_python.py",
}  # fmt: skip
"""All files but those of _CoqProject."""
MADE = re.compile(
    r".*\.(vo|vos|vok|glob|aux|cache|pyc)|\.?Makefile\.coq(\.conf|\.d)?|Check(ed)?\.(v|out)"
)
CHECKER = """
* Theory: Set is predicative
* Axioms: Coq.Logic.Classical_Prop.classic
Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
Coq.Reals.ClassicalDedekindReals.sig_forall_dec Coq.Reals.ClassicalDedekindReals.sig_not_dec
* Constants/Inductives relying on type-in-type: <none>
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
* Inductives whose positivity is assumed: <none>
"""
"""What the compiled files may rest on: the axioms of Rocq's own real numbers and of their logic."""
CLOSED = "Closed under the global context"
THEOREM = re.compile(r"^[ \t]*(?:Theorem|Corollary)\s+([\w']+)", re.MULTILINE)
HEAD = re.compile(r"^(\S+) \| (.*?) \| (.*?) \| (.*)$", re.MULTILINE)
"""A theorem in statements.txt: File.theorem, its claims, what it assumes, and its sentence."""


def stop(problems: list[str]) -> None:
    """End with an error if there are problems."""
    if problems:
        sys.exit(print("\n".join(problems)) or 1)


def rocq(source: str) -> str:
    """Return what Rocq prints on a file."""
    Path("Check.v").write_text(f"(* Written by check.py. *)\n{source}", encoding="utf-8")
    command = ["coqc", "-Q", ".", "EmbeddedHunter", "Check.v"]
    done = subprocess.run(command, stdout=-1, stderr=-2, text=True)
    stop([done.stdout] if done.returncode else [])
    return done.stdout


def ask(source: str, questions: dict[str, str]) -> dict[str, str]:
    """Return the answer to each question, a command; commands that answer nothing come before."""
    for name, question in questions.items():
        source += f'Goal True. idtac "@ {name}". Abort.\n{question}\n'
    said = re.sub(r" +$", "", rocq(source), flags=re.MULTILINE)
    nothing, *answers = re.split(r"^@ (.*)\n", said, flags=re.MULTILINE)
    stop([f"unexpected answer of Rocq: {nothing}"] if nothing.strip() else [])
    return dict(zip(answers[::2], answers[1::2], strict=True))


class Project:
    """The files of _CoqProject and their theorems, in reading order, and the problems found."""

    def __init__(self) -> None:
        self.path: dict[str, str] = {}  # of each module; a module is named by its base name alone
        self.theorems: dict[str, tuple[str, str]] = {}  # File.theorem: its claims and its sentence
        self.problems: list[str] = []
        files = re.findall(r"^\w+/\w+\.v$", Path("_CoqProject").read_text("utf-8"), re.MULTILINE)
        folders = [""]
        for file in files:
            folder, module = Path(file).parent.name, Path(file).stem
            if module in self.path:
                self.problems.append(f"{file}: {self.path[module]} has the same base name")
            if folder != folders[-1] and folder in folders:
                self.problems.append(f"_CoqProject comes back to the folder {folder}")
            folders.append(folder)
            self.path[module] = file
            self._read(module, Path(file).read_text(encoding="utf-8"))
        for path in sorted(str(path) for path in Path().rglob("*") if not path.is_dir()):
            if path not in FILES.union(files) and not MADE.fullmatch(Path(path).name):
                wanted = "_CoqProject" if path.endswith(".v") else "FILES of check.py"
                self.problems.append(f"{path} is not in {wanted}")

    def _read(self, module: str, source: str) -> None:
        pattern = r"^From EmbeddedHunter Require\s+(?:(?:Import|Export)\s+)?([^.]*)\."
        for used in " ".join(re.findall(pattern, source, re.MULTILINE)).split():
            if used not in self.path:
                said = f"requires {used}, which _CoqProject lists later or not at all"
                self.problems.append(f"{self.path[module]} {said}")
        for theorem in THEOREM.finditer(source):
            name, before = f"{module}.{theorem[1]}", source[: theorem.start()].rstrip()
            comment = before.rpartition("(*")[2] if before.endswith("*)") else ""
            said = " ".join(comment.removesuffix("*)").strip("*").split())
            claims = re.match(r"Claims? ((?:\[[\w-]+\],? ?(?:and )?)+)\.? ?(?=.)", said)
            if claims:
                ids, sentence = re.findall(r"\[([\w-]+)\]", claims[1]), said[claims.end() :]
                self.theorems[name] = " ".join(ids), sentence[0].upper() + sentence[1:]
            else:
                self.problems.append(
                    f"{name} names no claim in the comment before it, or says nothing: "
                    "write `Claim [id]. Sentence.`, or make it a Lemma"
                )

    def library(self, name: str) -> str:
        """Return the full path of a file, or of a theorem ``File.theorem``, in Rocq."""
        module, dot, rest = name.partition(".")
        return "EmbeddedHunter." + self.path[module][:-2].replace("/", ".") + dot + rest

    def assumptions(self, groups: dict[str, list[str]]) -> dict[str, str]:
        """Return what theorems assume; one question for each group, of which the same is stored."""
        questions, found = {}, {}
        for i, (stored, names) in enumerate(groups.items()):
            used = "".join(f"let _ := @{self.library(name)} in " for name in names)
            questions[stored] = f"Definition a{i} : True := {used}I.\nPrint Assumptions a{i}."
        answers = ask(f"From EmbeddedHunter Require {' '.join(self.path)}.\n", questions)
        for stored, answer in answers.items():
            rest = re.sub(r"^(Axioms:|[\w.']+( :.*)?| .*)$", "", answer, flags=re.MULTILINE)
            if rest.strip() not in ("", CLOSED):
                stop([f"unexpected answer of Rocq: {rest}"])
            axioms = sorted(re.findall(r"^([\w.']+)(?: :|$)", answer, re.MULTILINE))
            assumed, names = " ".join(axioms) or CLOSED, groups[stored]
            if assumed == stored or len(names) == 1:
                found |= dict.fromkeys(names, assumed)
            else:
                found |= self.assumptions({name: [name] for name in names})
        return found

    def statements(self) -> dict[str, str]:
        """Return what Rocq prints of each theorem: names are as short as in its own file."""
        source = (
            "From Coq Require Import List Sorted ZArith QArith Reals.\nImport ListNotations.\n"
            f"Open Scope nat_scope.\nFrom EmbeddedHunter Require {' '.join(self.path)}.\n"
            "Set Printing Width 100.\nSet Printing Depth 1000.\n"
        )
        questions = {}
        for module, path in self.path.items():
            text = Path(path).read_text(encoding="utf-8")
            if names := [name for name in self.theorems if name.startswith(f"{module}.")]:
                imports = re.findall(
                    r"^From EmbeddedHunter Require Import ([^.]*)\.", text, re.MULTILINE
                )
                used = [*" ".join(imports[:1]).split(), module]
                opening = [f"Module asked_{module}.", *(f"Import {self.library(n)}." for n in used)]
                opening += re.findall(r"^(?:Local )?(Open Scope \w+\.)", text, re.MULTILINE)
                questions |= {name: f"Check @{self.library(name)}." for name in names}
                questions[names[0]] = "\n".join([*opening, questions[names[0]]])
                questions[names[-1]] += f"\nEnd asked_{module}."
        printed = ask(source, questions)
        return {name: said.partition("\n")[2].rstrip() for name, said in printed.items()}


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
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        lines.append(" ".join([name, digest, ":", *uses]) + "\n")
    return "".join(sorted(lines))


def rubrics(said: str) -> dict[str, list[str]]:
    """Return the rubrics of a summary of coqchk, and what it lists in each."""
    nothing, *found = re.split(r"^\* (.*?):", said, flags=re.MULTILINE)
    listed = [sorted(text.split()) for text in found[1::2]]
    beyond = re.sub("CONTEXT SUMMARY\n=+", "", nothing).split()
    return dict(zip(found[::2], listed, strict=True)) | ({"unexpected": beyond} if beyond else {})


def checker(said: str) -> list[str]:
    """Return what `coqchk -o` says beyond `CHECKER`, or does not say."""
    expected, found = rubrics(CHECKER), rubrics(said)
    return [
        f"coqchk: {title}: expected {expected.get(title)}, found {found.get(title)}"
        for title in sorted(expected | found)
        if expected.get(title) != found.get(title)
    ]


def main(mode: str) -> None:
    """Run one of the modes."""
    if mode == "checker":
        return stop(checker(sys.stdin.read()))
    if mode == "meanings":
        return print(meanings(sys.stdin.read().split()), end="")
    project = Project()
    stop(project.problems)
    lists = [Path("statements.txt"), Path("meanings.txt")]
    old = [path.read_text("utf-8") if path.exists() else "" for path in lists]
    stored = {name: (ids, said, assumed) for name, ids, assumed, said in HEAD.findall(old[0])}
    heads = [(name, *head[:2]) for name, head in stored.items()]
    if mode != "update" and heads != [(name, *head) for name, head in project.theorems.items()]:
        stop(["statements.txt differs from the comments in the sources: `make update`"])
    if mode == "list":
        return None
    version = subprocess.run(["coqc", "--print-version"], stdout=-1, text=True, check=True).stdout
    printed = f"as Rocq {version.split()[0]} prints it.  Written by `make update`.\n"
    groups: dict[str, list[str]] = {}
    for name in project.theorems:
        groups.setdefault(stored[name][2] if name in stored else name, []).append(name)
    assumed = project.assumptions(groups)
    new = [
        f"Each theorem: its claims, what it assumes, a sentence, and all that it says, {printed}",
        f"Each theorem, and each definition behind it, by a hash of its meaning, {printed}\n",
    ]
    for name, said in project.statements().items():
        ids, sentence = project.theorems[name]
        new[0] += f"\n{name} | {ids} | {assumed[name]} | {sentence}\n{said}\n"
    new[1] += meanings([project.library(name) for name in project.theorems])
    for path, before, after in zip(lists, old, new, strict=True):
        if mode == "update":
            path.write_text(after, encoding="utf-8")
        elif after != before:
            project.problems.append(
                f"{path} differs from what Rocq says (`make update`; read the difference). "
                f"Its first line names the version that printed it; now it is {printed}"
            )
    stop(project.problems)
    said = "all lists made anew" if mode == "update" else "all claims checked"
    return print(f"{said}: {len(project.theorems)} theorems, assumptions as listed")


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
