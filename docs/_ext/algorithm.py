"""``{algorithm-one}``: Algorithm 1 of the paper beside its two implementations.

The paper's lines are those of ``docs/algorithm.toml``, which also names the two files: the code,
``hunter.py``, and the literal version, which is the kit's ``hunter.py``. Comments such as
``# Alg. 1, line 5`` mark the lines in both; a mark covers its line and what follows up to the next
mark. Below each line of the paper stand the verdict of its claim, its tests, and its part of the
model in Rocq. Tests compare the marks of both files with the paper's lines.
"""

import tomllib
from typing import Any

from claims_data import verdicts
from docutils import nodes
from links import note
from listings import ROOT, address
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from embedded_hunter.plots.listing import AlgorithmRow, coded
from reproduction.claims.verdict import functions


def beside(source: list[str], algorithm: dict[str, Any]) -> list[AlgorithmRow]:
    """Return the rows of the page: marked code, and before it the lines that only close a block."""
    rows: list[AlgorithmRow] = []
    done = 0
    for row in coded(source):
        for k in range(done + 1, row.lines[0]):
            rows.append(AlgorithmRow([k]))
        rows.append(row)
        done = row.lines[-1]
    rows += [AlgorithmRow([k]) for k in range(done + 1, len(algorithm["lines"]) + 1)]
    return rows


class AlgorithmOne(SphinxDirective):
    """The page's body."""

    def run(self) -> list[nodes.Node]:
        """Return one block for each row."""
        data = ROOT / "docs" / "algorithm.toml"
        (algorithm,) = tomllib.loads(data.read_text(encoding="utf-8"))["algorithm"]
        files = [ROOT / algorithm[name] for name in ("code", "literal")]
        self.env.note_reread()
        rows, literal = (
            beside(path.read_text(encoding="utf-8").splitlines(), algorithm) for path in files
        )
        box = nodes.container(classes=["algorithm"])
        for row, again in zip(rows, literal, strict=True):
            box += self.block(row, again, algorithm)
        lines = [k for row in rows for k in row.lines if k]
        note(self.env, "stated-alg1-input", "")
        for k in lines:
            note(self.env, f"stated-alg1-line-{k}", f"line-{k}")
        index = [("single", f"line {k}", f"line-{k}", "main", None) for k in lines]
        return [addnodes.index(entries=index), box]

    def block(
        self, row: AlgorithmRow, literal: AlgorithmRow, algorithm: dict[str, Any]
    ) -> nodes.container:
        """Return the paper's lines, what is known of them, the code, and the literal version."""
        left = nodes.container(classes=["paper"])
        if row.lines == [0]:
            for word, parts in (
                ("Input", algorithm["input"]), ("Initialization", algorithm["initialization"])
            ):  # fmt: skip
                left += self.line("", f"**{word}:** {', '.join(parts)}", 0, "")
        for k in row.lines:
            if k:
                text = algorithm["lines"][k - 1]["text"]
                depth = (len(text) - len(text.lstrip())) // 2
                left += self.line(str(k), text.strip(), depth, f"line-{k}")
        out = nodes.container("", left, classes=["row"])
        if row.code:
            for k in row.lines:
                left += self.known(k, (algorithm["lines"][k - 1] if k else algorithm)["model"])
            right = nodes.container(classes=["code"])
            for name, shown in (("code", row), ("literal", literal)):
                text = "\n".join(line[4:] for line in shown.code)
                block = nodes.literal_block(text, text, language="python", linenos=True)
                block["highlight_args"] = {"linenostart": shown.number}
                file = nodes.inline("", "/".join(algorithm[name].split("/")[-2:]))
                uri = address(algorithm[name], f"L{shown.number}")
                link = nodes.reference("", "", file, refuri=uri)
                label = nodes.paragraph("", "", link, classes=["file"])
                right += nodes.container("", label, block, classes=[f"is-{name}"])
            out += right
        else:
            out["classes"].append("closing")
        return out

    def line(self, number: str, text: str, depth: int, anchor: str) -> nodes.line:
        """Return one line of the listing, indented as in the paper."""
        said, _ = self.parse_inline(text, lineno=self.lineno)
        parts = [nodes.inline("", number, classes=["number"]), nodes.inline("", "", *said)]
        ids = [anchor] if anchor else []
        return nodes.line("", "", *parts, classes=["listed", f"depth-{depth}"], ids=ids)

    def known(self, k: int, model: str) -> nodes.line:
        """Return the verdict, the tests and the part of the model of a line."""
        id = f"alg1-line-{k}" if k else "alg1-input"
        tests = len(functions(verdicts()[id]["tests"]))
        word = f"{tests} test{'s' if tests != 1 else ''}" if tests else "its tests"
        text = f"{{verdict}}`{id}` [{word}](#claim-{id}) · Rocq {{rocq}}`Model.{model}`"
        said, _ = self.parse_inline(text, lineno=self.lineno)
        return nodes.line("", "", *said, classes=["known"])


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("algorithm-one", AlgorithmOne)
