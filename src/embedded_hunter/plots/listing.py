"""The lines of Algorithm 1, and the lines of `embedded_hunter.hunter` that implement them.

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
