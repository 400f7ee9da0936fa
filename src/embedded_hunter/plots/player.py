"""An element of a web page that shows the growth of the tree and the partition with a slider.

The element contains all its data and scripts.
"""

from dataclasses import dataclass

from embedded_hunter.plots.growth import Cell, colors, last_sweep, places, values_of

STYLE = """
.eh-player {max-width: 760px; margin: 1em auto}
.eh-player .eh-bar {display: flex; gap: .8em; align-items: center; flex-wrap: wrap}
.eh-player input {flex: 1; min-width: 8em}
.eh-player button {min-width: 5em; cursor: pointer}
.eh-player output {min-width: 13em}
.eh-player svg {width: 100%; height: auto}
.eh-player .off {display: none}
.eh-player rect {stroke: #fff; stroke-width: .5}
.eh-player line {stroke: #888; stroke-width: .7}
.eh-player circle {stroke: #444; stroke-width: .4}
.eh-player .new {stroke: #d55e00; stroke-width: 1.6}
"""

SCRIPT = """
(function (box) {
  const parts = [...box.querySelectorAll("[data-born]")].map(
    e => [e, +e.dataset.born, +(e.dataset.split || Infinity)]);
  const slider = box.querySelector("input"), said = box.querySelector("output");
  const play = box.querySelector("button");
  let timer = null;
  function show() {
    const s = +slider.value;
    let leaves = 0;
    for (const [e, born, split] of parts) {
      const on = born <= s && s < split;
      e.classList.toggle("off", !on);
      e.classList.toggle("new", on && s > 0 && born === s);
      if (on && e.tagName === "rect") {
        leaves += 1;
        if (s > 0 && born === s) e.parentNode.append(e);  // above its neighbours
      }
    }
    said.textContent = "after sweep " + s + ": " + leaves + (leaves === 1 ? " cell" : " cells");
  }
  function stop() { clearInterval(timer); timer = null; play.textContent = "Play"; }
  slider.addEventListener("input", () => { stop(); show(); });
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (+slider.value >= +slider.max) slider.value = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = +slider.value + 1;
      show();
      if (+slider.value >= +slider.max) stop();
    }, 600);
    show();
  });
  show();
})(document.currentScript.parentElement);
"""

SIDE, GAP = 320.0, 24.0


@dataclass
class Player:
    """A run that a browser shows sweep by sweep.

    Y and its cells are on the left, the tree is on the right. New cells and nodes of a sweep have
    orange edges.
    """

    root: Cell

    def _repr_html_(self) -> str:
        """Return the element: a slider, a button, and an SVG of which a script shows parts."""
        last = last_sweep(self.root)
        return (
            f'<div class="eh-player"><style>{STYLE}</style>'
            '<div class="eh-bar"><button type="button">Play</button>'
            f'<input type="range" min="0" max="{last}" value="{last}" aria-label="sweep">'
            "<output></output></div>"
            f'<svg viewBox="-4 -4 {2 * SIDE + GAP + 8:g} {SIDE + 8:g}" role="img" '
            'aria-label="The cells of Y and the tree after each sweep">'
            f"<g>{''.join(self._cells())}</g>{''.join(self._tree())}</svg>"
            f"<script>{SCRIPT}</script></div>"
        )

    def _colors(self) -> list[str]:
        values = [cell.node.f_star for cell in self.root.below()]
        return colors(values, *values_of(self.root))

    def _cells(self) -> list[str]:
        scale = SIDE / self.root.width
        return [
            f'<rect x="{(cell.x - self.root.x) * scale:.2f}" '
            # the second coordinate grows upwards
            f'y="{SIDE - (cell.y + cell.height - self.root.y) * scale:.2f}" '
            f'width="{cell.width * scale:.2f}" height="{cell.height * scale:.2f}" '
            f'fill="{color}"{_life(cell)}/>'
            for cell, color in zip(self.root.below(), self._colors(), strict=True)
        ]

    def _tree(self) -> list[str]:
        at = places(self.root)
        deepest = max(cell.node.h for cell in self.root.below())

        def where(cell: Cell) -> tuple[float, float]:
            return SIDE + GAP + SIDE * at[cell], SIDE * (cell.node.h + 0.3) / (deepest + 0.6)

        lines, circles = [], []
        for cell, color in zip(self.root.below(), self._colors(), strict=True):
            x, y = where(cell)
            for child in cell.children:
                u, w = where(child)
                lines.append(
                    f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{w:.1f}" '
                    f'data-born="{child.born}"/>'
                )
            circles.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{color}" '
                f'data-born="{cell.born}"/>'
            )
        return lines + circles


def _life(cell: Cell) -> str:
    split = f' data-split="{cell.split:g}"' if cell.children else ""
    return f' data-born="{cell.born}"{split}'
