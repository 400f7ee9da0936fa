"""`report`: an HTML page about a run: its curve, the variables that mattered, how to go on."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.extras import extra
from embedded_hunter.plots.evaluations import VARIABLES, plot
from embedded_hunter.plots.pictures import STYLE
from embedded_hunter.run.box import from_cube
from embedded_hunter.run.influence import Influence
from embedded_hunter.run.run import Run

PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: auto; padding: 1rem;
  overflow-wrap: anywhere; }}
img {{ width: 100%; }}
pre {{ background: #f3f3f3; padding: .75rem; white-space: pre-wrap; }}
div {{ overflow-x: auto; }}
th, td {{ text-align: right; padding: .1rem .9rem .1rem 0; white-space: nowrap; }}
@media (max-width: 30em) {{ th, td {{ font-size: .7rem; padding-right: .4rem; }} }}
</style></head><body>
<h1>{title}</h1>
{body}
</body></html>
"""


def report(
    result: OptimizeResult,
    found: Influence | None = None,
    *,
    title: str = "A run of embedded-hunter",
    again: str = "",
) -> str:
    """Return an HTML page about a run; it needs no other file and no network.

    Parameters
    ----------
    result
        What `minimize` has returned, with one value at least.
    found
        What `influence` has found at its best point: then the page compares the start of the run
        with the best point, in the variables that matter.
    title
        The heading.
    again
        The command that continues the run.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    TypeError, ValueError
        If there is nothing to report.
    """
    if not isinstance(getattr(result, "run", None), Run):
        raise TypeError(f"result must be what `minimize` has returned, got {result!r:.80}")
    if not isinstance(found, Influence | None):
        raise TypeError(f"found must be an Influence or None, got {found!r:.80}")
    curve = _image(plot(result), "The values of the run, and what made each evaluation")
    values, n = result.run.values, result.run.settings.n
    parts = [
        f"<p>{escape(result.message)}</p>",
        f"<p>The best value is {result.fun:.8g}, of evaluation {np.nanargmin(values) + 1} of "
        f"{result.nfev}. At the start it was {values[0]:.8g}. There are {n} variables; the seed is "
        f"{result.seed}.</p>",
        curve,
    ]
    if found is not None:
        parts.append("<h2>Variables that matter</h2>")
        parts.append(
            _image(plot(found), found.message)
            if found.order.size
            else f"<p>{escape(found.message)}</p>"
        )
    if found is not None and found.order.size:
        parts.append("<div><table>")
        start = from_cube(result.run.box, np.zeros(n))
        rows = [["variable", "start", "best", "effect", "95 % interval"]]
        for i, effect, (low, high) in zip(found.order, found.effect, found.interval, strict=True):
            numbers = [f"{number:.5g}" for number in (start[i], result.x[i], effect)]
            rows.append([str(i), *numbers, f"{low:.4g} to {high:.4g}"])
        for tag, row in zip(["th"] + ["td"] * VARIABLES, rows, strict=False):
            parts.append("<tr>" + "".join(f"<{tag}>{each}</{tag}>" for each in row) + "</tr>")
        parts.append("</table></div>")
    if again:
        parts += ["<h2>To go on</h2>", f"<pre>{escape(again)}</pre>"]
    return PAGE.format(title=escape(title), body="\n".join(parts))


def _image(figure: Any, alt: str) -> str:
    """Return a figure as a part of the page, of a size that a phone shows."""
    file = io.BytesIO()
    with extra("matplotlib").rc_context(STYLE):
        figure.set_figwidth(5.4)
        figure.savefig(file, format="svg", metadata={"Date": None})
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'
