"""The ideas of a Rocq proof and the goals of its steps, as static text: ``{goals} Lemma1.theorem``.

An idea is a comment in the proof. Goals are recorded by feeding a file to ``coqtop -emacs -time``,
which tells after each sentence where it ends, and kept in ``docs/proofs/goals``: a site is built
without Rocq. Every build compares the recorded text with the sources; a test runs Rocq again where
the compiled proofs are there. Alectryon, which would do this, needs a proof
server (SerAPI, coq-lsp or VsRocq) that Debian does not package for Rocq 8.16.

To record again, after ``make -C proofs``::

    python docs/_ext/goals.py
"""

from __future__ import annotations

import json
import re
import subprocess
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
PAGES = {
    name: page.stem
    for page in sorted((ROOT / "docs" / "proofs").glob("*.md"))
    for name in re.findall(r"^```\{goals\} (\S+)$", page.read_text("utf-8"), re.MULTILINE)
}
"""The page that shows each recorded proof, by ``File.theorem``: what is shown is recorded."""

PROMPT = re.compile(r"\n?<prompt>.*?</prompt>", re.DOTALL)
TIME = re.compile(r"^Chars (\d+) - (\d+) \[.*\n?", re.MULTILINE)
"""The line that Rocq prints for a sentence with ``-time``: its first and last byte."""
COMMENT = re.compile(r"\(\*(.*?)\*\)", re.DOTALL)
OPENING = re.compile(r"(?:Theorem|Lemma|Corollary)\s+([\w']+)")
Step = dict[str, str]


class GoalsError(Exception):
    """A proof cannot be recorded, or what is recorded is not what the sources say."""


def theorems_of(module: str) -> list[str]:
    """Return the theorems of a Rocq file whose proofs are recorded."""
    return [name.partition(".")[2] for name in PAGES if name.startswith(f"{module}.")]


def file_of(folder: Path, module: str) -> Path:
    """Return a Rocq file of a folder or of one below it, which its base name tells."""
    return next(folder.rglob(f"{module}.v"), folder / f"{module}.v")


def record(folder: Path, module: str, names: list[str]) -> dict[str, list[Step]]:
    """Run Rocq on a file and return, for each proof, its text with what Rocq says in between.

    The text of a step is a sentence with the comments before it. `folder` holds the compiled files
    (``make -C proofs``).
    """
    text = b"Set Printing Width 88.\n" + file_of(folder, module).read_bytes()
    done = subprocess.run(
        ["coqtop", "-emacs", "-time", "-q", "-Q", str(folder), "EmbeddedHunter"],
        input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    said = done.stdout.decode()
    if "Error:" in said:
        raise GoalsError(f"{module}.v: {said[said.find('Error:') :][:400]}")
    found: dict[str, list[Step]] = {}
    proof, done_to = None, 0
    for answer in PROMPT.split(said):
        if time := TIME.search(answer):
            begin, end = map(int, time.groups())
            sentence = text[begin:end].decode()
            opening = OPENING.match(sentence)
            if opening and opening[1] in names:
                proof, done_to = found.setdefault(opening[1], []), begin
            if proof is not None:
                step = text[done_to:end].decode()
                proof.append({"text": step, "goals": _tidy(TIME.sub("", answer))})
                if sentence in ("Qed.", "Defined."):
                    proof = None
            done_to = end
    if missing := [name for name in names if name not in found]:
        raise GoalsError(f"no proof of {', '.join(missing)}")
    return found


def _tidy(answer: str) -> str:
    answer = re.sub(r"</?(?:info|warning)msg>", "", answer)
    answer = re.sub(r" \(ID \d+\)", "", answer)
    return "\n".join(line.rstrip() for line in answer.strip("\n").splitlines()).strip("\n")


def cache(module: str) -> Path:
    """Return the file that keeps the recorded proofs of a Rocq file."""
    return ROOT / "docs" / "proofs" / "goals" / f"{module}.json"


def recorded(module: str) -> dict[str, list[Step]]:
    """Read the recorded proofs of a Rocq file; a step after a comment has it as its `idea`.

    Raises
    ------
    GoalsError
        If their text is not in the source any more.
    """
    kept: dict[str, list[Step]] = json.loads(cache(module).read_text("utf-8"))
    source = file_of(ROOT / "proofs", module).read_text("utf-8")
    for name, steps in kept.items():
        if "".join(step["text"] for step in steps) not in source:
            raise GoalsError(f"{module}.{name} has changed: python docs/_ext/goals.py")
        for step in steps:
            text = step.pop("text")
            step["sentence"] = COMMENT.sub("", text).strip()
            if comments := COMMENT.findall(text):
                step["idea"] = " ".join(" ".join(comments).split())
    return kept


def _context(goals: str) -> tuple[list[str], str]:
    """Split Rocq's answer into the hypotheses of the first goal and the rest."""
    head, bar, rest = goals.partition("  ============================")
    if not bar:
        return [], goals
    lines = head.split("\n")[1:]
    hypotheses: list[str] = []
    for line in lines:
        if line.startswith("   ") and hypotheses:
            hypotheses[-1] += "\n" + line
        elif line.strip():
            hypotheses.append(line)
    return hypotheses, rest.strip("\n")


def _state(goals: str, known: list[str], others: bool = True) -> str:
    """Return a state as HTML: the hypotheses that are not `known`, and the goal, or all goals."""
    hypotheses, rest = _context(goals)
    shown = [f"<span class='gl-hyp'>{escape(h)}</span>\n" for h in hypotheses if h not in known]
    bar = "<span class='gl-bar'></span>" if hypotheses else ""
    if not others:
        rest = rest.partition("\n\n")[0] if hypotheses else "This part is proved."
    return f"<pre>{''.join(shown)}{bar}<span class='gl-goal'>{escape(rest)}</span></pre>"


def to_html(name: str, steps: list[Step]) -> str:
    """Return a recorded proof as HTML: its statement, and a fold for each idea.

    An idea begins at a comment and goes to the next one. In its fold stand the goals before and
    after, and a fold for each step. What the proof begins with is shown under the statement alone.
    """
    given, _ = _context(steps[0]["goals"])
    starts = [k for k, step in enumerate(steps) if "idea" in step]
    if starts[:1] != [2]:
        raise GoalsError(f"{name}: no comment at the beginning of the proof")

    def fold(sentence: str, state: str, depth: int = 0) -> str:
        summary = f"<summary><code>{escape(sentence)}</code></summary>"
        return f"<details style='--depth:{depth}'>{summary}{state}</details>"

    rows = [fold(steps[0]["sentence"], _state(steps[0]["goals"], []))]
    depth = 0
    for begin, end in zip(starts, [*starts[1:], len(steps) - 1], strict=True):
        inside = []
        for step in steps[begin:end]:
            depth -= step["sentence"] == "}"
            inside.append(fold(step["sentence"], _state(step["goals"], given), depth))
            depth += step["sentence"] == "{"
        # A bullet shows the goal that it begins with. Before "Proof." stands the statement.
        bullet = re.fullmatch(r"[-+*]+", steps[begin]["sentence"])
        before = steps[begin if bullet else begin - 1]["goals"] or steps[0]["goals"]
        after = _state(steps[end - 1]["goals"], [*given, *_context(before)[0]], others=False)
        idea = re.sub(r"\[(.+?)\]", r"<code>\1</code>", escape(steps[begin]["idea"]))
        count = f"{end - begin} step{'s' * (end - begin > 1)}"
        rows.append(
            f"<details class='gl-idea'><summary>{idea}</summary><div class='gl-sides'>"
            f"<div>Before{_state(before, given, others=False)}</div><div>After{after}</div></div>"
            f"<details><summary>{count}</summary>{''.join(inside)}</details>"
            "</details>"
        )
    return f"<div class='goals' id='goals-{escape(name)}'>{''.join(rows)}</div>"


def setup(app: Sphinx) -> None:
    """Register the directive ``goals``."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class Goals(SphinxDirective):
        """``{goals} FILE.theorem``."""

        required_arguments = 1

        def run(self) -> list[nodes.Node]:
            module, _, name = self.arguments[0].partition(".")
            self.env.note_dependency(str(cache(module)))
            self.env.note_dependency(str(file_of(ROOT / "proofs", module)))
            return [nodes.raw("", to_html(name, recorded(module)[name]), format="html")]

    app.add_directive("goals", Goals)
    app.add_css_file("goals.css")


def main() -> None:
    """Record the proofs that pages show."""
    for module in sorted({name.partition(".")[0] for name in PAGES}):
        found = record(ROOT / "proofs", module, theorems_of(module))
        text = json.dumps(found, indent=0, ensure_ascii=False)
        cache(module).write_text(text + "\n", encoding="utf-8")
        print(f"{module}: {sum(map(len, found.values()))} sentences")


if __name__ == "__main__":
    main()
