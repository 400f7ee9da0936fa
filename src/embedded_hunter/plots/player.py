"""The player: an element of a web page that steps through a run.

It shows the active line of the listing and of the code, or the active rules of the policy
``forest``; the cells of Y, or the values where Y has more than two dimensions; the classes of the
visit with nu_min, or between visits who made how many evaluations; the points of X; the trees.
`steps` says what happens in each step, which the script ``web/player.js`` draws. The element loads
nothing. Without JavaScript it shows the listing, the code and the cells after the run.
"""

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from embedded_hunter.plots.listing import DEPTHS, LINES, RULES, code_of_the_hunter
from embedded_hunter.plots.steps import Steps

WEB = Path(__file__).parent / "web"
STYLE = (WEB / "player.css").read_text(encoding="utf-8")
SCRIPT = (WEB / "player.js").read_text(encoding="utf-8")
SIDE = 100.0
"""Side of the picture of Y."""
BUTTONS = (
    ("first", "« start", "first step (Home)"),
    ("sweepback", "« sweep", "one sweep back (Page Up)"),
    ("back", "‹ step", "one step back (arrow left)"),
    ("play", "Play", "play or pause (space)"),
    ("next", "step ›", "one step forward (arrow right)"),
    ("sweepnext", "sweep »", "one sweep forward (Page Down)"),
)
HINT = (
    '<p class="eh-hint" hidden>Keys: ← and → one step, Page Up and Page Down one sweep, Home, End, '
    "and space to play. A click on a line or a rule goes to its next step.</p>"
)
KEYS = ' data-keys="page"'
SPEEDS = (1, 4, 16)
"""Steps a second; the second is chosen first."""
FIGURES = (
    ("values", "-8 0 108 100", "The values so far",
     "All values so far, one after another, and the best of them (dashed)."),
    ("y", "0 0 100 100", "The search space Y and its cells",
     "The search space <i>Y</i> of a tree: the stronger the blue of a cell, the lower its "
     "<i>f</i>*. Dots: the base points of the class; the ring: their norm."),
    ("classes", "-8 0 108 76", "The leaves of the visit by norm and value, and nu_min",
     "In a visit: the leaves of this depth, by the norm of their base point and their value, in "
     "classes. A leaf below <i>ν</i><sub>min</sub> is expanded. Between visits: all "
     "values so far; or, of several members, the evaluations and the best value of each."),
    ("x", "-3 -3 106 106", "The points of X that were evaluated",
     "The points <i>x</i> that were evaluated, in the two coordinates that matter. Open dot: the "
     "best so far."),
    ("tree", "0 0 400 150", "The tree",
     "The trees. Filled: leaves; open: expanded nodes; the band: the depth being visited."),
)  # fmt: skip


@dataclass
class Player:
    """A run that a browser shows step by step."""

    steps: Steps
    plane: str = ""
    """The background of the picture of X, as `player.js` reads it; "" if it is not known."""

    def data(self) -> str:
        """Return the run as JSON, as `player.js` reads it."""
        fields = self.steps.as_json() | {"plane": self.plane}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def element(self, *, alone: bool = False) -> str:
        """Return the element, without its style and its script.

        With `alone`, the player has the keys of the whole page; else it must have the focus.
        """
        is_drawn = any(d <= 2 for d, _ in self.steps.trees)
        figures = [each for each in FIGURES if each[0] != ("values" if is_drawn else "y")]
        first, *others = map(self._figure, figures)
        if (policy := self.steps.settings.policy) in RULES:
            panels = "".join([_rules(policy), first, *others])
        else:
            panels = "".join([_listing(), first, _code(), *others])
        return (
            '<div class="eh-player" tabindex="0" role="group" '
            f'aria-label="A run, step by step"{KEYS if alone else ""}><div class="eh-top">{_bar()}'
            '<p class="eh-state"></p><p class="eh-says" aria-live="polite">With JavaScript, this '
            "player shows the run step by step.</p></div>"
            f'<div class="eh-panels">{panels}</div>{HINT}'
            f'<script type="application/json">{self.data()}</script></div>'
        )

    def page(self, title: str) -> str:
        """Return a whole page, which needs no other file."""
        title = html.escape(title)
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{title}</title>'
            f"<style>body {{font-family: system-ui, sans-serif; margin: 1rem auto; "
            f"padding: 0 1rem; max-width: 56rem}}\n{STYLE}\n.eh-top {{background: Canvas}}</style>"
            f"</head><body><main><h1>{title}</h1>{self.element(alone=True)}</main>"
            f"<script>{SCRIPT}</script>"
            "</body></html>\n"
        )

    def _repr_html_(self) -> str:
        """Return the element with its style and script, for a notebook or a gallery."""
        return f"<style>{STYLE}</style>{self.element()}<script>{SCRIPT}</script>"

    def _figure(self, figure: tuple[str, str, str, str]) -> str:
        name, box, label, caption = figure
        still, hidden = (self._cells(), "") if name == "y" else ("", " hidden")
        return (
            f'<figure class="eh-{name}"{hidden}><svg viewBox="{box}" role="img" '
            f'aria-label="{label}">{still}</svg><figcaption>{caption}</figcaption></figure>'
        )

    def _cells(self) -> str:
        """Return the cells after the last step, for d = 2."""
        if [d for d, _ in self.steps.trees] != [2]:
            return ""
        scale = SIDE / (2 * self.steps.trees[0][1])
        leaves = list(self.steps.leaves_after(len(self.steps.steps)))
        order = sorted({node.f_star[-1][1] for node in leaves}, reverse=True)
        rects = []
        for node in leaves:
            shade = 100 * order.index(node.f_star[-1][1]) / max(1, len(order) - 1)
            width, height = (scale * w for w in node.widths)
            # the second coordinate grows upwards
            x, y = (SIDE / 2 + scale * c for c in (node.y[0], -node.y[1]))
            rects.append(
                f'<rect class="eh-cell" style="--s:{shade:.0f}%" x="{x - width / 2:.2f}" '
                f'y="{y - height / 2:.2f}" width="{width:.2f}" height="{height:.2f}"/>'
            )
        return "".join(rects)


def _bar() -> str:
    buttons = "".join(
        f'<button type="button" data-act="{act}" title="{title}" class="eh-{act}">{text}</button>'
        for act, text, title in BUTTONS
    )
    speeds = "".join(
        f'<option value="{n}"{" selected" * (n == SPEEDS[1])}>{n}</option>' for n in SPEEDS
    )
    return (
        f'<div class="eh-bar" hidden>{buttons}'
        f'<label class="eh-speed"><select>{speeds}</select> steps a second</label>'
        '<input type="range" min="0" value="0" aria-label="step"></div>'
    )


def _listing() -> str:
    items = "".join(
        f'<li data-lines="{k}" data-number="{k or ""}">'
        f'<span style="margin-left:{1.1 * depth:.1f}em">{line}</span></li>'
        for k, (line, depth) in enumerate(zip(LINES, DEPTHS, strict=True))
    )
    return f'<ol class="eh-listing" aria-label="Algorithm 1">{items}</ol>'


def _rules(policy: str) -> str:
    items = "".join(
        f'<li data-lines="{" ".join(map(str, lines))}" data-number="{name}">'
        f"<span>{rule}</span></li>"
        for name, lines, rule in RULES[policy]
    )
    return (
        '<figure class="eh-rules"><ol class="eh-listing" aria-label="The rules of the search">'
        f"{items}</ol><figcaption>The rules of the search, in short. "
        f"<code>embedded_hunter.{policy}.search</code> has them in full.</figcaption></figure>"
    )


def _code() -> str:
    rows = "".join(
        f'<span data-lines="{" ".join(map(str, row.lines))}">{html.escape(_dedented(row.code))}'
        "</span>"
        for row in code_of_the_hunter()
    )
    return (
        '<figure class="eh-code"><pre tabindex="0" role="region" aria-label="The code">'
        f"{rows}</pre><figcaption>The code of Algorithm 1: <code>embedded_hunter.hunter</code>."
        "</figcaption></figure>"
    )


def _dedented(code: Iterable[str]) -> str:
    """Return lines without the indent of a function's body."""
    return "\n".join(line.removeprefix("    ") for line in code)
