"""``{algorithm-one}``: Algorithm 1 of the paper beside its two implementations.

The paper's lines are those of ``docs/algorithm.toml``, which also names the two files: the code,
``hunter.py``, and the literal version, ``brute_force.py``. Comments such as ``# Alg. 1, line 5``
mark the lines in both; a mark covers its line and what follows up to the next mark. Below each
line of the paper stand the verdict of its claim, its tests, and its part of the model in Rocq: the
definition whose comment names the claim, or else the narrowest range of lines. A line of the paper
without code, a mark without a line, a mark that only one of the files has, and a line without a
part of the model are warnings.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from claims_data import verdicts
from claims_table import badge
from docutils import nodes
from listings import address, anchors
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from embedded_hunter.plots.listing import AlgorithmRow, coded
from reproduction.claims.verdict import functions

log = logging.getLogger(__name__)
ROOT = Path(__file__).parents[2]
MODEL = "proofs/model/Model.v"


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


def parts_of_the_model() -> dict[int, list[str]]:
    """Return for each line of Algorithm 1 the definitions of the model that are it."""
    text = (ROOT / MODEL).read_text(encoding="utf-8")
    names = sorted((line, name) for name, line in anchors(MODEL).items())
    by_claim: dict[int, list[str]] = {}
    ranges: list[tuple[int, int, int, str]] = []
    for comment in re.finditer(r"\(\*\*(?!\s*\*).*?\*\)", text, re.DOTALL):
        end = text.count("\n", 0, comment.end()) + 1
        name = next((name for line, name in names if line >= end), "")
        for k in re.findall(r"\[alg1-line-(\d+)\]", comment[0]):
            by_claim.setdefault(int(k), []).append(name)
        if "[alg1-input]" in comment[0]:
            by_claim.setdefault(0, []).append(name)
        for first, last in re.findall(r"lines (\d+)-(\d+)", comment[0], re.IGNORECASE):
            ranges.append((int(last) - int(first), int(first), int(last), name))
    for k in range(1, 18):
        around = sorted(r for r in ranges if r[1] <= k <= r[2])
        if k not in by_claim and around:
            by_claim[k] = [around[0][3]]
    return by_claim


class AlgorithmOne(SphinxDirective):
    """The page's body."""

    def run(self) -> list[nodes.Node]:
        """Return one block for each row."""
        data = ROOT / "docs" / "algorithm.toml"
        (algorithm,) = tomllib.loads(data.read_text(encoding="utf-8"))["algorithm"]
        files = [ROOT / algorithm[name] for name in ("code", "literal")]
        for read in (data, *files, ROOT / MODEL):
            self.env.note_dependency(str(read))
        self.env.note_reread()
        self.model = parts_of_the_model()
        rows, literal = (
            beside(path.read_text(encoding="utf-8").splitlines(), algorithm) for path in files
        )
        self.check(rows, algorithm)
        if [row.lines for row in rows] != [row.lines for row in literal]:
            log.warning("%s and %s mark different lines", algorithm["code"], algorithm["literal"])
        box = nodes.container(classes=["algorithm"])
        for row, again in zip(rows, literal, strict=False):
            box += self.block(row, again, algorithm)
        lines = [k for row in rows for k in row.lines if k]
        index = [("single", f"line {k}", f"line-{k}", "main", None) for k in lines]
        return [addnodes.index(entries=index), box]

    def check(self, rows: list[AlgorithmRow], algorithm: dict[str, Any]) -> None:
        """Warn of lines without code, and of code without lines."""
        total = len(algorithm["lines"])
        shown = [k for row in rows for k in row.lines]
        if shown != list(range(total + 1)):
            log.warning("the marks are not lines 1 to %d in order: %s", total, shown)
        for row in rows:
            for k in row.lines:
                here = 1 <= k <= total and algorithm["lines"][k - 1].get("code", True)
                if bool(row.code) != (here or k == 0):
                    log.warning("line %d of Algorithm 1: code missing, or not expected", k)
                if row.code and k not in self.model:
                    log.warning("line %d of Algorithm 1 has no part in %s", k, MODEL)

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
            left += [self.known(k) for k in row.lines]
            right = nodes.container(classes=["code"])
            for name, shown in (("code", row), ("literal", literal)):
                text = "\n".join(line[4:] for line in shown.code)
                block = nodes.literal_block(text, text, language="python", linenos=True)
                block["highlight_args"] = {"linenostart": shown.number}
                file = nodes.inline("", algorithm[name].rpartition("/")[2])
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

    def known(self, k: int) -> nodes.line:
        """Return the verdict, the tests and the part of the model of a line."""
        id = f"alg1-line-{k}" if k else "alg1-input"
        row = verdicts().rows[id]
        tests = len(functions(row["tests"]))
        word = f"{tests} test{'s' if tests != 1 else ''}" if tests else "its tests"
        uri = f"claim:{id}"
        out = nodes.line("", "", classes=["known"])
        out += nodes.reference("", "", badge(row["verdict"]), refuri=uri)
        out += nodes.Text(" ")
        out += nodes.reference("", "", nodes.inline("", word), refuri=uri)
        for name in self.model.get(k, []):
            out += nodes.Text(" · Rocq ")
            out += nodes.reference("", "", nodes.literal("", name), refuri=address(MODEL, name))
        return out


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("algorithm-one", AlgorithmOne)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
