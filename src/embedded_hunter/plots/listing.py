"""The lines of Algorithm 1, the lines of `embedded_hunter.hunter` that implement them, and the
rules of the policy ``forest``.

Comments such as ``# Alg. 1, line 5`` mark the lines of the code. A mark covers its line and what
follows up to the next mark.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from embedded_hunter import hunter

MARK = re.compile(r"\s*# Alg\. 1, (?:(initialization)|lines? (\d+)(?:-(\d+))?)$")

LINES = (
    "<i>t</i> ← 1, <i>T</i><sub>1</sub> = {(0, 0)}, "
    "evaluate <i>g<sub>P</sub></i>(<b>y</b><sub>0,0</sub>)",
    "<b>while</b> evaluation budget is not exhausted <b>do</b>",
    "<i>ν</i><sub>min</sub> ← ∞",
    "<b>for</b> <i>l</i> = 0 <b>to</b> min{depth(<i>T</i><sub><i>t</i></sub>), "
    "<i>h</i><sub>max</sub>} <b>do</b>",
    "<b>for</b> <i>j</i> = 1 <b>to</b> |Γ<sub><i>l,t</i></sub>| <b>do</b>",
    "Select (<i>l, o</i>) = arg min<sub>(<i>h,i</i>) ∈ "
    "<i>L</i><sup><i>j</i></sup><sub><i>t,l</i></sub></sub> <i>f</i>*<sub><i>h,i</i></sub>",
    "<b>if</b> <i>f</i>*<sub><i>l,o</i></sub> &lt; <i>ν</i><sub>min</sub> <b>then</b>",
    "<i>ν</i><sub>min</sub> ← <i>f</i>*<sub><i>l,o</i></sub>",
    "Expand (<i>l, o</i>) into its child nodes",
    "Evaluate (<i>l, o</i>)’s child nodes by <i>g<sub>P</sub></i>",
    "Add (<i>l, o</i>)’s child nodes to <i>T</i><sub><i>t</i></sub>",
    "<b>end if</b>",
    "<b>end for</b>",
    "<i>T</i><sub><i>t</i>+1</sub> ← <i>T</i><sub><i>t</i></sub>",
    "<i>t</i> ← <i>t</i> + 1",
    "<b>end for</b>",
    "<b>end while</b>",
    "<b>return</b> <i>f</i>*<sub><i>v</i></sub> = "
    "min<sub>(<i>h,i</i>) ∈ <i>T<sub>t</sub></i></sub> "
    "<i>f</i>*<sub><i>h,i</i></sub>",
)
"""Algorithm 1 as HTML that needs no typesetting: the initialization, then lines 1 to 17."""

DEPTHS = (0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 4, 3, 2, 2, 2, 1, 0, 0)
"""The indent of each line."""

TURN = 18
"""Stands for a step that no line of Algorithm 1 has: a member without a tree evaluates points."""

RULES = {"forest": (
    ("F1", (8,), "Each tree has a matrix <i>A</i>, which is kept. A cell has <i>K</i> children, "
     "as in Algorithm 1."),
    ("F2", (0,), "All trees share the evaluation of their roots, at the zero vector."),
    ("F3", (9,), "The center child has the value of its parent. Each other child is evaluated "
     "once."),
    ("F4", (1, 2, 3, 5, 6, 7, 10), "Odd sweeps range over all trees, even ones over the trees of "
     "one dimension. At each depth, the leaf of least <i>f</i>* is expanded if it is below "
     "<i>ν</i><sub>min</sub>."),
    ("F5", (4,), "The leaves of the zero vector are a class of their own, with a "
     "<i>ν</i><sub>min</sub> of their own. All others are one class."),
    ("F6", (1, TURN), "Whose turn is it? The uniform points, if they are less than 1/32. Then the "
     "trees with their local searches, or the evolution strategy, if one of the two is below its "
     "share. Then the one that was better with as many evaluations."),
    ("F7", (TURN,), "The evolution strategy samples about its mean, in all variables. A local "
     "search does so near a good point of a tree."),
    ("F8", (13, 14, 17), "<i>t</i> counts all turns. Return the least of all values."),
)}  # fmt: skip
"""The rules of a policy that is not Algorithm 1, in short: their names, the lines that they stand
for, and HTML. `embedded_hunter.forest.search` has those of the policy ``forest`` in full."""


@dataclass
class AlgorithmRow:
    """Some lines of the paper (0: the initialization) and the code that implements them."""

    lines: list[int]
    code: list[str] = field(default_factory=list)
    number: int = 0
    """Number of the code's first line in its file."""


def coded(source: Sequence[str]) -> Iterator[AlgorithmRow]:
    """Yield the marked lines of the code, each with what follows it, up to the last mark."""
    marks = [(k, m) for k, line in enumerate(source) if (m := MARK.search(line))]
    ends = [k for k, _ in marks[1:]] + [marks[-1][0] + 1]
    for (start, mark), end in zip(marks, ends, strict=True):
        first, last = (0, 0) if mark[1] else (int(mark[2]), int(mark[3] or mark[2]))
        code = [MARK.sub("", line) for line in source[start:end]]
        yield AlgorithmRow(
            list(range(first, last + 1)), "\n".join(code).rstrip().split("\n"), start + 1
        )


def code_of_the_hunter() -> list[AlgorithmRow]:
    """Return the marked lines of `embedded_hunter.hunter`."""
    source = Path(hunter.__file__).read_text(encoding="utf-8")
    return list(coded(source.splitlines()))
